"""The home, as its owner looks after it: backups, agents, tokens, connected programs."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from almario.apps.connecting.connections import Program, programs
from almario.apps.dashboard.care_pages import jobs_of
from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.web.access import Token
from almario.errors import AccessDenied

router = APIRouter(prefix="/a/{agent}/care/home", include_in_schema=False)


@router.get("")
def home(visit: Visits) -> Response:
    """Show what belongs to all agents."""
    if not visit.runs_home:
        raise AccessDenied("this is only for an owner's token that may do everything with all agents")
    return visit.shown(
        "home.html",
        backups=visit.souls.backups,
        jobs=lambda: jobs_of(visit, ""),
        tokens=lambda: _tokens(visit),
        trash=visit.souls.home.trash,
        programs=_programs,
    )


def _tokens(visit: PageVisit) -> list[Token]:
    tokens: Any = visit.request.app.state.tokens
    return sorted(tokens.all(), key=lambda each: (each.kind, each.name))


def _programs() -> list[Program]:
    return sorted(
        programs(), key=lambda each: (not each.is_connected, not each.is_installed, each.name.lower())
    )
