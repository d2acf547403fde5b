"""What one line of the journal is going to say, while it is made up.

Facts that come together are judged one after the other, each by the ledger
and by what those before it change; nothing is written until all are judged.
"""

from collections.abc import Sequence
from datetime import datetime

from almario.domain.events import Filing
from almario.domain.memories import OWN_PASSAGE, Change, Memory, Wanted, applied, same_key, same_value
from almario.memory.keeping import Keeping


class Pending:
    """The changes of a line to come, and the ledger as they will leave it."""

    def __init__(self, keeping: Keeping, now: datetime) -> None:
        self.now = now
        self.filings: list[Filing] = []
        self._ledger = keeping.ledger
        self._changes: list[Change] = []
        self._of_id: dict[str, Change] = {}
        self._known: dict[str, Memory] = {}
        self.made: list[str] = []

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(self._changes)

    def add(self, change: Change, memory: Memory | None = None) -> None:
        """Take in what happens to a *memory*; None is one that is made."""
        memory_id = change["id"]
        if memory is None:
            self.made.append(memory_id)
        self._known[memory_id] = applied(self._known.get(memory_id, memory), change, seq=0, at=self.now)
        first = self._of_id.get(memory_id)
        if first is None:
            self._of_id[memory_id] = change
            self._changes.append(change)
            return
        first["set"] = {**first.get("set", {}), **change.get("set", {})}
        turns = [*first.get("evidence", ()), *change.get("evidence", ())]
        if turns:
            first["evidence"] = list(dict.fromkeys(turns))
        if "said" in change:  # each wording is kept: a purge must know them all
            self._changes.append({"id": memory_id, "set": {}, "said": change["said"]})

    def owe(self, filing: Filing) -> Filing:
        """Take in what is owed to a file."""
        self.filings.append(filing)
        return filing

    def live(self, wanted: Wanted) -> list[Memory]:
        """Return the memories that fit and have not ended, expired or not, as the line will leave them."""
        stored = self._ledger.table.select(wanted._replace(states=("live",)))
        made = [memory for memory in map(self._known.__getitem__, self.made) if _fits(memory, wanted)]
        there = [self._known.get(memory.id, memory) for memory in stored] + made
        return [m for m in there if m.is_live and (m.valid_to is None or self.now < m.valid_to)]

    def left(self, memory: Memory) -> Memory:
        """Return a memory as the line will leave it."""
        return self._known.get(memory.id, memory)

    def live_of(self, ids: Sequence[str]) -> list[Memory]:
        """Return those of these memories that are in use, and all that the line makes."""
        found = self.live(Wanted(ids=tuple(ids))) if ids else []
        made = [self._known[memory_id] for memory_id in self.made]
        return found + [memory for memory in made if memory.is_live and memory.kind in OWN_PASSAGE]


def _fits(memory: Memory, wanted: Wanted) -> bool:
    return (
        (not wanted.ids or memory.id in wanted.ids)
        and (not wanted.keys or same_key(memory.key) in wanted.keys)
        and (not wanted.kinds or memory.kind in wanted.kinds)
        and (not wanted.value or same_value(memory.value) == wanted.value)
    )
