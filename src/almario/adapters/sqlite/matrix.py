"""Vectors as the rows of a matrix in memory: exact search, one multiplication."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import float32, int64
    from numpy.typing import NDArray

# Room for later rows is made in blocks, so that what is there is never copied.
_BLOCK_ROWS = 1024
# By so much the same product may differ, depending on what else is multiplied with it.
ROUNDING = 1e-6


class Matrix:
    """Rows of float32 under ascending numbers; *expected* says how many come first."""

    # How many rows are read at once.
    batch = 1024

    def __init__(self, width: int, expected: int) -> None:
        np = numpy()
        self.width = width
        self.rows = 0
        self._np = np
        self._blocks = [np.empty((max(expected, _BLOCK_ROWS), width), dtype=np.float32)]
        self._filled = 0
        self._numbers = np.empty(0, dtype=np.int64)
        self._dead = np.empty(0, dtype=np.int64)

    @property
    def form(self) -> tuple[str, int]:
        """The column that a row is read from, and how many bytes it has there."""
        return "vector", 2 * self.width

    @property
    def dead(self) -> int:
        """How many rows are left out."""
        return len(self._dead)

    def add(self, numbers: Sequence[int], halves: bytes) -> None:
        """Append rows, given as float16 numbers one after the other."""
        np = self._np
        values = np.frombuffer(halves, dtype="<f2").reshape(len(numbers), self.width)
        while len(values):
            block = self._blocks[-1]
            if self._filled == len(block):
                self._blocks.append(np.empty((_BLOCK_ROWS, self.width), dtype=np.float32))
                self._filled = 0
                continue
            count = min(len(values), len(block) - self._filled)
            block[self._filled : self._filled + count] = values[:count]
            self._filled += count
            values = values[count:]
        self._numbers = np.concatenate([self._numbers, np.asarray(numbers, dtype=np.int64)])
        self.rows = len(self._numbers)

    def keep_only(self, numbers: Sequence[int]) -> None:
        """Leave out the rows whose numbers are not among these."""
        np = self._np
        [self._dead] = np.nonzero(~np.isin(self._numbers, np.asarray(numbers, dtype=np.int64)))

    def compared(self, query: "NDArray[float32]") -> "Product":
        """Compare a query of length 1 with every row."""
        np = self._np
        parts = [block @ query for block in self._blocks[:-1]]
        scores = np.concatenate([*parts, self._blocks[-1][: self._filled] @ query])
        return Product(self._numbers, np.clip(scores, -1.0, 1.0), self._dead)


class Product:
    """The cosines of all rows with a query; later rows change nothing in it."""

    def __init__(self, numbers: "NDArray[int64]", scores: "NDArray[float32]", dead: "NDArray[int64]") -> None:
        self._np = numpy()
        self._numbers, self._scores, self._dead = numbers, scores, dead
        self.count = len(numbers) - len(dead)

    def best(self, limit: int) -> tuple[list[int], tuple[float, float]]:
        """Return the numbers of the rows nearest to the query, and of all as near as the last of them.

        With them, the mean of all cosines and how far they spread around it.
        """
        np, live, rows = self._np, self.count, len(self._numbers)
        count = min(limit, live)
        if count <= 0:
            return [], (0.0, 0.0)
        scores = self._scores.copy() if len(self._dead) else self._scores
        scores[self._dead] = 0.0
        mean = float(scores.sum()) / live
        # A product of two rows would wake another thread, for longer than all of it takes.
        spread = max(0.0, float(np.square(scores).sum()) / live - mean * mean) ** 0.5
        scores[self._dead] = -2.0
        floor = np.partition(scores, rows - count)[rows - count] - ROUNDING
        return self._numbers[scores >= floor].tolist(), (mean, spread)

    def cosines(self, numbers: "Sequence[int] | NDArray[int64]") -> "NDArray[float32]":
        """Return the cosines of rows, by their numbers."""
        return self._scores[self._np.searchsorted(self._numbers, numbers)]  # type: ignore[no-any-return]


def numpy() -> Any:
    """Load numpy, which costs 100 ms, where it is needed."""
    import numpy as np  # noqa: PLC0415 - only for search by meaning

    return np
