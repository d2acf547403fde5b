"""What a short text says, word by word: for telling whether another text says the same.

Words compare by their stems, so that "vivo" and "vive" are one; names and
numbers compare exactly, and a negation counts with the word that it denies.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, SORTS, Word, fold, index_terms, query_words
from almario.language import either, language, languages
from almario.named_tuples import NamedTuple
from almario.text.tongues import rules_for, words_of

_WORD = regex(r"[^\W_]+")
NUMBER = regex(r"\d+(?:[.,:/'’-]\d+)*")
_SIGN = regex(r"[%€$£°]|(?<!\w)[+-](?=\d)")
_NOT_SAID = SMALL | SORTS
# A capital here begins a sentence, and no name.
_BEGINS = ".?!…:;\n"
_OPENING = " \t\"'([«“‘¿¡*-"
_MANY = 100_000


class Content(NamedTuple):
    """The content words of a text; names and numbers in order; the words that are denied; other weights."""

    words: tuple[Word, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    denied: frozenset[str]
    weights: frozenset[str]
    # The word it begins with, if that is written with a capital, so that it may be a name.
    first: str


def content_of(text: str) -> Content:
    """Return what a text says."""
    plain = written_out(text)
    names = names_in(text)
    found = query_words(plain, _MANY)
    denying = negations_in(text)
    left_out = words_of("courtesy") | denying
    # Of stop words alone the list is not empty: it is made for questions.
    is_said = any(word.text not in _NOT_SAID or word.text in names for word in found)
    words = [w for w in found if w.text in names or w.text not in left_out] if is_said else []
    exact = plain_words(plain)
    weights = {word for word in exact if word in words_of("weighty")} | set(_SIGN.findall(text))
    numbers, denied = tuple(NUMBER.findall(text)), _denied(exact, words, denying)
    return Content(tuple(words), tuple(names), numbers, denied, frozenset(weights), _first(text))


def terms_of(text: str) -> frozenset[str]:
    """Return the terms by which the words of a text are known."""
    return frozenset(index_terms(written_out(text)))


def plain_words(text: str) -> list[str]:
    """Return every word of a text in order, without case and accents."""
    return [fold(word) for word in _WORD.findall(text)]


def is_told(word: Word, terms: frozenset[str]) -> bool:
    """Say whether a word is among those that these terms stand for."""
    return any(term in terms for term, _ in word.terms)


def in_order(wanted: Sequence[str], there: Sequence[str]) -> bool:
    """Say whether all that is wanted is there, in the same order."""
    rest = iter(there)
    return all(any(word == other for other in rest) for word in wanted)


def written_out(text: str) -> str:
    """Return a text with its contractions written out, and other words for those easily mistaken."""
    whole = _contracted().sub(" not ", unicodedata.normalize("NFC", text))
    otherwise, mistaken = _mistaken()
    return mistaken.sub(lambda match: otherwise.get(match[0].lower(), match[0]), whole)


def negations_in(text: str) -> frozenset[str]:
    """Return the words that deny in the language of a text, or in any in which it may be."""
    return frozenset().union(*(each.negations | each.without for each in map(language, rules_for(text))))


def names_in(text: str) -> list[str]:
    """Return the words with a capital inside a sentence, as they are compared."""
    if text.isupper():
        return []
    found = []
    for match in _WORD.finditer(text):
        before = text[max(0, match.start() - 8) : match.start()].rstrip(_OPENING)
        if match[0][0].isupper() and len(match[0]) > 1 and before and before[-1] not in _BEGINS:
            found.append(fold(match[0]))
    return found


def _first(text: str) -> str:
    match = _WORD.search(text)
    return fold(match[0]) if match and match[0][0].isupper() and len(match[0]) > 1 else ""


def _denied(exact: Sequence[str], words: Sequence[Word], denying: frozenset[str]) -> frozenset[str]:
    """Return the terms of the content words that follow a negation; a bare sign if none follows."""
    terms = {word.text: [term for term, _ in word.terms] for word in words}
    found: set[str] = set()
    after = ""
    for word in reversed(exact):
        if word in terms:
            after = word
        elif word in denying:
            found.update(terms.get(after, [""]))
    return frozenset(found)


@cache
def _contracted() -> re.Pattern[str]:
    ends = (each.denied.replace("'", "['’]") for each in languages() if each.denied)
    return re.compile(rf"(?:{'|'.join(ends)})\b", re.IGNORECASE)


@cache
def _mistaken() -> tuple[Mapping[str, str], re.Pattern[str]]:
    otherwise = {word: meant for each in languages() for word, meant in each.mistaken.items()}
    return otherwise, re.compile(rf"\b(?:{either(languages(), 'mistaken')})\b", re.IGNORECASE)
