"""How small readers are fitted: rows, what is seen in them, and the weights as `text/fitted.py` reads them.

Regressions are solved as a whole, so the same rows make the same bytes. A fifth of them can be kept out, by a
hash of their text.
"""

import hashlib
import json
import os
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np

from almario.adapters.embedders.local import LocalEmbedder
from almario.text import fitted
from almario.text.fitted import FEW_PLACES

FOLDER = Path(__file__).parent
# In so many steps a regression is found.
STEPS = 8
# One of so many rows can be kept out.
FIFTHS = 5


class Found(NamedTuple):
    """The weights of some heads: of places, a column each, what each begins with, and those of numbers."""

    table: Any
    bases: Any
    numbers: Any

    def written(self) -> bytes:
        """Return them as a `Bank` has them."""
        worth = np.abs(self.table).max(axis=0, initial=np.finfo(np.float32).tiny) / 127
        heads = np.concatenate([worth, self.bases]).astype("<f4")
        small = np.rint(self.table / worth).astype("i1")
        return b"".join((heads.tobytes(), small.tobytes(), self.numbers.astype("<f2").tobytes()))


def fit(found: Any, numbers: Any, labels: Sequence[Any], *, held: float, loud: Sequence[float]) -> Found:
    """Fit a head for each of some labels of rows, by letters and by numbers, each made so *loud*.

    *loud* is for all letters, then for the numbers, or the same for all of those; *held* is how strongly
    weights are held down.
    """
    count = found.shape[1]
    scale = np.r_[np.full(count, loud[0]), np.broadcast_to(loud[1:], numbers.shape[1])]
    features = np.c_[found, numbers] * scale
    fits = [regression(features, np.asarray(each, float), held) for each in labels]
    weights = np.array([each * scale for each, _ in fits])
    return Found(weights[:, :count].T, np.array([base for _, base in fits]), weights[:, count:])


def regression(features: Any, labels: Any, held: float) -> tuple[Any, float]:
    """Return the weights of a logistic regression and its base: Newton's way, by how much each row counts."""
    alike, counts = features @ features.T + 1.0, np.zeros(len(labels))
    for _ in range(STEPS):
        odds = alike @ counts
        chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        bend = np.maximum(chance * (1 - chance), 1e-3)
        counts = np.linalg.solve(alike + held * np.diag(1 / bend), odds + (labels - chance) / bend)
    return features.T @ counts, float(counts.sum())


def by_letters(found: Sequence[Collection[int]]) -> Any:
    """Return a row for each text with the places of its letters and words, as far as they count."""
    made = np.zeros((len(found), FEW_PLACES))
    for row, places in zip(made, found, strict=True):
        row[sorted(places)] = 1 / np.sqrt(max(1, len(places)))
    return made


# What was fitted in this process, by the file that it is for.
_CONTENTS: dict[Path, bytes] = {}
_content_of = fitted.content_of


def use(file: Path, *banks: bytes) -> None:
    """Let what reads a file of weights find these there."""
    _CONTENTS[file] = b"".join(banks)
    vars(fitted)["content_of"] = lambda wanted: _CONTENTS.get(wanted) or _content_of(wanted)
    fitted.matrix_of.cache_clear()


def write(file: Path) -> None:
    """Write a file of weights as they are used."""
    file.write_bytes(zlib.compress(_CONTENTS[file], 9))


class Meanings:
    """Unit vectors of texts, each made once."""

    def __init__(self) -> None:
        self._embedder, self._known = LocalEmbedder(), dict[str, Any]()

    def of(self, texts: Sequence[str]) -> Any:
        lacking = [each for each in dict.fromkeys(texts) if each not in self._known]
        for start in range(0, len(lacking), 64):
            some = lacking[start : start + 64]
            made = np.asarray(self._embedder.embed(some), np.float64)
            made /= np.linalg.norm(made, axis=1, keepdims=True)
            self._known |= dict(zip(some, made, strict=True))
        return np.stack([self._known[each] for each in texts])


def read(name: str) -> list[Any]:
    """Return the rows of a file beside this one."""
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def place_of(text: str) -> int:
    """Return a number by which a text is kept out or not, always the same."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def is_out(text: str) -> bool:
    """Return whether a text belongs to the fifth that is kept out."""
    return place_of(text) % FIFTHS == 0


def measured(asked: Sequence[bool], right: Sequence[bool]) -> str:
    """Say how many of those that were asked about are right, and of those that are right asked about."""
    hits = sum(one and other for one, other in zip(asked, right, strict=True))
    return f"precision {hits / max(1, sum(asked)):.2f}, recall {hits / sum(right):.2f} of {sum(right)}"
