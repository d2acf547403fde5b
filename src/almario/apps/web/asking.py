"""What a route is asked with: the agent that its path names, and what the token allows."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import Depends, Path, Request

from almario.apps.web.access import Grant, Scope
from almario.errors import AccessDenied, AgentNotFound
from almario.named_tuples import NamedTuple
from almario.soul import Soul
from almario.wiring.souls import Souls


class HttpRequest(NamedTuple):
    """The agent that is asked, and by whom."""

    soul: Soul
    grant: Grant


def souls_of(request: Request) -> Souls:
    """Return the agents that an app serves."""
    found: Souls = request.app.state.souls
    return found


def grant_of(request: Request) -> Grant:
    """Return what the token of a request allows."""
    found: Grant = request.state.grant
    return found


def soul_for(souls: Souls, grant: Grant, agent: str) -> Soul:
    """Return the agent with that id; one that a token does not know does not exist for it."""
    if not grant.knows(agent):
        raise AgentNotFound('there is no agent "{id}" for this token', id=agent)
    try:
        return souls.soul(agent)
    except AgentNotFound:
        if grant.agents is None:
            raise
        raise AgentNotFound('there is no agent "{id}" for this token', id=agent) from None


def agent_for(souls: Souls, grant: Grant, wanted: str = "") -> str:
    """Return the id of the agent that is meant; by none, a token's only one, or the one of the settings.

    Of the agents that a token does not know, it does not even learn the names.
    """
    if not wanted and grant.agents is not None and len(grant.agents) == 1:
        [wanted] = grant.agents
    try:
        found = souls.chosen(wanted)
    except AgentNotFound:
        if grant.agents is None:
            raise
        found = ""
    if grant.knows(found):
        return found
    if wanted:
        raise AgentNotFound('there is no agent "{id}" for this token', id=wanted)
    known = ", ".join(sorted(grant.agents or ()))
    raise AgentNotFound("name the agent; this token is for {ids}", ids=known)


def needing(scope: Scope) -> Callable[[Request, str], Awaitable[HttpRequest]]:
    """Return what finds the agent of a path, and refuses whoever may not do this with it."""

    async def ask(
        request: Request, agent: Annotated[str, Path(description="The agent's id.", examples=["default"])]
    ) -> HttpRequest:
        souls, grant = souls_of(request), grant_of(request)
        if souls.is_open(agent):  # a thread would cost more
            soul = soul_for(souls, grant, agent)
        else:
            soul = await run_sync(soul_for, souls, grant, agent)
        grant.need(scope)
        return HttpRequest(soul, grant)

    return ask


def _runs_home(request: Request) -> Grant:
    grant = grant_of(request)
    grant.need("admin")
    if grant.agents is not None:
        raise AccessDenied("this token is not for all agents")
    return grant


# What a token must allow.
Reads = Annotated[HttpRequest, Depends(needing("read"))]
Writes = Annotated[HttpRequest, Depends(needing("write"))]
Administers = Annotated[HttpRequest, Depends(needing("admin"))]
# About the home: for whoever has a token, or for tokens for all agents.
Anybody = Annotated[Grant, Depends(grant_of)]
RunsHome = Annotated[Grant, Depends(_runs_home)]
AllSouls = Annotated[Souls, Depends(souls_of)]
