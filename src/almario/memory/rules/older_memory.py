"""MEMORY.md as it lies: `- value` bullets under a heading that is their key."""

import re

from almario.domain.documents.headings import Section, parse_sections
from almario.domain.documents.lines import folded, hidden_spans, is_blank, split_lines, with_newlines_of
from almario.memory.rules.mirror import MARKER, place

_BULLET = re.compile(r"[-*+][ \t]+(?=\S)")


def core_lines(text: str) -> list[str]:
    """Return what MEMORY.md says: a fact as `- key: value`, the owner's prose as it is."""
    lines: list[str] = []
    for section in parse_sections(_without_marker(text.removeprefix("\ufeff"))[0]):
        key = section.title if section.level == 2 and place(section.title) else ""
        for line in split_lines(section.body):
            if is_blank(line):
                continue
            bullet = _BULLET.match(line)
            lines.append(f"- {key}: {line[bullet.end() :].rstrip()}" if key and bullet else line.rstrip())
    return lines


def with_lines_of(text: str, older: str, *, title: str) -> str:
    """Return *text* followed by what *older* holds that it does not, under *title*.

    The same line under another heading is another fact.
    """
    if is_blank(text):
        return older
    sections = parse_sections(text.lstrip("\ufeff"))
    known = {(key, part.strip()) for section in sections for key, part in _parts(section)}
    known |= {("", part) for _, part in known}
    parts: list[str] = []
    for section in parse_sections(older.lstrip("\ufeff")):
        new = [part for key, part in _parts(section) if (key, part.strip()) not in known]
        if new:
            parts.append(f"{section.heading.rstrip()}\n" * bool(section.level) + "".join(new).rstrip() + "\n")
    if not parts:
        return text
    body, marker = _without_marker(text)
    end = "" if body.endswith("\n") else "\n"
    addition = f"{end}\n# {title}\n\n" + "\n".join(parts) + (f"\n{marker}\n" if marker else "")
    return body + with_newlines_of(addition, text)


def _parts(section: Section) -> list[tuple[str, str]]:
    """Return a section's lines that say something, each with its key; a fence or comment is one part."""
    key = folded(section.title) if section.level == 2 else ""
    lines = split_lines(section.body)
    spans = hidden_spans(lines)
    found = []
    index = 0
    while index < len(lines):
        end = spans.get(index, index + 1)
        if not is_blank(lines[index]):
            found.append((key, "".join(lines[index:end])))
        index = end
    return found


def _without_marker(text: str) -> tuple[str, str]:
    """Part *text* from Almario's own closing line, if it is there."""
    filled = text.rstrip()
    last = filled[-200:].rpartition("\n")[2].strip()
    if not MARKER.fullmatch(last):
        return text, ""
    return filled.removesuffix(last).rstrip(" \t"), last
