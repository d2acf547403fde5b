"""Signals as something to wait for, so that none comes in the middle of anything."""

import contextlib
import os
import select
import signal
from collections.abc import Iterator

STOP = (signal.SIGTERM, signal.SIGINT)
RENEW = signal.SIGHUP
_NO_SIGNAL = 0


class Signals:
    """Waits for a signal, for anybody who wakes it, or for a time to pass."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    @contextlib.contextmanager
    def caught(self) -> Iterator[None]:
        """Catch the signals that steer a daemon."""
        before = {number: signal.signal(number, self._catch) for number in (*STOP, RENEW)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def wait(self, seconds: float) -> list[int]:
        """Return the signals that came, as soon as there are any; none if it was woken or time has passed."""
        select.select([self._out], [], [], seconds)
        try:
            return [number for number in os.read(self._out, 512) if number != _NO_SIGNAL]
        except BlockingIOError:
            return []

    def wake(self) -> None:
        """End the wait."""
        self._catch(_NO_SIGNAL, None)

    def _catch(self, number: int, _: object) -> None:
        with contextlib.suppress(BlockingIOError):  # a pipe that is full wakes anyway
            os.write(self._in, bytes([number]))
