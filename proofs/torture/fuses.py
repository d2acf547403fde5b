"""A fuse: `kill -9` of one's own process at its nth step of writing to the file system.

A kill that comes at a moment seldom falls between two steps of one write;
this always does, and inside of a line as well.
"""

import os
import signal
from collections.abc import Callable
from typing import Any

from almario.adapters.sqlite import database
from almario.store import files, replacing

# So much of a text is one step.
_PIECE = 64
_STEPS = ("write", "fsync", "rename", "replace", "link", "unlink", "mkdir", "ftruncate", "chmod")
_write = os.write


class Fuse:
    """Counts the steps of this process; when *left* are done, the next one kills it. 0 never burns down."""

    def __init__(self, left: int) -> None:
        self.steps = 0
        self._left = left

    @staticmethod
    def write(descriptor: int, content: bytes) -> None:
        """Write without it being a step."""
        _write(descriptor, content)

    def burn(self) -> None:
        self.steps += 1
        if self.steps == self._left:
            os.kill(os.getpid(), signal.SIGKILL)


def lay(left: int) -> Fuse:
    """Lay a fuse in this process; nothing takes it out again."""
    fuse = Fuse(left)

    def burning(step: Callable[..., Any]) -> Callable[..., Any]:
        def burn(*given: Any, **more: Any) -> Any:
            fuse.burn()
            return step(*given, **more)

        return burn

    def write_in_pieces(descriptor: int, content: bytes) -> None:
        for start in range(0, len(content), _PIECE):
            fuse.burn()
            _write(descriptor, content[start : start + _PIECE])

    def burning_commit(connection: Any) -> None:
        fuse.burn()
        commit(connection)
        fuse.burn()

    commit = database._commit
    database._commit = burning_commit
    for name in _STEPS:
        setattr(os, name, burning(getattr(os, name)))
    replacing.swap = burning(replacing.swap)
    files.write_all = write_in_pieces
    return fuse


def killed_at(step: int, work: Callable[[], None]) -> int:
    """Work in a process of its own up to a step of writing, or to the end (0); return how many there were."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            fuse = lay(step)
            work()
            os.close(reading)
            fuse.write(writing, str(fuse.steps).encode())
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        steps = pipe.read()
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status) != bool(step) or (step and os.WTERMSIG(status) != signal.SIGKILL):
        raise RuntimeError(f"what was to be killed at step {step} ended with status {status}")
    return int(steps or 0)
