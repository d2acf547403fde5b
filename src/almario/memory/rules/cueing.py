"""By their cues, what may be meant: short texts, written so that a memory comes to mind where they fit.

A cue is no fact, and tells nobody anything. It lends its memory a little of its own likeness to what was
said, never so much that it outranks what says the thing itself.
"""

from collections.abc import Mapping, Sequence

from almario.domain.candidates import Candidates, Near, Search
from almario.domain.words import query_words
from almario.memory.rules.ranking import Found
from almario.memory.rules.scoring import standing_of
from almario.named_tuples import NamedTuple

# So many cues are looked at closely for their words, and for their meaning.
_POOL, _NEAREST = 60, 60
# A cosine that stands out farther says no more.
_FARTHEST = 4.0
# What a word counts beside a cosine, where a memory has several cues.
_WORDS = 4.0
# How much each average length of other words lowers a match.
_LENGTH = 0.4


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
    words = tuple(query_words(question))
    found = index.candidates(Search(words, _POOL, vector, model, by_meaning=_NEAREST))
    shares = _shares(found)
    best: dict[str, Cue] = {}
    for place, passage in found.passages.items():
        cue = Cue(place, _standing(found.cosines, place, background), shares.get(place, 0.0))
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


def _shares(found: Candidates) -> dict[int, float]:
    """Return how much of the question's words each cue has, by their rarity and for its length."""
    total = sum(match.weight for match in found.matches) or 1.0
    shares: dict[int, float] = {}
    counts: dict[int, int] = {}
    for match in found.matches:
        for place, worth in match.worths.items():
            shares[place] = shares.get(place, 0.0) + match.weight * worth / total
            counts[place] = counts.get(place, 0) + 1
    average = max(1.0, found.average)
    return {
        place: share / (1 + _LENGTH * max(0, found.passages[place].length - counts[place]) / average)
        for place, share in shares.items()
    }


def _standing(cosines: Near, place: int, background: tuple[float, float]) -> float:
    if place not in cosines:
        return 0.0
    mean, spread = standing_of(cosines, background)
    return min(_FARTHEST, max(0.0, (cosines[place] - mean) / spread))
