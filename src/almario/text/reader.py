"""What kind of thing a message or a fact is, by weights fitted to labelled sentences.

It reads the letters and words of a text and, where there is one, its vector from the bundled encoder. A
reading is a guess: it may rank, set aside, ask, or do what one word takes back.
`python -m benchmarks.fit_reader` makes the weights.
"""

import math
import struct
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from operator import mul
from pathlib import Path
from zlib import crc32

from almario.domain.plain_text import regex
from almario.domain.words import fold
from almario.named_tuples import NamedTuple

WEIGHTS = Path(__file__).with_name("reader.weights")
# Letters and words have so many places, a vector so many numbers; of a longer text both ends are read.
PLACES, DIMENSIONS, LONGEST = 1 << 15, 512, 600
_WORD = regex(r"[\w']+")
_LETTERS, _WORDS = (3, 4, 5), (1, 2, 3)
# Nobody writes words as long as that: it is no word, or it has no spaces.
_LONG = 24


class Reading(NamedTuple):
    """How likely a text is each of these.

    `confidence`: said off the record; `announcing`: if so, that it only says that the next message is.
    `small_talk`: greets, thanks, laughs. `sensitive`: a fact about health, money, body, beliefs, sexuality
    or others' private affairs. `personal`: about the life of whoever says it, not about work at hand.
    `telling`: says how something is, and asks for no work. `calling`: more may matter to it than the code
    in sight: plans, people, places, money, what has been said before.
    `remember`, `forget`: wants something remembered or forgotten.
    """

    confidence: float
    announcing: float
    small_talk: float
    sensitive: float
    personal: float
    telling: float
    calling: float
    remember: float
    forget: float


HEADS = Reading._fields
# From here on a text is taken for what a head looks for: the fit puts the line there.
LIKELY = 0.5
# Each place has a weight for each head, for letters and words alone and beside a vector: a small number, of
# which the head says how much it is worth. Those come first, then what each head begins with.
ROW, HEAD = struct.Struct(f"<{2 * len(HEADS)}b"), struct.Struct(f"<{2 * len(HEADS)}f")
_VECTOR = struct.Struct(f"<{DIMENSIONS}e")


def read(text: str, vector: Sequence[float] | None = None) -> Reading:
    """Read a text; *vector* is its own, of the bundled encoder."""
    return _read(text, None if vector is None else tuple(map(float, vector)))


@lru_cache(256)
def _read(text: str, vector: tuple[float, ...] | None) -> Reading:
    weights, found = _weights(), places(text)
    size = 1 / math.sqrt(len(found) or 1)
    rows = [ROW.unpack_from(weights, 2 * HEAD.size + place * ROW.size) for place in found]
    sums = [size * sum(column) for column in zip(*rows, strict=True)] or [0.0] * 2 * len(HEADS)
    worth, base = HEAD.unpack_from(weights), HEAD.unpack_from(weights, HEAD.size)
    odds = [start + each * one for start, each, one in zip(base, sums, worth, strict=True)]
    if vector is None:
        return Reading(*map(_chance, odds[: len(HEADS)]))
    meant = (sum(map(mul, vector, each)) for each in _vectors())
    return Reading(*map(_chance, map(sum, zip(odds[len(HEADS) :], meant, strict=True))))


def places(text: str) -> list[int]:
    """Return the places of the letters and words of a text."""
    said = text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"
    return sorted({crc32(each.encode()) % PLACES for each in _pieces(fold(said).replace("’", "'"))})


def _pieces(said: str) -> Iterator[str]:
    words = _WORD.findall(said)
    for size in _WORDS:
        yield from (" ".join(words[start : start + size]) for start in range(len(words) - size + 1))
    for word in words:
        whole = f"<{word[:_LONG]}>"
        for size in _LETTERS:
            yield from (f"#{whole[start : start + size]}" for start in range(len(whole) - size + 1))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


@cache
def _weights() -> bytes:
    return WEIGHTS.read_bytes()


@cache
def _vectors() -> list[tuple[float, ...]]:
    start = 2 * HEAD.size + PLACES * ROW.size
    return [_VECTOR.unpack_from(_weights(), start + head * _VECTOR.size) for head in range(len(HEADS))]
