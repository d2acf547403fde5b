"""Backups: all of a home in one archive, which is restored once before it counts as one.

Each agent's files are copied while nobody writes in its folder, so an archive
holds a state that was; it is packed and checked afterwards. What can be made
again, the index, is left out. The copy has no name on the disk, so a run that
is killed leaves none; of a locked archive nothing unlocked is written at all.
"""

import contextlib
import errno
import os
import shutil
import stat
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from almario.domain.documents.document import decoded, encoded
from almario.domain.messages import Sentence, sentence_of
from almario.domain.plain_text import regex
from almario.errors import AgentNotFound, AlmarioError, ConfigError, SoulError, StoreError
from almario.named_tuples import NamedTuple
from almario.ports import Clock
from almario.served import PROJECTS_FILE
from almario.store import files, replacing, toml
from almario.store.files import locked, locked_if_free
from almario.store.home import (
    RESTORE_TOKEN,
    RESTORING,
    SETTINGS_FILE,
    FolderHome,
    expanded,
    is_restore,
    restoring_at,
)
from almario.store.journal import FolderJournal
from almario.store.papers import KEY_FILE
from almario.upkeep import age_files
from almario.upkeep.age_files import Through
from almario.upkeep.archive import Progress, add, is_complete, pack, unpack
from almario.upkeep.settings import BackupSettings

FOLDER = "backups"
AGENTS, TRASH = "agents", "trash"
_LOCK = ".lock"
# That something is missing from a locked archive only its name tells those who cannot unlock it.
_ENDING, _LOCKED, _INCOMPLETE = ".tar.gz", ".age", ".incomplete"
_NAME = regex(
    r"almario-(?P<at>[0-9]{8}T[0-9]{6}Z)(?:-(?P<n>[0-9]{1,9}))?(?:\.tar\.gz|(?:\.incomplete)?\.tar\.gz\.age)"
)
# The home's own key to its archives, which a passphrase locks; it lies beside them, too.
BACKUP_KEY = "backup-key.age"
_STAMP = "%Y%m%dT%H%M%SZ"
# A whole agent is copied while others wait; they give up after as long by default.
_LOCK_SECONDS = 10
# What is wrong with one folder, and not with the disk that the backup is written on.
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR)
_INDEX = ".index"
_SET_ASIDE = f"{SETTINGS_FILE}.from-backup"
_ELSEWHERE = "the agents are kept in {place}; back up that database, for example with pg_dump"


# Asks for a passphrase.
Passphrase = Callable[[], str]


class Backup(NamedTuple):
    """One archive: when it was made and how large it is; *told* is what is worth knowing of it."""

    path: Path
    at: datetime
    size: int
    told: tuple[Sentence, ...] = ()

    @property
    def is_locked(self) -> bool:
        return self.path.suffix == _LOCKED


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

    def make(self, progress: Progress | None = None, *, recipients: Sequence[str] = ()) -> Backup:
        """Put the settings and every agent, the removed ones too, in one archive, and check it.

        It is locked with *recipients*, public keys or files of them; by default with those of the settings.
        """
        self._check_here()
        self._prepare()
        wanted = recipients or [each for each in self._settings.recipients.split(",") if each.strip()]
        locks = age_files.locking(age_files.public_keys(wanted)) if wanted else None
        at = self._clock().astimezone(UTC)
        with files.writing(self.folder):
            files.make_folder(self.folder)
            # Blocks of a file without a name can be read from the disk: not from one with locked archives.
            place = self._home.root if locks else self.folder
            with self._workplace() as work, tempfile.TemporaryFile(dir=place) as stage:
                copied, notices = self._copy(stage)
                made = work / "archive"
                lock, unlock = locks or (contextlib.nullcontext, None)
                pack(stage, made, at=at, complete=not notices, lock=lock, progress=progress)
                missing = _INCOMPLETE if notices else ""
                path = self._free_name(at, f"{missing}{_ENDING}{_LOCKED}" if locks else _ENDING)
                if unlock:
                    unpack(made, None, unlock=unlock)
                    notices += _damages(copied, self._clock)
                    notices += self._put_key_beside() if not recipients else []
                else:
                    notices += self._tried(made, work / "restored")
                os.rename(made, path)
            files.sync_folder(self.folder)
        return Backup(path, at, path.stat().st_size, tuple(notices))

    def _check_here(self) -> None:
        if self.database:
            raise SoulError(_ELSEWHERE, place=self.database)
        if not self._home.root.is_dir():
            raise self._home.unknown("", [])

    def make_key(self, passphrase: Passphrase) -> str:
        """Make the home's own key, which the passphrase locks; return its public half, a recipient."""
        self._check_here()
        place = self._home.root / BACKUP_KEY
        if place.exists():
            sentence = "{path} is there already; set backup.recipients to its public key, or move it away"
            raise SoulError(sentence, path=str(place))
        public, content = age_files.new_key(passphrase)
        replacing.create(place, content)
        return public

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

    def check(
        self, path: Path, *, identity: Path | None = None, passphrase: Passphrase | None = None
    ) -> list[Sentence]:
        """Restore an archive for a moment; tell what is wrong in its journals. Damaged if it is not whole.

        A locked one is only compared, with the keys in the file *identity* or with the home's own.
        """
        if unlock := self._unlocking(path, identity, passphrase):
            unpack(path, None, unlock=unlock)
            return []
        with tempfile.TemporaryDirectory(prefix="almario-") as place:
            return self._tried(path, Path(place) / "home")

    def restore(
        self, path: Path, to: Path, *, identity: Path | None = None, passphrase: Passphrase | None = None
    ) -> list[Sentence]:
        """Put what is in an archive in a folder, which becomes a home; return what is worth telling.

        Nothing there is overwritten: the folder must be new, or empty. A link leads to the folder it names.
        """
        to = Path(os.path.realpath(to))
        if to.exists() and (not to.is_dir() or os.listdir(to)):
            raise SoulError("{path} is not an empty folder; choose another", path=str(to))
        self._check_apart(to)
        unlock = self._unlocking(path, identity, passphrase)
        if unlock:  # all of it is tried before any of it is written
            unpack(path, None, unlock=unlock)
        with files.writing(to):
            place, token = restoring_at(to), os.urandom(16).hex()
            files.make_folder(to.parent)
            try:
                os.mkdir(place, 0o700)
            except FileExistsError:
                if not is_restore(place):
                    raise SoulError("{path} is in the way; move it away", path=str(place)) from None
            with contextlib.ExitStack() as undo:
                undo.enter_context(locked(place / _LOCK, seconds=0))
                files.overwrite(place / RESTORE_TOKEN, token.encode())
                if self._home.root.is_dir():  # if we are killed, the next command finds what is written
                    note = self._home.root / f"{RESTORING}{token}"
                    files.make_folder(note.parent)
                    files.overwrite(note, os.fsencode(place))
                    undo.callback(note.unlink, missing_ok=True)
                undo.callback(shutil.rmtree, place, ignore_errors=True)
                shutil.rmtree(place / "home", ignore_errors=True)  # that of a run that was killed
                unpack(path, place / "home", unlock=unlock or contextlib.nullcontext)
                notices = _settle_paths(place / "home")
                os.rename(place / "home", to)
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
    def _workplace(self) -> Iterator[Path]:
        """Give a folder beside the archives; one that a killed run left is removed."""
        with locked(self.folder / _LOCK, seconds=0):
            self._remove_left()
            work = Path(tempfile.mkdtemp(prefix=".making-", dir=self.folder))
            try:
                yield work
            finally:
                shutil.rmtree(work, ignore_errors=True)

    def _put_key_beside(self) -> list[Sentence]:
        """Copy the home's own key to the archives, unless another lies there, which may open older ones."""
        content, place = files.read_bytes(self._home.root / BACKUP_KEY), self.folder / BACKUP_KEY
        there = files.read_bytes(place)
        if content and there is None:
            replacing.create(place, content)
        is_other = content and there and there != content
        return (
            [Sentence("{path} is another key; move it away, and keep it", path=str(place))]
            if is_other
            else []
        )

    def _unlocking(self, path: Path, identity: Path | None, passphrase: Passphrase | None) -> Through | None:
        """Return what unlocks an archive; None if it is not locked."""
        if not age_files.is_locked(path):
            return None
        own = [place / BACKUP_KEY for place in (path.parent, self._home.root)]
        key = identity or next(filter(Path.is_file, own), None)

        def nobody() -> str:
            raise SoulError("{path} is locked; unlock it at a terminal", path=str(path))

        if key is None:
            raise SoulError("{path} is locked; name the file of your secret key: --identity", path=str(path))
        return age_files.unlocking(age_files.secret_keys(key, passphrase or nobody))

    def _remove_left(self) -> None:
        for left in self.folder.glob(".making-*"):
            shutil.rmtree(left, ignore_errors=True)

    def _copy(self, to: IO[bytes]) -> tuple[list[Path], list[Sentence]]:
        """Stage the home; return the agents' folders that were copied, and what could not be."""
        with tarfile.open(fileobj=to, mode="w:") as stage:
            copied, notices = list[Path](), list[Sentence]()
            # With these, a home comes back as it was.
            for name in (SETTINGS_FILE, KEY_FILE, BACKUP_KEY, PROJECTS_FILE):
                notices += _copy_file(self._home.root / name, name, stage)
            with self._home.locked():  # or an agent that is brought back at this moment would be seen nowhere
                places = [(agent.path, f"{AGENTS}/{agent.id}") for agent in self._home.agents()]
                gone = [trashed.folder for trashed in self._home.trash() if trashed.folder]
                places += [(folder, f"{TRASH}/{folder.name}") for folder in gone]
            for path, name in places:
                try:
                    with locked(path / ".lock", seconds=_LOCK_SECONDS):
                        notices += _copy_folder(path, name, stage, without=self.folder)
                    copied.append(path)
                except AgentNotFound as exc:  # removed meanwhile, or a folder elsewhere that is not there
                    notices.append(sentence_of(exc))
                except StoreError as exc:
                    if not isinstance(exc.__cause__, OSError) or exc.__cause__.errno not in _REFUSED:
                        raise
                    notices.append(_left_out(path, exc.__cause__))
            return copied, notices

    def _tried(self, path: Path, place: Path) -> list[Sentence]:
        unpack(path, place)
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
    if path.suffix == _LOCKED:
        return _INCOMPLETE not in path.name
    try:
        return is_complete(path)
    except AlmarioError:
        return False


def _made(name: str) -> tuple[datetime, int] | None:
    """Return when an archive of that name was made, and which of that second it is; None if it is none."""
    match = _NAME.fullmatch(name)
    try:
        at = datetime.strptime(match["at"], _STAMP).replace(tzinfo=UTC) if match else None
    except ValueError:  # a month 13
        return None
    return (at, int(match["n"] or 1)) if match and at else None


def _copy_folder(folder: Path, to: str, stage: tarfile.TarFile, *, without: Path) -> list[Sentence]:
    """Copy what a folder holds, *without* the backups that lie in it; return what cannot be read.

    A link to a file is copied as the file, one to a folder is left out and told; what has no content,
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
                notices += _copy_folder(path, name, stage, without=without)
        elif not _is_passing(entry.name):
            notices += _copy_file(path, name, stage)
    return notices


def _copy_file(path: Path, to: str, stage: tarfile.TarFile) -> list[Sentence]:
    """Copy a file as it is; what cannot be opened is told, what cannot be written is an error."""
    try:
        # Whoever opens a pipe would wait for somebody to write into it.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as exc:
        is_nothing = exc.errno in (errno.ENOENT, errno.ELOOP, errno.ENXIO)
        return [] if is_nothing else [_left_out(path, exc)]
    try:
        if stat.S_ISREG((status := os.fstat(descriptor)).st_mode):
            with open(descriptor, "rb", closefd=False) as source:
                add(stage, to, source, status)
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
