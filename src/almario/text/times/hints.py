"""Whether a text may speak of a time at all; most do not, and it is cheaper to see than to read them."""

import re
from functools import cache
from typing import NamedTuple

from almario.domain.lazy_regex import regex
from almario.domain.words import fold
from almario.language import languages

_ASCII_WORDS, _ANY_WORDS = regex("[a-z]+"), regex(r"\w+")
_LETTERS = regex(r"[^\W\d_]+")
_NUMBER = regex(r"\d+")
_UNSPACED = regex("[\u3005-\u9fff]")


class _Hints(NamedTuple):
    """What a text has that names a time; it is cheaper to look for than a time."""

    words: frozenset[str]
    # Before and after a number.
    before: frozenset[str]
    after: re.Pattern[str]
    unspaced: re.Pattern[str]


@cache
def _hints() -> _Hints:
    def listed(*fields: str) -> set[str]:
        texts = " ".join(language.times.get(field, "") for language in languages() for field in fields)
        found = {max(phrase.split("_"), key=len) for phrase in re.findall(r"[^\W\d]+", texts)}
        return found | {fold(word) for word in found}

    words = listed(
        "months", "weekdays", "short_weekdays", "seasons", "units", "relative", "holidays", "decades"
    )
    signs = listed("day_sign", "month_sign", "year_sign")
    short = listed("short_months")
    return _Hints(
        frozenset(words),
        frozenset(listed("on", "decade_sign", "day_sign") | short | {"q", "Q"}),
        re.compile(
            rf"[/.]\d|['’]?(?:s|st|nd|rd|th|º)\b|\W{{1,3}}(?:de |of )?(?:{'|'.join(sorted(short))})\b", re.I
        ),
        re.compile("|".join(sorted(word for word in words | signs if _UNSPACED.match(word)))),
    )


def may_name_a_time(text: str) -> bool:
    """Tell cheaply whether a text has a word or a number that names a time."""
    hints = _hints()
    words = _ASCII_WORDS.findall(text.lower()) if text.isascii() else _ANY_WORDS.findall(text.lower())
    if not hints.words.isdisjoint(words):
        return True
    for found in _NUMBER.finditer(text):
        start, end = found.span()
        if end - start == 4 or hints.after.match(text, end):
            return True
        if not hints.before.isdisjoint(_LETTERS.findall(text[max(0, start - 8) : start].lower())):
            return True
    return not text.isascii() and bool(_UNSPACED.search(text) and hints.unspaced.search(text))
