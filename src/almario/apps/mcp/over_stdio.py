"""One agent for one program, over standard input and output."""
# ruff: noqa: PLC0415 - what takes a second to load is loaded when the tools are listed

import contextlib
import gc
import json
import os
import queue
import signal
import threading
from collections.abc import AsyncIterator, Callable
from typing import IO, TYPE_CHECKING, Any

from almario.apps.mcp.first_answers import Opening, refusal
from almario.errors import AlmarioError
from almario.wiring.offering import offered

if TYPE_CHECKING:
    from almario.wiring.souls import Souls


def serve(souls: Callable[[], "Souls"], agent: str, *, every: bool) -> None:
    """Serve an agent until its program goes; all but the list of its tools is loaded after that was told."""
    # Whoever waits for a line cannot be interrupted in Python's way; what was acknowledged is on the disk.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Nothing that is printed by mistake, here or in a process of ours, may come between the lines.
    reading, writing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as null:
        os.dup2(null.fileno(), 0)
    os.dup2(2, 1)
    wire = Wire(Opening(offered(every=every)), reading, writing)
    if wire.wants_more():
        _serve_rest(wire, souls(), agent, every=every)


class Wire:
    """The lines of a program: those that `Opening` answers, and the others, which wait for the SDK."""

    def __init__(self, opening: Opening, reading: IO[bytes], writing: IO[bytes]) -> None:
        self.opening = opening
        self._reading = reading
        self._writing = writing
        self._waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._turn = threading.Lock()
        self._is_more = threading.Event()

    def wants_more(self) -> bool:
        """Answer what is asked first; True once there is more to do, False if the program has gone."""
        threading.Thread(target=self._read, daemon=True).start()
        self._is_more.wait()
        return self.opening.is_over

    def line(self) -> bytes:
        """Wait for a line that is not answered yet; nothing if the program has gone."""
        return self._waiting.get()

    def write(self, line: bytes) -> None:
        with self._turn:
            self._writing.write(line)
            self._writing.flush()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the program has gone
            for line in self._reading:
                if answer := self.opening.answer(line):
                    self.write(answer)
                else:
                    self._waiting.put(line)
                if self.opening.is_over:
                    self._is_more.set()
        self._waiting.put(b"")
        self._is_more.set()


class _Lines:
    """A wire as the SDK reads and writes it: it also hears the handshake, and what it answers is dropped."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._hello = json.loads(wire.opening.hello or "null")

    async def __aiter__(self) -> AsyncIterator[str]:
        from anyio.to_thread import run_sync

        line = self._wire.opening.hello or await run_sync(self._wire.line)
        while line:
            if line.strip() and (why := refusal(line)):  # to which the SDK says nothing
                self._wire.write(why)
            else:
                yield line.decode()
            line = await run_sync(self._wire.line)

    async def write(self, text: str) -> None:
        if self._hello and json.loads(text).get("id") == self._hello["id"]:
            self._hello = None
            return
        self._wire.write(text.encode())

    async def flush(self) -> None:
        """Every line is written at once."""


def _serve_rest(wire: Wire, souls: "Souls", agent: str, *, every: bool) -> None:
    gc.disable()  # there is no garbage among a thousand new classes, and looking for it takes a tenth longer
    import anyio
    from mcp.server.stdio import stdio_server

    from almario.apps.daemon.bounds import spare_memory
    from almario.apps.mcp.server import create_server
    from almario.apps.mcp.visiting import Visitor

    gc.enable()
    spare_memory()
    visitor = Visitor(lambda: souls.soul(agent), home=str(souls.root))
    server = create_server(lambda _: visitor, every=every)
    lines: Any = _Lines(wire)

    async def run() -> None:
        async with stdio_server(lines, lines) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    threading.Thread(target=_open, args=(souls, agent), daemon=True).start()
    try:
        anyio.run(run)
    finally:
        souls.close()


def _open(souls: "Souls", agent: str) -> None:
    """Open an agent beside what else is done; if that fails, whoever asks it next is told."""
    with contextlib.suppress(AlmarioError, OSError):
        souls.soul(agent)
