"""The hooks of coding agents, answered by a server that runs anyway: quicker, and by meaning too."""

from time import monotonic

from fastapi import APIRouter, BackgroundTasks, Depends, Request
from fastapi.responses import PlainTextResponse

from almario.apps.hooks.clients import read_call
from almario.apps.hooks.hooking import answered, note
from almario.apps.web import bodies
from almario.apps.web.answering import PROBLEMS
from almario.apps.web.asking import AllSouls, agent_for, grant_of, soul_for
from almario.apps.web.rooms import place_of
from almario.soul import Soul

router = APIRouter(prefix="/api/v1", tags=["hooks"], responses=PROBLEMS)


async def _room(request: Request) -> None:
    """Send a hook away where too many are answered already: what it told waits, and it does not."""
    place_of(request).take("hook")


@router.post("/hooks", response_class=PlainTextResponse, dependencies=[Depends(_room)])
def hook(
    request: Request, souls: AllSouls, body: bodies.Hooking, later: BackgroundTasks
) -> PlainTextResponse:
    """Do what `almario hook` does, and return what it prints."""
    since, grant = monotonic(), grant_of(request)
    soul = soul_for(souls, grant, agent_for(souls, grant, body.agent))
    grant.need("write")
    payload = body.told.encode("utf-8", "replace")
    home = "" if body.session else souls.root  # who names its session is on another machine
    call = read_call(body.event, payload, body.client, body.environment, body.ref, home=home)
    call = call._replace(session=body.session or call.session)
    if not call.has_content:
        return PlainTextResponse("")
    later.add_task(soul.memory.prepare)  # nobody waits for it, and the next message finds all at once
    reply, count = answered(soul, call, lambda session: _begin_learning(soul, session))
    note(souls.root, call, since, count)
    return PlainTextResponse(reply)


def _begin_learning(soul: Soul, session: str) -> None:
    if session:
        soul.learning.want(session)
    else:
        soul.learning.want_left()
