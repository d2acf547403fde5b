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
from almario.apps.web.asking import Asked, Hears, Reads, Speaks, Writes
from almario.apps.web.memory_routes import RECEIPT, receipt_of
from almario.apps.web.shapes import answer, many, record, shape
from almario.domain.audiences import Audience
from almario.domain.model import Hit, Mode
from almario.domain.talk import ToolSpec
from almario.domain.turns import SPOKEN, Turn
from almario.errors import AccessDenied
from almario.soul import Soul

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["talk"], responses=PROBLEMS)

Session = Annotated[str, Query(max_length=150, examples=["app:ana"])]
# What a conversation is for where others are present.
_AMONG_OTHERS: Mode = "collaboration"
TURN = shape(Turn, id=str, is_off=bool)
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
    is_off=bool,
)
_LEARNED = record(
    "Learned", session=str, after=int, to=int, outcome=str, receipts=many(RECEIPT), why=str, dropped=int,
    is_outage=bool, memories=int,
)  # fmt: skip
_USAGE = record("Usage", told=int, said=int, cached=int, cost=float | None)
_ANSWER = record(
    "Answer", text=str, is_cut=bool, model=str, session=str, turns=many(TURN), recalled=list[Hit],
    done=list[dict[str, Any]], told=list[str], usage=_USAGE | None,
)  # fmt: skip
_SECTION = record(
    "Section", name=str, text=str, tokens=int, source=str, budget=int | None, left_out=int, kept_out=int
)
_PROMPT = record(
    "Prompt", mode=str, tokens=int, text=str, stable=str, changing=str, is_private=bool,
    sections=many(_SECTION), recalled=list[Hit], found=list[Hit], audience=Audience,
)  # fmt: skip
_DONE = record(
    "Done", name=str, arguments=dict[str, Any], text=str, is_error=bool, origin=str, told=list[str],
    proposals=list[str], memories=list[str], structured=dict[str, Any], question=dict[str, Any] | None,
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
    tell("answer", _talked(asked, body, lambda piece: tell("text", {"text": piece})))


def _talked(asked: Asked, body: bodies.Saying, hear: Any = None) -> dict[str, Any]:
    soul, grant = asked
    session, mode, origin, speaker = grant.session(body.session), body.mode, body.origin, body.speaker
    if not grant.is_owner:
        mode, origin, speaker = _AMONG_OTHERS, "untrusted", grant.name
    who: Any = {"origin": origin, "speaker": speaker, "ref": _ref(grant, body.ref)}
    done = soul.talk(body.message, session, hear=hear, mode=mode, pasted=body.pasted, **who)
    if grant.is_owner:
        return done._asdict() | {
            "session": session,
            "turns": [turn_told(turn, whole=grant.is_owner) for turn in done.turns],
        }
    whole = {"text": done.text, "is_cut": done.is_cut, "model": done.model, "session": session}
    return whole | {"turns": [], "recalled": [], "done": [], "told": [], "usage": None}


def _ref(grant: Grant, given: str) -> str:
    """Return by what a message is known again; nobody else's can be meant by it."""
    return given if grant.is_owner or not given else f"{grant.name}:{given}"


@router.get("/sessions", **gives(many(_SESSION)))
def list_sessions(asked: Hears) -> JSONResponse:
    """List the sessions, the one that was last spoken in first."""
    return answer([view for view in asked.soul.sessions.all() if _is_heard(asked.grant, view.session)])


@router.get("/sessions/view", **gives(_SESSION))
def view_session(asked: Reads, session: Session) -> JSONResponse:
    """Return one session at a glance."""
    return answer(asked.soul.sessions.view(asked.grant.session(session)))


def _is_heard(grant: Grant, session: str) -> bool:
    return grant.is_owner or session == grant.own_session or session.startswith(f"{grant.own_session}:")


@router.get("/turns", **gives(_TURNS))
def list_turns(
    asked: Hears,
    session: Session = "",
    after: Annotated[int, Query(ge=0, le=10**9, description="Only those with higher numbers.")] = 0,
    limit: Limit = 100,
) -> JSONResponse:
    """Return what was said in a session, archived turns too, in order."""
    key = asked.grant.session(session)
    turns = [turn for turn in asked.soul.sessions.turns(key) if turn.n > after]
    if not asked.grant.is_owner:  # what tools gave is between the agent and its model
        turns = [turn for turn in turns if turn.role in SPOKEN]
    more = turns[limit - 1].n if len(turns) > limit else None
    return answer(
        {"items": [turn_told(turn, whole=asked.grant.is_owner) for turn in turns[:limit]], "next": more}
    )


@router.post("/turns", **gives(TURN, 201))
def append(asked: Speaks, request: Request, body: bodies.Appending, key: IdempotencyKey = "") -> JSONResponse:
    """Keep what was said in a session; when this answers, it survives a power cut."""
    session, origin, speaker = asked.grant.session(body.session), body.origin, body.speaker
    if not asked.grant.is_owner:
        if body.role != "user":
            raise AccessDenied("with this token, only what a user said can be added")
        origin, speaker = "untrusted", asked.grant.name

    def do() -> tuple[int, Any]:
        ref = _ref(asked.grant, body.ref) or (f"{asked.grant.name}:{key}" if key else "")
        turn = asked.soul.append(session, body.role, body.text, origin=origin, speaker=speaker, ref=ref)
        return 201, turn_told(turn, whole=asked.grant.is_owner)

    return once(request, asked.grant, key, body.model_dump(), do)


@router.post("/sessions/end", **gives(many(_LEARNED)))
def end_session(asked: Writes, body: bodies.Session) -> JSONResponse:
    """Learn from a session, and begin it anew with the next message."""
    done = asked.soul.end_session(asked.grant.session(body.session))
    return answer([learned(asked.soul, each) for each in done])


@router.post("/sessions/clear", **gives(record("Snapshot", file=str)))
def clear_session(asked: Writes, body: bodies.Session) -> JSONResponse:
    """Do the same, and keep its last messages as a file."""
    return answer({"file": asked.soul.clear(asked.grant.session(body.session))})


@router.post("/sessions/flush", **gives(many(_LEARNED)))
def flush_session(asked: Writes, body: bodies.Session) -> JSONResponse:
    """Learn now from what was said in a session, or in all; as a job, nobody has to wait for it."""
    return answer([learned(asked.soul, each) for each in asked.soul.flush(body.session)])


@router.post("/sessions/off-record", **gives(record("OffRecord", session=str, off=bool)))
def off_record(asked: Writes, body: bodies.Discretion) -> JSONResponse:
    """Let all that is said in a session from now on be off the record; or on it again."""
    session = asked.grant.session(body.session)
    asked.soul.off_record(session, off=body.off)
    return answer({"session": session, "off": body.off})


@router.post("/sessions/put-back", **gives(many(TURN)))
def put_back(asked: Writes, body: bodies.Session) -> JSONResponse:
    """Bring back what the last notice took off the record or set aside in a session."""
    turns = asked.soul.put_back(asked.grant.session(body.session))
    return answer([turn_told(turn, whole=asked.grant.is_owner) for turn in turns])


@router.post("/prompt", **gives(_PROMPT))
def prompt(asked: Hears, body: bodies.Prompting) -> JSONResponse:
    """Build the prompt for a message as the files and the memory are now; `explain` tells what is in it."""
    soul, grant = asked
    mode = body.mode if grant.is_owner else _AMONG_OTHERS
    session = grant.session(body.session) if body.session or not grant.is_owner else ""
    names = body.tools if grant.is_owner else None
    if names is None:
        names = [tool.name for tool in soul.tools.specs(mode, session=session)]
    own: Any = {"recalled": body.recalled, "blocks": body.blocks} if grant.is_owner else {}
    made = soul.prompt(body.message, mode, session=session, tools=names, explain=body.explain, **own)
    told = made._asdict() | {"tokens": made.tokens, "text": made.text, "is_private": made.audience.is_private}
    told["sections"] = [each._asdict() | {"tokens": each.tokens} for each in made.sections]
    if not grant.is_owner:  # how much is kept from them is not theirs to know
        told["sections"] = [each | {"kept_out": 0} for each in told["sections"]]
        told |= {"recalled": [], "found": [], "audience": grant.audience(session)}
    return answer(told)


@router.get("/tools", **gives(many(shape(ToolSpec))))
def list_tools(asked: Reads, mode: Mode = "", session: Session = "") -> JSONResponse:
    """List the tools that a model may use in a mode and a session, as it is told of them."""
    return answer(asked.soul.tools.specs(mode, session=session))


@router.post("/tools/{tool}", **gives(_DONE))
def use_tool(asked: Writes, tool: str, body: bodies.Using) -> JSONResponse:
    """Use a tool as the model of a session wants; the result is kept in the session."""
    session = asked.grant.session(body.session)
    return answer(asked.soul.tools.call(tool, body.arguments, session=session, mode=body.mode))


def learned(soul: Soul, flushed: Any) -> dict[str, Any]:
    """Return what became of some turns, for JSON."""
    kept = sum(1 for receipt in flushed.receipts if receipt.memory)
    receipts = [receipt_of(soul, receipt) for receipt in flushed.receipts]
    return {**flushed._asdict(), "receipts": receipts, "memories": kept}


def turn_told(turn: Turn, *, whole: bool = True) -> dict[str, Any]:
    """Return a turn, for JSON; if not *whole*, without what is between the agent and its owner."""
    own = turn._asdict() if whole else turn._asdict() | {"more": {}}
    return own | {"id": turn.id, "is_off": turn.is_off}
