"""Reading files, making folders, locking them, and saying in one sentence what the system refuses.

One writer at a time: an exclusive `flock` on a file that is never renamed or deleted.
"""

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from almario.domain.messages import sentence_of
from almario.errors import AgentNotFound, DocumentError, StoreBusy, StoreError
from almario.named_tuples import NamedTuple


def read_bytes(path: Path) -> bytes | None:
    """Return a regular file's content, or None if there is no file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise unreadable(path, exc) from exc
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise DocumentError("{path} is not a regular file; move it away", path=str(path))
        with open(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


def inside(root: Path, name: str) -> Path:
    """Return where *name* really lies; a link that leaves *root* is refused."""
    if "\0" in name:
        raise DocumentError("{path} is not a file name", path=repr(name))
    path = os.fspath(root)
    for part in name.split(os.sep):
        path = f"{path}{os.sep}{part}"
        if part in ("", os.curdir, os.pardir) or os.path.islink(path):
            break
    else:  # no link on the way, as with nearly all
        return _below(root, name)
    home = os.path.realpath(root)
    real = os.path.realpath(os.path.join(home, name))
    if real != home and not real.startswith(home + os.sep):
        raise DocumentError(
            "{path} leads out of the agent's folder, to {target}; put the file itself there",
            path=name,
            target=real,
        )
    return Path(real)


@lru_cache(1024)
def _below(root: Path, name: str) -> Path:
    return root / name  # which takes long to make and to compare, and is asked for again and again


def sync(descriptor: int) -> None:
    """Return only when the descriptor's content is on the disk."""
    if hasattr(fcntl, "F_FULLFSYNC"):  # macOS: fsync stops at the drive's cache
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Make the folder's entries durable: new names, renames, removals."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, private and durable."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    sync_folder(folder.parent)


def write_all(descriptor: int, content: bytes) -> None:
    """Write every byte, however few the system takes at a time."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file or folder from another one at the same place; None if there is none."""
    there = status(path)
    return (there.device, there.inode) if there else None


# For so long a file may change again and keep its time: then only its content tells.
RECENT_NS = 2_000_000_000


class Status(NamedTuple):
    """What changes when a file does; *changed* tells what a *time* that was put back would hide."""

    device: int
    inode: int
    time: int
    changed: int
    size: int

    @property
    def is_past(self) -> bool:
        """Whether it last changed so long ago that it cannot change again and keep its time."""
        return abs(time.time_ns() - self.changed) > RECENT_NS


def status(path: Path | str) -> Status | None:
    """Return what changes when a file does; None if there is none."""
    try:
        return status_of(os.stat(path))
    except OSError:
        return None


def status_of(found: os.stat_result) -> Status:
    return Status(found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)


class Contents:
    """Reads files, each again only if it is not what it was."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Status, bytes | None]] = {}

    def read(self, path: Path) -> bytes | None:
        """Return a regular file's content, or None if there is no file."""
        try:
            there = status_of(os.stat(path))
        except FileNotFoundError:
            return None
        except OSError as exc:
            raise unreadable(path, exc) from exc
        known = self._known.get(path)
        if known and known[0] == there:
            return known[1]
        content = read_bytes(path)
        if there.is_past:
            self._known[path] = there, content
        return content


def overwrite(path: Path, content: bytes, *, within: tuple[int, int] | None = None) -> None:
    """Put a content in the place of a file that is ours alone; OSError, also if its folder is not there.

    *within* is the `identity` of the folder that is meant: nothing is written into another at its place.
    """
    copy = f".{path.name}.{os.urandom(4).hex()}"
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if within and within != status_of(os.fstat(folder))[:2]:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(os.open(copy, flags, 0o600, dir_fd=folder), "wb") as file:
            file.write(content)
            file.flush()
            sync(file.fileno())
        os.rename(copy, path.name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(copy, dir_fd=folder)
        os.close(folder)


def append_line(path: Path, line: bytes) -> None:
    """Add a line by one write, which no other process's can part; OSError if it is not whole."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        if status.st_size and os.pread(descriptor, 1, status.st_size - 1) != b"\n":
            line = b"\n" + line  # the end of a torn line
        if os.write(descriptor, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a file, if it is there, for good."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
        sync_folder(path.parent)


def unreadable(path: Path, exc: OSError) -> StoreError:
    return StoreError("{path} cannot be read: {why}", path=str(path), why=sentence_of(exc))


def unwritable(path: Path, exc: OSError) -> StoreError:
    return StoreError("{path} cannot be written: {why}", path=str(path), why=sentence_of(exc))


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn the system's refusal to read *path* into a StoreError."""
    try:
        yield
    except OSError as exc:
        raise unreadable(path, exc) from exc


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the system's refusal to write at *path* into a StoreError."""
    try:
        yield
    except OSError as exc:
        raise unwritable(path, exc) from exc


_POLL_SECONDS = 0.002


@contextlib.contextmanager
def locked(path: Path, *, seconds: float) -> Iterator[None]:
    """Hold the lock at *path*; StoreBusy if another holds it for *seconds*.

    Each call opens a descriptor of its own, so threads exclude each other too.
    """
    deadline = time.monotonic() + seconds
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except FileNotFoundError:
        raise gone(path) from None
    except OSError as exc:
        raise unwritable(path, exc) from exc
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
        if status_of(os.fstat(descriptor))[:2] != identity(path):  # it was moved while we waited
            raise gone(path)
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


def gone(path: Path) -> AgentNotFound:
    """Return the error for a folder that is there no more."""
    return AgentNotFound("the folder {path} no longer exists", path=str(path.parent))


def _try_lock(descriptor: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        if exc.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise unwritable(path, exc) from exc
    return True
