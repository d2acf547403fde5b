"""An agent's files in a folder, to be edited by hand, where the agent itself is kept somewhere else.

What was given out is remembered beside them. What was changed since is entered as its owner's edits; what
was changed in both places is merged by lines, or the other text is put beside the file. Nothing is
overwritten that was not read.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from almario.domain.documents.document import hash_of
from almario.domain.events import SoulEdited
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import SOUL_FILES
from almario.errors import AlmarioError, EditConflict, SoulError
from almario.named_tuples import NamedTuple
from almario.ports import OpenWrite, Store, changed_meanwhile
from almario.store import files, replacing
from almario_postgres.copy_rules import (
    OPEN,
    Fate,
    Resolved,
    are_too_many,
    conflict_name,
    conflict_of,
    is_given_out,
    resolved,
)

# In the folder: whose files these are, and what was given out.
_OWN = ".almario-checkout"
_LABEL, _BASE = f"{_OWN}/agent.json", f"{_OWN}/base"
_VERSION = 1

Contents = dict[str, bytes]


class Label(NamedTuple):
    """Whose files are in a folder: the agent's id, and where it is kept."""

    agent: str
    place: str


class CheckedIn(NamedTuple):
    """What became of each file that is not the same everywhere, and what is worth telling."""

    files: Mapping[str, Fate]
    told: tuple[Sentence, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether nothing waits for the owner."""
        return not any(fate in OPEN for fate in self.files.values())


def label_of(folder: Path) -> Label:
    """Return whose files are in a folder."""
    content = files.read_bytes(folder / _LABEL) if folder.is_dir() else None
    try:
        found = json.loads(content or b"")
        return Label(str(found["agent"]), str(found["place"]))
    except (ValueError, KeyError, TypeError):
        sentence = '{folder} is no working copy; "almario checkout FOLDER" makes one'
        raise SoulError(sentence, folder=str(folder)) from None


def check_out(folder: Path, store: Store, agent: str) -> list[str]:
    """Write an agent's files into a new or empty folder; return their names."""
    with files.reading(folder):
        if folder.exists() and (not folder.is_dir() or os.listdir(folder)):
            raise SoulError("{path} is not an empty folder; choose another", path=str(folder))
    copy = WorkingCopy(folder, store)
    theirs = copy.theirs()
    for name, content in theirs.items():
        copy.put(name, None, content)
    label = {"v": _VERSION, "agent": agent, "place": store.place}
    replacing.create(folder / _LABEL, json.dumps(label).encode())
    return sorted(theirs)


class WorkingCopy:
    """A folder with the files of an agent that a store keeps."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder = folder
        self._store = store
        self._mine: Contents = {}
        self._fates: dict[str, Resolved] = {}

    def plan(self) -> Mapping[str, Fate]:
        """Say what becomes of each file; nothing is changed."""
        self._compare()
        return self._open_fates()

    def enter(self, write: OpenWrite, *, removes: bool = False) -> None:
        """Enter what was changed here as the owner's edits; many removed files only if it *removes* them."""
        self._compare()
        if are_too_many(self._fates) and not removes:
            gone = sum(each.fate == "removed" for each in self._fates.values())
            sentence = (
                "{count} files are missing here, so nothing was changed; --delete removes them there, too"
            )
            raise SoulError(sentence, count=gone)
        for name, (fate, content) in self._fates.items():
            if fate in ("entered", "removed", "merged"):
                self._enter(write, name, content)

    def refresh(self) -> CheckedIn:
        """Let the folder show what the store holds now, and remember it as given out."""
        theirs, notices = self.theirs(), list[Sentence]()
        for name in sorted({*theirs, *self._fates}):
            fate = self._fates[name].fate if name in self._fates else "refreshed"
            try:
                self._follow(name, fate, theirs.get(name))
            except (EditConflict, AlmarioError) as exc:
                notices.append(sentence_of(exc))
        return CheckedIn(self._open_fates(), tuple(notices))

    def theirs(self) -> Contents:
        """Return what the store holds that its owner may edit."""
        names = [each.name for each in self._store.documents.holdings() if each.holder == "document"]
        found = {name: self._store.read(name).content for name in names if is_given_out(name)}
        return {name: content for name, content in found.items() if content is not None}

    def put(self, name: str, before: bytes | None, content: bytes | None) -> None:
        """Give a file of the folder another content, if it still has the one it had, and remember that."""
        if before != content:
            self._write(self._folder / name, hash_of(before), content)
        self._remember(name, content)

    def _compare(self) -> None:
        base, theirs = dict(_files(self._folder / _BASE)), self.theirs()
        found = dict(_files(self._folder))
        waiting = {conflict_of(name) for name in found} - {""}
        self._mine = {name: content for name, content in found.items() if is_given_out(name)}
        self._fates = {
            name: Resolved("waiting")
            if name in waiting
            else resolved(name, base.get(name), self._mine.get(name), theirs.get(name))
            for name in sorted({*base, *self._mine, *theirs})
        }

    def _open_fates(self) -> dict[str, Fate]:
        return {name: each.fate for name, each in self._fates.items() if each.fate != "same"}

    def _enter(self, write: OpenWrite, name: str, content: bytes | None) -> None:
        document = self._store.read(name)
        if name in SOUL_FILES and self._store.versions.enabled:
            after = None if content is None else write.keep_version(name, content)
            write.append(SoulEdited(name, document.hash, after), actor="owner")
        write.replace(document, content)

    def _follow(self, name: str, fate: Fate, theirs: bytes | None) -> None:
        mine = self._mine.get(name)
        if fate == "conflict":
            beside = self._folder / conflict_name(name, theirs)
            self._write(beside, hash_of(files.read_bytes(beside)), theirs)
            self._remember(name, theirs)  # when the text beside it is gone, the two were merged
        elif fate == "kept":
            self._remember(name, None)
        elif fate != "waiting":
            self.put(name, mine, theirs)

    def _remember(self, name: str, content: bytes | None) -> None:
        path = self._folder / _BASE / name
        before = files.read_bytes(path)
        if before != content:
            self._write(path, hash_of(before), content)

    def _write(self, path: Path, expected: str | None, content: bytes | None) -> None:
        with files.writing(path):
            if content is not None:
                files.make_folder(path.parent)
                replacing.replace(path, content, expected=expected)
            elif hash_of(files.read_bytes(path)) != expected:
                raise changed_meanwhile(path)
            else:
                files.remove(path)
                with contextlib.suppress(OSError):  # others are in it
                    os.rmdir(path.parent)


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each plain file below a folder that is not hidden."""
    for here, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(names):
            path = Path(here, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                content = files.read_bytes(path)
                if content is not None:
                    yield path.relative_to(folder).as_posix(), content
