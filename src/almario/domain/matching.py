"""Which passages have the words of a question: by the index's lists of ids, without reading a text."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple, Protocol

from almario.domain.passages import PLACE_BITS, Passage, source_of
from almario.domain.words import Word

# What a word is worth that the index knows only as the beginning of others.
PREFIX = 0.5
_SHORTEST_PREFIX = 4
_MOST_WORDS = 32
# A small store says little about which words are rare: as if there were this many passages more.
_UNSEEN = 50
# How soon more mentions in a session stop counting.
SATURATION = 1.2
# What a word beside a passage counts for it, by its distance: talk answers talk a few turns before.
FADING = (1.0, 1.0, 0.75, 0.5, 0.25)
REACH = len(FADING) - 1


class Found(Protocol):
    """What searching needs of an index."""

    def count(self) -> tuple[int, float]: ...
    def having(self, term: str) -> Sequence[int]: ...
    def passages(self, ids: Sequence[int], *, text: bool = True) -> Mapping[int, Passage]: ...
    def nearest(
        self, vector: Sequence[float], model: str, limit: int, also: Sequence[int] = ()
    ) -> Mapping[int, float]: ...


class Match(NamedTuple):
    """Where a word of the question occurs: lists of ids by falling worth, and how much the word weighs."""

    text: str
    lists: tuple[tuple[float, Sequence[int]], ...]
    # The longest list, in which a session's share can be counted.
    ordered: Sequence[int]
    weight: float

    def everywhere(self) -> set[int]:
        return set(self.ordered).union(*(ids for _, ids in self.lists if ids is not self.ordered))

    def among(self, ids: set[int]) -> list[tuple[float, set[int]]]:
        """Return which of the passages have it, by falling worth."""
        return [(worth, ids.intersection(having)) for worth, having in self.lists]

    def in_source(self, source: int) -> int:
        """Return how many of a source's passages have the word."""
        start = bisect_left(self.ordered, source << PLACE_BITS)
        return bisect_left(self.ordered, (source + 1) << PLACE_BITS, start) - start


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
    """Return the passages with the weightiest words, and their neighbours."""
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
    if len(weights) > limit:
        least = nlargest(limit, weights.values())[-1]
        ranked = sorted((-weight, -one) for one, weight in weights.items() if weight >= least)
        best = [-one for _, one in ranked[:limit]]
    else:
        best = list(weights)
    return list(dict.fromkeys(near for one in best for near in (one, one - 1, one + 1)))


class Readings:
    """The question's words in each passage, around it and in its session: shares of 0 to 1."""

    def __init__(
        self,
        matches: Sequence[Match],
        passages: Mapping[int, Passage],
        average: float,
        *,
        assistant: float,
    ) -> None:
        self.passages = passages
        self.texts = {match.text for match in matches}
        self._matches = matches
        self._total = sum(match.weight for match in matches) or 1.0
        self._sessions: dict[int, float] = {}
        ids = set(passages)
        replies = {one for one, passage in passages.items() if passage.role == "assistant"}
        self._worths: list[dict[int, float]] = []
        others = {one: passage.length for one, passage in passages.items()}
        self.own: dict[int, float] = {}
        self.near: dict[int, float] = {}
        for match in matches:
            worth: dict[int, float] = {}
            for value, having in reversed(match.among(ids)):
                worth.update(dict.fromkeys(having, value))
                for one in having:
                    others[one] -= 1
            for one in replies & worth.keys():
                worth[one] *= assistant
            self._worths.append(worth)
            share = match.weight / self._total
            for sums, worths in ((self.own, worth), (self.near, _spread(worth))):
                for one, value in worths.items():
                    sums[one] = sums.get(one, 0.0) + share * value
        average = max(1.0, average)
        # How many other words a passage has, in average passages: a matching word is no burden.
        self.other = {one: max(0, length) / average for one, length in others.items()}

    def in_session(self, one: int) -> float:
        """Return how much of the question the whole session speaks of."""
        source = source_of(one)
        if source not in self._sessions:
            self._sessions[source] = sum(self._session_share(match, source) for match in self._matches)
        return self._sessions[source]

    def shares(self, one: int) -> Iterator[tuple[str, float, float, float]]:
        """Yield each word with its share in the passage, around it and in its session."""
        for match, worth in zip(self._matches, self._worths, strict=True):
            share = match.weight / self._total
            near = max(
                fade * worth.get(one + step * side, 0.0)
                for step, fade in enumerate(FADING)
                for side in (-1, 1)
            )
            yield (
                match.text,
                share * worth.get(one, 0.0),
                share * near,
                self._session_share(match, source_of(one)),
            )

    def _session_share(self, match: Match, source: int) -> float:
        count = match.in_source(source)
        return match.weight / self._total * count / (count + SATURATION)


def _spread(worths: Mapping[int, float]) -> dict[int, float]:
    """Return what a word is worth around where it stands."""
    wider = dict(worths)
    for step, fade in enumerate(FADING[1:], 1):
        for one, value in worths.items():
            for beside in (one - step, one + step):
                if wider.get(beside, 0.0) < fade * value:
                    wider[beside] = fade * value
    return wider
