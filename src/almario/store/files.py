"""Reading and replacing files without losing a byte of anyone's.

A file is replaced by exchanging it with a finished copy and looking at what
came out: if that is not what was read, somebody else wrote meanwhile, and
the exchange is taken back. Where the system has no exchange, the file is
read again just before it is replaced.
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from almario.domain.messages import Sentence
from almario.errors import DocumentError, EditConflict, StoreError
from almario.store import exchange

# A temporary file tells whose content it may hold: ours, or what it was to be exchanged for.
COPY = re.compile(r"\.(?P<name>.+)\.(?P<ours>[0-9a-f]{12})-(?P<expected>[0-9a-f]{12}|new)-[0-9a-f]{8}\.tmp")
# A copy that is not whole yet.
_PART = ".part"


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
    if "\0" in name:
        raise DocumentError("{path} is no file's name", path=repr(name))
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
    """Write every byte, however few the system takes at a time."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def create(path: Path, content: bytes) -> None:
    """Write a new file; EditConflict if there is one already."""
    replace(path, content, expected=None)


def replace(path: Path, content: bytes, *, expected: str | None) -> None:
    """Put *content* in the place of the content whose digest is *expected* (None: no file).

    EditConflict if the file holds anything else by then, which stays as it is.
    """
    with prepared(path, content, expected=expected) as put:
        put()


@contextlib.contextmanager
def prepared(path: Path, content: bytes, *, expected: str | None) -> Iterator[Callable[[], None]]:
    """Do all of a replacement that can fail for want of space; the callable does the rest."""
    ours = digest(content)
    with writing(path):
        make_folder(path.parent)
        copy = path.parent / f".{path.name}.{ours[:12]}-{(expected or 'new')[:12]}-{os.urandom(4).hex()}.tmp"
        try:
            _write_copy(copy, content)
            yield lambda: _put(copy, path, ours, expected)
        finally:
            _discard(copy, path)


def is_copy(name: str) -> bool:
    """Say whether a file's name is one that only a writer at work gives."""
    return COPY.fullmatch(name.removesuffix(_PART)) is not None


def is_discardable(copy: Path, path: Path) -> bool:
    """Say whether a temporary file holds nothing that somebody else wrote."""
    match = COPY.fullmatch(copy.name)
    if match is None:
        return copy.name.endswith(_PART)
    if match["expected"] == "new":  # never exchanged for anything
        return True
    known = (match["ours"], match["expected"])
    in_place = _digest_at(path)
    was_exchanged = in_place is None or not in_place.startswith(match["expected"])
    return not was_exchanged or (_digest_at(copy) or "").startswith(known)


def _put(copy: Path, path: Path, ours: str, expected: str | None) -> None:
    with writing(path):
        if expected is None:
            _link(copy, path)
        else:
            _swap(copy, path, ours, expected)
        sync_folder(path.parent)


def _link(copy: Path, path: Path) -> None:
    try:
        os.link(copy, path)
    except FileExistsError:
        raise _changed(path) from None
    except OSError as exc:
        if exc.errno not in exchange.UNSUPPORTED:
            raise
        if os.path.lexists(path):
            raise _changed(path) from None
        os.rename(copy, path)  # a file system without hard links


def _swap(copy: Path, path: Path, ours: str, expected: str) -> None:
    try:
        if not exchange.swap(copy, path):
            if _digest_at(path) != expected:
                raise _changed(path)
            os.replace(copy, path)
            return
    except FileNotFoundError:
        raise _changed(path) from None
    if _digest_at(copy) != expected:
        _take_back(copy, path, ours)
        raise _changed(path)
    if _is_open_for_writing(copy):
        _take_back(copy, path, ours)
        sentence = "{path} is being written by another program; nothing was written"
        raise EditConflict(sentence, path=str(path))


def _is_open_for_writing(path: Path) -> bool:
    """Say whether a program is in the middle of writing the file in place, where the system tells."""
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)  # the usual signal would end the process
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)  # refused while a writer has it open
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as exc:
        return exc.errno == errno.EAGAIN
    finally:
        os.close(descriptor)
    return False


def _take_back(copy: Path, path: Path, ours: str) -> None:
    """Put what came out back in its place."""
    try:
        exchange.swap(copy, path)
    except FileNotFoundError:  # deleted meanwhile, perhaps by an editor about to write it anew
        _link(copy, path)
        return
    if _digest_at(copy) != ours:  # saved once more, over ours: that save is the newest
        exchange.swap(copy, path)


def _discard(copy: Path, path: Path) -> None:
    """Remove the copy; what somebody else wrote stays for recovery to keep."""
    with contextlib.suppress(OSError):
        os.unlink(f"{copy}{_PART}")
    with contextlib.suppress(OSError, StoreError):
        if os.path.lexists(copy) and is_discardable(copy, path):
            os.unlink(copy)


def _write_copy(copy: Path, content: bytes) -> None:
    """Write the copy under another name first: one that bears its own name is whole."""
    part = f"{copy}{_PART}"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        write_all(descriptor, content)
        sync(descriptor)
    finally:
        os.close(descriptor)
    os.rename(part, copy)


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


def _changed(path: Path) -> EditConflict:
    return EditConflict("{path} was changed by someone else meanwhile; nothing was written", path=str(path))


def _digest_at(path: Path) -> str | None:
    content = read_bytes(path)
    return None if content is None else digest(content)
