"""Here it is tested what is on the disk, and when."""

import pytest


@pytest.fixture
def hasty_disk() -> None:
    """Wait for the disk, as the product does."""
