"""How much of a text its sources say, by words or by meaning.

Meaning stands in for other words, not for a name or a number that nobody has
said, and not for what was denied.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from math import ceil

from almario.domain.memories import UNTRUSTED, Origin, lowest
from almario.domain.plain_text import regex
from almario.domain.words import Word, fold
from almario.language import either, languages
from almario.memory.rules.admission import SAID
from almario.named_tuples import NamedTuple
from almario.text.clauses import EITHER, denials, sentences_in, told_terms
from almario.text.content import NUMBER, Content, content_of, in_order, plain_words
from almario.text.timewords import spans
from almario.text.tongues import dates_of, words_of

# So much of a text must be told for its sources to have said it; with less, it is a guess. Less is enough
# where nobody else was heard who could have said it.
LEAST, _LEAST_ALONE, _NEAR_ALONE = SAID, 0.25, 0.4
# What is told with a word that is not is worth no more than a guess.
_MOST_OF_A_GUESS = 0.4
# The cosine of a text and a sentence that has nothing to do with it, and of one that says it: in the space of
# the bundled model, 97 of 100 of the former are below, and half of the latter are above.
UNRELATED, _SAME = 0.3, 0.7
# What is told in other words, by its nature: a summary, what was noticed.
LEAST_IN_OTHER_WORDS, LEAST_OF_THOSE_AMONG_STRANGERS = 0.4, 0.6
# A longer text is no fact that somebody asked to be remembered.
_LONGEST = 2000
_LONGEST_MESSAGE = 20_000
# A guess speaks of so much of what was told: less if that is more than one word.
_GUESSED, _GUESSED_OF_MORE = 0.3, 0.15
# One word can be shared by chance; a name or a number counts for two.
_ENOUGH = 2
# Two words are forms of one if they begin alike: so many letters, and so much of the longer one.
_LETTERS, _ALIKE = 5, 0.6
_NUMBER_OR_WORD = regex(rf"{NUMBER.pattern}|[^\W\d_]+")
_ADDRESS = regex(r"[^\W\d]+[.@][^\W\d]+")
_ANY_DAY = date(2000, 1, 1)

_Denied = Mapping[str, frozenset[bool]]


class _Told(NamedTuple):
    """The terms of some texts, each with whether it is denied; *alike* are those with the same beginning."""

    terms: _Denied
    alike: Mapping[str, tuple[str, ...]]


class Ground(NamedTuple):
    """How much of a text is told, of how much; what is *denied* there; names and numbers that are *invented*.

    *dates* are among what is told, and say little by themselves: anybody speaks of May. *turned* are names
    and numbers of which the contrary is told, *hits* the words that are told but for dates.
    """

    told: int = 0
    words: int = 0
    denied: int = 0
    invented: int = 0
    dates: int = 0
    turned: int = 0
    hits: int = 0

    @property
    def share(self) -> float:
        """How much of it is told, from 0 to 1; what says the contrary counts against it."""
        return max(0, self.told - self.denied) / self.words if self.words else 0.0

    def bears(self, least: float) -> bool:
        """Say whether that much is told, by more than a word of many, and nothing comes from nowhere."""
        return self._is_enough and not self.invented + self.turned and self.share >= least

    def support(self, nearness: float = 0.0, *, alone: bool = False) -> float:
        """Say how much of it is said, by words or by its *nearness* in meaning, from 0 to 1.

        *alone*, half of that is enough, and a name that was not said makes it no guess.
        """
        by_words = self.share if self.bears(LEAST) else min(self.share, _MOST_OF_A_GUESS)
        if alone and self._is_said and self.share >= _LEAST_ALONE:
            by_words = max(self.share, LEAST)
        if self.invented + self.turned or self.denied >= max(1, self.told):
            return by_words
        by_meaning = min(1.0, max(0.0, (nearness - UNRELATED) / (_SAME - UNRELATED)))
        if alone and by_meaning >= _NEAR_ALONE:
            by_meaning = max(by_meaning, LEAST)
        return max(by_words, by_meaning)

    @property
    def _is_said(self) -> bool:
        """Whether two words of it are told, or all there are, and more than is made up."""
        is_more = self.invented + self.turned < self.told
        return self._is_enough and is_more and self.hits >= min(_ENOUGH, self.words)

    @property
    def _is_enough(self) -> bool:
        """Whether more than a word of many is told."""
        return self.told > 0 and self.told - self.dates >= min(_ENOUGH, self.words - self.dates)

    @property
    def touched(self) -> int:
        """How much of it is spoken of at all."""
        return self.told + self.denied

    @property
    def is_some(self) -> bool:
        """Whether it may be a guess: it speaks of what was told, though it says something else of it."""
        touched = self.touched
        if touched < _ENOUGH and self.invented:
            return False
        return touched >= self.words * (_GUESSED_OF_MORE if touched >= _ENOUGH else _GUESSED) > 0


def ground(
    text: str, sources: Iterable[str], around: Iterable[str] = (), known: Collection[str] = ()
) -> Ground:
    """Measure how much of a text its sources tell together.

    Names that stand *around* them, or are *known*, are no invention and count
    neither way; nor do other words around them, as far as the sources
    themselves have as much to say. Dates are worked out, and need not be
    there as they are.
    """
    text = text[:_LONGEST_MESSAGE]
    said, own, dates = _said(text)
    told, near = _together(tuple(sources)), _together(tuple(around))
    count = Counter[str]()
    for word in said.words:
        # An address is a name, too.
        is_exact = word.text[0].isdigit() or word.text in said.names or bool(_ADDRESS.search(word.text))
        worth = 1 + (is_exact and len(word.text) > 1)
        found = _found(word, told, exact=is_exact)
        if (word.whole and not is_exact) or word.text in words_of("negations"):
            continue
        if found is not None:
            worth = 1 if word.text in dates else worth
            # What does not happen since May is said of May.
            senses = own.get(word.text, EITHER) | frozenset([False] if word.text in dates else [])
            is_so = bool(senses & found)
            count["dates"] += word.text in dates and word.text not in _weekdays()
            count["told" if is_so else "denied"] += worth
            count["hits"] += is_so and word.text not in dates
            count["turned"] += is_exact and not is_so
        elif word.text in dates or word.text in words_of("noting"):
            continue
        else:
            is_near = _found(word, near, exact=is_exact) is not None
            if word.text in said.names and (is_near or word.text in known):
                continue
            count["around"] += worth * is_near
            count["invented"] += is_exact and not is_near and word.text not in known
        count["words"] += worth
    words = count["words"] - min(count["around"], count["told"])
    return Ground(words=words, **{name: count[name] for name in Ground._fields if name != "words"})


def stands_in(fact: str, message: str) -> bool:
    """Say whether all that a fact says stands in one sentence of a message, in whatever person.

    Every content word by its stem, names and numbers exactly and in their
    order, and denied where it is denied and nowhere else. Only one sentence
    counts at a time, so that the owner's words cannot be put together to say
    what was never said.
    """
    said = content_of(fact) if len(fact) <= _LONGEST else None
    if said is None or not said.words:
        return False
    own = denials(fact)
    return any(_is_in(said, own, sentence) for sentence in sentences_in(message[:_LONGEST_MESSAGE]))


def rests_on(text: str, sources: Sequence[str]) -> bool:
    """Say whether one of the sources says a text, or most of it."""
    return any(stands_in(text, each) or ground(text, [each]).bears(LEAST) for each in sources)


def origin_of_words(text: str, *, message: str, told: Origin) -> Origin:
    """Return the origin of what a model writes down: the owner's if the owner's *message* says it.

    Where strangers are among what the model was *told*, every word must be
    there. Else it is the model's own conclusion, and no better than the
    lowest of what it was told.
    """
    is_owners = stands_in(text, message)
    if not is_owners and told != UNTRUSTED and len(text) <= _LONGEST:
        is_owners = ground(text, [message]).bears(LEAST)
    return "owner" if is_owners else lowest("agent", told)


def borne_out(text: str, sources: Sequence[str], *, least: float, known: Collection[str] = ()) -> str:
    """Return a text in other words than its sources, without the sentences that these do not bear out."""
    lines = (
        [each.strip() for each in sentences_in(line) if ground(each, sources, known=known).bears(least)]
        for line in text.splitlines()
    )
    return "\n".join(" ".join(line) for line in lines).strip()


def _is_in(said: Content, own: _Denied, sentence: str) -> bool:
    told, there = _together((sentence,)), content_of(sentence)
    # A fact that begins with a name is known by the message, where it stands inside.
    names = (said.first, *said.names) if said.first in there.names else said.names
    for word in said.words:
        found = _found(word, told, exact=word.text in names)
        if found is None and not (word.text in words_of("noting") and _of_oneself().search(sentence)):
            return False
        if found is not None and not own.get(word.text, EITHER) & found:
            return False
    return (
        any(_found(word, told, exact=word.text in names) is not None for word in said.words)
        and in_order(names, plain_words(sentence))
        and in_order(said.numbers, _numbers_in(sentence))
        and said.weights <= there.weights
    )


@lru_cache(1024)
def _said(text: str) -> tuple[Content, _Denied, frozenset[str]]:
    return content_of(text), denials(text), _dates_in(text)


@lru_cache(512)
def _together(texts: tuple[str, ...]) -> _Told:
    terms: dict[str, frozenset[bool]] = {}
    for text in (each[:_LONGEST_MESSAGE] for each in texts):
        for term, denied in told_terms(text).items():
            terms[term] = terms.get(term, frozenset()) | denied
        for number in _numbers_in(text):
            terms.setdefault(number, EITHER)
    alike: dict[str, tuple[str, ...]] = {}
    for term in terms:
        if len(term) >= _LETTERS:
            alike[_begins(term)] = (*alike.get(_begins(term), ()), term)
    return _Told(terms, alike)


def _found(word: Word, told: _Told, *, exact: bool) -> frozenset[bool] | None:
    """Return whether a word is denied where it is told; None if it is not told."""
    terms = [term for term, _ in word.terms if term in told.terms]
    if (number := _number_words().get(word.text, "")) in told.terms:
        terms.append(number)
    if not terms and not exact:
        terms = [each for each in told.alike.get(_begins(word.text), ()) if _is_form(word.text, each)]
    return frozenset[bool]().union(*(told.terms[term] for term in terms)) if terms else None


def _is_form(word: str, other: str) -> bool:
    """Say whether two words begin so much alike that they are forms of one, in whatever language."""
    least = max(_LETTERS, ceil(_ALIKE * max(len(word), len(other))))
    return len(word) >= least and _begins(word, least) == _begins(other, least)


def _begins(word: str, letters: int = _LETTERS) -> str:
    """Return a word's beginning; "carry" and "carried", "tutoyer" and "tutoie" begin alike."""
    return word[:letters].replace("y", "i")


def _numbers_in(text: str) -> list[str]:
    """Return the numbers of a text in order, those in words too."""
    words = _number_words()
    found = (words.get(fold(match[0]), match[0]) for match in _NUMBER_OR_WORD.finditer(text))
    return [each for each in found if each[0].isdigit()]


@cache
def _number_words() -> Mapping[str, str]:
    """Return what the words for numbers stand for; one is an article, too."""
    rows = [row.split() for each in languages() for row in each.times.get("numbers", "").split(";")]
    return {fold(row[1]): row[0] for row in rows if len(row) > 1 and row[0] != "1"}


def _months() -> frozenset[str]:
    return dates_of("months", "short_months")


def _weekdays() -> frozenset[str]:
    return dates_of("weekdays", "short_weekdays")


@cache
def _of_oneself() -> re.Pattern[str]:
    """Return what finds where one says what one is, and not where."""
    said = (rf"(?:{either([each], 'i_am')})\b(?! (?:{either([each], 'where')})\b)" for each in languages())
    return re.compile(rf"\b(?:{'|'.join(said)})", re.IGNORECASE)


def _dates_in(text: str) -> frozenset[str]:
    """Return the words of the days that a text names."""
    days = [day for span in spans(text, _ANY_DAY) if not span.relative for day in (span.first, span.last)]
    numbers = [number for day in days for number in (day.year, day.month, day.day)]
    return (
        frozenset(form for number in numbers for form in (str(number), f"{number:02}"))
        | _months()
        | _weekdays()
    )
