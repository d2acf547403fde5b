"""The home's key, by which it knows its own exports.

It lies beside the agents' folders and not in one of them: no tool reads there.
"""

import contextlib
import os
from pathlib import Path

from almario.domain.documents.document import hash_of
from almario.errors import EditConflict
from almario.store import files, replacing
from almario.store.home import KEY_FILE

_LENGTH = 32


class HomeKey:
    """A random key in a private file of its own."""

    def __init__(self, root: Path) -> None:
        self._path = root / KEY_FILE

    def read(self) -> bytes:
        """Return the key, or nothing if there is none yet."""
        content = files.read_bytes(self._path) or b""
        return content if len(content) == _LENGTH else b""

    def made(self) -> bytes:
        """Return the key, which is made if there is none; a file that holds none makes way."""
        if key := self.read():
            return key
        spoilt = hash_of(files.read_bytes(self._path))
        with contextlib.suppress(EditConflict):  # another process was first
            replacing.replace(self._path, os.urandom(_LENGTH), expected=spoilt)
        return self.read()
