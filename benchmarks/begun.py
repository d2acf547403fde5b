"""`python -m benchmarks.begun`: fit what past verbs say, `text/begun.py` and `text/times/ahead.py`.

Their rows are `begun.jsonl` and `ahead.jsonl`; the same rows make the same bytes. `--check` writes nothing:
it keeps a fifth of the rows out, by a hash of their text, fits the others, and prints how often that fifth is
judged rightly.
"""

import argparse
import os
from datetime import date
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np

from almario.memory.rules.dating import untimed
from almario.text.begun import BEGUN, LEAST
from almario.text.fitted import letters
from almario.text.times import ahead
from almario.text.times.grammar import grammar
from almario.text.times.wording import Wording
from benchmarks import fitting
from benchmarks.fitting import Found, Meanings, by_letters, is_out, read

# How strongly the weights are held down, and how much letters count beside a vector.
HELD, BESIDE = 0.1, 0.71
TODAY = date(2026, 11, 18)


def seen_in(text: str) -> frozenset[int]:
    """Return what the words around the first day of a text say."""
    words = Wording(text)
    found = [words.phrase(each) for each in grammar().finditer(words.signs)]
    day = next((each for each in found if each.reading in ("weekday", "day_month")), found[0])
    return ahead.signs(*words.beside(day, words.around(day)))


def fit(name: str, kind: str, found: Any, numbers: Any, *, is_check: bool) -> Found:
    """Return the weights for whether rows are of a *kind*; or print what they get right of a fifth."""
    rows = read(f"{name}.jsonl")
    labels = np.array([row[kind] for row in rows])
    out = np.array([is_check and is_out(row["text"]) for row in rows])
    loud = (BESIDE, 1.0) if numbers.size else (1.0, 1.0)
    least = LEAST if numbers.size else 0.0
    made = fitting.fit(found[~out], numbers[~out], [labels[~out]], held=HELD, loud=loud)
    heard = found @ made.table[:, 0] + numbers @ made.numbers[0] + made.bases[0] >= least
    for wanted in (True, False) if is_check else ():
        own = out & (labels == wanted)
        told = kind if wanted else f"not {kind}"
        print(f"{told}: {(heard[own] == wanted).sum()} of {own.sum()} kept out are right")
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="keep a fifth out and measure on it")
    is_check = parser.parse_args().check
    around = by_letters([seen_in(row["text"]) for row in read("ahead.jsonl")])
    days = fit("ahead", "ahead", around, np.zeros((len(around), 0)), is_check=is_check)
    texts = [untimed(row["text"], TODAY) for row in read("begun.jsonl")]
    spelled, meant = by_letters([letters(each) for each in texts]), Meanings().of(texts)
    changes = fit("begun", "begins", spelled, meant, is_check=is_check)
    if not is_check:
        for bank, found in ((ahead.AHEAD, days), (BEGUN, changes)):
            fitting.use(bank.file, found.written())
            fitting.write(bank.file)


if __name__ == "__main__":
    main()
