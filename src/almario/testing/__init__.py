"""Public fakes, so that users test the way the authors do."""

import math
import re
import threading
import unicodedata
import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from almario.domain.talk import Ask, Reply, Usage
from almario.ports import Hear, Vector

__all__ = ["FixedClock", "Line", "ScriptedLLM", "WordEmbedder"]


class FixedClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, now: datetime = datetime(2026, 11, 14, 13, 30, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        """Move the clock: `advance(days=1, minutes=5)`."""
        self.now += timedelta(**by)


# What a scripted model does when it is asked: say something, fail, or think about it.
Line = str | Reply | BaseException | Callable[[Ask], "str | Reply | BaseException"]


class ScriptedLLM:
    """A model that says what it is told to, one line for each question, the last one for ever.

    Every question is kept in *asked*. Text is heard word by word.
    """

    def __init__(self, *lines: Line, model: str = "scripted/model") -> None:
        self.asked: list[Ask] = []
        self.lines = list(lines)
        self._model = model
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        return self._model

    def is_available(self) -> bool:
        return True

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        with self._lock:
            self.asked.append(ask)
            line: Line = (self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]) if self.lines else ""
        scripted = line(ask) if callable(line) else line
        if isinstance(scripted, BaseException):
            raise scripted
        reply = scripted if isinstance(scripted, Reply) else Reply(scripted)
        if hear:
            for word in re.findall(r"\S+\s*|\s+", reply.text):
                hear(word)
        usage = reply.usage if any(reply.usage[:3]) else Usage(len(ask.system) // 4, len(reply.text) // 4)
        stop = "tools" if reply.calls and reply.stop == "end" else reply.stop
        return reply._replace(model=reply.model or self._model, usage=usage, stop=stop)


class WordEmbedder:
    """An embedder that knows nothing of meaning: texts that share words, or parts of them, are near.

    The same text has the same vector everywhere; accents and case do not count.
    """

    def __init__(self, dimensions: int = 256) -> None:
        self._dimensions = dimensions

    @property
    def model(self) -> str:
        return f"words-{self._dimensions}"

    def is_available(self) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        vector = [0.0] * self._dimensions
        plain = unicodedata.normalize("NFKD", text.casefold())
        plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
        for word in re.findall(r"\w+", unicodedata.normalize("NFC", plain)) or [""]:
            size = 3 if word.isascii() else 2  # Chinese and Japanese put no spaces between words
            parts = [word[place : place + size] for place in range(len(word) - size + 1)]
            for part, weight in [(word, 1.0), *((part, 0.5) for part in parts)]:
                place = zlib.crc32(part.encode("utf-8", "replace"))
                vector[place % self._dimensions] += weight if place & 1 << 31 else -weight
        length = math.hypot(*vector)
        return [number / length for number in vector] if length else self._vector("")
