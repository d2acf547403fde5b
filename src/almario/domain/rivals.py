"""Rivals: memories of one thing of which only the newest can hold.

Under one key, a later text replaces an earlier one if both name the same sort of particular (a number, a
name, a day of the week) and name others. Nothing is changed in the ledger: a key under which two things
were ever learned on one day holds several, and what the owner asked to be remembered gives way to nothing
less.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from almario.domain.memories import MIRRORED, ORIGINS, Memory, same_key
from almario.domain.words import fold
from almario.language import languages

_WORD = re.compile(r"[^\W_]+(?:[.,:/-][^\W_]+)*%?")


def replaced(memories: Iterable[Memory], notes: str = "") -> dict[str, Memory]:
    """Return for each of the memories that gave way, by its id, the newest that took its place.

    *notes* is the key of what has none.
    """
    groups: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        if memory.kind in MIRRORED and same_key(memory.key) != same_key(notes):
            groups[same_key(memory.key)].append(memory)
    found: dict[str, Memory] = {}
    for group in groups.values():
        days = {memory.valid_from.date() for memory in group}
        if len(group) > 1 and len(days) == len(group):
            newest_first = sorted(group, key=lambda memory: memory.valid_from, reverse=True)
            for place, older in enumerate(newest_first):
                newer = next((each for each in newest_first[:place] if _replaces(each, older)), None)
                if newer:
                    found[older.id] = found.get(newer.id, newer)
    return found


def _replaces(newer: Memory, older: Memory) -> bool:
    is_weaker = older.source == "explicit" and newer.source != "explicit"
    if is_weaker or ORIGINS.index(newer.origin) > ORIGINS.index(older.origin):
        return False
    new, old = _particulars(newer.value), _particulars(older.value)
    return any(new[sort] - old[sort] and old[sort] - new[sort] for sort in new.keys() & old.keys())


def _particulars(text: str) -> Mapping[str, set[str]]:
    """Return the numbers, names and calendar words of a text, by their sort."""
    found: dict[str, set[str]] = defaultdict(set)
    calendar = _calendar()
    for place, word in enumerate(_WORD.findall(text)):
        plain = fold(word)
        if sort := calendar.get(plain):
            found[sort].add(plain)
        elif word[0].isdigit():
            found["number"].add(plain)
        elif place and word[0].isupper():
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
