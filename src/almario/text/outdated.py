"""Whether what somebody tells takes the place of what they told before: a guess, which may only ask.

"I work at a clinic now" does so for "I work in a bakery"; "my sister works at a clinic" and "I worked late
today" do not. What counts is how near the two are in meaning, whose affair each is, what each means by
itself, and the letters and words that only the later one has. `python -m benchmarks.changes` makes the
weights.
"""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zlib import decompress

from almario.named_tuples import NamedTuple
from almario.text.reader import DIMENSIONS, FEW_PLACES, places

WEIGHTS = Path(__file__).with_name("outdated.weights")
# From this chance on it is asked whether the one takes the other's place; what is farther from it in meaning
# than the least likeness is about something else.
LIKELY, LEAST_LIKENESS = 0.55, 0.3


class ChangeWeights(NamedTuple):
    """What each place of letters and words, each number of a vector and each sign adds to the odds.

    The first two and `base_of_whose` tell whether a text is about somebody else, all others a change.
    """

    letters_of_whose: Any
    vector_of_whose: Any
    base_of_whose: Any
    letters: Any
    new: Any
    old: Any
    signs: Any
    base: Any

    def is_of_another(self, text: str, vector: Any) -> float:
        """Return how likely a text is about somebody other than who tells it."""
        by_letters = _sum(self.letters_of_whose, letters(text))
        return _chance(by_letters + vector @ self.vector_of_whose + self.base_of_whose[0])

    def signs_in(self, new: str, old: str, vectors: Any, before: Any) -> tuple[float, float, float]:
        """Return how near the whole or a clause comes, whether they are of two persons, and of others."""
        one, other = self.is_of_another(new, vectors[0]), self.is_of_another(old, before)
        return float((vectors @ before).max()), abs(one - other), one * other

    def chance(self, new: str, old: str, vectors: Any, before: Any) -> float:
        """Return how likely it is; *vectors* are of the new text and of its clauses, *before* of the old."""
        signs = self.signs_in(new, old, vectors, before)
        if signs[0] < LEAST_LIKENESS:
            return 0.0
        by_meaning = vectors[0] @ self.new + before @ self.old + self.base[0]
        by_signs = signs @ self.signs
        return _chance(by_meaning + by_signs + _sum(self.letters, letters(new) - letters(old)))


# How many numbers the file has of each, in their order.
SIZES = (FEW_PLACES, DIMENSIONS, 1, FEW_PLACES, DIMENSIONS, DIMENSIONS, 3, 1)


def replaces(new: str, old: str, vectors: Sequence[Sequence[float]], before: Sequence[float]) -> float:
    """Return how likely *new* takes the place of *old*; 0 if the vectors are not of the bundled encoder."""
    if {len(each) for each in (*vectors, before)} != {DIMENSIONS}:
        return 0.0
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    return _weights().chance(new, old, np.asarray(vectors), np.asarray(before))


# A memory is compared again and again.
@lru_cache(1024)
def letters(text: str) -> frozenset[int]:
    """Return the places of the letters and words of a text."""
    return frozenset(place % FEW_PLACES for place in places(text))


@cache
def _weights() -> ChangeWeights:
    import numpy as np  # noqa: PLC0415 - as above

    every = np.frombuffer(decompress(WEIGHTS.read_bytes()), "<f2").astype(np.float64)
    return ChangeWeights(*np.split(every, np.cumsum(SIZES)[:-1]))


def _sum(weights: Any, found: frozenset[int]) -> float:
    return float(weights[sorted(found)].sum()) / math.sqrt(len(found) or 1)


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
