"""The words of passages in SQLite's full-text index, which knows of each term in which passages it is."""

import re
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from almario.domain.plain_text import regex

if TYPE_CHECKING:
    from apsw import Connection

# Every sign is part of a word: `terms` has cut the words already.
_SIGNS = "".join(sign for sign in map(chr, range(33, 128)) if not sign.isalnum()).replace("'", "''''")
# What the tokenizer would change or cannot take: capitals, control characters, halves of characters.
_ODD = regex("[A-Z\0-\x1f\x7f\ud800-\udfff]")
_ODD_OR_SPACE = regex("[A-Z\0-\x20\x7f\ud800-\udfff]")


def word_schema(shelf: str) -> Sequence[str]:
    """Return what makes the index of a shelf."""
    words = f"{shelf}words"
    return (
        f"CREATE VIRTUAL TABLE {words} USING fts5(terms, content='', columnsize=0, detail=none,"
        f" tokenize='ascii tokenchars ''{_SIGNS}''')",
        f"INSERT INTO {words}({words}, rank) VALUES ('secure-delete', 1)",
        # Two blocks to a page: a longer one would spill over, and nothing tells when its end became zeros.
        f"INSERT INTO {words}({words}, rank) VALUES ('pgsz', 2000)",
    )


def listed(connection: "Connection", shelf: str, term: str) -> Sequence[int]:
    """Return the ids of the passages with a term, in order; a term that ends in `*` is a beginning."""
    import numpy as np  # noqa: PLC0415 - 100 ms, and only where something is searched

    start = term[:-1] if term.endswith("*") else term
    if not start:
        return ()
    phrase = _ODD_OR_SPACE.sub(_escaped, start).replace('"', '""')
    query = f'"{phrase}"*' if start != term else f'"{phrase}"'
    # One long text is quicker than thousands of rows, and numpy reads it five times as quickly as JSON.
    rows = f"SELECT group_concat(rowid) FROM {shelf}words WHERE {shelf}words MATCH ?"
    found = connection.execute(rows, (query,)).get
    return array("q", np.fromstring(found or "", dtype=np.int64, sep=",").tobytes())


def joined(terms: Sequence[str]) -> str:
    """Return terms as the index takes them."""
    text = " ".join(terms)
    return " ".join(_ODD.sub(_escaped, term) for term in terms) if _ODD.search(text) else text


def _escaped(match: re.Match[str]) -> str:
    return f"\x7f{ord(match[0]):02x}"
