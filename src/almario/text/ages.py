"""How old somebody was when it was told, and so is about now: "Leo is 4", "Nora tiene 7 años"."""

from datetime import date
from functools import lru_cache
from itertools import pairwise

from almario.domain.words import SMALL, fold
from almario.text.times.lexicon import TimeToken, tokens

_OLDEST = 120
_OLD = "old"


@lru_cache(4096)
def age_now(text: str, stated_on: date, today: date) -> int | None:
    """Return how old somebody is about now, a year or more after a text told their age; else None."""
    words = tokens(text)
    years = today.year - stated_on.year - ((today.month, today.day) < (stated_on.month, stated_on.day))
    found = {age for place, word in enumerate(words) if (age := _age(words, place, word)) is not None}
    return found.pop() + years if len(found) == 1 and years > 0 else None


def age_reached(text: str, stated_on: date, day: date) -> int | None:
    """Return how old somebody turns on a birthday, by what a text told: "turns 7", "born in 2019"."""
    words = tokens(text)
    for word, after in pairwise(words):
        if word.is_a("turning") and _is_age(after):
            first = stated_on.year + ((day.month, day.day) < (stated_on.month, stated_on.day))
            return int(after.sense.values["number"]) + day.year - first
    years = [token.sense.values["year"] for token in words if token.is_a("year")]
    is_birth = any(token.is_a("born") for token in words) and len(years) == 1
    return day.year - int(years[0]) if is_birth else None


def _age(words: list[TimeToken], place: int, word: TimeToken) -> int | None:
    """Return the age that follows a word such as "is"; a bare number is one after a name, or a key."""
    after = words[place + 1 : place + 5]
    if not word.is_a("being") or not after or not _is_age(after[0]):
        return None
    number = int(after[0].sense.values["number"])
    unit, rest = after[1] if len(after) > 1 else None, after[2] if len(after) > 2 else None
    if unit and unit.is_a("unit_year"):
        is_age = rest.text == _OLD if "en" in unit.sense.languages["unit_year"] and rest else _ends(rest)
        return number if is_age else None
    name = words[place - 1].text if place else ""
    is_name = name[:1].isupper() and fold(name) not in SMALL
    is_bare = "en" in word.sense.languages["being"] and _ends(unit)
    return number if is_bare and (is_name or not place) else None


def _is_age(token: TimeToken) -> bool:
    return token.is_a("number") and 0 < token.sense.values["number"] <= _OLDEST


def _ends(token: TimeToken | None) -> bool:
    return token is None or token.is_a("stop", "dot", "comma", "and")
