"""Locked sections: what stands from `<!-- locked -->` to `<!-- /locked -->` stays as it is, where it is."""

import re
from typing import NamedTuple

from almario.becoming.rules.places import Place, place_of
from almario.domain.lazy_regex import regex

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
