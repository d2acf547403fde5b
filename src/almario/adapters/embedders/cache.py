"""Arrays in one file of the user's cache folder, mapped into memory instead of read.

The file is a block with a header (JSON behind its checksum), then the arrays.
It is written under another name and renamed when whole: who finds it can use it.
Who makes it has its lock meanwhile, so that it is made once.
"""

import fcntl
import json
import mmap
import os
import sys
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from almario.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

_HEADER = 4096
_ALIGNMENT = 64
# Who waits for another looks so often how far it is, and gives up after so many seconds.
_POLL, _PATIENCE = 0.05, 60.0

# Hears how far the making of a file is, in steps.
Hear = Callable[[int], object]


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where what can be made again is kept; ALMARIO_CACHE moves it."""
    base = environment.get("XDG_CACHE_HOME", "")
    if sys.platform == "darwin":
        base = "~/Library/Caches"
    elif not os.path.isabs(base):
        base = "~/.cache"
    chosen = environment.get("ALMARIO_CACHE") or os.path.join(base, "almario")
    try:
        return Path(chosen).expanduser()
    except RuntimeError as exc:
        raise ConfigError("{path} names a home folder that is unknown on this machine", path=chosen) from exc


def kept(path: Path) -> "Arrays | None":
    """Return the arrays of a file, or None if it is not there or not as it was written.

    The arrays that were `unchecked` when written are not read to be checked.
    """
    import numpy as np  # noqa: PLC0415 - 100 ms, and only when something is embedded

    try:
        with open(path, "rb") as file:
            entries = _entries(file.read(_HEADER), os.fstat(file.fileno()).st_size)
            if entries is None:
                return None
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:
        return None
    whole = memoryview(content)
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, shape, start, size, checksum in entries:
        if checksum is not None and zlib.crc32(whole[start : start + size]) != checksum:
            return None
        arrays[name] = np.frombuffer(whole[start : start + size], dtype=kind).reshape(shape)
    return arrays


def let_go(array: "NDArray[Any]") -> None:
    """Give back the memory of an array of a file, where it is read here and there: the file has it all.

    For each row that is read, the system maps sixteen pages, so that a process would grow by all of the file.
    """
    whole: Any = array
    while hasattr(whole, "base"):
        whole = whole.base
    content = getattr(whole, "obj", None)
    if isinstance(content, mmap.mmap) and sys.platform == "linux":
        import numpy as np  # noqa: PLC0415 - loaded by now

        begin, own = (
            each.__array_interface__["data"][0] for each in (np.frombuffer(content, np.uint8), array)
        )
        start = -(-(own - begin) // mmap.PAGESIZE) * mmap.PAGESIZE
        if (size := own - begin + array.nbytes - start) > 0:
            content.madvise(mmap.MADV_DONTNEED, start, size)


def _entries(header: bytes, size: int) -> list[Any] | None:
    checksum, _, text = header.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text):
        return None
    found = json.loads(text)
    return found["arrays"] if found["size"] == size else None


@contextmanager
def made_once(path: Path, hear: Hear) -> Iterator[Hear]:
    """Let one process and thread at a time make a file; TimeoutError if another takes too long.

    What is yielded says how far the making is; *hear* hears it, and that of the other who is waited for.
    """
    make_private(path.parent)
    lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        hear(0)
        deadline = time.monotonic() + _PATIENCE
        while not _is_locked(lock):
            if time.monotonic() > deadline:
                raise TimeoutError(f"another process has been making {path.name} for a long time")
            hear(int(os.pread(lock, 1, 0) or b"0"))
            time.sleep(_POLL)

        def tell(step: int) -> None:
            os.pwrite(lock, b"%d" % step, 0)
            hear(step)

        os.pwrite(lock, b"0", 0)
        yield tell
    finally:
        os.close(lock)


def _is_locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def keep(path: Path, arrays: "Arrays", *, unchecked: Collection[str] = ()) -> None:
    """Write the arrays to a file."""
    make_private(path.parent)
    draft = path.with_name(path.name + ".new")
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with open(descriptor, "r+b") as file:
        end = _HEADER
        entries = []
        for name, array in arrays.items():
            content = array.data.cast("B")  # no copy: one of them is large
            checksum = None if name in unchecked else zlib.crc32(content)
            entries.append((name, array.dtype.str, array.shape, end, len(content), checksum))
            file.seek(end)
            file.write(content)
            end += -(-len(content) // _ALIGNMENT) * _ALIGNMENT
        file.truncate(end)
        text = json.dumps({"size": end, "arrays": entries}).encode().ljust(_HEADER - 9)
        if len(text) != _HEADER - 9:
            raise ValueError("too many arrays for the header")
        file.seek(0)
        file.write(b"%08x %s" % (zlib.crc32(text), text))
        file.flush()
        os.fsync(descriptor)  # the unchecked arrays must not be able to come back as zeros after a power cut
        os.rename(draft, path)


def make_private(folder: Path) -> None:
    """Make a folder of the cache that only its owner can enter."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.mkdir(exist_ok=True, mode=0o700)
