"""Programs that are connected by MCP alone: OpenClaw and Gemini CLI, which try the server themselves."""

from proofs.clients.machine import Machine

# Gemini CLI gives a server five seconds, which a busy machine may not have.
TRIES = 3


def check_openclaw(user: Machine) -> str:
    """Connect it, have it list what the server offers, and disconnect it."""
    assert "openclaw mcp set almario" in user.run("almario", "connect", "openclaw", "--yes")
    assert "already connected" in user.run("almario", "connect", "openclaw", "--yes")
    said = user.run("openclaw", "mcp", "probe", "almario")
    assert "almario" in said
    assert "tools" in said
    user.run("almario", "disconnect", "openclaw", "--yes")
    assert "almario" not in user.run("openclaw", "mcp", "list")
    return " ".join(said.split())


def check_gemini(user: Machine) -> str:
    """Connect it, have it try the server, and disconnect it."""
    assert "gemini mcp add --scope user almario" in user.run("almario", "connect", "gemini", "--yes")
    assert "already connected" in user.run("almario", "connect", "gemini", "--yes")
    for _ in range(TRIES):
        said = user.run("gemini", "mcp", "list", GEMINI_CLI_TRUST_WORKSPACE="true")
        if "Connected" in said:
            break
    assert "Connected" in said, said
    user.run("almario", "disconnect", "gemini", "--yes")
    assert "almario" not in user.run("gemini", "mcp", "list")
    return next(line for line in said.splitlines() if "almario" in line)
