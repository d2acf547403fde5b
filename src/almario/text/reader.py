"""What kind of thing a message or a fact is, by weights fitted to labelled sentences.

It reads the letters and words of a text and, where there are some, its vector and those of its parts from
the bundled encoder: "hang on to that" at the end of a long message is lost in the vector of the whole. A
reading is a guess: it may rank, set aside, ask, or do what one word takes back.
`python -m benchmarks.fit_reader` makes the weights.
"""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from almario.domain.opening_kinds import GROUP_OF, OPENINGS
from almario.named_tuples import NamedTuple
from almario.text.fitted import (
    DIMENSIONS,
    FEW_PLACES,
    PLACES,
    Bank,
    chance_of,
    clauses_of,
    letters,
    near_ends,
    numbers_at,
    places,
)

WEIGHTS = Path(__file__).with_name("reader.weights")
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
# Who greets or thanks somebody says no more than this.
_LONGEST_OPENING = 160
KINDS = Bank(WEIGHTS, len(HEADS), PLACES, is_blind=True)
OPENING = Bank(WEIGHTS, len(GROUP_OF), FEW_PLACES, is_blind=True, start=KINDS.end)


def read(text: str, vector: Sequence[float] | None = None, parts: Any = ()) -> Reading:
    """Read a text; *vector* is its own, of the bundled encoder, and *parts* are those of its `parts_of`."""
    if not _is_known(vector):
        return Reading(*map(chance_of, _by_letters(text, alone=True)))
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    inner, start, outer = _judges()
    own = np.asarray(vector, np.float32)
    odds = _by_letters(text) + KINDS.by_numbers(own)
    layer = np.maximum(np.asarray(parts if len(parts) else [own], np.float32) @ inner + start, 0)
    pooled = np.concatenate([layer.max(axis=0), layer.sum(axis=0) / math.sqrt(len(layer))])
    odds[[HEADS.index(wish) for wish in WISHES]] += pooled @ outer
    return Reading(*map(chance_of, odds.tolist()))


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
    is_known = _is_known(vector)
    odds = _opening_by_letters(text, alone=not is_known)
    if is_known:
        odds = (OPENING.by_numbers(vector) + odds).tolist()
    odds_of = dict(zip(GROUP_OF, odds, strict=True))
    best = max(among, key=odds_of.__getitem__)
    return best if chance_of(odds_of[best]) >= chance else ""


def _is_known(vector: Sequence[float] | None) -> bool:
    """Return whether a vector is of the bundled encoder."""
    return vector is not None and len(vector) == DIMENSIONS


def parts_of(text: str) -> list[str]:
    """Return the clauses of a text whose vectors say more than its own; none if it has only one."""
    found = [each for each in clauses_of(near_ends(text)) if len(each) >= _SHORTEST_PART]
    if len(found) > _MOST_PARTS:
        found = found[: _MOST_PARTS // 2] + found[-_MOST_PARTS // 2 :]
    return found if len(found) > 1 else []


@lru_cache(256)
def _by_letters(text: str, *, alone: bool = False) -> Sequence[float]:
    return KINDS.by_letters(places(text), alone=alone)


# One message is read for several kinds in turn.
@lru_cache(256)
def _opening_by_letters(text: str, *, alone: bool) -> Sequence[float]:
    return OPENING.by_letters(sorted(letters(text)), alone=alone)


@cache
def _judges() -> tuple[Any, Any, Any]:
    """Return what judges see in a part, and what that says of a wish."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    every = numbers_at(WEIGHTS, OPENING.end)
    inner, base, outer = np.split(every, np.cumsum([DIMENSIONS * JUDGES, JUDGES]))
    return inner.reshape(DIMENSIONS, JUDGES), base, outer.reshape(2 * JUDGES, len(WISHES))
