"""Learning in a process of its own, which goes on when the one that began it has ended."""

import os
import subprocess
from collections.abc import Mapping
from types import MappingProxyType
from typing import IO

from almario.apps.daemon.units import this_program


def start_learning(
    home: str | None,
    agent: str,
    session: str,
    *,
    settings: Mapping[str, object] = MappingProxyType({}),
    told: IO[bytes] | None = None,
) -> "subprocess.Popen[bytes]":
    """Begin to learn from a session, or from those that were left if none is named; nobody need wait for it.

    To the file *told* it writes what was learned, as JSON. What it leaves stays queued. If
    the model that learns is a coding agent, its hooks must stay silent.
    """
    where = ["--home", home] if home else []
    for name, value in settings.items():
        where += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    what = ["--session", session] if session else ["--left"]
    process = subprocess.Popen(
        [*this_program(), *where, "--agent", agent, "flush", *what, *(["--json"] if told else [])],
        stdin=subprocess.DEVNULL,
        stdout=told or subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "ALMARIO_HOOKS_ENABLED": "false"},
        start_new_session=True,
    )
    if not told:
        process.returncode = 0  # it is meant to outlive us
    return process
