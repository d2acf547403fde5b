"""`python -m benchmarks.fit_reader`: find the weights of `text/reader.py` on the sentences in `reader/`.

The same sentences make the same bytes. `--check` writes nothing: it keeps a fifth of the sentences out, by a
hash of each, fits the others, and prints how well that fifth is read.
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
from tests.language.more_orders import OFF_RECORD
from tests.language.order_texts import FORGET, NO_WISH, OFF, ON_RECORD, REMEMBER
from tests.text.everyday_texts import ENGLISH, SPANISH

from almario.adapters.embedders.local import LocalEmbedder
from almario.domain.turns import PREVIOUS
from almario.text.reader import DIMENSIONS, HEADS, LIKELY, PLACES, WEIGHTS, places
from almario.text.wishes import off_record_in

FOLDER = Path(__file__).parent
# How strongly weights are held down.
RIDGE = 0.3
# The chance from which on a text is taken for what a head looks for, with a vector and without.
LINES = {
    "confidence": (0.6, 0.6),
    "small_talk": (0.5, 0.3),
    "personal": (0.45, 0.35),
    "telling": (0.4, 0.25),
}
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
        if path.stem == "dialogues":
            continue
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            found.setdefault(row["text"], Row(row["text"], row["label"], path.stem))
    for text, label in [*_dialogues("harm"), *_dialogues("reader"), *_everyday(), *_orders()]:
        found.setdefault(text, Row(text, label, "dialogues"))
    return list(found.values())


def _dialogues(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the messages that say of themselves whether they are to be kept.

    What was only announced to be a confidence does not: by itself it is any message.
    """
    for line in (FOLDER / folder / "dialogues.jsonl").read_text("utf-8").splitlines():
        before = ""
        for turn in json.loads(line)["turns"]:
            label = turn["label"]
            if before == "announce" and label.startswith("confidence"):
                label = "off" if off_record_in(turn["text"]) else "none"
            if label != "takeback":
                yield turn["text"], "none" if label in ("keep", "confidence-next") else label
            before = turn["label"]


def _everyday() -> Iterator[tuple[str, str]]:
    for line in (FOLDER / "harm" / "everyday.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)["text"], "none"


def _orders() -> Iterator[tuple[str, str]]:
    """Yield what the tests of orders in words say; whether it announces something is not said there."""
    yield from ((text, "off" if sort else "none") for text, sort in OFF_RECORD.items() if sort != PREVIOUS)
    for label, texts in (("off", OFF), ("none", ON_RECORD), ("none", NO_WISH)):
        yield from ((text, label) for each in texts.values() for text in each)
    for rows in (REMEMBER, FORGET):
        yield from (
            (row if isinstance(row, str) else row[0], "none") for each in rows.values() for row in each
        )
    yield from ((text, "none") for text in (*ENGLISH, *SPANISH))


def label_of(head: str, row: Row) -> bool | None:
    """Say whether a sentence is what a head looks for; None if it says nothing about that."""
    is_off = row.label in ("confidence", "announce", "off")
    if head == "announcing":
        return row.label == "announce" if is_off and row.label != "off" else None
    if head == "confidence":
        return is_off if row.source not in ("sensitive", "coding") else None
    if head == "small_talk":
        return row.label == "small_talk" if row.source not in ("sensitive", "coding") else None
    if head == "sensitive":
        return row.label == "sensitive" if row.source == "sensitive" else None
    if row.label == "small_talk":
        return False
    return _OF_CODING[head].get(row.label) if row.source in ("coding", "personal") else None


# What is said to a coding agent: of the work, of one's life, about the code in sight alone, or about what
# else may matter to it.
_OF_CODING = {
    "personal": {"personal": True, "life": True, "none": False, "work": False, "at_hand": False},
    "telling": {"life": True, "work": True, "at_hand": False, "calling": False},
    "calling": {"calling": True, "life": True, "personal": True, "at_hand": False},
}


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


def fitted(kernel: Floats, labels: Floats) -> Floats:
    """Return how much each sentence counts in the weights of a logistic regression, by Newton's method."""
    own = kernel + 1.0
    told: Floats = np.zeros(len(labels))
    for _ in range(OFTEN):
        odds = np.clip(own @ told, -30, 30)
        chance = 1 / (1 + np.exp(-odds))
        bend = np.maximum(chance * (1 - chance), 1e-6)
        anew = np.linalg.solve(own + RIDGE * np.diag(1 / bend), odds + (labels - chance) / bend)
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


def fit(letters: Floats, meaning: Floats, labels: Floats, line: float) -> Head:
    """Fit one head, so that it is likely from the *line* on; *meaning* may be of no use, all zeros."""
    told = fitted((letters @ letters.T + meaning @ meaning.T).astype(np.float64), labels)
    return Head(letters.T @ told, meaning.T @ told, float(told.sum() - np.log(line / (1 - line))))


def report(head: str, odds: Floats, labels: Floats) -> str:
    """Say how many are found at the line, and how many false alarms it takes to find others."""
    found, alarms = (odds[labels == 1] >= 0).mean(), (odds[labels == 0] >= 0).mean()
    those, others = int(labels.sum()), int((1 - labels).sum())
    told = [f"{head:17} of {those:4} found {found:.1%}, of {others:4} not {alarms:.1%}"]
    for share in (0.8, 0.9, 0.95):
        line = np.quantile(odds[labels == 1], 1 - share)
        told.append(f"{share:.0%}: {(odds[labels == 0] >= line).mean():.1%}")
    return "  ".join(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    is_check = parser.parse_args().check
    every = rows()
    texts = [row.text for row in every]
    letters, meaning = matrix(texts), vectors(texts)
    out = np.array([is_out(text) for text in texts])
    table = np.zeros((PLACES + 1, 2 * len(HEADS)), np.float16)
    ahead = np.zeros((len(HEADS), DIMENSIONS), np.float16)
    for number, head in enumerate(HEADS):
        said = [label_of(head, row) for row in every]
        known = np.array([each is not None for each in said])
        labels = np.array([float(bool(each)) for each in said])
        lines = LINES.get(head, (LIKELY, LIKELY))
        for way, seen, line in zip(("", "/words"), (meaning, meaning * 0), lines, strict=True):
            part = known & ~out if is_check else known
            head_of = fit(letters[part], seen[part], labels[part], line)
            if is_check:
                kept = known & out
                print(report(head + way, head_of.odds(letters[kept], seen[kept]), labels[kept]), flush=True)
            table[:, number if way else number + len(HEADS)] = [*head_of.letters, head_of.base]
            if not way:
                ahead[number] = head_of.vector
    if not is_check:
        WEIGHTS.write_bytes(table.astype("<f2").tobytes() + ahead.astype("<f2").tobytes())


if __name__ == "__main__":
    main()
