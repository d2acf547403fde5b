"""Running the real command."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from almario.apps.cli import root

# How many seconds a command may be silent on a busy machine.
PATIENCE = 60


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run() -> Run:
    """Run a command in this process, in English."""

    def run_it(*arguments: str, stdin: str = "") -> Said:
        result = CliRunner().invoke(root(), list(arguments), input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Said(result.exit_code, result.stdout, result.stderr)

    return run_it


@pytest.fixture
def spawn(home: Path) -> Run:
    """Run the command as a process of its own, in any environment."""

    def spawn_it(*arguments: str, stdin: str = "", **environment: str) -> Said:
        done = subprocess.run(
            [sys.executable, "-m", "almario", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    return spawn_it


class Terminal:
    """Runs a command in a terminal of its own and returns what its screen showed."""

    def __call__(self, *arguments: str, answers: str = "", **environment: str) -> str:
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "almario", *arguments],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env={**os.environ, "TERM": "xterm", **environment},
            start_new_session=True,
        )
        os.close(follower)
        os.write(leader, answers.encode())
        screen = b""
        while select.select([leader], [], [], PATIENCE)[0]:
            try:
                content = os.read(leader, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not content:
                break
            screen += content
        os.close(leader)
        assert process.wait(timeout=PATIENCE) == 0, screen.decode()
        return screen.decode()


@pytest.fixture
def spawn_at_terminal() -> Terminal:
    return Terminal()
