"""MCP over HTTP: which agent a token gets, and how much of it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import almario
from almario.apps.mcp.over_http import McpDoor
from almario.apps.web.access import Tokens
from almario.apps.web.app import create_app
from almario.apps.web.gatekeeping import Entrance
from almario.soul import Soul
from almario.testing import FixedClock
from almario.wiring.souls import Souls
from tests.apps.mcp.programs import ERAS, text_of

HOST = "almario.test"


class Household:
    """Two agents, each with a canary, served in this process."""

    def __init__(self, home: Path, clock: FixedClock) -> None:
        almario.create(home, "work", clock=clock).close()
        self.souls = Souls(home, clock=clock)
        self.tokens = Tokens(self.souls)
        for agent, bird in (("default", "yellow"), ("work", "green")):
            self.souls.soul(agent).remember(f"canary: the canary is {bird}")

    def ask(self, token: str, path: str, do: Callable[[Client], Awaitable[Any]], era: str = ERAS[0]) -> Any:
        """Ask with a token; the user says yes to every form."""

        async def yes(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
            assert isinstance(params, types.ElicitRequestFormParams)
            boxes = params.requested_schema["properties"]
            return types.ElicitResult(action="accept", content=dict.fromkeys(boxes, True))

        async def run() -> Any:
            app = create_app(self.souls, self.tokens, Entrance(frozenset({HOST})))
            headers = {"Authorization": f"Bearer {token}"}
            asgi = httpx2.ASGITransport(app=app)
            async with (
                app.router.lifespan_context(app),
                httpx2.AsyncClient(transport=asgi, headers=headers) as http,
                Client(
                    streamable_http_client(f"http://{HOST}{path}", http_client=http),
                    mode=era,
                    elicitation_callback=yes,
                ) as client,
            ):
                return await do(client)

        return anyio.run(run)

    def recalled(self, token: str, path: str = "/mcp", era: str = ERAS[0]) -> str:
        return text_of(self.ask(token, path, lambda client: client.call_tool("recall", CANARY), era))

    def status(self, token: str, path: str, **headers: str) -> int:
        """Return how a bare request is answered."""
        return self.answer(token, path, **headers).status_code

    def answer(self, token: str, path: str, **headers: str) -> httpx2.Response:
        async def run() -> httpx2.Response:
            app = create_app(self.souls, self.tokens, Entrance(frozenset({HOST})))
            shown = {"Authorization": f"Bearer {token}", **headers} if token else headers
            asgi = httpx2.ASGITransport(app=app)
            async with app.router.lifespan_context(app), httpx2.AsyncClient(transport=asgi) as http:
                return await http.post(f"http://{HOST}{path}", json=PING, headers=shown)

        return anyio.run(run)


CANARY = {"query": "which colour has the canary?"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
TRAINS = {
    "file": "SOUL.md",
    "sections": [{"title": "Trains", "body": "I like trains."}],
    "reason": "They suit me",
}


@pytest.fixture
def household(soul: Soul, home: Path, clock: FixedClock) -> Household:
    return Household(home, clock)


def test_a_token_gets_its_agents_in_both_eras(household: Household) -> None:
    owner, editor = household.tokens.owner_token(), household.tokens.create("editor", agents=("work",))

    for era in ERAS:
        assert "yellow" in household.recalled(owner, era=era)
        assert "green" in household.recalled(owner, "/mcp/work", era)
        assert "green" in household.recalled(editor, era=era)
    assert household.status(editor, "/mcp/default") == 404
    assert household.answer(owner, "/mcp/nobody").json()["detail"].endswith("only default, work")
    assert "default, work" not in household.answer(editor, "/mcp/nobody").text


def test_a_token_does_not_learn_which_other_agents_there_are(household: Household) -> None:
    for name, agents in (("one", ("away",)), ("several", ("away", "afar"))):
        token = household.tokens.create(name, agents=agents)
        answer = household.answer(token, "/mcp")

        assert answer.status_code == 404
        assert "work" not in answer.text
        for there in ("work", "nobody"):
            why = household.answer(token, f"/mcp/{there}").json()["detail"]
            assert why == f'there is no agent "{there}" for this token'


def test_the_gate_stands_before_it(household: Household) -> None:
    owner = household.tokens.owner_token()

    assert household.status("", "/mcp") == 401
    assert household.status("alm_wrong", "/mcp/work") == 401
    assert household.status(owner, "/mcp", host=f"{HOST}.evil.example") == 421
    assert household.status(owner, "/mcp", host=f"{HOST}:80@evil.example") == 421
    assert household.status(owner, "/mcp", origin=f"http://{HOST}.evil.example") == 403


def test_no_stream_is_left_open_that_nothing_comes_over(household: Household) -> None:
    assert [route.methods for route in McpDoor(household.souls).routes] == [{"POST"}, {"POST"}]


@pytest.mark.parametrize(("scope", "state"), [("read", ""), ("write", "open"), ("admin", "accepted")])
def test_a_scope_says_how_far_a_token_goes(household: Household, scope: Any, state: str) -> None:
    token = household.tokens.create("editor", scope=scope)

    done = household.ask(token, "/mcp", lambda client: client.call_tool("propose", TRAINS))

    assert done.is_error == (scope == "read")
    made = household.souls.soul("default").proposals.list(every=True)
    assert [each.state for each in made] == [state] * bool(state)
