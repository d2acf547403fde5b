"""A folder as one compressed file, with a list of what it holds that every byte is checked against."""

import contextlib
import gzip
import hashlib
import io
import json
import os
import tarfile
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from almario.domain.messages import Sentence
from almario.domain.records import written
from almario.errors import Damaged, SchemaTooNew
from almario.store import files
from almario.upkeep.age_files import Through

VERSION = 1
MANIFEST = "almario-backup.json"
_PIECE = 1 << 20
# More than this is no list of files.
_LONGEST_MANIFEST = 1 << 28
# What a list, a name or a time raises that nobody but a forger writes.
_NONSENSE = (ValueError, OverflowError, RecursionError)

Progress = Callable[[int, int], None]


def pack(
    stage: IO[bytes],
    to: Path,
    *,
    at: datetime,
    complete: bool = True,
    lock: Through = contextlib.nullcontext,
    progress: Progress | None = None,
) -> None:
    """Write the files of a *stage*, a plain tar, into one new archive, which survives a power cut.

    One that is not *complete* says so of itself. What it is written through may *lock* it.
    """
    stage.seek(0)
    staged = tarfile.open(fileobj=stage, mode="r:")  # noqa: SIM115 - the file is the caller's
    entries = sorted(staged.getmembers(), key=lambda entry: entry.name)
    listed = {entry.name: _sum(staged, entry) for entry in entries}
    marks = {} if complete else {"complete": False}
    head = json.dumps({"v": VERSION, "at": written(at), **marks, "files": listed}).encode()
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file:
        with lock(file) as out, tarfile.open(fileobj=out, mode="w:gz", compresslevel=6) as archive:
            archive.addfile(_entry(MANIFEST, len(head), at.timestamp()), io.BytesIO(head))
            for done, entry in enumerate(entries, 1):
                archive.addfile(entry, staged.extractfile(entry))
                if progress:
                    progress(done, len(entries))
        file.flush()
        files.sync(file.fileno())


def add(stage: tarfile.TarFile, name: str, content: IO[bytes], status: os.stat_result) -> None:
    """Stage a file for packing."""
    stage.addfile(_entry(name, status.st_size, status.st_mtime, status.st_mode), content)


def unpack(path: Path, to: Path | None, *, unlock: Through = contextlib.nullcontext) -> None:
    """Write what an archive holds below *to*; Damaged if it is not, byte for byte, what it says it is.

    With no place *to* write, it is only compared.
    """
    if to:
        files.make_folder(to)
    with (
        files.reading(path),
        _whole(path),
        open(path, "rb") as file,
        unlock(file) as out,
        gzip.open(out) as stream,
    ):
        with tarfile.open(fileobj=stream, mode="r:") as archive:
            missing: dict[str, str] = _head(archive, path)["files"]
            while entry := archive.next():
                if entry.name not in missing or not entry.isfile():
                    raise _damaged(path, Sentence("{name} is not in its list", name=repr(entry.name)))
                found = _write(archive, entry, files.inside(to, entry.name)) if to else _sum(archive, entry)
                if found != missing.pop(entry.name):
                    raise _damaged(path, Sentence("{name} is not what was stored", name=repr(entry.name)))
        while stream.read(_PIECE):  # only at its end is the whole stream checked
            pass
    if missing:
        raise _damaged(path, Sentence("{name} is missing", name=repr(min(missing))))


def is_complete(path: Path) -> bool:
    """Return whether all that was to be packed is in an archive, as far as its list tells."""
    with files.reading(path), _whole(path), tarfile.open(path, "r|gz") as archive:
        return _head(archive, path).get("complete") is not False


@contextlib.contextmanager
def _whole(path: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error, *_NONSENSE) as exc:
        raise _damaged(path, Sentence("it is not an archive, or it is damaged")) from exc


def _sum(archive: tarfile.TarFile, entry: tarfile.TarInfo, to: IO[bytes] | None = None) -> str:
    found, content = hashlib.sha256(), archive.extractfile(entry)
    while content and (piece := content.read(_PIECE)):
        found.update(piece)
        if to:
            to.write(piece)
    return found.hexdigest()


def _entry(name: str, size: int, modified: float, mode: int = 0o600) -> tarfile.TarInfo:
    """Return the head of a file in the archive; whose it was on this machine is nobody's business."""
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = size, modified, mode & 0o700
    return entry


def _head(archive: tarfile.TarFile, path: Path) -> dict[str, Any]:
    first = archive.next()
    content = archive.extractfile(first) if first and first.name == MANIFEST else None
    if content is None or first is None or first.size > _LONGEST_MANIFEST:
        raise _damaged(path, Sentence("it has no list of its files"))
    try:
        head = dict(json.loads(content.read()))
        version, head["files"] = int(head["v"]), dict(head["files"])
    except (ValueError, TypeError, KeyError) as exc:
        raise _damaged(path, Sentence("its list of files cannot be read")) from exc
    if version > VERSION:
        raise SchemaTooNew("{path} was written by a newer Almario; upgrade", path=str(path))
    return head


def _write(archive: tarfile.TarFile, entry: tarfile.TarInfo, place: Path) -> str:
    files.make_folder(place.parent)
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        found = _sum(archive, entry, file)
        file.flush()
        os.fchmod(file.fileno(), entry.mode & 0o700)
    os.utime(place, (entry.mtime, entry.mtime))
    return found


def _damaged(path: Path, why: Sentence) -> Damaged:
    return Damaged("{path} is not a whole backup: {why}", path=str(path), why=why)
