"""What is to be imported: a file, a folder or a zip, as entries that are read as streams.

Nothing is unpacked to the disk, and no link is followed. What is larger than anything of its kind, or
unpacks to far more than it is, is refused.
"""

import json
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from almario.domain.messages import Sentence
from almario.errors import SoulError
from almario.named_tuples import NamedTuple

# A file that is read whole may be so large; longer ones are read piece by piece, where a kind can.
WHOLE = 64 * 2**20
TOO_LONG = Sentence("it is too long")
_ENTRIES = 200_000
# Text that people and models write unpacks to five or ten times its size; a bomb to a thousand.
_RATIO, _RATIO_FROM = 100, 2**20
_LOCAL_ZIP = b"PK\x03\x04"


class Entry(NamedTuple):
    """A file of an export: its *name* there, with slashes, and its *size*."""

    name: str
    size: int
    opened: Callable[[], Any]

    @property
    def last(self) -> str:
        """Its name without folders."""
        return self.name.rpartition("/")[2]

    @contextmanager
    def stream(self) -> Iterator[IO[bytes]]:
        """Open it; ValueError if it is damaged."""
        try:
            with self.opened() as file:
                yield file
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as exc:
            raise ValueError(Sentence("it is damaged")) from exc

    def content(self) -> bytes:
        """Return all of it; ValueError if it is damaged or too long to be read whole."""
        if self.size > WHOLE:
            raise ValueError(TOO_LONG)
        with self.stream() as file:
            content = file.read(WHOLE + 1)
        if len(content) > WHOLE:
            raise ValueError(TOO_LONG)
        return content

    def text(self) -> str:
        """Return all of it as text; ValueError if it is none."""
        return self.content().decode("utf-8-sig")

    def lines(self) -> Iterator[bytes]:
        """Yield its lines; one that is longer than `WHOLE` comes in pieces.

        Only a line feed ends one, as a text may hold others that look like an end.
        """
        with self.stream() as file:
            while line := file.readline(WHOLE + 1):
                yield line

    def values(self) -> Iterator[tuple[int, Any]]:
        """Yield the number and JSON value of each line; in the place of one that is none, the error."""
        for number, line in enumerate(self.lines(), 1):
            if line.strip():
                try:
                    yield number, json.loads(line)
                except (ValueError, RecursionError):
                    yield number, ValueError(Sentence("it is no JSON"))

    def start(self, most: int = 4096) -> bytes:
        """Return how it begins; nothing if it cannot be read."""
        try:
            with self.stream() as file:
                return file.read(most)
        except (ValueError, OSError):
            return b""


class Export(NamedTuple):
    """An export as somebody gave it: where it is, its entries by name, and what was left out of them."""

    path: Path
    entries: tuple[Entry, ...]
    left: tuple[tuple[str, Sentence], ...] = ()

    @property
    def name(self) -> str:
        return self.path.name

    def ending(self, *endings: str) -> Iterator[Entry]:
        """Yield the entries whose names end so."""
        return (entry for entry in self.entries if entry.name.lower().endswith(endings))

    def top(self, name: str) -> Entry | None:
        """Return the entry of that name in the export's own folder, not in one below."""
        return next((entry for entry in self.entries if entry.name == name), None)


@contextmanager
def opened(path: Path) -> Iterator[Export]:
    """Open what is to be imported; SoulError if it is nothing that can be."""
    with ExitStack() as stack:
        if path.is_dir():
            yield _folder(path)
        elif not path.exists():
            raise SoulError("there is no file or folder {path}", path=str(path))
        elif not path.is_file():
            raise SoulError("{path} is neither a file nor a folder", path=str(path))
        elif _is_zip(path):
            yield _zip(path, stack)
        else:
            yield Export(path, (Entry(path.name, path.stat().st_size, partial(open, path, "rb")),))


def _is_zip(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == _LOCAL_ZIP


def _folder(path: Path) -> Export:
    entries: list[Entry] = []
    left: list[tuple[str, Sentence]] = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            file = Path(folder, name)
            own = file.relative_to(path).as_posix()
            there = file.lstat()
            if not stat.S_ISREG(there.st_mode):
                left.append((own, Sentence("it is a link or no file; links are not followed")))
            elif not name.startswith("."):
                entries.append(Entry(own, there.st_size, partial(open, file, "rb")))
        if len(entries) > _ENTRIES:
            raise SoulError("{path} has more than {most} files", path=str(path), most=_ENTRIES)
    return Export(path, tuple(entries), tuple(left))


def _zip(path: Path, stack: ExitStack) -> Export:
    try:
        archive = stack.enter_context(zipfile.ZipFile(path))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as exc:
        raise SoulError("{path} is a damaged zip file; export it again", path=str(path)) from exc
    files = [each for each in archive.infolist() if not each.is_dir()]
    if len(files) > _ENTRIES:
        raise SoulError("{path} has more than {most} files", path=str(path), most=_ENTRIES)
    for each in files:
        if each.file_size > max(_RATIO_FROM, _RATIO * each.compress_size):
            sentence = (
                "{path} unpacks to far more than it is ({name}), as no export does; nothing was imported"
            )
            raise SoulError(sentence, path=str(path), name=each.filename)
    readable = [each for each in files if not each.flag_bits & 1]
    entries = [Entry(each.filename, each.file_size, partial(archive.open, each)) for each in readable]
    left = [(each.filename, Sentence("it is encrypted")) for each in files if each not in readable]
    return Export(path, tuple(entries), tuple(left))
