"""What is one agent's, no other agent's token gets to see, on any route."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2

from almario.testing import FixedClock, ScriptedLLM
from almario.verb_table import scopes
from tests.apps.served import HOST, Served, copied
from tests.effort import THOROUGH

AGENTS = ("default", "second", "third", "fourth", "fifth")[: 5 if THOROUGH else 2]
# Whose secrets others look for.
WATCHED = AGENTS if THOROUGH else AGENTS[:1]
# What is wanted of a route with no example of its own.
VALUES = {
    "session": "cli:main",
    "at": "2026-11-14T13:30:00Z",
    "day": "2026-11-14",
    "follow": "false",
    "after": "0",
    "turn": "cli:main#2",
}


class Request(NamedTuple):
    """A request that a route understands, of an agent."""

    method: str
    path: str
    query: dict[str, str]
    body: Any


class Guarded:
    """Agents with a canary wherever something private can stand, each with a token of its own."""

    def __init__(self, home: Path, clock: FixedClock) -> None:
        copied(home, *AGENTS[1:])
        # A model that says all it is told: whoever may not hear something must not have it in the prompt.
        tattler = ScriptedLLM(lambda ask: f"{ask.system}\n{ask.messages}")
        self.served = Served(home, clock, llm=tattler)
        self.tokens = {
            agent: self.served.tokens.create(agent, agents=(agent,), scope="admin") for agent in AGENTS
        }
        self.known = {agent: self.furnish(agent) for agent in AGENTS}

    def furnish(self, agent: str) -> dict[str, str]:
        soul, canary = self.served.souls.soul(agent), self.canary(agent)
        memory = soul.remember(f"cat: her cat is called {canary}").memory
        soul.append("cli:main", "user", f"My own secret is {canary}.")
        soul.prompt("What is her cat called?", session="cli:main")
        soul.append("cli:main", "assistant", "I know.")
        soul.log(f"We spoke of {canary}.")
        soul.goals.add(f"Find {canary}")
        for file in ("USER.md", "MOTIVATIONS.md"):
            document = soul.read(file)
            soul.write(document, f"{document.text}\n- {canary}\n")
        wanted = soul.proposals.propose("SOUL", soul.read("SOUL").text + f"\n- {canary}\n", reason=canary)
        assert memory is not None
        return {"memory_id": memory.id, "proposal": wanted.id, "goal": "1", "version": "1", "file": "USER"}

    @staticmethod
    def canary(agent: str) -> str:
        return f"Zq{agent.capitalize()}xw"

    def requests(self, agent: str) -> Iterator[Request]:
        """Return a request for every route that there is, found by asking the app itself."""
        schema = self.served.app.openapi()
        for path, methods in schema["paths"].items():
            for method, told in methods.items():
                yield self.request(schema, method, path, told, agent)

    def request(self, schema: Any, method: str, path: str, told: Any, agent: str) -> Request:
        known = {"agent": agent, "model": agent, "job": "none", "tool": "memory_search", "name": "none"}
        known |= {"day": "2026-11-14", "key": "language", "variable": "GROQ_API_KEY", **self.known[agent]}
        query = {}
        for each in told.get("parameters", ()):
            if each["in"] == "path":
                path = path.replace(f"{{{each['name']}}}", known[each["name"]])
            elif each["in"] == "query" and (value := VALUES.get(each["name"])) and _is_meant(each):
                query[each["name"]] = value
        content = told.get("requestBody", {}).get("content", {}).get("application/json")
        body = content and content.get("example")  # as those have it whose shape is a provider's
        if content and not body:
            body = example(schema, content["schema"], self.canary(agent), self.known[agent])
        return Request(method, path, query, body)


def example(schema: Any, shape: Any, canary: str, known: dict[str, str]) -> Any:
    """Return a body that a route understands: with its examples, and questions that a canary answers."""
    found = schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    asking: dict[str, Any] = {
        "question": f"cat {canary}",
        "message": "What is her cat called?",
        "session": "cli:main",
    }
    asking |= {"target": canary, "targets": [canary], "draft": {"language": "en", "name": canary[:2]}}
    asking |= {**known, "turn": "cli:main#2", "wanted": known["proposal"]}
    body = {}
    for name, told in found["properties"].items():
        if name in asking and told.get("type", "string") != "object" and "$ref" not in told:
            body[name] = asking[name]
        elif "examples" in told:
            body[name] = told["examples"][0]
    return body


def test_no_token_sees_what_is_not_for_it_on_any_route(furnished: Path, clock: FixedClock) -> None:
    guarded = Guarded(furnished, clock)
    transport = httpx2.ASGITransport(guarded.served.app)
    leaks, seen, statuses = [], set(), set()

    async def ask(client: httpx2.AsyncClient, request: Request, token: str) -> str:
        answer = await client.request(
            request.method,
            request.path,
            params=request.query,
            json=request.body,
            headers={"Authorization": f"Bearer {token}"},
        )
        statuses.add(answer.status_code)
        return answer.text

    async def ask_all() -> None:
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            asked = {agent: list(guarded.requests(agent)) for agent in WATCHED}
            for agent in WATCHED:
                canary = guarded.canary(agent)
                strangers = {name: token for name, token in guarded.tokens.items() if name != agent}
                for request in asked[agent]:
                    for name, token in strangers.items():
                        if canary in await ask(client, request, token):
                            leaks.append((name, *request[:2]))
            for agent in WATCHED:  # what the agent's own token sees shows that there was something to see
                for request in asked[agent]:
                    if is_looking(request) and guarded.canary(agent) in await ask(
                        client, request, guarded.tokens[agent]
                    ):
                        seen.add(request.path.replace(agent, "{agent}"))

    asyncio.run(ask_all())

    assert leaks == []
    assert {"/api/v1/agents/{agent}/" + each for each in LOOKING} <= seen
    assert max(statuses) < 500


# Where the owner sees the canary.
LOOKING = (
    *("memories", "recall", "prompt", "turns", "events", "files/USER"),
    *(
        "do/days.get",
        "do/memory.list",
        "do/recall",
        "do/sessions.turns",
    ),
    *("do/memory.get", "do/memory.export", "do/proposals.get", "do/goals.list", "do/events", "do/prompt"),
)


def _is_meant(parameter: Any) -> bool:
    """Return whether a value is to be sent: of a list, all is wanted, and not what rests on one message."""
    return bool(parameter["name"] != "turn" or parameter["required"])


def is_looking(request: Request) -> bool:
    _, is_verb, name = request.path.partition("/do/")
    if is_verb:
        return scopes()[name] == "read"
    return request.method == "get" or request.path.endswith(("/recall", "/prompt"))
