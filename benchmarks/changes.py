"""Fit the weights of `text/outdated.py` to pairs of what was told before and later, and measure them.

`python -m benchmarks.changes` prints the weights that fit best, without a fifth of the pairs, and how often
the weights in use are right on that fifth: alone, and where one of many memories is to be found.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from almario.adapters.embedders.local import LocalEmbedder
from almario.text.outdated import LIKELY, WORDINGS, chance, signs
from almario.text.reader import parts_of

PAIRS = Path(__file__).with_name("changes.jsonl")
RIDGE, STEPS, NEAREST = 1.0, 30, 3


class Meanings:
    """Unit vectors of texts, each made once."""

    def __init__(self) -> None:
        self._embedder, self._known = LocalEmbedder(), dict[str, Any]()

    def of(self, texts: Sequence[str]) -> Any:
        lacking = [each for each in dict.fromkeys(texts) if each not in self._known]
        if lacking:
            rows = np.asarray(self._embedder.embed(lacking), np.float64)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            self._known |= dict(zip(lacking, rows, strict=True))
        return np.stack([self._known[each] for each in texts])

    def signs(self, new: str, old: str) -> tuple[float, ...]:
        vectors = self.of([new, *parts_of(new)])
        near = [
            {name: np.sort(self.of(group) @ each)[-NEAREST:].mean() for name, group in WORDINGS.items()}
            for each in vectors
        ]
        return signs(new, old, (vectors @ self.of([old])[0]).tolist(), near)


def is_out(pair: Mapping[str, Any]) -> bool:
    """Return whether a pair belongs to the fifth that is kept out."""
    return hashlib.sha256((pair["old"] + pair["new"]).encode()).digest()[0] % 5 == 0


def fitted(rows: Any, labels: Any) -> Any:
    """Return the weights of a logistic regression on scaled signs, for signs as they are."""
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scaled = np.c_[(rows - mean) / scale, np.ones(len(rows))]
    ridge, weights = RIDGE * np.diag([*np.ones(rows.shape[1]), 0.0]), np.zeros(rows.shape[1] + 1)
    for _ in range(STEPS):
        found = 1 / (1 + np.exp(-scaled @ weights))
        bend = (scaled * (found * (1 - found))[:, None]).T @ scaled + ridge
        weights -= np.linalg.solve(bend, scaled.T @ (found - labels) + ridge @ weights)
    return [*(weights[:-1] / scale), weights[-1] - (weights[:-1] * mean / scale).sum()]


def measured(asked: Sequence[bool], right: Sequence[bool]) -> str:
    hits = sum(one and other for one, other in zip(asked, right, strict=True))
    return f"precision {hits / max(1, sum(asked)):.2f}, recall {hits / sum(right):.2f} of {sum(right)}"


def main() -> None:
    meanings, pairs = Meanings(), [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    rows = np.array([meanings.signs(pair["new"], pair["old"]) for pair in pairs])
    labels, out = np.array([pair["replaces"] for pair in pairs], float), np.array(list(map(is_out, pairs)))
    print("weights:", np.round(fitted(rows[~out], labels[~out]), 2).tolist())
    for name, some in (("fitted to", ~out), ("kept out", out)):
        for lang in ("en", "es"):
            chosen = some & np.array([pair["lang"] == lang for pair in pairs])
            asked = [chance(row) >= LIKELY for row in rows[chosen]]
            print(f"{name}, {lang}: {chosen.sum()} pairs,", measured(asked, labels[chosen] > 0))
    for lang in ("en", "es"):
        known = list(dict.fromkeys(pair["old"] for pair in pairs if pair["lang"] == lang))
        kept_out = [pair for pair in pairs if pair["lang"] == lang and is_out(pair)]
        best = {pair["new"]: _best(meanings, pair["new"], known) for pair in kept_out}
        right = [pair for pair in kept_out if pair["replaces"] and best[pair["new"]] == pair["old"]]
        wanted, asked_of = sum(pair["replaces"] for pair in kept_out), sum(map(bool, best.values()))
        print(f"{lang}, among {len(known)} memories: asked {asked_of} times, {len(right)} of {wanted} found")


def _best(meanings: Meanings, new: str, known: Sequence[str]) -> str:
    """Return which of many memories would be asked about; nothing if none."""
    chances = {old: chance(meanings.signs(new, old)) for old in known}
    best = max(chances, key=chances.__getitem__)
    return best if chances[best] >= LIKELY else ""


if __name__ == "__main__":
    main()
