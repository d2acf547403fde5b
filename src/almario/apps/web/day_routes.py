"""Days over HTTP: a calendar of what each left behind, and all of one."""

from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from almario.apps.web.answering import PROBLEMS, gives
from almario.apps.web.asking import Reads
from almario.apps.web.memory_routes import MEMORY, shown_all
from almario.apps.web.shapes import answer, many, record
from almario.domain.documents.daily import LogEntry
from almario.errors import SoulError

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["days"], responses=PROBLEMS)

_DAY = record("Day", day=date, log=int, summaries=int, reflections=int, snapshots=int, learned=dict[str, int])
_EXAMPLE = {
    "day": "2026-11-14",
    "log": 4,
    "summaries": 1,
    "reflections": 1,
    "snapshots": 0,
    "learned": {"fact": 3},
}
_ENTRY = record("DayEntry", at=str, text=str, category=str, line=int, last=int, is_trusted=bool)
_PAGE = record("DayPage", name=str, text=str)
_WHOLE = record(
    "WholeDay",
    day=date,
    log=many(_ENTRY),
    condensed=many(_ENTRY),
    summaries=list[str],
    reflections=many(_PAGE),
    snapshots=many(_PAGE),
    learned=many(MEMORY),
)
# So many days are told at once, at most.
_MOST = 3660


@router.get("/days", **gives(many(_DAY), example=[_EXAMPLE]))
def list_days(
    asked: Reads,
    first: Annotated[date | None, Query(description="30 days before the last by default.")] = None,
    last: Annotated[date | None, Query(description="Today by default.")] = None,
) -> JSONResponse:
    """List the days of a span that left anything, oldest first, and how much of what."""
    end = last or asked.soul.today
    begin = first or end - timedelta(days=30)
    if not timedelta(0) <= end - begin <= timedelta(days=_MOST):
        raise SoulError("the span must begin before it ends, and have at most {most} days", most=_MOST)
    return answer(asked.soul.days.between(begin, end))


@router.get("/days/{day}", **gives(_WHOLE))
def show_day(asked: Reads, day: date) -> JSONResponse:
    """Return all that a day left: its log, summaries, the reflection journal, snapshots, what was learned."""
    found = asked.soul.days.get(day)
    told: dict[str, Any] = {"log": map(_entry, found.log), "condensed": map(_entry, found.condensed)}
    told = {name: list(entries) for name, entries in told.items()}
    return answer(found._asdict() | told | {"learned": shown_all(asked.soul, found.learned)})


def _entry(entry: LogEntry) -> dict[str, Any]:
    return entry._asdict() | {"at": f"{entry.at:%H:%M}"}
