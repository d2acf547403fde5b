"""Talking over HTTP: chat, sessions, what was said in them, and the prompt a model would get.

Who is not the owner talks in sessions of their own, as a stranger among others.
"""

from datetime import datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from almario.apps.web import bodies
from almario.apps.web.access import Grant
from almario.apps.web.answering import PROBLEMS, STREAM, IdempotencyKey, Limit, Tell, gives, once, streamed
from almario.apps.web.asking import Asked, Hears, Speaks, Writes
from almario.apps.web.shapes import TURN, answer, many, record, turn_fields
from almario.domain.model import Hit, Mode
from almario.domain.turns import SPOKEN
from almario.errors import AccessDenied

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["talk"], responses=PROBLEMS)

# What a conversation is for where others are present.
_AMONG_OTHERS: Mode = "collaboration"
_SESSION = record(
    "Session",
    session=str,
    turns=int,
    first=datetime | None,
    last=datetime | None,
    flushed=int,
    waiting=int,
    why=str,
    resets=int,
    archived=int,
)
_LEARNED = record("Learned", session=str, after=int, to=int, outcome=str, why=str, memories=int)
_USAGE = record("Usage", told=int, said=int, cached=int, cost=float | None)
_ANSWER = record(
    "Answer", text=str, is_cut=bool, model=str, session=str, recalled=list[Hit], done=list[dict[str, Any]],
    told=list[str], usage=_USAGE | None,
)  # fmt: skip
_SECTION = record(
    "Section", name=str, text=str, tokens=int, source=str, budget=int | None, left_out=int, kept_out=int
)
_PROMPT = record(
    "Prompt", mode=str, tokens=int, text=str, stable=str, changing=str, is_private=bool,
    sections=many(_SECTION),
)  # fmt: skip
_TURNS = record("Turns", items=many(TURN), next=int | None)


@router.post(
    "/chat",
    responses={200: {"model": _ANSWER, "content": STREAM}},
)
async def chat(asked: Speaks, request: Request, body: bodies.Saying) -> Response:
    """Answer a message, as a stream of events: `text` piece by piece, then `answer`, or `problem`.

    Who accepts only application/json gets the whole answer. If the client goes, the answer ends, and what
    had come of it is kept.
    """
    accepted = request.headers.get("accept", "")
    if "json" in accepted and "text/event-stream" not in accepted:
        return await run_in_threadpool(lambda: answer(_talked(asked, body)))
    return streamed(request, partial(_stream, asked, body))


def _stream(asked: Asked, body: bodies.Saying, tell: Tell) -> None:
    told = _talked(asked, body, lambda piece: tell("text", {"text": piece}))
    tell("answer", told)


def _talked(asked: Asked, body: bodies.Saying, hear: Any = None) -> dict[str, Any]:
    soul, grant = asked
    session, mode, origin, speaker = grant.session(body.session), body.mode, body.origin, body.speaker
    if not grant.is_owner:
        mode, origin, speaker = _AMONG_OTHERS, "untrusted", grant.name
    done = soul.talk(
        body.message, session, hear=hear, mode=mode, pasted=body.pasted, origin=origin, speaker=speaker
    )
    whole = {"text": done.text, "is_cut": done.is_cut, "model": done.model, "session": session}
    if not grant.is_owner:
        return whole | {"recalled": [], "done": [], "told": [], "usage": None}
    return whole | {"recalled": done.recalled, "done": done.done, "told": done.told, "usage": done.usage}


@router.get("/sessions", **gives(many(_SESSION)))
def list_sessions(asked: Hears) -> JSONResponse:
    """List the sessions, the one that was last spoken in first."""
    return answer([view for view in asked.soul.sessions.all() if _is_heard(asked.grant, view.session)])


def _is_heard(grant: Grant, session: str) -> bool:
    return grant.is_owner or session == grant.own_session or session.startswith(f"{grant.own_session}:")


@router.get("/turns", **gives(_TURNS))
def list_turns(
    asked: Hears,
    session: Annotated[str, Query(max_length=150, examples=["app:ana"])] = "",
    after: Annotated[int, Query(ge=0, le=10**9, description="Only those with higher numbers.")] = 0,
    limit: Limit = 100,
) -> JSONResponse:
    """Return what was said in a session, archived turns too, in order."""
    key = asked.grant.session(session)
    turns = [turn for turn in asked.soul.sessions.turns(key) if turn.n > after]
    if not asked.grant.is_owner:  # what tools gave is between the agent and its model
        turns = [turn for turn in turns if turn.role in SPOKEN]
    more = turns[limit - 1].n if len(turns) > limit else None
    return answer({"items": [turn_fields(turn) for turn in turns[:limit]], "next": more})


@router.post("/turns", **gives(TURN, 201))
def append(asked: Speaks, request: Request, body: bodies.Appending, key: IdempotencyKey = "") -> JSONResponse:
    """Keep what was said in a session; when this answers, it survives a power cut."""
    session, origin, speaker = asked.grant.session(body.session), body.origin, body.speaker
    if not asked.grant.is_owner:
        if body.role != "user":
            raise AccessDenied("with this token, only what a user said can be added")
        origin, speaker = "untrusted", asked.grant.name

    def do() -> tuple[int, Any]:
        name = f"{asked.grant.name}:{key}" if key else ""
        turn = asked.soul.append(session, body.role, body.text, origin=origin, speaker=speaker, ref=name)
        return 201, turn_fields(turn)

    return once(request, asked.grant, key, body.model_dump(), do)


@router.post("/sessions/end", **gives(many(_LEARNED)))
def end_session(asked: Writes, body: bodies.Ending) -> JSONResponse:
    """Learn from a session, and begin it anew with the next message."""
    session = asked.grant.session(body.session)
    if body.snapshot:
        asked.soul.clear(session)
        return answer([])
    return answer([learned(each) for each in asked.soul.end_session(session)])


@router.post("/sessions/off-record", **gives(record("OffRecord", session=str, off=bool)))
def off_record(asked: Writes, body: bodies.Discretion) -> JSONResponse:
    """Let all that is said in a session from now on be off the record; or on it again."""
    session = asked.grant.session(body.session)
    asked.soul.off_record(session, off=body.off)
    return answer({"session": session, "off": body.off})


@router.post("/prompt", **gives(_PROMPT))
def prompt(asked: Hears, body: bodies.Prompting) -> JSONResponse:
    """Build the prompt for a message as the files and the memory are now; `explain` tells what is in it."""
    soul, grant = asked
    mode = body.mode if grant.is_owner else _AMONG_OTHERS
    session = grant.session(body.session) if body.session or not grant.is_owner else ""
    tools = [tool.name for tool in soul.tools.specs(mode, session=session)]
    made = soul.prompt(body.message, mode, session=session, tools=tools, explain=body.explain)
    names = ("name", "text", "tokens", "source", "budget", "left_out", "kept_out")
    sections = [{name: getattr(each, name) for name in names} for each in made.sections]
    if not grant.is_owner:  # how much is kept from them is not theirs to know
        sections = [each | {"kept_out": 0} for each in sections]
    told = {"mode": made.mode, "tokens": made.tokens, "text": made.text, "stable": made.stable}
    told |= {"changing": made.changing, "is_private": made.audience.is_private}
    return answer(told | {"sections": sections if body.explain else []})


def learned(flushed: Any) -> dict[str, Any]:
    """Return what became of some turns, for JSON."""
    names = ("session", "after", "to", "outcome", "why")
    kept = sum(1 for receipt in flushed.receipts if receipt.memory)
    return {name: getattr(flushed, name) for name in names} | {"memories": kept}
