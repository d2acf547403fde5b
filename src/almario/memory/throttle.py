"""How often the folder is checked and MEMORY.md rendered, where many processes read and write at once."""

import threading
import time
from collections.abc import Callable


class Throttle:
    """A check of the folder holds for *hold* seconds unless something is written here; MEMORY.md is rendered
    after *render* seconds. By default both are 0: every question checks, every write renders.
    """

    def __init__(self) -> None:
        self.hold = 0.0
        self.render = 0.0
        self._writes = 0
        # When the latest check began, and after how many writes.
        self._last: tuple[float, int] | None = None
        self._later: threading.Timer | None = None
        self._starting = threading.Lock()

    def begin(self) -> tuple[float, int]:
        """Return the mark of a check that begins now."""
        return time.monotonic(), self._writes

    def checked(self, begun: tuple[float, int]) -> None:
        """Note that a check is over and left nothing to take in."""
        self._last = begun

    def wrote(self) -> None:
        """Note a write; a check that began before it may have missed it."""
        self._writes += 1

    def holds(self) -> bool:
        """Return whether the latest check is still good."""
        if not self.hold or self._last is None:
            return False
        begun, writes = self._last
        return writes == self._writes and time.monotonic() < begun + self.hold

    def render_later(self, render: Callable[[], None]) -> None:
        """Schedule a rendering in its own thread, unless one is scheduled."""
        with self._starting:
            if self.render and not self._is_coming():
                self._later = threading.Timer(self.render, render)
                self._later.daemon = True
                self._later.start()

    def may_wait(self) -> bool:
        """Return whether another thread is about to render."""
        return self._is_coming() and self._later is not threading.current_thread()

    def hurry(self) -> None:
        """Cancel the scheduled rendering, after one that is under way: the next check renders."""
        with self._starting:
            later = self._later
        if later and later is not threading.current_thread():
            later.cancel()
            later.join()

    def _is_coming(self) -> bool:
        return self._later is not None and self._later.is_alive()
