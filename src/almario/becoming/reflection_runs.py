"""The course of each reflection, as the journal tells it: what it looks at, and how far it came."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count, takewhile
from types import MappingProxyType
from typing import Any, NamedTuple

from almario.becoming.rules.reflection import DONE, GATHER, NIGHT
from almario.domain.events import Event, ReflectionBegun, ReflectionEnded, ReflectionStep
from almario.ports import Journal


class Course(NamedTuple):
    """One reflection: the line that began it and when, its outcome, and what its phases brought."""

    begun: ReflectionBegun
    line: int
    at: datetime
    outcome: str = ""
    steps: Mapping[str, Mapping[str, Any]] = MappingProxyType({})


class Span(NamedTuple):
    """What a reflection looks at: what was entered after line *after* of the journal, and before *line*.

    With *since*, also what came from that instant on, for another look. Entries of the daily logs are
    counted by their minute, because anybody may write one, at any time: *seen* are those that an earlier
    reflection has looked at, *own* those that this one found when it began.
    """

    line: int
    upto: datetime
    after: int = 0
    begins: datetime | None = None
    since: datetime | None = None
    seen: Mapping[str, int] = Counter()
    own: Mapping[str, int] | None = None


def courses(journal: Journal) -> list[Course]:
    """Return all reflections, oldest first, without what their phases brought."""
    ended = [event.body for event in journal.select("reflection.ended")]
    outcomes = {body.id: body.outcome for body in ended if isinstance(body, ReflectionEnded)}
    return [
        Course(event.body, event.seq, event.at, outcomes.get(event.body.id, ""))
        for event in reversed(list(journal.select("reflection.begun")))
        if isinstance(event.body, ReflectionBegun)
    ]


def with_steps(course: Course, journal: Journal) -> Course:
    """Return a reflection with what its phases brought."""
    events = takewhile(lambda event: event.seq > course.line, journal.select("reflection.step"))
    steps = [event.body for event in events if isinstance(event.body, ReflectionStep)]
    return course._replace(steps={step.phase: step.result for step in steps if step.id == course.begun.id})


def free_id(journal: Journal, day: str) -> str:
    """Return the id of a day's next reflection; one of which any line is left is not used again."""
    used = {getattr(event.body, "id", "") for event in journal.select("reflection.")}
    return next(name for n in count(1) if (name := f"{day}-{n}") not in used)


def last_done(every: Sequence[Course]) -> Course | None:
    """Return the reflection that the next one follows."""
    return next((course for course in reversed(every) if course.outcome == DONE), None)


def nights(events: Iterator[Event]) -> Iterator[ReflectionBegun]:
    """Yield the reflections that a night began and that are done, newest first, as the events come."""
    done: set[str] = set()
    for event in events:
        if isinstance(event.body, ReflectionEnded) and event.body.outcome == DONE:
            done.add(event.body.id)
        begun = event.body
        if isinstance(begun, ReflectionBegun) and begun.trigger == NIGHT and begun.id in done:
            yield begun


def span_of(course: Course, before: Course | None) -> Span:
    """Return what a reflection looks at, given the one that it follows."""
    own = seen_in(course) if GATHER in course.steps else None
    span = Span(course.line, _instant(course.begun.upto), own=own)
    if before is None:
        return span
    again = course.begun.since if course.begun.since != before.begun.upto else ""
    return span._replace(
        after=before.line,
        begins=_instant(before.begun.upto),
        since=_instant(again) if again else None,
        seen=seen_in(before),
    )


def seen_in(course: Course) -> Counter[str]:
    """Return the entries of the logs that a reflection has looked at, by their minute."""
    return Counter(course.steps.get(GATHER, {}).get("seen", {}))


def _instant(said: str) -> datetime:
    return datetime.fromisoformat(said).astimezone(UTC)
