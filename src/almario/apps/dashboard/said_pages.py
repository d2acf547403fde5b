"""What was said: a conversation to read, at the very message that something rests on."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.frame import Looks
from almario.apps.dashboard.navigation import MEMORY
from almario.apps.web.problems import NoSuchThing
from almario.domain.messages import Sentence

router = APIRouter(prefix="/a/{agent}/said", include_in_schema=False)
# So many messages are shown before and after the one that is meant.
_AROUND = 20


@router.get("")
def said(
    visit: Looks,
    session: Annotated[str, Query(max_length=500)],
    turn: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """Show what was said in a session around a message, or the last of it."""
    turns = visit.soul.sessions.turns(session)
    if not turns:
        raise NoSuchThing(Sentence("there is no session {session}", session=session))
    meant = turn or turns[-1].n
    shown = [each for each in turns if abs(each.n - meant) <= _AROUND]
    return visit.shown(
        "said.html",
        MEMORY,
        session=session,
        turns=shown,
        meant=turn,
        earlier=max(shown[0].n - _AROUND - 1, 1) if shown and shown[0].n > turns[0].n else 0,
        later=shown[-1].n + _AROUND + 1 if shown and shown[-1].n < turns[-1].n else 0,
    )
