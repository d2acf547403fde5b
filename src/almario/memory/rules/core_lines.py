"""MEMORY.md as it lies: `- value` bullets under a heading that is their key."""

from almario.domain.documents.headings import parse_sections
from almario.domain.documents.lines import is_blank, split_lines
from almario.domain.lazy_regex import regex
from almario.memory.rules.mirror import MARKER, place

_BULLET = regex(r"[-*+][ \t]+(?=\S)")


def core_lines(text: str) -> list[str]:
    """Return what MEMORY.md says: a fact as `- key: value`, the owner's prose as it is."""
    lines: list[str] = []
    for section in parse_sections(_without_marker(text.removeprefix("\ufeff"))):
        key = section.title if section.level == 2 and place(section.title) else ""
        for line in split_lines(section.body):
            if is_blank(line):
                continue
            bullet = _BULLET.match(line)
            lines.append(f"- {key}: {line[bullet.end() :].rstrip()}" if key and bullet else line.rstrip())
    return lines


def _without_marker(text: str) -> str:
    """Return *text* without Almario's own closing line."""
    filled = text.rstrip()
    last = filled[-200:].rpartition("\n")[2].strip()
    if not MARKER.fullmatch(last):
        return text
    return filled.removesuffix(last).rstrip(" \t")
