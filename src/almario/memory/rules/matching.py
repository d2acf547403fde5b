"""Which passages have the words of a question: by the index's lists of ids, without reading a text."""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import date
from heapq import nlargest
from typing import NamedTuple, Protocol

from almario.domain.passages import Near, Passage
from almario.domain.words import Word

# What a word is worth that the index knows only as the beginning of others.
PREFIX = 0.5
_SHORTEST_PREFIX = 4
_MOST_WORDS = 32
# A small store says little about which words are rare: as if there were this many passages more.
_UNSEEN = 50


class Found(Protocol):
    """What searching needs of an index."""

    def count(self) -> tuple[int, float]: ...
    def having(self, term: str) -> Sequence[int]: ...
    def during(self, first: date, last: date, limit: int) -> Sequence[int]: ...
    def passages(self, ids: Sequence[int], *, text: bool = True) -> Mapping[int, Passage]: ...
    def nearest(self, vector: Sequence[float], model: str, limit: int, also: Sequence[int] = ()) -> Near: ...


class Match(NamedTuple):
    """Where a word of the question occurs: lists of ids by falling worth, and how much the word weighs."""

    text: str
    lists: tuple[tuple[float, Sequence[int]], ...]
    # The longest list.
    ordered: Sequence[int]
    weight: float

    def everywhere(self) -> set[int]:
        return set(self.ordered).union(*(ids for _, ids in self.lists if ids is not self.ordered))

    def worths(self, ids: Set[int]) -> dict[int, float]:
        """Return what the word is worth in those of the passages that have it."""
        found: dict[int, float] = {}
        for worth, having in reversed(self.lists):
            found.update(dict.fromkeys(ids & set(having), worth))
        return found


def match_words(index: Found, words: Iterable[Word]) -> list[Match]:
    """Look each word up; a word that is nowhere weighs too, because the answer should have had it."""
    total, _ = index.count()
    matches = []
    for word in words:
        lists = [(worth, index.having(term)) for term, worth in word.terms]
        lists = [(worth, ids) for worth, ids in lists if ids]
        if not lists and word.whole:
            continue
        if not lists and len(word.text) >= _SHORTEST_PREFIX:
            beginning = index.having(word.text + "*")
            lists = [(PREFIX, beginning)] if beginning else []
        ordered = max((ids for _, ids in lists), key=len, default=())
        weight = rarity(len(ordered), total)
        matches.append(Match(word.text, tuple(lists), ordered, weight))
    # A page pasted as a question has many words: the rarest say most, and cost least.
    return (
        sorted(matches, key=lambda match: -match.weight)[:_MOST_WORDS]
        if len(matches) > _MOST_WORDS
        else matches
    )


def rarity(having: int, total: int) -> float:
    """Return what a word weighs that so many of the passages have."""
    total = max(total, having) + _UNSEEN
    return math.log(1 + (total - having + 0.5) / (having + 0.5))


def best_by_words(matches: Iterable[Match], limit: int) -> list[int]:
    """Return the passages with the weightiest words."""
    heaviest = sorted((match for match in matches if match.lists), key=lambda match: -match.weight)
    left = sum(match.weight for match in heaviest)
    weights: dict[int, float] = {}
    for match in heaviest:
        having = match.everywhere()
        # When the words still to come cannot lift a new passage among the best, only the known ones matter.
        if len(weights) > limit and nlargest(limit, weights.values())[-1] >= left:
            having &= weights.keys()
        for one in having:
            weights[one] = weights.get(one, 0.0) + match.weight
        left -= match.weight
    if len(weights) <= limit:
        return list(weights)
    least = nlargest(limit, weights.values())[-1]
    ranked = sorted((-weight, -one) for one, weight in weights.items() if weight >= least)
    return [-one for _, one in ranked[:limit]]
