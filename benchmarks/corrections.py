"""`python -m benchmarks.corrections`: find the weights of `text/corrections.py` on `corrections.jsonl`.

What of `changes.jsonl` changes nothing stands beside, too, and so do facts of `aspects.jsonl`. The same rows
make the same bytes. `--check` writes nothing: it keeps a fifth out, by a hash of what was told first, fits
the others, and prints how often that fifth is heard rightly, and how often what it becomes is right; rows
`by` us are not counted.
"""

import argparse
import os
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np

from almario.text import corrections
from almario.text.corrections import (
    BACK,
    CLEAR,
    CORRECTS,
    OF_WORDS,
    WEIGHTS,
    kind_of,
    likeliest,
    put_right,
    replacements,
)
from benchmarks.changes import Meanings, fitted, is_out, measured, place_of, read

# How strongly the weights of words and of kinds are held down; how many steps find those of words, of which
# length.
HELD_WORDS, HELD, STEPS, RATE = 0.003, 1.0, 200, 0.1
# Of the pairs that stand beside and were not said one after the other, one in so many is used.
FEWER = 3

Row = Mapping[str, Any]


def fit_words(rows: Sequence[Row]) -> Any:
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
    return weights


def fit_kinds(meanings: Meanings, rows: Sequence[Row]) -> list[Any]:
    """Fit the two kinds, with vectors and without; how clear a replacement is counts, so words come first."""
    found = []
    for sight in (1, 0):
        every = []
        for row in rows:
            before, vector = meanings.of([row["before"], row["new"]]) * sight
            chance = likeliest(row["before"], row["new"]).chance
            every.append(corrections.features(row["before"], row["new"], before, vector, chance))
        for kind in (CORRECTS, BACK):
            labels = np.array([row["kind"] == kind for row in rows], float)
            weights, base = fitted(np.array(every), labels, HELD)
            weights[-1] += base
            found.append(weights)
    return found


def chances(odds: Any) -> Any:
    found = np.exp(odds - odds.max())
    return found / found.sum()


def plain(text: str) -> str:
    return " ".join(text.casefold().split())


def use(weights: Any) -> None:
    """Let what reads corrections have these weights, as they would be read."""
    likeliest.cache_clear()
    stored = weights.astype("<f2").astype(np.float64)
    vars(corrections)["_weights"] = lambda: stored


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
    words = fit_words([row for row in used if row["kind"] == CORRECTS])
    use(words)
    weights = np.concatenate([words, *fit_kinds(meanings, used)])
    use(weights)
    if is_check:
        check(meanings, [row for row in told if is_out(row["before"]) and "by" not in row])
    else:
        WEIGHTS.write_bytes(zlib.compress(weights.astype("<f2").tobytes(), 9))


if __name__ == "__main__":
    main()
