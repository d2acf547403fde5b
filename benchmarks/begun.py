"""`python -m benchmarks.begun`: fit what past verbs say, `text/begun.py` and `text/times/ahead.py`.

Their rows are `begun.jsonl` and `ahead.jsonl`; the same rows make the same bytes. `--check` writes nothing:
it keeps a fifth of the rows out, by a hash of their text, fits the others, and prints how often that fifth is
judged rightly.
"""

import argparse
from datetime import date
from typing import Any

import numpy as np

from almario.memory.rules.dating import untimed
from almario.text import begun
from almario.text.outdated import letters
from almario.text.times import ahead
from almario.text.times.grammar import grammar
from almario.text.times.wording import Wording
from benchmarks.changes import Meanings, by_letters, fitted, place_of, read

# How much letters count beside a vector, and how strongly the weights are held down.
OF_LETTERS, HELD = 0.5, 0.1
TODAY = date(2026, 11, 18)


def seen_in(text: str) -> frozenset[int]:
    """Return what the words around the first day of a text say."""
    words = Wording(text)
    found = [words.phrase(each) for each in grammar().finditer(words.signs)]
    day = next((each for each in found if each.reading in ("weekday", "day_month")), found[0])
    return ahead.signs(*words.beside(day, words.around(day)))


def fit(name: str, kinds: tuple[str, str], features: Any, least: float, *, is_check: bool) -> Any:
    """Return the weights for which of two kinds rows are of; or print what they get right of a fifth."""
    rows = read(f"{name}.jsonl")
    labels = np.array([row[kinds[0]] for row in rows])
    is_out = np.array([is_check and place_of(row["text"]) % 5 == 0 for row in rows])
    weights, base = fitted(features[~is_out], labels[~is_out].astype(float), HELD)
    found = features @ weights + base >= least
    for kind, wanted in zip(kinds, (True, False), strict=True) if is_check else ():
        own = is_out & (labels == wanted)
        print(f"{kind}: {(found[own] == wanted).sum()} of {own.sum()} kept out are right")
    return np.r_[weights, base]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="keep a fifth out and measure on it")
    is_check = parser.parse_args().check
    around = by_letters([seen_in(row["text"]) for row in read("ahead.jsonl")])
    days = fit("ahead", ("ahead", "past"), around, 0, is_check=is_check)
    texts = [untimed(row["text"], TODAY) for row in read("begun.jsonl")]
    spelled = by_letters([letters(each) for each in texts]) * OF_LETTERS**0.5
    features = np.c_[spelled, Meanings().of(texts)]
    changes = fit("begun", ("begins", "happened"), features, begun.LEAST, is_check=is_check)
    if not is_check:
        changes[: spelled.shape[1]] *= OF_LETTERS**0.5
        ahead.WEIGHTS.write_bytes(days.astype("<f2").tobytes())
        begun.WEIGHTS.write_bytes(changes.astype("<f2").tobytes())


if __name__ == "__main__":
    main()
