"""Locks: what of a soul file is the owner's alone, byte for byte; how a section is locked and unlocked."""

import re
from collections.abc import Iterator, Sequence

from almario.becoming.rules.places import SectionPlace, place_of
from almario.domain.documents.headings import compared, parse_sections
from almario.domain.documents.lines import newline_of
from almario.domain.plain_text import regex
from almario.errors import SoulError
from almario.named_tuples import NamedTuple

_LOCK, _UNLOCK = "<!-- locked -->", "<!-- /locked -->"
_MARKER = regex(r"<!--\s*(?:(/)\s*)?locked\s*-->", re.IGNORECASE)
_MARKER_LINE = regex(r"(?i)<!--\s*(?:/\s*)?locked\s*-->[ \t]*(?:\r\n|\n)?")


class SectionSpan(NamedTuple):
    start: int
    end: int


def locked_spans(text: str) -> list[SectionSpan]:
    """Return what is locked, with its markers; locks within locks are part of it.

    A lock that is never closed goes to the end of the text.
    """
    spans: list[SectionSpan] = []
    depth = start = 0
    for marker in _MARKER.finditer(text):
        if not marker[1]:
            start = start if depth else marker.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                spans.append(SectionSpan(start, marker.end()))
    return [*spans, SectionSpan(start, len(text))] if depth else spans


def keeps_locks(before: str, after: str) -> bool:
    """Say whether a change leaves every lock as it is: byte for byte, in order, in the open, in its section.

    No marker may come or go, either.
    """
    are_there = _markers(before) == _markers(after) and _locked(before) == _locked(after)
    return are_there and _places(before) == _places(after)


class Piece(NamedTuple):
    """Some text that is locked, or some that is not."""

    text: str
    is_locked: bool


class SectionPart(NamedTuple):
    """A section of a soul file, its text in *pieces*; level 0 is what stands before the first heading."""

    level: int
    title: str
    heading: str
    pieces: tuple[Piece, ...]
    start: int
    end: int

    @property
    def is_locked(self) -> bool:
        """Whether anything in it is."""
        return any(piece.is_locked for piece in self.pieces)

    @property
    def can_be_locked(self) -> bool:
        return bool(self.level) and not self.is_locked and any(piece.text.strip() for piece in self.pieces)


def parts_of(text: str) -> list[SectionPart]:
    """Return the sections of a soul file, each with what is locked in it."""
    spans, place, found = locked_spans(text), 0, []
    for section in parse_sections(text):
        start = place + len(section.heading)
        place = start + len(section.body)
        pieces = tuple(_pieces(text, start, place, spans))
        found.append(SectionPart(section.level, section.title, section.heading, pieces, start, place))
    return found


def with_lock(text: str, title: str) -> str:
    """Return a soul file with a section locked; SoulError if it is already, or has nothing in it."""
    part = _named(text, title)
    if part.is_locked:
        raise SoulError('"{section}" is locked already', section=part.title)
    if not part.can_be_locked:
        raise SoulError('there is nothing in "{section}" to be locked', section=part.title)
    body, line = text[part.start : part.end], newline_of(text)
    inner = body.strip("\r\n")
    first = body.index(inner)
    locked = f"{_LOCK}{line}{inner}{line}{_UNLOCK}"
    whole = body[:first] + locked + (body[first + len(inner) :] or line)
    return text[: part.start] + whole + text[part.end :]


def without_lock(text: str, title: str) -> str:
    """Return a soul file without the locks that reach into a section; SoulError if there are none."""
    part = _named(text, title)
    spans = [span for span in locked_spans(text) if span.start < part.end and part.start < span.end]
    if not spans:
        raise SoulError('"{section}" is not locked', section=part.title)
    for span in reversed(spans):
        end = span.end + len(newline_of(text)) if text.startswith(newline_of(text), span.end) else span.end
        text = text[: span.start] + _MARKER_LINE.sub("", text[span.start : end]) + text[end:]
    return text


def without_markers(text: str) -> str:
    """Return a text in which nothing is locked."""
    return _MARKER_LINE.sub("", text)


def _named(text: str, title: str) -> SectionPart:
    parts = [part for part in parts_of(text) if part.level]
    found = [part for part in parts if compared(part.title) == compared(title)]
    if len(found) > 1:
        raise SoulError('there are several sections "{section}"; edit the file itself', section=title)
    if not found:
        titles = ", ".join(part.title for part in parts)
        raise SoulError('there is no section "{section}"; there are: {titles}', section=title, titles=titles)
    return found[0]


def _pieces(text: str, start: int, end: int, spans: Sequence[SectionSpan]) -> Iterator[Piece]:
    place = start
    for span in spans:
        first, last = max(span.start, place), min(span.end, end)
        if first >= last:
            continue
        if first > place:
            yield Piece(text[place:first], is_locked=False)
        yield Piece(text[first:last], is_locked=True)
        place = last
    if place < end:
        yield Piece(text[place:end], is_locked=False)


def _markers(text: str) -> list[str]:
    return [marker[0] for marker in _MARKER.finditer(text)]


def _locked(text: str) -> list[str]:
    return [text[span.start : span.end] for span in locked_spans(text)]


def _places(text: str) -> list[SectionPlace]:
    return [place_of(text, span.start) for span in locked_spans(text)]
