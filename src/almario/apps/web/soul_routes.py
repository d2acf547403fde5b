"""Who an agent is, over HTTP: its files and their versions, proposals, and goals."""

from datetime import date, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, IfMatch, Limit, Offset, gives
from almario.apps.web.asking import Administers, HttpRequest, Reads, Writes
from almario.apps.web.problems import problem
from almario.apps.web.readers import tell
from almario.apps.web.shapes import answer, many, page, page_of, record, shape, shown
from almario.domain.documents.document import Document
from almario.domain.documents.goal_list import Goal
from almario.domain.messages import Sentence
from almario.domain.model import Version, soul_file
from almario.domain.proposal import Proposal

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["soul"], responses=PROBLEMS)

# Of what was changed: *line* is the latest one that did, for `undo`.
_FILE = record("SoulFile", name=str, text=str, hash=str | None, is_link=bool, line=int)
_WHO = record("Who", id=str, name=str, since=datetime | None, zone=str, position=int)
_VERSION = shape(Version)
_RESTORED = record("Restored", **_VERSION.__annotations__, line=int)
_PROPOSAL = shape(Proposal)
_ANSWERED = record("Answered", **_PROPOSAL.__annotations__, line=int)
_GOALS = many(
    record("GoalNow", **shape(Goal).__annotations__, stale_since=date | None, stale_days=int | None)
)


def _etag(document: Document) -> str:
    return f'"{document.hash or "none"}"'


def _file(asked: HttpRequest, found: Document) -> dict[str, object]:
    own = {"name": found.name, "text": found.text, "hash": found.hash, "is_link": found.is_link}
    return own | {"line": asked.soul.line_of(found.name)}


@router.get("", **gives(_WHO))
def who(asked: Reads) -> JSONResponse:
    """Return who an agent is, since when, in which time zone, and how far its journal has come."""
    soul = asked.soul
    own = {"id": soul.id, "name": soul.name, "since": soul.since, "zone": str(soul.zone)}
    return answer(own | {"position": soul.position})


@router.get("/files", **gives(many(_FILE)))
def list_files(asked: Reads) -> JSONResponse:
    """List the soul files that exist, each with its text and the hash of it."""
    return answer([_file(asked, each) for each in asked.soul.files()])


@router.get("/files/{file}", **gives(_FILE))
def read_file(asked: Reads, file: str) -> JSONResponse:
    """Read a soul file; its ETag goes into If-Match when it is written."""
    found = asked.soul.read(soul_file(file))
    return answer(_file(asked, found), ETag=_etag(found))


@router.put(
    "/files/{file}",
    **gives(_FILE, more={412: "It has another text by now.", 428: "If-Match is missing."}),
)
def write_file(asked: Administers, file: str, body: bodies.NewText, if_match: IfMatch = "") -> JSONResponse:
    """Write a soul file as the owner; 412 or 409 if somebody else has changed it since it was read."""
    found = asked.soul.read(soul_file(file))
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
    return answer(page(asked.soul.history(soul_file(file))[::-1], offset, limit))


@router.get("/files/{file}/versions/{version}", **gives(record("OldText", name=str, text=str)))
def read_version(asked: Reads, file: str, version: str) -> JSONResponse:
    """Read one version, by its number or the beginning of its hash."""
    name = soul_file(file)
    return answer({"name": name, "text": asked.soul.version(name, version)})


@router.post("/files/{file}/restore", **gives(_RESTORED))
def restore(asked: Administers, file: str, body: bodies.Restoring) -> JSONResponse:
    """Put an earlier version back; what stood there stays in the history."""
    name = soul_file(file)
    version = asked.soul.restore(name, body.version)
    return answer(version._asdict() | {"line": asked.soul.line_of(name)})


@router.get("/proposals", **gives(page_of(_PROPOSAL)))
def list_proposals(
    asked: Reads,
    every: Annotated[bool, Query(description="Also those that were answered or refused.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> JSONResponse:
    """List the changes that the agent proposes to itself, oldest first."""
    return answer(page(asked.soul.proposals.list(every=every), offset, limit))


@router.get("/proposals/{proposal}", **gives(_ANSWERED))
def show_proposal(asked: Reads, proposal: str) -> JSONResponse:
    """Return what a proposal would change, why, what it rests on, and the `line` of its answer; 0: none."""
    found = asked.soul.proposals.get(proposal)
    return _answered(found, asked.soul.line_of(found.id))


@router.post("/proposals/{proposal}/accept", **gives(_ANSWERED))
def accept_proposal(asked: Administers, proposal: str) -> JSONResponse:
    """Do what is proposed; 409 if it does not fit any more."""
    done = asked.soul.proposals.accept(proposal)
    changed = [asked.soul.memory.get(change["id"]).seq for change in done.changes]
    return _answered(done, asked.soul.line_of(done.file) if done.file else max(changed, default=0))


@router.post("/proposals/{proposal}/reject", **gives(_ANSWERED))
def reject_proposal(asked: Administers, proposal: str, body: bodies.Rejecting) -> JSONResponse:
    """Answer a proposal with no."""
    done = asked.soul.proposals.reject(proposal, body.why)
    return _answered(done, asked.soul.line_of(done.id))


def _answered(found: Proposal, line: int) -> JSONResponse:
    return answer(shown(found) | {"line": line})


@router.get("/goals", **gives(_GOALS))
def list_goals(asked: Reads) -> JSONResponse:
    """List the goals, the active ones first."""
    return _goals(asked)


@router.post("/goals", **gives(_GOALS, 201))
def add_goal(asked: Writes, body: bodies.NewGoal) -> JSONResponse:
    """Add a goal; the answer is all of them."""
    asked.soul.goals.add(body.text, priority=body.priority)
    return _goals(asked, 201)


@router.patch("/goals/{goal:path}", **gives(_GOALS))
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


def _goals(asked: HttpRequest, status: int = 200) -> JSONResponse:
    goals = asked.soul.goals
    stale = {each.goal.number: {"stale_since": each.since, "stale_days": each.days} for each in goals.stale()}
    fresh = {"stale_since": None, "stale_days": None}
    return answer([goal._asdict() | stale.get(goal.number, fresh) for goal in goals.all()], status)
