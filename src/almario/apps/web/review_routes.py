"""Looking through memories over HTTP: counts, when they were learned, why, and whether they are right."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS, Limit, Offset, gives
from almario.apps.web.asking import Administers, Reads, Writes
from almario.apps.web.memory_routes import MEMORY, fields_of, found_memory, shown_all, wanted_by
from almario.apps.web.shapes import answer, many, page, page_of, record, shape
from almario.apps.web.talk_routes import TURN, turn_told
from almario.domain.memories import ORIGINS, STATES, Recorded, State
from almario.domain.soul_models import Rating
from almario.memory.rules.lives import Learned, Step, life_of

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["memory"], responses=PROBLEMS)

_WHY = record(
    "Why",
    memory=MEMORY,
    state=State,
    history=many(shape(Recorded)),
    life=many(shape(Step)),
    evidence=many(TURN),
    replaced=many(MEMORY),
    replaced_by=MEMORY | None,
    cues=list[str],
)
_GONE = shape(Recorded, line=int, id=str)
_NEWS = record(
    "News",
    line=int,
    since=datetime | None,
    learned=many(MEMORY),
    total=int,
    gone=many(_GONE),
    proposals=int,
)
_TAKEN_BACK = record("TakenBack", memories=many(MEMORY), left=many(MEMORY), file=str, proposal=str)
_COUNTS = record("Counts", total=int, states=dict[str, int], kinds=dict[str, int], origins=dict[str, int])
_LEARNED = {"day": "2026-11-14", "kinds": {"fact": 3, "episode": 1}}


@router.get("/memories/counts", **gives(_COUNTS))
def count_memories(asked: Reads, wanted: Annotated[bodies.Chosen, Query()]) -> JSONResponse:
    """Count the memories that a list would have, by state, kind and origin.

    Each is counted for what the list could be narrowed to: by kind, whatever kinds are asked for.
    """
    memory, meant = asked.soul.memory, wanted_by(asked.soul, wanted)
    free = {"states": STATES, "kinds": (), "origins": ORIGINS}
    told = {name: memory.counts(meant._replace(**{name: free[name]}), name[:-1]) for name in free}  # type: ignore[arg-type]
    return answer({"total": memory.count(meant), **told})


@router.get("/memories/timeline", **gives(many(shape(Learned)), example=[_LEARNED]))
def timeline(asked: Reads, wanted: Annotated[bodies.Chosen, Query()]) -> JSONResponse:
    """Count what was learned on each day on which anything was, by kind; in every state by default."""
    meant = wanted_by(asked.soul, wanted)
    return answer(
        asked.soul.memory.timeline(
            meant._replace(states=meant.states or STATES, origins=meant.origins or ORIGINS)
        )
    )


@router.get("/memories/as-of", **gives(page_of(MEMORY)))
def memories_as_of(
    asked: Reads,
    at: Annotated[datetime, Query(examples=["2026-11-14T13:30:00Z"])],
    believed: Annotated[bool, Query(description="What was believed then, right or wrong.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> JSONResponse:
    """Return what was true at an instant, as it is known now; or what was believed then."""
    soul = asked.soul
    then = at if at.tzinfo else at.replace(tzinfo=soul.zone)
    told = page(soul.memory.as_of(then, believed=believed), offset, limit)
    return answer(told | {"items": shown_all(soul, told["items"])})


@router.get("/memories/keys", **gives(many(record("KeyUse", key=str, memories=int, like=list[str]))))
def keys(asked: Reads) -> JSONResponse:
    """Return every key in use, with those that may mean the same."""
    return answer(asked.soul.memory.keys())


@router.post("/memories/{memory_id}/confirm", **gives(MEMORY))
def confirm_memory(asked: Writes, memory_id: str) -> JSONResponse:
    """Say that a memory is right: it counts as the owner's word. Undo it by the line in `seq`."""
    memory = asked.soul.memory.confirm(found_memory(asked, memory_id).id)
    return answer(fields_of(asked.soul, memory))


@router.post("/memories/{memory_id}/reject", **gives(MEMORY))
def reject_memory(asked: Writes, memory_id: str) -> JSONResponse:
    """Say that a memory is wrong: it goes out of use, but what was said stays. Undo it by `seq`."""
    memory = asked.soul.memory.reject(found_memory(asked, memory_id).id)
    return answer(fields_of(asked.soul, memory))


@router.get("/memories/{memory_id}/why", **gives(_WHY))
def why(asked: Reads, memory_id: str) -> JSONResponse:
    """Return what a memory rests on, with the very turns, and what became of it, step by step."""
    soul, found = asked.soul, asked.soul.memory.why(found_memory(asked, memory_id).id)
    by = fields_of(soul, found.replaced_by) if found.replaced_by else None
    told: dict[str, Any] = {"memory": fields_of(soul, found.memory), "replaced_by": by}
    told |= {"replaced": shown_all(soul, found.replaced), "life": life_of(found.memory, found.history)}
    told |= {"evidence": [turn_told(turn) for turn in soul.memory.evidence(found.memory)]}
    return answer(found._asdict() | told)


@router.put("/memories/{memory_id}/cues", **gives(record("Cues", cues=list[str])))
def cue_memory(asked: Writes, memory_id: str, body: bodies.Cues) -> JSONResponse:
    """Give a memory what should bring it to mind, in the place of what did; an empty list takes it away."""
    return answer({"cues": list(asked.soul.memory.cue(found_memory(asked, memory_id).id, body.cues))})


@router.get("/news", **gives(_NEWS))
def news(
    asked: Reads,
    line: Annotated[int | None, Query(ge=0, le=10**12, description="Since this line of the journal.")] = None,
    limit: Limit = 20,
) -> JSONResponse:
    """Return what was learned and put out of mind since the owner was last here, the newest first."""
    soul, found = asked.soul, asked.soul.news(line=line, limit=limit)
    gone = [each._asdict() | {"line": each.seq, "id": each.change["id"]} for each in found.gone]
    told = {"line": found.line, "since": found.since, "total": found.total, "proposals": found.proposals}
    return answer(told | {"learned": shown_all(soul, found.learned), "gone": gone[::-1]})


@router.post("/visit", **gives(record("Visited", line=int, since=datetime | None)))
def visit(asked: Writes) -> JSONResponse:
    """Note that the owner is here; who comes back within the hour still sees the same news."""
    asked.soul.visit(asked.grant.name)
    found = asked.soul.news(limit=1)
    return answer({"line": found.line, "since": found.since})


@router.get("/ratings", **gives(many(shape(Rating))))
def list_ratings(asked: Reads, thing: Annotated[str, Query(max_length=300)] = "") -> JSONResponse:
    """Return what the owner said of what came to mind; of one thing, or of all."""
    return answer([each for each in asked.soul.ratings() if thing in ("", each.thing)])


@router.post("/ratings", **gives(many(shape(Rating)), 201))
def rate(asked: Writes, body: bodies.Helped) -> JSONResponse:
    """Say whether something helped that came to mind, or take it back; the answer is all that stands."""
    asked.soul.rate(body.thing, body.turn, helped=body.helped)
    return answer([each for each in asked.soul.ratings() if each.thing.startswith(body.thing)], 201)


@router.post("/undo", **gives(_TAKEN_BACK))
def undo_any(asked: Administers, body: bodies.Undoing) -> JSONResponse:
    """Take back a change of memories or of a soul file, or a no to a proposal, if nothing followed it."""
    done = asked.soul.undo(body.line)
    changed, left = shown_all(asked.soul, done.memories), shown_all(asked.soul, done.left)
    proposal = done.proposal.id if done.proposal else ""
    return answer({"memories": changed, "left": left, "file": done.file, "proposal": proposal})
