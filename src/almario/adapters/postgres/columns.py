"""Values as the tables keep them, where PostgreSQL would not take them as they are."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from almario.adapters.postgres.database import Bound
from almario.domain.digests import blake2b

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


def told(text: str) -> str:
    """Return a text that was kept."""
    return text.replace(_ZERO, "\0").replace(_ITSELF, SIGN) if SIGN in text else text


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


def halves(vectors: Sequence[Sequence[float]]) -> Any:
    """Return vectors as they are kept: numbers of 16 bits, and none that is no number."""
    import numpy as np  # noqa: PLC0415 - 100 ms, and only for search by meaning

    values = np.nan_to_num(np.asarray(vectors, dtype=np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    return values.astype("<f2")


def halved(vector: Sequence[float]) -> tuple[str, str]:
    """Return a vector in halves, and what the halves leave out: the sum of both is as exact as the vector."""
    import numpy as np  # noqa: PLC0415 - as above

    whole = np.asarray(vector, dtype=np.float32)
    [half] = halves([vector])
    return listed(half), listed(np.nan_to_num(whole - half.astype(np.float32)).astype("<f2"))


def listed(half: Any) -> str:
    """Return a vector as PostgreSQL reads it."""
    return str(half.astype(float).tolist())
