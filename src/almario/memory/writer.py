"""Writing to the memory: lock, catch up, decide, append, apply.

A change is acknowledged when its journal line is on the disk. What follows
from the journal (each memory's state, the passages of facts) is derived: it
is brought up to date under the same lock, and made anew if it does not fit.
Facts that come together are judged one after the other, each by the ledger and
by what those before it change (`Pending`); nothing is written until all are.
"""

import contextlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from almario.domain.events import Actor, Body, Event, Filing, MemoriesChanged
from almario.domain.memories import OWN_PASSAGE, Change, Memory, Wanted, applied, same_key, same_value
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY
from almario.domain.passages import Passage
from almario.domain.read_models import Position, position_of, row_name
from almario.domain.turns import OFF, Turn, Utterance, transcript_name, without_words
from almario.domain.validity import next_time, read
from almario.errors import Damaged, StoreError
from almario.memory.ledger import Ledger
from almario.memory.rules.sources import STRANGER
from almario.named_tuples import NamedTuple
from almario.ports import Index, MemoryTable, OpenWrite, Store

if TYPE_CHECKING:
    from almario.text.redaction import Redactor

T = TypeVar("T")
Lock = Callable[[], contextlib.AbstractContextManager[object]]
# Opens the memory for writing, with all edits taken in.
Writing = Callable[[], contextlib.AbstractContextManager["Write"]]
# Tells how far a long piece of work is: done, and of how many.
Progress = Callable[[int, int], None]
# What failed after a change was acknowledged.
_STORED = "it is stored, but the index could not be brought up to date: {why}"
# What follows by itself once it can.
OWED = "MEMORY.md and the index follow later: {why}"
# Events between progress reports.
_STEP = 1000


@contextlib.contextmanager
def reporting_loss() -> Iterator[None]:
    """Have a store error say that nothing was kept; by default it says that it is stored."""
    try:
        yield
    except StoreError as exc:
        if type(exc) is not StoreError or exc.message == _STORED:
            raise
        raise StoreError("it was not kept: {why}", why=sentence_of(exc)) from exc


class Derived(NamedTuple):
    """All that is derived from the journal and the files, and can be made anew.

    *past* holds the passages of memories that are not in use, or not trusted:
    they are searched only on request. *cues* holds what brings memories to mind.
    """

    table: MemoryTable
    live: Index
    past: Index
    cues: Index
    # Opens a read transaction, over all of it.
    reading: Callable[[], contextlib.AbstractContextManager[object]]
    # Opens a write transaction.
    writing: Callable[[], contextlib.AbstractContextManager[object]]
    empty: Callable[[], None]
    problems: Callable[[], list[str]]
    # Closes the files until the next use.
    close: Callable[[], None]
    # In memory, and nobody else's: needs no lock.
    is_private: bool
    # Lets this thread go on with nothing, in memory, while the rest cannot be used; False if it cannot.
    step_aside: Callable[[], bool] = lambda: False
    come_back: Callable[[], None] = lambda: None


class MemoryWriter:
    """Keeps the derived state in step with the journal; `Write` is one open write."""

    def __init__(self, vault: Store, derived: Derived, ledger: Ledger) -> None:
        self.vault = vault
        self.derived = derived
        self.ledger = ledger
        # After which line a write of this process is entering the next, which is not acknowledged yet.
        self.entering: Position | None = None
        vault.follower.kept = self._kept

    def rebuild(self, progress: Progress | None = None) -> None:
        """Rebuild everything derived from the whole journal; the caller holds the lock."""
        self.derived.empty()
        with self.derived.writing():
            self._apply(self.ledger.news() or [], progress)

    def with_repair(self, do: Callable[[], T], holding: Lock = contextlib.nullcontext) -> T:
        """Run *do*; if what is derived is damaged, rebuild it *holding* the lock and run *do* again."""
        try:
            return do()
        except Damaged:
            with holding():
                self.rebuild()
            return do()

    def is_behind(self) -> bool:
        """Return whether the journal has lines that were acknowledged and are not taken in."""
        known = self.derived.table.position()
        return known not in (position_of(self.vault.journal.tail().last), self.entering)

    def follow(self, last: Event | None, progress: Progress | None = None) -> None:
        """Apply the journal up to its *last* line; all of it if what is derived is unfit."""
        if self.derived.table.position() == position_of(last):
            return  # a write would have everybody read anew
        with self.derived.writing():
            events = self.ledger.news()
            if events is not None:
                self._apply(events, progress)
        if events is None:
            self.rebuild(progress)

    def take(self, before: Event | None, event: Event, last: Event | None) -> None:
        """Apply a line that was entered after *before*, with what else is new up to the *last* one."""
        with self.derived.writing():
            if self.derived.table.position() == position_of(before):
                self._apply([event])
            self.follow(last)

    def _kept(self, model: str) -> tuple[Position, Mapping[str, str]]:
        with self.derived.reading():
            return self.derived.table.position(), self.derived.table.notes(row_name(model))

    def _apply(self, events: Sequence[Event], progress: Progress | None = None) -> None:
        changed: dict[str, Memory] = {}
        cued: set[str] = set()
        for place, event in enumerate(events, 1):
            changed |= {memory.id: memory for memory in self.ledger.apply(event)}
            if isinstance(event.body, MemoriesChanged):
                cued.update(each.id for each in event.body.cues)
            if progress and place % _STEP == 0:
                progress(place, len(events))
        self._put_facts(list(changed.values()))
        self._put_cues(cued | changed.keys())

    def _put_facts(self, memories: Sequence[Memory]) -> None:
        live: dict[str, Sequence[Passage]] = {}
        past: dict[str, Sequence[Passage]] = {}
        for memory in memories:
            if memory.kind in OWN_PASSAGE:
                in_use = memory.is_live and memory.origin != "untrusted"
                text = () if self.ledger.is_erased(memory) else (passage_of(memory),)
                live[source_of_memory(memory.id)] = text if in_use else ()
                past[source_of_memory(memory.id)] = () if in_use else text
        self.derived.live.put_each(live)
        self.derived.past.put_each(past)

    def _put_cues(self, ids: Collection[str]) -> None:
        """Bring the cues of these memories up to date; those of what was replaced bring what replaced it."""
        known = self.ledger.cued_of(ids)
        sources: dict[str, Sequence[Passage]] = {}
        for memory in self.derived.table.select(Wanted(ids=tuple(known))) if known else ():
            if memory.id in known:
                lends = memory.state in ("live", "superseded") and memory.origin != "untrusted"
                lends = lends and memory.kind in OWN_PASSAGE and not self.ledger.is_erased(memory)
                texts = known[memory.id].cues if lends else ()
                day = memory.at.date()
                sources[source_of_memory(memory.id)] = [
                    Passage(each, "", 0, "cue", day, memory=memory.id) for each in texts
                ]
        self.derived.cues.put_each(sources)


class Write:
    """An open write: the lock is held. `Sync.writing` gives it."""

    def __init__(self, writer: MemoryWriter, appender: OpenWrite) -> None:
        self.appender = appender
        # Whether something was entered that MEMORY.md may not show yet.
        self.is_dirty = False
        # What is still to be done after it, if what is derived could not be reached.
        self.owed: Sequence[Sentence] = ()
        self._writer = writer
        self._begun = appender.last

    def __enter__(self) -> "Write":
        return self

    def __exit__(self, *_: object) -> None:
        if self.owed:
            self._writer.derived.come_back()

    @property
    def only_speaks(self) -> bool:
        """Whether nothing was entered in the journal: what was said, if anything, stands in transcripts."""
        return self.appender.last == self._begun

    @property
    def now(self) -> datetime:
        return self._writer.vault.now()

    def commit(self, body: Body, *, actor: Actor, filings: Sequence[Filing] = ()) -> list[Sentence]:
        """Enter a change in the journal, which acknowledges it, file what it owes, and apply it.

        Returns notices about texts that could not be filed yet.
        """
        before = self.appender.last
        self.is_dirty = True
        self._writer.entering = position_of(before)
        try:
            event = self.appender.append(body, actor=actor, filings=filings)
            notices = self.appender.file(filings) if filings else []
            try:
                self._writer.with_repair(lambda: self._writer.take(before, event, self.appender.last))
            except StoreError as exc:
                self._go_on_stored(exc)
        finally:
            self._writer.entering = None
        return notices

    def _go_on_stored(self, why: StoreError) -> None:
        """Go on after a change that was acknowledged, and that what is derived could not take in."""
        with contextlib.suppress(StoreError):
            if self.goes_on_without(why):
                self._writer.follow(self.appender.last)
                return
        raise StoreError(_STORED, why=sentence_of(why)) from why

    def goes_on_without(self, why: StoreError) -> bool:
        """Have what is derived made anew in memory, for this write alone; False if that cannot be.

        So whatever is read or decided after this rests on the whole journal, the change just entered too.
        """
        if self.owed or isinstance(why, Damaged) or not self._writer.derived.step_aside():
            return False
        self.owed = (Sentence(OWED, why=sentence_of(why)),)
        return True


# How many years ahead a yearly day is found by its date.
_YEARS = 7


def source_of_memory(memory_id: str) -> str:
    """Return the name of the source that a memory is in the index."""
    return f"memory:{memory_id}"


def passage_of(memory: Memory) -> Passage:
    """Return a memory as it is indexed."""
    # What has a time of its own was told on another day, which its words are seen from.
    day = (memory.at if memory.dated else memory.valid_from).date()
    passage = Passage(
        text=memory.value,
        path=CORE_MEMORY,
        line=0,
        kind=memory.kind,
        day=day,
        role=STRANGER if memory.origin == "untrusted" else "",
        memory=memory.id,
        key=memory.key,
    )
    from almario.text.timewords import with_gist  # noqa: PLC0415 - only for what is new

    seen = with_gist(passage)
    validity = read(memory.dated)
    if validity and validity.first and validity.last:
        return seen._replace(times=(validity.named,), figures=True)
    # A month that it names may be any year's, so that it is of the day on which it was told as well.
    own = validity.named if validity else (day, day)
    times = (own, *seen.times) if validity or seen.times else ()
    if next_time(memory.dated, memory.at.date()):
        years = range(memory.at.year - 1, memory.at.year + _YEARS)
        times = tuple(each.named for year in years if (each := read(f"{year}{memory.dated[4:10]}"))) or times
    if memory.valid_to and not memory.is_live:  # it held on all these days
        held = (memory.valid_from.date(), max(memory.valid_from, memory.valid_to).date())
        times = (held, *times)
    return seen._replace(times=times, figures=seen.figures or bool(validity))


# Fields stored with a turn that hold names rather than text.
_NAMES = (
    "answers",
    "call",
    "calls_done",
    "came",
    "id",
    "model",
    "name",
    "ref",
    "told",
    "tool",
    "uncalled",
    "used",
)


def append_turns(
    writer: MemoryWriter, redact: "Redactor", write: Write, session: str, utterances: Sequence[Utterance]
) -> Sequence[Turn]:
    """Add to a transcript; when this returns, it survives a power cut.

    Of what is said off the record only the caller has the words.
    """
    kept = [fit_to_keep(each, redact) for each in utterances]
    written = [without_words(each, os.urandom(6).hex()) if each.off else each for each in kept]
    turns = write.appender.append_turns(session, written, after=_last_known(writer.ledger, session))
    return [
        turn._replace(text=each.text, more={**each.more, OFF: True}) if each.off else turn
        for turn, each in zip(turns, kept, strict=True)
    ]


def fit_to_keep(utterance: Utterance, redact: "Redactor") -> Utterance:
    """Return what was said as the transcript will have it: without its secrets, if that is wanted."""
    if not redact.settings.transcripts:
        return utterance
    more = redact.values(utterance.more, but=_NAMES)
    return utterance._replace(text=redact.whole(utterance.text), more=more)


def _last_known(ledger: Ledger, session: str) -> int:
    """Return the last turn that the journal speaks of.

    If the owner deleted the transcript, what is said next is not to be taken for what was learned from.
    """
    transcript_name(session)  # refuses what can be no session's key
    try:
        state = ledger.session(session)
    except StoreError:  # damage to what is derived is no reason to lose a turn
        return 0
    return max(state.flushed, state.queued, state.fresh)


class Pending:
    """The changes of a line to come, and the ledger as they will leave it."""

    def __init__(self, writer: MemoryWriter, now: datetime) -> None:
        self.now = now
        self.filings: list[Filing] = []
        self._ledger = writer.ledger
        self._changes: list[Change] = []
        self._of_id: dict[str, Change] = {}
        self._known: dict[str, Memory] = {}
        # What was read ahead: for which questions, and what was found.
        self._ahead: list[tuple[Wanted, list[Memory]]] = []
        # What is said in one breath replaces nothing of it.
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
        for question, found in self._ahead:
            if _asks_for(question, wanted):
                stored = [memory for memory in found if _fits(memory, wanted)]
                break
        else:
            stored = self._ledger.table.select(wanted._replace(states=("live",)))
        there = [self._known.get(memory.id, memory) for memory in stored] + self._made(wanted)
        return [m for m in there if m.is_live and (m.valid_to is None or self.now < m.valid_to)]

    def expect(self, question: Wanted) -> None:
        """Read at once what is going to be asked for in several parts."""
        self._ahead.append((question, self._ledger.table.select(question._replace(states=("live",)))))

    def _made(self, wanted: Wanted) -> list[Memory]:
        return [memory for memory in map(self._known.__getitem__, self.made) if _fits(memory, wanted)]

    def named(self, memory_id: str) -> Memory:
        """Return a memory by its id as the line will leave it."""
        return self._known.get(memory_id) or self._ledger.memory(memory_id)

    def left(self, memory: Memory) -> Memory:
        """Return a memory as the line will leave it."""
        return self._known.get(memory.id, memory)


def _asks_for(question: Wanted, part: Wanted) -> bool:
    """Return whether who asks a question for keys and values, or turns, has what a part of it asks for."""
    rest = question._replace(keys=part.keys, values=part.values, evidence=part.evidence, kinds=part.kinds)
    pairs = ((question.keys, part.keys), (question.values, part.values), (question.evidence, part.evidence))
    return rest == part and all(bool(one) == bool(other) and {*other} <= {*one} for one, other in pairs)


def _fits(memory: Memory, wanted: Wanted) -> bool:
    return (
        (not wanted.ids or memory.id in wanted.ids)
        and (not wanted.keys or same_key(memory.key) in wanted.keys)
        and (not wanted.kinds or memory.kind in wanted.kinds)
        and (not wanted.values or same_value(memory.value) in wanted.values)
        and (not wanted.evidence or not {*wanted.evidence}.isdisjoint(memory.evidence))
    )
