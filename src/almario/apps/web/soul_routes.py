"""Who an agent is, over HTTP: its files and their versions, proposals, goals, drift, costs, its log."""

from datetime import date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, IfMatch, Limit, Offset, gives
from almario.apps.web.asking import Administers, Asked, Reads, Writes
from almario.apps.web.problems import NoSuchThing, problem
from almario.apps.web.readers import tell
from almario.apps.web.shapes import answer, many, page, page_of, record, shape
from almario.becoming.rules.distance import Point
from almario.domain.documents.document import Document
from almario.domain.documents.goal_list import Goal
from almario.domain.messages import Sentence
from almario.domain.model import Version, soul_file
from almario.domain.proposal import Proposal
from almario.domain.soul_events import Drift
from almario.errors import SoulError
from almario.upkeep.rules.costs import Report, Spent

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["soul"], responses=PROBLEMS)

# Of what was changed: *line* is the latest one that did, for `/undo`.
_FILE = record("SoulFile", name=str, text=str, hash=str | None, is_link=bool, line=int)
_WHO = record("Who", id=str, name=str, since=datetime | None, zone=str, position=int)
_VERSION = shape(Version)
_RESTORED = shape(Version, line=int)
_PROPOSAL = shape(Proposal, diff=str)
_ANSWERED = record("Answered", **_PROPOSAL.__annotations__, line=int)
_GOAL = shape(Goal, stale_since=date | None, stale_days=int | None)
_DRIFT = record("Drifted", now=Drift | None, warns=bool, pinned_at=datetime | None, timeline=list[Point])
_BUDGET = record("Budget", daily_tokens=int, daily_cost=float, is_over=bool)
_COSTS = shape(Report, today=Spent, budget=_BUDGET)
_LINE = record("LogEntry", at=str, text=str, category=str, line=int, last=int, is_trusted=bool)


def _named(name: str) -> str:
    try:
        return soul_file(name)
    except SoulError as exc:
        raise NoSuchThing(exc.message, **exc.facts) from exc


def _etag(document: Document) -> str:
    return f'"{document.hash or "none"}"'


def _file(found: Document) -> dict[str, Any]:
    return {"name": found.name, "text": found.text, "hash": found.hash, "is_link": found.is_link}


@router.get("", **gives(_WHO))
def who(asked: Reads) -> JSONResponse:
    """Return who an agent is, since when, in which time zone, and how far its journal has come."""
    soul = asked.soul
    own = {"id": soul.id, "name": soul.name, "since": soul.since, "zone": str(soul.zone)}
    return answer(own | {"position": soul.position})


@router.get("/files", **gives(many(_FILE)))
def list_files(asked: Reads) -> JSONResponse:
    """List the soul files that exist, each with its text and the hash of it."""
    return answer([_file(each) | {"line": asked.soul.line_of(each.name)} for each in asked.soul.files()])


@router.get("/files/{file}", **gives(_FILE))
def read_file(asked: Reads, file: str) -> JSONResponse:
    """Read a soul file; its ETag goes into If-Match when it is written."""
    found = asked.soul.read(_named(file))
    return answer(_file(found) | {"line": asked.soul.line_of(found.name)}, ETag=_etag(found))


@router.put(
    "/files/{file}",
    **gives(_FILE, more={412: "It has another text by now.", 428: "If-Match is missing."}),
)
def write_file(
    asked: Administers, request: Request, file: str, body: bodies.NewText, if_match: IfMatch = ""
) -> JSONResponse:
    """Write a soul file as the owner; 412 or 409 if somebody else has changed it since it was read."""
    found = asked.soul.read(_named(file))
    if not if_match:
        return problem(428, tell(Sentence("send the ETag of the text you read as If-Match")))
    if if_match not in ("*", _etag(found)):
        detail = tell(Sentence("{file} was changed meanwhile; read it again", file=found.name))
        return problem(412, detail, error="EditConflict")
    asked.soul.write(found, body.text, reason=body.reason)
    return read_file(asked, file)


@router.get("/files/{file}/versions", **gives(page_of(_VERSION)))
def list_versions(asked: Reads, file: str, limit: Limit = 50, offset: Offset = 0) -> JSONResponse:
    """List every version that a soul file has had, newest first."""
    return answer(page(asked.soul.history(_named(file))[::-1], offset, limit))


@router.get("/files/{file}/versions/{version}", **gives(record("OldText", name=str, text=str)))
def read_version(asked: Reads, file: str, version: str) -> JSONResponse:
    """Read one version, by its number or the beginning of its hash."""
    name = _named(file)
    return answer({"name": name, "text": asked.soul.version(name, version)})


@router.get("/files/{file}/diff", **gives(record("Difference", name=str, diff=str)))
def compare(
    asked: Reads,
    file: str,
    old: Annotated[str, Query(max_length=64)] = "",
    new: Annotated[str, Query(max_length=64)] = "",
) -> JSONResponse:
    """Return a unified diff of two versions; of the last two, or of *old* and the latest."""
    name = _named(file)
    return answer({"name": name, "diff": asked.soul.diff(name, old, new)})


@router.post("/files/{file}/restore", **gives(_RESTORED))
def restore(asked: Administers, file: str, body: bodies.Restoring) -> JSONResponse:
    """Put an earlier version back; what stood there stays in the history."""
    name = _named(file)
    version = asked.soul.restore(name, body.version)
    return answer(version._asdict() | {"line": asked.soul.line_of(name)})


@router.post("/files/{file}/lock", **gives(_FILE))
def lock(asked: Administers, file: str, body: bodies.Locking) -> JSONResponse:
    """Lock a section of a soul file, so that no proposal can touch it; or unlock it."""
    asked.soul.lock(_named(file), body.section, locked=body.locked)
    return read_file(asked, file)


@router.get("/proposals", **gives(page_of(_PROPOSAL)))
def list_proposals(
    asked: Reads,
    every: Annotated[bool, Query(description="Those that were answered or refused, too.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> JSONResponse:
    """List the changes that the agent proposes to itself, oldest first."""
    told = page(asked.soul.proposals.list(every=every), offset, limit)
    return answer(told | {"items": [_proposal(each) for each in told["items"]]})


@router.post("/proposals", **gives(_PROPOSAL, 201))
def propose(asked: Writes, body: bodies.Proposing) -> JSONResponse:
    """Propose a new text for a soul file; nothing changes until the owner accepts it."""
    found = asked.soul.proposals.propose(
        body.file, body.text, reason=body.reason, evidence=body.evidence, origin=body.origin
    )
    return answer(_proposal(found), 201)


@router.get("/proposals/{proposal}", **gives(_ANSWERED))
def show_proposal(asked: Reads, proposal: str) -> JSONResponse:
    """Return what a proposal would change, why, what it rests on, and the `line` of its answer; 0: none."""
    found = _found(asked, proposal)
    return answer(_proposal(found) | {"line": asked.soul.line_of(found.id)})


@router.post("/proposals/{proposal}/accept", **gives(_ANSWERED))
def accept_proposal(asked: Administers, proposal: str) -> JSONResponse:
    """Do what is proposed; 409 if it does not fit any more."""
    done = asked.soul.proposals.accept(_found(asked, proposal).id)
    changed = [asked.soul.memory.get(change["id"]).seq for change in done.changes]
    line = asked.soul.line_of(done.file) if done.file else max(changed, default=0)
    return answer(_proposal(done) | {"line": line})


@router.post("/proposals/{proposal}/reject", **gives(_ANSWERED))
def reject_proposal(asked: Administers, proposal: str, body: bodies.Rejecting) -> JSONResponse:
    """Answer a proposal with no."""
    done = asked.soul.proposals.reject(_found(asked, proposal).id, body.why)
    return answer(_proposal(done) | {"line": asked.soul.line_of(done.id)})


@router.post("/proposals/{proposal}/rewrite", **gives(_PROPOSAL))
def rewrite_proposal(asked: Administers, proposal: str, body: bodies.Rewriting) -> JSONResponse:
    """Put the owner's wording in the place of what an open proposal wants; nothing changes yet."""
    found = _found(asked, proposal).id
    return answer(_proposal(asked.soul.proposals.rewrite(found, body.text, base=body.base)))


@router.post("/improve", **gives(record("Improved", proposals=many(_PROPOSAL), told=list[str])))
def improve(asked: Administers, body: bodies.Words) -> JSONResponse:
    """Turn words about what should change into proposals; nothing changes yet."""
    done = asked.soul.improve(body.text)
    return answer({"proposals": [_proposal(each) for each in done.proposals], "told": done.told})


def _found(asked: Asked, proposal: str) -> Proposal:
    try:
        return asked.soul.proposals.get(proposal)
    except SoulError as exc:
        raise NoSuchThing(exc.message, **exc.facts) from exc


def _proposal(found: Proposal) -> dict[str, Any]:
    return found._asdict() | {"diff": found.diff}


@router.get("/goals", **gives(many(_GOAL)))
def list_goals(asked: Reads) -> JSONResponse:
    """List the goals, the active ones first."""
    return _goals(asked)


@router.post("/goals", **gives(many(_GOAL), 201))
def add_goal(asked: Writes, body: bodies.NewGoal) -> JSONResponse:
    """Add a goal; the answer is all of them."""
    asked.soul.goals.add(body.text, priority=body.priority)
    return _goals(asked, 201)


@router.patch("/goals/{goal:path}", **gives(many(_GOAL)))
def change_goal(asked: Writes, goal: str, body: bodies.GoalChange) -> JSONResponse:
    """Change a goal, by its number or some of its words; the answer is all of them."""
    goals = asked.soul.goals
    match body.action:
        case "start":
            goals.start(goal)
        case "note":
            goals.note(goal, body.text)
        case "complete":
            goals.complete(goal, outcome=body.text)
        case "reopen":
            goals.reopen(goal, priority=body.priority)
        case "priority":
            goals.reprioritise(goal, body.priority)
        case "drop":
            goals.drop(goal)
    return _goals(asked)


def _goals(asked: Asked, status: int = 200) -> JSONResponse:
    goals = asked.soul.goals
    stale = {each.goal.number: {"stale_since": each.since, "stale_days": each.days} for each in goals.stale()}
    fresh = {"stale_since": None, "stale_days": None}
    return answer([goal._asdict() | stale.get(goal.number, fresh) for goal in goals.all()], status)


@router.get("/drift", **gives(_DRIFT))
def drift(asked: Reads) -> JSONResponse:
    """Return how far the soul has come from the one it is measured against, now and over time."""
    drifting = asked.soul.drift
    now, warn = drifting.now(), drifting.settings.warn
    told = {"now": now, "warns": bool(now and now.warns(warn)), "pinned_at": drifting.pinned_at()}
    return answer(told | {"timeline": drifting.timeline()})


@router.post("/drift/measure", **gives(record("Measured", drift=Drift | None)))
def measure(asked: Reads, body: bodies.Measuring) -> JSONResponse:
    """Return how far the soul would be with that text in one of its files; nothing changes."""
    return answer({"drift": asked.soul.drift.measure(soul_file(body.file), body.text)})


@router.post("/drift/pin", **gives(dict[str, str]))
def pin(asked: Administers) -> JSONResponse:
    """Measure drift from the soul as it is now; the answer is the hash of each file."""
    return answer(asked.soul.drift.pin())


@router.get("/costs", **gives(_COSTS))
def costs(asked: Reads, days: Annotated[int, Query(ge=1, le=3660)] = 30) -> JSONResponse:
    """Return what the models have cost in the last days, by day, job and model."""
    spent, limits = asked.soul.costs, asked.soul.costs.settings
    report = spent.report(days)
    budget = {"daily_tokens": limits.daily_tokens, "daily_cost": limits.daily_cost}
    today = report.days.get(spent.today, Spent())
    return answer(report._asdict() | {"today": today, "budget": budget | {"is_over": spent.is_over()}})


@router.get("/log", **gives(many(_LINE)))
def read_log(asked: Reads, day: date | None = None) -> JSONResponse:
    """Return the daily log of a day; of today by default."""
    return answer(asked.soul.log_of(day))


@router.post("/log", **gives(record("Logged", told=list[str]), 201))
def write_log(asked: Writes, body: bodies.Words) -> JSONResponse:
    """Add a line to today's log."""
    return answer({"told": asked.soul.log(body.text)}, 201)
