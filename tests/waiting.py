"""Waiting for what a thread, a process or the system does in its own time: soon, but nobody knows when."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

# How many seconds a busy machine may need.
PATIENCE = 60.0


def comes_true(holds: Callable[[], object], pause: float = 0.01) -> bool:
    """Wait until something holds, and not for ever; say whether it does."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def where_it_is_noon() -> str:
    """Return a zone in which no day and no night ends within a test."""
    return f"Etc/GMT{datetime.now(UTC).hour - 12:+}"
