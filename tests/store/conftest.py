"""Here it is tested what is on the disk, and when."""

import contextlib
import os
from pathlib import Path

import pytest


@pytest.fixture
def hasty_disk() -> None:
    """Wait for the disk, as the product does."""


def open_descriptors() -> set[str]:
    """Return what this process has open; what other tests left to close may go at any time."""
    return set(os.listdir("/dev/fd"))


def open_files(folder: Path) -> list[str]:
    """Return which files in a folder this process has open, and its watches."""
    found = []
    for each in os.listdir("/dev/fd"):
        with contextlib.suppress(OSError):
            found.append(os.readlink(f"/dev/fd/{each}"))
    return sorted(name for name in found if name.startswith(str(folder)) or "inotify" in name)
