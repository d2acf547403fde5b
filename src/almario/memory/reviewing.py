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
from almario.memory.queries import Queries, question

if TYPE_CHECKING:
    from almario.memory.rules.lives import Learned, Step

# Of so many searches it is known how long they took.
_SEARCHES = 200
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
    def life(self, memory_id: str) -> "Sequence[Step]":
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

    def reject(self, memory_id: str, *, actor: Actor = "owner") -> Memory:
        """Take the owner's word that a memory is wrong: it goes out of use, what was said stays."""
        with self.sync.writing() as write:
            memory = self.in_use(memory_id)
            retired: list[Change] = [{"id": memory.id, "set": {"state": "retired"}}]
            self._parts.amending.apply(write, retired, actor=actor, verb="rejected")
            return self._ledger.memory(memory.id)


def _has_whole_hours(zone: tzinfo, now: datetime) -> bool:
    """Say whether days begin with an hour of UTC in a zone, in summer and in winter."""
    seasons = (now.astimezone(zone) + timedelta(days=days) for days in (0, 182))
    return not any((each.utcoffset() or timedelta()) % timedelta(hours=1) for each in seasons)
