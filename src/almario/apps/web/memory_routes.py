"""Memories over HTTP: list, remember, change, forget, erase; out and in."""

import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, IdempotencyKey, IfMatch, gives, once
from almario.apps.web.asking import Administers, Hears, HttpRequest, Reads, Writes
from almario.apps.web.doing import perform
from almario.apps.web.problems import Problem
from almario.apps.web.shapes import answer, page, page_of, part, record, returned, shape
from almario.domain.documents.document import digest
from almario.domain.memories import Memory, Wanted, plain
from almario.domain.turns import Turn
from almario.errors import EditConflict, SoulError
from almario.soul import Soul

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["memory"], responses=PROBLEMS)

_EXAMPLE = {
    "id": "3f9a2c1b5d6e7f80",
    "key": "job",
    "value": "designs bridges",
    "text": "job: designs bridges",
    "kind": "profile",
    "state": "live",
}
_MEMORY = shape(Memory)
_WHY = record(
    "Why", **returned("memory.why").__annotations__, life=returned("memory.life"), evidence=list[Turn]
)
_ERASED = record("Erased", **returned("memory.plan_purge").__annotations__, is_done=bool, cleaned=list[str])
_JSON_LINES = "application/jsonl"


def etag_of(memory: Memory) -> str:
    """Return a tag of what somebody may change of a memory; who confirms it changes nothing of that."""
    said = json.dumps([memory.text, memory.dated, plain(memory.valid_to), memory.audience])
    return f'"{digest(said.encode())[:16]}"'


def found_memory(asked: HttpRequest, memory_id: str) -> Memory:
    """Return the memory with an id; NotFound if there is none that this token may hear of."""
    memory: Memory = perform(asked, "memory.get", {"memory_id": memory_id})
    return memory


@router.get("/memories", **gives(page_of(_MEMORY), example={"items": [_EXAMPLE], "total": 1, "next": None}))
def list_memories(asked: Hears, wanted: Annotated[bodies.ListingBody, Query()]) -> JSONResponse:
    """List memories: those in use, unless other states are asked for."""
    meant = _wanted_by(asked.soul, wanted)
    if not asked.grant.is_owner:
        every = perform(asked, "memory.list", {"wanted": meant})
        return answer(page(every, wanted.offset, wanted.limit))
    memory = asked.soul.memory
    found = memory.list(meant._replace(offset=wanted.offset, limit=wanted.limit))
    return answer(part(found, memory.count(meant), wanted.offset))


def _wanted_by(soul: Soul, wanted: bodies.ListingBody) -> Wanted:
    def instant(at: datetime | None) -> datetime | None:
        return at if at is None or at.tzinfo else at.replace(tzinfo=soul.zone)

    return Wanted(
        keys=tuple(wanted.key),
        kinds=tuple(wanted.kind),
        states=tuple(wanted.state),
        origins=tuple(wanted.origin),
        text=wanted.text,
        evidence=tuple(wanted.turn),
        since=instant(wanted.since),
        until=instant(wanted.until),
        true_at=instant(wanted.as_of),
        unused=wanted.unused,
        newest=wanted.order == "newest",
    )


@router.post("/memories", **gives(returned("remember"), 201, example={"outcome": "new", "memory": _EXAMPLE}))
def remember(
    asked: Writes, request: Request, body: bodies.Remembering, key: IdempotencyKey = ""
) -> JSONResponse:
    """Remember something as the owner's word."""

    def do() -> tuple[int, Any]:
        receipt = asked.soul.remember(body.text, body.value, kind=body.kind, replaces=body.replaces)
        if receipt.memory is None:
            raise Problem(receipt.told[0])
        return 201, receipt

    return once(request, asked.grant, key, body.model_dump(), do)


@router.get("/memories/export", response_class=Response, responses={200: {"content": {_JSON_LINES: {}}}})
def export_memories(asked: Hears) -> Response:
    """Return every memory that may be told, whatever its state, as lines of JSON; the last one is a seal."""
    lines = perform(asked, "memory.export", {})
    return Response("".join(f"{line}\n" for line in lines), media_type=_JSON_LINES)


@router.post("/memories/import", **gives(returned("memory.import_lines")))
async def import_memories(asked: Administers, request: Request, key: IdempotencyKey = "") -> JSONResponse:
    """Put exported memories back, sent as they were exported; those that are here stay as they are."""
    try:
        text = (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SoulError("the memories are not UTF-8 text") from None

    def do() -> tuple[int, Any]:
        return 200, asked.soul.memory.import_lines(text.split("\n"))

    return await run_in_threadpool(once, request, asked.grant, key, text, do)


@router.post("/memories/purge", **gives(_ERASED))
def purge(asked: Administers, body: bodies.Purging) -> JSONResponse:
    """Erase memories for good, from every file, with what they came from; the answer is the receipt."""
    memory = asked.soul.memory
    if bool(body.targets) == (body.expired_for is not None):
        raise SoulError("say what to erase: targets, or expired_for")
    if body.targets:
        erasure = memory.plan_purge(*body.targets)
    else:
        erasure = memory.plan_purge_expired(body.expired_for or 0)
    is_done = not body.dry_run and bool(erasure.memories)
    cleaned = memory.purge(erasure) if is_done else []
    return answer(erasure._asdict() | {"is_done": is_done, "cleaned": cleaned})


@router.get("/memories/{memory_id}", **gives(_MEMORY, example=_EXAMPLE))
def get_memory(asked: Hears, memory_id: str) -> JSONResponse:
    """Return a memory, by its id or the beginning of it."""
    memory = found_memory(asked, memory_id)
    return answer(memory, ETag=etag_of(memory))


@router.patch("/memories/{memory_id}", **gives(_MEMORY, example=_EXAMPLE))
def update_memory(
    asked: Writes, memory_id: str, body: bodies.Updating, if_match: IfMatch = ""
) -> JSONResponse:
    """Change what a memory says, when it holds, or who may be told; a new text replaces the memory.

    With If-Match, the answer is 409 if somebody else has changed it since you read it.
    """
    soul, memory = asked.soul, found_memory(asked, memory_id)
    if memory.is_live and if_match not in ("", "*", etag_of(memory)):
        raise EditConflict("memory {id} was changed meanwhile; read it again", id=memory.id[:8])
    if body.text or body.when or body.ended:
        memory = soul.update(memory.id, body.text, when=body.when, ended=body.ended)
    elif body.shared is None:
        raise SoulError("nothing would change")
    if body.shared is not None:
        memory = soul.memory.share(memory.id, shared=body.shared)
    return answer(soul.memory.get(memory.id), ETag=etag_of(memory))


@router.delete("/memories/{memory_id}", **gives(_MEMORY))
def forget_memory(asked: Writes, memory_id: str) -> JSONResponse:
    """Put one memory out of mind."""
    memory = found_memory(asked, memory_id)
    asked.soul.forget(memory.id)
    return answer(asked.soul.memory.get(memory.id))


@router.get("/memories/{memory_id}/why", **gives(_WHY))
def why(asked: Reads, memory_id: str) -> JSONResponse:
    """Return what a memory rests on, with the very turns, and what became of it, step by step."""
    memory = asked.soul.memory
    found = memory.why(found_memory(asked, memory_id).id)
    told = {"life": memory.life(found.memory.id), "evidence": memory.evidence(found.memory)}
    return answer(found._asdict() | told)
