"""What a soul says of itself, statement by statement.

Left out is what is meant to change every night: the present focus, open
questions, observations and the last reflection of MOTIVATIONS.md.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from almario.becoming.rules.motivations import FOCUS, LAST_REFLECTION, OBSERVATIONS, QUESTIONS
from almario.domain.documents.headings import compared, join_sections, parse_sections
from almario.domain.documents.lines import is_blank, without_comments
from almario.domain.plain_text import regex
from almario.domain.words import fold, sentences_in
from almario.language import either, languages

_VOLATILE = {compared(title) for title in (FOCUS, QUESTIONS, OBSERVATIONS, LAST_REFLECTION)}
_ITEM = regex(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+|#{1,6}[ \t]+|>[ \t]?")
_LOCKS = regex(r"<!-- */?locked *-->")
_MARKS = regex(r"[*_`]+")


def core(file: str, text: str) -> str:
    """Return what of a soul file makes the agent who it is."""
    if file != "MOTIVATIONS.md":  # a comment in SOUL.md is told to the model like anything else there
        return _LOCKS.sub("", text)
    sections = parse_sections(without_comments(text))
    return join_sections([each for each in sections if compared(each.title) not in _VOLATILE])


def sections_of(soul: Mapping[str, str]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the statements under each heading of SOUL.md and MOTIVATIONS.md, by file and folded title."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for file in ("SOUL.md", "MOTIVATIONS.md"):
        for each in parse_sections(core(file, soul.get(file, ""))):
            key = file, compared(each.title)
            if statements := (*found.get(key, ()), *_statements(each.body)):
                found[key] = statements
    return found


def is_boundary(title: str) -> bool:
    """Return whether what stands under a heading is what the agent will never do."""
    return _limits().search(fold(title)) is not None


@cache
def _limits() -> re.Pattern[str]:
    return re.compile(either(languages(), "limits"))


def _statements(body: str) -> Iterator[str]:
    """Yield the sentences of a text; a list item begins a new one, and so does a blank line."""
    block: list[str] = []
    for line in [*body.split("\n"), ""]:
        item = _ITEM.match(line)
        if item or is_blank(line):
            yield from sentences_in(" ".join(_MARKS.sub("", " ".join(block)).split()))
            block = []
        block.append(line[item.end() :] if item else line)
