"""What an agent proposes to change about itself: side by side, with reason, evidence and drift."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.comparing import compared
from almario.apps.dashboard.frame import Visits
from almario.apps.dashboard.navigation import SOUL

router = APIRouter(prefix="/a/{agent}/soul/proposals", include_in_schema=False)
_PAGE = 20


@router.get("")
def proposals(visit: Visits, offset: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
    """Show what waits for an answer, and what was answered, newest first."""
    every = visit.soul.proposals.list(every=True)[::-1]
    waiting = [each for each in every if each.state in ("open", "stale")]
    answered = [each for each in every if each.state not in ("open", "stale")]
    return visit.shown(
        "proposals.html",
        SOUL,
        waiting=waiting,
        compare=lambda each: compared(each.before, each.after),
        answered=answered[offset : offset + _PAGE],
        total=len(answered),
        offset=offset,
        limit=_PAGE,
    )


@router.get("/{proposal}")
def proposal_page(visit: Visits, proposal: str) -> Response:
    """Show one: what would change, why, what it rests on, how far it would go; and answer it."""
    found = visit.soul.proposals.get(proposal)
    points = visit.soul.drift.timeline()
    return visit.shown(
        "proposal.html",
        SOUL,
        proposal=found,
        rows=compared(found.before, found.after),
        text_of=visit.soul.flights.text,
        before=points[-1].drift.score if points else 0.0,
        warn=visit.soul.drift.settings.warn,
    )
