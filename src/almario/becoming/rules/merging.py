"""Merging two changes of one text, line by line."""

from collections.abc import Sequence

from almario.domain.documents.lines import split_lines
from almario.named_tuples import NamedTuple


class LinesChanged(NamedTuple):
    """The lines from *start* up to *end* give way to *lines*."""

    start: int
    end: int
    lines: tuple[str, ...]


def changes_between(before: str, after: str) -> list[LinesChanged]:
    """Return what makes one text of another, from its first line to its last."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - 9 ms that other commands need not pay

    old, new = split_lines(before), split_lines(after)
    first = _alike(old, new)  # what both begin and end with need not be searched
    last = _alike(old[first:][::-1], new[first:][::-1])
    new = new[first : len(new) - last]
    steps = SequenceMatcher(None, old[first : len(old) - last], new, autojunk=False).get_opcodes()
    return [
        LinesChanged(first + a, first + b, tuple(new[c:d])) for step, a, b, c, d in steps if step != "equal"
    ]


def with_changes(text: str, changes: Sequence[LinesChanged]) -> str:
    """Return a text with changes made, which are in the order of its lines."""
    lines = split_lines(text)
    parts: list[str] = []
    place = 0
    for change in changes:
        parts += [*lines[place : change.start], *change.lines]
        place = change.end
    return "".join([*parts, *lines[place:]])


def merged(base: str, ours: str, theirs: str) -> str | None:
    """Return *base* with what both sides made of it; None if they changed the same lines, or touching ones.

    What both changed alike is changed once.
    """
    mine, others = changes_between(base, ours), changes_between(base, theirs)
    new = [change for change in others if change not in mine]
    if any(_meet(one, other) for one in mine for other in new):
        return None
    return with_changes(base, sorted([*mine, *new]))


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (mine, yours) in pairs if mine != yours), min(len(one), len(other)))


def _meet(one: LinesChanged, other: LinesChanged) -> bool:
    return one.start <= other.end and other.start <= one.end
