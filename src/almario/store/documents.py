"""The files of a folder, by their paths inside it, and which of them can be found by what they say.

Those are every `.md` and the transcripts; not what is hidden (so no version and
no temporary file), not the journal, not a conflict copy.
"""

import contextlib
import os
import re
import stat
import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from almario.domain.documents.document import Document
from almario.domain.plain_text import regex
from almario.domain.turns import ARCHIVE, session_of
from almario.ports import Clock, Holding, Mark
from almario.ports.storing import Holder
from almario.store import files, replacing
from almario.store.journal import LAST, NAME
from almario.store.listing import Listing

# Nothing but a purge rewrites what is below.
READ_ONLY = "memory/snapshots/"
_NOTE = ".md"
_NOT_NOTES = {"journal", "sessions"}
_CONFLICT = regex(r"\.(?:sync-)?conflict-|conflicted copy", re.IGNORECASE)
# For this many seconds, a transcript written by another process may lag behind.
_UNNOTICED = 2.0
# A file's time, size and inode.
_Found = tuple[int, int, int]
# What holds no text: derived, empty, or only numbers (one that is erased would break an account).
_WORDLESS = {".index", "costs"}
_LOCK = regex(r"\.(?:\w+\.)?lock")
_LAST = f"journal/{LAST}"
# What other programs keep of a file.
_FOREIGN = (".swp", ".swo", ".swx", "~", ".bak", ".orig", ".db", ".zip", ".gz", ".tar")


class FolderDocuments:
    """Reads the files of one agent's folder."""

    def __init__(self, root: Path, clock: Clock, listing: Listing, contents: files.Contents) -> None:
        self._root = root
        self._clock = clock
        self._listing = listing
        # Of files right in the folder.
        self._contents = contents
        # What was found in the folders of transcripts, with what would have changed since, and until when.
        self._spoken: dict[str, tuple[files.Status, float, dict[str, _Found]]] = {}
        # What was found last, if nothing of it was about to change, and its marks.
        self._marks: tuple[dict[str, _Found] | None, dict[str, Mark]] = None, {}

    def read(self, name: str, *, whole: bool = False) -> Document:
        """Read a file by its path; *whole*: EditConflict if somebody is in the middle of writing it."""
        path = files.inside(self._root, name)
        content = files.read_bytes(path) if "/" in name else self._contents.read(path)
        if whole:
            replacing.check_whole(path, content)
        is_plain = str(path) == f"{self._root}{os.sep}{name}"  # which is quickly seen, and nearly always so
        return Document(name, content, is_link=not is_plain and path != self._root / name)

    def names(self, folder: str) -> list[str]:
        """Return the paths of the files right in a folder."""
        place = files.inside(self._root, folder)
        names = self._listing.names(str(place))
        return [f"{folder}/{name}" for name in names if os.path.isfile(f"{place}/{name}")]

    def marks(self, known: Collection[str] = ()) -> Mapping[str, Mark]:
        """Return the path of each file that can be found, with its time, size and inode."""
        every = self._listing.walk(
            self._root, lambda path: path not in _NOT_NOTES and not path.rpartition("/")[2].startswith(".")
        )
        found = _marked(self._root, (path for path in every if path in known or _is_note(path)))
        for place in ("sessions/", f"sessions/{ARCHIVE}/"):
            found |= self._transcripts(place, known)
        then, marks = self._marks
        if found == then:
            return marks
        now = int(self._clock().timestamp() * 1e9)
        marks = {
            name: Mark(f"{at}:{size}:{inode}", is_sure=abs(now - at) > files.RECENT_NS)
            for name, (at, size, inode) in found.items()
        }
        self._marks = (found if all(mark.is_sure for mark in marks.values()) else None), marks
        return marks

    def _transcripts(self, place: str, known: Collection[str]) -> dict[str, "_Found"]:
        """Return the transcripts of a folder.

        Whoever writes to one gives the folder a new time; what others do to them is seen a little later.
        """
        folder, now = f"{self._root}/{place}", time.monotonic()
        status = files.status(folder)
        then, until, found = self._spoken.get(place, (None, 0.0, {}))
        if status is None or status != then or now > until:
            names = self._listing.names(folder)
            found = _marked(self._root, (place + n for n in names if place + n in known or session_of(n)))
            if status and status.is_past:
                self._spoken[place] = status, now + _UNNOTICED, found
        return found

    def holdings(self) -> list[Holding]:
        """Return every file that may hold text, and each link that leads out of the folder."""
        found, home = [], self._root.resolve()
        for name in self._listing.walk(self._root, lambda path: path not in _WORDLESS):
            path = self._root / name
            if path.is_symlink():
                found += [] if path.resolve().is_relative_to(home) else [Holding(name, "foreign")]
            elif path.is_file() and name != _LAST and not _LOCK.fullmatch(name):
                found.append(_holding(name))
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


def _is_note(path: str) -> bool:
    name = path.rpartition("/")[2]
    is_text = name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)
    return name.endswith(_NOTE) and name[0] != "." and is_text and not _CONFLICT.search(name)


def _marked(root: Path, paths: Iterable[str]) -> dict[str, _Found]:
    """Return the time, size and inode of each of these that is a file, by its path."""
    found: dict[str, _Found] = {}
    for path in paths:
        try:
            there = os.stat(f"{root}/{path}")
        except OSError:  # gone meanwhile, or a link to nothing
            continue
        if stat.S_ISREG(there.st_mode):
            found[path] = (there.st_mtime_ns, there.st_size, there.st_ino)
    return found
