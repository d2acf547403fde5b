"""Who an agent is, over HTTP: its files, the way back, and the answers to its proposals."""

from datetime import datetime

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, IfMatch, gives
from almario.apps.web.asking import Administers, HttpRequest, Reads
from almario.apps.web.problems import problem
from almario.apps.web.readers import tell
from almario.apps.web.shapes import answer, many, record, shape, shown
from almario.domain.documents.document import Document
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


def _etag(document: Document) -> str:
    return f'"{document.hash or "none"}"'


def _file(caller: HttpRequest, found: Document) -> dict[str, object]:
    own = {"name": found.name, "text": found.text, "hash": found.hash, "is_link": found.is_link}
    return own | {"line": caller.soul.undoable(found.name)}


@router.get("", **gives(_WHO))
def who(caller: Reads) -> JSONResponse:
    """Return an agent's identity, when it was created, its time zone and its position in the journal."""
    soul = caller.soul
    own = {"id": soul.id, "name": soul.name, "since": soul.since, "zone": str(soul.zone)}
    return answer(own | {"position": soul.position})


@router.get("/files", **gives(many(_FILE)))
def list_files(caller: Reads) -> JSONResponse:
    """List the soul files, each with its text and hash."""
    return answer([_file(caller, each) for each in caller.soul.files()])


@router.get("/files/{file}", **gives(_FILE))
def read_file(caller: Reads, file: str) -> JSONResponse:
    """Read a soul file; send its ETag as If-Match when you write it."""
    found = caller.soul.read(soul_file(file))
    return answer(_file(caller, found), ETag=_etag(found))


@router.put(
    "/files/{file}",
    **gives(_FILE, more={412: "The text has changed since you read it.", 428: "If-Match is missing."}),
)
def write_file(caller: Administers, file: str, body: bodies.NewText, if_match: IfMatch = "") -> JSONResponse:
    """Write a soul file as the owner; 412 or 409 if it has changed since you read it."""
    found = caller.soul.read(soul_file(file))
    if not if_match:
        return problem(428, tell(Sentence("send the ETag of the text you read as If-Match")))
    if if_match not in ("*", _etag(found)):
        detail = tell(Sentence("{file} was changed meanwhile; read it again", file=found.name))
        return problem(412, detail, error="EditConflict")
    caller.soul.write(found, body.text, reason=body.reason)
    return read_file(caller, file)


@router.post("/files/{file}/restore", **gives(_RESTORED))
def restore(caller: Administers, file: str, body: bodies.Restoring) -> JSONResponse:
    """Restore an earlier version; the current one stays in the history."""
    name = soul_file(file)
    version = caller.soul.restore(name, body.version)
    return answer(version._asdict() | {"line": caller.soul.undoable(name)})


@router.post("/proposals/{proposal}/accept", **gives(_ANSWERED))
def accept_proposal(caller: Administers, proposal: str) -> JSONResponse:
    """Accept a proposal; 409 if it no longer applies."""
    done = caller.soul.proposals.accept(proposal)
    changed = [caller.soul.memory.get(change["id"]).seq for change in done.changes]
    return _answered(done, caller.soul.undoable(done.file) if done.file else max(changed, default=0))


@router.post("/proposals/{proposal}/reject", **gives(_ANSWERED))
def reject_proposal(caller: Administers, proposal: str, body: bodies.Rejecting) -> JSONResponse:
    """Reject a proposal."""
    done = caller.soul.proposals.reject(proposal, body.why)
    return _answered(done, caller.soul.undoable(done.id))


def _answered(found: Proposal, line: int) -> JSONResponse:
    return answer(shown(found) | {"line": line})
