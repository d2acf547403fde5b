"""Markdown notes: statements under their headings, front matter, and links as plain words."""

import json
import re
from collections.abc import Iterator, Mapping

from almario.domain import validity
from almario.domain.memories import KINDS
from almario.domain.plain_text import regex
from almario.importing.fields import Fields
from almario.plugins import Note

_FRONT = regex(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = regex(r"^([A-Za-z_][\w -]*):[ \t]*(.*)$")
_HEADING = regex(r"^(?:#{1,6}[ \t]+(.*?)[ \t]*#*|\*\*([^*]+)\*\*:?[ \t]*)$")
_POINT = regex(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$")
_LINK = regex(r"!?\[\[([^\[\]|#]{0,200})(?:#[^\[\]|]{0,200})?(?:\|([^\[\]]{0,200}))?\]\]")
_HIDDEN = regex(r"<!--[^<]{0,500}?-->|%%[^%]{0,500}%%")
# What 0.2, which wrote such files, says of a point beside its words, where nobody sees it.
_REMARK = regex(r"[ \t]*<!-- almario (\{[^<>]*\}) -->[ \t]*$")
_FENCE = ("```", "~~~")


def parted(content: str) -> tuple[Mapping[str, str], str]:
    """Return the front matter of a note, each field as a text, and the rest."""
    found = _FRONT.match(content)
    if not found:
        return {}, content
    fields = [_FIELD.match(line) for line in found[1].splitlines()]
    named = {each[1].strip().lower(): each[2].strip().strip("\"'") for each in fields if each}
    return named, content[found.end() :]


def statements(content: str) -> Iterator[tuple[str, str]]:
    """Yield what a text states: each point of a list and each paragraph, with the heading it stands under.

    Code is left out; a point goes on in the lines that are indented below it.
    """
    return ((heading, text) for heading, raw in points(content) if (text := plain(raw)))


def points(content: str) -> Iterator[tuple[str, str]]:
    """Yield the same as it stands there, with comments."""
    heading, lines, is_code = "", [], False  # type: str, list[str], bool
    for line in [*content.splitlines(), ""]:
        if line.lstrip().startswith(_FENCE):
            is_code = not is_code
            continue
        if is_code:
            continue
        title, point = _HEADING.match(line), _POINT.match(line)
        if title or point or not line.strip():
            if lines:
                yield heading, " ".join(lines)
            lines = [point[1]] if point else []
            heading = plain(title[1] or title[2]) if title else heading
        else:
            lines.append(line.strip())


def remarked(raw: str) -> tuple[str, Fields]:
    """Return what a point says, and what 0.2 says of it, if that wrote the file."""
    found = _REMARK.search(raw)
    try:
        own = json.loads(found[1]) if found else {}
    except (ValueError, RecursionError):
        own = {}
    return plain(_REMARK.sub("", raw)), Fields(own)


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
