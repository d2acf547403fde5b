"""How long an answer is waited for: so many seconds without a word, and five minutes in all.

What comes and says nothing (a blank, a sign that a server is still there) is no word.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from almario.adapters.llm.failures import endless, silent
from almario.errors import LLMUnavailable

# A setting that allows a longer silence allows an answer as long as that.
LONGEST = 300.0


class Patience:
    """The patience with one question, which begins now."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        begun = time.monotonic()
        self._silent_at = begun + seconds
        self._over_at = begun + max(LONGEST, seconds)

    def word(self) -> None:
        """Note that the answer has grown."""
        self._silent_at = time.monotonic() + self.seconds

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not count the time that is taken by whoever hears the answer."""
        begun = time.monotonic()
        yield
        self._silent_at += (took := time.monotonic() - begun)
        self._over_at += took

    def left(self) -> float:
        """Return for how many seconds the next word is waited for; 0 if no more."""
        return max(0.0, min(self._silent_at, self._over_at) - time.monotonic())

    def end(self, model: str) -> LLMUnavailable:
        """Return why *model* is waited for no more."""
        if self._over_at <= self._silent_at:
            return endless(model, max(LONGEST, self.seconds))
        return silent(model, self.seconds)
