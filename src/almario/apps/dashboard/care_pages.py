"""Care: how an agent is doing, work for it with its progress, the doctor; and what it costs, in figures."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.dashboard.navigation import CARE
from almario.apps.dashboard.rendering import number, size
from almario.apps.dashboard.today import TodayLine, backup_line, waiting_line
from almario.apps.web.jobs import WebJob, labour_of
from almario.apps.web.readers import tell
from almario.domain.messages import Sentence
from almario.domain.vocabulary import JOBS
from almario.domain.withheld import each_once
from almario.wiring import daemon_status
from almario.wiring.health import examine

router = APIRouter(prefix="/a/{agent}/care", include_in_schema=False)
# So much work is listed, and so many days are counted.
_MOST_JOBS, _DAYS = 12, 30
_MOST_LEFT_OUT = 20
# What can be asked for, what it is, and what does the same in a terminal.
WORK = {
    "verify": (
        Sentence("Check everything"),
        Sentence("See whether the journal, the index and the files agree."),
        "doctor",
    ),
    "flush": (Sentence("Learn now"), Sentence("Learn from what was said since it last learned."), "flush"),
    "consolidate": (
        Sentence("Merge duplicates"),
        Sentence("Let a model compare memories that look alike."),
        "memory tidy",
    ),
    "portray": (
        Sentence("Write what it knows about you"),
        Sentence("Let a model write your page, if there is anything new."),
        "about me",
    ),
    "reflect": (Sentence("Reflect"), Sentence("Look back on what is new, as it does at night."), "reflect"),
    "reindex": (
        Sentence("Rebuild the index"),
        Sentence("Read everything again; nothing is lost."),
        "memory reindex",
    ),
}
_NEED_MODEL = ("flush", "consolidate", "portray", "reflect")
_NAMES = {name: words[0] for name, words in WORK.items()}
_NAMES |= {"backup": Sentence("Back up now"), "backup-check": Sentence("Try a restore")}
_NAMES["model"] = Sentence("Download a model")
_STATES = {
    "waiting": Sentence("waits its turn"),
    "running": Sentence("running"),
    "done": Sentence("done"),
    "failed": Sentence("failed"),
}


def work_for(visit: PageVisit) -> dict[str, tuple[Sentence, Sentence, str]]:
    """Return what can be asked for; without a model, what needs none."""
    return {name: words for name, words in WORK.items() if visit.has_model or name not in _NEED_MODEL}


@router.get("")
def care(visit: Visits, doctor: Annotated[bool, Query()] = False) -> Response:
    """Show how an agent is doing, and what can be done for it."""
    return visit.shown(
        "care.html",
        CARE,
        view="care",
        lines=lambda: list(_lines(visit)),
        left_out=lambda: each_once(visit.soul.memory.withheld())[:_MOST_LEFT_OUT],
        jobs=lambda: jobs_of(visit, "", visit.agent),
        work=work_for(visit),
        backs_up=visit.runs_home and not visit.souls.backups().database,
        with_doctor=doctor,
        findings=lambda: _findings(visit),
    )


@router.get("/figures")
def in_figures(visit: Visits) -> Response:
    """Show what models cost by day and job."""
    return visit.shown(
        "figures.html",
        CARE,
        view="figures",
        report=visit.soul.costs.report(_DAYS),
    )


def jobs_of(visit: PageVisit, *whose: str) -> list[tuple[WebJob, str, str, list[str]]]:
    """Return the latest work for agents, or with an empty name for the home.

    Each is told with what it is, how it goes, and what came of it.
    """
    wanted = [name for name in whose if name or visit.runs_home]
    every = [job for name in wanted for job in labour_of(visit.request).of(name)]
    every.sort(key=lambda job: job.begun, reverse=True)
    return [
        (job, visit.say(_name(job)), visit.say(_STATES[job.state]), list(_job_lines(visit, job)))
        for job in every[:_MOST_JOBS]
    ]


def _name(job: WebJob) -> Sentence:
    return _NAMES.get(job.work) or Sentence.own(job.work)


def _job_lines(visit: PageVisit, job: WebJob) -> Iterator[str]:
    if job.detail:
        yield visit.say(job.detail)
    if job.result is not None:
        yield from map(visit.say, filter(None, _came_of(job.work, job.result)))


def _came_of(work: str, found: Any) -> Iterator[Sentence | None]:
    """Yield what came of some work; what is empty is not told."""
    match work:
        case "flush":
            learned = [receipt for each in found for receipt in each.receipts if receipt.memory]
            yield Sentence("Memories learned: {count}", count=number(len(learned)))
        case "verify":
            yield from _problems([Sentence.own(f"{each.place}: {tell(each.problem)}") for each in found])
        case "reindex":
            yield Sentence("Passages in the index: {count}", count=number(found))
        case "consolidate":
            yield Sentence("Memories changed: {count}", count=number(len(found.changed)))
            yield found.why
        case "portray":
            yield found.why
        case "reflect":
            noticed, proposed = number(len(found.findings)), number(len(found.applied.proposals))
            sentence = "Things it noticed: {noticed}; proposals: {proposed}"
            yield Sentence(sentence, noticed=noticed, proposed=proposed)
            yield found.why
        case "model":
            yield Sentence.own(found["name"])
        case "backup":
            yield Sentence.own(f"{found['name']} · {size(found['bytes'])}")
            yield from found["told"]
        case "backup-check":
            yield from _problems(found["problems"])


def _problems(found: Sequence[Sentence]) -> Sequence[Sentence]:
    return found or [Sentence("Nothing is wrong.")]


def _lines(visit: PageVisit) -> Iterator[TodayLine]:
    soul = visit.soul
    passages, lacking = soul.memory.indexed()
    yield TodayLine(Sentence("Memories in use"), number(soul.memory.count()))
    yield TodayLine(Sentence("In the index"), visit.say(_indexed(passages, lacking)))
    yield waiting_line(visit)
    for job, why in soul.tidying.waiting().items():
        yield TodayLine(JOBS[job], visit.say(why), is_fine=False)
    if over := soul.costs.over():
        spent_line = Sentence("used up: {spent} of {budget}", spent=over[0], budget=over[1])
        yield TodayLine(Sentence("Budget for background work"), visit.say(spent_line), is_fine=False)
    yield from nights_of(visit)
    yield backup_line(visit)


def _indexed(passages: int, lacking: int) -> Sentence:
    count, left = number(passages), number(lacking)
    if lacking:
        return Sentence("{count} passages, {left} not yet searchable by meaning", count=count, left=left)
    return Sentence("{count} passages", count=count)


def nights_of(visit: PageVisit) -> Iterator[TodayLine]:
    """Return whether the work of nights is done, and when."""
    souls = visit.souls
    is_led, daemon = daemon_status(souls.root, visit.agent, settings=souls.settings, clock=souls.clock)
    own: dict[str, Any] = daemon.get("agents", {}).get(visit.agent, {})
    state = Sentence("running") if is_led else Sentence("not running: nothing is learned at night")
    yield TodayLine(Sentence("Background work"), visit.say(state), is_led)
    if own.get("last"):
        yield TodayLine(Sentence("Last night’s work"), visit.day(date.fromisoformat(own["last"])))
    if own.get("next"):
        yield TodayLine(Sentence("Next night’s work"), visit.when(datetime.fromisoformat(own["next"])))


def _findings(visit: PageVisit) -> list[Any]:
    found = examine(visit.souls.root, settings=visit.souls.settings, clock=visit.souls.clock)
    return sorted(found, key=lambda each: ("failure", "warning", "ok").index(each.level))
