"""Memories over HTTP: list, recall, why, remember, change, forget, erase; out and in."""

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from almario import Receipt
from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, IdempotencyKey, IfMatch, gives, once
from almario.apps.web.asking import Administers, Asked, Hears, Reads, Writes
from almario.apps.web.problems import NoSuchThing, Refused
from almario.apps.web.shapes import answer, many, page, page_of, part, record, shape
from almario.domain.documents.document import digest
from almario.domain.memories import Memory, Wanted, plain
from almario.domain.messages import Sentence
from almario.domain.model import Hit, Scope
from almario.domain.plans import Plan
from almario.domain.withheld import Withheld
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
MEMORY = shape(Memory, text=str)
_HITS = record("Recalled", hits=list[Hit], told=list[str], kept_out=int)
RECEIPT = record("Receipt", outcome=str, memory=MEMORY | None, replaced=many(MEMORY), told=list[str])
_ERASURE = record(
    "Erasure",
    memories=many(MEMORY),
    turns=list[str],
    texts=list[str],
    places=list[str],
    out_of_reach=list[str],
    is_done=bool,
    cleaned=list[str],
)
_STATS = record(
    "Stats",
    states=dict[str, int],
    kinds=dict[str, int],
    sources=dict[str, int],
    origins=dict[str, int],
    keys=int,
    passages=int,
    without_vector=int,
)
_PLAN = record("Plan", memory=MEMORY, when=str, today=date, away=int, is_over=bool)
_JSON_LINES = "application/jsonl"


def fields_of(soul: Soul, memory: Memory) -> dict[str, Any]:
    """Return a memory with the state it is in now."""
    return memory._asdict() | {"state": soul.memory.state(memory), "text": memory.text}


def etag_of(memory: Memory) -> str:
    """Return a tag of what somebody may change of a memory; who confirms it changes nothing of that."""
    said = json.dumps([memory.text, memory.dated, plain(memory.valid_to), memory.audience])
    return f'"{digest(said.encode())[:16]}"'


def found_memory(asked: Asked, memory_id: str) -> Memory:
    """Return the memory with an id; LookupError if there is none that this token may hear of."""
    unknown = NoSuchThing(Sentence("there is no memory {id} for this token", id=memory_id))
    try:
        memory = asked.soul.memory.get(memory_id)
    except SoulError as exc:
        raise NoSuchThing(exc.message, **exc.facts) if asked.grant.is_owner else unknown from exc
    if not asked.grant.audience().hears_of(memory):
        raise unknown
    return memory


def shown_all(soul: Soul, memories: Sequence[Memory]) -> list[dict[str, Any]]:
    return [fields_of(soul, memory) for memory in memories]


def receipt_of(soul: Soul, receipt: Receipt) -> dict[str, Any]:
    """Return what became of something that was to be remembered, for JSON."""
    memory = fields_of(soul, receipt.memory) if receipt.memory else None
    told = {"memory": memory, "replaced": shown_all(soul, receipt.replaced), "told": receipt.told}
    return {"outcome": receipt.outcome, **told}


@router.get("/memories", **gives(page_of(MEMORY), example={"items": [_EXAMPLE], "total": 1, "next": None}))
def list_memories(
    asked: Hears,
    wanted: Annotated[bodies.Listing, Query()],
) -> JSONResponse:
    """List memories: those in use, unless other states are asked for."""
    soul, audience, meant = asked.soul, asked.grant.audience(), wanted_by(asked.soul, wanted)
    if audience.is_private:
        found = soul.memory.list(meant._replace(offset=wanted.offset, limit=wanted.limit))
        told = part(found, soul.memory.count(meant), wanted.offset)
    else:
        every = soul.memory.list(meant)
        told = page([memory for memory in every if audience.hears_of(memory)], wanted.offset, wanted.limit)
    return answer(told | {"items": shown_all(soul, told["items"])})


def wanted_by(soul: Soul, wanted: bodies.Chosen) -> Wanted:
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


@router.post("/memories", **gives(RECEIPT, 201, example={"outcome": "new", "memory": _EXAMPLE}))
def remember(
    asked: Writes, request: Request, body: bodies.Remembering, key: IdempotencyKey = ""
) -> JSONResponse:
    """Remember something as the owner's word."""
    soul = asked.soul

    def do() -> tuple[int, Any]:
        receipt = soul.remember(body.text, body.value, kind=body.kind, replaces=body.replaces)
        if receipt.memory is None:
            raise Refused(receipt.told[0])
        return 201, receipt_of(soul, receipt)

    return once(request, asked.grant, key, body.model_dump(), do)


@router.get("/memories/export", response_class=Response, responses={200: {"content": {_JSON_LINES: {}}}})
def export_memories(asked: Hears) -> Response:
    """Return every memory that may be told, whatever its state, as lines of JSON; the last one is a seal."""
    lines = asked.soul.memory.export(asked.grant.audience())
    return Response("".join(f"{line}\n" for line in lines), media_type=_JSON_LINES)


@router.post(
    "/memories/import", **gives(record("Imported", new=int, known=int, different=int, told=list[str]))
)
async def import_memories(asked: Administers, request: Request, key: IdempotencyKey = "") -> JSONResponse:
    """Put exported memories back, sent as they were exported; those that are here stay as they are."""
    try:
        text = (await request.body()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SoulError("the memories are not UTF-8 text") from None

    def do() -> tuple[int, Any]:
        return 200, asked.soul.memory.import_lines(text.split("\n"))

    return await run_in_threadpool(once, request, asked.grant, key, text, do)


@router.post(
    "/memories/forget",
    **gives(record("Forgotten", memories=many(MEMORY), turns=list[str], lines=list[str], line=int)),
)
def forget(asked: Writes, body: bodies.Forgetting) -> JSONResponse:
    """Put out of mind what an id, a key or words mean, wherever it was told; it can be undone."""
    gone = asked.soul.forget(body.target, every=body.every)
    told = {"turns": gone.turns, "lines": gone.lines, "line": gone.seq}
    return answer({"memories": shown_all(asked.soul, gone), **told})


@router.post("/memories/undo", **gives(record("Undone", changed=many(MEMORY), left=many(MEMORY))))
def undo(asked: Writes, body: bodies.Undoing) -> JSONResponse:
    """Take back a change of memories where nothing followed it."""
    done = asked.soul.memory.undo(body.line)
    return answer({"changed": shown_all(asked.soul, done.changed), "left": shown_all(asked.soul, done.left)})


@router.post("/memories/purge", **gives(_ERASURE))
def purge(asked: Administers, body: bodies.Purging) -> JSONResponse:
    """Erase memories for good, from every file, with what they came from; the answer is the receipt."""
    memory = asked.soul.memory
    if bool(body.targets) == (body.expired_for is not None):
        raise SoulError("say what to erase: targets, or expired_for")
    if body.targets:
        erasure = memory.plan_purge(*body.targets)
    else:
        erasure = memory.plan_purge_expired(body.expired_for or 0)
    doomed = shown_all(asked.soul, erasure.memories)
    is_done = not body.dry_run and bool(erasure.memories)
    cleaned = memory.purge(erasure) if is_done else []
    return answer(erasure._asdict() | {"memories": doomed, "is_done": is_done, "cleaned": cleaned})


@router.post("/memories/settle", **gives(record("Settled", told=list[str])))
def settle(asked: Writes) -> JSONResponse:
    """Take in what was edited by hand; say what is worth telling since this was last asked."""
    return answer({"told": asked.soul.memory.settle()})


@router.post("/memories/accept", **gives(record("Accepted", memories=many(MEMORY))))
def accept(asked: Administers, body: bodies.SetAside) -> JSONResponse:
    """Forget what is missing in a version of MEMORY.md that was set aside."""
    return answer({"memories": shown_all(asked.soul, asked.soul.memory.accept(body.name))})


@router.get("/memories/{memory_id}", **gives(MEMORY, example=_EXAMPLE))
def get_memory(asked: Hears, memory_id: str) -> JSONResponse:
    """Return a memory, by its id or the beginning of it."""
    memory = found_memory(asked, memory_id)
    return answer(fields_of(asked.soul, memory), ETag=etag_of(memory))


@router.patch("/memories/{memory_id}", **gives(MEMORY, example=_EXAMPLE))
def update_memory(
    asked: Writes, memory_id: str, body: bodies.Updating, if_match: IfMatch = ""
) -> JSONResponse:
    """Change what a memory says, when it holds, or who may be told; another text is a memory in its place.

    With If-Match, 409 if somebody else has changed it since it was read.
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
    return answer(fields_of(soul, memory), ETag=etag_of(memory))


@router.delete("/memories/{memory_id}", **gives(MEMORY))
def forget_memory(asked: Writes, memory_id: str) -> JSONResponse:
    """Put one memory out of mind."""
    memory = found_memory(asked, memory_id)
    asked.soul.forget(memory.id)
    return answer(fields_of(asked.soul, asked.soul.memory.get(memory.id)))


@router.get("/withheld", **gives(record("WithheldThings", items=list[Withheld])))
def list_withheld(asked: Reads) -> JSONResponse:
    """List what is told to nobody as it may be a secret, the latest first."""
    return answer({"items": [each._asdict() for each in asked.soul.memory.withheld()]})


@router.post("/keep", **gives(record("Kept", kept=list[str])))
def keep(asked: Administers, body: bodies.Keeping) -> JSONResponse:
    """Take the owner's word that something is no secret: it is used from now on."""
    return answer({"kept": list(asked.soul.memory.keep(body.what, every=body.every))})


@router.post("/memories/{memory_id}/restore", **gives(MEMORY))
def restore_memory(asked: Writes, memory_id: str) -> JSONResponse:
    """Put a memory that is out of use back into use."""
    memory = asked.soul.memory.restore(found_memory(asked, memory_id).id)
    return answer(fields_of(asked.soul, memory))


@router.post("/memories/{memory_id}/trust", **gives(MEMORY))
def trust_memory(asked: Administers, memory_id: str) -> JSONResponse:
    """Vouch for what somebody who is not trusted said."""
    memory = asked.soul.memory.trust(found_memory(asked, memory_id).id)
    return answer(fields_of(asked.soul, memory))


@router.post("/recall", **gives(_HITS))
async def recall(asked: Hears, request: Request, body: bodies.Recalling) -> JSONResponse:
    """Return what comes to mind about a question, best first."""
    return await run_sync(_recalled, asked, body, limiter=request.app.state.searching)


def _recalled(asked: Asked, body: bodies.Recalling) -> JSONResponse:
    grant = asked.grant
    session = grant.session(body.session) if body.session or not grant.is_owner else ""
    scope = Scope(
        tuple(body.kinds),
        tuple(body.sources),
        tuple(body.keys),
        body.since,
        body.until,
        tuple(body.include),
        body.project,
    )
    found = asked.soul.recall(
        body.question,
        limit=body.limit,
        min_score=body.min_score,
        scope=scope,
        mode=body.mode,
        neighbours=body.neighbours,
        explain=body.explain,
        session=session,
        audience=None if grant.is_owner else grant.audience(session),
    )
    kept_out = found.kept_out if grant.is_owner else 0
    return answer({"hits": list(found), "told": found.told, "kept_out": kept_out})


@router.get("/plans", **gives(many(_PLAN)))
def plans(asked: Reads, passed: Annotated[int, Query(ge=0, le=3660)] = 0) -> JSONResponse:
    """Return what is planned, in the order of its days; also what was in the last *passed* days."""
    return answer([_plan(asked.soul, plan) for plan in asked.soul.plans(passed=passed)])


def _plan(soul: Soul, plan: Plan) -> dict[str, Any]:
    told = {"when": str(plan.when), "today": plan.today, "away": plan.away, "is_over": plan.is_over}
    return {"memory": fields_of(soul, plan.memory), **told}


@router.get("/stats", **gives(_STATS))
def stats(asked: Reads) -> JSONResponse:
    """Count what there is."""
    return answer(asked.soul.memory.stats())
