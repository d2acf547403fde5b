"""Promotion: the owner vouches for what somebody who is not trusted said, or says that something is right.

Where a memory came from is bound when it is written, so another takes its
place: the owner's own.
"""

from almario.domain.events import Actor, MemoriesChanged
from almario.domain.memories import IN_FILES, UNTRUSTED, Change, Memory, applied, fields_of
from almario.domain.messages import CommandLine
from almario.domain.records import written
from almario.errors import SoulError
from almario.memory.admission import Admission, new_id, superseding
from almario.memory.episodes import Episodes, heir_of
from almario.memory.rules.admission import Proposed
from almario.memory.writer import MemoryWriter, Pending, Write


class Promotion:
    """Makes the owner's what was a stranger's."""

    def __init__(self, writer: MemoryWriter, admission: Admission, episodes: Episodes) -> None:
        self._writer = writer
        self._ledger = writer.ledger
        self._admission = admission
        self._episodes = episodes

    def _trust(self, write: Write, memory: Memory, *, actor: Actor) -> Memory:
        """Put the owner's memory in the place of a stranger's, and return it."""
        pending = Pending(self._writer, write.now)
        heir = (
            self._filed(write, memory, pending) if memory.kind in IN_FILES else self._judged(memory, pending)
        )
        pending.add(superseding(memory, heir, write.now), memory)
        body = MemoriesChanged("trusted", pending.changes)
        write.commit(body, actor=actor, filings=pending.filings)
        return self._ledger.memory(heir)

    def confirm(self, write: Write, memory: Memory, *, actor: Actor) -> Memory:
        """Take the owner's word that a memory is right; what was not the owner's gives way to what is."""
        if actor != "owner":
            raise SoulError("only the owner can vouch for memory {id}", id=memory.id)
        if not self._ledger.is_live(memory, write.now):
            sentence = 'memory {id} is out of use; "{restore}" brings it back'
            restore = CommandLine(f"almario memory restore {memory.id}")
            raise SoulError(sentence, id=memory.id, restore=restore)
        if memory.origin == UNTRUSTED:
            return self._trust(write, memory, actor=actor)
        if memory.origin == "owner" or memory.kind in IN_FILES:
            fields = {"renewed": written(write.now), "source": "explicit"}
            write.commit(MemoriesChanged("renewed", ({"id": memory.id, "set": fields},)), actor=actor)
            return self._ledger.memory(memory.id)
        made = memory._replace(origin="owner", source="explicit", renewed=write.now, support=None)
        heir: Change = {"id": new_id(), "set": fields_of(made), "evidence": list(memory.evidence)}
        changes = (heir, superseding(memory, heir["id"], write.now))
        write.commit(MemoriesChanged("trusted", changes), actor=actor)
        return self._ledger.memory(heir["id"])

    def _judged(self, memory: Memory, pending: Pending) -> str:
        """Let the fact in as the owner's, by the same rules as any other; return the id it has then."""
        fact = Proposed(
            memory.key, memory.value, memory.kind, evidence=memory.evidence, at=memory.at, dated=memory.dated
        )
        judged = self._admission.judge(fact, pending)
        if not judged.id:
            raise SoulError("memory {id} cannot be trusted: {why}", id=memory.id, why=judged.notices[0])
        return judged.id

    def _filed(self, write: Write, memory: Memory, pending: Pending) -> str:
        """Take the mark from the line of an episode or summary; return the id of the owner's.

        The line goes first: to be interrupted then is the same as an edit by the owner's hand.
        """
        change = heir_of(memory, memory.value, "owner", memory.evidence)
        if not self._episodes.unmark(write, memory):
            made = applied(None, change, seq=0, at=pending.now)
            pending.filings += self._episodes.owed([made])
        pending.add(change)
        return change["id"]
