"""The daemon in the background: how it is started from a command, and stopped."""

import contextlib
import os
import signal
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from almario.apps.daemon.apart import begun
from almario.errors import SoulError
from almario.served import resident_in
from almario.wiring import daemon_here

# So many seconds it may take to begin or to end, and so many pass between two looks.
_PATIENCE, _PAUSE = 15.0, 0.05


def is_running(home: Path) -> bool:
    """Return whether a daemon keeps a home."""
    return daemon_here(home)[0]


def start(home: Path, settings: Mapping[str, object]) -> None:
    """Start a daemon that outlives the command; SoulError says why it ended at once."""
    with tempfile.TemporaryFile() as output:
        process = begun(str(home), ["daemon"], settings=settings, stderr=output)
        is_up = _waited(lambda: is_running(home) or process.poll() is not None) and is_running(home)
        process.returncode = 0  # it is meant to outlive us, so nobody waits for it
        output.seek(0)
        why = output.read().decode(errors="replace").strip().removeprefix("Error: ")
    if not is_up:
        raise SoulError("the daemon did not start: {why}", why=why)


def stop(home: Path) -> None:
    """Tell the daemon of a home to end, and wait until it has."""
    asked = set[int]()

    def has_ended() -> bool:
        is_there, state = daemon_here(home)
        pid = state.get("pid")  # one that has just begun has not written it yet
        if pid and pid not in asked:
            asked.add(pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        return not is_there

    if not _waited(has_ended):
        raise SoulError("the daemon is still finishing something and will then stop on its own")


def stop_resident(home: Path) -> bool:
    """Tell the process that stays for hooks to end, and wait until it has; False if there is none."""
    pid = resident_in(home)
    if not pid:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    if not _waited(lambda: resident_in(home) != pid):
        raise SoulError("process {pid} is still answering a hook and will then stop on its own", pid=pid)
    return True


def _waited(is_so: Callable[[], bool]) -> bool:
    until = time.monotonic() + _PATIENCE
    while not (so := is_so()) and time.monotonic() < until:
        time.sleep(_PAUSE)
    return so
