"""Looking after a home over HTTP: checks, backups, programs, tokens, the trash."""

from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from almario.apps.connecting.connections import Program, programs
from almario.apps.web import bodies
from almario.apps.web.access import Token, Tokens
from almario.apps.web.answering import PROBLEMS, gives
from almario.apps.web.asking import AllSouls, RunsHome
from almario.apps.web.gatekeeping import LOGIN
from almario.apps.web.jobs import JOB, Work
from almario.apps.web.shapes import answer, many, record, shape
from almario.errors import NotFound
from almario.wiring.health import examine

router = APIRouter(prefix="/api/v1", tags=["care"], responses=PROBLEMS)

_BACKUP = record("BackupFile", name=str, at=datetime, bytes=int, locked=bool)
_FINDING = record("DoctorFinding", level=str, about=str, what=str, how=str)
_TOKEN = record(
    "Token", **{name: kind for name, kind in shape(Token).__annotations__.items() if name != "hash"}
)
_TRASHED = record("Trashed", id=str, at=str)


@router.get("/backups", **gives(many(_BACKUP)))
def list_backups(souls: AllSouls, grant: RunsHome) -> JSONResponse:
    """List the backups, newest first; each was verified before it was kept."""
    kept = souls.backups().all()
    rows = [{"name": b.path.name, "at": b.at, "bytes": b.size, "locked": b.is_locked} for b in kept]
    return answer(rows)


@router.post("/jobs/backup-check", **gives(JOB, 202))
def check_backup(souls: AllSouls, grant: RunsHome, jobs: Work, body: bodies.Archive) -> JSONResponse:
    """Test a backup (by default the newest) by restoring it in the background; report what is wrong."""
    kept = souls.backups()
    names = [each.path.name for each in kept.all()]
    if body.name and body.name not in names:
        raise NotFound("there is no backup {name}", name=body.name)
    path = kept.find(body.name)
    job = jobs.begin("", "backup-check", lambda _: {"name": path.name, "problems": kept.check(path)})
    return answer(job.shown, 202)


@router.get("/doctor", **gives(many(_FINDING)))
def doctor(souls: AllSouls, grant: RunsHome) -> JSONResponse:
    """Check the home and its agents, and say how to fix what is wrong."""
    found = examine(souls.root, settings=souls.settings, clock=souls.clock)
    fields = ("level", "about", "what", "how")
    return answer([{name: getattr(each, name) or "" for name in fields} for each in found])


@router.get("/connections", **gives(many(shape(Program))))
def connections(grant: RunsHome) -> JSONResponse:
    """List the programs that can be connected to an agent, and which are; "almario connect" connects one."""
    return answer(programs())


@router.get("/tokens", **gives(many(_TOKEN)))
def list_tokens(grant: RunsHome, request: Request) -> JSONResponse:
    """List the tokens and browsers with access, except the owner's own token."""
    return answer([each.told for each in _tokens(request).all()])


@router.post("/tokens", **gives(record("NewToken", name=str, token=str), 201))
def create_token(souls: AllSouls, grant: RunsHome, request: Request, body: bodies.NewToken) -> JSONResponse:
    """Create a token for a program; it is shown only once."""
    agents = tuple(souls.home.agent(each).id for each in body.agents) or None
    token = _tokens(request).create(body.name, agents=agents, scope=body.scope)
    return answer({"name": body.name, "token": token}, 201)


@router.post("/tokens/login", **gives(record("LoginLink", link=str), 201))
def create_login_link(grant: RunsHome, request: Request) -> JSONResponse:
    """Create a link that lets one browser in as the owner; it works once, within ten minutes."""
    code, scheme = _tokens(request).login_code(), "https" if request.app.state.entrance.is_secure else "http"
    return answer({"link": f"{scheme}://{request.headers['host']}{LOGIN}?code={code}"}, 201)


@router.delete("/tokens/{name}", **gives(_TOKEN))
def revoke_token(grant: RunsHome, request: Request, name: str) -> JSONResponse:
    """Revoke a token or a browser's access."""
    return answer(_tokens(request).revoke(name).told)


@router.get("/trash", **gives(many(_TRASHED)))
def trash(souls: AllSouls, grant: RunsHome) -> JSONResponse:
    """List the removed agents, most recent first."""
    return answer([{"id": each.id, "at": each.at} for each in souls.home.trash()])


@router.post("/agents/{agent}/restore", **gives(record("BroughtBack", id=str, name=str)))
def restore_agent(souls: AllSouls, grant: RunsHome, agent: str) -> JSONResponse:
    """Restore an agent that was removed."""
    found = souls.home.bring_back(agent)
    return answer({"id": found.id, "name": souls.name_of(found)})


def _tokens(request: Request) -> Tokens:
    found: Tokens = request.app.state.tokens
    return found
