"""Processes that go on when the one that began them has ended: to learn, and to answer hooks."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import IO

from almario.apps.daemon.units import this_program


def start_learning(
    home: str | None,
    agent: str,
    session: str,
    *,
    settings: Mapping[str, object] = MappingProxyType({}),
    output: IO[bytes] | None = None,
) -> "subprocess.Popen[bytes]":
    """Begin to learn from a session, or from those that were left if none is named; nobody need wait for it.

    To the file *output* it writes what was learned, as JSON. What it leaves stays queued. If
    the model that learns is a coding agent, its hooks must stay silent.
    """
    where = ["--home", home] if home else []
    for name, value in settings.items():
        where += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    what = ["--session", session] if session else ["--left"]
    words = [*where, "--agent", agent, "flush", *what, *(["--json"] if output else [])]
    return _begun(words, output, {"ALMARIO_HOOKS_ENABLED": "false"})


def start_answering(home: str, agent: str) -> None:
    """Begin to answer the hooks of a home, those of an agent first; who comes second ends at once."""
    where = os.path.abspath(home)
    _begun(["--home", where, "--agent", agent, "daemon", "--hooks"], folder=where)


def _begun(
    words: Sequence[str],
    output: IO[bytes] | None = None,
    more: Mapping[str, str] = MappingProxyType({}),
    folder: str | None = None,
) -> "subprocess.Popen[bytes]":
    """Run a command of ours that shares nothing with whoever begins it: no terminal, no pipe."""
    process = subprocess.Popen(
        [*this_program(), *words],
        stdin=subprocess.DEVNULL,
        stdout=output or subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **more},
        cwd=folder,
        start_new_session=True,
    )
    if not output:
        process.returncode = 0  # it is meant to outlive us
    return process
