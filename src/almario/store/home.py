"""The home: where the agents' folders are, and how they come and go.

A removed agent goes to `trash/` and can come back. A folder that a setting
has put elsewhere is only unlinked from the home, never moved.
"""

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from almario.domain.documents.document import decoded, encoded, hash_of
from almario.domain.plain_text import is_safe_id, is_unicode, regex
from almario.errors import AgentNotFound, ConfigError, DocumentError, SoulError, StoreError
from almario.ports import AgentMark, Clock, Home, ListedAgent, OwnSettings, Trashed, check_id
from almario.store import files, replacing, toml
from almario.store.files import locked
from almario.store.papers import FolderPapers

SETTINGS_FILE, OWN_FILE = "almario.toml", "agent.toml"
# What an agent's folder has even before its soul.
_OURS = ("journal", ".lock", OWN_FILE)
# Several readers ask for them in every command.
_settings = files.Contents()
_TRASHED = regex(r"(?P<id>.+)\.(?P<at>\d{8}T\d{6}Z(?:-\d+)?)")


def _agent(name: str, folder: Path, *, elsewhere: bool = False) -> ListedAgent:
    return ListedAgent(name, str(folder), folder, elsewhere)


class FolderHome(Home):
    """One folder with all of an owner's agents; *paths* tells which folders lie elsewhere."""

    def __init__(self, root: Path, clock: Clock, *, paths: Callable[[], Mapping[str, Path]] = dict) -> None:
        self.root = root
        self.place = str(root)
        self.papers = FolderPapers(root)
        self._clock = clock
        self._paths = paths

    def agents(self, *, most: int | None = None) -> list[ListedAgent]:
        """Return the agents that have a folder, by id."""
        found = [_agent(name, folder, elsewhere=True) for name, folder in self._paths().items()]
        folder = self.root / "agents"
        with files.reading(folder):
            names = os.listdir(folder) if folder.is_dir() else []
        for name in sorted(names):
            path = folder / name
            if is_safe_id(name) and path.is_dir() and not leads_astray(path) and not self._named(name, found):
                found.append(_agent(name, path))
        return sorted(found, key=lambda agent: agent.id.lower())[:most]

    def agent(self, wanted: str, among: Sequence[ListedAgent] | None = None) -> ListedAgent:
        agent = self._listed(wanted, among)
        if not agent.path.is_dir():
            raise AgentNotFound(
                "the folder of {id}, {path}, does not exist", id=agent.id, path=str(agent.path)
            )
        return agent

    def create(
        self, new: str, furnish: Callable[[ListedAgent], None], *, path: str | None = None
    ) -> ListedAgent:
        """Make an agent's folder, here or at *path*; it is listed only when *furnish* has filled it."""
        check_id(new)
        with self.locked():
            self.check_free(new)
            if path is not None:
                agent = _agent(new, self._free_place(path), elsewhere=True)
                self._fill(agent, furnish)
                self._settings_edit(lambda text: toml.with_agent_path(text, new, str(agent.path)))()
                return agent
            from shutil import rmtree  # noqa: PLC0415 - 10 ms that no other command needs

            place = self.root / "agents" / new
            unfinished = place.with_name(f".{new}.{os.urandom(4).hex()}")
            with contextlib.ExitStack() as undo:
                undo.callback(rmtree, unfinished, ignore_errors=True)
                self._fill(_agent(new, unfinished), furnish)
                self._move(unfinished, place)
                undo.pop_all()
            return _agent(new, place)

    def rename(self, old: str, new: str) -> ListedAgent:
        check_id(new)
        with self.locked():
            agent = self.agent(old)
            if new.lower() != agent.id.lower():
                self.check_free(new)
            edit_settings = self._settings_edit(lambda text: toml.with_agent_renamed(text, agent.id, new))
            if agent.elsewhere:
                edit_settings()
                return _agent(new, agent.path, elsewhere=True)
            place = self._move(agent.path, self.root / "agents" / new)
            self._then(edit_settings, place, agent.path)
            return _agent(new, place)

    def arriving(self, new: str) -> ListedAgent:
        with self.locked():
            self.check_free(new)
            place = self.root / "agents" / f".{new.lower()}.arriving"
            with files.writing(place):
                files.make_folder(place)
            return _agent(new, place)

    def arrived(self, agent: ListedAgent) -> ListedAgent:
        with self.locked():
            self.check_free(agent.id)
            return _agent(agent.id, self._move(agent.path, self.root / "agents" / agent.id))

    def remove(self, wanted: str, *, is_leaving: bool = False) -> ListedAgent:
        """Move an agent's folder to the trash; one that lies elsewhere is only unlinked."""
        with self.locked():
            agent = self._listed(wanted)
            edit = toml.without_agent_path if is_leaving else toml.without_agent
            edit_settings = self._settings_edit(lambda text: edit(text, agent.id))
            if agent.elsewhere:
                edit_settings()
                return agent
            files.make_folder(self.root / "trash")
            stamp = f"{self._clock():%Y%m%dT%H%M%SZ}"
            place = self.root / "trash" / f"{agent.id}.{stamp}"
            count = 1
            while place.exists():
                count += 1
                place = place.with_name(f"{agent.id}.{stamp}-{count}")
            self._move(agent.path, place, is_held=is_leaving)
            self._then(edit_settings, place, agent.path, is_held=is_leaving)
            return _agent(agent.id, place)

    def trash(self) -> list[Trashed]:
        folder = self.root / "trash"
        names = [_TRASHED.fullmatch(name) for name in (os.listdir(folder) if folder.is_dir() else ())]
        places = [(match, folder / match.string) for match in names if match]
        found = [
            Trashed(match["id"], str(place), match["at"], place) for match, place in places if place.is_dir()
        ]
        return sorted(found, key=lambda trashed: (trashed.at, trashed.id), reverse=True)

    def bring_back(self, wanted: str, *, new: str | None = None) -> ListedAgent:
        with self.locked():
            found = [
                (item.id, item.folder)
                for item in self.trash()
                if item.folder and wanted.lower() in (item.id.lower(), item.name.lower())
            ]
            if not found:
                raise AgentNotFound('the trash has no "{id}"; "almario agents --trash" lists it', id=wanted)
            agent_id = new or found[0][0]
            self.check_free(agent_id)
            files.make_folder(self.root / "agents")
            return _agent(agent_id, self._move(found[0][1], self.root / "agents" / agent_id))

    def own_settings(self, agent: ListedAgent) -> OwnSettings:
        path = agent.path / OWN_FILE
        return OwnSettings(str(path), settings_content(path))

    def mark(self, agent: ListedAgent) -> AgentMark:
        return AgentMark(files.identity(agent.path), files.status(agent.path / OWN_FILE))

    def edit_settings(self, edit: Callable[[str], str], agent: ListedAgent | None = None) -> None:
        """Edit almario.toml, or an agent's own settings."""
        with self.locked():
            self._settings_edit(edit, agent.path / OWN_FILE if agent else None)()

    def check_free(self, new: str) -> None:
        check_id(new)
        if found := self._named(new, self.agents()):
            sentence = 'there is already an agent "{id}", in {path}; choose another id'
            raise SoulError(sentence, id=found.id, path=str(found.path))
        self._check_link(new)

    def _check_link(self, name: str) -> None:
        path = self.root / "agents" / name
        if is_safe_id(name) and leads_astray(path):
            sentence = "{path} is a link to {target}, which is not an agent's folder; remove the link"
            raise SoulError(sentence, path=str(path), target=os.path.realpath(path))

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Hold the home's own lock: agents come and go one at a time."""
        return self.papers.changing()

    def _fill(self, agent: ListedAgent, furnish: Callable[[ListedAgent], None]) -> None:
        with files.writing(agent.path):
            files.make_folder(agent.path)
        furnish(agent)

    def _move(self, folder: Path, place: Path, *, is_held: bool = False) -> Path:
        """Move an agent's folder while nobody writes in it."""
        lock = contextlib.nullcontext() if is_held else locked(folder / ".lock", seconds=10)
        with lock, files.writing(place), contextlib.ExitStack() as undo:
            os.rename(folder, place)
            undo.callback(os.rename, place, folder)
            files.sync_folder(place.parent)
            files.sync_folder(folder.parent)
            undo.pop_all()
        return place

    def _listed(self, wanted: str, among: Sequence[ListedAgent] | None = None) -> ListedAgent:
        agents = self.agents() if among is None else among
        if found := self._named(wanted, agents):
            return found
        self._check_link(wanted)
        raise self.unknown(wanted, [agent.id for agent in agents])

    def _free_place(self, path: str) -> Path:
        """Return the folder that *path* means, if no other agent's folder nor the home is in its way."""
        place = expanded(path)
        real = Path(os.path.realpath(place))
        taken = [
            Path(os.path.realpath(folder))
            for folder in (self.root / "agents", *(a.path for a in self.agents()))
        ]
        home = Path(os.path.realpath(self.root))
        if real in (home, *home.parents) or any(real in (t, *t.parents) or t in real.parents for t in taken):
            raise SoulError(
                "{path} overlaps with the home or another agent; choose another folder", path=path
            )
        if not _may_be_agent(place):
            raise SoulError("{path} already holds other things; choose a new or empty folder", path=path)
        return place

    def _named(self, wanted: str, agents: Sequence[ListedAgent]) -> ListedAgent | None:
        return next((agent for agent in agents if agent.id.lower() == wanted.lower()), None)

    def _settings_edit(self, edit: Callable[[str], str], file: Path | None = None) -> Callable[[], None]:
        """Prove that almario.toml, or else *file*, can be edited so; the callable writes it."""
        path = Path(os.path.realpath(file or self.root / SETTINGS_FILE))
        content = files.read_bytes(path)
        text = decoded(content or b"", path.name)
        new = edit(text)

        def write() -> None:
            if new != text:
                replacing.replace(path, encoded(new), expected=hash_of(content))

        return write

    def _then(
        self, edit_settings: Callable[[], None], moved: Path, back: Path, *, is_held: bool = False
    ) -> None:
        with contextlib.ExitStack() as undo:
            undo.callback(self._move, moved, back, is_held=is_held)
            edit_settings()
            undo.pop_all()


def expanded(path: str | Path) -> Path:
    """Return an absolute path, `~` and `~name` included."""
    try:
        place = Path(path).expanduser().absolute()
    except RuntimeError:
        raise ConfigError("{path} names a home folder that is unknown on this machine", path=path) from None
    if not is_unicode(str(place)):
        raise ConfigError("{path} is not valid Unicode; name a folder that is", path=path)
    return place


def leads_astray(path: Path) -> bool:
    """Return whether an agent's folder is a link to something that is no agent's."""
    return path.is_symlink() and not (path / "journal").is_dir()


def _may_be_agent(folder: Path) -> bool:
    """Return whether a folder is new, empty, an agent's or its owner's notes: nothing of the system's."""
    names = os.listdir(folder) if folder.is_dir() else []
    return not names or any(name.endswith(".md") or name in _OURS for name in names)


def settings_content(path: Path) -> bytes | None:
    """Return what a settings file holds; None if it is not there."""
    try:
        return _settings.read(path)
    except (DocumentError, StoreError) as exc:
        raise ConfigError(exc.message, **exc.facts) from exc
