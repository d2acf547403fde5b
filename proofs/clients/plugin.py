"""The plug-in, installed in Claude Code and in Codex by their own commands."""

from proofs.clients import claude_code, codex
from proofs.clients.endpoints import Endpoint, ToolCall
from proofs.clients.flow import QUESTION, WAIT, check_memory, check_tool
from proofs.clients.machine import Machine
from tests.apps.gateway.providers import running


def check(user: Machine) -> str:
    """Have it validated, install it in both, and talk with both: they have one memory."""
    folder = user.run("almario", "connect", "--plugin").strip()
    for path in (folder, f"{folder}/almario"):
        assert "Validation passed" in user.run("claude", "plugin", "validate", "--strict", path)
    user.run("claude", "plugin", "marketplace", "add", folder)
    user.run("claude", "plugin", "install", "almario@almario")
    user.run("codex", "plugin", "marketplace", "add", folder)
    user.run("codex", "plugin", "add", "almario@almario")
    with running(Endpoint()) as endpoint:
        came = check_memory(endpoint, lambda text: claude_code.say(user, endpoint, text))

        claude_code.say(user, endpoint, "Good night.")
        [first, *_] = endpoint.taken()
        assert "almario-memory" in first.told(), "Claude Code does not know the skill"
        wait, recall = ToolCall("Bash", {"command": WAIT}), "mcp__plugin_almario_almario__recall"
        check_tool(endpoint, lambda text: claude_code.say(user, endpoint, text), wait=wait, recall=recall)
        codex.say(user, endpoint, QUESTION)
        [first, *_] = endpoint.taken()
        assert "afraid of thunder" in first.told(), "what Claude Code was told is not known in Codex"
        assert "almario-memory" in first.told(), "Codex does not know the skill"
    user.run("claude", "plugin", "uninstall", "almario@almario")
    user.run("codex", "plugin", "remove", "almario@almario")
    return came
