"""The house of all doors: one agent, the processes that are at it, and how its server is asked."""

import contextlib
import http.client
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proofs.torture.diary import Diary
from proofs.torture.gossip import names_in
from proofs.torture.talking import lettered

THINGS = ("candles", "marbles", "pencils", "ropes", "stamps", "tickets", "violins", "walnuts")
PATIENCE = 90.0
KILLED = -signal.SIGKILL
# What is raised if the server goes away before it has answered.
GONE = (OSError, ValueError, http.client.HTTPException)


class House:
    """One agent, the processes that are at it, and what all have written down."""

    def __init__(self, folder: Path, agent: Path) -> None:
        self.home = folder / "home"
        self.said = folder / "said"
        self.projects = [folder / "boat", folder / "bridge"]
        self.agent = agent
        self.token = ""
        # What strangers have said so far.
        self.hearsay: list[str] = []
        self.is_over = threading.Event()
        self._errors = folder / "errors"
        self._errors.mkdir()
        self._numbers = itertools.count()

    def start(self, *command: str, **more: Any) -> "subprocess.Popen[str]":
        """Start a command; what it says on standard error is kept."""
        path = self._errors / f"{command[0]}-{next(self._numbers)}"
        with path.open("wb") as errors:
            more.setdefault("stdout", subprocess.DEVNULL)
            return subprocess.Popen(
                [sys.executable, "-m", "almario", *command], stderr=errors, text=True, **more
            )

    def run(self, command: tuple[str, ...], given: str, *, patience: float = PATIENCE) -> tuple[int, str]:
        """Run a command to its end; return its code and what it said."""
        process = self.start(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with contextlib.suppress(BrokenPipeError):
            output, _ = process.communicate(given, timeout=patience)
            return process.returncode, output
        return process.wait(PATIENCE), ""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
        """Ask the server; return its status and all that it said. One of GONE: nobody knows what it did."""
        served = json.loads((self.home / "serve.json").read_bytes())
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(served["url"].removeprefix("http://"), timeout=PATIENCE)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            answer = connection.getresponse()
            said = answer.read().decode()
            if answer.status == 503 and "the server is stopping" in said:
                raise ConnectionError(said)
            return answer.status, said
        finally:
            connection.close()

    def here(self, path: str) -> str:
        """Return the address of something of the agent's."""
        return f"/api/v1/agents/{self.agent.name}/{path}"

    def processes(self) -> list[Path]:
        """Return the processes that are at this home, as /proc has them."""
        mark = f"ALMARIO_HOME={self.home}\0".encode()
        return [path for path in Path("/proc").glob("[0-9]*") if _is_at(path, mark)]

    def trouble(self, name: str, text: str) -> None:
        """Write down what must not happen."""
        Diary(self.said / f"{name}-trouble").trouble(f"{name}: {text}")

    def check(self, who: str, text: str, *may: str) -> None:
        """Note if somebody hears what was said elsewhere than where they *may* hear it."""
        for place, names in names_in(text).items():
            if place not in may:
                self.trouble(who, f"heard of {names[:3]} in {text[-1500:]!r}")

    def tracebacks(self) -> list[str]:
        """Return what processes said that broke down."""
        texts = [path.read_text(errors="replace") for path in sorted(self._errors.iterdir())]
        # Python itself says so if it is interrupted before it runs anything.
        return [text for text in texts if "Traceback" in text and "Fatal Python error: init" not in text]

    def hook_failures(self) -> int:
        """Count the hooks that have failed so far."""
        path = self.home / "logs" / "hooks.jsonl"
        return path.read_text().count("\n") if path.exists() else 0


def _is_at(process: Path, mark: bytes) -> bool:
    try:
        return process.name != str(os.getpid()) and mark in (process / "environ").read_bytes()
    except OSError:
        return False


def facts(name: str, dice: random.Random, begin: str = "Basket K") -> Iterator[str]:
    """Make up facts, each with a name of its own."""
    return (f"{begin}{lettered(f'{name}x{n}')} holds {dice.choice(THINGS)}" for n in itertools.count())
