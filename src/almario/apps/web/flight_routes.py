"""The flight recorder over HTTP: how answers came about, again with the memory of today, and who heard what.

All of it is for the owner's tokens alone.
"""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from almario.apps.web.answering import PROBLEMS, Limit, Offset, gives
from almario.apps.web.asking import Asked, Reads
from almario.apps.web.memory_routes import MEMORY, fields_of, found_memory
from almario.apps.web.problems import NoSuchThing
from almario.apps.web.shapes import answer, many, record, shape
from almario.domain.flight import Flight, Service
from almario.domain.memories import EVERY, Wanted
from almario.domain.turns import Turn
from almario.errors import SoulError

router = APIRouter(prefix="/api/v1/agents/{agent}", tags=["flights"], responses=PROBLEMS)

_SECTION = record(
    "FlightSection",
    name=str,
    text=str,
    tokens=int,
    source=str,
    budget=int | None,
    left_out=int,
    kept_out=int,
)
_CAME = record(
    "CameToMind", name=str, kind=str, score=float, how=str, told=bool, text=str, helped=bool | None
)
_FLIGHT = record(
    "Flight",
    turn=str,
    session=str,
    at=datetime,
    asked=str,
    mode=str,
    others=list[str],
    tokens=int,
    sections=many(_SECTION),
    found=many(_CAME),
    told=list[str],
    used=list[str],
    seen=list[int],
    tools=list[str],
)
_WHOLE = record("WholeFlight", flight=_FLIGHT, message=str, answer=str, model=str, memories=many(MEMORY))
_REPLAY = record(
    "Replay", turn=str, sections=many(_SECTION), diffs=dict[str, str], gone=list[str], come=list[str]
)
_HEARD = record("Heard", turn=str, session=str, at=datetime, others=list[str], used=bool)
_SERVICE = record("Service", memory=MEMORY, told=int, used=int)
TurnId = Annotated[str, Query(max_length=200, examples=["cli:main#2"])]


@router.get("/flights", **gives(many(_FLIGHT)))
def list_flights(
    asked: Reads,
    session: Annotated[str, Query(max_length=150, examples=["cli:main"])] = "",
    memory: Annotated[str, Query(max_length=100, description="Only where this memory was told.")] = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> JSONResponse:
    """List how the answers of a session or of all came about, the latest first, without the texts."""
    flights = asked.soul.flights
    if not memory:
        return answer([_fields(each) for each in flights.list(session, limit=limit, offset=offset)])
    heard = [each for each in flights.heard(memory) if session in ("", each.session)]
    return answer([_fields(each) for each in heard[offset : offset + limit]])


@router.get("/flight", **gives(_WHOLE))
def show_flight(asked: Reads, turn: TurnId) -> JSONResponse:
    """Return how an answer came about: its prompt section by section, what was told, what helped."""
    soul, found = asked.soul, _found(asked, turn)
    rated = {each.thing: each.helped for each in soul.ratings() if each.turn in ("", found.turn)}
    said = {each.id: each for each in soul.flights.turns(found)}
    texts = soul.flights.texts(found)
    told = [
        each._asdict() | {"text": texts[each.name], "helped": rated.get(each.name)} for each in found.found
    ]
    question, reply = said.get(found.asked), said.get(found.turn)
    known = {memory.id: memory for memory in soul.memory.list(_of(found.told))} if found.told else {}
    return answer(
        {
            "flight": _fields(found) | {"found": told},
            "message": _text(question),
            "answer": _text(reply),
            "model": str(reply.more.get("model", "")) if reply else "",
            "memories": [fields_of(soul, memory) for memory in known.values()],
        }
    )


@router.get("/flight/replay", **gives(_REPLAY))
def replay(asked: Reads, turn: TurnId) -> JSONResponse:
    """Build the prompt for the same message as the memory is today, and say what would differ."""
    done = asked.soul.flights.replay(_found(asked, turn).turn)
    told = {"sections": done.now, "diffs": done.diffs, "gone": done.gone, "come": done.come}
    return answer({"turn": done.then.turn, **told})


@router.get("/memories/service", **gives(many(shape(Service))))
def service(asked: Reads) -> JSONResponse:
    """Return how often each memory was told in the answers that are kept, and drawn on, most told first."""
    return answer(asked.soul.flights.service())


@router.get("/memories/unhelpful", **gives(many(_SERVICE)))
def unhelpful(
    asked: Reads, least: Annotated[int, Query(ge=1, le=10_000)] = 3, limit: Limit = 50
) -> JSONResponse:
    """List what was told at least so often in the answers that are kept, and never drawn on."""
    soul = asked.soul
    served = {each.memory: each for each in soul.flights.unhelpful(least=least)}
    known = soul.memory.list(_of(tuple(served))) if served else []
    found = sorted(known, key=lambda memory: -served[memory.id].told)[:limit]
    shown = [(served[memory.id], fields_of(soul, memory)) for memory in found]
    return answer([{"memory": memory, "told": each.told, "used": each.used} for each, memory in shown])


@router.get("/memories/{memory_id}/heard", **gives(many(_HEARD)))
def heard(asked: Reads, memory_id: str, limit: Limit = 50) -> JSONResponse:
    """List the answers for which a memory was told, the latest first, and who was there besides the owner."""
    memory = found_memory(asked, memory_id)
    found = asked.soul.flights.heard(memory.id)[:limit]
    return answer(
        [
            {
                "turn": each.turn,
                "session": each.session,
                "at": each.at,
                "others": each.others,
                "used": memory.id in each.used,
            }
            for each in found
        ]
    )


def _of(ids: tuple[str, ...]) -> Wanted:
    return EVERY._replace(ids=(*ids, ""))


def _found(asked: Asked, turn: str) -> Flight:
    try:
        return asked.soul.flights.get(turn)
    except SoulError as exc:
        raise NoSuchThing(exc.message, **exc.facts) from exc


def _fields(flight: Flight) -> dict[str, Any]:
    found = [each._asdict() | {"text": "", "helped": None} for each in flight.found]
    return flight._asdict() | {"session": flight.session, "tokens": flight.tokens, "found": found}


def _text(turn: Turn | None) -> str:
    return turn.text if turn else ""
