"""What must not get lost when a fact is taken for one that is known."""

from collections import Counter
from itertools import pairwise

from almario.domain.memories import Memory
from almario.domain.words import all_forms, forms_of
from almario.text.claims import claims_of, day_of, in_order, names_of, plain_words, turned_in
from almario.text.tongues import words_of

# Who turns so much of what two texts say denies it.
_DENIED = 0.3


def swallows(kept: str, lost: str, dated: str = "") -> bool:
    """Return whether a text leaves out a number, a date or a name of another, or denies what that one says.

    What is *dated* besides need not be in its words. Who lent to whom is all in the order of the names; and
    the first word of two sentences that are one but for that may be a name, too.
    """
    words, more = plain_words(kept), plain_words(lost)
    if words[1:] == more[1:] and claims_of(lost).first and _missing(kept, lost):
        return True
    left = _figures(lost) - _figures(kept)
    return is_denied(kept, lost) or not in_order(names_of(lost), words) or bool(left.keys() - _days_of(dated))


def adds_to(memory: Memory, other: Memory) -> bool:
    """Return whether a memory says more than a word that another does not."""
    return _missing(f"{other.key} {other.value}", memory.value) > 1


def _missing(text: str, other: str) -> int:
    """Return how many words of the other text are not in this one, in whatever form."""
    there = all_forms(text)
    return sum(there.isdisjoint(forms) for forms in forms_of(other))


def is_denied(one: str, other: str) -> bool:
    """Return whether one of two texts denies what the other says in the same words.

    "Is a coeliac" and "cannot eat gluten" deny nothing of each other.
    """
    words = {word.text for text in (one, other) for word in claims_of(text).words}
    return len(turned_in(one, other)) > _DENIED * len(words)


def _figures(text: str) -> Counter[str]:
    words = plain_words(text)
    units = [unit for before, unit in pairwise(words) if before[0].isdigit() and unit in words_of("measures")]
    return Counter([*claims_of(text).numbers, *filter(None, map(day_of, words)), *units])


def _days_of(dated: str) -> set[str]:
    """Return the year, the month and the day of a time as `_figures` has them."""
    found: set[str] = set()
    for part in dated.strip("~").split("/"):
        year, *rest = part.split("-")
        found |= {year, *(str(int(number)) for number in rest[1:])}
        found |= {f"month {int(month) - 1}" for month in rest[:1]}
    return found
