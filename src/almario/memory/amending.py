"""Amending: memories go out of use, come back or are taken back, and their lines in files with them."""

from collections.abc import Sequence
from typing import NamedTuple

from almario.domain.events import MemoriesChanged
from almario.domain.memories import SHARED, Change, Memory, Wanted, state_at, written
from almario.domain.proposals import still_valid
from almario.domain.validity import bounds, read, without_end
from almario.errors import SoulError
from almario.memory.admission import Admission, superseding
from almario.memory.episodes import Episodes
from almario.memory.keeping import Keeping, Write


class Undone(NamedTuple):
    """What an undo changed, and what it left because it has changed since."""

    changed: tuple[Memory, ...]
    left: tuple[Memory, ...]


class Amending:
    """Changes the state of memories, each time in one line of the journal."""

    def __init__(self, keeping: Keeping, admission: Admission, episodes: Episodes) -> None:
        self._ledger = keeping.ledger
        self._zone = keeping.vault.zone
        self._admission = admission
        self._episodes = episodes

    def restore(self, write: Write, memory: Memory, *, actor: str) -> Memory:
        """Put a memory back into use; what says the very same gives way."""
        if self._ledger.is_erased(memory):
            raise SoulError("memory {id} was erased for good", id=memory.id)
        if self._is_live(write, memory):
            raise SoulError("memory {id} is in use already", id=memory.id)
        back = {"state": "live", "by": "", "renewed": written(write.now), **self._without_end(write, memory)}
        changes: list[Change] = [{"id": memory.id, "set": back}]
        twins = self._admission.twins(memory, write.now)
        changes += [superseding(each, memory.id, write.now) for each in twins]
        owed = self._episodes.owed([memory])
        write.commit(MemoriesChanged("restored", tuple(changes)), actor=actor, filings=owed)
        return self._ledger.memory(memory.id)

    def _without_end(self, write: Write, memory: Memory) -> dict[str, str | None]:
        """Return the time of a memory that holds again: what has ended has no end any more."""
        validity = read(memory.dated)
        if memory.is_live and validity:
            return {"valid_to": None, "dated": str(without_end(validity) or "")}
        _, end = bounds(validity, write.now.date(), self._zone) if validity else (None, None)
        return {"valid_to": written(end) if end else None}

    def share(self, write: Write, memory: Memory, *, shared: bool, actor: str) -> Memory:
        """Mark a memory in use as fit to be told to others, or take the mark away."""
        if not self._is_live(write, memory):
            raise SoulError("memory {id} is out of use, so nobody is told of it", id=memory.id)
        audience = SHARED if shared else ""
        if memory.audience == audience:
            already = "memory {id} is shared already" if shared else "memory {id} is not shared"
            raise SoulError(already, id=memory.id)
        change: Change = {"id": memory.id, "set": {"audience": audience}}
        write.commit(MemoriesChanged("shared" if shared else "unshared", (change,)), actor=actor)
        return self._ledger.memory(memory.id)

    def undo(self, write: Write, line: int, *, actor: str) -> Undone:
        """Take back a line of the journal where nothing followed it."""
        changes, left = self._ledger.undoing(line)
        before = [self._ledger.memory(change["id"]) for change in changes]
        pairs = zip(before, changes, strict=True)
        back = [memory for memory, change in pairs if change["set"].get("state") == "live"]
        if changes or not left:
            body = MemoriesChanged("undone", changes, of=line)
            write.commit(body, actor=actor, filings=self._episodes.owed(back))
        after = tuple(self._ledger.memory(memory.id) for memory in before)
        self._episodes.take_out([memory for memory in after if not memory.is_live])
        return Undone(after, left)

    def apply(self, write: Write, changes: Sequence[Change], *, actor: str) -> list[Memory]:
        """Make those of the accepted changes that can still be made; return what they changed."""
        ids = tuple(change["id"] for change in changes)
        heirs = tuple(str(heir) for change in changes if (heir := change.get("set", {}).get("by")))
        known = {m.id: m for m in self._ledger.shelf.select(Wanted(ids=(*ids, *heirs)))}
        live = {memory.id for memory in known.values() if self._is_live(write, memory)}
        valid = still_valid(changes, live=live, known=known)
        if not valid:
            return []
        write.commit(MemoriesChanged("accepted", tuple(valid)), actor=actor)
        changed = [self._ledger.memory(change["id"]) for change in valid]
        self._episodes.take_out([memory for memory in changed if not memory.is_live])
        return changed

    def _is_live(self, write: Write, memory: Memory) -> bool:
        return state_at(memory, write.now, self._ledger.lifetimes) == "live"
