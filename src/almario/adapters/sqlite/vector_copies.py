"""The vectors of one model in memory, in a copy that follows the file.

A `Matrix` has them all, and compares a question with each by one multiplication. Of very many, `Signs` have a
bit for each number: those whose bits fit best are compared, and no others.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from apsw import Connection
    from numpy import float32, int64, uint64
    from numpy.typing import NDArray

    Numbers = Sequence[int] | NDArray[int64]

# Room for later rows is made in blocks, so that what is there is never copied.
_BLOCK_ROWS = 1024
# By so much the same product may differ, depending on what else is multiplied with it.
_ROUNDING = 1e-6
# Of many vectors, so many are compared exactly, and by so many it is told how alike any two are.
_SHORTLIST, _SAMPLE = 4096, 2048


class FileState(NamedTuple):
    """Of which table in which file, how many vectors were dropped from it, and the last number given out."""

    table: str
    birth: int
    dropped: int
    last: int


class ComparedVectors(NamedTuple):
    """A question beside the vectors: how *many* these are, which are nearest, and the cosines of some.

    *best* takes how many are wanted. It gives their numbers, and those of all as near as the last of them;
    and the mean of all cosines and how far they spread around it. Vectors that come later change nothing in
    it.
    """

    many: int
    best: "Callable[[int], tuple[list[int], tuple[float, float]]]"
    cosines: "Callable[[Numbers], NDArray[float32]]"


class VectorCopy(ABC):
    """Vectors of so many numbers each, by their own ascending numbers, as of a *state* of the file."""

    # The column that it is made of, and how many rows of it are read at once.
    column, batch = "vector", 1024

    def __init__(self, width: int, state: FileState) -> None:
        self._np = numpy()
        self._width = width
        self._state = state
        self._numbers: NDArray[int64] = self._np.empty(0, dtype=self._np.int64)
        self._dead = self._numbers

    def can_follow(self, now: FileState, width: int) -> bool:
        """Return whether reading on is enough; an older file, or many lost rows, is read anew."""
        then = self._state
        is_older = then.birth != now.birth or then.dropped > now.dropped or then.last > now.last
        return not is_older and self._width == width and len(self._dead) * 2 <= len(self._numbers)

    def follow(self, connection: "Connection", model: str, now: FileState) -> bool:
        """Read what was added and leave out what was dropped; False if a vector has another length."""
        np = self._np
        if now.dropped != self._state.dropped:
            live = connection.execute(
                f"SELECT group_concat(number) FROM {now.table} WHERE model = ?", (model,)
            ).get
            kept = np.fromstring(live or "", dtype=np.int64, sep=",")
            [self._dead] = np.nonzero(~np.isin(self._numbers, kept))
        if now.last != self._state.last:
            rows = connection.execute(
                f"SELECT number, {self.column} FROM {now.table}"
                " WHERE number > ? AND model = ? ORDER BY number",
                (self._state.last, model),
            )
            while some := list(islice(rows, self.batch)):
                numbers, contents = zip(*some, strict=True)
                if set(map(len, contents)) != {self._length}:
                    return False
                self._add(b"".join(contents), len(numbers))
                self._numbers = np.concatenate([self._numbers, np.asarray(numbers, dtype=np.int64)])
        self._state = now
        return True

    @abstractmethod
    def compared(self, query: "NDArray[float32]", connection: "Connection") -> ComparedVectors:
        """Compare a vector of length 1 with the others."""

    @property
    def _length(self) -> int:
        """How many bytes a row has in the file."""
        return 2 * self._width

    @abstractmethod
    def _add(self, content: bytes, count: int) -> None:
        """Take in rows, one after the other."""


class Matrix(VectorCopy):
    """All vectors, in the file as float16 and here as float32; *expected* says how many come first."""

    def __init__(self, width: int, state: FileState, expected: int) -> None:
        super().__init__(width, state)
        self._blocks = [self._empty(max(expected, _BLOCK_ROWS))]
        self._filled = 0

    def _empty(self, rows: int) -> "NDArray[float32]":
        return self._np.empty((rows, self._width), dtype=self._np.float32)  # type: ignore[no-any-return]

    def _add(self, content: bytes, count: int) -> None:
        values = self._np.frombuffer(content, dtype="<f2").reshape(count, self._width)
        while len(values):
            if self._filled == len(self._blocks[-1]):
                self._blocks.append(self._empty(_BLOCK_ROWS))
                self._filled = 0
            fitting = values[: len(self._blocks[-1]) - self._filled]
            self._blocks[-1][self._filled : self._filled + len(fitting)] = fitting
            self._filled += len(fitting)
            values = values[len(fitting) :]

    def compared(self, query: "NDArray[float32]", connection: "Connection") -> ComparedVectors:
        np, numbers = self._np, self._numbers
        parts = [block @ query for block in self._blocks[:-1]]
        scores = np.concatenate([*parts, self._blocks[-1][: self._filled] @ query])
        scores = np.clip(scores, -1.0, 1.0)
        count = len(numbers) - len(self._dead)
        best = partial(self._best, numbers, scores, self._dead)
        return ComparedVectors(count, best, lambda some: scores[np.searchsorted(numbers, some)])

    def _best(
        self, numbers: "NDArray[int64]", scores: "NDArray[float32]", dead: "NDArray[int64]", limit: int
    ) -> tuple[list[int], tuple[float, float]]:
        np, live, rows = self._np, len(numbers) - len(dead), len(numbers)
        count = min(limit, live)
        if count <= 0:
            return [], (0.0, 0.0)
        scores = scores.copy() if len(dead) else scores
        scores[dead] = 0.0
        mean = float(scores.sum()) / live
        # A product of two rows would wake another thread, for longer than all of it takes.
        spread = max(0.0, float(np.square(scores).sum()) / live - mean * mean) ** 0.5
        scores[dead] = -2.0
        floor = np.partition(scores, rows - count)[rows - count] - _ROUNDING
        return numbers[scores >= floor].tolist(), (mean, spread)


class Signs(VectorCopy):
    """The signs of very many vectors, which say which of them are worth comparing.

    The vectors themselves are *kept* here as float16, or read from the file.
    """

    batch = 100_000  # each one copies what is there

    def __init__(self, width: int, state: FileState, *, kept: bool) -> None:
        super().__init__(width, state)
        self.is_kept = kept
        self.column = "vector" if kept else "signs"
        self._vectors = self._np.empty((0, width), dtype="<f2")
        # A column for each vector: so the bits of all are counted in one run.
        self._signs: NDArray[uint64] = self._np.empty((-(-width // 64), 0), dtype=self._np.uint64)
        self._sample: NDArray[float32] | None = None

    @property
    def _length(self) -> int:
        return super()._length if self.is_kept else 8 * len(self._signs)

    def _add(self, content: bytes, count: int) -> None:
        if self.is_kept:
            halves = self._np.frombuffer(content, dtype="<f2").reshape(count, -1)
            self._vectors = self._np.concatenate([self._vectors, halves])
            content = packed(halves).tobytes()
        new = self._np.frombuffer(content, dtype=self._np.uint64).reshape(count, -1)
        self._signs = self._np.concatenate([self._signs, new.T], axis=1)

    def compared(self, query: "NDArray[float32]", connection: "Connection") -> ComparedVectors:
        count = len(self._numbers) - len(self._dead)
        read = partial(self._read, connection)
        return ComparedVectors(count, partial(self._best, query, read), partial(self._cosines, query, read))

    def _best(
        self, query: "NDArray[float32]", read: Callable[..., Any], limit: int
    ) -> tuple[list[int], tuple[float, float]]:
        np, live = self._np, len(self._numbers) - len(self._dead)
        count = min(limit, live)
        if count <= 0:
            return [], (0.0, 0.0)
        [wanted] = packed(query[None, :]).view(np.uint64)
        apart = np.zeros(len(self._numbers), dtype=np.uint16)
        for bits, sought in zip(self._signs, wanted, strict=True):
            apart += np.bitwise_count(bits ^ sought)
        apart[self._dead] = np.iinfo(np.uint16).max
        few = min(max(_SHORTLIST, 8 * count), live)
        # Distances are small numbers: counting them finds the farthest that is wanted sooner than sorting.
        farthest = np.searchsorted(np.cumsum(np.bincount(apart)), few)
        near = np.flatnonzero(apart <= farthest)
        nearest = near[np.argsort(apart[near], kind="stable")[:few]]
        numbers, vectors = read(self._numbers[np.sort(nearest)])
        scores = vectors @ query
        floor = np.partition(scores, len(scores) - count)[len(scores) - count] - _ROUNDING
        return numbers[scores >= floor].tolist(), self._background(query, read)

    def _cosines(
        self, query: "NDArray[float32]", read: Callable[..., Any], numbers: "Numbers"
    ) -> "NDArray[float32]":
        np = self._np
        found, vectors = read(np.unique(numbers))
        return np.clip(vectors @ query, -1.0, 1.0)[np.searchsorted(found, numbers)]  # type: ignore[no-any-return]

    def _background(self, query: "NDArray[float32]", read: Callable[..., Any]) -> tuple[float, float]:
        if self._sample is None:
            every = max(1, len(self._numbers) // _SAMPLE)
            _, self._sample = read(self._numbers[::every])
        scores = self._sample @ query
        return float(scores.mean()), float(scores.std())

    def _read(
        self, connection: "Connection", numbers: "NDArray[int64]"
    ) -> "tuple[NDArray[int64], NDArray[float32]]":
        """Return vectors by their numbers, in order; what is gone from the file is not among them."""
        np = self._np
        if self.is_kept:
            return numbers, self._vectors[np.searchsorted(self._numbers, numbers)].astype(np.float32)
        rows: list[Any] = connection.execute(
            f"SELECT number, vector FROM {self._state.table}"
            " WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
            (str(numbers.tolist()),),
        ).fetchall()
        halves = np.frombuffer(b"".join(vector for _, vector in rows), dtype="<f2")
        found = np.asarray([number for number, _ in rows], dtype=np.int64)
        return found, halves.reshape(len(rows), self._width).astype(np.float32)


def packed(vectors: Any) -> Any:
    """Return the signs of vectors, a bit for each number, in rows of whole 64-bit words."""
    np = numpy()
    bits = np.packbits(vectors >= 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))


def numpy() -> Any:
    """Load numpy, which costs 100 ms, where it is needed."""
    import numpy as np  # noqa: PLC0415 - only for search by meaning

    return np
