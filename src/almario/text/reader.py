"""What kind of thing a message or a fact is, by weights fitted to labelled sentences.

It reads the letters and words of a text and, where there are some, its vector and those of its parts from
the bundled encoder: "hang on to that" at the end of a long message is lost in the vector of the whole. A
reading is a guess: it may rank, set aside, ask, or do what one word takes back.
`python -m benchmarks.fit_reader` makes the weights.
"""

import math
import struct
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32, decompress

from almario.domain.opening_kinds import GROUP_OF, OPENINGS
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
_RUN = regex(r"[\u3040-\u30ff\u4e00-\u9fff]+")
_PART = regex(r"(?:[!?…。！？\n;、，]|[.:,](?!\d))\s*|\s[-–—]+\s|—")  # "17:52" is whole
# Of more parts the first and the last are read; shorter ones say nothing.
_MOST_PARTS, _SHORTEST_PART = 8, 3


class Reading(NamedTuple):
    """How likely a text is each of these.

    `confidence`: said off the record; `announcing`: if so, that it only says that the next message is.
    `small_talk`: greets, thanks, laughs. `sensitive`: a fact about health, money, body, beliefs, sexuality
    or others' private affairs. `personal`: about the life of whoever says it, not about work at hand.
    `telling`: says how something is, and asks for no work. `calling`: more may matter to it than the code
    in sight: plans, people, places, money, what has been said before.
    `remember`, `forget`: wants something remembered or forgotten. `lasts`: tells what is still so another
    day; `leads`: first words that only lead up to what is told.
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
    lasts: float
    leads: float


HEADS = Reading._fields
# From here on a text is taken for what a head looks for: the fit puts the line there.
LIKELY = 0.5
# What a message wants is also read part by part, by so many small judges: what the most convinced part says
# counts, and what all say together.
WISHES, JUDGES = ("confidence", "remember", "forget"), 96
# What a conversation opens with has few places: it is short.
FEW_PLACES = 1 << 12
# Who greets or thanks somebody says no more than this.
_LONGEST_OPENING = 160


class Bank(NamedTuple):
    """The weights of some heads, from *start* on in the file.

    Each place has a weight for each head, for letters and words alone and beside a vector: a small number, of
    which the head says how much it is worth. Those come first, then what each head begins with, the places,
    and what each number of a vector adds.
    """

    heads: int
    places: int
    start: int

    @property
    def end(self) -> int:
        return self.vectors + 2 * self.heads * DIMENSIONS

    @property
    def vectors(self) -> int:
        """Where what the numbers of a vector add begins."""
        return self.start + 16 * self.heads + 2 * self.heads * self.places

    def by_letters(self, found: Sequence[int]) -> list[float]:
        """Return what letters and words in these places say for each head: alone, then beside a vector."""
        weights, count = all_banks(), 2 * self.heads
        heads, row = struct.Struct(f"<{count}f"), struct.Struct(f"<{count}b")
        table = self.start + 2 * heads.size
        rows = [row.unpack_from(weights, table + place * row.size) for place in found]
        size = 1 / math.sqrt(len(found) or 1)
        sums = [size * sum(column) for column in zip(*rows, strict=True)] or [0.0] * count
        worth, base = (
            heads.unpack_from(weights, self.start),
            heads.unpack_from(weights, self.start + heads.size),
        )
        return [start + each * one for start, each, one in zip(base, sums, worth, strict=True)]


KINDS = Bank(len(HEADS), PLACES, 0)
OPENING = Bank(len(GROUP_OF), FEW_PLACES, KINDS.end)


def read(text: str, vector: Sequence[float] | None = None, parts: Any = ()) -> Reading:
    """Read a text; *vector* is its own, of the bundled encoder, and *parts* are those of its `parts_of`."""
    by_letters = _by_letters(text)
    if not _is_known(vector):
        return Reading(*map(_chance, by_letters[: len(HEADS)]))
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    inner, start, outer = _judges()
    own = np.asarray(vector, np.float32)
    odds = by_letters[len(HEADS) :] + _matrix(KINDS) @ own
    layer = np.maximum(np.asarray(parts if len(parts) else [own], np.float32) @ inner + start, 0)
    pooled = np.concatenate([layer.max(axis=0), layer.sum(axis=0) / math.sqrt(len(layer))])
    odds[[HEADS.index(wish) for wish in WISHES]] += pooled @ outer
    return Reading(*map(_chance, odds.tolist()))


def opening_of(
    text: str,
    vector: Sequence[float] | None = None,
    *,
    chance: float = LIKELY,
    among: Sequence[str] = OPENINGS,
) -> str:
    """Return which opening a message is *among* these, if that has a *chance*; or nothing."""
    if len(text) > _LONGEST_OPENING:
        return ""
    odds = list(_opening_by_letters(text))
    if _is_known(vector):
        meant = _matrix(OPENING) @ vector
        odds[: OPENING.heads] = (meant + odds[OPENING.heads :]).tolist()
    odds_of = dict(zip(GROUP_OF, odds, strict=False))
    best = max(among, key=odds_of.__getitem__)
    return best if _chance(odds_of[best]) >= chance else ""


def _is_known(vector: Sequence[float] | None) -> bool:
    """Return whether a vector is of the bundled encoder."""
    return vector is not None and len(vector) == DIMENSIONS


def parts_of(text: str) -> list[str]:
    """Return the clauses of a text whose vectors say more than its own; none if it has only one."""
    found = [part for each in _PART.split(_shown(text)) if len(part := each.strip()) >= _SHORTEST_PART]
    if len(found) > _MOST_PARTS:
        found = found[: _MOST_PARTS // 2] + found[-_MOST_PARTS // 2 :]
    return found if len(found) > 1 else []


@lru_cache(256)
def _by_letters(text: str) -> tuple[float, ...]:
    return tuple(KINDS.by_letters(places(text)))


# One message is read for several kinds in turn.
@lru_cache(256)
def _opening_by_letters(text: str) -> tuple[float, ...]:
    return tuple(OPENING.by_letters(sorted({place % FEW_PLACES for place in places(text)})))


def places(text: str) -> list[int]:
    """Return the places of the letters and words of a text."""
    plain = fold(_shown(text)).replace("’", "'")
    return sorted({crc32(each.encode()) % PLACES for each in _pieces(plain)})


def _shown(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"


def _pieces(text: str) -> Iterator[str]:
    words = _WORD.findall(text)
    for size in _WORDS:
        yield from (" ".join(words[start : start + size]) for start in range(len(words) - size + 1))
    for word in words:
        whole = f"<{word[:_LONG]}>"
        for size in _LETTERS:
            yield from (f"#{whole[start : start + size]}" for start in range(len(whole) - size + 1))
    for run in () if text.isascii() else _RUN.findall(text):
        for size in (2, *_LETTERS):
            yield from (f"#{run[start : start + size]}" for start in range(len(run) - size + 1))
    for clause in filter(None, map(_WORD.findall, _PART.split(text))):
        for size in _WORDS[: len(clause)]:
            yield from (f"^{' '.join(clause[:size])}", f"${' '.join(clause[-size:])}")
    yield "?" if "?" in text or "？" in text else "."


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


@cache
def all_banks() -> bytes:
    """Return the weights of all banks, one after the other."""
    return decompress(WEIGHTS.read_bytes())


@cache
def _matrix(bank: Bank) -> Any:
    """Return what the numbers of a vector add for each head of a bank."""
    import numpy as np  # noqa: PLC0415 - as above

    size = bank.heads * DIMENSIONS
    found = np.frombuffer(all_banks(), "<f2", size, bank.vectors).astype(np.float32)
    return found.reshape(bank.heads, DIMENSIONS)


@cache
def _judges() -> tuple[Any, Any, Any]:
    """Return what judges see in a part, and what that says of a wish."""
    import numpy as np  # noqa: PLC0415 - as above

    every = np.frombuffer(all_banks(), "<f2", offset=OPENING.end).astype(np.float32)
    inner, base, outer = np.split(every, np.cumsum([DIMENSIONS * JUDGES, JUDGES]))
    return inner.reshape(DIMENSIONS, JUDGES), base, outer.reshape(2 * JUDGES, len(WISHES))
