"""Care: how an agent is doing, work for it with its progress, the doctor; and what it costs, in figures."""

from datetime import date, datetime
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.dashboard.today import last_backup
from almario.apps.web.jobs import WebJob, labour_of
from almario.domain.withheld import each_once
from almario.wiring import daemon_status
from almario.wiring.health import examine

router = APIRouter(prefix="/a/{agent}/care", include_in_schema=False)
# So much work is listed, and so many days are counted.
_MOST_JOBS, _DAYS = 12, 30
_MOST_LEFT_OUT = 20


class Nights(NamedTuple):
    """Whether there is a daemon, the *last* night on which it worked for an agent, and when it will next."""

    is_led: bool
    last: date | None
    next: datetime | None


@router.get("")
def care(visit: Visits, doctor: Annotated[bool, Query()] = False) -> Response:
    """Show how an agent is doing, and what can be done for it."""
    return visit.shown(
        "care.html",
        nights=lambda: nights_of(visit),
        last_backup=lambda: last_backup(visit),
        left_out=lambda: each_once(visit.soul.memory.withheld())[:_MOST_LEFT_OUT],
        jobs=lambda: jobs_of(visit, "", visit.agent),
        backs_up=visit.runs_home and not visit.souls.backups().database,
        with_doctor=doctor,
        findings=lambda: _findings(visit),
    )


@router.get("/figures")
def in_figures(visit: Visits) -> Response:
    """Show what models cost by day and job."""
    return visit.shown("figures.html", report=visit.soul.costs.report(_DAYS))


def jobs_of(visit: PageVisit, *whose: str) -> list[WebJob]:
    """Return the latest work for agents, or with an empty name for the home."""
    wanted = [name for name in whose if name or visit.runs_home]
    every = [job for name in wanted for job in labour_of(visit.request).of(name)]
    return sorted(every, key=lambda job: job.begun, reverse=True)[:_MOST_JOBS]


def nights_of(visit: PageVisit) -> Nights:
    """Return whether the work of nights is done, and when."""
    souls = visit.souls
    is_led, daemon = daemon_status(souls.root, visit.agent, settings=souls.settings, clock=souls.clock)
    own: dict[str, str] = daemon.get("agents", {}).get(visit.agent, {})
    last, following = own.get("last"), own.get("next")
    return Nights(
        is_led,
        date.fromisoformat(last) if last else None,
        datetime.fromisoformat(following) if following else None,
    )


def _findings(visit: PageVisit) -> list[Any]:
    found = examine(visit.souls.root, settings=visit.souls.settings, clock=visit.souls.clock)
    return sorted(found, key=lambda each: ("failure", "warning", "ok").index(each.level))
