"""`python -m benchmarks.begun`: find the weights of `text/begun.py` on `begun.jsonl`.

The same rows make the same bytes. `--check` writes nothing: it keeps a fifth of the rows out, by a hash of
their text, fits the others, and prints how often that fifth is judged rightly.
"""

import argparse
from datetime import date

import numpy as np

from almario.memory.rules.dating import untimed
from almario.text.begun import LEAST, WEIGHTS
from almario.text.outdated import letters
from benchmarks.changes import Meanings, by_letters, fitted, place_of, read

# How much letters count beside a vector, and how strongly the weights are held down.
OF_LETTERS, HELD = 0.5, 0.1
TODAY = date(2026, 11, 18)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="keep a fifth out and measure on it")
    is_check = parser.parse_args().check
    rows = read("begun.jsonl")
    texts = [untimed(row["text"], TODAY) for row in rows]
    spelled = by_letters([letters(each) for each in texts])
    features = np.c_[spelled * OF_LETTERS**0.5, Meanings().of(texts)]
    begun = np.array([row["begins"] for row in rows])
    is_out = np.array([is_check and place_of(row["text"]) % 5 == 0 for row in rows])
    weights, base = fitted(features[~is_out], begun[~is_out].astype(float), HELD)
    if not is_check:
        weights[: spelled.shape[1]] *= OF_LETTERS**0.5
        WEIGHTS.write_bytes(np.r_[weights, base].astype("<f2").tobytes())
        return
    found = features @ weights + base >= LEAST
    for name, wanted in (("begins", True), ("happened", False)):
        own = is_out & (begun == wanted)
        print(f"{name}: {(found[own] == wanted).sum()} of {own.sum()} kept out are right")


if __name__ == "__main__":
    main()
