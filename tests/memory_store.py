"""A store for as long as a test runs: in a folder of its own, on a disk in memory where there is one."""

import atexit
import os
import shutil
import tempfile
from datetime import UTC
from pathlib import Path

from almario.ports import Clock
from almario.store.folder import FolderStore
from almario.store.settings import WatchSettings

_PROCESS = os.getpid()
_FOLDERS = tempfile.mkdtemp(prefix="almario-tests-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))


@atexit.register
def _remove() -> None:
    if os.getpid() == _PROCESS:  # and not one that was forked from it
        shutil.rmtree(_FOLDERS, ignore_errors=True)


class MemoryStore(FolderStore):
    """An empty store."""

    def __init__(self, clock: Clock) -> None:
        folder = Path(tempfile.mkdtemp(dir=_FOLDERS))
        super().__init__(folder, clock, UTC, watch=WatchSettings(debounce=0.1))


class MemoryKey:
    """The key of a home that is nowhere."""

    def __init__(self) -> None:
        self._key = b""

    def read(self) -> bytes:
        return self._key

    def made(self) -> bytes:
        self._key = self._key or os.urandom(32)
        return self._key

    def of_erased(self, *, make: bool = False) -> bytes:
        return self.made() if make else self.read()
