"""A box with a model that a fake llama.cpp runs, and a server that models are fetched from."""

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from almario_local.weights import ModelFile
from tests.listening import listening

FAKE = Path(__file__).parent / "fake_llama"
SOURCE = Path(__file__).parents[2] / "src"
CONTENT = b"GGUF" + bytes(range(256)) * 400
SMALL = ModelFile("small", "some/repo/small.gguf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), 1000)
PATIENCE = 60.0


def with_fake_llama(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process of a model, and whoever looks for the package, find the fake."""
    monkeypatch.syspath_prepend(str(FAKE))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(FAKE), str(SOURCE)]))


def is_gone(pid: int) -> bool:
    """Return whether a process ends, and leaves nothing behind that somebody would have to bury."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


class Hub:
    """What a server of models was asked for, and how it behaves."""

    def __init__(self) -> None:
        self.url = ""
        self.content = CONTENT
        self.knows_ranges = True
        self.most = len(CONTENT)  # the connection is cut after so many bytes
        self.status = 200
        self.asked: list[tuple[str, str]] = []


class _Serving(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True  # what is written in parts is sent at once
    server: "_Http"

    def do_GET(self) -> None:
        hub = self.server.hub
        wanted = self.headers.get("Range", "")
        hub.asked.append((self.path, wanted))
        found = re.fullmatch(r"bytes=(\d+)-", wanted)
        start = int(found[1]) if found and hub.knows_ranges else 0
        if hub.status != 200:
            self.send_error(hub.status)
            return
        size = len(hub.content)
        self.send_response(206 if found and hub.knows_ranges else 200)
        if found and hub.knows_ranges:
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        self.send_header("Content-Length", str(size - start))
        self.end_headers()
        self.wfile.write(hub.content[start : start + hub.most])

    def log_message(self, *_: Any) -> None:
        pass


class _Http(ThreadingHTTPServer):
    hub: Hub
    daemon_threads = True


@contextlib.contextmanager
def serving_models() -> Iterator[Hub]:
    """Serve on the loopback until the block ends."""
    server = _Http(("127.0.0.1", 0), _Serving)
    server.hub = hub = Hub()
    with listening(server) as hub.url:
        yield hub
