"""Memories over HTTP: list, remember, change, forget, erase; out and in."""

import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, IdempotencyKey, IfMatch, gives, once
from almario.apps.web.asking import Administers, HttpRequest, Reads, Writes
from almario.apps.web.shapes import answer, page_of, part, record, returned, shape
from almario.apps.web.verb_routes import perform
from almario.domain.documents.document import digest
from almario.domain.memories import Memory, Wanted, plain
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
_ERASED = record("Erased", **returned("memory.plan_purge").__annotations__, is_done=bool, cleaned=list[str])
_JSON_LINES = "application/jsonl"


def etag_of(memory: Memory) -> str:
    """Return a tag of what somebody may change of a memory; who confirms it changes nothing of that."""
    content = json.dumps([memory.text, memory.dated, plain(memory.valid_to), memory.audience])
    return f'"{digest(content.encode())[:16]}"'


def found_memory(caller: HttpRequest, memory_id: str) -> Memory:
    """Return the memory with an id; NotFound if there is none."""
    memory: Memory = perform(caller, "memory.get", {"memory_id": memory_id})
    return memory


@router.get("/memories", **gives(page_of(_MEMORY), example={"items": [_EXAMPLE], "total": 1, "next": None}))
def list_memories(caller: Reads, wanted: Annotated[bodies.ListingBody, Query()]) -> JSONResponse:
    """List memories; only those in use, unless other states are requested."""
    meant = _wanted_by(caller.soul, wanted)
    memory = caller.soul.memory
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
    caller: Writes, request: Request, body: bodies.Remembering, key: IdempotencyKey = ""
) -> JSONResponse:
    """Remember something as the owner's word."""

    def do() -> tuple[int, Any]:
        receipt = caller.soul.remember(
            body.text, body.value, kind=body.kind, replaces=body.replaces, place=body.place
        )
        if receipt.memory is None:
            raise SoulError(receipt.told[0])
        return 201, receipt

    return once(request, caller, key, body.model_dump(), do)


@router.get("/memories/export", response_class=Response, responses={200: {"content": {_JSON_LINES: {}}}})
def export_memories(caller: Reads) -> Response:
    """Return every memory, in any state, as lines of JSON; the last line is a seal."""
    lines = perform(caller, "memory.export", {})
    return Response("".join(f"{line}\n" for line in lines), media_type=_JSON_LINES)


@router.post("/memories/import", **gives(returned("memory.import_lines")))
async def import_memories(caller: Administers, request: Request, key: IdempotencyKey = "") -> JSONResponse:
    """Import memories as they were exported; existing ones are left unchanged."""
    try:
        text = (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SoulError("the memories are not UTF-8 text") from None

    def do() -> tuple[int, Any]:
        return 200, caller.soul.memory.import_lines(text.split("\n"))

    return await run_in_threadpool(once, request, caller, key, text, do)


@router.post("/memories/purge", **gives(_ERASED))
def purge(caller: Administers, body: bodies.Purging) -> JSONResponse:
    """Erase memories for good, from every file, with their sources; returns the receipt."""
    memory = caller.soul.memory
    if bool(body.targets) == (body.expired_for is not None):
        raise SoulError("say what to erase: targets, or expired_for")
    erasure = memory.plan_purge(*body.targets, expired=body.expired_for)
    is_done = not body.dry_run and bool(erasure.memories)
    cleaned = memory.purge(erasure) if is_done else []
    return answer(erasure._asdict() | {"is_done": is_done, "cleaned": cleaned})


@router.get("/memories/{memory_id}", **gives(_MEMORY, example=_EXAMPLE))
def get_memory(caller: Reads, memory_id: str) -> JSONResponse:
    """Return a memory by its id, or the start of its id."""
    memory = found_memory(caller, memory_id)
    return answer(memory, ETag=etag_of(memory))


@router.patch("/memories/{memory_id}", **gives(_MEMORY, example=_EXAMPLE))
def update_memory(
    caller: Writes, memory_id: str, body: bodies.Updating, if_match: IfMatch = ""
) -> JSONResponse:
    """Change a memory's text, validity or audience; a new text replaces the memory.

    With If-Match, the answer is 409 if somebody else has changed it since you read it.
    """
    memory = found_memory(caller, memory_id)
    if memory.is_live and if_match not in ("", "*", etag_of(memory)):
        raise EditConflict("memory {id} was changed meanwhile; read it again", id=memory.id[:8])
    changed = caller.soul.memory.change(
        memory.id, body.text, when=body.when, ended=body.ended, place=body.place, shared=body.shared
    )
    return answer(changed, ETag=etag_of(changed))


@router.delete("/memories/{memory_id}", **gives(_MEMORY))
def forget_memory(caller: Writes, memory_id: str) -> JSONResponse:
    """Put one memory out of mind."""
    memory = found_memory(caller, memory_id)
    caller.soul.forget(memory.id)
    return answer(caller.soul.memory.get(memory.id))


@router.get("/memories/{memory_id}/why", **gives(returned("memory.why")))
def why(caller: Reads, memory_id: str) -> JSONResponse:
    """Return a memory's evidence, with the original turns, and its history step by step."""
    return answer(caller.soul.memory.why(found_memory(caller, memory_id).id))
