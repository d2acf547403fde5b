"""What a text says, so that two texts can be compared: words, names, numbers, dates, and what it denies.

Words compare by their stems, so that "vivo" and "vive" are one; names and numbers compare exactly; and a word
that is denied in one text and not in the other is not the same word.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from math import ceil

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, SORTS, Word, fold, index_terms, names_in, query_words, sentences_in
from almario.language import either, language, languages
from almario.named_tuples import NamedTuple
from almario.text.timewords import spans
from almario.text.tongues import rules_for, words_of

_WORD = regex(r"[^\W_]+")
NUMBER = regex(r"\d+(?:[.,:/'’-]\d+)*")
_FIGURE = regex(rf"(?:(?<!\w)[+-])?{NUMBER.pattern}(?:\s?[%€$£°])?|[^\W\d_]+")
_LETTERS_ALONE = regex(r"[^\W\d_]+")
_ADDRESS = regex(r"[^\W\d]+[.@][^\W\d]+")
# "Hablame" is a form of hablar, and no stemmer knows it without its accent.
_WITH_PRONOUN = regex(r"(?<=\w{4}[aei])(?:me|te|se|l[aeo]s?|nos)$")
_PAUSE = r"[,:](?=\s)|\s[-–—]\s"
_ANY_DAY = date(2000, 1, 1)
_MANY = 100_000
# Two words are forms of one if they begin alike: so many letters, and so much of the longer one.
_LETTERS, _ALIKE = 5, 0.6

# For each word or term, whether it is denied; it can be said here and denied there.
Senses = Mapping[str, frozenset[bool]]
EITHER = frozenset((False, True))


class Claims(NamedTuple):
    """The content words of a text; names and numbers in order; those of its dates; what is denied.

    *first* is the word it begins with, if that has a capital, so that it may be a name.
    """

    words: tuple[Word, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    dates: frozenset[str]
    senses: Senses
    first: str

    def is_exact(self, word: Word) -> bool:
        """Return whether a word is a name, a number or an address, for which no other will do."""
        return word.text in self.names or word.text[0].isdigit() or bool(_ADDRESS.search(word.text))

    def is_date(self, word: Word) -> bool:
        """Return whether a word only tells a day."""
        return word.text in self.dates or bool(day_of(word.text))

    def sense(self, word: Word) -> frozenset[bool]:
        """Return whether a word of the text is denied in it."""
        return self.senses.get(word.text, EITHER)


@lru_cache(4096)
def claims_of(text: str) -> Claims:
    """Return what a text says."""
    plain = _written_out(text)
    names = tuple(names_in(text))
    left_out = (words_of("courtesy") | _negations(text)) - set(names)
    found = [word for word in query_words(plain, _MANY) if not word.whole or _ADDRESS.search(word.text)]
    # Of stop words alone the list is not empty: it is made for questions.
    has_content = any(word.text not in SMALL | SORTS or word.text in names for word in found)
    words = tuple(word for word in found if word.text not in left_out) if has_content else ()
    numbers, dates = tuple(numbers_in(text)), _dates_in(text)
    return Claims(words, names, numbers, dates, _senses(plain), _first(text))


class ClaimTerms:
    """What some texts tell together, to be asked for a word of another."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._terms: dict[str, frozenset[bool]] = defaultdict(frozenset)
        for text in texts:
            for term, denied in _term_senses(text).items():
                self._terms[term] |= denied
        self._alike: dict[str, list[str]] = defaultdict(list)
        for term in self._terms:
            if len(term) >= _LETTERS:
                self._alike[_begins(term)].append(term)

    def sense(self, word: Word, *, exact: bool) -> frozenset[bool] | None:
        """Return whether a word is denied where it is told; None if it is not told."""
        known = [term for term, _ in word.terms] + [_figures().get(word.text, "")]
        terms = [term for term in known if term in self._terms]
        if not terms and not exact:
            terms = [each for each in self._alike.get(_begins(word.text), ()) if _are_forms(word.text, each)]
        return frozenset[bool]().union(*(self._terms[term] for term in terms)) if terms else None


@lru_cache(512)
def claim_terms(texts: tuple[str, ...]) -> ClaimTerms:
    """Return what some texts tell together."""
    return ClaimTerms(texts)


def names_of(text: str) -> list[str]:
    """Return the names in a text, as they are compared; those of days and months are none."""
    return [name for name in names_in(text) if not day_of(name)]


def plain_words(text: str) -> list[str]:
    """Return every word of a text in order, without case and accents."""
    return [fold(word) for word in _WORD.findall(text)]


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text in order with their signs, those in words too."""
    words = _figures()
    if not any(map(str.isdigit, text)) and words.keys().isdisjoint(_LETTERS_ALONE.findall(fold(text))):
        return []  # as most
    found = (words.get(fold(match[0]), match[0]) for match in _FIGURE.finditer(text))
    return ["".join(each.split()) for each in found if any(map(str.isdigit, each))]


def terms_of(text: str) -> frozenset[str]:
    """Return the terms by which the words of a text are known."""
    return frozenset(index_terms(_written_out(text)))


def has_term(word: Word, terms: frozenset[str]) -> bool:
    """Return whether a word is among those that these terms stand for."""
    return any(term in terms for term, _ in word.terms)


def in_order(wanted: Sequence[str], there: Sequence[str]) -> bool:
    """Return whether all that is wanted is there, in the same order."""
    rest = iter(there)
    return all(any(word == other for other in rest) for word in wanted)


def denies(text: str) -> bool:
    """Return whether a text denies something."""
    words = set(plain_words(_written_out(text)))
    # To tell the language takes longer.
    return not words.isdisjoint(words_of("negations")) and not words.isdisjoint(_negations(text))


def turned_in(text: str, other: str) -> list[Word]:
    """Return the words of a text that another tells too, but denied where they are not, or the other way."""
    claims, terms = claims_of(text), claim_terms((other,))
    found = ((word, terms.sense(word, exact=True)) for word in claims.words)
    return [word for word, theirs in found if theirs is not None and not claims.sense(word) & theirs]


def senses_in(text: str) -> frozenset[bool]:
    """Return whether a text denies all it speaks of, nothing of it, or some."""
    light = SMALL | words_of("negations")
    senses = (denied for word, denied in _senses(_written_out(text)).items() if word not in light)
    return frozenset[bool]().union(*senses)


def day_of(word: str) -> str:
    """Return what a folded word says in the calendar, in whatever language: `month 4`, `weekday 0`."""
    return _calendar().get(word, "")


@cache
def _calendar() -> Mapping[str, str]:
    named = {
        fold(name): f"{sort} {number}"
        for sort in ("month", "weekday")
        for each in languages()
        for number, words in enumerate(each.times.get(f"{sort}s", "").split(";"))
        for name in words.split()
    }
    return {f"{name}s": day for name, day in named.items()} | named


def _written_out(text: str) -> str:
    return _contracted().sub(" not ", unicodedata.normalize("NFC", text))


@cache
def _contracted() -> re.Pattern[str]:
    ends = (each.denied.replace("'", "['’]") for each in languages() if each.denied)
    return re.compile(rf"(?:{'|'.join(ends)})\b", re.IGNORECASE)


def _first(text: str) -> str:
    match = _WORD.search(text)
    return fold(match[0]) if match and match[0][0].isupper() and len(match[0]) > 1 else ""


def _dates_in(text: str) -> frozenset[str]:
    days = [day for span in spans(text, _ANY_DAY) if not span.relative for day in (span.first, span.last)]
    numbers = [number for day in days for number in (day.year, day.month, day.day)]
    return frozenset(form for number in numbers for form in (str(number), f"{number:02}"))


def _negations(text: str) -> frozenset[str]:
    return frozenset().union(*(each.negations for each in map(language, rules_for(text))))


@lru_cache(4096)
def _term_senses(text: str) -> Senses:
    plain = _written_out(text)
    own: dict[str, frozenset[bool]] = defaultdict(frozenset)
    for word, denied in _senses(plain).items():
        for term in (*index_terms(word), *index_terms(_WITH_PRONOUN.sub("", word))):
            own[term] |= denied
    numbers = [number.strip("+-%€$£°") for number in numbers_in(text)]
    return dict.fromkeys([*index_terms(plain), *numbers], EITHER) | own


@lru_cache(4096)
def _senses(text: str) -> Senses:
    """Return for each word of a text whether it is denied.

    A negation denies what follows it in its clause, or all of that if nothing follows; what turns a clause
    round ("stop …ing") turns what follows, also from what was denied.
    """
    found: dict[str, frozenset[bool]] = defaultdict(frozenset)
    for sentence in sentences_in(text):
        rules = _rules(rules_for(sentence))
        words = set(plain_words(sentence))
        if words & rules.negations and words <= SMALL | rules.negations:  # "Lists again. Don't."
            found |= dict.fromkeys(found, EITHER)
        for clause in rules.clauses.split(sentence):
            for word, is_denied in _denials(plain_words(clause), rules):
                found[word] |= {is_denied}
    return dict(found)


class _Rules(NamedTuple):
    """How some languages part clauses, deny, and turn round."""

    clauses: re.Pattern[str]
    negations: frozenset[str]
    turning: re.Pattern[str]


@cache
def _rules(codes: tuple[str, ...]) -> _Rules:
    among = [language(code) for code in codes]
    return _Rules(
        re.compile(rf"{_PAUSE}|\b(?:{either(among, 'clauses')})(?!\w)", re.IGNORECASE),
        frozenset().union(*(each.negations for each in among)),
        re.compile(rf"\b(?:{either(among, 'turning')})(?!\w)"),
    )


def _denials(words: Sequence[str], rules: _Rules) -> Iterator[tuple[str, bool]]:
    denying = rules.negations
    turning = {match.start() for match in rules.turning.finditer(" ".join(words))}
    last = max((place for place, word in enumerate(words) if word in denying), default=len(words))
    is_denied = last < len(words) and all(word in SMALL or word in denying for word in words[last + 1 :])
    is_turned, at = False, 0
    for word in words:
        yield word, is_denied != is_turned
        is_turned ^= at in turning
        is_denied |= word in denying
        at += len(word) + 1


@cache
def _figures() -> Mapping[str, str]:
    rows = [row.split() for each in languages() for row in each.times.get("numbers", "").split(";")]
    return {fold(row[1]): row[0] for row in rows if len(row) > 1 and row[0] != "1"}


def _are_forms(word: str, other: str) -> bool:
    least = max(_LETTERS, ceil(_ALIKE * max(len(word), len(other))))
    return len(word) >= least and _begins(word, least) == _begins(other, least)


def _begins(word: str, letters: int = _LETTERS) -> str:
    """Return a word's beginning; "carry" and "carried", "tutoyer" and "tutoie" begin alike."""
    return word[:letters].replace("y", "i")
