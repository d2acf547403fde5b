"""`python -m benchmarks.corrections`: find the weights of `text/corrections.py` on `corrections.jsonl`.

What of `changes.jsonl` changes nothing stands beside, too, and so do facts of `aspects.jsonl`. The same rows
make the same bytes. `--check` writes nothing: it keeps a fifth out, by a hash of what was told first, fits
the others, and prints how often that fifth is heard rightly, and how often what it becomes is right; rows
`by` us are not counted.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np

from almario.text.corrections import (
    BACK,
    CLEAR,
    CORRECTS,
    OF_WORDS,
    WEIGHTS,
    kind_of,
    likeliest,
    numbers_of,
    put_right,
    replacements,
)
from almario.text.fitted import DIMENSIONS, letters
from benchmarks import fitting
from benchmarks.fitting import Found, Meanings, by_letters, is_out, measured, place_of, read

# How strongly the weights of words and of kinds are held down; how many steps find those of words, of which
# length.
HELD_WORDS, HELD, STEPS, RATE = 0.003, 1.0, 200, 0.1
# How much letters, both vectors and signs count for a kind.
LETTERS, VECTORS, SIGN = 4.0, (*(3.0,) * DIMENSIONS, *(2.0,) * DIMENSIONS), 1.0
# Of the pairs that stand beside and were not said one after the other, one in so many is used.
FEWER = 3

Row = Mapping[str, Any]


def fit_words(rows: Sequence[Row]) -> Found:
    """Fit which words give way to which: all replacements that make the right text share the credit."""
    known = []
    for row in rows:
        texts, signs = replacements(row["before"], row["new"])
        is_right = np.array([plain(each) == plain(row["after"]) for each in texts])
        known += [(signs, is_right)] if is_right.any() else []
    weights, mean, square = np.zeros((3, OF_WORDS))
    for step in range(1, STEPS + 1):
        slope = -HELD_WORDS * weights
        for signs, is_right in known:
            odds = signs @ weights
            more = np.zeros(len(odds))
            more[is_right] = chances(odds[is_right])
            slope += (more - chances(odds)) @ signs / len(known)
        # Adam: each weight moves by how steady its slope is.
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights += RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return Found(np.zeros((0, 1)), np.zeros(1), weights[None])


def fit_kinds(meanings: Meanings, rows: Sequence[Row]) -> list[Found]:
    """Fit the two kinds, with vectors and without; how clear a replacement is counts, so words come first."""
    spelled = by_letters([letters(row["new"]) for row in rows])
    labels = [[row["kind"] == kind for row in rows] for kind in (CORRECTS, BACK)]
    found = []
    for vectors in (VECTORS, ()):
        numbers = np.array([_seen_in(meanings, row, is_blind=not vectors) for row in rows])
        signs = (SIGN,) * (numbers.shape[1] - len(vectors))
        found.append(fitting.fit(spelled, numbers, labels, held=HELD, loud=(LETTERS, *vectors, *signs)))
    return found


def _seen_in(meanings: Meanings, row: Row, *, is_blind: bool) -> Any:
    before, new = row["before"], row["new"]
    vectors = () if is_blind else meanings.of([before, new])
    return numbers_of(before, new, *vectors, chance=likeliest(before, new).chance)


def chances(odds: Any) -> Any:
    found = np.exp(odds - odds.max())
    return found / found.sum()


def plain(text: str) -> str:
    return " ".join(text.casefold().split())


def check(meanings: Meanings, rows: Sequence[Row]) -> None:
    for lang in ("en", "es"):
        out = [row for row in rows if row["lang"] == lang]
        vectors = [meanings.of([row["before"], row["new"]]) for row in out]
        found = [kind_of(row["before"], row["new"], *two) for row, two in zip(out, vectors, strict=True)]
        for kind in (CORRECTS, BACK):
            heard, right = [each == kind for each in found], [row["kind"] == kind for row in out]
            print(f"{lang}, {len(out)} kept out, {kind}:", measured(heard, right))
        fixed = [(row, put_right(row["before"], row["new"])) for row in out if row["kind"] == CORRECTS]
        clear = [(row, each) for row, each in fixed if each.chance >= CLEAR]
        good = sum(plain(each.text) == plain(row["after"]) for row, each in clear)
        print(f"{lang}: {len(clear)} of {len(fixed)} are clear, and {good} of these right")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="keep a fifth out and measure on it")
    is_check = parser.parse_args().check
    told, meanings = read("corrections.jsonl"), Meanings()
    beside = [
        {"before": pair["old"], "new": pair["new"], "kind": "beside"}
        for pair in read("changes.jsonl")
        if not pair["replaces"] and place_of(pair["new"]) % FEWER == 0
    ]
    facts = {
        lang: [
            each["text"] for each in read("aspects.jsonl") if (each["lang"], each["kind"]) == (lang, "fact")
        ]
        for lang in ("en", "es")
    }
    # Whatever else is told next stands beside, too.
    for row in told[::FEWER]:
        some = facts[row["lang"]]
        beside += [{**row, "new": some[place_of(row["before"]) % len(some)], "kind": "beside"}]
    used = [row for row in (*told, *beside) if not (is_check and is_out(row["before"]))]
    words = fit_words([row for row in used if row["kind"] == CORRECTS]).written()
    fitting.use(WEIGHTS, words)
    likeliest.cache_clear()
    fitting.use(WEIGHTS, words, *(each.written() for each in fit_kinds(meanings, used)))
    if is_check:
        check(meanings, [row for row in told if is_out(row["before"]) and "by" not in row])
    else:
        fitting.write(WEIGHTS)


if __name__ == "__main__":
    main()
