"""An agent behind the gateway, a provider behind that, and the real SDKs before both."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2
import pytest

import almario
from almario.apps.web.access import Tokens
from almario.apps.web.app import create_app
from almario.apps.web.gatekeeping import Entrance
from almario.soul import Soul
from almario.testing import FixedClock
from almario.wiring.souls import Souls
from tests.apps.gateway.providers import Provider, running
from tests.souls import copy_of

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI

Result = TypeVar("Result")


class Programs:
    """What a program is written with: either SDK, which takes long to load, or plain HTTP."""

    def __init__(self, http: httpx2.AsyncClient, key: str) -> None:
        self.http = http
        self._given: dict[str, Any] = {"api_key": key, "http_client": http, "max_retries": 0}

    @cached_property
    def openai(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI

        return AsyncOpenAI(base_url="http://almario.test/v1", **self._given)

    @cached_property
    def anthropic(self) -> "AsyncAnthropic":
        from anthropic import AsyncAnthropic

        return AsyncAnthropic(base_url="http://almario.test", **self._given)


class Served:
    """A home that is served in this process; each `run` is a server's life."""

    def __init__(self, home: Path, clock: FixedClock, provider: Provider) -> None:
        self.home, self.clock, self.provider = home, clock, provider
        self.settings: dict[str, Any] = {
            "gateway.openai_url": f"{provider.url}/v1",
            "gateway.anthropic_url": provider.url,
        }
        self.token = self.tokens().owner_token()

    def souls(self) -> Souls:
        return Souls(self.home, settings=self.settings, clock=self.clock)

    def tokens(self) -> Tokens:
        return Tokens(self.souls())

    def soul(self, agent: str = "alma") -> Soul:
        """Open an agent as another process would."""
        return almario.open(self.home, agent, clock=self.clock)

    def run(self, program: Callable[[Programs], Awaitable[Result]], token: str = "") -> Result:
        """Run a program that knows the server's address and a token, and nothing else of ours."""
        souls = self.souls()
        app = create_app(souls, Tokens(souls), Entrance(frozenset({"almario.test"})))
        key = token or self.token

        async def live() -> Result:
            http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://almario.test")
            async with app.router.lifespan_context(app), http:
                http.headers["authorization"] = f"Bearer {key}"
                return await program(Programs(http, key))

        return asyncio.run(live())


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running(Provider(b"{}")) as found:
        yield found


def furnish(home: Path) -> None:
    persona = almario.Persona(name="Alma", owner="Grace", language="en")
    almario.create(home, "alma", persona=persona, clock=FixedClock()).close()


@pytest.fixture
def served(
    home: Path, clock: FixedClock, provider: Provider, tmp_path_factory: pytest.TempPathFactory
) -> Served:
    copy_of(furnish, home, tmp_path_factory)
    return Served(home, clock, provider)
