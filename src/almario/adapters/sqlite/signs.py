"""Very many vectors, of which only the signs are in memory: a 64th of the room, and read in no time.

The nearest by their signs are read whole and compared exactly. How all others
lie is told from a sample of them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from almario.adapters.sqlite.matrix import ROUNDING, numpy

if TYPE_CHECKING:
    from apsw import Connection
    from numpy import float32, int64, uint64
    from numpy.typing import NDArray

# So many are compared exactly: a hundredth of those for which this is worth while.
_SHORTLIST = 4096
_SAMPLE = 2048


class Signs:
    """The signs of vectors under ascending numbers; *connection* reads the vectors themselves."""

    batch = 1_000_000  # each one copies what is there

    def __init__(self, width: int) -> None:
        np = numpy()
        self.width = width
        self.rows = 0
        self.connection: Connection | None = None
        self._np = np
        self._numbers: NDArray[int64] = np.empty(0, dtype=np.int64)
        self._signs: NDArray[uint64] = np.empty((0, -(-width // 64)), dtype=np.uint64)
        self._dead: NDArray[int64] = np.empty(0, dtype=np.int64)
        self._sample: NDArray[float32] | None = None

    @property
    def form(self) -> tuple[str, int]:
        """The column that a row is read from, and how many bytes it has there."""
        return "signs", 8 * self._signs.shape[1]

    @property
    def dead(self) -> int:
        """How many rows are left out."""
        return len(self._dead)

    def add(self, numbers: Sequence[int], signs: bytes) -> None:
        """Append rows, given as `packed` makes them, one after the other."""
        np = self._np
        new = np.frombuffer(signs, dtype=np.uint64).reshape(len(numbers), -1)
        self._signs = np.concatenate([self._signs, new])
        self._numbers = np.concatenate([self._numbers, np.asarray(numbers, dtype=np.int64)])
        self.rows = len(self._numbers)

    def keep_only(self, numbers: Sequence[int]) -> None:
        """Leave out the rows whose numbers are not among these."""
        np = self._np
        [self._dead] = np.nonzero(~np.isin(self._numbers, np.asarray(numbers, dtype=np.int64)))

    def best(self, query: "NDArray[float32]", limit: int) -> tuple[list[int], tuple[float, float]]:
        """Return the numbers of the rows nearest to a query, the mean of all cosines and their spread."""
        np = self._np
        count = min(limit, self.rows - self.dead)
        if count <= 0:
            return [], (0.0, 0.0)
        wanted = packed(query[None, :]).view(np.uint64)
        apart = np.bitwise_count(self._signs ^ wanted).sum(axis=1, dtype=np.uint16)
        apart[self._dead] = np.iinfo(np.uint16).max
        few = min(max(_SHORTLIST, 8 * count), self.rows - self.dead)
        numbers, vectors = self._read(self._numbers[np.argpartition(apart, few - 1)[:few]])
        scores = vectors @ query
        floor = np.partition(scores, len(scores) - count)[len(scores) - count] - ROUNDING
        return numbers[scores >= floor].tolist(), self._background(query)

    def scored(self, pairs: Sequence[tuple[Any, ...]], query: "NDArray[float32]") -> list[tuple[int, float]]:
        """Put in place of each number, the second of a pair, its row's cosine with a query of length 1."""
        np = self._np
        if not pairs:
            return []
        numbers, vectors = self._read(np.unique(np.asarray([number for _, number in pairs], dtype=np.int64)))
        scores = dict(zip(numbers.tolist(), np.clip(vectors @ query, -1.0, 1.0).tolist(), strict=True))
        return [(each, scores[number]) for each, number in pairs]

    def _background(self, query: "NDArray[float32]") -> tuple[float, float]:
        np = self._np
        if self._sample is None:
            places = np.linspace(0, self.rows - 1, min(_SAMPLE, self.rows)).astype(np.int64)
            _, self._sample = self._read(self._numbers[places])
        scores = self._sample @ query
        return float(scores.mean()), float(scores.std())

    def _read(self, numbers: "NDArray[int64]") -> "tuple[NDArray[int64], NDArray[float32]]":
        """Read the vectors with these numbers, in order; those that are gone are not among them."""
        np = self._np
        assert self.connection is not None
        rows: list[Any] = self.connection.execute(
            "SELECT number, vector FROM vectors"
            " WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
            (str(numbers.tolist()),),
        ).fetchall()
        halves = np.frombuffer(b"".join(vector for _, vector in rows), dtype="<f2")
        found = np.asarray([number for number, _ in rows], dtype=np.int64)
        return found, halves.reshape(len(rows), self.width).astype(np.float32)


def packed(vectors: Any) -> Any:
    """Return the signs of vectors, a bit for each number, in rows of whole 64-bit words."""
    np = numpy()
    bits = np.packbits(vectors >= 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
