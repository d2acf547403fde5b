"""What becomes of a soul's boundaries: which of them another soul no longer has as they were.

A boundary may be said in other words. It is broken when nothing like it is
left, when what is left says less ("usually", "unless"), or when something
new says the contrary.
"""

import re
from collections.abc import Mapping
from functools import cache

from almario.becoming.rules.contradictions import denies
from almario.becoming.rules.statements import BOUNDARY, Near, by_words, is_contrary, sections_of
from almario.domain.words import fold
from almario.language import either, languages

# So alike are two wordings of one boundary, by their meaning or by the words that they share.
_ALIKE, _SHARED = 0.5, 0.25
# Of more boundaries, and more that is new, only so many are compared.
_MOST = 150


def broken(before: Mapping[str, str], after: Mapping[str, str], near: Near | None) -> list[str]:
    """Return the boundaries of a soul that are gone, weakened or denied in another; None is by words."""
    bounds, had, there = _boundaries(before), _statements(before), _statements(after)
    new = [text for text in there if text not in had][:_MOST]
    return [
        text
        for place, text in enumerate(bounds)
        if (text not in there and (place >= _MOST or _is_lost(text, new, near)))
        or (place < _MOST and any(is_contrary(text, each) for each in new))
    ]


def _is_lost(boundary: str, new: list[str], near: Near | None) -> bool:
    """Say whether nothing that is new is another wording of a boundary."""
    alike, least = (near, _ALIKE) if near else (by_words, _SHARED)
    likeness, wording = max(((alike(boundary, each), each) for each in new), default=(0.0, ""))
    return likeness < least or _is_weaker(fold(wording), fold(boundary))


def _is_weaker(wording: str, boundary: str) -> bool:
    if denies(boundary) and not denies(wording):
        return True
    only, at_times = _restricting(), _at_times()
    if only.search(boundary) and not only.search(wording) and not denies(wording):
        return True
    return not set(at_times.findall(wording)) <= set(at_times.findall(boundary))


@cache
def _at_times() -> re.Pattern[str]:
    """Return what makes of a rule one that holds at times, unless it is said that it holds even then."""
    even = "".join(f"(?<!{word} )" for each in languages() for word in sorted(each.even))
    return re.compile(rf"{even}\b(?:{either(languages(), 'at_times', 'weakening')})\b")


@cache
def _restricting() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either(languages(), 'only')})\b")


def _boundaries(soul: Mapping[str, str]) -> list[str]:
    sections = [each for each in sections_of(soul).values() if each.weight == BOUNDARY]
    return list(dict.fromkeys(text for section in sections for text in section.statements))


def _statements(soul: Mapping[str, str]) -> dict[str, None]:
    return dict.fromkeys(text for each in sections_of(soul).values() for text in each.statements)
