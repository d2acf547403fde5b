"""Here it is tested what is on the disk, and when."""

import os

import pytest


@pytest.fixture
def hasty_disk() -> None:
    """Wait for the disk, as the product does."""


def open_descriptors() -> set[str]:
    """Return what this process has open; what other tests left to close may go at any time."""
    return set(os.listdir("/dev/fd"))
