"""One agent for one program, over standard input and output."""

import signal
import threading

import anyio
from mcp.server.stdio import stdio_server

from almario.apps.mcp.server import create_server
from almario.apps.mcp.visiting import Visitor
from almario.errors import AlmarioError
from almario.wiring.souls import Souls

# What was asked for is told before the agent is opened.
_MOMENT = 0.1


def serve(souls: Souls, agent: str, *, every: bool) -> None:
    """Serve an agent until its program goes; it is opened once its tools were listed, or needed."""
    visitor = Visitor(lambda: souls.soul(agent))
    server = create_server(lambda _: visitor, every=every, ready=lambda: _open(souls, agent))

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    # Whoever waits for a line cannot be interrupted in Python's way; what was acknowledged is on the disk.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(run)
    finally:
        souls.close()


def _open(souls: Souls, agent: str) -> None:
    """Open an agent beside what else is done, a moment later; if that fails, whoever asks it next is told."""

    def opening() -> None:
        try:
            souls.soul(agent)
        except (AlmarioError, OSError):
            return

    opener = threading.Timer(_MOMENT, opening)
    opener.daemon = True
    opener.start()
