"""Markdown notes: statements under their headings, front matter, and links as plain words."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import zip_longest
from textwrap import dedent
from typing import NamedTuple

from almario.domain import validity
from almario.domain.documents.lines import hidden_spans
from almario.domain.memories import KINDS
from almario.domain.plain_text import regex
from almario.importing.fields import Fields, instant
from almario.plugins import Note

_FRONT = regex(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = regex(r"^([A-Za-z_][\w -]*):[ \t]*(.*)$")
_HEADING = regex(r"^(?:#{1,6}[ \t]+(.*?)[ \t]*#*|\*\*([^*]+)\*\*:?[ \t]*)$")
_POINT = regex(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$")
_LINK = regex(r"!?\[\[([^\[\]|#]{0,200})(?:#[^\[\]|]{0,200})?(?:\|([^\[\]]{0,200}))?\]\]")
_HIDDEN = regex(r"<!--[^<]{0,500}?-->|%%[^%]{0,500}%%")
# What 0.2, which wrote such files, says of a point beside its words, where nobody sees it.
_REMARK = regex(r"[ \t]*<!-- almario (\{[^<>]*\}) -->[ \t]*$")
_FENCES = ("```", "~~~")
_DAY = regex(r"\d{4}-\d\d-\d\d")
_BAR = regex(r"(?<!\\)\|")
# A line of bold words is a heading below all that have signs.
_BOLD = 7


def parted(content: str) -> tuple[Mapping[str, str], str]:
    """Return the front matter of a note, each field as a text, and the rest."""
    found = _FRONT.match(content)
    if not found:
        return {}, content
    fields = [_FIELD.match(line) for line in found[1].splitlines()]
    named = {each[1].strip().lower(): each[2].strip().strip("\"'") for each in fields if each}
    return named, content[found.end() :]


class Point(NamedTuple):
    """A point of a list, a paragraph, a row of a table or a block of code, as it stands there.

    *heading* is what it stands under, *day* the one with which a heading above it begins.
    """

    text: str
    heading: str = ""
    day: datetime | None = None
    is_code: bool = False

    @property
    def words(self) -> str:
        return self.text if self.is_code else plain(self.text)


def statements(content: str) -> Iterator[tuple[str, str]]:
    """Yield what a text states, each point with the heading it stands under."""
    return ((each.heading, each.words) for each in points(content) if each.words)


def points(content: str) -> Iterator[Point]:
    """Yield the points of a text; one goes on in the lines below it, up to the next or an empty one."""
    lines = content.splitlines()
    spans = hidden_spans(lines)
    under, level, said, index = Point(""), 0, list[str](), 0
    while index < len(lines):
        line, end, rows = lines[index], index + 1, list[Point]()
        title, point = _HEADING.match(line), _POINT.match(line)
        if index in spans and line.lstrip().startswith(_FENCES):
            end = spans[index]
            code = dedent("\n".join(lines[index + 1 : end - 1])).strip("\n")
            rows = [under._replace(text=code, is_code=True)]
        elif "|" in line and _is_rule(*lines[end : end + 1]):
            end = next((n for n in range(end, len(lines)) if "|" not in lines[n]), len(lines))
            rows = [under._replace(text=_row(line, each)) for each in lines[index + 2 : end]]
        if said and (rows or title or point or not line.strip()):
            yield under._replace(text=" ".join(said))
            said = []
        yield from rows
        if title:
            heading, own = plain(title[1] or title[2]), len(line) - len(line.lstrip("#")) or _BOLD
            if day := day_named(heading[:10]):  # `2026-11-12, Thursday`
                level = own
            under = Point("", heading, day or (under.day if own > level else None))
        elif not rows:
            said += [point[1] if point else line.strip()] if line.strip() else []
        index = end
    if said:
        yield under._replace(text=" ".join(said))


def day_named(title: str) -> datetime | None:
    """Return the day that is a note's title, at noon."""
    return instant(f"{title}T12:00:00") if _DAY.fullmatch(title) else None


def _is_rule(line: str = "") -> bool:
    """Return whether a line stands between the columns' names of a table and its rows."""
    return "|" in line and "-" in line and not line.strip(" \t|:-")


def _row(names: str, line: str) -> str:
    """Return what a row of a table says: of each column its name, and what stands there."""
    cells = zip_longest(_cells(names), _cells(line), fillvalue="")
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in cells if cell)


def _cells(line: str) -> list[str]:
    return [each.replace("\\|", "|").strip() for each in _BAR.split(line.strip().strip("|"))]


def remarked(point: Point) -> tuple[str, Fields]:
    """Return what a point says, and what 0.2 says of it, if that wrote the file."""
    found = None if point.is_code else _REMARK.search(point.text)
    try:
        own = json.loads(found[1]) if found else {}
    except (ValueError, RecursionError):
        own = {}
    return plain(_REMARK.sub("", point.text)) if found else point.words, Fields(own)


def as_exported(note: Note, own: Fields) -> Note:
    """Return a note with what 0.2 says of it, if that wrote the file; its words count as they stand there."""
    exact, kind, dated = own["text"], own["kind"], own.text("dated")
    told = (each(whole) for whole in (f"{exact}", f"{own['key']}: {exact}") for each in (flat, plain))
    return note._replace(
        text=exact if isinstance(exact, str) and note.text in told else note.text,
        key=own.text("key") if "key" in own else note.key,
        kind=kind if kind in KINDS else note.kind,
        since=own.instant("since") or note.since,
        dated=dated if validity.read(dated) or validity.is_written(dated) else note.dated,
        cues=tuple(own.texts("cues")) if own.all else note.cues,
    )


def flat(text: str) -> str:
    """Return what a point of a list can say of a text: in one line, without what would not be read back."""
    line, before = " ".join(text.split()), ""
    while line != before:
        before, line = line, next((each for _, each in statements(f"- {line} <!-- -->")), "")
    return line or "…"


def plain(text: str) -> str:
    """Return a line without comments, with links as the words that they show."""
    shown = _LINK.sub(lambda found: found[2] or found[1], _HIDDEN.sub("", text))
    return " ".join(shown.replace("**", "").split()).strip()
