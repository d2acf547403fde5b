"""`python -m benchmarks.changes`: find the weights of `text/outdated.py` on `aspects` and `changes.jsonl`.

The same rows make the same bytes. `--check` writes nothing: it keeps a fifth of the pairs out, by a hash of
what was told first, fits the others, and prints how often that fifth is judged rightly: alone, and where one
of many memories is to be found.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np

from almario.text.fitted import DIMENSIONS, letters
from almario.text.outdated import LIKELY, WEIGHTS, numbers_of, replaces
from almario.text.reader import parts_of
from benchmarks import fitting
from benchmarks.fitting import Meanings, by_letters, is_out, measured, read

# How strongly weights are held down, and how much letters, vectors and signs count: for whom a text is about,
# and for what changed.
HELD_OF_WHOM, OF_WHOM = 0.3, (1.4, 1.0)
HELD, LOUD = 1.0, (4.0, *(2.8,) * DIMENSIONS, *(2.0,) * DIMENSIONS, 6.0, 2.5, 3.0)

Pair = Mapping[str, Any]


def seen_in(meanings: Meanings, pair: Pair) -> tuple[str, str, Any, Any]:
    """Return both texts, the vectors of the new one and of its clauses, and that of the old."""
    new, old = pair["new"], pair["old"]
    return new, old, meanings.of([new, *parts_of(new)]), meanings.of([old])[0]


def fit(meanings: Meanings, pairs: Sequence[Pair]) -> None:
    """Fit whom a text is about, and then, as that is a sign of it, what takes the place of what."""
    rows = read("aspects.jsonl")
    texts, others = [row["text"] for row in rows], [row["whose"] == "other" for row in rows]
    spelled = by_letters([letters(each) for each in texts])
    whose = fitting.fit(spelled, meanings.of(texts), [others], held=HELD_OF_WHOM, loud=OF_WHOM).written()
    fitting.use(WEIGHTS, whose)
    numbers = np.array([numbers_of(*seen_in(meanings, pair)) for pair in pairs])
    added = by_letters([letters(pair["new"]) - letters(pair["old"]) for pair in pairs])
    change = fitting.fit(added, numbers, [[pair["replaces"] for pair in pairs]], held=HELD, loud=LOUD)
    fitting.use(WEIGHTS, whose, change.written())


def check(meanings: Meanings, pairs: Sequence[Pair]) -> None:
    for lang in ("en", "es"):
        own = [pair for pair in pairs if pair["lang"] == lang]
        out, known = (
            [pair for pair in own if is_out(pair["old"])],
            list(dict.fromkeys(pair["old"] for pair in own)),
        )
        asked = [replaces(*seen_in(meanings, pair)) >= LIKELY for pair in out]
        print(f"{lang}: {len(out)} pairs kept out,", measured(asked, [pair["replaces"] for pair in out]))
        best = {pair["new"]: _best(meanings, pair["new"], known) for pair in out}
        right = sum(pair["replaces"] and best[pair["new"]] == pair["old"] for pair in out)
        wanted, asked_of = sum(pair["replaces"] for pair in out), sum(map(bool, best.values()))
        print(f"{lang}, among {len(known)} memories: asked {asked_of} times, {right} of {wanted} found")


def _best(meanings: Meanings, new: str, known: Sequence[str]) -> str:
    """Return which of many memories would be asked about, the nearest; nothing if that is not likely."""
    likeness = (meanings.of([new, *parts_of(new)]) @ meanings.of(known).T).max(axis=0)
    best = known[int(likeness.argmax())]
    return best if replaces(*seen_in(meanings, {"new": new, "old": best})) >= LIKELY else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="keep a fifth out and measure on it")
    is_check = parser.parse_args().check
    meanings, pairs = Meanings(), read("changes.jsonl")
    used = [pair for pair in pairs if not (is_check and is_out(pair["old"]))]
    fit(meanings, used)
    if is_check:
        check(meanings, pairs)
    else:
        fitting.write(WEIGHTS)


if __name__ == "__main__":
    main()
