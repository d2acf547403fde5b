"""Texts as the three-letter pieces in them: `embedder.name = "trigrams"`, or "trigrams/64" for 64 numbers."""

import math
import zlib
from collections.abc import Sequence

from almario.plugins import EmbedderSettings, Vector


class Trigrams:
    """Counts pieces of three letters, as many kinds of them as the model's name says."""

    def __init__(self, model: str, settings: EmbedderSettings) -> None:
        self._kinds = int(model or 256)
        # Vectors are kept under this name, so another length is another name.
        self.model = f"trigrams-{self._kinds}"

    def is_available(self) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self._vector(f"  {text.lower()}  ") for text in texts]

    def _vector(self, text: str) -> Vector:
        counts = [0.0] * self._kinds
        for place in range(len(text) - 2):
            counts[zlib.crc32(text[place : place + 3].encode("utf-8", "replace")) % self._kinds] += 1.0
        length = math.hypot(*counts)
        return [count / length for count in counts]
