"""`python -m benchmarks.changes`: find the weights of `text/outdated.py` on `aspects` and `changes.jsonl`.

The same rows make the same bytes. `--check` writes nothing: it keeps a fifth of the pairs out, by a hash of
what was told first, fits the others, and prints how often that fifth is judged rightly: alone, and where one
of many memories is to be found.
"""

import argparse
import hashlib
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np

from almario.adapters.embedders.local import LocalEmbedder
from almario.text.outdated import LIKELY, SIZES, WEIGHTS, ChangeWeights, letters
from almario.text.reader import parts_of

FOLDER = Path(__file__).parent
# How much letters count beside a vector for whom a text is about; and for what changed, how much those that
# are new, the new vector, and how it differs from the old.
OF_WHOM, LETTERS, NEW, APART = 2.0, 16.0, 8.0, 4.0
# How strongly the weights of both are held down, and in how many steps they are found.
HELD_OF_WHOM, HELD, STEPS = 0.3, 1.0, 8

Pair = Mapping[str, Any]


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

    def pair(self, pair: Pair) -> tuple[str, str, Any, Any]:
        new, old = pair["new"], pair["old"]
        return new, old, self.of([new, *parts_of(new)]), self.of([old])[0]


def fitted(features: Any, labels: Any, held: float) -> tuple[Any, float]:
    """Return the weights of a logistic regression and its base: Newton's way, by how much each row counts."""
    alike, counts = features @ features.T + 1.0, np.zeros(len(labels))
    for _ in range(STEPS):
        odds = alike @ counts
        chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        bend = np.maximum(chance * (1 - chance), 1e-3)
        counts = np.linalg.solve(alike + held * np.diag(1 / bend), odds + (labels - chance) / bend)
    return features.T @ counts, float(counts.sum())


def by_letters(found: Sequence[frozenset[int]]) -> Any:
    made = np.zeros((len(found), SIZES[0]))
    for row, places in zip(made, found, strict=True):
        row[sorted(places)] = 1 / np.sqrt(max(1, len(places)))
    return made


def fit_whose(meanings: Meanings) -> ChangeWeights:
    """Fit whom a text is about; all else stays 0."""
    rows = read("aspects.jsonl")
    texts, labels = [row["text"] for row in rows], np.array([row["whose"] == "other" for row in rows], float)
    size = OF_WHOM**0.5
    features = np.c_[by_letters([letters(each) for each in texts]) * size, meanings.of(texts)]
    found, base = fitted(features, labels, HELD_OF_WHOM)
    found[: SIZES[0]] *= size
    rest = np.zeros(sum(SIZES[3:]))
    return ChangeWeights(*np.split(np.r_[found, base, rest], np.cumsum(SIZES)[:-1]))


def fit(meanings: Meanings, whose: ChangeWeights, pairs: Sequence[Pair]) -> ChangeWeights:
    signs = np.array([whose.signs_in(*meanings.pair(pair)) for pair in pairs])
    mean, scale = signs.mean(axis=0), signs.std(axis=0)
    new, old = (meanings.of([pair[key] for pair in pairs]) for key in ("new", "old"))
    added = by_letters([letters(pair["new"]) - letters(pair["old"]) for pair in pairs])
    sizes = np.repeat(np.sqrt([LETTERS, NEW, APART, 1]), [*SIZES[3:6], SIZES[6]])
    features = np.c_[added, new, new - old, (signs - mean) / scale] * sizes
    found, base = fitted(features, np.array([pair["replaces"] for pair in pairs], float), HELD)
    on_letters, on_new, apart, on_signs = np.split(found * sizes, np.cumsum(SIZES[3:6]))
    on_signs /= scale
    base -= on_signs @ mean
    return whose._replace(
        letters=on_letters, new=on_new + apart, old=-apart, signs=on_signs, base=np.array([base])
    )


def place_of(text: str) -> int:
    """Return a number by which a text is kept out or not, always the same."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def is_out(old: str) -> bool:
    """Return whether what was told first belongs to the fifth that is kept out."""
    return place_of(old) % 5 == 0


def measured(asked: Sequence[bool], right: Sequence[bool]) -> str:
    hits = sum(one and other for one, other in zip(asked, right, strict=True))
    return f"precision {hits / max(1, sum(asked)):.2f}, recall {hits / sum(right):.2f} of {sum(right)}"


def check(meanings: Meanings, weights: ChangeWeights, pairs: Sequence[Pair]) -> None:
    for lang in ("en", "es"):
        own = [pair for pair in pairs if pair["lang"] == lang]
        out, known = (
            [pair for pair in own if is_out(pair["old"])],
            list(dict.fromkeys(pair["old"] for pair in own)),
        )
        asked = [weights.chance(*meanings.pair(pair)) >= LIKELY for pair in out]
        print(f"{lang}: {len(out)} pairs kept out,", measured(asked, [pair["replaces"] for pair in out]))
        best = {pair["new"]: _best(meanings, weights, pair["new"], known) for pair in out}
        right = sum(pair["replaces"] and best[pair["new"]] == pair["old"] for pair in out)
        wanted, asked_of = sum(pair["replaces"] for pair in out), sum(map(bool, best.values()))
        print(f"{lang}, among {len(known)} memories: asked {asked_of} times, {right} of {wanted} found")


def _best(meanings: Meanings, weights: ChangeWeights, new: str, known: Sequence[str]) -> str:
    """Return which of many memories would be asked about, the nearest; nothing if that is not likely."""
    likeness = (meanings.of([new, *parts_of(new)]) @ meanings.of(known).T).max(axis=0)
    best = known[int(likeness.argmax())]
    return best if weights.chance(*meanings.pair({"new": new, "old": best})) >= LIKELY else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="keep a fifth out and measure on it")
    is_check = parser.parse_args().check
    meanings, pairs = Meanings(), read("changes.jsonl")
    used = [pair for pair in pairs if not (is_check and is_out(pair["old"]))]
    weights = fit(meanings, fit_whose(meanings), used)
    if is_check:
        check(meanings, weights, pairs)
    else:
        WEIGHTS.write_bytes(zlib.compress(np.concatenate(weights).astype("<f2").tobytes(), 9))


if __name__ == "__main__":
    main()
