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

VERSION = 1
MANIFEST = "almario-backup.json"
_PIECE = 1 << 20
# More than this is no list of files.
_LONGEST_MANIFEST = 1 << 28
# What a list, a name or a time raises that nobody but a forger writes.
_NONSENSE = (ValueError, OverflowError, RecursionError)

Progress = Callable[[int, int], None]


def pack(
    folder: Path, to: Path, *, at: datetime, complete: bool = True, progress: Progress | None = None
) -> None:
    """Write all files below *folder* into one new archive; when this returns, it survives a power cut.

    One that is not *complete* says so of itself.
    """
    names = sorted(_names(folder))
    listed = {name: _sum(folder / name) for name in names}
    told = {} if complete else {"complete": False}
    head = json.dumps({"v": VERSION, "at": written(at), **told, "files": listed}).encode()
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
        archive.addfile(_entry(MANIFEST, len(head), at.timestamp()), io.BytesIO(head))
        for done, name in enumerate(names, 1):
            with open(folder / name, "rb") as content:
                status = os.fstat(content.fileno())
                archive.addfile(_entry(name, status.st_size, status.st_mtime, status.st_mode), content)
            if progress:
                progress(done, len(names))
        archive.close()
        file.flush()
        files.sync(file.fileno())


def unpack(path: Path, to: Path) -> None:
    """Write what an archive holds below *to*; Damaged if it is not, byte for byte, what it says it is."""
    files.make_folder(to)
    with files.reading(path), _whole(path), gzip.open(path) as stream:
        with tarfile.open(fileobj=stream, mode="r:") as archive:
            missing: dict[str, str] = _head(archive, path)["files"]
            while entry := archive.next():
                if entry.name not in missing or not entry.isfile():
                    raise _damaged(path, Sentence("{name} is not in its list", name=repr(entry.name)))
                _write(archive, entry, files.inside(to, entry.name), missing.pop(entry.name), path)
        for _ in _pieces(stream):  # only at its end is the whole stream checked
            pass
    if missing:
        raise _damaged(path, Sentence("{name} is missing", name=repr(min(missing))))


def is_complete(path: Path) -> bool:
    """Say whether all that was to be packed is in an archive, as far as its list tells."""
    with files.reading(path), _whole(path), tarfile.open(path, "r|gz") as archive:
        return _head(archive, path).get("complete") is not False


@contextlib.contextmanager
def _whole(path: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error, *_NONSENSE) as exc:
        raise _damaged(path, Sentence("it is not an archive, or it is damaged")) from exc


def _names(folder: Path) -> Iterator[str]:
    for here, _, names in os.walk(folder):
        yield from (Path(here, name).relative_to(folder).as_posix() for name in names)


def _sum(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
        said = dict(json.loads(content.read()))
        version, said["files"] = int(said["v"]), dict(said["files"])
    except (ValueError, TypeError, KeyError) as exc:
        raise _damaged(path, Sentence("its list of files cannot be read")) from exc
    if version > VERSION:
        raise SchemaTooNew("{path} was written by a newer Almario; upgrade", path=str(path))
    return said


def _write(archive: tarfile.TarFile, entry: tarfile.TarInfo, place: Path, wanted: str, path: Path) -> None:
    content = archive.extractfile(entry)
    files.make_folder(place.parent)
    found = hashlib.sha256()
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        for piece in _pieces(content):
            found.update(piece)
            file.write(piece)
        file.flush()
        os.fchmod(file.fileno(), entry.mode & 0o700)
    os.utime(place, (entry.mtime, entry.mtime))
    if found.hexdigest() != wanted:
        raise _damaged(path, Sentence("{name} is not what was stored", name=repr(entry.name)))


def _pieces(content: IO[bytes] | gzip.GzipFile | None) -> Iterator[bytes]:
    while content and (piece := content.read(_PIECE)):
        yield piece


def _damaged(path: Path, why: Sentence) -> Damaged:
    return Damaged("{path} is not a whole backup: {why}", path=str(path), why=why)
