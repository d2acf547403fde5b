"""`python -m benchmarks.fit_reader`: find the weights of `text/reader.py` on the sentences in `reader/`.

Orders are worded in many ways, so the phrases of `phrases.toml` are put together with facts and things. The
same sentences make the same bytes. `--check` writes nothing: it keeps a fifth of the sentences out, by a
hash of each, fits the others, and prints how well that fifth is read.
"""

import argparse
import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
from numpy.typing import NDArray

from almario.adapters.embedders.local import LocalEmbedder
from almario.text.reader import DIMENSIONS, HEADS, LIKELY, PLACES, WEIGHTS, places
from almario.text.wishes import off_record_in, wish_in
from tests.text.everyday_texts import ENGLISH, SPANISH

FOLDER = Path(__file__).parent
# How strongly weights are held down.
RIDGE = 0.3
# The chance from which on a text is taken for what a head looks for, with a vector and without.
LINES = {
    "confidence": (0.6, 0.6),
    "small_talk": (0.5, 0.3),
    "personal": (0.45, 0.35),
    "telling": (0.4, 0.25),
    # Without a vector nothing is remembered by a guess.
    "remember": (0.6, 0.95),
    "forget": (0.35, 0.5),
}
# So many steps are taken, each with so many of its own, until nothing moves by as much as that.
STEPS, INNER, MOVED = 8, 40, 1e-3
# Each phrase is put together with so many facts.
FACTS = 2
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
    for text, label in _phrases():
        found.setdefault(text, Row(text, label, "phrases"))
    for text, label in [*_dialogues("harm"), *_dialogues("reader"), *_everyday()]:
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
    yield from ((text, "none") for text in (*ENGLISH, *SPANISH))


def _phrases() -> Iterator[tuple[str, str]]:
    """Yield how orders are worded, each with several facts, every other one with a capital."""
    tables = tomllib.loads((FOLDER / "reader" / "phrases.toml").read_text("utf-8"))
    for table in tables.values():
        among = {"…": table["facts"], "~": table["things"]}
        for label in ("remember", "forget", "confidence", "none"):
            for phrase in table[label]:
                for number in range(FACTS):
                    text = phrase
                    for sign, things in among.items():
                        place = hashlib.sha256(f"{phrase}{number}{sign}".encode()).digest()
                        text = text.replace(sign, things[int.from_bytes(place[:4], "big") % len(things)])
                    yield (text[:1].upper() + text[1:] if number % 2 else text), label


def label_of(head: str, row: Row) -> bool | None:
    """Say whether a sentence is what a head looks for; None if it says nothing about that."""
    is_off, is_told = row.label in _OFF, row.source not in ("sensitive", "coding")
    known: dict[str, bool | None] = {
        "announcing": row.label == "announce" if is_off and row.label != "off" else None,
        "confidence": is_off if is_told and row.label != "previous" else None,
        "small_talk": row.label == "small_talk" if is_told else None,
        "sensitive": row.label == "sensitive" if row.source == "sensitive" else None,
    }
    if head in known:
        return known[head]
    if head in _OF_CODING:
        labels = _OF_CODING[head] if row.source in ("coding", "personal") else {}
        return ({"small_talk": False} | labels).get(row.label)
    if row.label == "previous" and head == "forget":
        return None
    # In talk that was labelled for other heads, only sure orders are known as such.
    is_other = row.source in ("coding", "personal") or (row.source == "dialogues" and row.label == "none")
    wish = wish_in(row.text) if is_other else None
    return head == (wish.verb if wish else row.label)


_OFF = ("confidence", "announce", "off")
# What is said to a coding agent: of the work, of one's life, about the code in sight alone, or about what
# else may matter to it.
_OF_CODING: dict[str, dict[str, bool]] = {
    "personal": {"personal": True, "life": True, "none": False, "work": False, "at_hand": False},
    "telling": {"life": True, "work": True, "at_hand": False, "calling": False},
    "calling": {"calling": True, "life": True, "personal": True, "at_hand": False},
}


def is_out(text: str) -> bool:
    """Say whether a sentence belongs to the fifth that is kept out."""
    return hashlib.sha256(text.encode()).digest()[0] % 5 == 0


class Letters:
    """The letters and words of some texts: a matrix that is nearly empty."""

    def __init__(self, texts: Sequence[str]) -> None:
        found = [places(text) for text in texts]
        sizes = np.array([len(each) for each in found])
        self.length = len(found)
        self.places = np.concatenate([np.array(each, np.int64) for each in found])
        self.rows = np.repeat(np.arange(self.length), sizes)
        self.values = (1 / np.sqrt(np.maximum(1, sizes)))[self.rows]

    def of(self, weights: Floats) -> Floats:
        """Return what each text adds up to."""
        found: Any = np.bincount(self.rows, weights[self.places] * self.values, self.length)
        return np.asarray(found, np.float64)

    def back(self, told: Floats) -> Floats:
        """Return the weights that the texts make, by how much each of them counts."""
        found: Any = np.bincount(self.places, told[self.rows] * self.values, PLACES)
        return np.asarray(found, np.float64)


def vectors(texts: Sequence[str]) -> Floats:
    embedder = LocalEmbedder()
    return np.concatenate([embedder.embed(texts[start : start + 64]) for start in range(0, len(texts), 64)])


def fitted(letters: Letters, meaning: Floats, labels: Floats) -> Floats:
    """Return how much each sentence counts in a logistic regression: Newton, by conjugate gradients."""

    def alike(told: Floats) -> Floats:
        found: Floats = letters.of(letters.back(told)) + meaning @ (meaning.T @ told) + told.sum()
        return found

    told: Floats = np.zeros(len(labels))
    for _ in range(STEPS):
        odds = np.clip(alike(told), -30, 30)
        chance = 1 / (1 + np.exp(-odds))
        bend = np.maximum(chance * (1 - chance), 1e-6)
        root = np.sqrt(bend)
        step = told / root
        left = root * (odds + (labels - chance) / bend) - root * alike(root * step) - RIDGE * step
        way, size = left.copy(), left @ left
        for _ in range(INNER):
            if size < 1e-8 * len(labels):
                break
            along = root * alike(root * way) + RIDGE * way
            far = size / (way @ along)
            step, left = step + far * way, left - far * along
            way, size = left + (left @ left / size) * way, left @ left
        told, moved = root * step, np.abs(root * step - told).max()
        if moved < MOVED:
            break
    return told


class Head(NamedTuple):
    """The weights of one head, for letters and words alone or beside a vector."""

    letters: Floats
    vector: Floats
    base: float

    def odds(self, letters: Letters, meaning: Floats) -> Floats:
        found: Floats = letters.of(self.letters) + meaning @ self.vector + self.base
        return found


def fit(letters: Letters, meaning: Floats, labels: Floats, line: float) -> Head:
    """Fit one head, so that it is likely from the *line* on; *meaning* may be of no use, all zeros."""
    told = fitted(letters, meaning, labels)
    return Head(letters.back(told), meaning.T @ told, float(told.sum() - np.log(line / (1 - line))))


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
    meaning = vectors(texts).astype(np.float64)
    out = np.array([is_out(text) for text in texts])
    table, bases = np.zeros((PLACES, 2 * len(HEADS))), np.zeros(2 * len(HEADS))
    ahead = np.zeros((len(HEADS), DIMENSIONS), np.float16)
    for number, head in enumerate(HEADS):
        said = [label_of(head, row) for row in every]
        known = np.array([each is not None for each in said])
        labels = np.array([float(bool(each)) for each in said])
        lines = LINES.get(head, (LIKELY, LIKELY))
        for way, seen, line in zip(("", "/words"), (meaning, meaning * 0), lines, strict=True):
            part = known & ~out if is_check else known
            letters = Letters([text for text, is_in in zip(texts, part, strict=True) if is_in])
            head_of = fit(letters, seen[part], labels[part], line)
            if is_check:
                kept = known & out
                letters = Letters([text for text, is_in in zip(texts, kept, strict=True) if is_in])
                print(report(head + way, head_of.odds(letters, seen[kept]), labels[kept]), flush=True)
            column = number if way else number + len(HEADS)
            table[:, column], bases[column] = head_of.letters, head_of.base
            if not way:
                ahead[number] = head_of.vector
    if not is_check:
        worth = np.abs(table).max(axis=0) / 127
        heads = np.concatenate([worth, bases]).astype("<f4")
        small = np.rint(table / worth).astype("i1")
        WEIGHTS.write_bytes(heads.tobytes() + small.tobytes() + ahead.astype("<f2").tobytes())


if __name__ == "__main__":
    main()
