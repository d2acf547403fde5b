"""Whether a day after a past verb is ahead, as in "I agreed to come on Monday", or not: "I came on Monday".

A guess by the words around the day and how they end. `python -m benchmarks.begun` makes the weights.
"""

from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from almario.text.fitted import FEW_PLACES, Bank
from almario.text.times.lexicon import TimeToken

AHEAD = Bank(Path(__file__).with_suffix(".weights"), 1, numbers=0)
_FAR = 6


def is_ahead(before: Sequence[TimeToken], after: Sequence[TimeToken]) -> bool:
    """Return whether a day is to come, by the words *before* and *after* it."""
    return AHEAD.by_letters(sorted(signs(before, after)))[0] >= 0


def signs(before: Sequence[TimeToken], after: Sequence[TimeToken]) -> frozenset[int]:
    """Return the places of the words around a day and of their endings, by side and nearness."""
    sided = [(f"{min(far, _FAR) // 2}", token) for far, token in enumerate(reversed(before))]
    sided += [("<", token) for token in before] + [(">", token) for token in after]
    words = [(side, token.text.lower()) for side, token in sided]
    found = {f"{side}{piece}" for side, word in words for piece in (word, f"-{word[-2:]}", f"-{word[-3:]}")}
    return frozenset(crc32(each.encode()) % FEW_PLACES for each in found or ("",))
