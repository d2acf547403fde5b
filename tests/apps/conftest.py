"""Running the real command."""

import os
import pty
import select
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

import almario
from almario.apps.cli import root
from almario.testing import FixedClock
from tests.forking import forks

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
def spawn(tmp_path: Path) -> Run:
    """Run the command as a process of its own, in any environment; without standard input, it is closed."""

    def spawn_it(*arguments: str, stdin: str | None = "", **environment: str) -> Said:
        given = {"stdin": stdin, "stdout": "", "stderr": ""}
        streams = {name: tmp_path / f"spawned.{name}" for name, text in given.items() if text is not None}
        for name, path in streams.items():
            path.write_text(given[name] or "")
        where = {name: str(path) for name, path in streams.items()}
        code = forks().run(arguments, {**os.environ, **environment}, where)
        return Said(code, streams["stdout"].read_text(), streams["stderr"].read_text())

    return spawn_it


@pytest.fixture
def furnished(home: Path, clock: FixedClock, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with an agent, which nobody has opened yet: a copy of one that is made once."""
    template = tmp_path_factory.getbasetemp() / "furnished"
    if not template.exists():
        almario.create(template, clock=FixedClock()).close()
    shutil.copytree(template, home)
    return home


class Terminal:
    """Runs a command in a terminal of its own and returns what its screen showed."""

    def __call__(self, *arguments: str, answers: str = "", **environment: str) -> str:
        leader, follower = pty.openpty()
        everywhere = dict.fromkeys(("stdin", "stdout", "stderr"), os.ttyname(follower))
        settings = {**os.environ, "TERM": "xterm", **environment}
        os.write(leader, answers.encode())
        codes: list[int] = []

        def live() -> None:
            codes.append(forks().run(arguments, settings, everywhere))
            os.close(follower)

        life = threading.Thread(target=live)
        life.start()
        screen = b""
        while select.select([leader], [], [], PATIENCE)[0]:
            try:
                content = os.read(leader, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not content:
                break
            screen += content
        life.join(PATIENCE)
        os.close(leader)
        assert codes == [0], screen.decode()
        return screen.decode()


@pytest.fixture
def spawn_at_terminal() -> Terminal:
    return Terminal()
