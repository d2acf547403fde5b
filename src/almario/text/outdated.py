"""Whether what somebody tells takes the place of what they told before: a guess, which may only mark.

"I work at a clinic now" does so for "I work in a bakery"; "my sister works at a clinic" and "I worked late
today" do not. What counts is how near the two are in meaning, whose affair each is, what each means by
itself, and the letters and words that only the later one has. `python -m benchmarks.changes` makes the
weights.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from almario.text.fitted import DIMENSIONS, Bank, chance_of, letters

WEIGHTS = Path(__file__).with_name("outdated.weights")
# From this chance on something told takes the place of what was to be done; what is farther from it in
# meaning than the least likeness is about something else.
LIKELY, LEAST_LIKENESS = 0.55, 0.3
# Whether a text is about somebody else; and whether one takes the place of another, by the vectors of both
# and so many signs.
SIGNS = 3
WHOSE = Bank(WEIGHTS, 1)
CHANGE = Bank(WEIGHTS, 1, numbers=2 * DIMENSIONS + SIGNS, start=WHOSE.end)


def replaces(new: str, old: str, vectors: Sequence[Sequence[float]], before: Sequence[float]) -> float:
    """Return how likely *new* takes the place of *old*; 0 if the vectors are not of the bundled encoder.

    *vectors* are of the new text and of its clauses, *before* of the old.
    """
    if {len(each) for each in (*vectors, before)} != {DIMENSIONS}:
        return 0.0
    numbers = numbers_of(new, old, vectors, before)
    if numbers[-SIGNS] < LEAST_LIKENESS:
        return 0.0
    return chance_of(CHANGE.odds(sorted(letters(new) - letters(old)), numbers)[0])


def numbers_of(new: str, old: str, vectors: Any, before: Any) -> Any:
    """Return the vector, what is new in it, how near whole and clauses come, and if they are of others."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    one, other = _of_another(new, vectors[0]), _of_another(old, before)
    near = (np.asarray(vectors) @ before).max()
    vector = np.asarray(vectors[0])
    return np.concatenate([vector, vector - before, [near, abs(one - other), one * other]])


def _of_another(text: str, vector: Any) -> float:
    """Return how likely a text is about somebody other than who tells it."""
    return chance_of(WHOSE.odds(sorted(letters(text)), vector)[0])
