"""The questions about what is remembered: which, why, since when, and what was believed before.

Each is answered with everything new taken in; see `Sync.looking` for several that belong together.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import update_wrapper
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from almario.domain.events import Cued
from almario.domain.memories import (
    MIRRORED,
    OWN_PASSAGE,
    TRUSTED,
    Memory,
    Recorded,
    Standing,
    State,
    Wanted,
    same_key,
    state_at,
)
from almario.domain.messages import Sentence
from almario.domain.turns import transcript_name
from almario.errors import SoulError
from almario.memory.ledger import LEAST_ID
from almario.memory.memory_parts import Parts
from almario.memory.rules.exchanges import SessionState
from almario.memory.sync import Sync
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from almario.domain.validity import Plan

# What was true at an instant may be out of use by now, but was never wrong.
_THEN: tuple[State, ...] = ("live", "superseded", "ended", "expired")
# Keys are called alike from this likeness on, of 100.
_ALIKE = 80
# Of more keys than these, comparing each with each takes longer than anyone waits.
_MANY_KEYS = 2000
# A class with a verb called `list` cannot name the type by that word.
Found = list[Memory]
Lines = list[str]

P = ParamSpec("P")
T = TypeVar("T")


class Reasons(NamedTuple):
    """Why a memory is believed: itself, its state, its history, and what it replaced or was replaced by.

    *cues* are what brings it to mind besides what it says.
    """

    memory: Memory
    state: State
    history: tuple[Recorded, ...]
    replaced: tuple[Memory, ...]
    replaced_by: Memory | None
    cues: tuple[str, ...] = ()


class KeyUse(NamedTuple):
    """A key, how many memories it has, and the keys that may mean the same."""

    key: str
    memories: int
    like: tuple[str, ...]


class Stats(NamedTuple):
    """How many memories there are of each state, and in use of each kind, source and origin."""

    states: dict[str, int]
    kinds: dict[str, int]
    sources: dict[str, int]
    origins: dict[str, int]
    keys: int
    passages: int
    without_vector: int


Own = TypeVar("Own", bound="Queries")


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


class Queries:
    """Answers from the ledger."""

    def __init__(self, parts: Parts) -> None:
        self.sync = Sync(parts)
        self._parts = parts
        self._keeping = parts.keeping
        self._ledger = parts.keeping.ledger

    def state(self, memory: Memory) -> State:
        """Return a memory's state now."""
        return state_at(memory, self._keeping.vault.now(), self._ledger.lifetimes)

    @question()
    def list(self, wanted: Wanted = Wanted()) -> Found:  # noqa: B008 - a constant
        """Return the memories that fit, oldest first; without states, those in use that are trusted."""
        return self._of_now(self._ledger.table.select(self.meant_by(wanted)))

    def _of_now(self, memories: Found) -> Found:
        """Return memories with the state that they are in now, whatever was written."""
        now, lifetimes = self._keeping.vault.now(), self._ledger.lifetimes
        states = [state_at(memory, now, lifetimes) for memory in memories]
        return [
            memory if state == memory.state else memory._replace(state=state)
            for memory, state in zip(memories, states, strict=True)
        ]

    def meant_by(self, wanted: Wanted) -> Wanted:
        """Return what the table is to be asked: by the states of now, and the keys that mean the same."""
        return wanted._replace(
            states=wanted.states or (_THEN if wanted.true_at else ("live",)),
            keys=tuple(key for wish in wanted.keys for key in self._parts.admission.group(wish)),
            origins=wanted.origins or TRUSTED,
            standing=Standing(self._keeping.vault.now(), self._ledger.lifetimes),
            kept=bool(self._ledger.last_purge()),
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
        from almario.memory.rules.rivals import replaced  # noqa: PLC0415 - seldom needed

        return replaced(memories, self._keeping.vault.now(), are_apart=self._ledger.are_apart)

    @question()
    def get(self, memory_id: str) -> Memory:
        """Return the memory with that id, or that beginning of one."""
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

    @question(of_files=False)
    def sessions(self) -> Mapping[str, SessionState]:
        """Return the same of every session that the journal speaks of."""
        return self._ledger.sessions()

    @question(of_files=False)
    def hearing(self) -> Mapping[tuple[str, str], str]:
        """Return what the owner lets sessions, and people in chats, hear."""
        return self._ledger.hearing()

    @question(of_files=False)
    def out_of_mind(self) -> Collection[str]:
        """Return the turns and lines of files that told what is forgotten."""
        return self._ledger.out_of_mind()

    @question(of_files=False)
    def taken_back(self) -> Mapping[int, Sequence[str]]:
        """Return the turns that were taken off the record and wait to be erased, by the line that says so."""
        return self._ledger.taken_back()

    @question(of_files=False)
    def set_aside(self) -> Mapping[int, Sequence[str]]:
        """Return the turns that are neither learned from nor brought up, by the line that says so."""
        return self._ledger.set_aside()

    @question(of_files=False)
    def waiting(self, job: str) -> Sentence:
        """Return why background work waits, or nothing."""
        return self._ledger.waiting(job)

    @question()
    def in_use(self, memory_id: str) -> Memory:
        """Return the memory with that id, or that beginning of one; SoulError if it is out of use."""
        memory = self._ledger.memory(memory_id)
        if self.state(memory) != "live":
            raise SoulError("memory {id} is out of use", id=memory.id)
        return memory

    @question()
    def why(self, memory_id: str) -> Reasons:
        """Return what a memory rests on, and what became of it."""
        memory = self._ledger.memory(memory_id)
        replaced = tuple(self._of_now(self._ledger.table.select(Wanted(by=memory.id))))
        by = self.get(memory.by) if memory.by else None
        history = tuple(self._ledger.history(memory))
        cued = self._ledger.cued(memory.id)
        cues = cued.cues if cued else ()
        return Reasons(self.get(memory.id), self.state(memory), history, replaced, by, cues)

    @question(of_files=False)
    def cues(self, memory_id: str) -> tuple[str, ...]:
        """Return what brings a memory to mind besides what it says."""
        cued = self._ledger.cued(self._ledger.memory(memory_id).id)
        return cued.cues if cued else ()

    @question(of_files=False)
    def every_cued(self) -> Mapping[str, Cued]:
        """Return what brings each memory to mind for which somebody was asked, by id."""
        return self._ledger.every_cued()

    @question(of_files=False)
    def models_tried(self) -> Mapping[str, bool]:
        """Return the models that were tried with writing cues, and whether they may."""
        return self._ledger.tried("cues")

    @question()
    def history(self, memory_id: str = "") -> Sequence[Recorded]:
        """Return every change of one memory or of all, oldest first."""
        return self._ledger.table.history(memory=self._ledger.memory(memory_id).id if memory_id else "")

    @question()
    def as_of(self, then: datetime, *, believed: bool = False) -> Found:
        """Return what was true at an instant as it is known now; or what was *believed* then."""
        return self._of_now(self._ledger.believed(then) if believed else self._ledger.true(then))

    @question()
    def plans(self, *, passed: int = 0) -> "Sequence[Plan]":
        """Return what is planned, in the order of its days; also what was in the last *passed* days."""
        from almario.domain.validity import plans_of  # noqa: PLC0415 - seldom needed

        vault = self._keeping.vault
        known = self.list(Wanted(kinds=MIRRORED, states=("live", "ended"), dated=True))
        return plans_of(known, vault.now().date(), vault.zone, passed=passed)

    @question()
    def keys(self) -> Sequence[KeyUse]:
        """Return every key in use, with those that may mean the same."""
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - 26 ms that few commands need

        counts = self._ledger.table.keys()
        plain = {key: same_key(key) for key in counts}
        is_many = len(counts) > _MANY_KEYS
        found = []
        for key, count in counts.items():
            group = self._parts.admission.group(key)
            like = [other for other, same in plain.items() if same in group and same != plain[key]]
            if not is_many:
                near = process.extract(plain[key], plain, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=None)
                like += [other for _, _, other in near if other != key and other not in like]
            found.append(KeyUse(key, count, tuple(like)))
        return sorted(found, key=lambda use: (-use.memories, use.key))

    @question()
    def stats(self) -> Stats:
        """Count what there is."""
        model = self._parts.embedding.model
        table, index = self._ledger.table, self._keeping.derived.live
        standing = Standing(self._keeping.vault.now(), self._ledger.lifetimes)
        every = table.tally(Wanted(standing=standing), "state", "kind", "source", "origin")
        live = {own[1:]: count for own, count in every.items() if own[0] == "live"}
        return Stats(
            states=_summed(every, 0),
            kinds=_summed(live, 0),
            sources=_summed(live, 1),
            origins=_summed(live, 2),
            keys=len(self._ledger.table.keys()),
            passages=index.count()[0],
            without_vector=len(index.lacking(model, 1_000_000)) if model else 0,
        )

    def by_id(self, name: str) -> Memory | None:
        """Return the memory that an id names, or the beginning of one that is not a key in use."""
        found = self._ledger.table.select(Wanted(ids=(name,))) if name else []
        exact = [memory for memory in found if memory.id == name]
        if exact or len(found) != 1 or len(name) < LEAST_ID:
            return exact[0] if exact else None
        return None if self._under(name) else found[0]

    def _under(self, key: str) -> Found:
        return self._ledger.live(self._keeping.vault.now(), Wanted(keys=self._parts.admission.group(key)))

    @question()
    def named(self, target: str) -> Found:
        """Return the memories that an id, a key or words name, also those out of use.

        By words, those in use that have each of them; if there are none, those out of use.
        """
        from almario.domain.forgotten import has_terms, terms_said  # noqa: PLC0415 - seldom needed

        name = target.strip()
        if found := self.by_id(name):
            return [found]
        every = [m for m in self._ledger.table.select(Wanted()) if not self._ledger.is_erased(m)]
        keys = set(self._parts.admission.group(name)) - {""}
        under = [memory for memory in every if same_key(memory.key) in keys]
        if not under:
            said = terms_said(name)
            having = [memory for memory in every if has_terms(memory.text, said)]
            under = [memory for memory in having if self.state(memory) == "live"] or having
        if not under:
            sentence = 'nothing is remembered under "{target}"; "almario memory list" shows what is'
            raise SoulError(sentence, target=target)
        return under

    @question()
    def long_expired(self, days: int) -> Found:
        """Return what expired more than so many days ago."""
        then = self._keeping.vault.now() - timedelta(days=days)
        expired = self.list(Wanted(states=("expired",)))
        return [m for m in expired if (self._ledger.lifetimes.end_of(m) or then) <= then]


def _summed(counts: Mapping[tuple[str, ...], int], column: int) -> dict[str, int]:
    """Return the sums of what has the same in a column, by that."""
    found: Counter[str] = Counter()
    for own, count in counts.items():
        found[own[column]] += count
    return dict(sorted(found.items()))
