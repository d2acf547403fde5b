"""Markdown notes: statements under their headings, front matter, and links as plain words."""

import json
import re
from collections.abc import Iterator, Mapping

from almario.domain.plain_text import regex
from almario.importing.fields import Fields

_FRONT = regex(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = regex(r"^([A-Za-z_][\w -]*):[ \t]*(.*)$")
_HEADING = regex(r"^(?:#{1,6}[ \t]+(.*?)[ \t]*#*|\*\*([^*]+)\*\*:?[ \t]*)$")
_POINT = regex(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$")
_LINK = regex(r"!?\[\[([^\[\]|#]{0,200})(?:#[^\[\]|]{0,200})?(?:\|([^\[\]]{0,200}))?\]\]")
_HIDDEN = regex(r"<!--[^<]{0,500}?-->|%%[^%]{0,500}%%")
# What an export of ours says of a point beside its words, where nobody sees it.
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
    """Return what a point says, and what an export of ours says of it."""
    found = _REMARK.search(raw)
    try:
        own = json.loads(found[1]) if found else {}
    except (ValueError, RecursionError):
        own = {}
    return plain(_REMARK.sub("", raw)), Fields(own)


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
