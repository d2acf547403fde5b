"""By their cues, what may be meant: short texts, written so that a memory comes to mind where they fit.

A cue is no fact, and tells nobody anything. It lends its memory a little of its own likeness to what was
said, never so much that it outranks what says the thing itself.
"""

import math
from collections.abc import Mapping, Sequence

from almario.domain.candidates import Search
from almario.domain.words import query_words
from almario.memory.rules.scored import Found
from almario.named_tuples import NamedTuple

# How many cues are compared by words, and by meaning.
_POOL, _NEAREST = 60, 60
# A cosine that stands out farther says no more.
_FARTHEST = 4.0
# What a word counts beside a cosine, where a memory has several cues.
_WORDS = 4.0


class Cue(NamedTuple):
    """The best cue of a memory: its passage, how far its cosine stands out, its share of the words."""

    place: int
    meaning: float = 0.0
    words: float = 0.0

    @property
    def strength(self) -> float:
        return self.meaning + _WORDS * self.words


def cues_for(
    index: Found, question: str, vector: Sequence[float] | None, model: str, background: tuple[float, float]
) -> dict[str, Cue]:
    """Return what cues fit a question, the best of each memory, by the memory's id."""
    from almario.memory.rules.scoring import contrast_of, shares_of  # noqa: PLC0415 - numpy takes 100 ms

    words = tuple(query_words(question))
    found = index.candidates(Search(words, _POOL, vector, model, by_meaning=_NEAREST))
    mean, spread = contrast_of(found.near, background)
    best: dict[str, Cue] = {}
    each_one = zip(found.table.passages, found.cosines.tolist(), shares_of(found), strict=True)
    for passage, cosine, share in each_one:
        meaning = 0.0 if math.isnan(cosine) else min(_FARTHEST, max(0.0, (cosine - mean) / spread))
        cue = Cue(passage.id, meaning, share)
        if cue.strength > 0:
            known = best.get(passage.memory, cue)
            best[passage.memory] = max(cue, known, key=lambda each: each.strength)
    return best


def lent(cues: Mapping[str, Cue], heirs: Mapping[str, str]) -> dict[str, Cue]:
    """Return the cues by the memory that each brings: of what was replaced, the heir that is in use."""
    found: dict[str, Cue] = {}
    for memory, cue in cues.items():
        if heir := heirs.get(memory):
            found[heir] = max(cue, found.get(heir, cue), key=lambda each: each.strength)
    return found
