"""Where a block of Markdown ends, as it comes."""

import re

from almario.domain.plain_text import regex

_FENCE = regex(r" {0,3}(`{3,}|~{3,})")
_ITEM = regex(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)")


def finished(text: str) -> int:
    """Return how much of the text, from its beginning, are whole blocks that nothing to come can change.

    A block ends at a blank line, unless it is fenced code or a list that goes on.
    """
    end = place = 0
    fence = ""
    is_list = after_blank = False
    start = 0
    for line in text.splitlines(keepends=True):
        begins = after_blank and line.strip() and not fence
        if begins and not line[0].isspace() and not (is_list and _may_be_item(line)):
            end = start = place
        if place == start:
            is_list = bool(_ITEM.match(line))
        if found := _FENCE.match(line):
            fence = _fence_after(fence, found[1], line)
        after_blank = not line.strip() and line.endswith("\n")
        place += len(line)
    return end


def _may_be_item(line: str) -> bool:
    """Return whether a line is a list's item, or may become one when the rest of it has come."""
    return bool(_ITEM.match(line)) or (
        not line.endswith("\n") and bool(re.fullmatch(r"[-*+]|\d{1,9}[.)]?", line))
    )


def _fence_after(fence: str, signs: str, line: str) -> str:
    if not fence:
        return signs
    closes = signs[0] == fence[0] and len(signs) >= len(fence) and not line.strip().strip(signs[0])
    return "" if closes else fence
