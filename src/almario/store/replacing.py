"""Putting a file in the place of another without losing a byte of anyone's.

A finished copy is exchanged with the file, and what came out is looked at: if
that is not what was read, somebody else wrote meanwhile, and the exchange is
taken back. Where the system has no exchange, the file is read again just
before it is replaced.
"""

import contextlib
import errno
import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from almario.domain.documents.document import digest, hash_of
from almario.domain.plain_text import regex
from almario.errors import EditConflict, StoreError
from almario.ports import changed_meanwhile
from almario.store import files

if TYPE_CHECKING:
    import ctypes

# A temporary file tells whose content it may hold: ours, or what it was to be exchanged for.
COPY = regex(r"\.(?P<name>.+)\.(?P<ours>[0-9a-f]{12})-(?P<expected>[0-9a-f]{12}|new)-[0-9a-f]{8}\.tmp")
# A copy that is not whole yet.
_PART = ".part"


def create(path: Path, content: bytes, *, by_way_of: Path | None = None) -> None:
    """Write a new file, first as a copy in its folder or *by_way_of* another; EditConflict if it is there."""
    with prepared(path, content, expected=None, by_way_of=by_way_of) as put:
        put()


def replace(path: Path, content: bytes, *, expected: str | None) -> None:
    """Put *content* in the place of the content whose digest is *expected* (None: no file).

    EditConflict if the file holds anything else by then, which stays as it is.
    """
    with prepared(path, content, expected=expected) as put:
        put()


@contextlib.contextmanager
def prepared(
    path: Path, content: bytes, *, expected: str | None, by_way_of: Path | None = None
) -> Iterator[Callable[[], None]]:
    """Do all of a replacement that can fail for want of space; the callable does the rest."""
    ours = digest(content)
    with files.writing(path):
        files.make_folder(path.parent)
        name = f".{path.name}.{ours[:12]}-{(expected or 'new')[:12]}-{os.urandom(4).hex()}.tmp"
        copy = (by_way_of or path.parent) / name
        try:
            _write_copy(copy, content)
            yield lambda: _put(copy, path, ours, expected)
        finally:
            # What somebody else wrote stays for recovery to keep.
            with contextlib.suppress(OSError):
                os.unlink(f"{copy}{_PART}")
            with contextlib.suppress(OSError, StoreError):
                if os.path.lexists(copy) and is_discardable(copy):
                    os.unlink(copy)


def is_copy(name: str) -> bool:
    """Return whether a file's name is one that only a writer at work gives."""
    name = name.removesuffix(_PART)
    return name.endswith(".tmp") and COPY.fullmatch(name) is not None


def is_discardable(copy: Path) -> bool:
    """Return whether a temporary file holds nothing that somebody else wrote."""
    match = COPY.fullmatch(copy.name)
    if match is None:
        return copy.name.endswith(_PART)
    if match["expected"] == "new":  # never exchanged for anything
        return True
    # In this order, as below. One that was in the file's place for a moment may have been opened there.
    is_open = _is_open_for_writing(copy)
    return not is_open and (_digest_at(copy) or "").startswith((match["ours"], match["expected"]))


def _put(copy: Path, path: Path, ours: str, expected: str | None) -> None:
    with files.writing(path):
        if expected is None:
            _link(copy, path)
        else:
            _swap(copy, path, ours, expected)
        files.sync_folder(path.parent)


def _link(copy: Path, path: Path) -> None:
    try:
        os.link(copy, path)
    except FileExistsError:
        raise changed_meanwhile(path) from None
    except OSError as exc:
        if exc.errno not in UNSUPPORTED:
            raise
        if os.path.lexists(path):
            raise changed_meanwhile(path) from None
        os.rename(copy, path)  # a file system without hard links


def _swap(copy: Path, path: Path, ours: str, expected: str) -> None:
    try:
        if not swap(copy, path):
            if _digest_at(path) != expected:
                raise changed_meanwhile(path)
            os.replace(copy, path)
            return
    except FileNotFoundError:
        raise changed_meanwhile(path) from None
    # In this order: whoever had it open and has closed it can write no more.
    if _is_open_for_writing(copy):
        _take_back(copy, path, ours)
        raise _being_written(path)
    if _digest_at(copy) != expected:
        _take_back(copy, path, ours)
        raise changed_meanwhile(path)


def check_whole(path: Path, content: bytes | None) -> None:
    """EditConflict if what was read may be half of a save: somebody is writing, or has written since."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        if content is None:
            return
        raise changed_meanwhile(path) from None
    try:
        if content is not None and _has_writer(descriptor):
            raise _being_written(path)
        if content is None or os.pread(descriptor, len(content) + 1, 0) != content:
            raise changed_meanwhile(path)
    finally:
        os.close(descriptor)


def _is_open_for_writing(path: Path) -> bool:
    """Return whether a program is in the middle of writing the file in place, where the system tells."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return _has_writer(descriptor)
    finally:
        os.close(descriptor)


def _has_writer(descriptor: int) -> bool:
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        import signal  # noqa: PLC0415 - as rarely as a file is watched

        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)  # the usual signal would end the process
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)  # refused while a writer has it open
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as exc:
        return exc.errno == errno.EAGAIN
    return False


def _take_back(copy: Path, path: Path, ours: str) -> None:
    try:
        swap(copy, path)
    except FileNotFoundError:  # deleted meanwhile, perhaps by an editor about to write it anew
        _link(copy, path)
        return
    if _digest_at(copy) != ours:  # saved once more, over ours: that save is the newest
        swap(copy, path)


def _write_copy(copy: Path, content: bytes) -> None:
    """Write the copy under another name first: one that bears its own name is whole."""
    part = f"{copy}{_PART}"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        files.write_all(descriptor, content)
        files.sync(descriptor)
    finally:
        os.close(descriptor)
    os.rename(part, copy)


def _being_written(path: Path) -> EditConflict:
    return EditConflict("{path} is being written by another program; nothing was written", path=str(path))


def _digest_at(path: Path) -> str | None:
    return hash_of(files.read_bytes(path))


_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # the same number in Linux's renameat2 and macOS's renamex_np
UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM}


def swap(one: Path, other: Path) -> bool:
    """Swap two files in one step; False where the system cannot."""
    try:
        if sys.platform == "darwin":
            result = _libc().renamex_np(os.fsencode(one), os.fsencode(other), _RENAME_EXCHANGE)
        else:
            rename = _libc().renameat2
            result = rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    except AttributeError:  # a C library without the call
        return False
    if result == 0:
        return True
    import ctypes  # noqa: PLC0415 - as below

    number = ctypes.get_errno()
    if number in UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(other))


@cache
def _libc() -> "ctypes.CDLL":
    import ctypes  # noqa: PLC0415 - only who writes needs it

    return ctypes.CDLL(None, use_errno=True)


def can_exchange(folder: Path) -> bool:
    """Try it on two files in *folder*."""
    one, other = (folder / f".probe-{os.urandom(4).hex()}" for _ in range(2))
    try:
        one.write_bytes(b"1")
        other.write_bytes(b"2")
        return swap(one, other)
    finally:
        one.unlink(missing_ok=True)
        other.unlink(missing_ok=True)
