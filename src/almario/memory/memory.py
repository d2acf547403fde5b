"""What one agent remembers: the verbs of memory, each one step of the journal."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from almario.domain.events import MemoriesChanged
from almario.domain.memories import Change, Memory, Recorded, Wanted, written
from almario.domain.messages import Sentence
from almario.domain.model import Damage, Recalled
from almario.domain.redaction import Redacted, Redactor
from almario.domain.turns import Said, Turn
from almario.errors import SoulError
from almario.memory.account import Account, KeyUse, Reasons, Stats
from almario.memory.admission import Admission, Receipt, superseding
from almario.memory.episodes import Episodes
from almario.memory.indexing import Indexing
from almario.memory.keeping import Keeping, Progress
from almario.memory.mirror import Mirror
from almario.memory.purge import Erasure, Purge
from almario.memory.recall import Query, Recall
from almario.memory.settling import Settling
from almario.memory.transfer import Imported, Transfer
from almario.memory.verifying import Verifying

# A class with a verb called `list` cannot name the type by that word.
Found = list[Memory]
Lines = list[str]
Changes = list[Change]


class Undone(NamedTuple):
    """What an undo changed, and what it left because it has changed since."""

    changed: tuple[Memory, ...]
    left: tuple[Memory, ...]


class Parts(NamedTuple):
    """What the verbs are made of."""

    keeping: Keeping
    redact: Redactor
    admission: Admission
    mirror: Mirror
    indexing: Indexing
    recall: Recall
    transfer: Transfer
    purge: Purge
    verifying: Verifying


class Memories:
    """Remembers, recalls, forgets, and can say why."""

    def __init__(self, parts: Parts) -> None:
        self._keeping = parts.keeping
        self._ledger = parts.keeping.ledger
        self._redact = parts.redact
        self._admission = parts.admission
        self._mirror = parts.mirror
        self._recall = parts.recall
        self._transfer = parts.transfer
        self._purge = parts.purge
        self._verifying = parts.verifying
        self._episodes = Episodes(parts.keeping, parts.redact)
        self._settling = Settling(parts.keeping, parts.mirror, parts.indexing, self._episodes, parts.purge)
        self._account = Account(parts.keeping, parts.admission)

    def remember(
        self, text: str, value: str | None = None, *, kind: str = "", actor: str = "owner"
    ) -> Receipt:
        """Remember "key: value", a key and a value, or plain text, as the owner's explicit wish."""
        fact = self._admission.proposed(text, value, kind)
        with self._settling.writing() as write:
            return self._admission.admit(write, fact, actor=actor)

    def learn(
        self, key: str, value: str, *, kind: str = "", origin: str = "owner", evidence: Sequence[str] = ()
    ) -> Receipt:
        """Remember what was found in a conversation; *origin* is the lowest of what it was found in."""
        fact = self._admission.proposed(key, value, kind)
        fact = fact._replace(source="auto", origin=origin, evidence=tuple(evidence))
        with self._settling.writing() as write:
            return self._admission.admit(write, fact, actor="agent")

    def forget(self, target: str, *, actor: str = "owner") -> Found:
        """Take out of use what an id or a key names; return it."""
        with self._settling.writing() as write:
            found = [memory for memory in self._account.meant(target) if memory.is_live]
            if not found:
                raise SoulError('"{target}" is out of use already', target=target)
            changes: Changes = [{"id": memory.id, "set": {"state": "retired"}} for memory in found]
            write.commit(MemoriesChanged("forgotten", tuple(changes)), actor=actor)
            self._episodes.take_out(found)
            return found

    def restore(self, memory_id: str, *, actor: str = "owner") -> Memory:
        """Put a memory that is out of use back into use."""
        with self._settling.writing() as write:
            memory = self._ledger.memory(memory_id)
            if self._ledger.is_erased(memory):
                raise SoulError("memory {id} was erased for good", id=memory.id)
            if self.state(memory) == "live":
                raise SoulError("memory {id} is in use already", id=memory.id)
            back = {"state": "live", "by": "", "valid_to": None, "renewed": written(write.now)}
            changes: Changes = [{"id": memory.id, "set": back}]
            rivals = self._admission.rivals(memory, write.now)
            changes += [superseding(each, memory.id, write.now) for each in rivals]
            owed = self._episodes.owed([memory])
            write.commit(MemoriesChanged("restored", tuple(changes)), actor=actor, filings=owed)
            return self._ledger.memory(memory.id)

    def undo(self, line: int = 0, *, actor: str = "owner") -> Undone:
        """Take back a line of the journal (0: the latest that changed memories) where nothing followed it."""
        with self._settling.writing() as write:
            seq = line or self._ledger.last_undoable()
            if not seq:
                raise SoulError("nothing has been remembered yet, so there is nothing to undo")
            changes, left = self._ledger.undoing(seq)
            before = [self._ledger.memory(change["id"]) for change in changes]
            back = [
                m for m, change in zip(before, changes, strict=True) if change["set"].get("state") == "live"
            ]
            if changes:
                body = MemoriesChanged("undone", changes, of=seq)
                write.commit(body, actor=actor, filings=self._episodes.owed(back))
            after = tuple(self._ledger.memory(memory.id) for memory in before)
            self._episodes.take_out([memory for memory in after if not memory.is_live])
            return Undone(after, left)

    def recall(self, query: Query) -> Recalled:
        """Return what is known about a question, best first."""
        keys = tuple(same for key in query.scope.keys for same in self._admission.group(key))
        asked = query._replace(scope=query.scope._replace(keys=keys))
        return self._settling.reading(lambda: self._recall.search(asked))

    def auto_recall(self, message: str, *, skip: Collection[str] = ()) -> Recalled:
        """Return what is worth knowing for a reply, leaving out the files and memories in *skip*."""
        return self._settling.reading(lambda: self._recall.auto(message, skip=skip))

    def prose(self) -> Lines:
        """Return the lines of MEMORY.md that are the owner's own, and no facts."""
        return self._settling.reading(self._mirror.prose)

    def append(self, session: str, said: Sequence[Said]) -> Sequence[Turn]:
        """Add what was said to a session's transcript; when this returns, it survives a power cut."""
        if self._redact.settings.transcripts:
            said = [each._replace(text=self._redact.text(each.text)) for each in said]
        return self._keeping.vault.append_turns(session, said)

    def redacted(self, text: str) -> Redacted:
        """Return a text without its secrets."""
        return self._redact(text)

    def list(self, wanted: Wanted = Wanted()) -> Found:  # noqa: B008 - a constant
        """Return the memories that fit, oldest first; without states, those in use that are trusted."""
        return self._settling.reading(lambda: self._account.list(wanted))

    def get(self, memory_id: str) -> Memory:
        """Return the memory with that id, or that beginning of one."""
        return self._settling.reading(lambda: self._ledger.memory(memory_id))

    def state(self, memory: Memory) -> str:
        """Return a memory's state now."""
        return self._account.state(memory)

    def why(self, memory_id: str) -> Reasons:
        """Return what a memory rests on, and what became of it."""
        return self._settling.reading(lambda: self._account.why(memory_id))

    def history(self, memory_id: str = "") -> Sequence[Recorded]:
        """Return every change of one memory or of all, oldest first."""
        return self._settling.reading(lambda: self._account.history(memory_id))

    def as_of(self, then: datetime, *, believed: bool = False) -> Found:
        """Return what was true at an instant as it is known now; or what was *believed* then."""
        return self._settling.reading(lambda: self._account.as_of(then, believed=believed))

    def keys(self) -> Sequence[KeyUse]:
        """Return every key in use, with those that may mean the same."""
        return self._settling.reading(self._account.keys)

    def stats(self) -> Stats:
        """Count what there is."""
        return self._settling.reading(lambda: self._account.stats(self._recall.model))

    def export(self) -> Lines:
        """Return every memory, whatever its state, as a line of JSON."""
        return self._settling.reading(lambda: list(self._transfer.lines()))

    def take_in(
        self, lines: Iterable[str], *, actor: str = "owner", progress: Progress | None = None
    ) -> Imported:
        """Put exported memories back; one that is here already stays as it is here."""
        with self._settling.writing() as write:
            taken = self._transfer.changes(lines)
            return self._transfer.take_in(write, taken, self._episodes.owed, actor=actor, progress=progress)

    def doomed(self, target: str) -> Erasure:
        """Say what `purge` would erase with an id or a key."""
        return self._settling.reading(
            lambda: self._purge.plan(self._account.meant(target, also_out_of_use=True))
        )

    def doomed_expired(self, older_than: int = 0) -> Erasure:
        """Say what `purge` would erase of what expired more than so many days ago."""
        now = self._keeping.vault.now() - timedelta(days=older_than)
        expired = self.list(Wanted(states=("expired",)))
        ended = [m for m in expired if (self._ledger.lifetimes.end_of(m) or now) <= now]
        return self._settling.reading(lambda: self._purge.plan(ended))

    def purge(self, erasure: Erasure, *, actor: str = "owner") -> Lines:
        """Erase for good what was planned; return the files that were cleaned."""
        with self._settling.writing() as write:
            cleaned = self._purge.begin(write, erasure, actor=actor)
            self._settling.tell(self._mirror.render(write))
            return cleaned

    def accept(self, name: str) -> Found:
        """Forget what is missing in a version of MEMORY.md that was set aside; return it."""
        with self._settling.writing() as write:
            return self._mirror.accept(write, name)

    def verify(self) -> Sequence[Damage]:
        """Read everything, and return each place where journal, index and files do not agree."""
        self._settling.catch_up()
        return list(self._verifying.run())

    def reindex(self, progress: Progress | None = None) -> int:
        """Make all that is derived anew, vectors too; return how many passages there are."""
        self._settling.make_anew(progress)
        self._recall.embed_all(progress)
        return self._keeping.cabinet.live.count()[0]

    def settle(self, progress: Progress | None = None) -> Sequence[Sentence]:
        """Take in the owner's edits, and bring what is derived and MEMORY.md up to date.

        Returns what is worth telling since it was last asked: other verbs do the same work in silence.
        """
        self._settling.catch_up(progress)
        return self._settling.told()

    def close(self) -> None:
        """Let MEMORY.md show every change that was made here."""
        self._settling.close()
