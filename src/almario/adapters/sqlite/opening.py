"""How the database's file is made, opened, recognised and removed."""

import contextlib
import errno
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from almario.domain.messages import sentence_of
from almario.errors import Damaged, StoreBusy, StoreError

if TYPE_CHECKING:
    from apsw import Connection


@contextlib.contextmanager
def named(path: str) -> Iterator[None]:
    """Raise `Damaged` for bytes that are not what was written, and `StoreError` for what cannot be done."""
    import apsw  # noqa: PLC0415 - 5 ms, and only for commands that look into the index

    try:
        yield
    except (apsw.BusyError, apsw.LockedError, apsw.ProtocolError) as exc:
        raise StoreBusy("{path} is in use by another process; try again when it is done", path=path) from exc
    except (apsw.FullError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError) as exc:
        raise StoreError("{path} cannot be written: {why}", path=path, why=str(exc)) from exc
    except apsw.IOError as exc:
        code = getattr(exc, "extendedresult", None)
        if code in (apsw.SQLITE_IOERR_DATA, apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_SHORT_READ):
            raise damaged(path, exc) from exc
        raise StoreError("{path} cannot be written: {why}", path=path, why=str(exc)) from exc
    except (
        apsw.CorruptError,
        apsw.NotADBError,
        apsw.SQLError,  # a table or a column is missing
        apsw.FormatError,
        apsw.ConstraintError,  # a row is there that no index knows
        apsw.MismatchError,
        apsw.TooBigError,
        UnicodeDecodeError,
    ) as exc:
        raise damaged(path, exc) from exc


@contextlib.contextmanager
def handling(path: str) -> Iterator[None]:
    """Raise `Damaged` for a file that vanished, and `StoreError` for what the system refuses."""
    try:
        yield
    except FileNotFoundError as exc:
        raise damaged(path, "there is no file") from exc
    except NotADirectoryError as exc:
        sentence = "{folder} is a file where a folder belongs; delete it, and the index is rebuilt"
        raise StoreError(sentence, folder=os.path.dirname(path)) from exc
    except OSError as exc:
        raise StoreError("{path} cannot be written: {why}", path=path, why=sentence_of(exc)) from exc


def damaged(path: str, why: object) -> Damaged:
    """Return the error for a database whose content cannot be believed."""
    return Damaged("{path} is damaged: {why}", path=path, why=str(why))


_CACHE_KIB = 8192
_SUFFIXES = ("", "-wal", "-shm", "-journal")
# Folders in which earlier versions kept a part of it.
_OLDER = ("past", "cues")
# The checksum of a page lies in its last 8 bytes; byte 20 of the file says how many are set aside.
_RESERVED = 8
_BEGINNING = b"SQLite format 3\0"
# SQLite has the disk give its shared memory one block in so many bytes.
_TOUCHED = 4096
# What SQLite calls of ours, as long as the process lives.
_calls: list[Any] = []

Identity = tuple[int, int, int, int]


def identity(path: Path) -> Identity | None:
    """Return what changes when a file is replaced or written over, or None if there is no file."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def connect(path: Path | None, schema: Iterable[str] = ()) -> "Connection":
    """Open the file, which must be there, or make a database in memory."""
    import apsw  # noqa: PLC0415 - 5 ms, and only for commands that look into the index

    if path is None:
        return _filled(_tuned(apsw.Connection(":memory:")), schema)
    with_checksums = _with_checksums()
    start = _start(path)
    # Without this, one flipped bit in byte 20 would switch all checksums off.
    if len(start) < 100 or start[:16] != _BEGINNING or (with_checksums and start[20] != _RESERVED):
        raise damaged(str(path), "its first bytes are wrong")
    _secure_shared_memory(path.parent)
    connection = _tuned(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=with_checksums))
    # The last one to close would move the log into the file without waiting for the disk (see `settle`).
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    if log_size(path) and not _fits_log(path, connection):
        raise damaged(str(path), "the file is older than the log beside it")
    return connection


def log_size(path: Path) -> int:
    """Return how many bytes of commits are beside the file and not yet in it."""
    try:
        return os.stat(f"{path}-wal").st_size
    except FileNotFoundError:
        return 0


def stamp(path: Path | None, connection: "Connection") -> int:
    """Number this transaction, note at which number the log begins, and return its own."""
    number = int(connection.pragma("user_version"))
    if path and not log_size(path):
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('log begins', ?)", (str(number),))
    connection.pragma("user_version", number + 1)
    return number + 1


def _fits_log(path: Path, connection: "Connection") -> bool:
    """Say whether the file is the one the log was begun for: an older copy would be mixed with it unseen."""
    for _ in range(3):  # another process may be moving the log into the file just now
        in_file = int.from_bytes(_start(path)[60:64], "big")
        row = connection.execute(
            "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'log begins'"
        ).fetchone()
        if row and row[0] <= in_file <= int(connection.pragma("user_version")):
            return True
    return False


def _start(path: Path) -> bytes:
    with open(path, "rb") as file:
        return file.read(100)


def create(path: Path, schema: Iterable[str]) -> None:
    """Make an empty database with its tables, in the place of all older ones; nobody sees it half made.

    Not even while its first words are being written, which may take a while.
    """
    import apsw  # noqa: PLC0415 - 5 ms, and only for commands that look into the index

    os.makedirs(path.parent, mode=0o700, exist_ok=True)
    for name in os.listdir(path.parent):
        if ".db" in name:
            remove(path.parent / name)
        elif name in _OLDER:
            shutil.rmtree(path.parent / name)
    _secure_shared_memory(path.parent)
    new = path.with_name(path.name + ".new")
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with contextlib.closing(apsw.Connection(str(new), vfs=_with_checksums())) as connection:
            connection.reserve_bytes(reserve=_RESERVED)
            _tuned(connection)
            connection.pragma("journal_mode", "WAL")
            connection.pragma("user_version", 1)
            _filled(connection, [*schema, "INSERT INTO meta VALUES ('log begins', '1')"])
    except (apsw.Error, OSError):  # a full disk needs the room
        remove(new)
        raise
    os.rename(new, path)


def _filled(connection: "Connection", schema: Iterable[str]) -> "Connection":
    with connection:
        for statement in schema:
            connection.execute(statement).fetchall()
    return connection


def remove(path: Path) -> None:
    """Delete a database with all that SQLite keeps beside it."""
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{path}{suffix}")


def settle(connection: "Connection", *, wait_ms: int) -> bool:
    """Move the log into the file and empty it; False if somebody still needs it.

    Here alone the disk is waited for: the log must be on it before the file
    changes, and the file before the log is emptied. So a power cut may lose
    the latest commits, and never leaves half of one.
    """
    import apsw  # noqa: PLC0415 - already loaded by the caller

    connection.set_busy_timeout(wait_ms)
    connection.pragma("synchronous", "NORMAL")
    try:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except (apsw.BusyError, apsw.LockedError, apsw.FullError, apsw.IOError):
        return False  # what was committed stands in the log
    finally:
        connection.pragma("synchronous", "OFF")
    return True


def _tuned(connection: "Connection") -> "Connection":
    connection.pragma("synchronous", "OFF")
    connection.pragma("wal_autocheckpoint", 0)  # see `settle`: SQLite would not wait for the disk
    connection.pragma("secure_delete", "ON")
    connection.pragma("cache_size", -_CACHE_KIB)
    connection.pragma("checkpoint_fullfsync", "ON")  # macOS: a plain fsync stops at the drive's cache
    connection.pragma("temp_store", "MEMORY")  # what is sorted is somebody's words: not in /tmp
    return connection


def _secure_shared_memory(folder: Path) -> None:
    """On a disk of small blocks, have SQLite's shared memory get all its room before it is used, or none.

    SQLite writes one byte in each 4 KiB of it. Where blocks are smaller, holes stay between those, and who
    writes there when the disk is full is ended by the system (SIGBUS). No other disk needs it; and a call
    from inside SQLite into Python, where Ctrl-C may come, is nothing to have without need.
    """
    if sys.platform == "linux" and sys.maxsize > 1 << 32 and os.statvfs(folder).f_bsize < _TOUCHED:
        import apsw  # noqa: PLC0415 - already loaded by the caller

        # Without libffi, or where the system lets nobody make such a call, it stays as SQLite has it.
        with contextlib.suppress(ImportError, AttributeError, OSError, MemoryError, apsw.Error):
            _take_room_first()


@cache
def _take_room_first() -> None:
    import ctypes  # noqa: PLC0415 - hardly anybody needs it

    import apsw  # noqa: PLC0415 - already loaded by the caller

    system = ctypes.CDLL(None, use_errno=True)
    number, size = ctypes.c_int, ctypes.c_ssize_t
    kinds = (size, size, number, number, number, size)
    system.mmap.restype, system.mmap.argtypes = size, kinds
    system.fallocate.argtypes = (number, number, size, size)

    def mapped(at: int, length: int, access: int, flags: int, descriptor: int, offset: int) -> int:
        has_room = descriptor < 0 or not system.fallocate(descriptor, 0, offset, length)
        if not has_room and ctypes.get_errno() in (errno.ENOSPC, errno.EDQUOT):
            return -1
        return int(system.mmap(at, length, access, flags, descriptor, offset))

    _calls.append(ctypes.CFUNCTYPE(size, *kinds)(mapped))
    files = apsw.VFS("almario", "unix")
    files.xSetSystemCall("mmap", ctypes.cast(_calls[0], ctypes.c_void_p).value or 0)
    files.unregister()


@cache
def _with_checksums() -> str | None:
    """Return the name of the file layer that checks every page, if this apsw has it."""
    import apsw  # noqa: PLC0415 - already loaded by the caller

    # apsw.sqlite_extra would find it too, for 8 ms of imports.
    folder = Path(apsw.__file__).parent / "sqlite_extra_binaries"
    found = [path for suffix in (".so", ".dylib", ".dll") if (path := folder / f"cksumvfs{suffix}").exists()]
    if not found:
        return None
    with contextlib.closing(apsw.Connection(":memory:")) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1)
        with contextlib.suppress(apsw.ExtensionLoadingError):
            connection.load_extension(str(found[0]))
    return "cksmvfs" if "cksmvfs" in apsw.vfs_names() else None
