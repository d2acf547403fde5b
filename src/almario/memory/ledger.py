"""The ledger: what is remembered, as the journal tells it.

The journal is the truth; the table holds what follows from it, so that
nothing has to be read twice. A table that does not fit the journal (an older
copy, another agent's, one from before a purge) is emptied and filled again.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from almario.domain.digests import sha256
from almario.domain.events import (
    Cued,
    Event,
    HearingChanged,
    JobTried,
    MemoriesChanged,
    ModelTried,
    PurgeBegun,
    PurgeDone,
    Verb,
)
from almario.domain.memories import (
    ERASED,
    Change,
    Lifetimes,
    Memory,
    Recorded,
    Wanted,
    applied,
    going_back,
    same_value,
    state_at,
)
from almario.domain.messages import NOTHING, CommandLine, Sentence
from almario.domain.read_models import OF_THE_SOUL, follow, news
from almario.domain.withheld import MASK
from almario.errors import SoulError
from almario.memory.rules.exchanges import SessionState, decode_state, encode_state, followed, session_in
from almario.named_tuples import NamedTuple
from almario.ports import Journal, MemoryTable

# Ids are random; so many letters of one are enough to name it.
LEAST_ID = 4
# What a line does that takes turns off the record; they are erased when their session ends.
TAKEN_BACK: Verb = "taken back"
# What is neither learned from nor brought up, and stays where it is.
SET_ASIDE: Verb = "set aside"


class Reversal(NamedTuple):
    """What taking a line back does, and which memories have changed since and stay as they are."""

    changes: tuple[Change, ...]
    left: tuple[Memory, ...]


class Consolidations(NamedTuple):
    """The line of the latest consolidation, its day, and how many memories were lost to others that day."""

    seq: int = 0
    day: str = ""
    lost: int = 0


class Ledger:
    """Follows the journal, and answers what is, was true and was believed."""

    def __init__(self, journal: Journal, table: MemoryTable, lifetimes: Lifetimes | None = None) -> None:
        self.table = table
        self.lifetimes = lifetimes or Lifetimes()
        self._journal = journal
        # What is out of mind, as of a position in the journal.
        self._out: tuple[tuple[int, str], frozenset[str]] = ((0, ""), frozenset())

    def news(self) -> list[Event] | None:
        """Return the events to apply; None if the table must be emptied first."""
        return news(self._journal, self.table.position())

    def memory(self, wanted: str) -> Memory:
        """Return the memory with that id, or that beginning of one."""
        found = self.table.select(Wanted(ids=(wanted,)))
        exact = [memory for memory in found if memory.id == wanted]
        if exact or (len(found) == 1 and len(wanted) >= LEAST_ID):
            return (exact or found)[0]
        if found and len(wanted) >= LEAST_ID:
            raise SoulError('"{id}" matches several memories; type more of the id', id=wanted)
        listing = CommandLine("almario memory list")
        raise SoulError('there is no memory "{id}"; "{listing}" shows them', id=wanted, listing=listing)

    def history(self, memory: Memory) -> list[Recorded]:
        """Return every change of a memory, oldest first."""
        return self.table.history(memory=memory.id)

    def whole(self, memory: Memory) -> Memory:
        """Return a memory with what is left out of its value because it may be a secret."""
        if MASK not in memory.value:
            return memory
        texts = (each.change.get("whole") for each in self.table.history(memory=memory.id))
        return memory._replace(value=next(filter(None, reversed(list(texts))), memory.value))

    def live(self, now: datetime, wanted: Wanted = Wanted()) -> list[Memory]:  # noqa: B008 - a constant
        """Return the memories in use."""
        found = self.table.select(wanted._replace(states=("live",)))
        return [memory for memory in found if state_at(memory, now, self.lifetimes) == "live"]

    def at_seq(self, seq: int, wanted: Wanted = Wanted()) -> list[Memory]:  # noqa: B008 - a constant
        """Return the memories as they stood when the journal ended at *seq*."""
        since = {recorded.change["id"] for recorded in self.table.history(after=seq)}
        since = since.intersection(wanted.ids) if wanted.ids else since
        found = [memory for memory in self.table.select(wanted) if memory.id not in since]
        for memory_id in since:
            before = _folded(self.table.history(memory=memory_id), lambda recorded: recorded.seq <= seq)
            found += [before] if before else []
        return found

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
        known = [memory for memory in self.at_seq(last) if memory.at <= then]
        return [memory for memory in known if state_at(memory, then, self.lifetimes) == "live"]

    def true(self, then: datetime) -> list[Memory]:
        """Return what was true at an instant, as it is known now, and what was known to be coming."""
        return self.table.select(Wanted(states=("live", "superseded"), true_at=then))

    def session(self, session: str) -> SessionState:
        """Return what the journal says of a session."""
        return decode_state(self.table.noted(f"session:{session}"))

    def sessions(self) -> Mapping[str, SessionState]:
        """Return what the journal says of each session that it speaks of."""
        return {name: decode_state(note) for name, note in self.table.notes("session:").items()}

    def hearing(self) -> Mapping[tuple[str, str], str]:
        """Return what the owner lets sessions, and people in chats, hear: by session or chat, and name."""
        noted = json.loads(self.table.noted("hearing") or "[]")
        return {(session, speaker): hears for session, speaker, hears in noted}

    def out_of_mind(self) -> frozenset[str]:
        """Return the turns and lines that told what is forgotten, for as long as it is."""
        noted = self.table.noted("forgotten")
        position = self.table.position() if noted else (0, "")
        if self._out[0] != position:
            gone = json.loads(noted or "[]")
            ids = tuple({memory_id for _, told, _ in gone for memory_id in told})
            found = self.table.select(Wanted(ids=ids, states=("retired",))) if ids else []
            retired = {memory.id for memory in found}
            out = (names for _, told, names in gone if not told or not retired.isdisjoint(told))
            self._out = (position, frozenset(name for names in out for name in names))
        return self._out[1]

    def cued(self, memory_id: str) -> Cued | None:
        """Return what brings a memory to mind; None if nobody was asked for that yet."""
        noted = self.table.noted(f"cues:{memory_id}")
        return _cued(memory_id, noted) if noted else None

    def every_cued(self) -> dict[str, Cued]:
        """Return the same of all memories for which somebody was asked, by id."""
        return {name: _cued(name, noted) for name, noted in self.table.notes("cues:").items()}

    def intentions(self) -> tuple[str, ...]:
        """Return the memories that are to be brought up once, done or not."""
        return tuple(json.loads(self.table.noted("intentions") or "[]"))

    def tried(self, task: str) -> dict[str, bool]:
        """Return the models that were tried with a task, and whether they may do it."""
        return {model: noted == "yes" for model, noted in self.table.notes(f"tried:{task}:").items()}

    def waiting(self, job: str) -> Sentence:
        """Return why background work waits, or nothing."""
        noted = self.table.noted(f"job:{job}")
        return Sentence.read(json.loads(noted)) if noted else NOTHING

    def consolidated(self) -> Consolidations:
        """Return when memories were last compared with each other, and how many that day put out of use."""
        noted = self.table.noted("consolidated").split()
        return Consolidations(int(noted[0]), noted[1], int(noted[2])) if noted else Consolidations()

    def was_judged(self, pair: str) -> bool:
        """Say whether two memories were compared before."""
        return self.table.noted(f"judged:{pair}") != ""

    def are_apart(self, one: str, other: str) -> bool:
        """Say whether two memories in use were compared and stayed apart."""
        return self.was_judged("+".join(sorted((one, other))))

    def last_change(self) -> int:
        """Return the seq of the latest line that changed memories."""
        return int(self.table.noted("last-change") or 0)

    def last_undoable(self) -> int:
        """Return the seq of the latest line that is still the latest change of some memory; 0 if none."""
        _, kept = self.table.extent(Wanted(kept=True))
        alone: list[int] = [
            seq for seq, told, _ in json.loads(self.table.noted("forgotten") or "[]") if not told
        ]
        return max([kept, *alone])

    def last_purge(self) -> int:
        """Return the seq of the latest line that erased memories for good."""
        return int(self.table.noted("last-purge") or 0)

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
            memory = self.memory(memory_id)
            if memory.seq != seq or self.is_erased(memory):
                left.append(memory)
                continue
            before = _folded(self.table.history(memory=memory_id), lambda recorded: recorded.seq < seq)
            changes.append({"id": memory_id, "set": going_back(before, memory)})
        return Reversal(tuple(changes), tuple(left))

    def _went_alone(self, seq: int) -> bool:
        """Say whether a line put turns or lines of files out of mind that no memory was made of."""
        return any(
            each[0] == seq and not each[1] for each in json.loads(self.table.noted("forgotten") or "[]")
        )

    def is_erased(self, memory: Memory) -> bool:
        """Say whether a memory's text was purged."""
        return memory.value == ERASED and self.table.noted(f"erased:{memory.id}") != ""

    def was_purged(self, value: str, *, after: int = 0) -> bool:
        """Say whether a text is one that was erased for good, by a line of the journal after that one."""
        salts = self.table.noted("salts").split()
        seqs = [self.table.noted(f"purged:{salted(salt, value)}") for salt in salts]
        return any(int(seq) > after for seq in seqs if seq)

    def is_purging(self) -> bool:
        """Say whether a purge was begun and not finished."""
        return self.table.noted("purging") != ""

    def unfinished_purges(self) -> list[tuple[int, PurgeBegun]]:
        """Return the purges that were begun and not finished, with their seqs."""
        open_ones = {int(seq) for seq in self.table.noted("purging").split()}
        events = self._journal.read(after=min(open_ones) - 1) if open_ones else []
        return [(e.seq, e.body) for e in events if e.seq in open_ones and isinstance(e.body, PurgeBegun)]

    def apply(self, event: Event) -> Sequence[Memory]:
        """Take in one event; return the memories that it changed."""
        if isinstance(event.body, PurgeBegun):
            self._note_purge(event.seq, event.body)
            self._note_taken_back(event.seq, event.body)
        if isinstance(event.body, PurgeDone):
            left = [seq for seq in self.table.noted("purging").split() if seq != str(event.body.of)]
            self.table.note("purging", " ".join(left))
        if session := session_in(event):
            self.table.note(f"session:{session}", encode_state(followed(self.session(session), event)))
        if isinstance(event.body, HearingChanged):
            self._note_hearing(event.body)
        if isinstance(event.body, MemoriesChanged) and (event.body.out or event.body.verb == "undone"):
            self._note_forgotten(event.seq, event.body)
            self._note_taken_back(event.seq, event.body)
        if isinstance(event.body, MemoriesChanged):
            self._note_cues(event.body)
        if isinstance(event.body, ModelTried):
            self.table.note(f"tried:{event.body.task}:{event.body.model}", "yes" if event.body.may else "no")
        if isinstance(event.body, JobTried):
            self.table.note(f"job:{event.body.job}", json.dumps(event.body.why.kept, ensure_ascii=False))
        if isinstance(event.body, MemoriesChanged) and event.body.verb == "consolidated":
            self._note_consolidation(event, event.body)
        if event.type.startswith(OF_THE_SOUL):
            self._follow_soul(event)
        changed = self.table.apply(event)
        if changed:
            self.table.note("last-change", str(event.seq))
        return changed

    def _follow_soul(self, event: Event) -> None:
        from almario.domain.soul_events import ProposalMade  # noqa: PLC0415 - few lines are about it
        from almario.domain.soul_models import MODELS  # noqa: PLC0415 - as above

        if isinstance(event.body, ProposalMade):
            self._note_judged(event.body.judged)
        follow(MODELS, self.table, event)

    def _note_hearing(self, body: HearingChanged) -> None:
        known = {**self.hearing(), (body.session, body.speaker): body.hears}
        told = [[*who, hears] for who, hears in sorted(known.items()) if hears]
        self.table.note("hearing", json.dumps(told, ensure_ascii=False))

    def taken_back(self) -> dict[int, list[str]]:
        """Return the turns that were taken off the record and wait to be erased, by the line that says so."""
        return self._put_away(TAKEN_BACK)

    def set_aside(self) -> dict[int, list[str]]:
        """Return the turns that are neither learned from nor brought up, by the line that says so."""
        return self._put_away(SET_ASIDE)

    def _put_away(self, verb: Verb) -> dict[int, list[str]]:
        return dict(json.loads(self.table.noted(verb.replace(" ", "-")) or "[]"))

    def _note_taken_back(self, seq: int, body: MemoriesChanged | PurgeBegun) -> None:
        for verb in (TAKEN_BACK, SET_ASIDE):
            noted = before = self._put_away(verb)
            if isinstance(body, PurgeBegun):
                noted = {line: turns for line, turns in noted.items() if not set(turns) <= set(body.turns)}
            elif body.verb == verb:
                noted = {**noted, seq: list(body.out)}
            else:
                noted = {line: turns for line, turns in noted.items() if line != body.of}
            if noted != before:
                self.table.note(verb.replace(" ", "-"), json.dumps(list(noted.items())))

    def _note_cues(self, body: MemoriesChanged) -> None:
        for each in body.cues:
            self.table.note(f"cues:{each.id}", json.dumps([each.model, *each.cues], ensure_ascii=False))
        before = self.intentions()
        given = {each.id: each.once for each in body.cues}
        after = [one for one in before if given.get(one, True)]
        after += [one for one, once in given.items() if once and one not in before]
        if tuple(after) != before:
            self.table.note("intentions", json.dumps(after))

    def _note_forgotten(self, seq: int, body: MemoriesChanged) -> None:
        """Keep what went out of mind with which memories; what went alone comes back when it is undone."""
        noted = json.loads(self.table.noted("forgotten") or "[]")
        kept = [each for each in noted if each[0] != body.of or each[1]]
        new = [[seq, [change["id"] for change in body.changes], list(body.out)]] if body.out else []
        if new or kept != noted:
            self.table.note("forgotten", json.dumps(kept + new, ensure_ascii=False))

    def _note_consolidation(self, event: Event, body: MemoriesChanged) -> None:
        before, day = self.consolidated(), event.at.astimezone(UTC).date().isoformat()
        merged = {change["id"] for change in body.changes if "by" not in change["set"]}
        lost = sum(change["set"].get("by", "") not in {"", *merged} for change in body.changes)
        earlier = before.lost if before.day == day else 0
        self.table.note("consolidated", f"{event.seq} {day} {earlier + lost}")
        self._note_judged(body.judged)

    def _note_judged(self, pairs: Iterable[str]) -> None:
        for pair in pairs:
            self.table.note(f"judged:{pair}", "yes")

    def _note_purge(self, seq: int, purge: PurgeBegun) -> None:
        self.table.note("purging", f"{self.table.noted('purging')} {seq}".strip())
        self.table.note("last-purge", str(seq))
        salts = self.table.noted("salts").split()
        self.table.note("salts", " ".join(dict.fromkeys([*salts, purge.salt])))
        for each in purge.hashes:
            self.table.note(f"purged:{each}", str(seq))
        for memory_id in purge.ids:
            self.table.note(f"erased:{memory_id}", "yes")


def salted(salt: str, value: str) -> str:
    """Return what is kept of a text that must not be learned again."""
    return sha256(f"{salt}:{same_value(value)}".encode("utf-8", "surrogatepass"))[:32]


def _cued(memory_id: str, noted: str) -> Cued:
    model, *cues = json.loads(noted)
    return Cued(memory_id, tuple(cues), model)


def changes_of(event: Event) -> tuple[Change, ...]:
    """Return what an event does to memories."""
    return event.body.changes if isinstance(event.body, MemoriesChanged) else ()


def _folded(history: Iterable[Recorded], counts: Callable[[Recorded], bool]) -> Memory | None:
    memory: Memory | None = None
    for recorded in history:
        if counts(recorded):
            memory = applied(memory, recorded.change, seq=recorded.seq, at=recorded.at)
    return memory
