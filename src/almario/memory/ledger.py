"""The ledger: what is remembered, as the journal tells it.

The journal is the truth; the table holds what follows from it, so that
nothing has to be read twice. A table that does not fit the journal (an older
copy, another agent's, one from before a purge) is emptied and filled again.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from almario.domain.digests import sha256
from almario.domain.events import Cued, Event, MemoriesChanged, PurgeBegun, Verb
from almario.domain.memories import (
    ERASED,
    EVERY,
    Change,
    Lifetimes,
    Memory,
    Recorded,
    Wanted,
    applied,
    going_back,
    same_value,
    state_at,
    value_as_compared_before,
)
from almario.domain.messages import NOTHING, CommandLine, Sentence
from almario.domain.places import HOME, project_of
from almario.domain.plans import is_planned
from almario.domain.read_models import (
    OF_THE_SOUL,
    NotedRows,
    NotesToKeep,
    ReadModel,
    Row,
    follow,
    news,
    row_name,
    rows_in,
)
from almario.domain.turn_ids import turn_id
from almario.domain.withheld import MASK
from almario.errors import NotFound, SoulError
from almario.memory.rules import ledger_models as models
from almario.memory.rules.session_state import SessionState
from almario.named_tuples import NamedTuple
from almario.ports import Journal, Key, MemoryTable

# Ids are random; this many characters are enough to identify one.
LEAST_ID = 4
# The latest change in force is nearly always among this many.
_FEW_CHANGES = 200
# How a digest begins that is hidden.
HIDDEN = "00000000"
# How many are read per batch, and how many times what replaced a memory may have been replaced itself.
_PAGE, _MOST_HEIRS = 1000, 50


class Reversal(NamedTuple):
    """What taking a line back does, and which memories have changed since and stay as they are."""

    changes: tuple[Change, ...]
    left: tuple[Memory, ...]


class Ledger:
    """Follows the journal, and answers what is, was true and was believed."""

    def __init__(
        self, journal: Journal, table: MemoryTable, key: Callable[[], Key], lifetimes: Lifetimes | None = None
    ) -> None:
        self.table = table
        self._key, self._of_erased = key, b""
        self.lifetimes = lifetimes or Lifetimes()
        self._journal = journal
        # What is out of mind, as of a position in the journal.
        self._out: tuple[tuple[int, str], frozenset[str]] = ((0, ""), frozenset())

    def news(self) -> list[Event] | None:
        """Return the events to apply; None if the table must be emptied first."""
        return news(self._journal, self.table.position())

    def memory(self, wanted: str) -> Memory:
        """Return the memory with this id, or this start of an id."""
        found = self.table.select(Wanted(ids=(wanted,)))
        exact = [memory for memory in found if memory.id == wanted]
        if exact or (len(found) == 1 and len(wanted) >= LEAST_ID):
            return (exact or found)[0]
        if found and len(wanted) >= LEAST_ID:
            raise SoulError('"{id}" matches several memories; type more of the id', id=wanted)
        listing = CommandLine("almario memory list")
        raise NotFound('there is no memory "{id}"; "{listing}" shows them', id=wanted, listing=listing)

    def whole(self, memory: Memory) -> Memory:
        """Return a memory with what is left out of its value because it may be a secret."""
        if MASK not in memory.value:
            return memory
        texts = (each.change.get("whole") for each in self.table.history(memory=memory.id))
        return memory._replace(value=next(filter(None, reversed(list(texts))), memory.value))

    def every(self) -> Iterator[Memory]:
        """Yield every memory, oldest first; they are read as they are needed, a page at a time."""
        seen = 0
        while page := self.table.select(Wanted(offset=seen, limit=_PAGE)):
            seen += len(page)
            yield from page

    def forgotten_ids(self) -> frozenset[str]:
        """Return the memories that were put out of mind, and the earlier values of those."""
        heirs = {memory.id: memory.by for memory in self.table.select(Wanted(states=("superseded",)))}
        gone = {memory.id for memory in self.table.select(Wanted(states=("retired",)))}
        while earlier := {one for one, heir in heirs.items() if heir in gone} - gone:
            gone |= earlier
        return frozenset(gone)

    def heirs(self, memories: Iterable[Memory]) -> dict[str, Memory]:
        """Return by its id what stands in the end in the place of each memory: itself, unless replaced."""
        heirs = {memory.id: memory for memory in memories}
        for _ in range(_MOST_HEIRS):
            ids = tuple({each.by for each in heirs.values() if each.state == "superseded" and each.by})
            found = {each.id: each for each in self.table.select(Wanted(ids=ids))} if ids else {}
            if not found:
                break
            heirs = {name: found.get(each.by, each) for name, each in heirs.items()}
        return heirs

    def doubted(self, memories: Iterable[Memory], now: datetime) -> dict[str, Memory]:
        """Return by its id, of each memory in use that another seems to have replaced, that other one.

        What is still to begin replaces nothing yet, but for what was only planned.
        """
        marked = [memory for memory in memories if memory.is_live and memory.by]
        named = self.table.select(Wanted(ids=tuple({each.by for each in marked}))) if marked else ()
        heirs = {name: heir for name, heir in self.heirs(named).items() if self.is_live(heir, now)}
        pairs = ((memory, heirs[memory.by]) for memory in marked if memory.by in heirs)
        return {
            memory.id: heir
            for memory, heir in pairs
            if heir.id != memory.id and (heir.valid_from <= now or is_planned(memory, now))
        }

    def is_live(self, memory: Memory, at: datetime) -> bool:
        """Return whether a memory is in use at an instant, whatever was written."""
        return state_at(memory, at, self.lifetimes) == "live"

    def live(self, now: datetime, wanted: Wanted = Wanted()) -> list[Memory]:  # noqa: B008 - a constant
        """Return the memories in use."""
        found = self.table.select(wanted._replace(states=("live",)))
        return [memory for memory in found if self.is_live(memory, now)]

    def at_seq(self, seq: int, wanted: Wanted = Wanted()) -> list[Memory]:  # noqa: B008 - a constant
        """Return the memories as they stood when the journal ended at *seq*."""
        earlier = self.earlier(seq)
        found = [memory for memory in self.table.select(wanted) if memory.id not in earlier]
        return found + [each for each in earlier.values() if each and each.id in (wanted.ids or earlier)]

    def earlier(self, seq: int) -> dict[str, Memory | None]:
        """Return the memories that have changed after *seq* as they stood then, by id; None is not there."""
        ids = {recorded.change["id"] for recorded in self.table.history(after=seq)}
        return {
            memory_id: _folded(self.table.history(memory=memory_id), lambda recorded: recorded.seq <= seq)
            for memory_id in ids
        }

    def ended_since(self, seq: int) -> list[Memory]:
        """Return the memories that were in use after *seq*, and have been put out of use."""
        found = []
        for memory_id in {recorded.change["id"] for recorded in self.table.history(after=seq)}:
            memory: Memory | None = None
            was_live = False
            for recorded in self.table.history(memory=memory_id):
                memory = applied(memory, recorded.change, seq=recorded.seq, at=recorded.at)
                was_live = was_live or (recorded.seq > seq and memory.is_live)
            if memory and was_live and not memory.is_live:
                found.append(memory)
        return found

    def believed(self, then: datetime) -> list[Memory]:
        """Return what was in use at an instant, as it was known then."""
        last = max((recorded.seq for recorded in self.table.history() if recorded.at <= then), default=0)
        return [memory for memory in self.at_seq(last) if memory.at <= then and self.is_live(memory, then)]

    def true(self, then: datetime) -> list[Memory]:
        """Return what was true at an instant, as it is known now, and what was known to be coming."""
        return self.table.select(Wanted(states=("live", "superseded"), true_at=then))

    def are_of_home(self, names: Collection[str]) -> bool:
        """Return whether any of these memories, turns and files is of home; what is gone is taken to be."""
        known = self.table.select(EVERY._replace(ids=tuple(names))) if names else ()
        others = {*names} - {memory.id for memory in known}
        return any(memory.place == HOME for memory in known) or HOME in map(project_of, others)

    def session(self, session: str) -> SessionState:
        """Return what the journal says of a session."""
        return self._row(models.SESSIONS, session) or SessionState()

    def sessions(self) -> Mapping[str, SessionState]:
        """Return what the journal says of each session that it speaks of."""
        return self._rows(models.SESSIONS)

    def hearing(self) -> Mapping[tuple[str, str], str]:
        """Return what the owner lets sessions, and people in chats, hear: by session or chat, and name."""
        found = ((*json.loads(name), hears) for name, hears in self._rows(models.HEARING).items())
        return {(session, speaker): hears for session, speaker, hears in found}

    def out_of_mind(self) -> frozenset[str]:
        """Return the turns and lines that told what is forgotten, for as long as it is."""
        position = self.table.position()
        if self._out[0] != position:
            gone = self._rows(models.FORGOTTEN).values()
            ids = tuple({memory_id for each in gone for memory_id in each.memories})
            found = self.table.select(Wanted(ids=ids, states=("retired",))) if ids else []
            retired = {memory.id for memory in found}
            out = [each.out for each in gone if not each.memories or not retired.isdisjoint(each.memories)]
            self._out = (position, frozenset(name for names in out for name in names))
        return self._out[1]

    def asked_in_vain(self) -> frozenset[str]:
        """Return the turns that asked to forget something, until some memory changes after them."""
        last, rows = self.last_change(), self._rows(models.FORGOTTEN).items()
        return frozenset(
            name for line, row in rows if row.is_request and int(line) >= last for name in row.out
        )

    def put_out_since(self, line: int, session: str, upto: int) -> bool:
        """Return whether a later line put out of mind what was said in a session up to a turn."""
        later = (row.out for at, row in self._rows(models.FORGOTTEN).items() if int(at) > line)
        found = (turn_id(name) for names in later for name in names)
        return any(each.session == session and each.n <= upto for each in found)

    def put_out_by(self, name: str) -> int:
        """Return the latest line that put a turn or a line of a file out of mind, where it is; 0 if none."""
        lines = (int(line) for line, row in self._rows(models.FORGOTTEN).items() if name in row.out)
        return max(lines, default=0) if name in self.out_of_mind() else 0

    def cued(self, memory_id: str) -> Cued | None:
        """Return what brings a memory to mind; None if nobody was asked for that yet."""
        return self._row(models.CUES, memory_id)

    def cued_of(self, ids: Collection[str]) -> dict[str, Cued]:
        """Return the same of those of some memories for which somebody was asked, by id."""
        return rows_in(models.CUES, self.table.notes(row_name(models.CUES.name), ids))

    def every_cued(self) -> dict[str, Cued]:
        """Return the same of all memories for which somebody was asked, by id."""
        return self._rows(models.CUES)

    def intentions(self) -> tuple[str, ...]:
        """Return the memories that are to be brought up once, done or not."""
        return tuple(self._rows(models.INTENTIONS))

    def waiting(self, job: str) -> Sentence:
        """Return why background work waits, or nothing."""
        return self._row(models.JOBS, job) or NOTHING

    def condensed(self) -> dict[str, models.StandsFor]:
        """Return the shorter lines that stand in logs for others, by their names."""
        return self._rows(models.CONDENSED)

    def standing_for(self, names: Collection[str]) -> dict[str, str]:
        """Return the names of the shorter lines that stand for any of these, each with its file."""
        every = self.condensed().items()
        return {name: row.file for name, row in every if not set(names).isdisjoint(row.of)}

    def consolidated(self) -> models.Consolidations:
        """Return when memories were last compared with each other, and how many that day put out of use."""
        return self._row(models.CONSOLIDATIONS, "last") or models.Consolidations()

    def was_judged(self, pair: str) -> bool:
        """Return whether two memories were compared before."""
        return self._row(models.JUDGED, pair) is not None

    def are_apart(self, one: str, other: str) -> bool:
        """Return whether two memories in use were compared and stayed apart."""
        return self.was_judged("+".join(sorted((one, other))))

    def taken_back(self) -> dict[int, Sequence[str]]:
        """Return the turns that were taken off the record and wait to be erased, by the line that says so."""
        return self._put_away(models.TAKEN_BACK)

    def set_aside(self) -> dict[int, Sequence[str]]:
        """Return the turns that are neither learned from nor brought up, by the line that says so."""
        return self._put_away(models.SET_ASIDE)

    def used_again(self) -> dict[int, Sequence[str]]:
        """Return the turns that were set aside until the owner's word, by the line that says so."""
        return self._put_away("kept")

    def _put_away(self, verb: Verb) -> dict[int, Sequence[str]]:
        return {int(line): row.turns for line, row in self._rows(models.PUT_AWAY).items() if row.verb == verb}

    def _row(self, model: ReadModel[Row], name: str) -> Row | None:
        return NotedRows(self.table, model, 0).get(name)

    def _rows(self, model: ReadModel[Row]) -> dict[str, Row]:
        return rows_in(model, self.table.notes(row_name(model.name)))

    def last_change(self) -> int:
        """Return the seq of the latest line that changed memories."""
        return int(self.table.noted("last-change") or 0)

    def last_undoable(self) -> int:
        """Return the seq of the latest line that changed memories and was not taken back; 0 if none.

        What was set aside is no change that the owner made: to bring it up again is their word, `keep`.
        """
        gone, aside = self._rows(models.FORGOTTEN), self.set_aside()
        alone = (
            int(line)
            for line, row in gone.items()
            if not row.memories and not row.is_request and int(line) not in aside
        )
        return max(
            [
                self._last_in_force(self.table.history(last=_FEW_CHANGES)) or self._last_in_force(),
                *alone,
                *self.used_again(),
                *(max(row.lines) for row in self._rows(models.KEPT).values() if row.lines and not row.undone),
            ]
        )

    def _last_in_force(self, history: Sequence[Recorded] | None = None) -> int:
        """Return the latest line of some changes, or of all, that no undo after it has taken back."""
        taken = set(self.set_aside())
        for recorded in reversed(self.table.history() if history is None else history):
            if recorded.seq in taken:
                continue
            if recorded.verb == "undone":
                taken.add(recorded.of)
            elif _is_seen(recorded.change) and self.undoing(recorded.seq).changes:
                return int(recorded.seq)
        return 0

    def last_purge(self) -> int:
        """Return the seq of the latest line that erased memories for good."""
        return max(self._rows(models.SALTS).values(), default=0)

    def undoing(self, seq: int) -> Reversal:
        """Return what takes back line *seq* where nothing has been built on it since."""
        in_journal = 0 < seq <= self.table.position()[0]
        found = self.table.history(after=seq - 1) if in_journal else []
        touched = [recorded for recorded in found if recorded.seq == seq]
        if not touched and not self._went_alone(seq):
            raise SoulError("line {seq} of the journal changed no memory", seq=seq)
        changes: list[Change] = []
        left = []
        for memory_id in dict.fromkeys(recorded.change["id"] for recorded in touched):
            memory, history = self.memory(memory_id), self.table.history(memory=memory_id)
            if seq not in (memory.seq, _in_force(history)) or self.is_erased(memory):
                left.append(memory)
                continue
            before = _folded(history, lambda recorded: recorded.seq < seq)
            changes.append(_going_back(memory, before, is_accepted=touched[0].verb == "accepted"))
        return Reversal(tuple(changes), tuple(left))

    def _went_alone(self, seq: int) -> bool:
        """Return whether a line did no more than put turns out of mind or back, or say what is no secret."""
        gone = self._row(models.FORGOTTEN, str(seq))
        is_word = bool(self.kept_by(seq)) or seq in self.used_again()
        return is_word or (gone is not None and not gone.memories)

    def kept_by(self, seq: int) -> frozenset[str]:
        """Return the digests of what is a secret or none by the owner's word in line *seq*."""
        return frozenset(digest for digest, row in self._rows(models.KEPT).items() if row.is_by(seq))

    def is_erased(self, memory: Memory) -> bool:
        """Return whether a memory's text was purged."""
        return memory.value == ERASED and self.table.noted(f"erased:{memory.id}") != ""

    def was_purged(self, value: str, *, after: int = 0) -> bool:
        """Return whether a text is one that was erased for good, by a line of the journal after that one."""
        # Older journals have them as they are, and as they were compared then.
        texts = {same_value(value), value_as_compared_before(value)}
        names = [salted(salt, text) for salt in self._rows(models.SALTS) for text in texts]
        seqs = [self._row(models.PURGED, each) for name in names for each in (self.hidden(name), name)]
        return any(seq > after for seq in seqs if seq)

    def hidden(self, digest: str, *, make: bool = False) -> str:
        """Return what stands for a digest of what was erased: without the home's key, no guess is proved."""
        if digest.startswith(HIDDEN):
            return digest
        # The key goes in twice, as in an HMAC, whose module would load OpenSSL in every `remember`.
        key = self._of_erased = self._of_erased or self._key().of_erased(make=make)
        return HIDDEN + sha256(key + sha256(key + digest.encode()).encode())[len(HIDDEN) :]

    def is_purging(self) -> bool:
        """Return whether a purge was begun and not finished."""
        return bool(self._rows(models.PURGES))

    def unfinished_purges(self) -> list[tuple[int, PurgeBegun]]:
        """Return the purges that were begun and not finished, with their seqs."""
        open_ones = set(map(int, self._rows(models.PURGES)))
        events = self._journal.read(after=min(open_ones) - 1) if open_ones else []
        return [(e.seq, e.body) for e in events if e.seq in open_ones and isinstance(e.body, PurgeBegun)]

    def apply(self, event: Event) -> Sequence[Memory]:
        """Take in one event; return the memories that it changed."""
        notes = NotesToKeep(self.table)
        follow(models.LEDGER_MODELS, notes, event)
        if event.type.startswith(OF_THE_SOUL):
            from almario.domain.soul_models import MODELS  # noqa: PLC0415 - few lines are about it

            follow(MODELS, notes, event)
        # The table looks for these itself, by this name.
        for memory_id in event.body.ids if isinstance(event.body, PurgeBegun) else ():
            notes.note(f"erased:{memory_id}", "yes")
        if changes_of(event):
            notes.note("last-change", str(event.seq))
        return self.table.apply(event, notes.new)


def salted(salt: str, text: str) -> str:
    """Return what a text that must not be learned again is known by: *text* as it is compared."""
    return sha256(f"{salt}:{text}".encode("utf-8", "surrogatepass"))[:32]


def changes_of(event: Event) -> tuple[Change, ...]:
    """Return what an event does to memories."""
    return event.body.changes if isinstance(event.body, MemoriesChanged) else ()


def _is_seen(change: Change) -> bool:
    """Return whether somebody who looks at a memory sees a change of it: not that it stays fresh."""
    return change["set"].keys() != {"renewed"}


def _in_force(history: Iterable[Recorded]) -> int:
    """Return the line that a memory is as after: the latest, or the one before what was taken back."""
    lines, taken = [0], dict[int, int]()
    for recorded in history:
        if recorded.verb != "undone":
            lines += [recorded.seq] if _is_seen(recorded.change) else []
        elif recorded.of in taken:  # what was taken back is back
            lines.append(taken[recorded.of])
        elif recorded.of == lines[-1]:
            taken[recorded.seq] = lines.pop()
    return lines[-1]


def _going_back(memory: Memory, before: Memory | None, *, is_accepted: bool) -> Change:
    """Return the change that makes a memory what it was, its evidence too; None: it was not there.

    What was made because it was *accepted* leaves the turns that say it as they were.
    """
    change: Change = {"id": memory.id, "set": going_back(before, memory)}
    rested = before.evidence if before else () if is_accepted else memory.evidence
    if gained := [turn for turn in memory.evidence if turn not in rested]:
        change["without"] = gained
    if lost := [turn for turn in rested if turn not in memory.evidence]:
        change["evidence"] = lost
    return change


def _folded(history: Iterable[Recorded], counts: Callable[[Recorded], bool]) -> Memory | None:
    memory: Memory | None = None
    for recorded in history:
        if counts(recorded):
            memory = applied(memory, recorded.change, seq=recorded.seq, at=recorded.at)
    return memory
