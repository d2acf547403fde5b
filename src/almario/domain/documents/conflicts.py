"""Merge markers that a version control program left in a text, with both sides of what it could not merge."""

import re

from almario.domain.plain_text import regex

_CONFLICT = regex(
    r"^<{7}(?:[ \t][^\n]*)?\r?\n(?:[^\n]*\n)*?={7}\r?\n(?:[^\n]*\n)*?>{7}(?:[ \t][^\n]*)?$", re.MULTILINE
)


def conflict_line(text: str) -> int:
    """Return the line on which the first conflict begins, from 1; 0 if there is none."""
    if "<<<<<<<" not in text:
        return 0
    found = _CONFLICT.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def without_conflicts(text: str) -> str:
    """Return a text without its conflicts, its lines in place: which side holds is the owner's to say."""
    return _CONFLICT.sub(lambda found: "\n" * found[0].count("\n"), text) if "<<<<<<<" in text else text
