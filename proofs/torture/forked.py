"""A process of its own that tells something, a line each, until it ends or is killed."""

import os
import select
import signal
import time
from collections.abc import Callable, Sequence


class Forked:
    """Does some *work*, which is given the descriptor to tell by."""

    def __init__(self, work: Callable[[int], object]) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reading)
            try:
                work(writing)
                os._exit(0)
            finally:
                os._exit(1)
        os.close(writing)
        self.pipe = reading
        self._rest = b""

    def heard(self) -> list[str]:
        """Return the lines that it has told since."""
        lines: list[str] = []
        while select.select([self.pipe], [], [], 0)[0] and (content := os.read(self.pipe, 1 << 16)):
            *whole, self._rest = (self._rest + content).split(b"\n")
            lines += [line.decode() for line in whole]
        return lines

    def kill(self) -> list[str]:
        """Kill it, and return the last that it told."""
        os.kill(self.pid, signal.SIGKILL)
        return self.end()

    def end(self) -> list[str]:
        """Wait for its end, and return the last that it told."""
        os.waitpid(self.pid, 0)
        lines = self.heard()
        os.close(self.pipe)
        return lines


def heard_of(several: Sequence[Forked], enough: Callable[[Sequence[str]], bool], seconds: float) -> list[str]:
    """Return what they tell until it is *enough*, or the time is over."""
    heard: list[str] = []
    deadline = time.monotonic() + seconds
    while not enough(heard) and time.monotonic() < deadline:
        ready = select.select([each.pipe for each in several], [], [], 1)[0]
        came = [line for each in several for line in each.heard()]
        if ready and not came:  # one has ended by itself
            break
        heard += came
    return heard
