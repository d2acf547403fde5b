"""MEMORY.md as it lies: `- value` bullets under a heading that is their key."""

import re

from almario.domain.documents.lines import is_blank, split_lines, with_newlines_of
from almario.domain.documents.sections import parse_sections

_MARKER = re.compile(r"<!-- almario \d[^>]*-->")
_BULLET = re.compile(r"[-*+][ \t]+(?=\S)")


def core_lines(text: str) -> list[str]:
    """Return what MEMORY.md says: a fact as `- key: value`, the owner's prose as it is."""
    lines: list[str] = []
    for section in parse_sections(_without_marker(text)[0]):
        key = section.title if section.level == 2 else ""
        for line in split_lines(section.body):
            if is_blank(line):
                continue
            bullet = _BULLET.match(line)
            lines.append(f"- {key}: {line[bullet.end() :].rstrip()}" if key and bullet else line.rstrip())
    return lines


def with_lines_of(text: str, older: str, *, title: str) -> str:
    """Return *text* followed by what *older* holds that it does not, under *title*."""
    if is_blank(text):
        return older
    known = {line.strip() for line in split_lines(text)}
    parts: list[str] = []
    for section in parse_sections(older.lstrip("\ufeff")):
        new = [line for line in split_lines(section.body) if line.strip() not in known and not is_blank(line)]
        if new:
            parts.append(f"{section.heading.rstrip()}\n" * bool(section.level) + "".join(new).rstrip() + "\n")
    if not parts:
        return text
    body, marker = _without_marker(text)
    end = "" if body.endswith("\n") else "\n"
    addition = f"{end}\n# {title}\n\n" + "\n".join(parts) + (f"\n{marker}\n" if marker else "")
    return body + with_newlines_of(addition, text)


def _without_marker(text: str) -> tuple[str, str]:
    """Part *text* from Almario's own closing line, if it is there."""
    last = text[-200:].rstrip().rpartition("\n")[2].strip()
    if not _MARKER.fullmatch(last):
        return text, ""
    return text.rstrip().removesuffix(last).rstrip() + "\n", last
