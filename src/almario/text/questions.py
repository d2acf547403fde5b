"""What a question asks for, apart from its words: a time, what was before, how much."""

import re
from collections.abc import Iterable
from datetime import date
from functools import cache

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, query_words
from almario.named_tuples import NamedTuple
from almario.text.times.grammar import TimeSpan
from almario.text.timewords import spans, tells
from almario.text.tongues import words_of

_WORD = regex(r"\w+")


class QuestionKind(NamedTuple):
    """A question as seen from *today*: the times that it names, and what it asks of them."""

    text: str
    today: date
    times: tuple[TimeSpan, ...] = ()
    is_question: bool = True
    # It asks for what was before, or names nothing but a time.
    former: bool = False
    only_time: bool = False
    # It asks how much, how many or when.
    amount: bool = False

    @property
    def filters(self) -> bool:
        """Whether it is to be answered from the times that it names; a remark only mentions them."""
        return self.is_question and bool(self.times)

    @property
    def is_remark(self) -> bool:
        """Whether it tells something, as a sentence does: a few bare words are what somebody looks for."""
        return not self.is_question and not SMALL.isdisjoint(fold(self.text).split())

    @property
    def about_the_past(self) -> bool:
        return self.former or (self.filters and any(time.first < self.today for time in self.times))

    @property
    def timeless(self) -> str:
        """The question without the words that name a time from today: what was said then has others."""
        text = self.text
        for time in self.times:
            text = text.replace(time.words, " ") if time.relative or self.filters else text
        return text

    def fits(self, moments: Iterable[tuple[date, date]]) -> bool:
        """Return whether any of the moments is of a time that the question names."""
        return any(
            first <= time.last and last >= time.first for first, last in moments for time in self.times
        )

    def holds(self, since: date, until: date | None) -> bool:
        """Return whether what held from *since* to *until* did so when a time of the question ended."""
        ends = (min(time.last, max(time.first, self.today)) for time in self.times)
        return any(since <= end and (until is None or end < until) for end in ends)


def is_question(text: str) -> bool:
    """Return whether a message asks something: it tells nothing, or has a word that asks."""
    return not tells(text) or not _accented().isdisjoint(_WORD.findall(text.lower()))


def is_small_talk(text: str) -> bool:
    """Return whether a message only greets, thanks, agrees or counts: nothing comes to mind for that."""
    words = {fold(word) for word in _WORD.findall(text)}
    said = map(fold, words_of("greetings").union(words_of("yes"), words_of("no")))
    left = {word for word in words - SMALL if not word.isdecimal()}.difference(said)
    return not words or not (left or is_question(text))


def read_question(text: str, today: date) -> QuestionKind:
    """Return what a question asks for."""
    times = tuple(spans(text, today))
    plain = fold(text)
    former, amount = (bool(_phrases(sort).search(plain)) for sort in ("former", "amounts"))
    question = QuestionKind(text, today, times, is_question(text), former, amount=amount)
    if not question.filters:
        return question
    rest = text
    for time in times:
        rest = rest.replace(time.words, " ")
    words = {fold(word.text) for word in query_words(rest)}
    # Words that say nothing of what is asked about.
    return question._replace(only_time=words <= SMALL | words_of("happening") | words_of("asking"))


@cache
def _phrases(sort: str) -> re.Pattern[str]:
    phrases = (re.escape(phrase).replace("_", " +") for phrase in sorted(words_of(sort)))
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b")


@cache
def _accented() -> frozenset[str]:
    """Return the words that ask wherever they stand, known by their accent: "en febrero qué dosis"."""
    return frozenset(word for word in words_of("opening") if "_" not in word and word != fold(word))
