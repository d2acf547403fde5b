"""How long a server is waited for that may say nothing."""

from collections.abc import Callable
from time import monotonic

# Of the time since it was last waited for in vain, so much may be waited again; at first not before so many
# seconds of it make sense, and then each time not before twice as many.
_PART, _FIRST, _MOST = 0.1, 0.1, 5.0


class Patience:
    """What a process may wait for one server: once in full, and then a tenth of its time until an answer.

    So a command waits little longer than for one answer, however often it asks and however slow the machine
    is; and a process that lasts finds a server that is back, also one that is far away.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since = 0.0
        self._least = 0.0

    def left(self, most: float) -> float:
        """Return how many seconds may be waited now, *most* of them or less; 0 is not to ask at all."""
        if not self._least:
            return most
        earned = _PART * (self._clock() - self._since)
        return min(earned, most) if earned >= self._least else 0.0

    def note_silence(self) -> None:
        """There was no answer until now."""
        self._since = self._clock()
        self._least = min(2 * self._least, _MOST) or _FIRST

    def note_answer(self) -> None:
        """The server is there."""
        self._least = 0.0
