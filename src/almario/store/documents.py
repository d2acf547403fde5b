"""The files of a folder, by their paths inside it, and which of them can be found by what they say.

Those are every `.md` and the transcripts; not what is hidden (so no version and
no temporary file), not the journal, not a conflict copy.
"""

import contextlib
import os
import re
import stat
from collections.abc import Collection
from pathlib import Path

from almario.domain.documents.document import Document
from almario.domain.lazy_regex import regex
from almario.domain.turns import ARCHIVE, SUFFIX, session_of
from almario.ports import Clock, Holding, Mark
from almario.ports.storing import Holder
from almario.store import files, replacing
from almario.store.journal import NAME

_NOTE = ".md"
_NOT_NOTES = {"journal", "sessions"}
_CONFLICT = regex(r"\.(?:sync-)?conflict-|conflicted copy", re.IGNORECASE)
# For so long a file may change again and keep its time: then only its content tells.
_RECENT_NS = 2_000_000_000
# What holds no text: derived, empty, or only numbers (one that is erased would break an account).
_WORDLESS = {".index", ".lock", "costs"}
# What other programs keep of a file.
_FOREIGN = (".swp", ".swo", ".swx", "~", ".bak", ".orig", ".db", ".zip", ".gz", ".tar")


class FolderDocuments:
    """Reads the files of one agent's folder."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self._root = root
        self._clock = clock

    def read(self, name: str, *, whole: bool = False) -> Document:
        """Read a file by its path; *whole*: EditConflict if somebody is in the middle of writing it."""
        path = files.inside(self._root, name)
        document = Document(name, files.read_bytes(path), is_link=path != self._root / name)
        if whole:
            replacing.check_whole(path, document.hash)
        return document

    def names(self, folder: str) -> list[str]:
        """Return the paths of the files right in a folder."""
        place = files.inside(self._root, folder)
        with files.reading(place):
            names = sorted(os.listdir(place)) if place.is_dir() else []
        return [f"{folder}/{name}" for name in names if (place / name).is_file()]

    def marks(self, known: Collection[str] = ()) -> dict[str, Mark]:
        """Return the path of each file that can be found, with its time, size and inode."""
        now = int(self._clock().timestamp() * 1e9)
        return {
            name: Mark(f"{time}:{size}:{inode}", is_sure=abs(now - time) > _RECENT_NS)
            for name, (time, size, inode) in _scan(self._root, known).items()
        }

    def holdings(self) -> list[Holding]:
        """Return every file that may hold text, and each link that leads out of the folder."""
        found, home = [], self._root.resolve()
        for folder, inner, names in os.walk(self._root):
            here = Path(folder)
            skipped = _WORDLESS if here == self._root else set()
            inner[:] = sorted(set(inner) - skipped)
            paths = [here / name for name in sorted(set(names) - skipped)]
            plain = [path for path in paths if path.is_file() and not path.is_symlink()]
            found += [_holding(path.relative_to(self._root).as_posix()) for path in plain]
            links = [path for path in (*paths, *(here / name for name in inner)) if path.is_symlink()]
            beyond = [path for path in links if not path.resolve().is_relative_to(home)]
            found += [Holding(path.relative_to(self._root).as_posix(), "foreign") for path in beyond]
        return found

    def add_line(self, name: str, line: bytes) -> None:
        """Add a line by one write; the folder of the agent itself is not made if it is gone."""
        path = files.inside(self._root, name)
        with files.writing(path):
            if path.parent != self._root:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(path.parent, 0o700)
            files.append_line(path, line)


def _holding(name: str) -> Holding:
    top, _, rest = name.partition("/")
    holder: Holder = "document"
    if name.endswith(_FOREIGN):
        holder = "foreign"
    elif top == ".versions":
        holder = "version"
    elif top == "journal" and NAME.fullmatch(rest):
        holder = "journal"
    elif top == "sessions" and session_of(name.rpartition("/")[2]) is not None:
        holder = "transcript"
    return Holding(name, holder)


def _scan(root: Path, known: Collection[str]) -> dict[str, tuple[int, int, int]]:
    """Return the path of each such file with its time, size and inode."""
    found: dict[str, tuple[int, int, int]] = {}
    folders = [("", _NOTE), ("sessions/", SUFFIX), (f"sessions/{ARCHIVE}/", SUFFIX)]
    for place, suffix in folders:  # which grows as we go
        for entry in _entries(root / place):
            path = place + entry.name
            if path in known or (entry.name.endswith(suffix) and _is_name(entry.name, suffix)):
                if mark := _mark(entry):
                    found[path] = mark
            elif suffix == _NOTE and path not in _NOT_NOTES and _is_folder(entry):
                folders.append((f"{path}/", suffix))
    return found


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as exc:
        raise files.unreadable(folder, exc) from exc


def _is_name(name: str, suffix: str) -> bool:
    if suffix == SUFFIX:
        return session_of(name) is not None
    is_text = name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)
    return name[0] != "." and is_text and not _CONFLICT.search(name)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    """Say whether to look inside; links are not followed, as they may lead in circles."""
    return entry.name[0] != "." and entry.is_dir(follow_symlinks=False)


def _mark(entry: "os.DirEntry[str]") -> tuple[int, int, int] | None:
    try:
        there = entry.stat()
    except OSError:  # gone meanwhile, or a link to nothing
        return None
    is_file = stat.S_ISREG(there.st_mode)
    return (there.st_mtime_ns, there.st_size, there.st_ino) if is_file else None
