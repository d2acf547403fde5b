"""What a soul says of itself, statement by statement, and how alike two statements are.

Left out is what is meant to change every night: the present focus, open
questions, observations and the last reflection of MOTIVATIONS.md.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cache, lru_cache

from almario.becoming.rules.contradictions import after_no
from almario.becoming.rules.motivations import DRIVES, FOCUS, LAST_REFLECTION, OBSERVATIONS, QUESTIONS
from almario.domain.documents.headings import compared, join_sections, parse_sections
from almario.domain.documents.lines import is_blank, without_comments
from almario.domain.plain_text import regex
from almario.domain.words import fold
from almario.language import either, languages
from almario.named_tuples import NamedTuple
from almario.text.claims import Claims, claims_of, is_told, terms_of

# Says how alike two statements are, from 0 to 1.
Near = Callable[[str, str], float]

# What a statement counts by where it stands: what the agent will never do; what drives it, and how it
# speaks, which others notice first; anything else.
BOUNDARY, _DRIVE, _MANNER, _OTHER = 3.0, 2.0, 2.0, 1.0
_VOLATILE = {compared(title) for title in (FOCUS, QUESTIONS, OBSERVATIONS, LAST_REFLECTION)}
_ITEM = regex(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+|#{1,6}[ \t]+|>[ \t]?")
_SENTENCE_END = regex(r"(?<=[.!?…])[\"'»”)]*\s+")
_LOCKS = regex(r"<!-- */?locked *-->")
_MARKS = regex(r"[*_`]+")
# From here on two statements are about the same.
_SAME = 0.5


class Section(NamedTuple):
    """The statements under one heading of a soul file, and what each counts."""

    weight: float
    statements: tuple[str, ...]


def core(file: str, text: str) -> str:
    """Return what of a soul file makes the agent who it is."""
    if file != "MOTIVATIONS.md":  # a comment in SOUL.md is told to the model like anything else there
        return _LOCKS.sub("", text)
    sections = parse_sections(without_comments(text))
    return join_sections([each for each in sections if compared(each.title) not in _VOLATILE])


def sections_of(soul: Mapping[str, str]) -> dict[tuple[str, str], Section]:
    """Return what stands under the headings of SOUL.md and MOTIVATIONS.md, by file and folded title."""
    found: dict[tuple[str, str], Section] = {}
    for file in ("SOUL.md", "MOTIVATIONS.md"):
        for each in parse_sections(core(file, soul.get(file, ""))):
            key = file, compared(each.title)
            said = tuple(_statements(each.body))
            if key in found:
                said = (*found[key].statements, *said)
            if said:
                found[key] = Section(_weight(file, each.title), said)
    return found


def _weight(file: str, title: str) -> float:
    if _heading("limits").search(fold(title)):
        return BOUNDARY
    if _heading("manners").search(fold(title)):
        return _MANNER
    return _DRIVE if file == "MOTIVATIONS.md" and compared(title) == compared(DRIVES) else _OTHER


@cache
def _heading(field: str) -> re.Pattern[str]:
    return re.compile(either(languages(), field))


def _statements(body: str) -> Iterator[str]:
    """Yield the sentences of a text; a list item begins a new one, and so does a blank line."""
    block: list[str] = []
    for line in [*body.split("\n"), ""]:
        item = _ITEM.match(line)
        if item or is_blank(line):
            yield from _sentences(" ".join(block))
            block = []
        block.append(line[item.end() :] if item else line)


def _sentences(text: str) -> list[str]:
    plain = " ".join(_MARKS.sub("", text).split())
    return [each for each in _SENTENCE_END.split(plain) if each]


def by_words(one: str, other: str) -> float:
    """Say how alike two statements are by the content words that they share."""
    (said, terms), (more, their_terms) = _known(one), _known(other)
    both = len(said.words) + len(more.words)
    if not both:
        return float(fold(one) == fold(other))
    shared = sum(is_told(word, their_terms) for word in said.words)
    return (shared + sum(is_told(word, terms) for word in more.words)) / both


def is_contrary(one: str, other: str) -> bool:
    """Say whether two statements are about the same, and one denies what the other says."""
    (said, terms), (more, their_terms) = _known(one), _known(other)
    if said.denied == more.denied or by_words(one, other) < _SAME:
        return False
    shared = {"", *(terms & their_terms)}
    fewer, greater = _plain(said.denied, shared), _plain(more.denied, shared)
    if len(fewer) > len(greater):
        one, fewer, greater = other, greater, fewer
    # To deny the same words in another order, or a word that a "no" before it denies, is nothing else.
    denied = (greater - fewer) & shared - terms_of(after_no(one)) - ({""} if fewer else set())
    return fewer < greater and bool(denied)


def _plain(denied: frozenset[str], shared: Set[str]) -> set[str]:
    """Return what is denied without the stems that only one of two statements is found by."""
    return {term for term in denied if ":" not in term or term in shared}


@lru_cache(2048)
def _known(statement: str) -> tuple[Claims, frozenset[str]]:
    content = claims_of(statement)
    return content, frozenset(term for word in content.words for term, _ in word.terms)
