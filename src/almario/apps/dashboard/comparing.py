"""What differs between two texts, for reading: line beside line, with the very words that changed."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal, NamedTuple

from almario.domain.plain_text import regex

_WORD = regex(r"\w+|\s+|[^\w\s]")
# So many lines are shown around a change.
_AROUND = 2
# Lines that have less in common are not one line that changed; longer ones are not looked at closely.
_ALIKE, _LONG = 0.4, 4000


class ComparedRun(NamedTuple):
    """Some words of a line; whether the other line has others in their place."""

    text: str
    is_changed: bool = False


class ComparedRow(NamedTuple):
    """A line as it *was* and as it *is*, in runs; of unchanged lines, how many are *left_out*."""

    kind: Literal["same", "changed", "gone", "come", "skipped"]
    was: tuple[ComparedRun, ...] = ()
    now: tuple[ComparedRun, ...] = ()
    left_out: int = 0


def compared(before: str, after: str) -> list[ComparedRow]:
    """Return what differs, with some lines around it; nothing, if nothing does."""
    old, new = before.splitlines(), after.splitlines()
    rows: list[ComparedRow] = []
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            rows += [ComparedRow("same", (ComparedRun(line),), (ComparedRun(line),)) for line in old[i:j]]
        else:
            rows += _replaced(old[i:j], new[k:m])
    return list(_shortened(rows)) if any(row.kind != "same" for row in rows) else []


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[ComparedRow]:
    """Yield lines that took the place of others: those that are alike, beside each other."""
    later: list[ComparedRow] = []
    for was, now in zip_longest(old, new):
        if was is not None and now is not None and (both := _changed(was, now)):
            yield from later
            later = []
            yield both
            continue
        if was is not None:
            yield ComparedRow("gone", (ComparedRun(was),))
        if now is not None:
            later.append(ComparedRow("come", now=(ComparedRun(now),)))
    yield from later


def _changed(was: str, now: str) -> ComparedRow | None:
    """Return two lines as one that changed; None if they have too little in common."""
    if max(len(was), len(now)) > _LONG or not was.strip() or not now.strip():
        return None
    words: list[list[str]] = [_WORD.findall(line) for line in (was, now)]
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    if matcher.ratio() < _ALIKE:
        return None
    sides: tuple[list[ComparedRun], list[ComparedRun]] = ([], [])
    for kind, i, j, k, m in matcher.get_opcodes():
        for side, text in zip(sides, ("".join(words[0][i:j]), "".join(words[1][k:m])), strict=True):
            if text:
                side.append(ComparedRun(text, kind != "equal"))
    return ComparedRow("changed", tuple(sides[0]), tuple(sides[1]))


def _shortened(rows: Sequence[ComparedRow]) -> Iterator[ComparedRow]:
    changed = [place for place, row in enumerate(rows) if row.kind != "same"]
    near = {place + step for place in changed for step in range(-_AROUND, _AROUND + 1)}
    skipped = 0
    for place, row in enumerate(rows):
        if place not in near:
            skipped += 1
            continue
        if skipped:
            yield ComparedRow("skipped", left_out=skipped)
            skipped = 0
        yield row
    if skipped:
        yield ComparedRow("skipped", left_out=skipped)
