"""Backups: all of a home in one archive, which is restored once before it counts as one.

Each agent's files are packed while nobody writes in its folder, so an archive
holds a state that was. What can be made again, the index, is left out.
"""

import contextlib
import errno
import gzip
import os
import shlex
import shutil
import stat
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from almario.domain.documents.document import decoded, encoded
from almario.domain.messages import Sentence, sentence_of
from almario.domain.plain_text import regex
from almario.errors import AgentNotFound, ConfigError, Damaged, SoulError, StoreError
from almario.named_tuples import NamedTuple
from almario.ports import Clock
from almario.served import PROJECTS_FILE
from almario.store import files, replacing, toml
from almario.store.files import locked, locked_if_free
from almario.store.home import SETTINGS_FILE, FolderHome, expanded
from almario.store.journal import FolderJournal
from almario.store.papers import KEY_FILE
from almario.upkeep.settings import BackupSettings

FOLDER = "backups"
AGENTS, TRASH = "agents", "trash"
_LOCK = ".lock"
# The name of an archive tells that something is missing from it.
_INCOMPLETE = ".incomplete"
# Earlier versions locked archives with age, by a key in a file of its own, and began plain ones with a list.
_LOCKED, _AGE, _KEY, _LIST = ".age", b"age-encryption.org/", "backup-key.age", "almario-backup.json"
_NAME = regex(
    r"almario-(?P<at>[0-9]{8}T[0-9]{6}Z)(?:-(?P<n>[0-9]{1,9}))?(?:\.incomplete)?\.tar\.gz(?:\.age)?"
)
_STAMP = "%Y%m%dT%H%M%SZ"
# A whole agent is packed while others wait; they give up after as long by default.
_LOCK_SECONDS = 10
# So it is packed fast rather than small.
_LEVEL = 1
_PIECE = 1 << 20
# What is wrong with one folder, and not with the disk that the backup is written on.
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)
_INDEX = ".index"
_SET_ASIDE = f"{SETTINGS_FILE}.from-backup"
_ELSEWHERE = "the agents are kept in {place}; back up that database, for example with pg_dump"

Progress = Callable[[int, int], None]


class Backup(NamedTuple):
    """One archive: when it was made and how large it is; *told* is what is worth knowing of it."""

    path: Path
    at: datetime
    size: int
    told: tuple[Sentence, ...] = ()

    @property
    def is_locked(self) -> bool:
        return self.path.suffix == _LOCKED


class _Packed(NamedTuple):
    """An archive without a name: what is not in it, and what was wrong when it was restored."""

    path: Path
    left_out: list[Sentence]
    damage: list[Sentence]


class Backups:
    """Makes, checks, restores and rotates the backups of one home."""

    def __init__(
        self,
        home: FolderHome,
        clock: Clock,
        settings: BackupSettings | None = None,
        *,
        database: str = "",
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        """*database* is where the agents are kept, if not in folders: whoever keeps it backs it up.

        *prepare* is called before the files are copied.
        """
        self.database = database
        self._prepare = prepare
        self._home = home
        self._clock = clock
        self._settings = settings or BackupSettings()
        folder = self._settings.folder or FOLDER
        self.folder = expanded(folder) if folder.startswith("~") else home.root / folder

    @property
    def nothing(self) -> Sentence:
        """What is said where there is no backup."""
        return Sentence("that of the database") if self.database else Sentence("none yet")

    @property
    def elsewhere(self) -> Sentence | None:
        """What is said where the agents are kept in a database, which others back up."""
        return Sentence(_ELSEWHERE, place=self.database) if self.database else None

    def make(self, progress: Progress | None = None) -> Backup:
        """Put the settings and every agent, the removed ones too, in one archive, and check it."""
        if any(each.is_locked for each in self.all()[:1]):
            sentence = (
                "the backups in {folder} are locked, and new ones would not be; move them elsewhere, "
                'or run "almario backup --to - | age -r KEY > FILE"'
            )
            raise SoulError(sentence, folder=str(self.folder))
        at = self._clock().astimezone(UTC)
        with self._packed(progress) as packed, files.writing(self.folder):
            path = self._free_name(at, f"{_INCOMPLETE * bool(packed.left_out)}.tar.gz")
            os.rename(packed.path, path)
            files.sync_folder(self.folder)
        return Backup(path, at, path.stat().st_size, (*packed.left_out, *packed.damage))

    def write(self, out: IO[bytes], progress: Progress | None = None) -> list[Sentence]:
        """Write such an archive, and keep none here; return what is worth knowing of it."""
        with self._packed(progress) as packed, open(packed.path, "rb") as archive:
            shutil.copyfileobj(archive, out)
            out.flush()
        return [*packed.left_out, *packed.damage]

    def all(self) -> list[Backup]:
        """Return the backups there are, newest first; those that a wrong clock made are the oldest."""
        with files.reading(self.folder):
            names = os.listdir(self.folder) if self.folder.is_dir() else []
            found = [(*made, name) for name in names if (made := _made(name))]
            now = self._clock()
            found.sort(key=lambda one: (one[0] <= now, one), reverse=True)
            return [
                Backup(self.folder / name, at, os.stat(self.folder / name).st_size) for at, _, name in found
            ]

    def clear(self) -> bool:
        """Remove what a killed run left; False if one is under way, of what was there when it began."""
        try:
            with locked_if_free(self.folder / _LOCK) as is_free:
                if is_free:
                    self._remove_left()
                return is_free
        except (AgentNotFound, StoreError):  # where nothing can be written, none is
            return True

    def find(self, wanted: str = "") -> Path:
        """Return the archive that is meant: by its name here, by its path, or the newest."""
        every = self.all()
        if not wanted and not every:
            raise SoulError(
                'there is no backup in {folder} yet; "almario backup" creates one', folder=str(self.folder)
            )
        path = every[0].path if not wanted else self.folder / wanted
        path = path if path.is_file() else expanded(wanted)
        if not path.is_file():
            raise SoulError('there is no backup {path}; "almario backup list" shows them', path=str(path))
        return path

    def check(self, path: Path) -> list[Sentence]:
        """Restore an archive for a moment; tell what is wrong in its journals. Damaged if it is not whole."""
        self._need_unlocked(path)
        with tempfile.TemporaryDirectory(prefix="almario-") as place:
            return self._tried(path, Path(place) / "home")

    def restore(self, path: Path, to: Path) -> list[Sentence]:
        """Put what is in an archive in a folder, which becomes a home; return what is worth telling.

        Nothing there is overwritten: the folder must be new, or empty. A link leads to the folder it names.
        """
        to = Path(os.path.realpath(to))
        if to.exists() and (not to.is_dir() or os.listdir(to)):
            raise SoulError("{path} is not an empty folder; choose another", path=str(to))
        self._check_apart(to)
        self._need_unlocked(path)
        with files.writing(to):
            files.make_folder(to.parent)
            place = Path(tempfile.mkdtemp(prefix=".restoring-", dir=to.parent))
            try:
                _unpack(path, place)
                notices = _settle_paths(place)
                os.rename(place, to)
            finally:
                shutil.rmtree(place, ignore_errors=True)
            files.sync_folder(to.parent)
        return notices

    def rotate(self) -> list[Path]:
        """Remove all but the newest backups that the settings keep; return what was removed.

        While something is left out of all of these, the newest that has it all is kept besides.
        """
        every = [backup.path for backup in self.all()]
        kept, old = every[: self._settings.keep], every[self._settings.keep :]
        if not any(map(_is_complete, kept)):
            spared = next(filter(_is_complete, old), None)
            old = [path for path in old if path != spared]
        for path in old:
            with files.writing(path):
                files.remove(path)
        return old

    @contextlib.contextmanager
    def _packed(self, progress: Progress | None) -> Iterator[_Packed]:
        """Give a checked archive in a folder that goes; one that a killed run left is removed."""
        if self.database:
            raise SoulError(_ELSEWHERE, place=self.database)
        if not self._home.root.is_dir():
            raise self._home.unknown("", [])
        self._prepare()
        with files.writing(self.folder):
            files.make_folder(self.folder)
        with locked(self.folder / _LOCK, seconds=0):
            self._remove_left()
            with files.writing(self.folder):
                work = Path(tempfile.mkdtemp(prefix=".making-", dir=self.folder))
            try:
                made = work / "archive"
                with files.writing(self.folder):
                    left_out = self._pack(made, progress or (lambda done, of: None))
                    damage = self._tried(made, work / "restored")
                yield _Packed(made, left_out, damage)
            finally:
                shutil.rmtree(work, ignore_errors=True)

    def _need_unlocked(self, path: Path) -> None:
        """Refuse what an earlier version locked, and say how it is unlocked."""
        with files.reading(path), open(path, "rb") as archive:
            if archive.read(len(_AGE)) != _AGE:
                return
        own = (place / _KEY for place in (path.parent, self._home.root))
        key = next(filter(Path.is_file, own), "KEY")
        plain = path.with_suffix("") if path.suffix == _LOCKED else f"{path}.tar.gz"
        how = f"age -d -i {shlex.quote(str(key))} {shlex.quote(str(path))} > {shlex.quote(str(plain))}"
        raise SoulError('{path} is locked; unlock it with "{how}"', path=str(path), how=how)

    def _remove_left(self) -> None:
        for left in self.folder.glob(".making-*"):
            shutil.rmtree(left, ignore_errors=True)

    def _pack(self, to: Path, progress: Progress) -> list[Sentence]:
        """Write the home into a new archive, which survives a power cut; return what is not in it."""
        descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=_LEVEL) as archive:
                left_out = self._add_all(archive, progress)
            file.flush()
            files.sync(file.fileno())
        return left_out

    def _add_all(self, archive: tarfile.TarFile, progress: Progress) -> list[Sentence]:
        left_out = list[Sentence]()
        # With these, a home comes back as it was.
        for name in (SETTINGS_FILE, KEY_FILE, _KEY, PROJECTS_FILE):
            left_out += _add_file(self._home.root / name, name, archive)
        with self._home.locked():  # or an agent that is brought back at this moment would be seen nowhere
            places = [(agent.path, f"{AGENTS}/{agent.id}") for agent in self._home.agents()]
            gone = [trashed.folder for trashed in self._home.trash() if trashed.folder]
            places += [(folder, f"{TRASH}/{folder.name}") for folder in gone]
        for done, (path, name) in enumerate(places, 1):
            try:
                with locked(path / ".lock", seconds=_LOCK_SECONDS):
                    left_out += _add_folder(path, name, archive, without=self.folder)
            except AgentNotFound as exc:  # removed meanwhile, or a folder elsewhere that is not there
                left_out.append(sentence_of(exc))
            except StoreError as exc:
                if not isinstance(exc.__cause__, OSError) or exc.__cause__.errno not in _REFUSED:
                    raise
                left_out.append(_left_out(path, exc.__cause__))
            progress(done, len(places))
        return left_out

    def _tried(self, path: Path, place: Path) -> list[Sentence]:
        _unpack(path, place)
        return _damages([*(place / AGENTS).glob("*"), *(place / TRASH).glob("*")], self._clock)

    def _check_apart(self, to: Path) -> None:
        """Refuse a place among the agents: what is restored would be one, or a part of one."""
        root = self._home.root
        taken = [root / AGENTS, root / TRASH, *(agent.path for agent in self._home.agents())]
        if any(Path(os.path.realpath(folder)) in (to, *to.parents) for folder in taken):
            sentence = "{path} overlaps with the home or another agent; choose another folder"
            raise SoulError(sentence, path=str(to))

    def _free_name(self, at: datetime, ending: str) -> Path:
        path = self.folder / f"almario-{at:{_STAMP}}{ending}"
        count = 1
        while path.exists():
            count += 1
            path = path.with_name(f"almario-{at:{_STAMP}}-{count}{ending}")
        return path


def _is_complete(path: Path) -> bool:
    """Return whether all was there when an archive was made; plain ones of earlier versions say so inside."""
    if _INCOMPLETE in path.name or path.suffix == _LOCKED:
        return _INCOMPLETE not in path.name
    try:
        with files.reading(path), _whole(path), tarfile.open(path, "r|gz") as archive:
            first = archive.next()
            head = archive.extractfile(first) if first and first.name == _LIST else None
            return not head or b'"complete": false' not in head.read(200)
    except (Damaged, StoreError):
        return False


def _unpack(path: Path, to: Path) -> None:
    """Write what an archive holds below *to*; Damaged if it is not all as it was packed."""
    files.make_folder(to)
    with files.reading(path), _whole(path), gzip.open(path) as stream:
        with tarfile.open(fileobj=stream, mode="r:") as archive:
            while entry := archive.next():
                content = archive.extractfile(entry) if entry.isfile() else None
                if content is None:
                    raise _damaged(path, Sentence("{name} is no file", name=repr(entry.name)))
                if entry.name != _LIST:
                    _write(entry, content, files.inside(to, entry.name))
        while stream.read(_PIECE):  # only at its end is the whole stream checked
            pass


def _write(entry: tarfile.TarInfo, content: IO[bytes], place: Path) -> None:
    files.make_folder(place.parent)
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        shutil.copyfileobj(content, file, _PIECE)
        file.flush()
        os.fchmod(file.fileno(), entry.mode & 0o700)
    os.utime(place, (entry.mtime, entry.mtime))


# What an archive raises that was cut or changed, or that a forger wrote.
_NONSENSE: tuple[type[Exception], ...] = (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error)
_NONSENSE += (ValueError, OverflowError, RecursionError)


@contextlib.contextmanager
def _whole(path: Path) -> Iterator[None]:
    try:
        yield
    except _NONSENSE as exc:
        raise _damaged(path, Sentence("it is not an archive, or it is damaged")) from exc


def _damaged(path: Path, why: Sentence) -> Damaged:
    return Damaged("{path} is not a whole backup: {why}", path=str(path), why=why)


def _made(name: str) -> tuple[datetime, int] | None:
    """Return when an archive of that name was made, and which of that second it is; None if it is none."""
    match = _NAME.fullmatch(name)
    try:
        at = datetime.strptime(match["at"], _STAMP).replace(tzinfo=UTC) if match else None
    except ValueError:  # a month 13
        return None
    return (at, int(match["n"] or 1)) if match and at else None


def _add_folder(folder: Path, to: str, archive: tarfile.TarFile, *, without: Path) -> list[Sentence]:
    """Pack what a folder holds, *without* the backups that lie in it; return what cannot be read.

    A link to a file is packed as the file, one to a folder is left out and told; what has no content,
    such as a pipe, is left out.
    """
    notices: list[Sentence] = []
    try:
        entries = list(os.scandir(folder))
    except OSError as exc:
        return [_left_out(folder, exc)]
    for entry in entries:
        path, name = folder / entry.name, f"{to}/{entry.name}"
        if entry.is_symlink() and path.is_dir() and entry.name != _INDEX:
            notices.append(_left_out(path, Sentence("it is a link to a folder")))
        elif entry.is_dir(follow_symlinks=False):
            if entry.name != _INDEX and not path.samefile(without):
                notices += _add_folder(path, name, archive, without=without)
        elif not _is_passing(entry.name):
            notices += _add_file(path, name, archive)
    return notices


def _add_file(path: Path, to: str, archive: tarfile.TarFile) -> list[Sentence]:
    """Pack a file as it is; what cannot be opened is told, what cannot be written is an error."""
    try:
        # Whoever opens a pipe would wait for somebody to write into it.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as exc:
        is_nothing = exc.errno in (errno.ENOENT, errno.ELOOP, errno.ENXIO)
        return [] if is_nothing else [_left_out(path, exc)]
    try:
        if stat.S_ISREG((status := os.fstat(descriptor)).st_mode):
            entry = tarfile.TarInfo(to)  # whose it was on this machine is nobody's business
            entry.size, entry.mtime, entry.mode = status.st_size, status.st_mtime, status.st_mode & 0o700
            with open(descriptor, "rb", closefd=False) as source:
                archive.addfile(entry, source)
    finally:
        os.close(descriptor)
    return []


def _left_out(path: Path, why: OSError | Sentence) -> Sentence:
    sentence = why if isinstance(why, Sentence) else sentence_of(why)
    return Sentence("{path} is not in the backup: {why}", path=str(path), why=sentence)


def _is_passing(name: str) -> bool:
    """Return whether a file is of use only to the process that made it."""
    return replacing.is_copy(name) or (name.startswith(".") and name.endswith(".lock"))


def _damages(folders: Iterable[Path], clock: Clock) -> list[Sentence]:
    """Read every journal of these agents, and tell what is damaged."""
    found = []
    for folder in sorted(folders):
        for damage in FolderJournal(folder / "journal", clock).check():
            place = f"{folder.name}/{damage.place}"
            found.append(Sentence("{place} {problem}", place=place, problem=damage.problem))
    return found


def _settle_paths(home: Path) -> list[Sentence]:
    """Take folders elsewhere out of restored settings, since what was in them lies in this home."""
    path = home / SETTINGS_FILE
    if not path.is_file():
        return []
    try:
        text = decoded(path.read_bytes(), SETTINGS_FILE)
        path.write_bytes(encoded(toml.without_agent_paths(text)))
    except (ConfigError, SoulError) as exc:
        os.rename(path, path.with_name(_SET_ASIDE))
        sentence = "the settings were set aside as {path}: {why}"
        return [Sentence(sentence, path=_SET_ASIDE, why=sentence_of(exc))]
    return []
