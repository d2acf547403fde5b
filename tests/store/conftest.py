"""Here it is tested what is on the disk, and when."""

import gc
import os

import pytest


@pytest.fixture
def hasty_disk() -> None:
    """Wait for the disk, as the product does."""


def open_descriptors() -> int:
    """Count what this process has open; what other tests left is closed first, and not meanwhile."""
    gc.collect()
    return len(os.listdir("/dev/fd"))
