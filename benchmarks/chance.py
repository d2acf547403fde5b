"""Vectors made by chance: in no time, and always the same for the same text.

Where time and memory are measured, what a vector means does not matter; a
model would need many minutes for as many passages.
"""

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from almario.adapters.embedders.local import LocalEmbedder

WIDTH = 512


def vectors(texts: Sequence[str]) -> Any:
    """Return a row of length 1 for each text."""
    import numpy  # noqa: PLC0415 - a fresh process that searches by words alone must not load it

    rows = numpy.empty((len(texts), WIDTH), dtype="float32")
    for number, text in enumerate(texts):
        chance = numpy.random.default_rng(zlib.crc32(text.encode()))
        rows[number] = chance.standard_normal(WIDTH, dtype="float32")
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


@contextmanager
def embedding_by_chance() -> Iterator[None]:
    """Let the default embedder give vectors by chance for a while, under its own model's name."""
    real = LocalEmbedder.embed
    setattr(LocalEmbedder, "embed", lambda _, texts: vectors(texts))  # noqa: B010 - a method is replaced
    try:
        yield
    finally:
        setattr(LocalEmbedder, "embed", real)  # noqa: B010 - as above
