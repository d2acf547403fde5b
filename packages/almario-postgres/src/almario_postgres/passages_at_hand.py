"""Passages and vectors of an agent in the memory of a process that asks for them again and again.

What a write of this process changes is changed here, too (`Bound.moment`). After a write of another one the
list of passages is read anew, and of the vectors those that are new: the vector of a text stays the same.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import repeat
from threading import Lock
from typing import TYPE_CHECKING, Any

from almario.adapters.blas import one_thread
from almario.domain.candidates import Near
from almario.domain.passages import Passage
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from numpy import float32, int64
    from numpy.typing import NDArray

    from almario.domain.columns import Columns, Table

# Of a text's hash.
HASH_BYTES = 16
_ROOM = 1024
# By so much the same product may differ, depending on what else is multiplied with it.
_ROUNDING = 1e-6
# A passage whose text has no vector.
_NONE = -1


class TextVectors:
    """Vectors of one model by the hash of their text; they never change, so threads share them."""

    def __init__(self, width: int) -> None:
        import numpy as np  # noqa: PLC0415 - 100 ms, and only for search by meaning

        self.width = width
        self._values: NDArray[float32] = np.empty((_ROOM, width), dtype=np.float32)
        self._rows: dict[bytes, int] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._rows)

    def lacking(self, hashes: Collection[bytes]) -> list[bytes]:
        """Return those of the texts that have no vector here."""
        return [each for each in hashes if each not in self._rows]

    def add(self, hashes: Sequence[bytes], vectors: "NDArray[Any]") -> None:
        """Add vectors of texts, unless they are here."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        with self._lock:
            first = len(self._rows)
            new = {each: place for place, each in enumerate(hashes) if each not in self._rows}
            if first + len(new) > len(self._values):
                grown = np.empty((2 * (first + len(new)), self.width), dtype=np.float32)
                grown[:first] = self._values[:first]
                self._values = grown
            self._values[first : first + len(new)] = vectors[list(new.values())]
            self._rows |= {each: first + n for n, each in enumerate(new)}

    def rows(self, hashes: Sequence[bytes]) -> "NDArray[int64]":
        """Return where the vector of each text stands."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        return np.fromiter(map(self._rows.get, hashes, repeat(_NONE)), np.int64, len(hashes))

    def scores(self, vector: Sequence[float]) -> "NDArray[float32]":
        """Return the cosine of each of the vectors with another one."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        with one_thread():
            product = self._values[: len(self._rows)] @ np.asarray(vector, dtype=np.float32)
        return np.clip(product, -1.0, 1.0)


class PassageCopy(NamedTuple):
    """The passages of a shelf in the order of their ids: the hash of each text, and where its vector stands.

    *places* says where those that were read stand in *columns*.
    """

    ids: "NDArray[int64]"
    hashes: "NDArray[Any]"
    rows: Mapping[str, "NDArray[int64]"]
    columns: "Columns"
    places: dict[int, int]

    def exchanged(self, gone: Collection[int], new: Mapping[int, bytes]) -> "PassageCopy":
        """Return the copy without some passages, and with others; a text that stays has its vector."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        stays = ~np.isin(self.ids, np.fromiter((*gone, *new), np.int64))
        order = sorted(new)
        ids = self.ids[stays]
        where = np.searchsorted(ids, order)
        listed = np.frombuffer(b"".join(new[one] for one in order), dtype=self.hashes.dtype)
        alike = np.flatnonzero(np.isin(_beginnings(self.hashes), _beginnings(listed)))
        rows: dict[str, NDArray[int64]] = {}
        for model, known in self.rows.items():
            before = {self.hashes[place].tobytes(): known[place] for place in alike}
            came = [before.get(each.tobytes(), _NONE) for each in listed]
            rows[model] = np.insert(known[stays], where, came)
        places = {one: place for one, place in self.places.items() if one not in gone and one not in new}
        return PassageCopy(
            np.insert(ids, where, order),
            np.insert(self.hashes[stays], where, listed),
            rows,
            self.columns,
            places,
        )

    def with_vectors(self, model: str, texts: TextVectors, having: Collection[bytes]) -> "PassageCopy":
        """Return the copy with the vectors of texts that have one."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        rows = self.rows.get(model)
        found = np.full(len(self.ids), _NONE) if rows is None else rows.copy()
        lacking = np.flatnonzero(found == _NONE)
        names = [each.tobytes() for each in self.hashes[lacking]]
        found[lacking] = np.where([each in having for each in names], texts.rows(names), _NONE)
        return self._replace(rows={**self.rows, model: found})

    def cosines(self, scores: "NDArray[float32]", model: str, ids: Sequence[int]) -> "NDArray[Any]":
        """Return the cosine of each of the passages; NaN if it has none."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        found = np.full(len(ids), math.nan)
        if len(self.ids) and len(ids):
            places = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
            rows = np.where(self.ids[places] == ids, self.rows[model][places], _NONE)
            found[rows != _NONE] = scores[rows[rows != _NONE]]
        return found

    def lacking(self, model: str) -> list[bytes]:
        """Return the texts that seem to have no vector."""
        rows = self.rows.get(model)
        return [] if rows is None else [each.tobytes() for each in self.hashes[rows == _NONE]]

    def nearest(self, scores: "NDArray[float32]", model: str, limit: int) -> Near:
        """Return the passages whose texts are nearest."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        every = self.rows[model]
        texts = np.unique(every[every != _NONE])
        if limit <= 0 or not len(texts):
            return Near()
        own = scores[texts].astype(float)
        mean, spread, count = float(own.mean()), float(own.std()), min(limit, len(texts))
        floor = np.partition(own, len(own) - count)[len(own) - count] - _ROUNDING
        having = np.flatnonzero(np.isin(every, texts[own >= floor]))
        best = sorted((-float(scores[every[place]]), int(self.ids[place])) for place in having.tolist())
        return Near([one for _, one in best[:limit]], mean, spread, len(texts))


def _beginnings(hashes: "NDArray[Any]") -> "NDArray[Any]":
    """Return numbers that are different for nearly all texts that are."""
    return hashes.view(">u8")[::2]


class PassagesAtHand:
    """A copy as one search uses it: *read* gives passages that were not read yet, by their ids."""

    def __init__(
        self,
        copy: PassageCopy,
        vectors: Mapping[str, TextVectors],
        read: Callable[[Sequence[int]], Mapping[int, Passage]],
    ) -> None:
        self._copy = copy
        self._vectors = vectors
        self._read = read
        self._compared: tuple[object, NDArray[float32]] | None = None

    def table(self, ids: Sequence[int]) -> "Table":
        """Return those of the passages that exist; the ids are in order."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        from almario.domain.columns import are_among  # noqa: PLC0415 - the same

        copy, asked = self._copy, np.asarray(ids, dtype=np.int64)
        there = asked[are_among(asked, copy.ids)].tolist()
        if unread := [one for one in there if one not in copy.places]:
            found = self._read(unread)
            copy.places.update(zip(found, copy.columns.add(list(found.values())), strict=True))
        return copy.columns.take(np.fromiter(map(copy.places.__getitem__, there), np.int64, len(there)))

    def nearest(self, vector: Sequence[float], model: str, limit: int) -> Near:
        """Return the passages nearest to a vector."""
        return self._copy.nearest(self._scores(vector, model), model, limit)

    def cosines(self, vector: Sequence[float], model: str, ids: Sequence[int]) -> "NDArray[Any]":
        """Return the cosine of each of the passages; NaN if it has no vector."""
        return self._copy.cosines(self._scores(vector, model), model, ids)

    def _scores(self, vector: Sequence[float], model: str) -> "NDArray[float32]":
        if self._compared is None or self._compared[0] is not vector:
            self._compared = vector, self._vectors[model].scores(vector)
        return self._compared[1]
