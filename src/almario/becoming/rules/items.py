"""The list under a heading: its items read, replaced or added to, and all else there left as it is."""

import unicodedata
from collections.abc import Sequence

from almario.becoming.rules.locking import locked_spans
from almario.becoming.rules.places import headings_in
from almario.domain.documents.headings import compared, parse_sections, with_section
from almario.domain.documents.lines import folded, is_blank, newline_of, plain_lines, split_lines
from almario.domain.plain_text import is_seen, regex
from almario.named_tuples import NamedTuple

_BULLET = regex(r"^(?:(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+")
_ITEM = regex(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)")


class _Item(NamedTuple):
    """An item's text and the lines of the file that it stands on."""

    text: str
    lines: tuple[int, ...]


def items_of(text: str, title: str) -> list[str]:
    """Return the items of the list under a heading, each in one line."""
    lines = split_lines(text)
    span = _span(text, title)
    return [item.text for item in _items(lines, span)] if span else []


def with_items(text: str, title: str, items: Sequence[str], *, keep: bool = False) -> str:
    """Return *text* with these items under a heading, in the place of those there or, to *keep* them, below.

    The owner's comments, prose and smaller headings with all below them stay, and so does what is locked.
    """
    lines = split_lines(text)
    span = _span(text, title)
    if span is None:
        return with_section(text, title, "\n".join(f"- {item}" for item in items))
    there = _items(lines, span)
    locked = _locked_lines(text)
    own = _above_headings(lines, span)
    free = [item for item in there if item.lines[0] < own[1] and not locked.intersection(item.lines)]
    gone = set() if keep else {line for item in free for line in item.lines}
    staying = {folded(item.text) for item in there if keep or item not in free}
    place = _place(lines, own, free, keep=keep)
    new = [item for item in items if folded(item) not in staying]
    below = [line for index, line in enumerate(lines[place:], place) if index not in gone]
    return _joined(lines[:place], new, below, newline_of(text), gap=not free)


def _joined(above: list[str], items: Sequence[str], below: list[str], end: str, *, gap: bool) -> str:
    """Put items between lines; those that begin a list stand in a *gap*."""
    new = [f"- {item}{end}" for item in items]
    if new and above and not above[-1].endswith("\n"):
        above[-1] += end
    if new and gap and above and not is_blank(above[-1]):
        new.insert(0, end)
    if new and gap and below and not is_blank(below[0]):
        new.append(end)
    return "".join([*above, *new, *below])


def _place(lines: Sequence[str], span: tuple[int, int], free: Sequence[_Item], *, keep: bool) -> int:
    """Return the line before which new items go: where the list is, or else below all that is there."""
    if free:
        return free[-1].lines[-1] + 1 if keep else free[0].lines[0]
    first, end = span
    while end > first and is_blank(lines[end - 1]):
        end -= 1
    return end


def _items(lines: Sequence[str], span: tuple[int, int]) -> list[_Item]:
    """Return the items of a section; the indented lines below one are part of it."""
    first, end = span
    found: list[_Item] = []
    for index, line in plain_lines(lines[first:end]):
        place = first + index
        if start := _ITEM.match(line):
            found.append(_Item(line[start.end() :].strip(), (place,)))
        elif found and found[-1].lines[-1] == place - 1 and line[:1] in " \t" and not is_blank(line):
            text, own = found[-1]
            found[-1] = _Item(f"{text} {line.strip()}", (*own, place))
    return found


def _span(text: str, title: str) -> tuple[int, int] | None:
    line = 0
    for section in parse_sections(text):
        first = line + len(split_lines(section.heading))
        line = first + len(split_lines(section.body))
        if section.level and compared(section.title) == compared(title):
            return first, line
    return None


def _above_headings(lines: Sequence[str], span: tuple[int, int]) -> tuple[int, int]:
    """Return that part of a section which stands under no smaller heading."""
    first, end = span
    shown = {index for index, _ in plain_lines(lines[first:end])}
    smaller = [first + index for index, _ in headings_in(lines[first:end]) if index in shown]
    # A list may well end in a rule, which underlines nothing.
    return first, next((index for index in smaller if not _ITEM.match(lines[index])), end)


def _locked_lines(text: str) -> set[int]:
    spans = [(text.count("\n", 0, span.start), text.count("\n", 0, span.end)) for span in locked_spans(text)]
    return {line for first, last in spans for line in range(first, last + 1)}


def plain_text(text: str) -> str:
    """Return a text without the signs that cannot be seen; its lines and how far they are indented stay."""
    seen = unicodedata.normalize("NFC", "".join(sign for sign in text if is_seen(sign) or sign.isspace()))
    lines = (" " * (len(line) - len(line.lstrip(" "))) + " ".join(line.split()) for line in seen.splitlines())
    return "\n".join(line.rstrip() for line in lines).strip()


def items_in(text: str) -> list[str]:
    """Return the lines of a text that say something, without the signs that make them items of a list."""
    lines = (_BULLET.sub("", line.strip(), count=1) for line in plain_text(text).split("\n"))
    return [line for line in lines if line]
