"""Talking over HTTP: sessions, and what was said in them."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, IdempotencyKey, Limit, gives, once
from almario.apps.web.asking import Reads, Writes
from almario.apps.web.shapes import answer, record, returned, shape
from almario.apps.web.verb_routes import perform
from almario.domain.turns import DEFAULT_SESSION, Turn

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["talk"], responses=PROBLEMS)

Session = Annotated[str, Query(max_length=150, examples=["app:ana"])]


@router.get("/sessions", **gives(returned("sessions.list")))
def list_sessions(caller: Reads) -> JSONResponse:
    """List the sessions, most recently active first."""
    return answer(perform(caller, "sessions.list", {}))


@router.get("/turns", **gives(record("Turns", items=list[Turn], next=int | None)))
def list_turns(
    caller: Reads,
    session: Session = "",
    after: Annotated[int, Query(ge=0, le=10**9, description="Only turns after this number.")] = 0,
    limit: Limit = 100,
) -> JSONResponse:
    """Return the turns of a session in order, archived ones included."""
    found = perform(caller, "sessions.turns", {"session": session or DEFAULT_SESSION})
    turns = [turn for turn in found if turn.n > after]
    return answer({"items": turns[:limit], "next": turns[limit - 1].n if len(turns) > limit else None})


@router.post("/turns", **gives(shape(Turn), 201))
def append(
    caller: Writes, request: Request, body: bodies.Appending, key: IdempotencyKey = ""
) -> JSONResponse:
    """Append a turn to a session; once this returns, it survives a power cut."""
    ref = body.ref or (f"{caller.grant.name}:{key}" if key else "")
    given = {**body.model_dump(), "session": body.session or DEFAULT_SESSION, "ref": ref}
    return once(request, caller, key, body.model_dump(), lambda: (201, perform(caller, "append", given)))
