"""One writer at a time: an exclusive `flock` on a file that is never renamed or deleted."""

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from almario.errors import AgentNotFound, StoreBusy
from almario.store.files import unwritable

_POLL_SECONDS = 0.002


@contextlib.contextmanager
def locked(path: Path, *, seconds: float) -> Iterator[None]:
    """Hold the lock at *path*; StoreBusy if another holds it for *seconds*.

    Each call opens a descriptor of its own, so threads exclude each other too.
    """
    deadline = time.monotonic() + seconds
    descriptor = _open(path)
    try:
        while not _try_lock(descriptor, path):
            if time.monotonic() >= deadline:
                raise StoreBusy(
                    "{path} has been held by another process for {seconds:g} seconds; "
                    "try again when it is done",
                    path=str(path),
                    seconds=seconds,
                )
            time.sleep(_POLL_SECONDS)
        _check_place(descriptor, path)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked_if_free(path: Path, *, seconds: float = 0) -> Iterator[bool]:
    """Hold the lock at *path* if nobody else does for so many *seconds*, and say whether it is held."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(locked(path, seconds=seconds))
            is_held = True
        except StoreBusy:
            is_held = False
        yield is_held


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except FileNotFoundError:
        raise _gone(path) from None
    except OSError as exc:
        raise unwritable(path, exc) from exc


def _check_place(descriptor: int, path: Path) -> None:
    """Refuse a lock whose folder was moved while we waited for it."""
    held = os.fstat(descriptor)
    try:
        there = os.stat(path)
    except FileNotFoundError:
        raise _gone(path) from None
    if (held.st_dev, held.st_ino) != (there.st_dev, there.st_ino):
        raise _gone(path)


def _gone(path: Path) -> AgentNotFound:
    return AgentNotFound("the folder {path} no longer exists", path=str(path.parent))


def _try_lock(descriptor: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        if exc.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise unwritable(path, exc) from exc
    return True
