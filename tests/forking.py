"""Processes that start at once: children of one that has loaded `almario` already. They run it, or a module.

`python -m tests.forking` loads the commands and forks a child for each line that asks for one: a JSON object
of its module, arguments, environment, folder and standard streams, which are files, a terminal, or closed
where they are not named. It answers with the exit code. Python is not started anew: who tests what it reads
at its start (PYTHON…) starts a real process.
"""

import fcntl
import gc
import io
import json
import os
import pkgutil
import subprocess
import sys
import termios
import time
from functools import cache
from importlib import import_module
from threading import Lock
from types import ModuleType
from typing import Any, NoReturn

from almario import apps

_STREAMS = ("stdin", "stdout", "stderr")
# Rooms whose packages take a second to load, and which hardly any child enters.
_HEAVY = tuple(f"{apps.__name__}.{room}" for room in ("mcp", "web"))


class Forks:
    """Starts the process that forks, and asks it for children."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forking"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=os.path.dirname(os.path.dirname(__file__)),
        )
        self._one_at_a_time = Lock()

    def run(
        self,
        arguments: tuple[str, ...],
        environment: dict[str, str],
        streams: dict[str, str],
        module: str = "almario",
    ) -> int:
        """Run the command, the `main` of another module, or code ("-c"); return its exit code."""
        where = {"environment": environment, "folder": os.getcwd()}
        asked = {"module": module, "arguments": arguments, **where, **streams}
        with self._one_at_a_time:
            assert self._process.stdin
            assert self._process.stdout
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())


@cache
def forks() -> Forks:
    """Return what all tests of this process ask; it ends when they do."""
    return Forks()


def main() -> None:
    for name in [found.name for found in pkgutil.iter_modules(apps.__path__, f"{apps.__name__}.")]:
        if name not in _HEAVY:
            _load(import_module(name))
    for name in [name for name in sys.modules if name.startswith(apps.__name__)]:
        del sys.modules[name]  # their words are in the language of whoever loads them
    gc.collect()
    gc.freeze()  # what was loaded stays, and no child need look at it
    gc.set_threshold(50_000, 20, 20)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _live(json.loads(line))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(code, flush=True)


def _load(package: ModuleType) -> None:
    """Load whatever is in a package."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)


def _live(asked: dict[str, Any]) -> NoReturn:
    """Be the command: in its environment and folder, with its streams."""
    os.setsid()
    for number, stream in reversed(list(enumerate(_STREAMS))):
        if stream in asked:
            opened = os.open(asked[stream], os.O_RDWR | (os.O_APPEND if number else 0))
            os.dup2(opened, number)
            os.close(opened)
        else:
            os.close(number)
    if os.isatty(1):
        fcntl.ioctl(1, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    os.chdir(asked["folder"])
    sys.argv = [asked["module"], *asked["arguments"]]
    code: object = 1
    try:
        sys.stdin = _text(0, "r") if "stdin" in asked else None
        sys.stdout, sys.stderr = _text(1, "w"), _text(2, "w")
        if asked["module"] == "-c":
            exec(asked["arguments"][0], {"__name__": "__main__"})
            code = 0
        else:
            code = import_module(f"{asked['module']}.__main__").main() or 0
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001 (as Python would)
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


def _text(number: int, mode: str) -> io.TextIOWrapper:
    file = io.open(number, mode + "b", closefd=False)  # noqa: SIM115, UP020 (open as long as the process lives)
    return io.TextIOWrapper(file, "utf-8", line_buffering=number == 2 or os.isatty(number))


if __name__ == "__main__":
    main()
