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
WORD_SCHEMA = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(terms, content='', columnsize=0, detail=none,"
    f" tokenize='ascii tokenchars ''{_SIGNS}''')",
    "INSERT INTO words(words, rank) SELECT 'secure-delete', 1"
    " WHERE NOT EXISTS (SELECT 1 FROM words_config WHERE k = 'secure-delete' AND v = 1)",
    # Two blocks to a page: a longer one would spill over, and nothing tells when a spilled end became zeros.
    "INSERT INTO words(words, rank) SELECT 'pgsz', 2000"
    " WHERE NOT EXISTS (SELECT 1 FROM words_config WHERE k = 'pgsz')",
)
# What the tokenizer would change or cannot take: capitals, control characters, halves of characters.
_ODD = regex("[A-Z\0-\x1f\x7f\ud800-\udfff]")
_ODD_OR_SPACE = regex("[A-Z\0-\x20\x7f\ud800-\udfff]")


def listed(connection: "Connection", term: str) -> Sequence[int]:
    """Return the ids of the passages with a term, in order; a term that ends in `*` is a beginning."""
    import numpy as np  # noqa: PLC0415 - 100 ms, and only where something is searched

    start = term[:-1] if term.endswith("*") else term
    if not start:
        return ()
    phrase = _ODD_OR_SPACE.sub(_escaped, start).replace('"', '""')
    query = f'"{phrase}"*' if start != term else f'"{phrase}"'
    # One long text is quicker than thousands of rows, and numpy reads it five times as quickly as JSON.
    found = connection.execute("SELECT group_concat(rowid) FROM words WHERE words MATCH ?", (query,)).get
    return array("q", np.fromstring(found or "", dtype=np.int64, sep=",").tobytes())


def joined(terms: Sequence[str]) -> str:
    """Return terms as the index takes them."""
    text = " ".join(terms)
    return " ".join(_ODD.sub(_escaped, term) for term in terms) if _ODD.search(text) else text


def _escaped(match: re.Match[str]) -> str:
    return f"\x7f{ord(match[0]):02x}"
