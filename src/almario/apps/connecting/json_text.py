"""Changing a JSON text where its value changes, and nowhere else: order, spacing and the rest stay."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from almario.named_tuples import NamedTuple

_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\])*"|(?P<single>'(?:\\.|[^'\\])*')"""
    r"""|-?\d[\w.+-]*|(?P<name>[A-Za-z_$][\w$]*)|\s+|.""",
    re.DOTALL,
)


class _Item(NamedTuple):
    """A member of an object or an element of an array: its name, and where it and its value are."""

    name: str
    start: int
    value_start: int
    end: int


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


class _Wanted(NamedTuple):
    """What becomes of a container: which of its items stay, and what is added, each with its name if any."""

    stay: Sequence[bool]
    added: Sequence[tuple[str, Any]]


def rewritten(text: str, value: Any) -> str:
    """Return a JSON text with another value, changed in as few places as it takes."""
    start = _skipped(text, 0)
    edits = _edits(text, start, _DECODER.raw_decode(text, start)[0], value)
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def relaxed(text: str) -> str:
    """Return JSON with comments, trailing commas, bare names or single quotes as plain JSON."""
    kept: list[str] = []
    for found in _TOKEN.finditer(text):
        piece = found[0]
        if found.lastgroup == "comment" or piece.isspace():
            continue
        if found.lastgroup == "single":
            piece = json.dumps(piece[1:-1].replace("\\'", "'"))
        elif found.lastgroup == "name" and piece not in ("true", "false", "null"):
            piece = f'"{piece}"'
        elif piece in ("}", "]") and kept and kept[-1] == ",":
            del kept[-1]
        kept.append(piece)
    return "".join(kept)


def _edits(text: str, at: int, old: Any, new: Any) -> Iterator[_Edit]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        items = list(_items(text, at))
        for item in items:
            if item.name in new:
                yield from _edits(text, item.value_start, old[item.name], new[item.name])
        added = [(f"{json.dumps(name, ensure_ascii=False)}: ", new[name]) for name in new if name not in old]
        yield from _interior(text, at, items, _Wanted([item.name in new for item in items], added))
    elif isinstance(old, list) and isinstance(new, list):
        stay = _staying(old, new)
        added = [("", value) for value in new[sum(stay) :]]
        yield from _interior(text, at, list(_items(text, at)), _Wanted(stay, added))
    else:
        yield _Edit(at, _DECODER.raw_decode(text, at)[1], _dumped(text, new, _indent_at(text, at)))


def _staying(old: Sequence[Any], new: Sequence[Any]) -> list[bool]:
    stay, at = [], 0
    for element in old:
        stay.append(at < len(new) and new[at] == element)
        at += stay[-1]
    return stay


def _interior(text: str, at: int, items: Sequence[_Item], wanted: _Wanted) -> Iterator[_Edit]:
    last = max((n for n, stays in enumerate(wanted.stay) if stays), default=None)
    if last is None:
        yield from _refilled(text, at, items, wanted.added)
        return
    for n, stays in enumerate(wanted.stay[:last]):
        if not stays:
            yield _Edit(items[n].start, items[n + 1].start, "")
    gap = text[at + 1 : items[0].start] or " "
    indent = gap.rpartition("\n")[2] if "\n" in gap else None
    new = [f",{gap}{head}{_dumped(text, value, indent)}" for head, value in wanted.added]
    if new or last < len(items) - 1:
        yield _Edit(items[last].end, items[-1].end, "".join(new))


def _refilled(
    text: str, at: int, items: Sequence[_Item], added: Sequence[tuple[str, Any]]
) -> Iterator[_Edit]:
    close = _skipped(text, items[-1].end if items else at + 1)
    outer = _indent_at(text, at)
    newline, inner = _newline(text), outer + _unit(text)
    lines = [f"{newline}{inner}{head}{_dumped(text, value, inner)}" for head, value in added]
    yield _Edit(at + 1, close, ",".join(lines) + (newline + outer if lines else ""))


def _items(text: str, at: int) -> Iterator[_Item]:
    is_object = text[at] == "{"
    at = _skipped(text, at + 1)
    while text[at] not in "}]":
        start, name = at, ""
        if is_object:
            name, at = _DECODER.raw_decode(text, at)
            at = _skipped(text, _skipped(text, at) + 1)
        end = _DECODER.raw_decode(text, at)[1]
        yield _Item(name, start, at, end)
        at = _skipped(text, end)
        if text[at] == ",":
            at = _skipped(text, at + 1)


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _dumped(text: str, value: Any, indent: str | None) -> str:
    if indent is None:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (_newline(text) + indent).join(lines)


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """Return how much further in the text goes with each level."""
    for line in text.splitlines():
        if spaces := line[: len(line) - len(line.lstrip(" \t"))]:
            return spaces
    return "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
