"""Processes that go on when the one that began them has ended: to learn, to answer hooks, and the daemon."""

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import IO

from almario.apps.daemon.units import this_program
from almario.config.checks import STORE

# Seconds until the first round beside a chat, which is to open quickly, and between two.
_FIRST_ROUND, _ROUND = 60.0, 600.0
_NONE: Mapping[str, object] = MappingProxyType({})


def start_learning(
    home: str | None,
    agent: str,
    session: str,
    *,
    settings: Mapping[str, object] = _NONE,
    output: IO[bytes] | None = None,
) -> "subprocess.Popen[bytes]":
    """Begin to learn from a session, or from those that were left if none is named; nobody need wait for it.

    To the file *output* it writes what was learned, as JSON. What it leaves stays queued. If
    the model that learns is a coding agent, its hooks must stay silent.
    """
    what = ["--session", session] if session else ["--left"]
    words = ["--agent", agent, "flush", *what, *(["--json"] if output else [])]
    return begun(home, words, settings=settings, more={"ALMARIO_HOOKS_ENABLED": "false"}, stdout=output)


def start_answering(home: str, agent: str) -> None:
    """Begin to answer the hooks of a home, those of an agent first; who comes second ends at once."""
    where = os.path.abspath(home)
    begun(where, ["--agent", agent, "daemon", "--hooks"], folder=where)


@contextmanager
def tended(home: str | None, *, settings: Mapping[str, object] = _NONE) -> Iterator[None]:
    """Have what is due at night done for as long as this is open, in processes that end by themselves."""
    is_over = threading.Event()

    def begin() -> None:
        once = begun(home, ["daemon", "--once"], settings=settings, more={"ALMARIO_HOOKS_ENABLED": "false"})
        os.waitpid(once.pid, 0)

    threading.Thread(target=tend, args=(begin, is_over.wait), name="almario-nights", daemon=True).start()
    try:
        yield
    finally:
        is_over.set()


def tend(begin: Callable[[], object], wait: Callable[[float], bool]) -> None:
    """Begin a round again and again, until *wait* says after so many seconds that it is over."""
    seconds = _FIRST_ROUND
    while not wait(seconds):
        with suppress(OSError):  # no process can be started now
            begin()
        seconds = _ROUND


def begun(
    home: str | None,
    words: Sequence[str],
    *,
    settings: Mapping[str, object] = _NONE,
    more: Mapping[str, str] = MappingProxyType({}),
    folder: str | None = None,
    stdout: IO[bytes] | None = None,
    stderr: IO[bytes] | None = None,
) -> "subprocess.Popen[bytes]":
    """Run a command of ours that shares nothing with whoever begins it: no terminal, no pipe."""
    where = ["--home", home] if home else []
    where += [word for key, value in settings.items() if key != STORE for word in ("--set", f"{key}={value}")]
    # What is on a command line, everybody on the machine can read: an address may have a password in it.
    kept = {"ALMARIO_STORE": str(settings[STORE])} if STORE in settings else {}
    process = subprocess.Popen(
        [*this_program(), *where, *words],
        stdin=subprocess.DEVNULL,
        stdout=stdout or subprocess.DEVNULL,
        stderr=stderr or subprocess.DEVNULL,
        env={**os.environ, **kept, **more},
        cwd=folder,
        start_new_session=True,
    )
    if not stdout and not stderr:
        process.returncode = 0  # it is meant to outlive us
    return process
