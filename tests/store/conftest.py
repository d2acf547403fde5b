"""Here it is tested what is on the disk, and when."""

import contextlib
import os
import threading
from collections import Counter
from pathlib import Path

import pytest


@pytest.fixture
def hasty_disk() -> None:
    """Wait for the disk, as the product does."""


def open_descriptors() -> set[str]:
    """Return what this process has open; what other tests left to close may go at any time."""
    return set(os.listdir("/dev/fd"))


class Held:
    """What this process holds now of a folder, its watches and threads; what others left may go meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._files, self._threads = self._open(), set(threading.enumerate())

    def more(self) -> list[object]:
        """Return what is held beyond that."""
        return [*(self._open() - self._files).elements(), *(set(threading.enumerate()) - self._threads)]

    def _open(self) -> Counter[str]:
        found = []
        for each in os.listdir("/dev/fd"):
            with contextlib.suppress(OSError):
                found.append(os.readlink(f"/dev/fd/{each}"))
        return Counter(name for name in found if name.startswith(self._folder) or "inotify" in name)
