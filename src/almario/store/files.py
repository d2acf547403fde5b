"""Reading and replacing files without losing a byte of anyone's.

A file is replaced by exchanging it with a finished copy and looking at what
came out: if that is not what was read, somebody else wrote meanwhile, and
the exchange is taken back. Where the system has no exchange, the file is
read again just before it is replaced.
"""

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from almario.domain.messages import Sentence
from almario.errors import DocumentError, EditConflict, StoreError

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # the same number in Linux's renameat2 and macOS's renamex_np
_NO_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM}


def digest(content: bytes) -> str:
    """Return the name under which a content is known."""
    return hashlib.sha256(content).hexdigest()


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


def decoded(content: bytes, name: str) -> str:
    """Return a file's text; a byte that is not UTF-8 is refused with its line."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise DocumentError(
            "{path} line {line}: byte {byte} is not UTF-8 text; save the file as UTF-8",
            path=name,
            line=line,
            byte=f"0x{content[exc.start]:02x}",
        ) from exc


def encoded(text: str) -> bytes:
    """Return *text* as UTF-8; half a character is refused."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise StoreError("the text has characters that are not valid Unicode, so it was not stored") from exc


def inside(root: Path, name: str) -> Path:
    """Return where *name* really lies; a link that leaves *root* is refused."""
    home = os.path.realpath(root)
    real = os.path.realpath(os.path.join(home, name))
    if real != home and not real.startswith(home + os.sep):
        raise DocumentError(
            "{path} leads out of the agent's folder, to {target}; put the file itself there",
            path=name,
            target=real,
        )
    return Path(real)


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
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def create(path: Path, content: bytes) -> None:
    """Write a new file; EditConflict if there is one already."""
    with writing(path), _finished_copy(path, content) as copy:
        try:
            os.link(copy, path)
        except FileExistsError:
            raise _changed(path) from None
        except OSError as exc:  # no hard links on this file system
            if exc.errno not in _NO_EXCHANGE:
                raise
            if os.path.lexists(path):
                raise _changed(path) from None
            os.rename(copy, path)
        sync_folder(path.parent)


def replace(path: Path, content: bytes, *, expected: str | None) -> None:
    """Put *content* in the place of the content whose digest is *expected* (None: no file).

    EditConflict if the file holds anything else by then, which stays as it is.
    """
    if expected is None:
        create(path, content)
        return
    with writing(path), _finished_copy(path, content) as copy:
        if not os.path.lexists(path):
            raise _changed(path)
        if not _exchange(copy, path):
            if _digest_at(path) != expected:
                raise _changed(path)
            os.replace(copy, path)
        elif _digest_at(copy) != expected:
            _take_back(copy, path, digest(content))
            raise _changed(path)
        sync_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file, if it is there, for good."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
        sync_folder(path.parent)


def move_aside(path: Path, folder: Path) -> Path:
    """Move a file into *folder* under its name, or a numbered one if that is taken."""
    make_folder(folder)
    place = folder / path.name
    count = 1
    while os.path.lexists(place):
        count += 1
        place = folder / f"{path.stem}-{count}{path.suffix}"
    os.rename(path, place)
    sync_folder(folder)
    sync_folder(path.parent)
    return place


def unreadable(path: Path, exc: OSError) -> StoreError:
    return StoreError("{path} cannot be read: {why}", path=str(path), why=said(exc))


def unwritable(path: Path, exc: OSError) -> StoreError:
    return StoreError("{path} cannot be written: {why}", path=str(path), why=said(exc))


def said(exc: OSError) -> Sentence:
    """Return the system's own words for what went wrong."""
    return Sentence(exc.strerror or str(exc))


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the system's refusal to write at *path* into a StoreError."""
    try:
        yield
    except OSError as exc:
        raise unwritable(path, exc) from exc


def can_exchange(folder: Path) -> bool:
    """Say whether files in *folder* can be exchanged in one step."""
    with _finished_copy(folder / "probe", b"a") as one, _finished_copy(folder / "probe", b"b") as other:
        return _exchange(one, other)


def _changed(path: Path) -> EditConflict:
    return EditConflict("{path} was changed by someone else meanwhile; nothing was written", path=str(path))


def _digest_at(path: Path) -> str | None:
    content = read_bytes(path)
    return None if content is None else digest(content)


def _take_back(copy: Path, path: Path, ours: str) -> None:
    """Put what came out back in its place."""
    _exchange(copy, path)
    if _digest_at(copy) != ours:  # saved once more, over ours: that save is the newest
        _exchange(copy, path)


@contextlib.contextmanager
def _finished_copy(path: Path, content: bytes) -> Iterator[Path]:
    """Write *content* to a temporary file beside *path*, on the disk before it is used."""
    make_folder(path.parent)
    copy = path.parent / f".{path.name}.{os.urandom(6).hex()}.tmp"
    descriptor = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            write_all(descriptor, content)
            sync(descriptor)
        finally:
            os.close(descriptor)
        yield copy
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(copy)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _exchange(one: Path, other: Path) -> bool:
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
    number = ctypes.get_errno()
    if number in _NO_EXCHANGE:
        return False
    raise OSError(number, os.strerror(number), str(other))
