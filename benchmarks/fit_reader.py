"""`python -m benchmarks.fit_reader`: find the weights of `text/reader.py` on the sentences in `reader/`.

A fifth of the sentences, by a hash of each, is kept out first: how well they are read is printed. Then all
are fitted, and the weights written; the same sentences make the same bytes. `--check` writes nothing.
"""

import argparse
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
from numpy.typing import NDArray

from almario.adapters.embedders.local import LocalEmbedder
from almario.text.reader import DIMENSIONS, HEADS, PLACES, WEIGHTS, places

FOLDER = Path(__file__).parent
# How strongly weights are held down, and how much a vector counts beside letters and words.
RIDGE, MEANING = 0.3, 1.0
OFTEN = 12
Floats = NDArray[np.floating[Any]]


class Row(NamedTuple):
    """A sentence, what it is of its file's labels, and the file."""

    text: str
    label: str
    source: str


def rows() -> list[Row]:
    """Return all sentences, each once."""
    found: dict[str, Row] = {}
    for path in sorted((FOLDER / "reader").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            found.setdefault(row["text"], Row(row["text"], row["label"], path.stem))
    for text, label in [*_dialogues(FOLDER / "harm" / "dialogues.jsonl"), *_everyday()]:
        found.setdefault(text, Row(text, label, "dialogues" if label != "everyday" else label))
    return list(found.values())


def _dialogues(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the messages that say of themselves whether they are to be kept."""
    for line in path.read_text("utf-8").splitlines():
        before = ""
        for turn in json.loads(line)["turns"]:
            label = turn["label"]
            if label in ("keep", "announce") or (label == "confidence" and before != "announce"):
                yield turn["text"], "none" if label == "keep" else label
            before = label


def _everyday() -> Iterator[tuple[str, str]]:
    for line in (FOLDER / "harm" / "everyday.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)["text"], "everyday"


def label_of(head: str, row: Row) -> bool | None:
    """Say whether a sentence is what a head looks for; None if it says nothing about that."""
    is_off = row.label in ("confidence", "announce")
    if head == "announcing":
        return row.label == "announce" if is_off else None
    if head == "confidence":
        return is_off if row.source != "sensitive" else None
    if head == "small_talk":
        return row.label == "small_talk" if row.source != "sensitive" else None
    if head == "sensitive":
        return row.label == "sensitive" if row.source == "sensitive" else None
    if row.source == "personal":
        return row.label == "personal"
    return False if row.label == "small_talk" else None


def is_out(text: str) -> bool:
    """Say whether a sentence belongs to the fifth that is kept out."""
    return hashlib.sha256(text.encode()).digest()[0] % 5 == 0


def matrix(texts: Sequence[str]) -> Floats:
    """Return the letters and words of each text, as rows of one length."""
    found = np.zeros((len(texts), PLACES), np.float32)
    for row, text in zip(found, texts, strict=True):
        where = places(text)
        row[where] = 1 / np.sqrt(max(1, len(where)))
    return found


def vectors(texts: Sequence[str]) -> Floats:
    embedder = LocalEmbedder()
    return np.concatenate([embedder.embed(texts[start : start + 64]) for start in range(0, len(texts), 64)])


def fitted(kernel: Floats, labels: Floats, counts: Floats) -> Floats:
    """Return how much each sentence counts in the weights of a logistic regression, by Newton's method."""
    own = kernel + 1.0
    told: Floats = np.zeros(len(labels))
    for _ in range(OFTEN):
        odds = np.clip(own @ told, -30, 30)
        chance = 1 / (1 + np.exp(-odds))
        bend = np.maximum(counts * chance * (1 - chance), 1e-6)
        anew = np.linalg.solve(own + RIDGE * np.diag(1 / bend), odds + counts * (labels - chance) / bend)
        told, moved = anew, np.abs(anew - told).max()
        if moved < 1e-4:
            break
    return told


class Head(NamedTuple):
    """The weights of one head, for letters and words alone or beside a vector."""

    letters: Floats
    vector: Floats
    base: float

    def odds(self, letters: Floats, meaning: Floats) -> Floats:
        return letters @ self.letters + meaning @ self.vector + self.base


def fit(letters: Floats, meaning: Floats, labels: Floats) -> Head:
    """Fit one head; without a *meaning* its part of the weights is empty."""
    counts = np.ones(len(labels))
    told = fitted((letters @ letters.T + meaning @ meaning.T).astype(np.float64), labels, counts)
    return Head(letters.T @ told, meaning.T @ told, float(told.sum()))


def report(head: str, odds: Floats, labels: Floats) -> str:
    """Say how many false alarms it takes to find so many."""
    told = []
    for found in (0.8, 0.9, 0.95):
        line = np.quantile(odds[labels == 1], 1 - found)
        alarms = (odds[labels == 0] >= line).mean()
        told.append(f"{found:.0%} found: {alarms:.1%} ({1 / (1 + np.exp(-line)):.2f})")
    sure = (odds >= 0) == (labels == 1)
    return f"{head:11} {len(labels):4} right {sure.mean():.1%}  false alarms at " + ", ".join(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    only_check = parser.parse_args().check
    every = rows()
    texts = [row.text for row in every]
    letters, meaning = matrix(texts), np.float32(MEANING) * vectors(texts)
    out = np.array([is_out(text) for text in texts])
    table = np.zeros((PLACES + 1, 2 * len(HEADS)), np.float16)
    ahead = np.zeros((len(HEADS), DIMENSIONS), np.float16)
    for number, head in enumerate(HEADS):
        said = [label_of(head, row) for row in every]
        known = np.array([each is not None for each in said])
        labels = np.array([float(bool(each)) for each in said])
        for column, seen in ((number, meaning * 0), (number + len(HEADS), meaning)):
            part = known & ~out
            tried = fit(letters[part], seen[part], labels[part])
            kept = known & out
            name = f"{head}{'' if seen.any() else '/words'}"
            print(report(name, tried.odds(letters[kept], seen[kept]), labels[kept]), flush=True)
            whole = tried if only_check else fit(letters[known], seen[known], labels[known])
            table[:, column] = [*whole.letters, whole.base]
            if seen.any():
                ahead[number] = MEANING * whole.vector
    if not only_check:
        WEIGHTS.write_bytes(table.astype("<f2").tobytes() + ahead.astype("<f2").tobytes())


if __name__ == "__main__":
    main()
