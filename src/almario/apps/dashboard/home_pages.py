"""The home, as its owner looks after it: backups, agents, tokens, connected programs."""

from typing import Any, NamedTuple

from fastapi import APIRouter
from fastapi.responses import Response

from almario.apps.connecting.clients import CLIENTS
from almario.apps.connecting.connections import ConnectionState, state_of
from almario.apps.dashboard.care_pages import jobs_of, runs_home
from almario.apps.dashboard.frame import Looks, PageVisit
from almario.apps.dashboard.navigation import CARE
from almario.apps.dashboard.rendering import size
from almario.apps.web.access import SCOPES, Token
from almario.domain.messages import Sentence
from almario.errors import AccessDenied

router = APIRouter(prefix="/a/{agent}/care/home", include_in_schema=False)
# What a token allows, in words.
ALLOWED = {
    "read": Sentence("to look"),
    "write": Sentence("to look, remember, forget and talk"),
    "admin": Sentence("everything"),
}


class Program(NamedTuple):
    """A program that can be connected, and whether it is."""

    id: str
    name: str
    state: ConnectionState
    is_installed: bool

    @property
    def is_connected(self) -> bool:
        return self.state.mcp or self.state.hooks


@router.get("")
def home(visit: Looks) -> Response:
    """Show what belongs to all agents."""
    if not runs_home(visit):
        raise AccessDenied("this is only for an owner's token that may do everything with all agents")
    return visit.shown(
        "home.html",
        CARE,
        view="home",
        runs_home=True,
        backups=visit.souls.backups,
        jobs=lambda: jobs_of(visit, ""),
        tokens=lambda: _tokens(visit),
        trash=visit.souls.home.trash,
        programs=_programs,
        size=size,
        scopes=SCOPES,
        allowed=ALLOWED,
        said=visit.say,
    )


def _tokens(visit: PageVisit) -> list[Token]:
    tokens: Any = visit.request.app.state.tokens
    return sorted(tokens.all(), key=lambda each: (each.kind, each.name))


def _programs() -> list[Program]:
    """Return the programs, those that are connected first, then those that are on this machine."""
    found = [Program(id_, each.name, state_of(each), each.is_installed()) for id_, each in CLIENTS.items()]
    return sorted(found, key=lambda each: (not each.is_connected, not each.is_installed, each.name.lower()))
