"""Rivals: memories of one thing of which only the newest can hold.

Under one key, a later text replaces an earlier one if both give the same sort of particular (a number, a
name, a month, a weekday) but not the same. The ledger is not changed. Exceptions: a key that holds two facts
from one day may hold several things; what the owner asked to have remembered does not give way to what was
merely learned; the same sentence of somebody else, with another number, is another thing; what was learned
in one project says nothing of another; and what is still to begin replaces nothing yet.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache, lru_cache

from almario.domain.audiences import projects_of
from almario.domain.memories import MIRRORED, ORIGINS, Memory, same_key
from almario.domain.plain_text import regex
from almario.domain.words import fold
from almario.language import languages

# In a text of so few words the first is no beginning of a sentence: with a capital it is a name.
_FEW = 2
_WORD = regex(r"[^\W_]+(?:[.,:/-][^\W_]+)*%?")


def replaced(
    memories: Iterable[Memory], now: datetime, *, are_apart: Callable[[str, str], bool]
) -> dict[str, Memory]:
    """Return for each of the memories that gave way, by its id, the one that took its place.

    *are_apart* says of two ids whether somebody has compared them and found that they differ.
    """
    groups: dict[tuple[str, frozenset[str]], list[Memory]] = defaultdict(list)
    for memory in memories:
        if memory.kind in MIRRORED and memory.key and memory.valid_from <= now:
            groups[same_key(memory.key), projects_of(memory)].append(memory)
    found: dict[str, Memory] = {}
    for group in groups.values():
        days = {memory.valid_from.date() for memory in group}
        if len(group) > 1 and len(days) == len(group):
            group.sort(key=lambda memory: memory.valid_from)
            for place, older in enumerate(group, 1):
                later = (each for each in group[place:] if _replaces(each, older))
                newer = next((each for each in later if not are_apart(each.id, older.id)), None)
                found |= {older.id: newer} if newer else {}
    return found


def _replaces(newer: Memory, older: Memory) -> bool:
    is_weaker = older.source == "explicit" and newer.source != "explicit"
    if is_weaker or ORIGINS.index(newer.origin) > ORIGINS.index(older.origin):
        return False
    return _differ(newer.value, older.value)


@lru_cache(8192)
def _differ(one: str, other: str) -> bool:
    """Say whether two texts give the same sort of particular, but not the same, of one thing."""
    new, old = _particulars(one), _particulars(other)
    apart = {sort for sort in new.keys() & old.keys() if new[sort] - old[sort] and old[sort] - new[sort]}
    is_of_another = "name" in apart and len(apart) > 1 and _frame(one) == _frame(other)
    return bool(apart) and not is_of_another


def _frame(text: str) -> list[str]:
    """Return the words of a sentence without its particulars."""
    gone = set[str]().union(*_particulars(text).values())
    return [plain for word in _WORD.findall(text) if (plain := fold(word)) not in gone and word.islower()]


def _particulars(text: str) -> Mapping[str, set[str]]:
    """Return the numbers, names and calendar words of a text, by their sort."""
    found: dict[str, set[str]] = defaultdict(set)
    calendar = _calendar()
    words = _WORD.findall(text)
    for place, word in enumerate(words):
        plain = fold(word)
        if sort := calendar.get(plain):
            found[sort].add(plain)
        elif word[0].isdigit():
            found["number"].add(plain)
        elif (place or len(words) <= _FEW) and word[0].isupper():
            found["name"].add(plain)
    return found


@cache
def _calendar() -> dict[str, str]:
    """Return each month and day of the week, in every language, with its sort."""
    return {
        fold(name): sort
        for language in languages()
        for sort in ("weekdays", "months")
        for name in language.times.get(sort, "").replace(";", " ").split()
    }
