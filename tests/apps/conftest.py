"""Running the real command."""

import os
import pty
import select
import shutil
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from almario.__main__ import main
from almario.apps.cli import root
from tests.forking import forks

# How many seconds a command may be silent on a busy machine.
PATIENCE = 60


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Run = Callable[..., Said]

_made: dict[tuple[object, ...], tuple[Path, Path, Said]] = {}


@pytest.fixture
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a command in this process, in English; a first agent is a copy of one that was made so before."""

    def run_it(*arguments: str, stdin: str = "") -> Said:
        home = Path(os.environ["ALMARIO_HOME"])
        if arguments[:2] not in (("init",), ("init", "--language")) or home.exists():
            return really_run(*arguments, stdin=stdin)
        own = {name: value for name, value in os.environ.items() if name.startswith(("ALMARIO_", "L"))}
        made_so = (arguments, sys.argv[0], *sorted((own | {"ALMARIO_HOME": ""}).items()))
        if made_so in _made:
            first, copy, said = _made[made_so]
            shutil.copytree(copy, home)
            return replace(said, out=said.out.replace(str(first), str(home)))
        said, copy = really_run(*arguments), tmp_path_factory.mktemp("made") / "home"
        shutil.copytree(home, copy, ignore=shutil.ignore_patterns("*-shm"))
        _made[made_so] = (home, copy, said)
        return said

    def really_run(*arguments: str, stdin: str = "") -> Said:
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


class _Stdin(TextIOWrapper):
    def isatty(self) -> bool:
        return False


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch, capfdbinary: Any) -> Callable[..., str]:
    """Run `almario hook` as a client does, in this process; whatever it is told, its exit code is 0."""

    def run(content: bytes, *arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["almario", "hook", *arguments])
        monkeypatch.setattr(sys, "stdin", _Stdin(BytesIO(content)))
        main()
        out, err = capfdbinary.readouterr()
        assert err == b""
        return str(out.decode())

    return run
