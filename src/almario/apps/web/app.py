"""The app: the gate, and behind it the routes of every door that is served over HTTP."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from importlib.util import find_spec
from typing import Any

import anyio.to_thread
from anyio import CapacityLimiter
from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.types import Scope

from almario import __version__
from almario.apps.dashboard.door import dashboard_router
from almario.apps.dashboard.frame import problem_page
from almario.apps.web import (
    birth_routes,
    care_routes,
    home_routes,
    hook_routes,
    memory_routes,
    settings_routes,
    soul_routes,
    talk_routes,
    verb_routes,
    work_routes,
)
from almario.apps.web.access import Tokens
from almario.apps.web.answering import Replays, Streams
from almario.apps.web.gatekeeping import Entrance, Gate
from almario.apps.web.jobs import WebJobs
from almario.apps.web.problems import PROBLEM, answer_with_problems
from almario.apps.web.rooms import TALKING, THREADS
from almario.domain.logs import Log
from almario.domain.messages import sentence_of
from almario.entry_points import installed
from almario.errors import PluginError
from almario.named_tuples import NamedTuple
from almario.verb_table import scopes
from almario.wiring.souls import Souls

log = Log(__name__)

API = "/api/v1"
# Concurrent searches: they are CPU-bound, and more would only take turns.
_SEARCHES = 3


class Door(NamedTuple):
    """What is served: routes, and what has to run as long as they are.

    *problem* says what is wrong in the form of its programs; None where it is not about this door.
    """

    router: APIRouter
    running: Callable[[], AbstractAsyncContextManager[object]] | None = None
    problem: Callable[[Scope, int, str], dict[str, Any] | None] | None = None


def doors(souls: Souls) -> tuple[Door, ...]:
    """Return all that is served; each is behind the gate, and finds its grant in `request.state.grant`."""
    about = (home_routes, hook_routes, birth_routes, care_routes, soul_routes)
    own = (*about, memory_routes, settings_routes, talk_routes, work_routes)
    return (
        Door(APIRouter(routes=[verb_routes.Verbs()])),  # first: it knows its addresses without comparing each
        *(Door(module.router) for module in own),
        *_plugged(souls),
        *_mcp(souls),
        Door(dashboard_router()),
    )


def _plugged(souls: Souls) -> Iterator[Door]:
    """Yield the doors that packages bring; one that is broken stays shut, and that is told."""
    for plugin in installed("doors").values():
        try:
            make = plugin.load()
            with plugin.blamed():
                door = make(souls)
                if not isinstance(door, Door) or not isinstance(door.router, APIRouter):
                    raise TypeError("it makes no door")
            yield door
        except PluginError as exc:
            log.warning("a plug-in was left out: %s", sentence_of(exc))


def _mcp(souls: Souls) -> tuple[Door, ...]:
    """Return the door for programs that speak MCP, if what it needs is installed."""
    if find_spec("mcp") is None:
        return ()
    from almario.apps.mcp.over_http import McpDoor  # noqa: PLC0415 - an extra, and a second

    door = McpDoor(souls)
    return (Door(APIRouter(routes=[*door.routes]), running=door.manager.run),)


def create_app(souls: Souls, tokens: Tokens, entrance: Entrance) -> FastAPI:
    """Make the app that serves a home, with a gate before all of it."""
    served = doors(souls)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        async with AsyncExitStack() as running:
            for door in served:
                if door.running:
                    await running.enter_async_context(door.running())
            yield
        await anyio.to_thread.run_sync(souls.close)

    app = FastAPI(
        title="Almario",
        version=__version__,
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.souls, app.state.tokens, app.state.entrance = souls, tokens, entrance
    app.state.problems = [door.problem for door in served if door.problem]
    app.state.replays, app.state.streams = Replays(), Streams()
    app.state.searching, app.state.talking = CapacityLimiter(_SEARCHES), CapacityLimiter(TALKING)
    app.state.jobs = WebJobs(souls.clock, lambda agent: souls.soul(agent).memory.last_purge() if agent else 0)
    for door in served:
        app.router.routes.extend(door.router.routes)  # to include them would make each a second time
    answer_with_problems(app, problem_page)
    app.openapi = partial(_openapi, app)  # type: ignore[method-assign]
    app.add_middleware(Gate, tokens=tokens, entrance=entrance, page=problem_page)
    return app


def _openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        addresses = [*verb_routes.BY_HAND, *(f"do/{name}" for name in scopes())]
        routes = [*app.routes, *map(verb_routes.route_of, addresses)]
        app.openapi_schema = found = get_openapi(title=app.title, version=app.version, routes=routes)
        parts = found.setdefault("components", {})
        parts.setdefault("schemas", {})["Problem"] = PROBLEM
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{"token": []}]
    return app.openapi_schema
