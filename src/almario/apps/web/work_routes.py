"""Background work over HTTP, as jobs with their progress; and the journal as a stream of events."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from time import monotonic
from typing import Annotated, Any

import anyio.to_thread
from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse

from almario.apps.web import bodies
from almario.apps.web.answering import ALIVE, PROBLEMS, STREAM, Streams, event, gives
from almario.apps.web.asking import AllSouls, Reads, RunsHome, Writes
from almario.apps.web.jobs import JOB, Report, WebJob, Work
from almario.apps.web.rooms import place_of
from almario.apps.web.shapes import answer, many
from almario.apps.web.verb_routes import work_of
from almario.domain.events import Event
from almario.domain.records import plain
from almario.domain.turns import Turn
from almario.errors import AlmarioError, NotFound
from almario.soul import Soul
from almario.verb_table import LONG
from almario.wiring.models import downloadable

router = APIRouter(prefix="/api/v1", tags=["work"], responses=PROBLEMS)

# Seconds between checks of the journal for its followers, and the most lines at once.
_POLL, _MOST_EVENTS = 0.25, 1000
# Seconds between checks whether an awaited job has ended.
_SOON = 0.03
# Events that followers do not need.
_SILENT = ("filed",)
# A line of the journal, and perhaps the instant of a turn.
_POSITION = r"^([0-9]{1,12}(-[0-9]{1,13})?)?$"


Wait = Annotated[int, Query(ge=0, le=30, description="Wait up to this many seconds for it to finish.")]


@router.post("/agents/{agent}/jobs", **gives(JOB, 202))
def begin(caller: Writes, labour: Work, body: bodies.WorkBody) -> JSONResponse:
    """Start a background job: learn, merge, write the owner's page, reflect, verify, reindex."""
    soul = caller.soul
    if body.work == "flush":
        run: Callable[[Report], Any] = partial(_flush, soul, body.session)
    else:
        since = {"since": body.since} if body.work == "reflect" else {}
        run = work_of(soul, LONG[body.work], since)
    return answer(labour.begin(soul.id, body.work, run, body.session).shown, 202)


@router.get("/agents/{agent}/jobs", **gives(many(JOB)))
def list_jobs(caller: Reads, labour: Work) -> JSONResponse:
    """List the work that this server was asked for, latest first."""
    return answer([job.shown for job in labour.of(caller.soul.id)])


@router.get("/agents/{agent}/jobs/{job}", **gives(JOB))
async def show_job(caller: Reads, labour: Work, request: Request, job: str, wait: Wait = 0) -> JSONResponse:
    """Return a job's progress or result."""
    found = labour.get(caller.soul.id, job)
    if wait and found.is_open:
        place_of(request).last("stream")
    await _ended(found, wait, request.app.state.streams)
    return answer(await anyio.to_thread.run_sync(lambda: found.shown))


async def _ended(job: WebJob, seconds: int, streams: Streams) -> None:
    """Wait until some work has ended, but only so long, and not when the server is to."""
    until = monotonic() + seconds
    while job.is_open and monotonic() < until and not streams.is_over:
        await asyncio.sleep(_SOON)


@router.post("/jobs/backup", **gives(JOB, 202))
def back_up(souls: AllSouls, grant: RunsHome, labour: Work) -> JSONResponse:
    """Back up everything to one archive in the background, and verify it."""

    def run(report: Report) -> Any:
        kept = souls.backups()
        made = kept.make(partial(report, "packing"))
        removed = [path.name for path in kept.rotate()]
        return {"name": made.path.name, "bytes": made.size, "told": made.told, "removed": removed}

    return answer(labour.begin("", "backup", run).shown, 202)


@router.post("/jobs/model", **gives(JOB, 202))
def download_model(souls: AllSouls, grant: RunsHome, labour: Work) -> JSONResponse:
    """Download the language model that suits the server's machine in the background, and choose it."""
    offer = downloadable(souls.config().settings.llm)
    if offer is None:
        raise NotFound("there is no model to download: one is here, or almario-local is not installed")

    def run(report: Report) -> dict[str, str]:
        offer.fetch(partial(report, "downloading"))
        souls.opened().change("llm.model", offer.name)
        return {"name": offer.name}

    return answer(labour.begin("", "model", run).shown, 202)


@router.get("/jobs", **gives(many(JOB)))
def list_home_jobs(grant: RunsHome, labour: Work) -> JSONResponse:
    """List the home's jobs, latest first."""
    return answer([job.shown for job in labour.of("")])


@router.get("/jobs/{job}", **gives(JOB))
def show_home_job(grant: RunsHome, labour: Work, job: str) -> JSONResponse:
    """Return the progress or result of one of the home's jobs."""
    return answer(labour.get("", job).shown)


def _flush(soul: Soul, session: str, report: Report) -> list[Any]:
    sessions = [session] if session else [view.session for view in soul.sessions.list()]
    done: list[Any] = []
    for number, each in enumerate(sessions):
        report(each, number, len(sessions))
        done += soul.flush(each)
    report("", len(sessions), len(sessions))
    return done


@router.get("/agents/{agent}/events", responses={200: {"content": STREAM}})
async def events(
    caller: Reads,
    request: Request,
    after: Annotated[str, Query(pattern=_POSITION, description="Start after this position.")] = "",
    follow: Annotated[bool, Query(description="Keep the stream open for new events.")] = True,
    last: Annotated[str, Header(alias="Last-Event-ID", max_length=30)] = "",
) -> StreamingResponse:
    """Stream every change and every turn as it is stored; without a position, from now on.

    The id of each event is its position: to resume, send Last-Event-ID or `after`. Turns from that very
    instant are then sent again.
    """
    soul, streams = caller.soul, request.app.state.streams
    position = last if last and re.fullmatch(_POSITION, last) else after
    place_of(request).last("stream")
    feed = await anyio.to_thread.run_sync(_Feed, soul, position, request.app.state.souls.clock())
    return StreamingResponse(_followed(feed, streams, follow=follow), media_type="text/event-stream")


class _Feed:
    """What is said and changed after a position: a line of the journal, and when the last turn was said.

    After a line alone, only what is changed is told: that is in the journal.
    """

    def __init__(self, soul: Soul, position: str, now: datetime) -> None:
        line, _, spoken = position.partition("-")
        self._soul = soul
        self._line = int(line) if line else soul.position
        self._last_turn = int(spoken) if spoken else int(now.timestamp() * 1000)
        since = datetime.fromtimestamp(self._last_turn / 1000, UTC) if spoken else None
        self._following = None if line and not spoken else soul.sessions.following(since)

    @property
    def agent(self) -> str:
        return self._soul.id

    def news(self, is_due: bool) -> list[str]:
        """Return what is new, as events; if it is due, with what was edited by hand taken in."""
        texts = []
        if is_due:
            with suppress(AlmarioError):  # the next look may be luckier
                self._soul.settle()
                self._soul.memory.sync.reading(lambda: None)
        for turn in self._following.news() if self._following else ():
            self._last_turn = max(self._last_turn, int(turn.at.timestamp() * 1000))
            texts.append(self._event_text("turn", _turn_event(turn)))
        for each in self._soul.events(after=self._line)[:_MOST_EVENTS]:
            self._line = each.seq
            texts.append(self._event_text(each.type, _event(each)) if each.type not in _SILENT else "")
        return texts

    def _event_text(self, name: str, value: dict[str, Any]) -> str:
        return event(name, value, f"{self._line}-{self._last_turn}" if self._following else str(self._line))


async def _followed(feed: _Feed, streams: Streams, *, follow: bool) -> AsyncIterator[str]:
    quiet = 0.0
    yield ": here\n\n"
    while not streams.is_over:
        found = await anyio.to_thread.run_sync(feed.news, streams.is_due(feed.agent))
        for each in filter(None, found):
            yield each
        if not found and not follow:
            return
        if not found:
            await asyncio.sleep(_POLL)
        quiet = 0.0 if found else quiet + _POLL
        if quiet >= ALIVE:
            quiet = 0.0
            yield ": still here\n\n"


def _turn_event(turn: Turn) -> dict[str, Any]:
    return {"at": turn.at, "actor": turn.origin, "type": "turn", "what": turn}


def _event(found: Event) -> dict[str, Any]:
    return {
        "position": found.seq,
        "id": found.id,
        "at": found.at,
        "host": found.host,
        "actor": found.actor,
        "type": found.type,
        "what": plain(found.body),
        "filed": found.filed,
        "filings": plain(found.filings),
        "version": found.version,
    }
