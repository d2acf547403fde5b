"""What is planned: memories of what was ahead when it was told."""

from collections.abc import Iterable
from datetime import date, datetime, tzinfo

from almario.domain.memories import Memory
from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.domain.records import showing
from almario.domain.validity import Validity, next_time, read
from almario.named_tuples import NamedTuple

# What comes on a day of every year, or of some.
_SELDOM = regex(r"XXXX-\d|R/[^ ]+Y")


@showing("away", "is_over")
class Plan(NamedTuple):
    """A memory of what was ahead when it was told, and when that is, as seen from *today*."""

    memory: Memory
    when: Validity
    today: date

    @property
    def is_over(self) -> bool:
        return self.when.is_over(self.today)

    @property
    def is_repeated(self) -> bool:
        return read(self.memory.dated) is None

    @property
    def is_often(self) -> bool:
        """Whether it comes every day, week or month."""
        return self.is_repeated and not _SELDOM.match(self.memory.dated)

    @property
    def away(self) -> int:
        """In how many days it is: 0 while it is on, less if it was so many days ago."""
        if self.when.is_ahead(self.today):
            return (self.when.first_day - self.today).days
        return min(0, (self.when.last_day - self.today).days)

    @property
    def how_far(self) -> Sentence | None:
        """How far away it is, in words; None if that is not known to the day."""
        days = self.away
        if len(self.when.first) < len("2026-12-03") or self.when.about:
            return None
        today = Sentence("today") if self.when.is_day else Sentence("now")
        near = {-1: Sentence("yesterday"), 0: today, 1: Sentence("tomorrow")}
        far = Sentence("in {count} days" if days > 0 else "{count} days ago", count=abs(days))
        return near.get(days, far)


def is_plan(dated: str, stated_on: datetime) -> bool:
    """Return whether a time was ahead when it was told, and ends."""
    when = read(dated)
    return when is not None and bool(when.first and when.last) and when.is_ahead(stated_on.date())


def is_planned(memory: Memory, now: datetime) -> bool:
    """Return whether a memory tells of what is still to come."""
    when = read(memory.dated)
    return when is not None and when.is_ahead(now.date())


def plans_of(memories: Iterable[Memory], today: date, zone: tzinfo, *, passed: int = 0) -> list[Plan]:
    """Return the plans among memories, in the order of their days.

    What was planned and is over is one of them for the last *passed* days. What comes again is a plan for the
    next time, until it ends.
    """
    times = ((memory, read(memory.dated) or next_time(memory.dated, today)) for memory in memories)
    found = (Plan(memory, when, today) for memory, when in times if when)
    plans = [plan for plan in found if _was_ahead(plan, zone) and _is_near(plan, passed)]
    return sorted(plans, key=lambda plan: (plan.when.first_day, plan.when.last_day, plan.memory.id))


def _was_ahead(plan: Plan, zone: tzinfo) -> bool:
    """Return whether it was still to come when it was told, which may be long before it was learned."""
    memory, when = plan.memory, plan.when
    stated_on = min(memory.at, memory.valid_from).astimezone(zone).date()
    if plan.is_repeated:
        return memory.valid_to is None or when.first_day < memory.valid_to.astimezone(zone).date()
    # What was over when it was told has no end.
    return when.is_ahead(stated_on) or (when.is_one and memory.valid_to is not None)


def _is_near(plan: Plan, passed: int) -> bool:
    """Return whether it is still to come or on, or was lately; what has begun to hold is no plan any more."""
    return plan.when.is_ahead(plan.today) or (bool(plan.when.last) and plan.away >= -passed)
