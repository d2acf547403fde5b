"""Taking an agent out: chosen, written under another name until it is whole, and what it lacks told."""

import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.entry_points import Plugin
from almario.errors import SoulError
from almario.exporting.bundle import BUNDLE, JSONL
from almario.exporting.outgoing import OutFile, Outgoing, OutKind
from almario.importing.kinds import found_kind
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store

# An export is its owner's alone.
_MODE = 0o600
_UNFIT = regex(r"[^\w-]+")
_OWN = {kind.name: kind for kind in (BUNDLE, JSONL)}


class Exported(NamedTuple):
    """What went out: where it is, of which kind, and what is not in it."""

    path: str
    kind: str
    left_out: tuple[Sentence, ...]


class Exporter:
    """Writes exports of one agent."""

    def __init__(self, store: Store, memory: Memories, home: Path | None = None) -> None:
        self._store = store
        self._memory = memory
        self._home = home

    def write(
        self,
        to: Path | IO[bytes] | None = None,
        kind: str = "bundle",
        *,
        with_memories: bool | None = None,
        audience: Audience = OWNER_ALONE,
        force: bool = False,
    ) -> Exported:
        """Write an export to a path that is free, or, with *force*, in the place of a file; or to a stream.

        Without a path, it is a new name in the working directory. What others are given to see who the
        agent is has no memories unless it is *with_memories*.
        """
        chosen = kind_named(kind)
        with_all = not chosen.is_shared if with_memories is None else with_memories
        agent = Outgoing(self._store, self._memory, audience, with_memories=with_all)
        with self._memory.snapshot():
            if to is None or isinstance(to, Path):
                name = _UNFIT.sub("-", agent.name)
                path = to or Path(f"{name}-{kind}-{agent.now:%Y-%m-%d}{chosen.ending}")
                self._check(path, chosen, force=force)
                _written(chosen, agent, path)
            else:
                if not chosen.is_one_file:
                    raise SoulError("{kind} is more than one file; say where to with --to PATH", kind=kind)
                path = Path("-")
                for file in chosen.files(agent):
                    _write(file, to)
            return Exported(str(path), kind, agent.left_out(chosen.carries))

    def _check(self, path: Path, kind: OutKind, *, force: bool) -> None:
        real = path.resolve()
        for own in filter(None, (self._home, self._store.folder)):
            if own.resolve() in (real, *real.parents):
                raise SoulError("{path} is in the agents' own folder; choose a place outside", path=str(path))
        if not path.parent.is_dir():
            raise SoulError("there is no folder {path}", path=str(path.parent))
        if path.is_dir() and (kind.is_one_file or any(path.iterdir())):
            raise SoulError("{path} is a folder that is in use; choose another name", path=str(path))
        if path.exists() and not path.is_dir() and not force:
            raise SoulError("{path} exists; choose another name, or add --force", path=str(path))


def kind_named(name: str) -> OutKind:
    """Return the kind of that name; an error that says which there are if there is none."""
    return found_kind("exporters", _OWN, name, _of_plugin)


def _of_plugin(plugin: Plugin, brought: Any) -> OutKind:
    """Return the kind that a package brings, or one whose file a function of its makes from notes."""
    name = plugin.name

    def written(agent: Outgoing) -> Iterator[OutFile]:
        yield OutFile(name, brought(agent.notes()))

    kind = (
        brought if isinstance(brought, OutKind) else OutKind(name, f".{name}", ("memories", "days"), written)
    )

    def files(agent: Outgoing) -> Iterator[OutFile]:
        for file in plugin.making(kind.files, agent):
            yield OutFile(file.name, plugin.making(iter, file.pieces))

    return kind._replace(name=name, files=files)


def _written(kind: OutKind, agent: Outgoing, to: Path) -> None:
    """Write files under a passing name, which becomes *to* when all of them are whole."""
    new = to.with_name(f".{to.name}.{os.urandom(4).hex()}")
    write = _in_one if kind.is_one_file else _in_zip if to.suffix == ".zip" else _in_folder
    try:
        write(kind.files(agent), new)
        new.replace(to)
    except OSError as exc:
        exc.filename = str(to)  # not the one that nobody asked for
        raise
    finally:
        shutil.rmtree(new) if new.is_dir() else new.unlink(missing_ok=True)


def _in_one(files: Iterable[OutFile], path: Path) -> None:
    with _created(path) as stream:
        for file in files:
            _write(file, stream)


def _in_zip(files: Iterable[OutFile], path: Path) -> None:
    with _created(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            with archive.open(file.name, "w", force_zip64=True) as inner:
                _write(file, inner)


def _in_folder(files: Iterable[OutFile], path: Path) -> None:
    path.mkdir(0o700)
    for file in files:
        place = path / file.name
        place.parent.mkdir(0o700, parents=True, exist_ok=True)
        with _created(place) as stream:
            _write(file, stream)


def _created(path: Path) -> IO[bytes]:
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE), "wb")


def _write(file: OutFile, stream: IO[bytes]) -> None:
    for piece in file.pieces:
        stream.write(piece.encode("utf-8", "replace"))
