"""Programs that are connected by MCP alone: OpenClaw and Gemini CLI, which try the server themselves."""

from proofs.clients.machine import Machine

# Gemini CLI gives a server five seconds, which a busy machine may not have.
TRIES = 3


def check_openclaw(user: Machine) -> str:
    """Connect it, have it list what the server offers, and disconnect it; then it reads our workspace."""
    assert "OpenClaw is connected" in user.run("almario", "connect", "openclaw", "--yes")
    assert "already connected" in user.run("almario", "connect", "openclaw", "--yes")
    result = user.run("openclaw", "mcp", "probe", "almario")
    assert "almario" in result
    assert "tools" in result
    user.run("almario", "disconnect", "openclaw", "--yes")
    assert "almario" not in user.run("openclaw", "mcp", "list")
    return f"{' '.join(result.split())}; {_read_by_openclaw(user)}"


def _read_by_openclaw(user: Machine) -> str:
    """Export the agent where OpenClaw looks, and find by its own commands who it is and what it knows."""
    workspace = str(user.home / ".openclaw" / "workspace")
    user.run("almario", "remember", "allergy: Ana is allergic to peanuts")
    user.run("almario", "export", "--as", "openclaw", "--to", workspace)
    user.run("openclaw", "memory", "index", "--force")
    assert "Ana is allergic to peanuts" in user.run("openclaw", "memory", "search", "peanuts", "--json")
    identity = user.run("openclaw", "agents", "set-identity", "--workspace", workspace, "--from-identity")
    assert "Name: Vesper" in identity
    return "it reads our workspace"


def check_gemini(user: Machine) -> str:
    """Connect it, have it try the server, and disconnect it."""
    assert "Gemini CLI is connected" in user.run("almario", "connect", "gemini", "--yes")
    assert "already connected" in user.run("almario", "connect", "gemini", "--yes")
    for _ in range(TRIES):
        result = user.run("gemini", "mcp", "list", GEMINI_CLI_TRUST_WORKSPACE="true")
        if "Connected" in result:
            break
    assert "Connected" in result, result
    user.run("almario", "disconnect", "gemini", "--yes")
    assert "almario" not in user.run("gemini", "mcp", "list")
    return next(line for line in result.splitlines() if "almario" in line)
