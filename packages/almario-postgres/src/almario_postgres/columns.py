"""Values as the tables keep them, where PostgreSQL would not take them as they are."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING, Any

from almario.domain.digests import blake2b
from almario.named_tuples import NamedTuple
from almario_postgres.database import Bound

if TYPE_CHECKING:
    from psycopg import Connection

# A text has no zero byte there: it is written as two signs, and the first of them as two, too.
SIGN, _ZERO, _ITSELF = "\x01", "\x01\x02", "\x01\x03"
# A key of an index has at most 2,700 bytes; beyond so many characters, a term is known by its digest.
_LONGEST = 500


def stored(text: str) -> str:
    """Return a text as it is kept, or asked for: half a character is kept nowhere, and fits nothing."""
    if "\0" in text or SIGN in text:
        text = text.replace(SIGN, _ITSELF).replace("\0", _ZERO)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def loaded(text: str) -> str:
    """Return a text that was kept."""
    return text.replace(_ZERO, "\0").replace(_ITSELF, SIGN) if SIGN in text else text


def columns_of(kinds: Mapping[str, str]) -> str:
    """Return columns with their types, as rows of JSON are read."""
    return ", ".join(f"{name} {kind}" for name, kind in kinds.items())


def as_records(names: Collection[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as one JSON, so that any number of them goes in one statement."""
    return json.dumps([dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False)


def open_write(bound: Bound) -> "AbstractContextManager[Connection]":
    """Give the connection of the write that is open, or open one."""
    return bound.reading() if bound.is_writing else bound.writing()


def term_key(term: str) -> str:
    """Return a term as the index knows it."""
    key = stored(term)
    return key if len(key) <= _LONGEST else f"{key[:_LONGEST]}{SIGN}{blake2b(key.encode())}"


def beginning(term: str) -> tuple[str, str]:
    """Return the first and the last term that can begin so; of a long beginning, as far as terms are kept."""
    key = stored(term)[:_LONGEST]
    return key, key + "\U0010ffff"


class Halves(NamedTuple):
    """A vector of numbers of 16 bits, as PostgreSQL takes it."""

    content: bytes


def halves(vectors: Sequence[Any]) -> list[Halves]:
    """Return vectors as they are kept; what is no number is 0."""
    values = as_halves(vectors)
    start = values.shape[1].to_bytes(2, "big") + b"\0\0"
    return [Halves(start + half.tobytes()) for half in values]


def as_halves(vectors: Sequence[Any]) -> Any:
    """Return vectors in the numbers that are kept of them."""
    import numpy as np  # noqa: PLC0415 - 100 ms, and only for search by meaning

    values = np.asarray(vectors, dtype=np.float32)
    return np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0).astype(">f2")


def halved(vector: Sequence[float]) -> list[Halves]:
    """Return a vector in halves, and what the halves leave out: the sum of both is as exact as the vector."""
    import numpy as np  # noqa: PLC0415 - as above

    whole = np.asarray(vector, dtype=np.float32)
    return halves([whole, whole - whole.astype(np.float16)])


def takes_halves(connection: "Connection") -> None:
    """Teach a connection to send vectors."""
    connection.adapters.register_dumper(Halves, _dumper())


@cache
def _dumper() -> Any:
    from psycopg.adapt import Dumper  # noqa: PLC0415 - connected, it is loaded
    from psycopg.pq import Format  # noqa: PLC0415 - the same

    class HalvesDumper(Dumper):
        format = Format.BINARY

        def dump(self, obj: Halves) -> bytes:
            return obj.content

    return HalvesDumper
