"""Talking over HTTP: sessions, what was said in them, and the prompt a model would get.

Who is not the owner talks in sessions of their own, as a stranger among others.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, IdempotencyKey, Limit, gives, once
from almario.apps.web.asking import Hears, Speaks
from almario.apps.web.doing import perform
from almario.apps.web.shapes import answer, record, returned, shape
from almario.domain.turns import Turn

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["talk"], responses=PROBLEMS)

Session = Annotated[str, Query(max_length=150, examples=["app:ana"])]


@router.get("/sessions", **gives(returned("sessions.all")))
def list_sessions(asked: Hears) -> JSONResponse:
    """List the sessions, the one that was last spoken in first."""
    return answer(perform(asked, "sessions.all", {}))


@router.get("/turns", **gives(record("Turns", items=list[Turn], next=int | None)))
def list_turns(
    asked: Hears,
    session: Session = "",
    after: Annotated[int, Query(ge=0, le=10**9, description="Only those with higher numbers.")] = 0,
    limit: Limit = 100,
) -> JSONResponse:
    """Return what was said in a session, archived turns too, in order."""
    said = perform(asked, "sessions.turns", {"session": asked.grant.session(session)})
    turns = [turn for turn in said if turn.n > after]
    return answer({"items": turns[:limit], "next": turns[limit - 1].n if len(turns) > limit else None})


@router.post("/turns", **gives(shape(Turn), 201))
def append(asked: Speaks, request: Request, body: bodies.Appending, key: IdempotencyKey = "") -> JSONResponse:
    """Keep what was said in a session; when this answers, it survives a power cut."""
    ref = body.ref or (f"{asked.grant.name}:{key}" if key else "")
    given = {**body.model_dump(), "session": asked.grant.session(body.session), "ref": ref}
    return once(request, asked.grant, key, body.model_dump(), lambda: (201, perform(asked, "append", given)))


@router.post("/prompt", **gives(returned("prompt")))
def prompt(asked: Hears, body: bodies.Prompting) -> JSONResponse:
    """Build the prompt for a message as the files and the memory are now; `explain` tells what is in it."""
    given = {name: getattr(body, name) for name in type(body).model_fields}
    return answer(perform(asked, "prompt", given))
