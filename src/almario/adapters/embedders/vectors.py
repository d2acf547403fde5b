"""What every embedder does with a text before, and with its vectors after."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

# A passage is shorter; of a longer text the beginning says what it is about.
MAX_CHARS = 2000
# Sent for a text with nothing in it, which some models refuse and others turn into nothing.
_EMPTY = "-"


def prepared(text: str) -> str:
    """Return as much of *text* as is embedded, without the halves of characters that no model can read."""
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")


def never_blank(text: str) -> str:
    """Return *text* prepared, or a sign if there is nothing in it."""
    clean = prepared(text)
    return clean if clean.strip() else _EMPTY


def unit_rows(rows: Sequence[Any]) -> "NDArray[float32]":
    """Return the rows as one array, each of length 1; ValueError if they are not numbers of one shape."""
    import numpy as np  # noqa: PLC0415 - 100 ms, and only when something is embedded

    try:
        wide = np.asarray(rows, dtype=np.float64)
    except (TypeError, OverflowError) as exc:
        raise ValueError("not numbers") from exc
    if wide.ndim != 2 or not wide.shape[1] or not np.isfinite(wide).all():
        raise ValueError("not rows of finite numbers")
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    rows_of_one: NDArray[float32] = (wide / lengths).astype(np.float32)
    return rows_of_one
