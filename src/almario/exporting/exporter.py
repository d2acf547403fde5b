"""Taking an agent out: all of it as a zip of its folder, or its memories as lines of JSON."""

import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.documents.identity import identity_value
from almario.domain.plain_text import regex
from almario.domain.turn_ids import turn_id
from almario.errors import SoulError
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store

# An export is its owner's alone.
_MODE = 0o600
_UNFIT = regex(r"[^\w-]+")
_ZIP, _JSONL = KINDS = ("zip", "jsonl")
_NAMELESS = "agent"
# Where a folder has a journal that is kept in one piece elsewhere.
_FIRST = "journal/000000001.jsonl"


class Exported(NamedTuple):
    """What went out: where it is, and of which kind."""

    path: str
    kind: str


class Exporter:
    """Writes exports of one agent."""

    def __init__(self, store: Store, memory: Memories, home: Path | None = None) -> None:
        self._store = store
        self._memory = memory
        self._home = home

    def write(
        self,
        to: Path | IO[bytes] | None = None,
        kind: str = _ZIP,
        *,
        audience: Audience = OWNER_ALONE,
        force: bool = False,
    ) -> Exported:
        """Write an export to a path that is free, or, with *force*, in the place of a file; or to a stream.

        Without a path, it is a new name in the working directory. Others than the owner get the memories
        that they may hear, and no zip.
        """
        if kind not in KINDS:
            raise SoulError('there is no kind "{name}"; known: {known}', name=kind, known=", ".join(KINDS))
        if kind == _ZIP and not audience.is_private:
            raise SoulError("a zip has all of the agent; what others may hear is in jsonl")
        if to is not None and not isinstance(to, Path):
            self._fill(to, kind, audience)
            return Exported("-", kind)
        path = to or Path(f"{self._name()}-{self._store.now():%Y-%m-%d}.{kind}")
        self._check(path, force=force)
        with _becoming(path) as stream:
            self._fill(stream, kind, audience)
        return Exported(str(path), kind)

    def _name(self) -> str:
        name = identity_value(self._store.read("IDENTITY.md").text, "name")
        return _UNFIT.sub("-", name or _NAMELESS)

    def _check(self, path: Path, *, force: bool) -> None:
        real = path.resolve()
        for own in filter(None, (self._home, self._store.folder)):
            if own.resolve() in (real, *real.parents):
                raise SoulError("{path} is in the agents' own folder; choose a place outside", path=str(path))
        if not path.parent.is_dir():
            raise SoulError("there is no folder {path}", path=str(path.parent))
        if path.is_dir():
            raise SoulError("{path} is a folder; choose another name", path=str(path))
        if path.exists() and not force:
            raise SoulError("{path} exists; choose another name, or add --force", path=str(path))

    def _fill(self, stream: IO[bytes], kind: str, audience: Audience) -> None:
        if kind == _ZIP:
            self._zip(stream)
            return
        for line in self._memory.lines(audience):
            stream.write(f"{line}\n".encode("utf-8", "replace"))

    def _zip(self, stream: IO[bytes]) -> None:
        """Write everything that holds text, while nobody can change it."""
        if waiting := [turn for turns in self._memory.taken_back().values() for turn in turns]:
            sentence = (
                "what is off the record in {session} is erased when that conversation ends; "
                "end it first, or export as jsonl"
            )
            raise SoulError(sentence, session=turn_id(waiting[0]).session)
        with self._store.writing(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for holding in self._store.documents.holdings():
                content = self._store.read(holding.name).content
                if holding.holder != "foreign" and content is not None:
                    archive.writestr(_FIRST if holding.name == "journal" else holding.name, content)


@contextmanager
def _becoming(path: Path) -> Iterator[IO[bytes]]:
    """Open a file under a passing name, which becomes *path* when it is whole."""
    new = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _MODE), "wb") as stream:
            yield stream
        new.replace(path)
    except OSError as exc:
        exc.filename = str(path)  # not the one that nobody asked for
        raise
    finally:
        new.unlink(missing_ok=True)
