"""The hours that a text names: "at half past four", "a las seis menos cuarto", "22:30".

A bare number is an hour only after a word that says so, and before nothing that it might count.
"""

import re
from datetime import time
from functools import cache
from typing import Any

from almario.domain.words import SMALL, fold
from almario.named_tuples import NamedTuple
from almario.text.times.grammar import pattern_of
from almario.text.times.lexicon import TimeToken, tokens
from almario.text.times.wording import Wording

# Each form and its pattern, the stricter before the looser.
_FORMS = {
    "past": "(?:minutes|digits)hour_past the?HOUR",
    "before": "(?:minutes|digits)hour_to the?HOUR",
    "half_before": "half_to HOUR",
    "less": "HOUR SIGN?minus the?minutes",
    "more": "HOUR SIGN?and?minutes",
    "half": "half HOUR",
    "sharp": "noon|clock|HOUR",
}
_PARTS = {"HOUR": "(?:hour|digits)", "SIGN": "(?:hour_sign|hour_unit)"}
_TAIL = "SIGN?(?:(?:of|in|around|hour_at)?the?(?:am|pm))?"
# What ends with a preposition before an article and an hour: "hasta las diez", "voy a las diez".
_BEFORE_ARTICLE = ("hour_at", "to", "until", "since", "around", "before", "after", "for", "future", "begins")
# An hour below this is of the afternoon, unless it is said to be of the morning.
_EARLY = 7


class Hour(NamedTuple):
    """An hour of the day with the *words* that name it; one that *is_open* may be of morning or evening."""

    words: str
    at: time
    is_open: bool


def hours(text: str) -> list[Hour]:
    """Return the hours that a text names."""
    words, place, named = Wording(text), 0, list[Hour]()
    while found := _pattern().search(words.signs, place):
        start, place, form = found.start(), found.start() + 1, found.lastgroup or ""
        tokens = words.tokens[start : found.end()]
        if tokens[-1].is_a("relative") and not tokens[-2].is_a("the"):
            tokens.pop()  # "a las diez mañana" is tomorrow
        begin, at = _begin(text, words, start, tokens), _time(form, tokens)
        is_plain = found.end() == found.end(form)
        is_hour = begin < tokens[0].start or _is_sure(form, tokens, words.at(start - 1))
        if at and is_hour and not (is_plain and _counts(words, found)):
            place, is_told = found.end(), tokens[0].is_a("clock", "noon") or tokens[-1].is_a("am", "pm")
            is_open = 0 < at.hour <= 12 and not is_told
            named.append(Hour(text[begin : tokens[-1].end], at, is_open))
    return named


def first_hour(text: str) -> time:
    """Return the first hour of a text, or midnight; at five, and dinner at eight, are after noon."""
    least = 12 if any(token.is_a("evening") for token in tokens(text)) else _EARLY
    named = ((each.at, 12 * (each.is_open and each.at.hour < least)) for each in hours(text))
    return min((at.replace(hour=at.hour + half) for at, half in named), default=time())


@cache
def _pattern() -> re.Pattern[str]:
    forms = "|".join(f"(?P<{name}>{pattern_of(form, _PARTS)})" for name, form in _FORMS.items())
    return re.compile(f"(?:{forms}){pattern_of(_TAIL, _PARTS)}")


def _begin(text: str, words: Wording, start: int, tokens: list[TimeToken]) -> int:
    """Return where the words begin that make an hour of something; its own beginning, if there are none."""
    left, further = words.at(start - 1), words.at(start - 2)
    kinds = ("hour_at", "to") if any(each.is_a("noon", "hour_unit") for each in tokens) else ("hour_at",)
    senses = (each.sense.languages for each in tokens if each.is_a("hour", "noon"))
    codes = next((each.get("hour") or each["noon"] for each in senses), None)
    if left and further and left.text == "a" and further.is_a("digits"):
        return tokens[0].start  # "3 a 2"
    if left and any(left.is_a(kind) and (not codes or codes & left.sense.languages[kind]) for kind in kinds):
        return left.start
    if left and left.is_a("hour_the") and further and further.is_a(*_BEFORE_ARTICLE):
        return further.end - len(text[further.start : further.end].rsplit(maxsplit=1)[-1])
    return tokens[0].start


def _is_sure(form: str, tokens: list[TimeToken], left: TimeToken | None) -> bool:
    """Return whether it can be nothing but an hour: "22:30", "quarter to six", "three o'clock", "six pm"."""
    first = tokens[0].sense.values
    is_quarter = form == "before" and first.get("minutes") == 15
    is_signed = any(each.is_a("hour_sign", "am", "pm") for each in tokens[1:])
    # "9.15", "10ish" and "half ten" are hours only after "at" or a day.
    is_led = left.is_a("weekday", "relative") if left else form == "half"
    is_clock = "clock" in first and ":" in tokens[0].text
    may_be = "clock" in first or form == "half" or tokens[-1].is_a("hour_unit")
    return form == "past" or is_clock or is_quarter or is_signed or (is_led and may_be)


def _counts(words: Wording, found: re.Match[str]) -> bool:
    """Return whether a number counts what follows it, or is part of a name: "at ten cats", "Five Guys"."""
    after = words.at(found.end())
    if words.has_capital(found.start()) or not after or after.is_a("things", "unit"):
        return words.has_capital(found.start()) or after is not None
    is_word = not after.sense.values and fold(after.text) not in SMALL
    return is_word and after.text.endswith("s") and len(after.text) > 3


def _time(form: str, tokens: list[TimeToken]) -> time | None:
    """Return the hour that words name; None if there is none such."""
    numbers = [
        each.sense.values for each in tokens if each.is_a("hour", "minutes", "digits", "clock", "noon")
    ]
    first, *more = reversed(numbers) if form in ("past", "before", "half") else numbers
    named: Any = first.get("noon", first.get("hour", first.get("number", 99)))
    hour, minute = first.get("clock") or (named, 30 if form == "half_before" else 0)
    minute = more[0].get("minutes") or more[0]["number"] if more else minute
    if form in ("before", "half_before", "less"):
        hour, minute = (hour - 1) % 24 or 12, 60 - minute
    if tokens[-1].is_a("pm") and hour < 12:
        hour += 12
    elif tokens[-1].is_a("am") and hour == 12:
        hour = 0
    return time(hour % 24, minute) if 0 <= hour <= 24 and 0 <= minute < 60 else None
