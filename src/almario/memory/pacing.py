"""How often the folder is looked at, and MEMORY.md rendered, where many ask and write at once."""

import threading
import time
from collections.abc import Callable


class Pace:
    """A look holds for *look* seconds unless something is written here; what is new is shown after *render*.

    By default both are at once, as whoever asks one question wants it.
    """

    def __init__(self) -> None:
        self.look = 0.0
        self.render = 0.0
        self._writes = 0
        # When the latest look began, after how many writes, and whether it was at what was said, too.
        self._looked: tuple[float, int, bool] | None = None
        self._later: threading.Timer | None = None
        self._starting = threading.Lock()

    def begin(self, *, spoken: bool) -> tuple[float, int, bool]:
        """Return from when a look is that begins now."""
        return time.monotonic(), self._writes, spoken

    def looked(self, begun: tuple[float, int, bool]) -> None:
        """Say that a look is over, and left nothing to take in."""
        self._looked = begun

    def wrote(self) -> None:
        """Say that something was written; what began before it may not have seen it."""
        self._writes += 1

    def holds(self, *, spoken: bool) -> bool:
        """Say whether the latest look is as good as a new one."""
        if not self.look or self._looked is None:
            return False
        begun, writes, was_spoken = self._looked
        return writes == self._writes and time.monotonic() < begun + self.look and was_spoken >= spoken

    def render_later(self, render: Callable[[], None]) -> None:
        """Render after a while in a thread of its own, unless one is about to."""
        with self._starting:
            if self.render and not self._is_coming():
                self._later = threading.Timer(self.render, render)
                self._later.daemon = True
                self._later.start()

    def may_wait(self) -> bool:
        """Say whether another thread is about to render."""
        return self._is_coming() and self._later is not threading.current_thread()

    def hurry(self) -> None:
        """Let whoever asks next render, after a thread that is at it."""
        with self._starting:
            later = self._later
        if later and later is not threading.current_thread():
            later.cancel()
            later.join()

    def _is_coming(self) -> bool:
        return self._later is not None and self._later.is_alive()
