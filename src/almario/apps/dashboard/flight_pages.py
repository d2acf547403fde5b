"""The flight recorder: how an answer came about, as the conversation it stands in leads to."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.dashboard.navigation import TALK
from almario.domain.flight import Flight
from almario.domain.memories import EVERY, Memory
from almario.domain.model import certainty

router = APIRouter(prefix="/a/{agent}/flights", include_in_schema=False)


@router.get("/answer")
def flight(visit: Visits, turn: Annotated[str, Query(max_length=200)]) -> Response:
    """Show how an answer came about."""
    soul = visit.soul
    found = soul.flights.get(turn)
    turns = {each.id: each for each in soul.flights.turns(found)}
    return visit.shown(
        "flight.html",
        TALK,
        flight=found,
        asked=turns.get(found.asked),
        answer=turns.get(found.turn),
        certainty=certainty,
        texts=lambda: soul.flights.texts(found),
        told=lambda: _given_memories(visit, found),
    )


def _given_memories(visit: PageVisit, found: Flight) -> list[tuple[Memory, bool]]:
    """Return the memories that were told besides what came to mind, and whether the answer drew on them."""
    known = {each.name for each in found.found}
    own = {memory.id: memory for memory in _memories(visit, found.told)}
    every = [(own[name], name in found.used) for name in found.told if name in own and name not in known]
    return sorted(every, key=lambda each: not each[1])


def _memories(visit: PageVisit, names: tuple[str, ...]) -> Sequence[Memory]:
    return visit.soul.memory.list(EVERY._replace(ids=(*names, ""))) if names else ()
