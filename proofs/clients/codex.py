"""Codex, connected by `almario connect`: hooks and MCP."""

from proofs.clients.endpoints import Endpoint, ToolCall
from proofs.clients.flow import WAIT, check_acts, check_memory, check_tool
from proofs.clients.machine import Machine
from tests.apps.gateway.providers import running


def say(user: Machine, endpoint: Endpoint, text: str, access: str = "read-only") -> str:
    """Say something in a session of its own."""
    provider = (
        f'{{name="scripted", base_url="{endpoint.url}/v1", wire_api="responses", env_key="OPENAI_API_KEY"}}'
    )
    steered = ["-c", 'model_provider="scripted"', "-c", f"model_providers.scripted={provider}", "-m", "gpt-5"]
    trusted = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", access]
    return user.run("codex", "exec", *trusted, *steered, text, OPENAI_API_KEY="sk-scripted")


def check(user: Machine) -> str:
    """Connect it, talk with it, call a tool, and disconnect it."""
    settings = user.home / ".codex/config.toml"
    settings.parent.mkdir()
    mine = '[mcp_servers.other]\n# a comment\ncommand = "true"\nenabled = false\n'
    settings.write_text(mine)
    assert "/hooks" in user.run("almario", "connect", "codex", "--yes")
    assert "almario" in user.run("codex", "mcp", "list")
    assert "already connected" in user.run("almario", "connect", "codex", "--yes")
    with running(Endpoint()) as endpoint:
        came = check_memory(endpoint, lambda text: say(user, endpoint, text))
        wait = ToolCall("exec_command", {"cmd": WAIT, "yield_time_ms": 20_000})
        check_tool(endpoint, lambda text: say(user, endpoint, text), wait=wait, recall="mcp__almario/recall")
    user.run("almario", "disconnect", "codex", "--yes")
    assert settings.read_text() == mine
    assert not (user.home / ".codex/hooks.json").exists()
    return came


def check_at_the_act(user: Machine) -> str:
    """Connect it, and have it change a file, run what it may not, and do it again."""
    user.run("almario", "connect", "codex", "--yes")
    patch = "*** Begin Patch\n*** Update File: tide.py\n@@\n-height = 3\n+height = 8\n*** End Patch\n"
    edit = [
        ToolCall("exec_command", {"cmd": "cat tide.py"}),
        ToolCall("exec_command", {"cmd": f"apply_patch <<'EOF'\n{patch}EOF"}),
    ]
    with running(Endpoint()) as endpoint:

        def act(text: str) -> str:
            return say(user, endpoint, text, "danger-full-access")

        return check_acts(user, endpoint, act, run="exec_command", edit=edit)
