"""How long a server is waited for that may say nothing."""

from collections.abc import Callable
from time import monotonic

# A server that was silent is tried again for so many seconds at once, and then for such a part of the time
# since; each time that it stays silent, not before that is twice as much.
_FIRST, _PART, _MOST = 0.2, 0.1, 5.0


class Silences:
    """How long a process may wait for one server: once in full, and then a tenth of its time.

    So a command waits little longer than for one answer, however often it asks and however slow the machine
    is; and a process that lasts finds a server that is back, also one that is far away.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since = 0.0
        self._least = 0.0

    def left(self, most: float) -> float:
        """Return how many seconds may be waited now, *most* of them or less; 0 is not to ask at all."""
        return min(self._earned(), most) if self._is_earned() else 0.0

    def note_silence(self) -> None:
        """There was no answer until now; several threads may have waited for it."""
        if not self._least:
            self._since, self._least = self._clock() - _FIRST / _PART, _FIRST
        elif self._is_earned():
            self._since, self._least = self._clock(), min(2 * self._least, _MOST)

    def note_answer(self) -> None:
        """The server is there."""
        self._least = 0.0

    def _earned(self) -> float:
        return _PART * (self._clock() - self._since) if self._least else float("inf")

    def _is_earned(self) -> bool:
        return self._earned() >= self._least - 1e-9
