"""Proposals: changes that a model wants and the owner decides on, and what is left of one by then."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from almario.domain.memories import Change
from almario.domain.text import difference

# Of a soul file, at most so much may be lost in one change.
MOST_LOST = 0.3
STATES = ("open", "accepted", "rejected", "stale")


class Proposal(NamedTuple):
    """A change that waits for consent, or was answered.

    *before* and *after* are the file's text as it was and as it is wanted; of
    *changes* to memories (then *file* is empty), the memories in lines.
    *state* is `open`, `accepted`, `rejected`, or `stale` (it cannot be
    accepted any more); *why* says why it was rejected or is stale.
    """

    id: str
    file: str
    before: str
    after: str
    reason: str
    evidence: tuple[str, ...]
    origin: str
    at: datetime
    state: str = "open"
    why: str = ""
    changes: tuple[Change, ...] = ()

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty if the contents are not kept any more."""
        name = self.file or "memory"
        return difference(self.before, self.after, name, f"{name} ({self.id})")


def is_too_short(before: str, after: str, *, in_lines: bool = False) -> bool:
    """Say whether a text would lose more than may be lost in one change, in characters or *in_lines*."""
    sizes = [len(text.split("\n") if in_lines else text) for text in (before.strip(), after.strip())]
    return sizes[1] < sizes[0] * (1 - MOST_LOST)


def still_valid(changes: Sequence[Change], *, live: Collection[str], known: Collection[str]) -> list[Change]:
    """Return the changes that can still be made, given which memories are in use and which there are.

    A change of a memory needs it in use, and so does one that puts another in
    its place. A new memory that was to replace some is made if one of those is left.
    """
    new = {change["id"] for change in changes} - set(known)
    there = {*live, *new}
    old = [c for c in changes if c["id"] in live and (_heir(c) in there or not _heir(c))]
    replacing = {_heir(change) for change in changes} - {""}
    wanted = {_heir(change) for change in old} | (new - replacing)
    return [c for c in changes if c in old or (c["id"] in new and c["id"] in wanted)]


def _heir(change: Change) -> str:
    return str(change.get("set", {}).get("by", ""))
