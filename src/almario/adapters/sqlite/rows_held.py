"""What is kept of a database's rows, so that the next question need not read them again.

It belongs to one state of the file. A commit of this process says which rows it touched, and the others are
carried over to the next state; nothing is after a commit of another process. Who reads an earlier state, or
writes, keeps nothing.
"""

import sys
from collections.abc import Collection
from typing import Any

from almario.named_tuples import NamedTuple

# A key says which row it is: the id of a passage, the number of a vector below 0, the id of a memory.
Key = int | str
Rows = dict[Key, Any]
# So many commits are remembered by what they touched; one that touched more than so many rows touched all.
_COMMITS, _ROWS = 256, 4096


class RowsState(NamedTuple):
    """A state of a database: of which of its files, and after which commit."""

    age: int
    commit: int


class Touched:
    """Which rows each commit of this process touched."""

    def __init__(self) -> None:
        self._commits: dict[RowsState, Collection[Key] | None] = {}

    def note(self, state: RowsState, keys: Collection[Key]) -> None:
        """Say what the commit touches that is about to make a state."""
        kept = dict(list(self._commits.items())[-_COMMITS:])
        self._commits = kept | {state: keys if len(keys) <= _ROWS else None}

    def between(self, old: RowsState, new: RowsState) -> list[Key] | None:
        """Return what was touched between two states; None if that is not known."""
        if old.age != new.age or new.commit - old.commit > _COMMITS:
            return None
        commits, since = self._commits, range(old.commit + 1, new.commit + 1)
        found = [commits.get(RowsState(new.age, commit)) for commit in since]
        known = [keys for keys in found if keys is not None]
        return [key for keys in known for key in keys] if len(known) == len(found) else None


class Held:
    """Rows by their keys, about *most* of them; the first to be read are the first to go."""

    def __init__(self, touched: Touched, most: int = sys.maxsize) -> None:
        self._touched = touched
        self._most = most
        self._kept: tuple[RowsState, Rows] = (RowsState(-1, 0), {})

    def rows(self, state: RowsState | None) -> Rows:
        """Return the rows that were read in a state, for whoever reads more of them to add them."""
        then, rows = self._kept
        if state is None or state < then:
            return {}
        if state != then:
            touched = self._touched.between(then, state)
            rows = {} if touched is None else rows.copy()
            for key in touched or ():
                rows.pop(key, None)
        if len(rows) > self._most:
            rows = dict(list(rows.items())[self._most // 2 :])
        if rows is not self._kept[1]:
            self._kept = (state, rows)  # one assignment: threads see the old or the new
        return rows
