"""What is said twice in opposite ways, in English and Spanish: by what it is about, or by yes and no."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold
from almario.language import either, languages
from almario.named_tuples import NamedTuple

_CLAUSES = regex(r"[.;:!?,]+|\b(?:but|pero|sino)\b")
_WORDS = regex(r"\w+")
_SPEAKING = regex(
    r"\b(?:answer|reply|speak|write|talk|respondo|contesto|hablo|escribo)\b.*?\b(?:in|en) "
    r"(english|ingles|spanish|español|castellano|the language|el idioma|la lengua)\b"
)
_TONGUES = {"english": "en", "ingles": "en", "spanish": "es", "español": "es", "castellano": "es"}
# So many of the words of two clauses are the same ones.
_SAME = 0.75


class _Said(NamedTuple):
    """What a clause says: its words, whether it denies them and for ever, and the sides it takes."""

    words: frozenset[str]
    denied: bool
    ever: bool
    sides: tuple[tuple[str, str], ...]


def contradictions(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of lines, by their place, that cannot both be meant."""
    pairs = combinations(range(len(lines)), 2)
    return [(one, other) for one, other in pairs if _contradict(lines[one], lines[other])]


def without_contradictions(lines: Iterable[str], *, beside: Sequence[str] = ()) -> list[str]:
    """Return the lines without those that contradict an earlier one, or one of those *beside* them."""
    kept: list[str] = []
    for line in lines:
        if not any(_contradict(other, line) for other in (*beside, *kept)):
            kept.append(line)
    return kept


def denies(clause: str) -> bool:
    """Say whether a clause says that something is not so."""
    return _not().search(fold(clause)) is not None


def after_no(line: str) -> str:
    """Return what of the clauses of a line follows a word that denies."""
    found = ((clause, _not().search(clause)) for clause in clauses(fold(line)))
    return " ".join(clause[no.end() :] for clause, no in found if no)


def clauses(line: str) -> list[str]:
    """Return the parts of a line that can each be so or not."""
    return [clause for clause in _CLAUSES.split(line) if clause.strip()]


def _contradict(one: str, other: str) -> bool:
    return any(_clash(mine, theirs) for mine in _said(one) for theirs in _said(other))


@lru_cache(1024)
def _said(line: str) -> tuple[_Said, ...]:
    # What holds at times says nothing of the other times.
    if _said_as("at_times", "as_far").search(line.lower()):
        return ()
    return tuple(_meant(clause) for clause in clauses(fold(line)))


def _meant(clause: str) -> _Said:
    ever = _said_as("ever")
    words = frozenset(_WORDS.findall(_not().sub(" ", ever.sub(" ", clause)))) - SMALL
    denied = denies(clause)
    return _Said(words, denied, ever.search(clause) is not None, tuple(_sides(clause, denied)))


def _sides(clause: str, denied: bool) -> Iterator[tuple[str, str]]:
    for topic, (yes, no) in _topics().items():
        if yes.search(clause) or no.search(clause):
            yield topic, "no" if denied == bool(yes.search(clause)) else "yes"
    if (found := _SPEAKING.search(clause)) and not denied:
        yield "language", _TONGUES.get(found[1], "the other's")


def _clash(one: _Said, other: _Said) -> bool:
    theirs = dict(other.sides)
    if any(theirs.get(topic, side) != side for topic, side in one.sides):
        return True
    both = one.words | other.words
    if one.denied == other.denied or not both:
        return False
    is_clear = len(both) > 1 or (one.ever and other.ever)
    return is_clear and len(one.words & other.words) >= _SAME * len(both)


@cache
def _said_as(*fields: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either(languages(), *fields)})\b")


@cache
def _not() -> re.Pattern[str]:
    return re.compile(rf"{_said_as('negations', 'without', 'denying').pattern}|n['’]t\b")


@cache
def _topics() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return what says yes to each topic, and what says no; what denies the one says the other."""
    topics = {topic for each in languages() for topic in each.topics}
    return {topic: (_pole(topic, 0), _pole(topic, 1)) for topic in sorted(topics)}


def _pole(topic: str, side: int) -> re.Pattern[str]:
    sides = (each.topics[topic][side] for each in languages() if topic in each.topics)
    said = set(" ".join(sides).split())
    return re.compile(rf"\b(?:{'|'.join(sorted(said, reverse=True)).replace('_', ' ') or '(?!)'})\b")
