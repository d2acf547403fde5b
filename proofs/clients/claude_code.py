"""Claude Code, connected by `almario connect`: hooks and MCP."""

import json

from proofs.clients.endpoints import Endpoint, ToolCall
from proofs.clients.flow import WAIT, check_acts, check_memory, check_tool
from proofs.clients.machine import Machine
from tests.apps.gateway.providers import running


def steered(endpoint: Endpoint) -> dict[str, str]:
    """Return the environment in which Claude Code talks with an endpoint of ours, and with nobody else."""
    return {
        "ANTHROPIC_BASE_URL": endpoint.url,
        "ANTHROPIC_API_KEY": "sk-scripted",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


def say(user: Machine, endpoint: Endpoint, text: str) -> str:
    """Say something in a session of its own."""
    acts = [f"Bash({WAIT})", "Bash(./launch.sh)", "Read", "Edit"]
    allowed = ["--allowedTools", "mcp__almario", "mcp__plugin_almario_almario", *acts]
    return user.run("claude", "-p", text, "--model", "claude-sonnet-4-5", *allowed, **steered(endpoint))


def check(user: Machine) -> str:
    """Connect it, talk with it, call a tool, and disconnect it."""
    assert "Claude Code is connected" in user.run("almario", "connect", "claude-code", "--yes")
    assert "already connected" in user.run("almario", "connect", "claude-code", "--yes")
    with running(Endpoint()) as endpoint:
        came = check_memory(endpoint, lambda text: say(user, endpoint, text))
        wait = ToolCall("Bash", {"command": WAIT})
        check_tool(endpoint, lambda text: say(user, endpoint, text), wait=wait, recall="mcp__almario__recall")
    assert "Connected" in user.run("claude", "mcp", "list")

    user.run("almario", "disconnect", "claude-code", "--yes")
    assert "almario" not in user.run("claude", "mcp", "list")
    assert not (user.home / ".claude/settings.json").exists()
    assert not json.loads((user.home / ".claude.json").read_text()).get("mcpServers")
    return came


def check_at_the_act(user: Machine) -> str:
    """Connect it, and have it change a file, run what it may not, and do it again."""
    user.run("almario", "connect", "claude-code", "--yes")
    tide = str(user.project / "tide.py")
    change = {"file_path": tide, "old_string": "height = 3", "new_string": "height = 8"}
    edit = [ToolCall("Read", {"file_path": tide}), ToolCall("Edit", change)]
    with running(Endpoint()) as endpoint:
        return check_acts(user, endpoint, lambda text: say(user, endpoint, text), run="Bash", edit=edit)
