"""The app: the gate, and behind it the routes of every door that is served over HTTP."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import anyio.to_thread
from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp

from almario import __version__
from almario.apps.gateway.routes import Gateway, gateway_router
from almario.apps.web import home_routes
from almario.apps.web.access import Tokens
from almario.apps.web.gatekeeping import Entrance, Gate
from almario.apps.web.problems import answer_with_problems
from almario.wiring.souls import Souls

API = "/api/v1"


class Door(NamedTuple):
    """What is served: routes, or a whole app under a path, and what has to run as long as they are."""

    router: APIRouter | None = None
    path: str = ""
    app: ASGIApp | None = None
    running: Callable[[], AbstractAsyncContextManager[object]] | None = None


def doors(souls: Souls) -> tuple[Door, ...]:
    """Return all that is served; each is behind the gate, and finds its grant in `request.state.grant`."""
    gateway = Gateway(souls)
    return (
        Door(home_routes.router),
        Door(gateway_router(gateway), running=gateway.passing.running),
    )


def create_app(souls: Souls, tokens: Tokens, entrance: Entrance) -> FastAPI:
    """Make the app that serves a home, with a gate before all of it."""
    served = doors(souls)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
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
    for door in served:
        if door.router:
            app.include_router(door.router)
        if door.app:
            app.mount(door.path, door.app)
    answer_with_problems(app, entrance.language)
    app.add_middleware(Gate, tokens=tokens, entrance=entrance)
    return app
