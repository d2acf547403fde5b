"""The MCP Inspector's command line, with its strict checks, in both eras of the protocol."""

import json
from typing import Any, Protocol

# It needs Node 22.19 or newer.
PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
ERAS = ("modern", "legacy")


class User(Protocol):
    """Whoever runs programs, with Almario and the Inspector on the PATH; a failing one is an error."""

    def run(self, *command: str, **more: str) -> str: ...


def check(user: User) -> str:
    """List, call and read whatever there is; the Inspector fails if a schema is not portable."""
    user.run("almario", "remember", "allergy: Ana is allergic to peanuts")
    for era in ERAS:
        tools = _asked(user, era, "--method", "tools/list", "--strict")["tools"]
        assert all(tool["outputSchema"] and len(tool["annotations"]) == 5 for tool in tools), tools
        found = _asked(user, era, *_tool("recall", query="what can Ana not eat?"))
        assert "peanuts" in found["structuredContent"]["found"][0]["text"], found
        kept = _asked(user, era, *_tool("remember", fact=f"Tried the Inspector in {era}"))
        assert kept["structuredContent"]["memory"]["origin"] == "agent", kept
        resources = _asked(user, era, "--method", "resources/list")["resources"]
        assert _asked(user, era, "--method", "resources/read", "--uri", resources[0]["uri"])["contents"]
        prompts = _asked(user, era, "--method", "prompts/list")["prompts"]
        assert _asked(user, era, "--method", "prompts/get", "--prompt-name", prompts[0]["name"])["messages"]
    return f"{len(tools)} tools, {len(resources)} resources and {len(prompts)} prompts, in both eras"


def _tool(name: str, **arguments: str) -> tuple[str, ...]:
    return "--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments)


def _asked(user: User, era: str, *asked: str) -> dict[str, Any]:
    options = ("--format", "json", "--quiet", "--connect-timeout", "60000", "-e", "ALMARIO_LLM_MODEL=none")
    said = user.run("mcp-inspector", "--cli", "--protocol-era", era, *asked, *options, "--", "almario", "mcp")
    found = json.loads(said)
    result: dict[str, Any] = found.get("result", found)
    return result
