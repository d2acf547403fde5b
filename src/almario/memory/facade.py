"""What one agent remembers: the verbs of memory, each one step of the journal."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from functools import cached_property, partial, update_wrapper
from typing import TYPE_CHECKING, Concatenate, Literal, ParamSpec, TypeVar

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.cues import check
from almario.domain.events import Actor, Cued, JobTried, Occurrence, Verb
from almario.domain.memories import (
    EVERY,
    MIRRORED,
    OWN_PASSAGE,
    STATES,
    TRUSTED,
    AnyKind,
    AsOf,
    Change,
    Column,
    Memory,
    Origin,
    Recorded,
    State,
    Wanted,
    same_key,
    state_at,
)
from almario.domain.messages import NOTHING, CommandLine, Sentence
from almario.domain.model import IMPORTED, Damage, Hit, Query, Recalled
from almario.domain.places import checked
from almario.domain.plans import plans_of
from almario.domain.records import written
from almario.domain.turns import Turn, Utterance, transcript_name
from almario.domain.validity import read
from almario.errors import NotFound, SoulError
from almario.former_names import answering
from almario.memory.ledger import LEAST_ID, Ledger
from almario.memory.memory_parts import MemoryParts
from almario.memory.rules.ledger_models import TAKEN_BACK
from almario.memory.rules.session_state import SessionState
from almario.memory.sync import Sync
from almario.memory.writer import Pending, Progress, append_turns, fit_to_keep, reporting_loss
from almario.named_tuples import NamedTuple
from almario.ports import LLM
from almario.text.times.clock import first_hour

# Loaded when it is first used: few commands need it all.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from almario.domain.forgotten import Forgotten, Meant
    from almario.domain.held import HeldWords
    from almario.domain.plans import Plan
    from almario.domain.withheld import Withheld
    from almario.memory.admission import Judged, Receipt
    from almario.memory.amending import Amendment, Undone
    from almario.memory.condensing import Condensed
    from almario.memory.consolidation import Consolidated
    from almario.memory.cueing import Written
    from almario.memory.embedding import Embedding
    from almario.memory.forgetting import Forgetting
    from almario.memory.handwritten import Handwritten
    from almario.memory.lately import Session
    from almario.memory.lessons import Lesson
    from almario.memory.outcomes import Outcome
    from almario.memory.pages import PortraitPages
    from almario.memory.purge import Erasure
    from almario.memory.rules.admission import Proposed
    from almario.memory.rules.lives import LearnedOn, LifeStep
    from almario.memory.telling import Listener
    from almario.memory.transfer import Imported

# What was true at an instant may be out of use by now, but was never wrong.
_THEN: tuple[State, ...] = ("live", "superseded", "ended", "expired")
# Of the turns that a memory rests on, so many are shown.
_EVIDENCE = 20
# A class with a verb called `list` cannot name the type by that word.
Found = list[Memory]
Lines = list[str]
Ids = Sequence[str]

P = ParamSpec("P")
T = TypeVar("T")
Own = TypeVar("Own", bound="Memories")


class Reasons(NamedTuple):
    """Why a memory is believed: itself, its state, its history, and what it replaced or was replaced by.

    *evidence* are the turns it rests on, as far as they still exist, *life* is its history step by step, and
    *cues* bring it to mind besides what it says; *fate* is whether it is told to who asks something, or why
    not. What it was *replaced_by* while it is live is a guess.
    """

    memory: Memory
    state: State
    history: tuple[Recorded, ...]
    replaced: tuple[Memory, ...]
    replaced_by: Memory | None
    cues: tuple[str, ...]
    evidence: tuple[Turn, ...]
    life: tuple[LifeStep, ...]
    fate: Literal["", "told", "may not be told", "below the floor", "no room"] = ""

    @property
    def changed_at(self) -> datetime | None:
        """When the owner put it in the place of another; None if it is no such change."""
        is_change = self.replaced and self.life and self.life[0].deed in ("amended", "edited", "remembered")
        return self.life[0].at if is_change and self.memory.origin == "owner" else None


class Stats(NamedTuple):
    """How many memories there are of each state, and in use of each kind, source and origin."""

    states: dict[str, int]
    kinds: dict[str, int]
    sources: dict[str, int]
    origins: dict[str, int]
    keys: int
    passages: int
    without_vector: int


def question(
    *, of_files: bool = True
) -> Callable[[Callable[Concatenate[Own, P], T]], Callable[Concatenate[Own, P], T]]:
    """Make a method answer with everything new taken in; not *of_files*, all that the journal says."""

    def decorate(method: Callable[Concatenate[Own, P], T]) -> Callable[Concatenate[Own, P], T]:
        def ask(self: Own, /, *given: P.args, **named: P.kwargs) -> T:
            return self.sync.reading(lambda: method(self, *given, **named), of_files=of_files)

        update_wrapper(ask, method)
        return ask

    return decorate


def of_ledger(method: Callable[Concatenate[Ledger, P], T]) -> Callable[Concatenate[Memories, P], T]:
    """Make a verb of what the ledger answers, with everything new in the journal taken in."""

    def ask(self: Memories, /, *given: P.args, **named: P.kwargs) -> T:
        return self.sync.reading(lambda: method(self._ledger, *given, **named), of_files=False)

    update_wrapper(ask, method)
    return ask


class Memories:
    """Remembers, recalls, forgets, and can say why.

    Each question is answered with everything new taken in; see `looking` for several that belong together.
    """

    def __init__(self, parts: MemoryParts) -> None:
        self.sync = Sync(parts)
        # What takes secrets out of a text.
        self.redact = parts.redact
        self._parts = parts
        self._writer = parts.writer
        self._ledger = parts.writer.ledger

    @property
    def embedding(self) -> Embedding:
        return self._parts.embedding

    @property
    def pages(self) -> PortraitPages:
        """What the owner wrote about themselves and others, and what a model made of memories of them."""
        return self._parts.pages

    @property
    def handwritten(self) -> Handwritten:
        """What the owner wrote by hand, and the secrets in it."""
        return self._parts.handwritten

    @cached_property
    def _forgetting(self) -> Forgetting:
        from almario.memory.forgetting import Forgetting

        parts = self._parts
        return Forgetting(self._writer, parts.recall, parts.episodes, listed=self.list, by_id=self._by_id)

    def snapshot(self, *, fresh: bool = True) -> contextlib.AbstractContextManager[object]:
        """Answer every query inside from one state; if not *fresh*, from the latest known one.

        What is written inside leaves MEMORY.md and the index in step.
        """
        return self.sync.snapshot(fresh=fresh)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Make all that is said and written inside one unit, under one lock: nothing slow may be inside."""
        with self.sync.writing(in_any_case=True):
            yield

    def remember(
        self,
        text: str,
        value: str | None = None,
        *,
        kind: AnyKind = "",
        actor: Actor = "owner",
        evidence: Sequence[str] = (),
        replaces: str = "",
        day: str = "",
        place: str | None = None,
    ) -> Receipt:
        """Remember a fact on the owner's behalf; *replaces* is the id of the memory it replaces.

        *day* is its day (2026-12-03), if that is another than its words say; what comes again is for ever.
        *place* is a project, `work` for every one, or empty for home; None is where its *evidence* was said.
        """
        fact = self._of_owner(text, value, kind, evidence, replaces, day)._replace(place=checked(place))
        return self.admit(fact, actor=actor)

    def admit(self, fact: Proposed, *, actor: Actor) -> Receipt:
        """Remember a fact as it is given, with its source, origin and evidence; one unfit is refused."""
        with reporting_loss(), self.sync.writing() as write:
            receipt = self._parts.admission.admit(write, [fact], actor=actor)[0]
        self.sync.told(write.owed)
        return receipt._replace(told=(*receipt.told, *write.owed))

    def _of_owner(
        self, text: str, value: str | None, kind: AnyKind, evidence: Sequence[str], replaces: str, day: str
    ) -> Proposed:
        fact = self._parts.admission.proposed(text, value, kind)._replace(evidence=tuple(evidence))
        fact = fact._replace(dated=day, kind=kind or ("fact" if read(day) else "")) if day else fact
        of = self._in_use(replaces).id if replaces else ""
        return fact._replace(act="replaces" if of else "", of=of)

    def judge(self, fact: Proposed) -> tuple[Judged, tuple[Change, ...]]:
        """Say what would become of a fact, and by which changes; nothing is written."""
        pending = Pending(self._writer, self._writer.vault.now())
        return self.sync.reading(lambda: self._parts.admission.judge(fact, pending)), pending.changes

    def learn(
        self, key: str, value: str, *, kind: AnyKind = "", origin: Origin = "owner", evidence: Ids = ()
    ) -> Receipt:
        """Remember what was found in a conversation; *origin* is the lowest of what it was found in."""
        fact = self._parts.admission.proposed(key, value, kind)._replace(source="auto", origin=origin)
        return self.admit(fact._replace(evidence=tuple(evidence)), actor="agent")

    def take_lesson(self, lesson: Lesson) -> Sequence[Receipt] | None:
        """Remember what a session taught, all in one step; None if it has been learned from since."""
        from almario.memory.lessons import taken

        with self.sync.writing() as write:
            return taken(self._parts, write, lesson)

    def meant(self, words: str, order: Collection[str] = ()) -> Meant:
        """Return what an id, a key or words refer to; *order* are the turns of the request itself."""
        return self.sync.reading(lambda: self._forgetting.meant(words, order))

    def put_out_of_mind(
        self, things: Sequence[Hit], *, actor: Actor = "owner", order: Sequence[str] = ()
    ) -> Forgotten:
        """Forget these hits wherever they are mentioned, along with the request (*order*) itself.

        The request alone is no change that an undo would take back.
        """
        mentions = self.sync.reading(lambda: self._forgetting.mentions(things, order))
        verb: Verb = "forgotten" if things else "asked"
        with self.sync.writing() as write:
            return self._forgetting.forget(write, mentions, actor=actor, order=order, verb=verb)

    def restore(self, memory_id: str, *, actor: Actor = "owner") -> Memory:
        """Put a retired memory back into use."""
        with self.sync.writing() as write:
            return self._parts.amending.restore(write, self._ledger.memory(memory_id), actor=actor)

    def amending(self, memory_id: str, wanted: Amendment) -> Sequence[Change]:
        """Return the changes that would make a memory as it is wanted; nothing is written."""
        return self.sync.reading(lambda: self._parts.amending.changes(self._ledger.memory(memory_id), wanted))

    def change(
        self,
        memory_id: str,
        text: str = "",
        *,
        when: str = "",
        ended: str = "",
        place: str | None = None,
        right: bool | None = None,
        shared: bool | None = None,
        cues: Iterable[str] | None = None,
        actor: Actor = "owner",
    ) -> Memory:
        """Change a memory's text, its date or validity (*when*: "2026-12-03", "2025/.."), or its last day.

        *place* moves it to a project, to `work`, or home if empty. *right* is the owner's word: what is right
        counts as their own, what is wrong goes out of use, while what was said stays. What is *shared* others
        may hear. *cues* replace its cues. What is left out stays. Return the memory, or its replacement.
        """
        from almario.memory.amending import Amendment

        wanted, parts = Amendment(text, when, ended, place=place), self._parts
        given = None if cues is None else tuple(cues)
        if wanted == Amendment() and (right, shared, given) == (None, None, None):
            raise SoulError("nothing would change")
        check(given or ())
        with self.sync.writing() as write:
            memory = self._ledger.memory(memory_id)
            if wanted != Amendment():
                memory = parts.amending.amend(write, memory, wanted, actor=actor)
            if shared is not None:
                memory = parts.amending.share(write, memory, shared=shared, actor=actor)
            if given is not None:
                parts.cueing.give(write, [Cued(memory.id, given)], actor=actor)
            if right is not None:
                judge = parts.amending.confirm if right else parts.amending.reject
                memory = judge(write, memory, actor=actor)
            return self._of_now([memory])[0]

    def bring_up(self, message: str, audience: Audience = OWNER_ALONE) -> Found:
        """Return what was to come up in a situation that a message speaks of; with that, it is done."""
        met = self.sync.reading(lambda: self._parts.cueing.met(message), of_files=False)
        from almario.memory.telling import hears_memory

        if not any(hears_memory(audience, memory) for memory in met):
            return []
        with self.sync.writing() as write:
            # Somebody may have been first.
            met = [each for each in self._parts.cueing.met(message) if hears_memory(audience, each)]
            done: list[Change] = [{"id": each.id, "set": {"valid_to": written(write.now)}} for each in met]
            if done:
                self._parts.amending.apply(write, done, actor="almario", verb="reminded")
            return [self._ledger.memory(each.id) for each in met]

    def write_cues(self, llm: LLM | None) -> Written:
        """Have a model write what should bring memories to mind that have no cues."""
        return self.sync.reading(partial(self._parts.cueing.write, llm, self.sync.writing))

    @property
    def last_undoable(self) -> int:
        """The latest line of the journal that changed memories and was not taken back; 0 if there is none."""
        return self.sync.reading(self._ledger.last_undoable)

    def undo(self, line: int = 0, *, actor: Actor = "owner") -> Undone:
        """Take back a line of the journal (0: the latest that changed memories) where nothing followed it."""
        with self.sync.writing() as write:
            seq = line or self._ledger.last_undoable()
            if not seq:
                raise SoulError("there is nothing left to undo")
            return self._parts.amending.undo(write, seq, actor=actor)

    def apply(self, changes: Sequence[Change], *, actor: Actor = "owner", verb: Verb = "accepted") -> Found:
        """Make those of the changes that can still be made, in one step; return what they changed."""
        with self.sync.writing() as write:
            return self._parts.amending.apply(write, changes, actor=actor, verb=verb)

    def state(self, memory: Memory) -> State:
        """Return a memory's current state."""
        return state_at(memory, self._writer.vault.now(), self._ledger.lifetimes)

    @question()
    def list(
        self,
        wanted: Wanted = Wanted(),  # noqa: B008 - a constant
        *,
        as_of: datetime | None = None,
        believed: bool = False,
    ) -> Found:
        """Return matching memories, oldest first; by default those in use and trusted.

        With *as_of*, return instead all that was true at that instant, as known now; or was *believed* then.
        """
        if as_of:
            return self._of_now(self._ledger.believed(as_of) if believed else self._ledger.true(as_of))
        meant = self._meant_by(wanted)
        found = self._ledger.table.select(meant)
        return found if meant.states == ("live",) else self._of_now(found)  # those are live now

    def _of_now(self, memories: Found) -> Found:
        now, lifetimes = self._writer.vault.now(), self._ledger.lifetimes
        states = [state_at(memory, now, lifetimes) for memory in memories]
        return [
            memory if state == memory.state else memory._replace(state=state)
            for memory, state in zip(memories, states, strict=True)
        ]

    def _meant_by(self, wanted: Wanted) -> Wanted:
        """Return what the table is to be asked: by the states of now, and the keys that mean the same."""
        states = wanted.states or (_THEN if wanted.true_at else ("live",))
        is_any, may_be_erased = set(states) == set(STATES), not {"superseded", "retired"}.isdisjoint(states)
        return wanted._replace(
            states=states,
            keys=tuple(key for wish in wanted.keys for key in self._parts.admission.group(wish)),
            origins=wanted.origins or TRUSTED,
            standing=None if is_any else AsOf(self._writer.vault.now(), self._ledger.lifetimes),
            kept=may_be_erased and bool(self._ledger.last_purge()),
        )

    @question()
    def core(self, most: int = 0) -> Found:
        """Return the facts and instructions in use; of more than so many, the profile and the newest."""
        return self.list(Wanted(kinds=OWN_PASSAGE, most=most or self._parts.mirror.core.most()))

    @question()
    def earlier(self, memories: Sequence[Memory]) -> Mapping[str, Memory]:
        """Return which of the memories seem to tell an earlier value, by id, each with what tells the next.

        No more than that: it is a guess, and they are all in use.
        """
        from almario.memory.rules.rivals import replaced

        now = self._writer.vault.now()
        found = replaced(memories, now, are_apart=self._ledger.are_apart)
        return found | self._ledger.doubted(memories, now)

    @question()
    def doubted(self, memories: Sequence[Memory]) -> Mapping[str, Memory]:
        """Return which memories in use were marked as earlier, by id, each with what seems to replace it."""
        return self._ledger.doubted(memories, self._writer.vault.now())

    @question()
    def said_since(
        self, memories: Sequence[Memory], audience: Audience, hidden: Collection[str]
    ) -> Mapping[str, Turn]:
        """Return by the ids of memories the owner's latest word on each that was not learned from yet.

        It is one that an audience may hear, and not *hidden*, as what is in sight.
        """
        from almario.memory.telling import hears_turns

        return self._parts.said_since.of(memories, lambda turn: hears_turns(audience, (turn.id,)), hidden)

    def lately(self, wanted: Callable[[str], bool], most: int) -> Sequence[Session]:
        """Return the latest of the sessions that are wanted by their keys, the last one first."""
        return self._parts.lately.sessions(wanted, most)

    def statement(self, text: str) -> str:
        """Return what a message tells: all if that is short, else one sentence; nothing of a mere order."""
        return self._parts.statements.best(text, None, ())

    @question()
    def get(self, memory_id: str) -> Memory:
        """Return the memory with this id, or this start of an id."""
        return self._of_now([self._ledger.memory(memory_id)])[0]

    @question()
    def prose(self) -> Lines:
        """Return the lines of MEMORY.md that are the owner's own, and no facts."""
        return self._parts.mirror.prose()

    @question(of_files=False)
    def session(self, session: str) -> SessionState:
        """Return how far a session was learned from, what is queued, and where it began anew."""
        transcript_name(session)  # refuses what can be no session's key
        return self._ledger.session(session)

    sessions = of_ledger(Ledger.sessions)
    hearing = of_ledger(Ledger.hearing)
    out_of_mind = of_ledger(Ledger.out_of_mind)
    asked_in_vain = of_ledger(Ledger.asked_in_vain)
    taken_back = of_ledger(Ledger.taken_back)
    are_of_home = of_ledger(Ledger.are_of_home)
    last_purge = of_ledger(Ledger.last_purge)
    was_purged = of_ledger(Ledger.was_purged)
    hidden = of_ledger(Ledger.hidden)
    set_aside = of_ledger(Ledger.set_aside)
    put_out_by = of_ledger(Ledger.put_out_by)
    waiting = of_ledger(Ledger.waiting)

    @question()
    def _in_use(self, memory_id: str) -> Memory:
        """Return the memory with that id, or this start of one; SoulError if it is out of use."""
        memory = self._ledger.memory(memory_id)
        if not self._ledger.is_live(memory, self._writer.vault.now()):
            raise SoulError("memory {id} is out of use", id=memory.id)
        return memory

    @question()
    def why(self, memory_id: str, asked: str = "", audience: Audience = OWNER_ALONE) -> Reasons:
        """Return a memory's evidence, what became of it, and whether an audience that *asked* is told it."""
        from almario.memory.rules.lives import life_of

        memory = self._ledger.memory(memory_id)
        gone = Wanted(by=memory.id, states=("superseded",))
        replaced = tuple(self._of_now(self._ledger.table.select(gone)))
        seeming = self._ledger.doubted([memory], self._writer.vault.now())
        by = seeming.get(memory.id) if memory.is_live else self.get(memory.by) if memory.by else None
        history = tuple(self._ledger.table.history(memory=memory.id))
        lent = [cued.cues for each in (memory, *replaced) if (cued := self._ledger.cued(each.id))]
        return Reasons(
            self.get(memory.id),
            self.state(memory),
            history,
            replaced,
            by,
            tuple(dict.fromkeys(cue for cues in lent for cue in cues)),
            tuple(self._writer.vault.turns(memory.evidence[-_EVIDENCE:])),
            life_of(memory, history),
            self._parts.recall.fate(memory, Query(asked), audience) if asked.strip() else "",
        )

    @question()
    def history(self, memory_id: str = "", *, last: int = 0) -> Sequence[Recorded]:
        """Return all changes of one memory, or of all, oldest first; *last* limits it to the latest."""
        memory = self._ledger.memory(memory_id).id if memory_id else ""
        return self._ledger.table.history(memory=memory, last=last)

    @question()
    def plans(self, *, passed: int = 0) -> Sequence[Plan]:
        """Return plans by day and hour, including those of the last *passed* days."""
        vault = self._writer.vault
        known = self.list(Wanted(kinds=MIRRORED, states=("live", "ended"), dated=True))
        plans = plans_of(known, vault.now().date(), vault.zone, passed=passed)
        days = Counter(plan.when.first_day for plan in plans)
        hours = {one.memory.id: first_hour(one.memory.value) for one in plans if days[one.when.first_day] > 1}
        return sorted(plans, key=lambda each: (each.when.first_day, hours.get(each.memory.id, time())))

    @question()
    def stats(self) -> Stats:
        """Count what there is."""
        table, (passages, lacking) = self._ledger.table, self.indexed()
        as_of = AsOf(self._writer.vault.now(), self._ledger.lifetimes)
        every = table.tally(Wanted(standing=as_of), "state", "kind", "source", "origin")
        live = {own[1:]: count for own, count in every.items() if own[0] == "live"}
        return Stats(
            states=_summed(every, 0),
            kinds=_summed(live, 0),
            sources=_summed(live, 1),
            origins=_summed(live, 2),
            keys=len(table.keys()),
            passages=passages,
            without_vector=lacking,
        )

    @question()
    def indexed(self) -> tuple[int, int]:
        """Count the passages in the index, and those of them that have no vector yet."""
        model, index = self._parts.embedding.model, self._writer.derived.live
        return index.count()[0], len(index.lacking(model, 1_000_000)) if model else 0

    def _by_id(self, name: str) -> Memory | None:
        """Return the memory that an id names, or the beginning of one that is not a key in use."""
        found = self._ledger.table.select(Wanted(ids=(name,))) if name else []
        exact = [memory for memory in found if memory.id == name]
        if exact or len(found) != 1 or len(name) < LEAST_ID:
            return exact[0] if exact else None
        return None if self._under(name) else found[0]

    def text_of(self, name: str) -> str:
        """Return what a memory or a message says today, by its id; nothing, if it is gone."""
        memory = self._by_id(name)
        is_gone = memory or (name.startswith(IMPORTED) and name in self.out_of_mind())
        turn = None if is_gone else self._writer.vault.turn(name)
        return memory.text if memory else turn.text if turn else ""

    def _under(self, key: str) -> Found:
        return self._ledger.live(self._writer.vault.now(), Wanted(keys=self._parts.admission.group(key)))

    @question()
    def find(self, target: str) -> Found:
        """Return the memories that an id, a key or words match, including those out of use.

        Words match memories that contain all of them; those out of use only if no others do.
        """
        from almario.domain.forgotten import has_terms, term_sets

        name = target.strip()
        if found := self._by_id(name):
            return self._of_now([found])
        every = [m for m in self._ledger.table.select(Wanted()) if not self._ledger.is_erased(m)]
        keys = set(self._parts.admission.group(name)) - {""}
        under = [memory for memory in every if same_key(memory.key) in keys]
        if not under:
            terms = term_sets(name)
            having = [memory for memory in every if has_terms(memory.text, terms)]
            under = [memory for memory in having if self.state(memory) == "live"] or having
        if not under:
            sentence = 'no memory matches "{target}"; "{listing}" shows them all'
            raise NotFound(sentence, target=target, listing=CommandLine("almario memory list"))
        return self._of_now(under)

    @question()
    def _long_expired(self, days: int) -> Found:
        """Return what expired more than so many days ago."""
        then = self._writer.vault.now() - timedelta(days=days)
        expired = self.list(Wanted(states=("expired",)))
        return [m for m in expired if (self._ledger.lifetimes.end_of(m) or then) <= then]

    @property
    def line(self) -> int:
        """How far the journal is: what is erased after this may be in what was told before."""
        return self._writer.vault.journal.tail().seq

    @question()
    def count(self, wanted: Wanted = Wanted()) -> int:  # noqa: B008 - a constant
        """Return how many memories `list` would return without paging."""
        return self._ledger.table.extent(self._meant_by(wanted))[0]

    @question()
    def timeline(self, wanted: Wanted = EVERY) -> Sequence[LearnedOn]:
        """Return the number of memories learned per day, oldest first, skipping empty days."""
        from almario.memory.rules.lives import LearnedOn

        days: dict[date, Counter[str]] = {}
        zone = self._writer.vault.zone
        by: Column = "hour" if _has_whole_hours(zone, self._writer.vault.now()) else "minute"
        for (instant, kind), count in self._ledger.table.tally(self._meant_by(wanted), by, "kind").items():
            day = datetime.fromisoformat(f"{instant}+00:00").astimezone(zone).date()
            days.setdefault(day, Counter())[kind] += count
        return [LearnedOn(day, dict(kinds)) for day, kinds in sorted(days.items())]

    def withheld(self) -> Sequence[Withheld]:
        """Return what is withheld until the owner approves it, latest first.

        What may be a secret is withheld in part; a message that sounds like a confidence, as a whole.
        """
        from almario.memory.withholding import waiting

        return self.sync.reading(partial(waiting, self._parts))

    def keep(self, what: str = "", *, every: bool = False) -> Sequence[str]:
        """Approve something withheld, so that it is used from now on; return it.

        *what* is an id, a file, or the words themselves; by default the latest. With *every*, approve
        everything withheld.
        """
        from almario.memory.withholding import kept, meant

        chosen = self.sync.reading(partial(meant, self._parts, what, every=every))
        with self.sync.writing() as write:
            return kept(self._parts, write, chosen)

    def recall(self, query: Query, listener: Listener | None = None) -> Recalled:
        """Return what a listener is told of a question, or of a message, best first; by default the owner."""
        from almario.memory.telling import Listener

        who = listener or Listener()
        keys = tuple(same for key in query.scope.keys for same in self._parts.admission.group(key))
        scoped = query._replace(scope=query.scope._replace(keys=keys))
        return self.sync.reading(lambda: self._parts.recall.recall(scoped, who))

    def prepare(self) -> bool:
        """Take in and embed what is new, for the next question not to wait; say whether more is left."""
        return self.sync.reading(self.embedding.newest)

    def append(self, session: str, utterances: Sequence[Utterance]) -> Sequence[Turn]:
        """Add what was said to a session's transcript; when this returns, it survives a power cut."""
        with self.sync.writing(in_any_case=True) as write:
            return append_turns(self._writer, self.redact, write, session, utterances)

    def fit_to_keep(self, utterance: Utterance) -> Utterance:
        """Return what was said as the transcript will have it: without its secrets, if that is wanted."""
        return fit_to_keep(utterance, self.redact)

    def tried(self, job: str, why: Sentence | None) -> None:
        """Let it be seen that background work waits, and why; without a reason, that it waits no more."""
        reason = (why or NOTHING).fit_to_keep(self.redact.text)
        if reason != self.waiting(job):
            self.record(JobTried(job, reason))

    def record(self, body: Occurrence, *, actor: Actor = "almario") -> None:
        """Enter in the journal what became of a session, or of background work, or who may hear what."""
        with self.sync.writing() as write:
            write.commit(body, actor=actor)

    def consolidate(self, llm: LLM | None, *, if_due: bool = False) -> Consolidated:
        """Merge duplicates and resolve contradictions; with *if_due*, only if enough is new."""
        from almario.memory.consolidation import Consolidation

        settings, writing = self._parts.chosen.consolidation, self.sync.writing
        consolidation = Consolidation(self._writer, self.embedding, llm, settings, writing=writing)
        return self.sync.reading(partial(consolidation.run, if_due=if_due))

    def condense(self, llm: LLM | None, *, if_due: bool = False) -> Condensed:
        """Have a model shorten long logs of past days and a long HISTORY.md; what they said is archived.

        With *if_due*, only if it is wanted unasked.
        """
        from almario.memory.condensing import Condensed, Condensing

        if if_due and not self._parts.chosen.consolidation.condense:
            return Condensed()
        condensing = Condensing(self._writer, self._parts.redact, llm, writing=self.sync.writing)
        return self.sync.reading(condensing.run)

    def export(self, audience: Audience = OWNER_ALONE) -> Lines:
        """Return every memory an audience may see, in any state, as lines of JSON."""
        from almario.memory.transfer import exported

        return self.sync.reading(lambda: list(exported(self._parts, audience)))

    def lines(self, audience: Audience = OWNER_ALONE) -> Iterator[str]:
        """Yield the same without what is forgotten, as it is read."""
        from almario.memory.transfer import exported

        return self.sync.reading(partial(exported, self._parts, audience, forgotten=False))

    def import_lines(
        self,
        lines: Iterable[str],
        *,
        evidence: Callable[[Sequence[str]], Lines] = lambda _: [],
        actor: Actor = "owner",
        progress: Progress | None = None,
    ) -> Imported:
        """Import exported memories; existing ones are left unchanged.

        *evidence* says on which turns one rests that rested on another agent's.
        """
        from almario.memory.transfer import imported

        return imported(self._parts, self.sync.writing, lines, evidence, actor=actor, progress=progress)

    @question()
    def plan_purge(self, *targets: str, expired: int | None = None) -> Erasure:
        """Return what `purge` would erase for these ids, keys or words.

        *expired* adds what expired at least so many days ago, unless a soul file still says it.
        """
        purge = self._parts.purge
        ended = [] if expired is None else purge.beside_souls(self._long_expired(expired))
        named = [memory for target in targets for memory in self.find(target)]
        return purge.plan(list({memory.id: memory for memory in (*named, *ended)}.values()))

    def purge(self, erasure: Erasure, *, actor: Actor = "owner") -> Lines:
        """Erase what was planned, for good; return the files cleaned."""
        with self.sync.writing() as write:
            cleaned = self._parts.purge.begin(write, erasure, actor=actor)
            self.sync.notify((*self._parts.mirror.render(write), *self._parts.writer.vault.lingering))
            return cleaned

    @question()
    def holding(self, words: str) -> Sequence[HeldWords]:
        """Return every piece of the files that has these words, in any case, at the beginning of a word.

        `purge_held` erases those that can be.
        """
        return self._parts.purge.holding(words)

    def purge_held(self, words: str, pieces: Sequence[str], *, actor: Actor = "owner") -> Lines:
        """Erase these pieces of what has the words, for good, by their ids; return the files cleaned."""
        with self.sync.writing() as write:
            cleaned = self._parts.purge.erase_held(write, words, pieces, actor=actor)
            self.sync.notify((*self._parts.mirror.render(write), *self._parts.writer.vault.lingering))
            return cleaned

    def take_back(self, turns: Sequence[str], *, actor: Actor = "owner") -> Forgotten:
        """Take turns off the record, with what was learned from them alone and the answers that repeat that.

        It is erased later.
        """
        purge = self._parts.purge
        repeating = self.sync.reading(lambda: purge.repeating(purge.taught_by(turns), turns[0]))
        return self._without([*dict.fromkeys([*turns, *repeating])], TAKEN_BACK, actor)

    def leave_out(self, turns: Sequence[str], *, actor: Actor = "owner") -> Forgotten:
        """Put turns out of mind, with what was learned from them alone; `undo` ends that."""
        return self._without(turns, "forgotten", actor)

    def _without(self, turns: Sequence[str], verb: Verb, actor: Actor) -> Forgotten:
        from almario.memory.forgetting import Mentions

        mentions = Mentions(tuple(m for m in self._parts.purge.taught_by(turns) if m.is_live), tuple(turns))
        ids = {memory.id for memory in mentions.memories}
        with self.sync.writing() as write:
            is_off = bool(ids) and verb == TAKEN_BACK
            replaced = self._ledger.table.select(Wanted(states=("superseded",))) if is_off else ()
            gone = self._forgetting.forget(write, mentions, actor=actor, verb=verb)
            for memory in (each for each in replaced if each.by in ids):  # it holds as before
                self._parts.amending.restore(write, memory, actor=actor)
            return gone

    def erase_taken_back(self, session: str = "", *, every: bool = False) -> None:
        """Erase what was off the record in a session that is ending and in any that has, or in *every*."""
        if self.taken_back():
            with self.sync.writing() as write:
                self.sync.erase_taken_back(write, session, every=every)

    def accept(self, name: str) -> Found:
        """Forget what is missing from a version of MEMORY.md that was set aside; return it."""
        with self.sync.writing() as write:
            return self._parts.mirror.accept(write, name)

    def verify(self) -> Sequence[Damage]:
        """Check everything; return each place where journal, index and files disagree twice in a row."""
        from almario.memory.verifying import damages, lasting

        def check() -> Sequence[Damage]:
            self.sync.finish()  # what was changed here may not be shown yet
            return self.sync.reading(lambda: list(damages(self._writer, self._parts.mirror)))

        return lasting(check)

    def outcomes(self) -> Sequence[Outcome]:
        """Return the learning state of every session: learned from, empty, or waiting."""
        from almario.memory.outcomes import outcomes

        return outcomes(self._writer.vault.transcripts, self._writer.vault.journal.read())

    def reindex(self, progress: Progress | None = None) -> int:
        """Rebuild everything derived, vectors included; return the number of passages."""
        self.sync.rebuild(progress)
        self.embedding.all(progress)
        return self._writer.derived.live.count()[0]

    def settle(self, progress: Progress | None = None) -> Sequence[Sentence]:
        """Pick up the owner's edits, and bring the index and MEMORY.md up to date.

        Returns the notices since the last call; other verbs do the same work silently.
        """
        self.sync.settle(progress)
        return self.sync.notices()

    def finish(self) -> Sequence[Sentence]:
        """Let MEMORY.md show every change that was made here; return what is worth telling since."""
        self.sync.finish()
        return self.sync.notices()

    if not TYPE_CHECKING:
        __getattr__ = answering("memory")

    def close(self) -> None:
        """Let MEMORY.md show every change that was made here, and let go of the files until the next use."""
        self.sync.close()


def _summed(counts: Mapping[tuple[str, ...], int], column: int) -> dict[str, int]:
    found: Counter[str] = Counter()
    for own, count in counts.items():
        found[own[column]] += count
    return dict(sorted(found.items()))


def _has_whole_hours(zone: tzinfo, now: datetime) -> bool:
    """Return whether days begin with an hour of UTC in a zone, in summer and in winter."""
    seasons = (now.astimezone(zone) + timedelta(days=days) for days in (0, 182))
    return not any((each.utcoffset() or timedelta()) % timedelta(hours=1) for each in seasons)
