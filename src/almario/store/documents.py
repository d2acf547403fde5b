"""The files of a folder, by their paths inside it, and which of them can be found by what they say.

Those are every `.md` and the transcripts; not what is hidden (so no version and
no temporary file), not the journal, not a conflict copy.
"""

import contextlib
import os
import re
import stat
from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path

from almario.domain.documents.lines import Document, digest
from almario.domain.model import Version
from almario.domain.plain_text import regex
from almario.domain.read_models import VERSIONS, Follower, version_named, versions_of
from almario.domain.turns import ARCHIVE, SUFFIX, session_of
from almario.errors import Damaged, SoulError
from almario.named_tuples import NamedTuple
from almario.ports import Clock, Holding, Mark
from almario.ports.storing import Holder
from almario.store import files, replacing
from almario.store.journal import LAST, NAME
from almario.store.settings import VersionSettings

_NOTE = ".md"
_NOT_NOTES = {"journal", "sessions"}
_CONFLICT = regex(r"\.(?:sync-)?conflict-|conflicted copy", re.IGNORECASE)
# For so long a file may change again and keep its time: then only its content tells.
_RECENT_NS = 2_000_000_000
# What holds no text: derived, empty, or only numbers (one that is erased would break an account).
_WORDLESS = {".index", "costs"}
_LOCK = regex(r"\.(?:\w+\.)?lock")
_LAST = f"journal/{LAST}"
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
            paths = [here / name for name in sorted(names)]
            plain = [path for path in paths if path.is_file() and not path.is_symlink()]
            own = [path.relative_to(self._root).as_posix() for path in plain]
            found += [_holding(name) for name in own if name != _LAST and not _LOCK.fullmatch(name)]
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


# So much time is believed to lie between two versions at most: a clock that says more may be wrong.
_LEAP = timedelta(days=7)


class Dated(NamedTuple):
    """A content's hash and the day it was current on."""

    hash: str
    day: date


def hashes_to_keep(history: Sequence[Dated], today: date, settings: VersionSettings) -> set[str]:
    """Choose from *history* (oldest first): the first, the newest, and each recent day's last."""
    if not history:
        return set()
    kept = {history[0].hash}
    kept.update(entry.hash for entry in history[-settings.keep :])
    since = today - timedelta(days=settings.days)
    last_of_day = {entry.day: entry.hash for entry in history if entry.day >= since}
    return kept | set(last_of_day.values())


def believed_day(history: Sequence[Dated], today: date) -> date:
    """Return the latest day that it can be, however far the clock has leapt since some version."""
    days = [*(entry.day for entry in history), today]
    believed = days[0]
    for before, day in pairwise(days):
        believed = min(day, believed + min(max(day - before, timedelta()), _LEAP))
    return believed


class FolderVersions:
    """Keeps contents in `.versions/<file>/<hash>` and tells their history from the journal."""

    def __init__(self, folder: Path, follower: Follower, settings: VersionSettings) -> None:
        self._folder = folder
        self._follower = follower
        self.settings = settings

    @property
    def enabled(self) -> bool:
        return self.settings.enabled

    def put(self, file: str, content: bytes) -> str:
        """Keep a content and return its hash."""
        name = digest(content)
        path = self._path(file, name)
        if files.read_bytes(path) != content:
            files.remove(path)  # there only if its bytes were damaged
            replacing.create(path, content)
        return name

    def has(self, file: str, name: str) -> bool:
        """Say whether a content is still kept."""
        return self._path(file, name).is_file()

    def is_intact(self, file: str, name: str) -> bool:
        """Say whether a content is still kept as it was."""
        content = files.read_bytes(self._path(file, name))
        return content is not None and digest(content) == name

    def content(self, file: str, name: str) -> bytes:
        """Return a kept content; Damaged if its bytes do not fit its hash."""
        content = files.read_bytes(self._path(file, name))
        if content is None:
            raise SoulError("version {hash} of {file} is no longer kept", hash=name[:12], file=file)
        if digest(content) != name:
            raise Damaged("{path} is not what was stored there", path=str(self._path(file, name)))
        return content

    def text(self, file: str, name: str) -> str:
        """Return a kept content as text, whatever its bytes are."""
        return self.content(file, name).decode("utf-8", "replace")

    def heads(self) -> dict[str, str | None]:
        """Return the hash of each soul file's latest content."""
        return {version.file: version.hash for version in self._follower.rows(VERSIONS).values()}

    def history(self, file: str) -> list[Version]:
        """Return all the versions that *file* has had, oldest first."""
        return versions_of(self._follower.rows(VERSIONS).values(), file, self.has)

    def find(self, file: str, wanted: str) -> Version:
        """Return the version with that number or that beginning of a hash."""
        return version_named(self.history(file), file, wanted)

    def prune(self, file: str, *, clock: Clock, zone: tzinfo) -> None:
        """Delete the contents that the settings do not keep."""
        history = [
            Dated(version.hash, version.at.astimezone(zone).date())
            for version in self.history(file)
            if version.hash is not None
        ]
        today = believed_day(history, clock().astimezone(zone).date())
        kept = hashes_to_keep(history, today, self.settings)
        doomed = {entry.hash for entry in history} - kept
        for name in doomed - self._proposed(file, clock()) - self._pinned(file) if doomed else ():
            files.remove(self._path(file, name))

    def _proposed(self, file: str, now: datetime) -> set[str]:
        """Return the contents that the open proposals for a file are about."""
        from almario.domain.proposal import has_passed  # noqa: PLC0415 - only when versions are deleted
        from almario.domain.soul_models import PROPOSALS  # noqa: PLC0415 - as above

        made = self._follower.rows(PROPOSALS).values()
        waiting = [each.body for each in made if not each.answers and not each.body.why]
        own = [body for body in waiting if body.file == file and not has_passed(body.until, now)]
        return {name for body in own for name in (body.from_ or "", body.to)}

    def _pinned(self, file: str) -> set[str]:
        """Return the contents of a file that drift was ever measured against by the owner's wish."""
        from almario.domain.soul_models import DRIFT  # noqa: PLC0415 - as above

        pins = [mark.files for mark in self._follower.rows(DRIFT).values() if mark.kind == "pinned"]
        return {pin[file] for pin in pins if file in pin}

    def _path(self, file: str, name: str) -> Path:
        return self._folder / file / os.path.basename(name)
