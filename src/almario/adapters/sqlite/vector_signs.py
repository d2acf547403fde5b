"""The signs of many vectors in memory: they say which of the vectors are worth comparing."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from almario.adapters.sqlite.matrix import ROUNDING, numpy

if TYPE_CHECKING:
    from apsw import Connection
    from numpy import float16, float32, int64, uint64
    from numpy.typing import NDArray

# So many are compared exactly: a hundredth of those for which this is worth while.
_SHORTLIST = 4096
_SAMPLE = 2048


class Signs:
    """The signs of vectors under ascending numbers, with the vectors if these are *kept* in memory, too.

    Else *connection* reads them.
    """

    batch = 100_000  # each one copies what is there

    def __init__(self, width: int, *, kept: bool) -> None:
        np = numpy()
        self.width = width
        self.is_kept = kept
        self._vectors: NDArray[float16] = np.empty((0, width), dtype="<f2")
        self.rows = 0
        self.connection: Connection | None = None
        self._np = np
        self._numbers: NDArray[int64] = np.empty(0, dtype=np.int64)
        # A column for each vector: so the bits of all are counted in one run.
        self._signs: NDArray[uint64] = np.empty((-(-width // 64), 0), dtype=np.uint64)
        self._dead: NDArray[int64] = np.empty(0, dtype=np.int64)
        self._sample: NDArray[float32] | None = None

    @property
    def form(self) -> tuple[str, int]:
        """The column that a row is read from, and how many bytes it has there."""
        return ("vector", 2 * self.width) if self.is_kept else ("signs", 8 * self._signs.shape[0])

    @property
    def dead(self) -> int:
        """How many rows are left out."""
        return len(self._dead)

    def add(self, numbers: Sequence[int], content: bytes) -> None:
        """Append rows one after the other: float16 numbers, or else signs as `packed` makes them."""
        np = self._np
        if self.is_kept:
            halves = np.frombuffer(content, dtype="<f2").reshape(len(numbers), -1)
            self._vectors = np.concatenate([self._vectors, halves])
            content = packed(halves).tobytes()
        new = np.frombuffer(content, dtype=np.uint64).reshape(len(numbers), -1)
        self._signs = np.concatenate([self._signs, new.T], axis=1)
        self._numbers = np.concatenate([self._numbers, np.asarray(numbers, dtype=np.int64)])
        self.rows = len(self._numbers)

    def keep_only(self, numbers: Sequence[int]) -> None:
        """Leave out the rows whose numbers are not among these."""
        np = self._np
        [self._dead] = np.nonzero(~np.isin(self._numbers, np.asarray(numbers, dtype=np.int64)))

    def compared(self, query: "NDArray[float32]") -> "Shortlist":
        """Make ready to compare a query of length 1 with the rows."""
        return Shortlist(self, query)

    def best(self, query: "NDArray[float32]", limit: int) -> tuple[list[int], tuple[float, float]]:
        """Return the numbers of the rows nearest to a query, the mean of all cosines and their spread."""
        np = self._np
        count = min(limit, self.rows - self.dead)
        if count <= 0:
            return [], (0.0, 0.0)
        [wanted] = packed(query[None, :]).view(np.uint64)
        apart = np.zeros(self.rows, dtype=np.uint16)
        for bits, sought in zip(self._signs, wanted, strict=True):
            apart += np.bitwise_count(bits ^ sought)
        apart[self._dead] = np.iinfo(np.uint16).max
        few = min(max(_SHORTLIST, 8 * count), self.rows - self.dead)
        # Distances are small numbers: counting them finds the farthest that is wanted sooner than sorting.
        farthest = np.searchsorted(np.cumsum(np.bincount(apart)), few)
        near = np.flatnonzero(apart <= farthest)
        numbers, vectors = self._read(np.sort(near[np.argsort(apart[near], kind="stable")[:few]]))
        scores = vectors @ query
        floor = np.partition(scores, len(scores) - count)[len(scores) - count] - ROUNDING
        return numbers[scores >= floor].tolist(), self._background(query)

    def cosines(
        self, query: "NDArray[float32]", numbers: "Sequence[int] | NDArray[int64]"
    ) -> "NDArray[float32]":
        """Return the cosines of rows with a query, by their numbers."""
        np = self._np
        found, vectors = self._read(np.searchsorted(self._numbers, np.unique(numbers)))
        return np.clip(vectors @ query, -1.0, 1.0)[np.searchsorted(found, numbers)]  # type: ignore[no-any-return]

    def _background(self, query: "NDArray[float32]") -> tuple[float, float]:
        np = self._np
        if self._sample is None:
            places = np.linspace(0, self.rows - 1, min(_SAMPLE, self.rows)).astype(np.int64)
            _, self._sample = self._read(places)
        scores = self._sample @ query
        return float(scores.mean()), float(scores.std())

    def _read(self, places: "NDArray[int64]") -> "tuple[NDArray[int64], NDArray[float32]]":
        """Read the numbers and vectors at these places, in order; those that are gone are not among them."""
        np, numbers = self._np, self._numbers[places]
        if self.is_kept:
            return numbers, self._vectors[places].astype(np.float32)
        assert self.connection is not None
        rows: list[Any] = self.connection.execute(
            "SELECT number, vector FROM vectors"
            " WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
            (str(numbers.tolist()),),
        ).fetchall()
        halves = np.frombuffer(b"".join(vector for _, vector in rows), dtype="<f2")
        found = np.asarray([number for number, _ in rows], dtype=np.int64)
        return found, halves.reshape(len(rows), self.width).astype(np.float32)


class Shortlist:
    """A query, and the signs that say which vectors to compare it with."""

    def __init__(self, signs: Signs, query: "NDArray[float32]") -> None:
        self.count = signs.rows - signs.dead
        self.best = partial(signs.best, query)
        self.cosines = partial(signs.cosines, query)


def packed(vectors: Any) -> Any:
    """Return the signs of vectors, a bit for each number, in rows of whole 64-bit words."""
    np = numpy()
    bits = np.packbits(vectors >= 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
