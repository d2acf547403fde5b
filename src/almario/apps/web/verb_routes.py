"""Every public verb of a `Soul` at an address of its own: POST /agents/ID/do/VERB, its arguments as JSON.

Those that people call by hand have a shorter one besides, such as /agents/ID/recall.

What a verb takes and gives is said by its method, see `almario.verb_table`. Written here is only the care
that some of them need.
"""

import time
from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo
from functools import cache, partial
from typing import Annotated, Any, get_origin

from anyio.to_thread import run_sync
from fastapi import APIRouter, Body, Depends, Request
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field, create_model
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send
from typing_extensions import is_typeddict

from almario import verb_table as verbs
from almario.apps.web.answering import PROBLEMS, STREAM, IdempotencyKey, Tell, gives, once, streamed
from almario.apps.web.asking import HttpRequest, needing
from almario.apps.web.jobs import Report, WebJob, labour_of
from almario.apps.web.readers import tell as tell_reader
from almario.apps.web.rooms import place_of
from almario.apps.web.shapes import shape
from almario.domain.documents.document import Document
from almario.domain.model import check_message, soul_file
from almario.domain.records import plain, read
from almario.errors import NotFound, SoulError
from almario.former_names import name_now
from almario.soul import Soul
from almario.verb_table import Verb

# Seconds between checks whether an awaited job has ended.
_SOON = 0.03
# What asks a model, and lasts, as does what has a job of its own.
_LASTING = ("flush", "end_session", "improve", "tidying.cue")
# Longest values, in characters.
_LONGEST = {
    "session": 150,
    "speaker": 200,
    "ref": 500,
    "question": 4000,
    "name": 300,
    "person": 300,
    "memory_id": 100,
}
_LONGEST_TEXT = 1_000_000
_AGENTS = "/api/v1/agents/"
# What is called by hand.
BY_HAND = {"recall": "recall", "prompt": "prompt", "chat": "talk", "sessions/end": "end_session"}
EXAMPLES: Mapping[str, Any] = {
    "text": "job: designs bridges", "memory_id": "3f9a2c1b", "target": "job", "targets": ["3f9a2c1b"],
    "question": "what does Ana do for a living?", "message": "Good evening!", "session": "app:ana",
    "role": "user", "words": "stop apologising", "file": "SOUL", "version": "1", "wanted": "1",
    "section": "Boundaries", "reason": "You asked me to slow down.", "note": "Too salty.", "field": "name",
    "priority": "high", "thing": "3f9a2c1b", "turn": "app:ana#2", "helped": True, "day": "2026-11-14",
    "first": "2026-11-01", "last": "2026-11-14", "then": "2026-11-14T13:30:00Z", "by": "kind",
    "arguments": {"query": "what does Ana do?"}, "name": "memory_search", "memory": "3f9a2c1b",
    "cues": ["storm tonight"], "person": "Inés", "lines": ["{}"],
}  # fmt: skip


def perform(caller: HttpRequest, name: str, given: Mapping[str, Any]) -> Any:
    """Do what a verb says for whoever asks."""
    if careful := _CAREFULLY.get(name):
        return careful(caller, **given)
    return verbs.verb(name).on(caller.soul, given)


def _read(caller: HttpRequest, file: str, version: str = "") -> Document:
    return caller.soul.read(soul_file(file), version)


def _undo(caller: HttpRequest, line: int = 0) -> Any:
    """Take back a line; who may not change the soul takes back what changed memories, and nothing else."""
    return caller.soul.undo(line, memories_only=caller.grant.scope != "admin")


def _write(caller: HttpRequest, document: Document, text: str, reason: str = "") -> None:
    caller.soul.write(document._replace(name=soul_file(document.name)), text, reason=reason)


def _purge(caller: HttpRequest, erasure: Any) -> list[str]:
    """Erase what is planned for these memories now, whatever places a program names."""
    if not erasure.memories:
        raise SoulError("there is nothing to erase")
    memory = caller.soul.memory
    for each in erasure.memories:
        if memory.get(each.id).id != each.id:  # the beginning of an id, or words, may mean others
            raise NotFound("there is no memory {id}", id=each.id)
    return memory.purge(memory.plan_purge(*(each.id for each in erasure.memories)))


def _visit(caller: HttpRequest) -> None:
    caller.soul.visit(caller.grant.name)


_CAREFULLY: Mapping[str, Callable[..., Any]] = {
    "read": _read,
    "write": _write,
    "undo": _undo,
    "memory.purge": _purge,
    "visit": _visit,
}


def work_of(soul: Soul, name: str, given: Mapping[str, Any]) -> Callable[[Report], Any]:
    """Return work that takes long, as a job is done: it reports how far it is."""
    match name:
        case "reflection.run":  # what it looked at stays here
            return lambda report: soul.reflection.run(
                **given, hear=lambda phase: report(phase, 0, 0)
            )._replace(material=None)
        case "memory.reindex":
            return lambda report: soul.memory.reindex(partial(report, "indexing"))
    return lambda _: verbs.verb(name).on(soul, given)


class Verbs(BaseRoute):
    """The routes of all verbs; each is made when it is first asked for, as that loads all its types."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        route = self._route(scope)
        return route.matches(scope) if route else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._route(scope)
        assert route is not None
        await route.handle(scope, receive, send)

    def _route(self, scope: Scope) -> APIRoute | None:
        place = scope.get("path", "") if scope["type"] == "http" else ""
        address = place.removeprefix(_AGENTS).partition("/")[2] if place.startswith(_AGENTS) else ""
        if now := name_now(address.removeprefix("do/")):
            raise NotFound('the verb "{former}" is called "{name}" now', former=address[3:], name=now)
        is_verb = address in BY_HAND or (address[:3] == "do/" and address[3:] in verbs.scopes())
        return route_of(address) if is_verb else None


@cache
def route_of(address: str) -> APIRoute:
    """Return the route of a verb, below the address of its agent."""
    name = BY_HAND.get(address) or address.removeprefix("do/")
    verb = verbs.verb(name)
    model: Any = _model(name)
    is_complete = not any(field.is_required() for field in model.model_fields.values())
    sent: Any = Body(model() if is_complete else ...)
    can_stream = name == "talk" or name in verbs.LONG.values()

    async def do(
        caller: Annotated[HttpRequest, Depends(needing(verb.scope))],
        request: Request,
        body: model = sent,
        key: IdempotencyKey = "",
    ) -> Response:
        given = _arguments(verb, body, caller.soul.zone)
        if key and verb.name == "append":
            given.setdefault("ref", f"{caller.grant.name}:{key}")
        if verb.name == "talk":  # a stream could no longer be refused
            check_message(given["message"], given.get("pasted", ()))
        accepted = request.headers.get("accept", "")
        if can_stream and ("text/event-stream" in accepted or (address == "chat" and "json" not in accepted)):
            return streamed(request, partial(_stream, request, caller, verb, given))
        limiter = request.app.state.searching if verb.name == "recall" else None
        if can_stream or name in _LASTING:
            place_of(request).last("talk")
            limiter = request.app.state.talking
        return await run_sync(partial(_answer, request, caller, verb, given, key, body), limiter=limiter)

    about, _, _ = verb.about.partition("\n\n")
    responses = gives(shape(verb.returns))
    if can_stream:
        responses["responses"][200]["content"] = STREAM
    made = APIRouter(prefix=_AGENTS + "{agent}", tags=["do"], responses=PROBLEMS)
    made.add_api_route(
        f"/{address}", do, methods=["POST"], name=name, operation_id=address.replace("/", "-"),
        summary=about.replace("\n", " "), description=verb.about, **responses,
    )  # fmt: skip
    [found] = made.routes
    assert isinstance(found, APIRoute)
    return found


def _answer(
    request: Request, caller: HttpRequest, verb: Verb, given: dict[str, Any], key: str, body: BaseModel
) -> JSONResponse:
    def do() -> tuple[int, Any]:
        try:
            return 200, perform(caller, verb.name, given)
        except OverflowError as exc:
            raise SoulError("a number or a date is out of range") from exc

    asks = body.model_dump(mode="json") if key else None
    return once(request, caller, key if verb.name in verbs.ONCE else "", asks, do)


def _stream(request: Request, caller: HttpRequest, verb: Verb, given: dict[str, Any], tell: Tell) -> None:
    if verb.name == "talk":
        tell(
            "answer",
            perform(caller, verb.name, {**given, "hear": lambda piece: tell("text", {"text": piece})}),
        )
        return
    work = next(work for work, name in verbs.LONG.items() if name == verb.name)
    labour = labour_of(request)
    run, about = work_of(caller.soul, verb.name, given), str(given.get("session", ""))
    job = labour.begin(caller.soul.id, work, run, about)
    while job.is_open:
        time.sleep(_SOON)
    tell(*_end_of(labour.get(caller.soul.id, job.id)))


def _end_of(job: WebJob) -> tuple[str, Any]:
    if job.state == "done":
        return "answer", job.result
    return "problem", {"status": 500, "detail": tell_reader(job.detail), "error": job.error}


def _arguments(verb: Verb, body: BaseModel, zone: tzinfo) -> dict[str, Any]:
    sent = body.model_dump(mode="json", exclude_unset=True)
    return {name: _zoned(read(_whole(verb, name), value), zone) for name, value in sent.items()}


def _whole(verb: Verb, name: str) -> Any:
    is_many = verb.parameters[name].kind is verb.parameters[name].VAR_POSITIONAL
    return tuple[verb.kinds[name], ...] if is_many else verb.kinds[name]  # type: ignore[name-defined]


def _zoned(value: Any, zone: tzinfo) -> Any:
    """Return a value with its instants in the owner's zone where none is named."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=zone)
    if hasattr(value, "_fields"):
        return value._make(_zoned(each, zone) for each in value)
    return value


@cache
def _model(name: str) -> type[BaseModel]:
    """Return what checks a verb's arguments, and tells OpenAPI of them."""
    verb, fields = verbs.verb(name), dict[str, Any]()
    for each, parameter in verb.parameters.items():
        kind, shown = shape(_whole(verb, each), given=True), EXAMPLES.get(each)
        limits: Any = {"max_length": _LONGEST.get(each, _LONGEST_TEXT)} if kind is str else {}
        example: Any = {"examples": [shown]} if shown is not None and _fits(kind, shown) else {}
        default: Any = ...
        if parameter.kind is parameter.VAR_POSITIONAL:
            default = []
        elif parameter.default is not parameter.empty:
            default = plain(parameter.default)
        fields[each] = (kind, Field(default, **limits, **example))
    title = name.replace(".", " ").title().replace(" ", "").replace("_", "")
    return create_model(f"Do{title}", __config__=ConfigDict(extra="forbid"), **fields)


def _fits(kind: Any, example: Any) -> bool:
    """Return whether an example is one of this parameter, and not of another with the same name."""
    return get_origin(kind) is not Annotated and (not is_typeddict(kind) or isinstance(example, dict))
