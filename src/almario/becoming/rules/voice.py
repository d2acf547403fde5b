"""How something is said, whatever it says: the small words, the endings, the signs, the length.

Two texts of one content may have two voices: *¿qué necesitás?* and *¿qué necesitas?*, a line and a page.
No word is known here, so it holds for any language that parts its words.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from math import sqrt

from almario.domain.plain_text import regex

# Shorter words say how things are put together; of longer ones only the ending does.
_SMALL, _ENDING = 3, 2
# What stands in so large a part of the answers, each time, is a habit and no accident; in fewer, nothing is.
_HABIT, _LEAST = 0.25, 3
_PIECE = regex(r"[^\W\d_]+|[^\w\s]")


def voices_apart(before: Sequence[str], again: Sequence[str], after: Sequence[str]) -> float:
    """Return how far a voice is from another, from 0 to 1, given what the first said *before* and *again*.

    By the habits that are gone or new, or by the length, beyond what the first differs from itself.
    """
    one, same, other = map(_manner, (before, again, after))
    had = one & same
    often = max(_LEAST, _HABIT * len(before))
    habits = Counter({piece: count for piece, count in had.items() if count >= often})
    new = [count for piece, count in other.items() if count >= often and not (one | same)[piece]]
    changed = sum(new) + sum(count for piece, count in habits.items() if not other[piece])
    # One habit in ten is a voice's whole character: a tenth must not count as a tenth.
    manner = sqrt(changed / (habits.total() + sum(new))) if changed else 0.0
    return max(manner, _lengths_apart(before, again, after))


def _manner(texts: Sequence[str]) -> Counter[str]:
    """Return each piece of the manner of some texts, and in how many of them it stands."""
    return Counter(piece for text in texts for piece in _pieces(text))


def _pieces(text: str) -> set[str]:
    found = _PIECE.findall(unicodedata.normalize("NFC", text).lower())
    return {piece if len(piece) <= _SMALL else f"-{piece[-_ENDING:]}" for piece in found}


def _lengths_apart(before: Sequence[str], again: Sequence[str], after: Sequence[str]) -> float:
    """Return how far the lengths are apart, where both of the first are longer, or both shorter."""
    one, same, other = (sum(len(text.split()) for text in texts) for texts in (before, again, after))
    if min(one, same) <= other <= max(one, same):
        return 0.0
    nearest = max(one, same) if other > max(one, same) else min(one, same)
    short, long = sorted((nearest, other))
    return 1 - short / long
