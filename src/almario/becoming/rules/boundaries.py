"""What of a soul is the owner's to decide: its boundaries, and its locks, byte for byte."""

import re
from collections.abc import Iterator, Mapping, Sequence

from almario.becoming.rules.statements import is_boundary, sections_of
from almario.domain.documents.lines import is_blank, split_lines
from almario.domain.plain_text import regex
from almario.domain.words import fold
from almario.memory.rules.sameness import is_denied
from almario.named_tuples import NamedTuple

# Of more boundaries, and more that is new, only so many are compared.
_MOST = 150


def broken(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the boundaries of a soul that another does not have as they were, or says the contrary of.

    Whether other words say the same is for the owner to judge.
    """
    had, there = _statements(before), _statements(after)
    new = [text for key, text in there.items() if key not in had][:_MOST]
    bounds = [text for (_, title), said in sections_of(before).items() if is_boundary(title) for text in said]
    return [
        text
        for place, text in enumerate(dict.fromkeys(bounds))
        if fold(text) not in there or (place < _MOST and any(is_denied(text, each) for each in new))
    ]


def _statements(soul: Mapping[str, str]) -> dict[str, str]:
    return {fold(text): text for said in sections_of(soul).values() for text in said}


_SIGNS = regex(r"[ \t>\ufeff]*(#{1,6})(?=[ \t\r\n]|$)")
_UNDERLINE = regex(r"[ \t>]*(=+|-+)[ \t]*\r?\n?$")
_TAG = regex(r"<h([1-6])\b", re.IGNORECASE)
_FENCE = regex(r"[ \t>]*(`{3,}|~{3,})(.*)", re.DOTALL)
# The same limits as those of Markdown: a comment may end in the hyphens it begins with.
_COMMENT, _COMMENT_END = "<!--", "-->"


class Place(NamedTuple):
    """How a place is read: below which headings, in which fence, in a comment, after what on its line."""

    headings: tuple[str, ...]
    fence: str
    in_comment: bool
    line: str


def headings_in(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the index and level of each line that could be a heading, underlined ones included."""
    for index, line in enumerate(lines):
        found = _SIGNS.match(line)
        tag = _TAG.search(line)
        below = _UNDERLINE.match(lines[index + 1]) if index + 1 < len(lines) else None
        if found:
            yield index, len(found[1])
        elif tag:
            yield index, int(tag[1])
        elif below and not is_blank(line) and not _UNDERLINE.match(line):
            yield index, 1 if below[1][0] == "=" else 2


def place_of(text: str, start: int) -> Place:
    """Return how the place at *start* is read, by what stands above it."""
    lines = split_lines(text[:start])
    begun = lines.pop() if lines and not lines[-1].endswith("\n") else ""
    chain: dict[int, str] = {}
    for index, level in headings_in(lines):
        chain = {above: title for above, title in chain.items() if above < level}
        chain[level] = lines[index].rstrip()
    return Place(tuple(chain.values()), _fence_at_end(lines), _is_in_comment(text, start), begun)


def _fence_at_end(lines: Sequence[str]) -> str:
    """Return the signs of the fence that is open after these lines, if any."""
    fence = ""
    for line in lines:
        if not (found := _FENCE.match(line)):
            continue
        signs, rest = found[1], found[2]
        if not fence:
            fence = "" if signs[0] == "`" and "`" in rest else signs
        elif signs.startswith(fence) and not rest.strip():
            fence = ""
    return fence


def _is_in_comment(text: str, start: int) -> bool:
    place = 0
    while 0 <= (opened := text.find(_COMMENT, place)) < start:
        end = text.find(_COMMENT_END, opened + 2)
        place = end + len(_COMMENT_END)
        if end < 0 or place > start:
            return True
    return False


_MARKER = regex(r"<!--\s*(?:(/)\s*)?locked\s*-->", re.IGNORECASE)


class Span(NamedTuple):
    start: int
    end: int


def locked_spans(text: str) -> list[Span]:
    """Return what is locked, with its markers; locks within locks are part of it.

    A lock that is never closed goes to the end of the text.
    """
    spans: list[Span] = []
    depth = start = 0
    for marker in _MARKER.finditer(text):
        if not marker[1]:
            start = start if depth else marker.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                spans.append(Span(start, marker.end()))
    return [*spans, Span(start, len(text))] if depth else spans


def keeps_locks(before: str, after: str) -> bool:
    """Say whether a change leaves every lock as it is: byte for byte, in order, in the open, in its section.

    No marker may come or go, either.
    """
    are_there = _markers(before) == _markers(after) and _locked(before) == _locked(after)
    return are_there and _places(before) == _places(after)


def _markers(text: str) -> list[str]:
    return [marker[0] for marker in _MARKER.finditer(text)]


def _locked(text: str) -> list[str]:
    return [text[span.start : span.end] for span in locked_spans(text)]


def _places(text: str) -> list[Place]:
    return [place_of(text, span.start) for span in locked_spans(text)]
