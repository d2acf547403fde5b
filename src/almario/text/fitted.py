"""Fitted functions: what is seen in a text goes in, the odds of some heads come out.

What is seen are its letters and words, and numbers such as those of its vector. The weights of a reader stand
in a file beside it, which is read when it is first asked; `benchmarks/fitting.py` writes such files.
"""

import math
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import crc32, decompress

from almario.domain.plain_text import regex
from almario.domain.words import fold
from almario.named_tuples import NamedTuple

# Letters and words have so many places, in a short text so many, and the vector of a text so many numbers.
PLACES, FEW_PLACES, DIMENSIONS = 1 << 15, 1 << 12, 512
# Of a longer text both ends are read.
_LONGEST = 600
_WORD = regex(r"[\w']+")
_LETTERS, _WORDS = (3, 4, 5), (1, 2, 3)
# Nobody writes words as long as that: it is no word, or it has no spaces.
_LONG = 24
_RUN = regex(r"[\u3040-\u30ff\u4e00-\u9fff]+")
_CLAUSE = regex(r"(?:[!?…。！？\n;、，]|[.:,](?!\d))\s*|\s[-–—]+\s|—")  # "17:52" is whole


class Bank(NamedTuple):
    """The weights of some heads, from *start* on in a file.

    Each place has a weight for each head, a small number, of which the head says how much it is worth. That
    comes first, then what each head begins with, the places, and what each number adds. Heads that are
    *blind*, too, have such weights twice: for letters and words alone, and beside numbers.
    """

    file: Path
    heads: int
    places: int = FEW_PLACES
    numbers: int = DIMENSIONS
    is_blind: bool = False
    start: int = 0

    @property
    def columns(self) -> int:
        return self.heads * (1 + self.is_blind)

    @property
    def end(self) -> int:
        return self.by_number + 2 * self.heads * self.numbers

    @property
    def by_number(self) -> int:
        """Where what numbers add begins."""
        return self.start + self.columns * (8 + self.places)

    def by_letters(self, found: Sequence[int], *, alone: bool = False) -> list[float]:
        """Return what letters and words in these places say for each head, beside numbers or *alone*."""
        weights, columns = content_of(self.file), self.columns
        heads, row = struct.Struct(f"<{self.heads}f"), struct.Struct(f"<{self.heads}b")
        before = self.heads if self.is_blind and not alone else 0
        table = self.start + 8 * columns + before
        rows = [row.unpack_from(weights, table + place * columns) for place in found]
        size = 1 / math.sqrt(len(found) or 1)
        sums = [size * sum(column) for column in zip(*rows, strict=True)] or [0.0] * self.heads
        worth = heads.unpack_from(weights, self.start + 4 * before)
        base = heads.unpack_from(weights, self.start + 4 * (columns + before))
        return [start + each * one for start, each, one in zip(base, sums, worth, strict=True)]

    def by_numbers(self, numbers: Any) -> Any:
        """Return what numbers add for each head."""
        return matrix_of(self) @ numbers

    def odds(self, found: Sequence[int], numbers: Any) -> Any:
        """Return the odds of each head, by letters and words in these places and by numbers."""
        return self.by_numbers(numbers) + self.by_letters(found)


def chance_of(odds: float) -> float:
    """Return the chance that odds stand for."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


@cache
def content_of(file: Path) -> bytes:
    """Return what a file of weights holds."""
    return decompress(file.read_bytes())


def numbers_at(file: Path, start: int, size: int = -1) -> Any:
    """Return so many of the numbers from a place on in a file of weights, or all of them."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    return np.frombuffer(content_of(file), "<f2", size, start).astype(np.float32)


@cache
def matrix_of(bank: Bank) -> Any:
    """Return what each number adds, a row for each head of a bank."""
    size = bank.heads * bank.numbers
    return numbers_at(bank.file, bank.by_number, size).reshape(bank.heads, bank.numbers)


def places(text: str) -> list[int]:
    """Return the places of the letters and words of a text."""
    plain = fold(near_ends(text)).replace("’", "'")
    words = _WORD.findall(plain)
    return sorted(set(chain(_places(_pieces(plain, words)), *map(_places_in, words))))


# A memory is compared again and again.
@lru_cache(1024)
def letters(text: str) -> frozenset[int]:
    """Return the same for a short text, among few places."""
    return frozenset(place % FEW_PLACES for place in places(text))


def near_ends(text: str) -> str:
    """Return both ends of a long text, or all of it."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} {text[-_LONGEST // 2 :]}"


def clauses_of(text: str) -> list[str]:
    """Return the clauses of a text, as its signs part them."""
    return [part.strip() for part in _CLAUSE.split(text)]


def _places(pieces: Iterable[str]) -> tuple[int, ...]:
    return tuple([crc32(each.encode()) % PLACES for each in pieces])


# Nearly every word has been read before.
@lru_cache(16384)
def _places_in(word: str) -> tuple[int, ...]:
    """Return the places of the letters of a word."""
    whole = f"<{word[:_LONG]}>"
    return _places(
        f"#{whole[start : start + size]}" for size in _LETTERS for start in range(len(whole) - size + 1)
    )


def _pieces(text: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a text, by themselves and together, its runs, and how its clauses begin and end."""
    for size in _WORDS:
        yield from (" ".join(words[start : start + size]) for start in range(len(words) - size + 1))
    for run in () if text.isascii() else _RUN.findall(text):
        for size in (2, *_LETTERS):
            yield from (f"#{run[start : start + size]}" for start in range(len(run) - size + 1))
    for clause in filter(None, map(_WORD.findall, clauses_of(text))):
        for size in _WORDS[: len(clause)]:
            yield from (f"^{' '.join(clause[:size])}", f"${' '.join(clause[-size:])}")
    yield "?" if "?" in text or "？" in text else "."
