"""The times that a text speaks of: "in March 2023", "hace dos meses", "el jueves que viene".

A name of a month or a weekday and a number are times only if something beside them says so: people are
called April and Domingo, streets 9 de Julio, and 1984 is a book. And what else a passage says at a glance:
whether it has figures, and whether it tells anything.
"""

import re
import unicodedata
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from almario.domain.passages import Passage
from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, sentences_in
from almario.language import at_a_glance, languages, rows_in
from almario.text.times.grammar import FROM_TODAY
from almario.text.times.lexicon import tokens
from almario.text.tongues import words_of

if TYPE_CHECKING:
    from almario.text.times.grammar import TimeSpan
    from almario.text.times.lexicon import TimeToken
    from almario.text.times.reader import Reader

_LONGEST = 2000
_ASCII_WORDS, _ANY_WORDS = regex("[a-z]+"), regex(r"\w+")
_LETTERS = regex(r"[^\W\d_]+")
_NUMBER = regex(r"\d+")
_LEADING = " \t¡¿-–—•*"
# After "am 3." comes a month.
_SENTENCE_END = regex(r"(?<=[.!?…])(?<!\b\d\.)(?<!\b\d\d\.)\s+|(?<=[。！？])|\n\s*")
_PHRASES = regex(r"[^\W\d]+")
# The first and the last sign of what is written without spaces.
_UNSPACED = ("\u3005", "\u9fff")


def spans(text: str, today: date, *, is_fact: bool = False) -> "list[TimeSpan]":
    """Return the times that a text names, as seen from *today*; of several, any may be meant.

    In a fact, "from 1 September" is the next one; in a tale or a question, the last. What another sentence
    tells says nothing of it: "the dentist is on Friday. I was late last time".
    """
    readers = _readers(text, today, is_fact=is_fact)
    return list(dict.fromkeys(span for reader in readers for span in reader.spans()))


def no_such_day(text: str, today: date) -> str:
    """Return the words of a day that no year has, such as "31 November"; nothing, if a text has none."""
    found = [reader.no_such_day() for reader in _readers(text, today, is_fact=True)]
    return next(filter(None, found), "")


def _readers(text: str, today: date, *, is_fact: bool) -> "list[Reader]":
    text = text[:_LONGEST]
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    timed = [each for each in _sentences(text) if _may_name_a_time(each)] if _may_name_a_time(text) else []
    if not timed:
        return []
    from almario.text.times.reader import Reader  # noqa: PLC0415 - 30 ms that most questions need not pay

    return [Reader(each, today, is_fact=is_fact) for each in timed]


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text without the signs before them, such as those of a list."""
    return [each.lstrip(_LEADING) for each in _SENTENCE_END.split(text)]


def whole_time(text: str, today: date) -> "TimeSpan | None":
    """Return the time that a text is and says nothing besides, such as "yesterday", "lunes" or "March".

    Of several, the earliest.
    """
    text = text.strip()
    sayings = (text, f"on {text}", f"el {text}", f"in {text}")
    found = (span for saying in sayings for span in spans(saying, today) if span.words in sayings)
    return next(found, None)


def says(text: str, kind: str) -> bool:
    """Return whether a text has a word that `begins` something ("sube"), is `misspelt`, or says `now`."""
    return any(token.is_a(kind) for token in _tokens(text))


def names_a_make(span: "TimeSpan") -> bool:
    """Return whether a time is but the year that a thing is of: "un Seat de 2011", "a 2014 van"."""
    if span.reading != "year" or not span.dated.isdigit():
        return False
    first, *more = _tokens(span.words)
    return len(more) == 1 and (first.is_a("of") or (first.is_a("the") and not first.is_a("on")))


def is_yearly(text: str) -> bool:
    """Return whether a text tells of what comes every year, such as a birthday, and not of its party."""
    words = _tokens(text)
    for place, word in enumerate(words):
        after = words[place + 1 : place + 2]
        is_lead = any(
            each.text.islower() and not each.sense.values and fold(each.text) not in SMALL for each in after
        )
        is_party = is_lead or any(each.is_a("of") for each in words[:place][-1:])
        is_turning = word.is_a("turning") and any(each.is_a("number") for each in after)
        if is_turning or (word.is_a("yearly") and not is_party):
            return True
    return False


def _tokens(text: str) -> "list[TimeToken]":
    return tokens(text[:_LONGEST])


def _listed(*fields: str) -> frozenset[str]:
    texts = " ".join(language.times.get(field, "") for language in languages() for field in fields)
    found = {max(phrase.split("_"), key=len) for phrase in _PHRASES.findall(texts)}
    return frozenset(found | {fold(word) for word in found})


def naming() -> frozenset[str]:
    """Collect the words that name a time; `at_a_glance` has them ready."""
    fields = "months weekdays short_weekdays plural_weekdays seasons units relative holidays decades"
    return _listed(*fields.split())


@cache
def _around_a_number() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return what makes a time of a number: the words before it, and what comes after it."""
    short = _listed("short_months")
    after = rf"[/.]\d|['’]?(?:s|st|nd|rd|th|º)\b|\W{{1,3}}(?:de |of )?(?:{'|'.join(sorted(short))})\b"
    return _listed("on", "decade_sign", "day_sign") | short | {"q", "Q"}, re.compile(after, re.I)


@cache
def _named_unspaced() -> re.Pattern[str]:
    words = at_a_glance()["times"] | _listed("day_sign", "month_sign", "year_sign")
    return re.compile("|".join(sorted(word for word in words if _is_unspaced(word[0]))))


def _is_unspaced(sign: str) -> bool:
    return _UNSPACED[0] <= sign <= _UNSPACED[1]


def _may_name_a_time(text: str) -> bool:
    words = _ASCII_WORDS.findall(text.lower()) if text.isascii() else _ANY_WORDS.findall(text.lower())
    if not at_a_glance()["times"].isdisjoint(words):
        return True
    for found in _NUMBER.finditer(text):
        before, after = _around_a_number()
        start, end = found.span()
        if end - start == 4 or after.match(text, end):
            return True
        if not before.isdisjoint(_LETTERS.findall(text[max(0, start - 8) : start].lower())):
            return True
    has_unspaced = not text.isascii() and any(map(_is_unspaced, text))
    return has_unspaced and bool(_named_unspaced().search(text))


_QUESTION = regex(r"[?？]\s*$|^\W*¿")
_WORD, _DIGIT = regex(r"\w+"), regex(r"\d")
_SHORT = 12
# An order to forget has one of these.
_FORGETTING = regex(r"(?i)\b(?:forget|delete|erase|remove|wipe|olv|borr|elimin|quit)")
# A time that is longer says little about when something happened; and a text that names more is a list.
_LONGEST_TIME = 370
_MOST_TIMES = 8


def with_gist(passage: Passage) -> Passage:
    """Return a passage with what can be seen of it at a glance."""
    times: tuple[tuple[date, date], ...] = ()
    if passage.day:
        found = spans(passage.text, passage.day)
        short = [(span.first, span.last) for span in found if (span.last - span.first).days <= _LONGEST_TIME]
        times = tuple(dict.fromkeys(short))[:_MOST_TIMES]
    return passage._replace(
        tells=not passage.turn or passage.role in ("act", "lesson") or tells(passage.text),
        figures=bool(times or _DIGIT.search(passage.text))
        or not at_a_glance()["figures"].isdisjoint(_WORD.findall(passage.text.lower())),
        times=times,
    )


def tells(text: str) -> bool:
    """Return whether a message tells anything; one of nothing but questions and orders to forget does not."""
    return any(not _asks(each) for each in sentences_in(text) if _WORD.search(each))


def _asks(sentence: str) -> bool:
    if _QUESTION.search(sentence):
        return True
    words = sentence.lower().split()
    # A question may begin so in any language; "when" and "como" begin too much else.
    opening = words_of("opening")
    if len(words) <= _SHORT and not opening.isdisjoint((words[0].strip("\"'"), "_".join(words[:2]))):
        return True
    if len(words) <= _SHORT and _requests().search(fold(sentence)):
        return True
    if not _FORGETTING.search(sentence):
        return False
    from almario.text.forms import FORGET, forms_in  # noqa: PLC0415 - seldom does anybody say so

    return any(each.kind == FORGET for each in forms_in(sentence))


@cache
def _requests() -> re.Pattern[str]:
    """Return what a sentence begins with, or ends, that asks to be told something: "tell me what …"."""
    rows = {row for each in languages() for row in rows_in(each.requests)}
    begins = "|".join(sorted(re.escape(row) for row in rows if "…" not in row))
    ends = "|".join(sorted(re.escape(row.lstrip("…")) for row in rows if "…" in row))
    return re.compile(rf"^\W*(?:{begins})\b|(?:{ends})\W*$")


def undated(text: str, today: date) -> str:
    """Return a text without the words that name another day tomorrow, for where the day stands beside it."""
    named = (span for span in spans(text, today) if span.reading in FROM_TODAY)
    for words in (span.words for span in named if span.tense != "either"):  # "turno de mañana" is a shift
        text = re.sub(rf"(?:,? ?\b(?:{_before_a_day()}))? ?\b{re.escape(words)}\b", "", text)
    return " ".join(text.split()).strip(" ,")


@cache
def _before_a_day() -> str:
    """Return a pattern of the words that stand before a day: "on", "el"."""
    return "|".join(sorted(word for each in languages() for word in each.times.get("on", "").split()))
