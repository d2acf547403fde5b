"""Talking over HTTP: chat, sessions, what was said in them, and the prompt a model would get.

Who is not the owner talks in sessions of their own, as a stranger among others.
"""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, STREAM, IdempotencyKey, Limit, Tell, gives, once, streamed
from almario.apps.web.asking import Hears, HttpRequest, Speaks, Writes
from almario.apps.web.doing import perform
from almario.apps.web.shapes import answer, record, returned, shape, shown
from almario.domain.turns import Turn

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["talk"], responses=PROBLEMS)

Session = Annotated[str, Query(max_length=150, examples=["app:ana"])]
_ANSWER = record("AnswerIn", **returned("talk").__annotations__, session=str)
_PROMPT = record("PromptFor", **returned("prompt").__annotations__, is_private=bool)


@router.post("/chat", responses={200: {"model": _ANSWER, "content": STREAM}})
async def chat(asked: Speaks, request: Request, body: bodies.Saying) -> Response:
    """Answer a message, as a stream of events: `text` piece by piece, then `answer`, or `problem`.

    With `Accept: application/json` you get the whole answer at once. If you disconnect, the answer ends
    there, and what had come of it is kept.
    """
    accepted = request.headers.get("accept", "")
    if "json" in accepted and "text/event-stream" not in accepted:
        return await run_in_threadpool(lambda: answer(_talked(asked, body)))
    return streamed(request, partial(_stream, asked, body))


def _stream(asked: HttpRequest, body: bodies.Saying, tell: Tell) -> None:
    tell("answer", _talked(asked, body, lambda piece: tell("text", {"text": piece})))


def _talked(asked: HttpRequest, body: bodies.Saying, hear: Any = None) -> dict[str, Any]:
    session = asked.grant.session(body.session)
    done = perform(asked, "talk", {**body.model_dump(), "session": session, "hear": hear})
    whole: dict[str, Any] = done._asdict()
    return whole | {"session": session}


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


@router.post("/sessions/end", **gives(returned("end_session")))
def end_session(asked: Writes, body: bodies.SessionBody) -> JSONResponse:
    """Learn from a session, and start it afresh with the next message."""
    return answer(asked.soul.end_session(asked.grant.session(body.session)))


@router.post("/prompt", **gives(_PROMPT))
def prompt(asked: Hears, body: bodies.Prompting) -> JSONResponse:
    """Build the prompt for a message as the files and the memory are now; `explain` tells what is in it."""
    given: dict[str, Any] = {name: getattr(body, name) for name in type(body).model_fields}
    if body.tools is None and asked.grant.is_owner:
        specs = asked.soul.tools.specs(body.mode, session=body.session)
        given["tools"] = [tool.name for tool in specs]
    made = perform(asked, "prompt", given)
    return answer(shown(made) | {"is_private": made.audience.is_private})
