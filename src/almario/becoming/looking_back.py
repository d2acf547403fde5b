"""Looking back: what is new since the owner was last here, and taking back what was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from almario.domain.events import MemoriesChanged, OwnerVisited, PurgeBegun, SoulChanged, SoulEdited
from almario.domain.memories import OWN_PASSAGE, Memory, Wanted
from almario.domain.messages import CommandLine
from almario.domain.read_models import VERSIONS
from almario.domain.soul_events import ProposalAnswered
from almario.domain.soul_models import VISITS
from almario.errors import EditConflict, SoulError
from almario.memory.ledger import HIDDEN

# Loaded when it is first used: most commands need none of it.
if TYPE_CHECKING:
    from almario.becoming.proposals import Proposals
    from almario.domain.events import Actor, Event, SoulChanged, SoulEdited
    from almario.domain.proposal import Proposal
    from almario.domain.soul_models import Visit
    from almario.memory.facade import Memories
    from almario.ports import Store


# Who comes back within this time is still here.
_VISIT = timedelta(hours=1)


class News(NamedTuple):
    """What was learned *since* the owner was last here (None is never): the newest of so many in *total*."""

    since: datetime | None
    learned: Sequence[Memory]
    total: int


class TakenBack(NamedTuple):
    """What an undo has changed: memories, a file or a proposal; *left* are memories that changed since.

    With a file, the *proposal* is the one whose change was taken back. With *kept*, it is the owner's word
    on what looked like a secret, whatever became of the memories.
    """

    memories: tuple[Memory, ...] = ()
    left: tuple[Memory, ...] = ()
    file: str = ""
    proposal: Proposal | None = None
    kept: bool = False


class LookingBack:
    """What is new about an agent, and the way back."""

    def __init__(self, vault: Store, memory: Memories, proposals: Callable[[], Proposals]) -> None:
        self._vault = vault
        self._memory = memory
        self._proposals = proposals

    def visit(self, door: str) -> None:
        """Note that the owner is here, unless they were within the hour."""
        last, _ = self._visits()
        if last is None or self._vault.now() - last.at >= _VISIT:
            self._memory.record(OwnerVisited(door), actor="owner")

    def news(self, limit: int) -> News:
        """Return what was learned since the owner's previous visit."""
        last, before = self._visits()
        if last and self._vault.now() - last.at < _VISIT:
            last = before
        since = last.at if last else None
        memory, wanted = self._memory, Wanted(kinds=OWN_PASSAGE, since=since, newest=True)
        with memory.snapshot():
            return News(since, memory.list(wanted._replace(limit=limit)), memory.count(wanted))

    def undo(self, line: int, actor: Actor) -> TakenBack:
        """Take back what a line of the journal did, if nothing followed it; 0: the latest that still stands.

        That is a change of memories, of a soul file, or a no to a proposal; of the latest, one of the first
        two. Who takes back the latest again and again walks back.
        """
        line = line or self._last_soul_change()
        if not line:
            self._check_nothing_erased()
        event = self._event(line) if line else None
        if line and not event:
            raise SoulError(
                'the journal has no line {line}; its last is {last}; "{changes}" lists what can be undone',
                line=line,
                last=self._vault.journal.tail().seq,
                changes=CommandLine("almario undo --list"),
            )
        body = event.body if event else None
        if isinstance(body, SoulChanged | SoulEdited):
            self._put_back(body, line, actor)
            accepted = body.proposal if isinstance(body, SoulChanged) else ""
            return TakenBack(file=body.file, proposal=self._proposal(accepted))
        if isinstance(body, ProposalAnswered) and body.answer == "rejected":
            return TakenBack(proposal=self._proposals().reopen(body.id, actor=actor))
        if body and not isinstance(body, MemoriesChanged):
            raise SoulError(
                "line {line} is no change that can be undone: not of memories, not of a soul file, "
                "not a no to a proposal",
                line=line,
            )
        return self.undo_of_memories(line, actor)

    def undo_of_memories(self, line: int, actor: Actor) -> TakenBack:
        """Take back a line that changed memories; 0: the latest that did."""
        done = self._memory.undo(line, actor=actor)
        return TakenBack(done.changed, done.left, kept=done.kept)

    def _check_nothing_erased(self) -> None:
        """Refuse to take back what is older than an erasure, which whoever says "undo" may mean."""
        line = self._memory.last_purge()
        event = self._event(line) if line > self._memory.last_undoable else None
        if event and isinstance(event.body, PurgeBegun) and not event.body.off:
            raise SoulError(
                "line {line} erased something for good, and nothing brings that back; "
                "to undo what was before it, name its line",
                line=line,
            )

    def last_undoable(self) -> int:
        """Return the line that `undo` takes back unless it is given one; 0 if there is none."""
        return self._last_soul_change() or self._memory.last_undoable

    def _last_soul_change(self) -> int:
        """Return the latest line that changed a soul file and stands, if it is later than any of memories."""
        files: dict[str, list[tuple[int, str | None]]] = {}
        for line, version in sorted(self._vault.follower.rows(VERSIONS).items(), key=lambda row: int(row[0])):
            kept = files.setdefault(version.file, [])
            if len(kept) > 1 and kept[-2][1] == version.hash:  # it went back
                kept.pop()
            else:
                kept.append((int(line), version.hash))
        back = {file: (kept[-1][0], kept[-2][1]) for file, kept in files.items() if len(kept) > 1}
        latest = max((line for line, hash_ in back.values() if not _is_erased(hash_)), default=0)
        return latest if latest > self._memory.last_undoable else 0

    def line_of(self, name: str) -> int:
        """Return the latest journal line that changed a soul file or answered a proposal; 0 if none."""
        if name.endswith(".md"):
            rows = self._vault.follower.rows(VERSIONS).items()
            return max((int(line) for line, version in rows if version.file == name), default=0)
        answers = self._vault.journal.select("proposal.answered")
        return next((event.seq for event in answers if getattr(event.body, "id", "") == name), 0)

    def _put_back(self, body: SoulChanged | SoulEdited, line: int, actor: Actor) -> None:
        if self._vault.read(body.file).hash != body.to:
            raise EditConflict("{file} has changed since line {line}", file=body.file, line=line)
        if body.from_ is None:
            raise SoulError("line {line} made {file}; there is nothing before it", line=line, file=body.file)
        self._vault.restore(body.file, body.from_, actor=actor)

    def _proposal(self, wanted: str) -> Proposal | None:
        return next((each for each in self._proposals().list(every=True) if each.id == wanted), None)

    def _event(self, line: int) -> Event | None:
        return next((each for each in self._vault.journal.read(after=line - 1)[:1] if each.seq == line), None)

    def _visits(self) -> tuple[Visit | None, Visit | None]:
        rows = self._vault.follower.rows(VISITS)
        return rows.get("last"), rows.get("before")


def _is_erased(hash_: str | None) -> bool:
    """Return whether a content was erased for good, or never was; of one that was pruned, undo says so."""
    return hash_ is None or hash_.startswith(HIDDEN)
