"""The home's own small papers, as private files in its folder; and its keys."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from almario.ports import Papers
from almario.store import files
from almario.store.files import locked

KEY_FILE = ".key"
_OF_ERASED = ".erased-key"
_LENGTH = 32


class FolderPapers(Papers):
    """Private files in the home's folder; nothing is written into another at its place."""

    is_shared = False

    def __init__(self, root: Path) -> None:
        self._root = root
        self._home = files.identity(root)

    def read(self, name: str) -> bytes | None:
        return files.read_bytes(self._root / name)

    def mark(self, name: str) -> object:
        return files.status(self._root / name)

    def write(self, name: str, content: bytes) -> None:
        path = self._root / name
        with files.writing(path):
            try:
                files.overwrite(path, content, within=self._home)
            except FileNotFoundError:
                raise files.gone(path) from None

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        with files.writing(self._root):
            files.make_folder(self._root)
        with locked(self._root / ".lock", seconds=10):
            yield


class HomeKey:
    """Random keys, each in a paper of its own: of exports, and of what was erased."""

    def __init__(self, papers: Papers) -> None:
        self._papers = papers

    def read(self, name: str = KEY_FILE) -> bytes:
        content = self._papers.read(name) or b""
        return content if len(content) == _LENGTH else b""

    def made(self, name: str = KEY_FILE) -> bytes:
        """Return a key, which is made if there is none; a paper that holds none makes way."""
        if key := self.read(name):
            return key
        with self._papers.changing():
            if not self.read(name):  # or another process was first
                self._papers.write(name, os.urandom(_LENGTH))
        return self.read(name)

    def of_erased(self, *, make: bool = False) -> bytes:
        return self.made(_OF_ERASED) if make else self.read(_OF_ERASED)
