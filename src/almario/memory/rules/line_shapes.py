"""How people write a fact: as a bullet, with a label or without, with a key in bold, as a row of a table.

What stands before and after a value is kept, so that a new value stands as the old one did.
"""

from collections.abc import Sequence

from almario.domain.documents.bullets import (
    bold_label_in,
    bullet,
    bullet_value,
    cell,
    cell_value,
    flat,
    label_in,
    unguard_arrows,
)
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

_BULLET = regex(r"[-*+][ \t]+(?=[^ \t\r\n])")
_RULE = regex(r"([-*])(?:[ \t]*\1){2,}[ \t\r\n]*\Z")
# Cells end at a bar that has no backslash before it.
_ROW = regex(
    r"\|(?P<key>(?:[^|\r\n]|(?<=\\)\|)*+)\|[ \t]*(?P<value>(?:[^|\r\n]|(?<=\\)\|)*+)\|?[ \t]*\r?\n?\Z"
)
_DASHES = regex(r"[ \t]*:?-+:?[ \t]*")


class MirrorLine(NamedTuple):
    """A line's label and value, and what stands before the value and after it."""

    label: str
    value: str
    lead: str
    tail: str = ""


class MirrorTable:
    """Knows which rows are facts: those of a table with two columns, below its head.

    It ends at a blank line: a line between its rows that comes or goes changes nothing.
    """

    def __init__(self) -> None:
        self.heads: list[int] = []
        self._is_begun = False
        self._head: int | None = None

    def end(self) -> None:
        """Leave the table, if it was one."""
        self._is_begun, self._head = False, None

    def row(self, index: int, line: str) -> MirrorLine | None:
        """Return the fact in a line that follows the one before; None if it is none."""
        found = _ROW.match(line) if line.startswith("|") else None
        if not line.strip(" \t\r\n"):
            self.end()
        elif not found:
            return None
        elif self._is_begun:
            key = cell_value(found["key"]).strip(" *_`:")
            lead = line[: found.start("value")]
            return MirrorLine(key, cell_value(found["value"]), lead, " |") if key else None
        elif self._head is not None and all(map(_DASHES.fullmatch, (found["key"], found["value"]))):
            self._is_begun = True
            self.heads += [self._head, index]
        else:
            self._head = index
        return None


def bold_line(line: str) -> MirrorLine | None:
    """Return the fact in a line that begins with a key in bold."""
    label, start = bold_label_in(line) if line[:2] in ("**", "__") else ("", 0)
    if not label:
        return None
    end = _before_comments(line)
    return MirrorLine(label, unguard_arrows(line[start:end]), line[:start], line[end:].rstrip(" \t\r\n"))


def is_bullet(line: str) -> bool:
    return bool(_BULLET.match(line)) and not _RULE.match(line)


def bullet_line(line: str, more: Sequence[str]) -> MirrorLine:
    """Return the fact in a bullet and the lines below it."""
    sign = _BULLET.match(line)
    begin, end = sign.end() if sign else 0, _before_comments(line)
    label, length = label_in(line[begin:end])
    start = begin + length
    value = bullet_value(line[start:end], list(more))
    return MirrorLine(label, value, line[:start], line[end:].rstrip(" \t\r\n"))


def lines_of(value: str, end: str, lead: str = "- ", tail: str = "") -> str:
    """Return a value's lines, between what is to stand before it and after it."""
    if lead.startswith("|"):
        return f"{lead}{cell(value)}{tail}{end}"
    return bullet(value, end, lead, tail) if _BULLET.match(lead + ".") else f"{lead}{flat(value)}{tail}{end}"


def _before_comments(line: str) -> int:
    """Return where the comments begin with which a line closes, as other agents leave them."""
    end = len(line.rstrip(" \t\r\n"))
    while line.endswith("-->", 0, end):
        start = line.rfind("<!--", 0, end)
        if start < 0 or line.find("-->", start, end) != end - 3:
            break
        end = start
        while line[end - 1 : end] in (" ", "\t"):
            end -= 1
    return end
