"""What the owner looks through, and says of it: pages, counts, when things were learned, right or wrong."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta, tzinfo
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from almario.domain.events import Actor
from almario.domain.memories import EVERY, Change, Column, Memory, Recorded, Wanted
from almario.domain.turns import Turn
from almario.domain.withheld import MASK, Withheld
from almario.errors import SoulError
from almario.memory.ledger import LEAST_ID
from almario.memory.queries import Queries, question

if TYPE_CHECKING:
    from almario.memory.rules.lives import Learned, Step

# Of so many searches it is known how long they took.
_SEARCHES = 200
# Of each session, so many messages are looked through for what is withheld.
_HEARD = 20
# What a person did with a memory that put it out of mind.
GONE = ("forgotten", "taken back", "rejected")


class Latency(NamedTuple):
    """How long the last searches of this process took, in milliseconds: so many, the oldest first."""

    searches: int = 0
    median: float = 0.0
    slow: float = 0.0  # one in twenty took longer
    latest: tuple[float, ...] = ()


class Reviewing(Queries):
    """Lets the owner look through what is remembered, and set it right."""

    @cached_property
    def _searches(self) -> deque[float]:
        return deque(maxlen=_SEARCHES)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Note how long a search takes, for as long as this process lives."""
        began = perf_counter()
        yield
        self._searches.append((perf_counter() - began) * 1000)

    def latency(self) -> Latency:
        """Return how long the last searches took."""
        latest = tuple(round(each, 2) for each in self._searches)
        in_order = sorted(latest)
        if not latest:
            return Latency()
        return Latency(len(latest), in_order[len(latest) // 2], in_order[int(len(latest) * 0.95)], latest)

    @property
    def line(self) -> int:
        """How far the journal is: what is erased after this may be in what was told before."""
        return self._keeping.vault.journal.tail().seq

    @question()
    def count(self, wanted: Wanted = Wanted()) -> int:  # noqa: B008 - a constant
        """Return how many memories `list` would return, were there no pages."""
        return self._ledger.table.extent(self.meant_by(wanted))[0]

    @question()
    def counts(self, wanted: Wanted, by: Column) -> Mapping[str, int]:
        """Return how many memories fit for each state, kind, source or origin."""
        found = self._ledger.table.tally(self.meant_by(wanted), by)
        return {name: count for (name,), count in found.items()}

    @question()
    def common_keys(self, most: int) -> Sequence[str]:
        """Return the keys that most memories in use have, the commonest first."""
        counts = self._ledger.table.keys()
        return sorted(counts, key=lambda key: (-counts[key], key))[:most]

    @question()
    def timeline(self, wanted: Wanted = EVERY) -> "Sequence[Learned]":
        """Return how many memories were learned on each day on which there were any, oldest first."""
        from almario.memory.rules.lives import Learned  # noqa: PLC0415 - seldom needed

        days: dict[date, Counter[str]] = {}
        zone = self._keeping.vault.zone
        by: Column = "hour" if _has_whole_hours(zone, self._keeping.vault.now()) else "minute"
        for (instant, kind), count in self._ledger.table.tally(self.meant_by(wanted), by, "kind").items():
            day = datetime.fromisoformat(f"{instant}+00:00").astimezone(zone).date()
            days.setdefault(day, Counter())[kind] += count
        return [Learned(day, dict(kinds)) for day, kinds in sorted(days.items())]

    @question()
    def life(self, memory_id: str) -> "tuple[Step, ...]":
        """Return what happened to a memory, oldest first."""
        from almario.memory.rules.lives import life_of  # noqa: PLC0415 - seldom needed

        memory = self._ledger.memory(memory_id)
        return life_of(memory, self._ledger.history(memory))

    @question(of_files=False)
    def gone(self, *, after: int = 0, last: int = 0) -> Sequence[Recorded]:
        """Return the changes since a line by which somebody put memories out of mind, the latest last.

        What came back since is not gone.
        """
        found = self._ledger.table.history(after=after, verbs=GONE)
        ids = tuple({each.change["id"] for each in found})
        back = {memory.id for memory in self._ledger.table.select(Wanted(ids=ids)) if memory.is_live}
        gone = [each for each in found if each.change["id"] not in back]
        return gone[-last:] if last else gone

    def evidence(self, memory: Memory, *, most: int = 20) -> Sequence[Turn]:
        """Return the very turns on which a memory rests, as far as they are there."""
        found: list[Turn] = []
        for name in memory.evidence[-most:]:
            session, _, number = name.rpartition("#")
            if session and number.isdecimal() and len(number) < 10:
                turns = self._keeping.vault.transcripts.read(session, after=int(number) - 1)
                found += [turn for turn in turns[:1] if turn.id == name]
        return found

    def confirm(self, memory_id: str, *, actor: Actor = "owner") -> Memory:
        """Take the owner's word that a memory is right; return it, or the owner's that takes its place."""
        with self.sync.writing() as write:
            return self._parts.promotion.confirm(write, self._ledger.memory(memory_id), actor=actor)

    def withheld(self) -> "Sequence[Withheld]":
        """Return what waits for the owner's word that it may be used, the latest first.

        What may be a secret is withheld in part; a message that sounds like a confidence, as a whole.
        """
        vault, redact = self._keeping.vault, self._parts.redact
        found = []
        for memory in self._withholding():
            whole = self._ledger.whole(memory)
            suspected = redact(whole.value, whole.key).suspected
            found.append(Withheld(memory.id, memory.renewed, whole.text, suspected))
        for session in vault.transcripts.marks():
            found += [
                Withheld(turn.id, turn.at, turn.text, redact(turn.text).suspected)
                for turn in vault.transcripts.read(session, last=_HEARD)
                if turn.role == "user" and turn.origin == "owner" and not turn.is_off
            ]
        now = vault.now()
        files = [Withheld(name, now, "", parts) for name, parts in self._parts.handwritten.withheld()]
        aside = [each for turns in self._aside().values() for each in turns]
        every = sorted((*found, *aside), key=lambda each: each.at, reverse=True)
        return [each for each in (*every, *files) if each.suspected]

    def keep(self, what: str = "", *, every: bool = False) -> Sequence[str]:
        """Take the owner's word that something may be used, and use it from now on; return what it is.

        *what* is an id, a file, or the words themselves; by default what was withheld last. With *every*,
        all that is withheld.
        """
        waiting = self.sync.reading(self.withheld, spoken=True)
        meant = waiting if every else [each for each in waiting if what and _is_meant(each, what)]
        meant = meant or ([] if what else waiting[:1])
        words = " ".join(what.split())
        aside = self.sync.reading(self._aside, spoken=True)
        lines = [line for line, turns in aside.items() if any(each in meant for each in turns)]
        away = [each.text for line in lines for each in aside[line]]
        spans = dict.fromkeys(span for each in meant for span in each.suspected if span not in away)
        named = [span for each in waiting for span in each.suspected if " ".join(span.split()) == words]
        chosen = list(spans or dict.fromkeys(named))
        if not chosen and not away:
            raise (
                SoulError('"{what}" is not withheld', what=what) if what else SoulError("nothing is withheld")
            )
        with self.sync.writing() as write:
            for line in lines:
                self._parts.amending.undo(write, line, actor="owner")
            if chosen:
                self._parts.amending.keep(write, chosen, self._withholding)
        return [*away, *chosen]

    def _aside(self) -> "dict[int, list[Withheld]]":
        """Return the owner's messages that were set aside, by the line that says so."""
        found = {}
        for line, ids in self._ledger.set_aside().items():
            session, _, number = ids[0].rpartition("#")
            turns = self._keeping.vault.transcripts.read(session, after=int(number) - 1)[: len(ids)]
            said = [turn for turn in turns if turn.id in ids and turn.origin == "owner" and turn.text]
            found[line] = [Withheld(turn.id, turn.at, turn.text, (turn.text,)) for turn in said]
        return found

    def _withholding(self) -> "Sequence[Memory]":
        return self._ledger.table.select(Wanted(text=MASK, states=("live",)))

    def reject(self, memory_id: str, *, actor: Actor = "owner") -> Memory:
        """Take the owner's word that a memory is wrong: it goes out of use, what was said stays."""
        with self.sync.writing() as write:
            memory = self.in_use(memory_id)
            retired: list[Change] = [{"id": memory.id, "set": {"state": "retired"}}]
            self._parts.amending.apply(write, retired, actor=actor, verb="rejected")
            return self._ledger.memory(memory.id)


def _is_meant(each: Withheld, what: str) -> bool:
    is_id = len(what) >= LEAST_ID and "#" not in each.name and each.name.startswith(what)
    return each.name == what or (is_id and "." not in each.name)


def _has_whole_hours(zone: tzinfo, now: datetime) -> bool:
    """Say whether days begin with an hour of UTC in a zone, in summer and in winter."""
    seasons = (now.astimezone(zone) + timedelta(days=days) for days in (0, 182))
    return not any((each.utcoffset() or timedelta()) % timedelta(hours=1) for each in seasons)
