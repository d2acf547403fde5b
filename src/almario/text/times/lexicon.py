"""What the words of a text may say about times, in all languages together.

Each word becomes one sign, which stands for all that it may say ("second": a number in order; "mañana": a
day or a part of it), so that what makes a time is one pattern over signs for all languages.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import cache, lru_cache
from typing import Any

from almario.domain.plain_text import regex
from almario.domain.words import fold
from almario.language import COUNTED, NAMED, PLAIN, languages
from almario.named_tuples import NamedTuple

_CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff"
_NUMBER = (
    r"\d{4}[-/.]\d\d?[-/.]\d\d?(?![\d])|\d\d?([-/.])\d\d?\1\d{4}(?!\d)|\d\d?/\d\d?/\d\d(?!\d)|\d{4}-\d\d(?![\d-])|\d\d?/\d\d?(?![\d/])"
    r"|\d+(?:[.,:]\d+)+|(?:\d\d)?\d0['’]?s\b|\d\d?(?i:st|nd|rd|th|º|ª|°|er|ro|do)\b|[qQ][1-4]\b|\d+"
)
_CLOCK = regex(r"(?:[01]?\d|2[0-4])[:.][0-5]\d")
# "3ºB" is a class, or a flat.
_FLAT = re.compile(r"\d+(?:[ºª°]\s?)?[A-Z]\b")
_SIGNED = {"comma": ",、", "dot": ".", "things": "%$€", "dash": "-–—~〜"}
_SIGNS = {sign: kind for kind, signs in _SIGNED.items() for sign in signs}
# Signs are characters that mean nothing in a pattern; those below 256 make it much faster.
_SIGN_CHARACTERS = [
    chr(code) for code in (*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B), *range(0x80, 0x400))
]


class Sense(NamedTuple):
    """What a word may say: a sign for all of it, and for each kind of thing its value and languages."""

    sign: str
    values: dict[str, Any]
    languages: dict[str, frozenset[str]]


class TimeToken(NamedTuple):
    """A word, or a phrase known as one, and where it stands in the text."""

    start: int
    end: int
    text: str
    sense: Sense

    def is_a(self, *kinds: str) -> bool:
        return not self.sense.values.keys().isdisjoint(kinds)


@cache
def everywhere() -> frozenset[str]:
    """Return the codes of all languages."""
    return frozenset(language.code for language in languages())


class _Lexicon:
    """The senses of all words of all languages."""

    def __init__(self) -> None:
        self._signs: dict[frozenset[str], str] = {}
        self.kinds: dict[str, set[str]] = {}
        self.nothing = self.sense({})
        senses: dict[tuple[str, ...], dict[str, tuple[Any, set[str]]]] = {}
        for language in languages():
            for kind, value, phrase in _entries(language.times, language.capitals):
                meant = senses.setdefault(tuple(fold(phrase).split("_")), {})
                meant.setdefault(kind, (value, set()))[1].add(language.code)
        self.words: dict[str, Sense] = {}
        # The phrases that begin with a word, the longest first.
        self.phrases: dict[str, list[tuple[tuple[str, ...], Sense]]] = {}
        for words, meant in sorted(senses.items(), key=lambda item: -len(item[0])):
            sense = self.sense(
                {k: v for k, (v, _) in meant.items()}, {k: frozenset(c) for k, (_, c) in meant.items()}
            )
            if len(words) == 1:
                self.words[words[0]] = sense
            else:
                self.phrases.setdefault(words[0], []).append((words, sense))

    def sense(self, values: dict[str, Any], codes: dict[str, frozenset[str]] | None = None) -> Sense:
        """Return a sense; those of the same kinds share a sign."""
        kinds = frozenset(values)
        sign = self._signs.setdefault(kinds, _SIGN_CHARACTERS[len(self._signs)])
        for kind in kinds:
            self.kinds.setdefault(kind, set()).add(sign)
        return Sense(sign, values, codes or dict.fromkeys(kinds, everywhere()))


def _entries(times: Mapping[str, str], capitals: bool) -> Iterator[tuple[str, Any, str]]:
    for field in COUNTED:
        # Where months are written small they stand after the day, and what is short is also another word.
        sort = field.rpartition("_")[0]
        named = field.removeprefix(f"{sort}_").removesuffix("s")
        kind = "after_day" if field == "short_months" and not capitals else named
        for number, row in enumerate(times.get(field, "").split(";"), 0 if "weekdays" in field else 1):
            for phrase in row.split():
                yield kind, number, phrase
                if sort and kind != "after_day":
                    yield sort, True, phrase
    for field in NAMED:
        for row in filter(str.strip, times.get(field, "").split(";")):
            name, *phrases = row.split()
            for phrase in phrases:
                yield from ((kind, value, phrase) for kind, value in _named(field, name))
    for kind in PLAIN:
        if not kind.endswith("_ends"):
            yield from ((kind, True, phrase) for phrase in times.get(kind, "").split())


def _named(field: str, name: str) -> Iterator[tuple[str, Any]]:
    if name.isdecimal():
        yield field if field == "minutes" else field.removesuffix("s"), int(name)
    elif field == "units":
        unit = name.removesuffix("s")
        yield from (("unit", unit), (f"unit_{unit}", unit), ("many" if unit != name else "one", True))
    elif field == "relative":
        unit, shift = re.split(r"(?=[+-])", name)
        yield from (("relative", (unit, int(shift))), (f"relative_{unit}", (unit, int(shift))))
    else:
        yield "holiday", tuple(name.split(".."))


@cache
def lexicon() -> _Lexicon:
    """Return the words of all languages; made when first needed."""
    made = _Lexicon()
    # Signs for what is not a word must be known before the grammar is.
    for example in (
        *map(str, range(100)),
        *"7th 40th 400 2024 2000 6/5/2024 6/5 90s q3 2024-05 10:30".split(),
    ):
        _numeral(example, made)
    for kind in (*_SIGNED, "stop"):
        made.sense({kind: True})
    return made


def _numeral(text: str, known: "_Lexicon") -> Sense:
    values: dict[str, Any] = {}
    digits = re.findall(r"\d+", text)
    numbers = [int(part) for part in digits]
    if text[0] in "qQ":
        values["quarter"] = numbers[0]
    elif len(digits) == 3 and (len(digits[0]) == 4 or len(digits[2]) in (2, 4)) and not {*":,"} & {*text}:
        values["date"] = _dates(digits)
    elif len(digits) == 2 and len(digits[0]) == 4 and "-" in text:
        values["year_month"] = tuple(numbers)
    elif _CLOCK.fullmatch(text):
        values["clock"] = tuple(numbers)
    elif len(digits) == 2 and "/" in text:
        values["slashed"] = tuple(numbers)
    elif len(digits) == 1 and text[-1] == "s":
        values["decade"] = numbers[0] if numbers[0] > 99 else 1900 + numbers[0]
    elif len(digits) == 1:
        values.update(_number(numbers[0], len(digits[0]), text[-1].isdecimal()))
    return known.sense(values)


def _number(number: int, length: int, is_plain: bool) -> Iterator[tuple[str, Any]]:
    if 1 <= number <= 31 and length <= 2:
        yield "day", number
    if not is_plain:
        yield from (("nth", number), ("ordinal", number))
    elif length <= 3:
        yield from (("number", number), ("digits", True))
        if number % 10 == 0 and 20 <= number <= 90:
            yield "tens", 1900 + number
    elif length == 4 and 1000 <= number <= 2999:
        yield "year", number
        if number % 100 == 0:
            yield "hundreds", number


def _dates(digits: list[str]) -> list[date]:
    """3/5/2023 is a day of May in one country and of March in another: both."""
    one, two, three = (int(part) for part in digits)
    year = three if len(digits[2]) == 4 else 2000 + three
    tried = [(one, two, three)] if len(digits[0]) == 4 else [(year, two, one), (year, one, two)]
    found = []
    for each in dict.fromkeys(tried):
        with suppress(ValueError):
            found.append(date(*each))
    return found


@lru_cache(16384)
def _word(piece: str) -> str:
    return "" if _FLAT.fullmatch(piece) else fold(piece)


@cache
def _pieces() -> re.Pattern[str]:
    words = (*lexicon().words, *("".join(phrase) for phrase in lexicon().phrases))
    unspaced = [word for word in words if re.match(f"[{_CJK}]", word)]
    known = "|".join(re.escape(word) for word in sorted(unspaced, key=len, reverse=True)) or "(?!)"
    letters = rf"[^\W\d_{_CJK}]++"
    half_of_day = r"(?<!\w)[AaPp]\.\s?[Mm]\b\.?"
    number = rf"(?<![^\W_{_CJK}])(?:{_NUMBER})|\d+"
    return re.compile(
        rf"{half_of_day}|{letters}(?!\d)|{_FLAT.pattern}|{number}|{letters}\w*|[^\w\s'’]|\n|{known}|[{_CJK}]"
    )


def tokens(text: str) -> list[TimeToken]:
    """Return the words of a text, phrases as one, with their senses."""
    pieces = [(found[0], found.start(), found.end()) for found in _pieces().finditer(text)]
    words = [_word(piece) for piece, _, _ in pieces]
    found: list[TimeToken] = []
    skipped = 0
    for place, (piece, start, end) in enumerate(pieces):
        if place < skipped:
            continue
        sense, phrases = _looked_up(words[place])
        for phrase, meant in phrases:
            if length := _length(phrase, words, place):
                sense, skipped = meant, place + length
                break
        last = pieces[skipped - 1][2] if skipped > place else end
        found.append(TimeToken(start, last, piece, sense))
    return found


def _length(phrase: tuple[str, ...], words: list[str], place: int) -> int:
    """Return how many pieces a phrase takes at a place, hyphens included; 0 if it isn't there."""
    at = place
    for word in phrase:
        if at > place and words[at : at + 1] == ["-"]:
            at += 1
        if words[at : at + 1] != [word]:
            return 0
        at += 1
    return at - place


# A conversation's vocabulary is small: nearly every word has been seen before.
@lru_cache(16384)
def _looked_up(word: str) -> tuple[Sense, tuple[tuple[tuple[str, ...], Sense], ...]]:
    """Return the sense of a word by itself, and the phrases that begin with it, the longest first."""
    known = lexicon()
    return known.words.get(word) or _other(word, known), tuple(known.phrases.get(word, ()))


def _other(word: str, known: _Lexicon) -> Sense:
    if not word:  # a mark without a letter
        return known.nothing
    first = word[0]
    if first.isdecimal() or (first == "q" and word[1:].isdecimal()):
        return _numeral(word, known)
    if first in _SIGNS:
        return known.sense({_SIGNS[first]: True})
    return known.sense({"stop": True}) if first in "!?;:…\n。！？" else known.nothing
