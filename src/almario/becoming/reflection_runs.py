"""The runs of reflection, as the journal tells them: what each looks at, and how far it came."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count

from almario.becoming.rules.reflections import NIGHT
from almario.domain.read_models import Follower
from almario.domain.soul_events import ReflectionBegun
from almario.domain.soul_models import REFLECTIONS, Run
from almario.named_tuples import NamedTuple


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


def runs(follower: Follower) -> list[Run]:
    """Return all reflections, oldest first."""
    return [run for run in follower.rows(REFLECTIONS).values() if run.line]


def free_id(follower: Follower, day: str) -> str:
    """Return the id of a day's next reflection; one of which any line is left is not used again."""
    used = follower.rows(REFLECTIONS)
    return next(name for n in count(1) if (name := f"{day}-{n}") not in used)


def last_done(every: Sequence[Run]) -> Run | None:
    """Return the reflection that the next one follows."""
    return next((run for run in reversed(every) if run.outcome == "done"), None)


def nights(follower: Follower) -> Iterator[ReflectionBegun]:
    """Yield the reflections that a night began and that are done, newest first."""
    for run in reversed(runs(follower)):
        if run.begun.trigger == NIGHT and run.outcome == "done":
            yield run.begun


def span_of(run: Run, before: Run | None) -> Span:
    """Return what a reflection looks at, given the one that it follows."""
    own = seen_in(run) if run.gathered else None
    span = Span(run.line, _instant(run.begun.upto), own=own)
    if before is None:
        return span
    again = run.begun.since if run.begun.since != before.begun.upto else ""
    return span._replace(
        after=before.line,
        begins=_instant(before.begun.upto),
        since=_instant(again) if again else None,
        seen=seen_in(before),
    )


def seen_in(run: Run) -> Counter[str]:
    """Return the entries of the logs that a reflection has looked at, by their minute."""
    return Counter(run.gathered.seen if run.gathered else {})


def _instant(written: str) -> datetime:
    return datetime.fromisoformat(written).astimezone(UTC)
