"""`python -m benchmarks.fit_answers`: find the weights of `memory/rules/answers.py` on `aspects.jsonl`.

Its lines are facts about somebody's life, and questions that ask for such facts in other words; each has its
aspect. A linear regression says which aspect a question asks about, and the middle of the facts of each is
where it is moved. The same lines make the same bytes. `--check` writes nothing: it keeps a fifth of the lines
out, by a hash of each, and prints how often the nearest of those facts is of the aspect that a question of
them asks about, and how high the best of that aspect stands (the mean of 1 by its place), with the weights
and without.
"""

import argparse
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
from numpy.typing import NDArray

from almario.adapters.embedders.local import LocalEmbedder
from almario.memory.rules.answers import WEIGHTS

LINES = Path(__file__).with_name("aspects.jsonl")
# What holds the regression down, and how far questions are moved; and one line of so many can be kept out.
RIDGE, FAR = 1.0, 4.0
FIFTHS, AT_ONCE = 5, 64

Floats = NDArray[np.floating[Any]]


class Rows(NamedTuple):
    """Facts and questions of aspects: vectors, and the aspect of each as a number."""

    texts: Sequence[str]
    vectors: Floats
    aspects: NDArray[np.int64]
    languages: NDArray[np.str_]
    asks: NDArray[np.bool_]

    def of(self, wanted: NDArray[np.bool_]) -> "Rows":
        texts = [text for text, is_wanted in zip(self.texts, wanted, strict=True) if is_wanted]
        of_texts = self.vectors[wanted], self.aspects[wanted], self.languages[wanted], self.asks[wanted]
        return Rows(texts, *of_texts)


def rows() -> Rows:
    """Return all lines, with vectors of length 1."""
    lines = [json.loads(line) for line in LINES.read_text("utf-8").splitlines()]
    texts = [line["text"] for line in lines]
    aspects = sorted({line["aspect"] for line in lines})
    return Rows(
        texts,
        np.stack([*meanings(texts)]),
        np.array([aspects.index(line["aspect"]) for line in lines]),
        np.array([line["lang"] for line in lines]),
        np.array([line["kind"] == "question" for line in lines]),
    )


def meanings(texts: Sequence[str]) -> Iterator[Floats]:
    """Yield the vectors of texts."""
    embedder = LocalEmbedder()
    for start in range(0, len(texts), AT_ONCE):
        made = np.asarray(embedder.embed(texts[start : start + AT_ONCE]), np.float64)
        yield from made / np.linalg.norm(made, axis=1, keepdims=True)


def is_out(text: str) -> bool:
    """Return whether a text belongs to the fifth that is kept out."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % FIFTHS == 0


def fit(known: Rows) -> Floats:
    """Return rows: what questions have in common, what tells their aspects, where facts of each lie."""
    questions, facts = known.of(known.asks), known.of(~known.asks)
    common = questions.vectors.mean(axis=0)
    own = questions.vectors - common
    of_aspect = np.eye(known.aspects.max() + 1)[questions.aspects]
    held = own.T @ own + RIDGE * np.eye(own.shape[1])
    asking = np.linalg.solve(held, own.T @ (of_aspect - of_aspect.mean(axis=0))).T
    middles = [facts.vectors[facts.aspects == aspect].mean(axis=0) for aspect in range(len(asking))]
    lying = FAR * (np.stack(middles) - facts.vectors.mean(axis=0))
    return np.vstack([common, asking, lying])


def check(known: Rows, move: Callable[[Floats], Floats]) -> str:
    """Say how near questions are to facts of their aspect, by language."""
    found = []
    for language in sorted(set(known.languages)):
        some = known.of(known.languages == language)
        questions, facts = some.of(some.asks), some.of(~some.asks)
        near = move(questions.vectors) @ facts.vectors.T
        is_same = questions.aspects[:, None] == facts.aspects
        near, is_same = near[is_same.any(axis=1)], is_same[is_same.any(axis=1)]
        best = np.where(is_same, near, -np.inf).max(axis=1)
        places = 1 + (near > best[:, None]).sum(axis=1)
        found.append(f"{language}: nearest {np.mean(places == 1):.3f}, place {np.mean(1 / places):.3f}")
    return "; ".join(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, and measure a fifth")
    chosen = parser.parse_args()
    known = rows()
    if not chosen.check:
        WEIGHTS.write_bytes(zlib.compress(fit(known).astype("<f2").tobytes(), 9))
        return
    out = np.array(list(map(is_out, known.texts)))
    common, *weights = fit(known.of(~out))
    asking, lying = np.split(np.array(weights), 2)
    print("without", check(known.of(out), lambda vectors: vectors))
    print("with", check(known.of(out), lambda each: (each - common) + (each - common) @ asking.T @ lying))


if __name__ == "__main__":
    main()
