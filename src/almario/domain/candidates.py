"""Candidates for a question: passages found by words, meaning and dates at once, and their neighbours.

An index answers with these in one call. How it finds them is its own; `gathered` is for one that has
lists of ids by word, as SQLite and the fake do.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from datetime import date
from heapq import nlargest
from typing import Protocol

from almario.domain.audiences import project_of
from almario.domain.memories import same_key
from almario.domain.model import SOUL_FILES, Scope
from almario.domain.passages import Passage
from almario.domain.words import Word
from almario.named_tuples import NamedTuple


class Near(dict[int, float]):
    """Cosines by passage; *mean* and *spread* are those of all *count* texts that were compared."""

    mean: float = 0.0
    spread: float = 0.0
    count: int = 0


# The mean and the spread of the cosines of texts that have nothing in common, in the model that scores are
# fitted to.
BACKGROUND = (0.08, 0.10)
# What a word is worth that the index knows only as the beginning of others.
PREFIX = 0.5
SHORTEST_PREFIX = 4
_MOST_WORDS = 32
# A small store says little about which words are rare: as if there were this many passages more.
_UNSEEN = 50


class Filter(NamedTuple):
    """Which passages are wanted: those of a *scope*; with a *session*, nothing that was said elsewhere.

    With a *project*, nothing that was said in another one; but if *elsewhere*, what the owner said there may
    come as well.
    """

    scope: Scope = Scope()
    session: str | None = None
    project: str = ""
    elsewhere: bool = False

    def fits(self, passage: Passage) -> bool:
        """Say whether a passage is one of those, and of this project if there is one."""
        return self._is_in_scope(passage) and self.is_here(passage)

    def may_fit(self, passage: Passage) -> bool:
        """Say whether a passage is one of those, or the owner's own word from another project."""
        is_owners = self.elsewhere and passage.role == "user"
        return self._is_in_scope(passage) and (is_owners or self.is_here(passage))

    def is_here(self, passage: Passage) -> bool:
        """Say whether a passage is of this session and project; what nobody said is of all."""
        if not (turn := passage.turn):
            return True
        is_heard = self.session is None or turn.rpartition("#")[0] == (self.session or None)
        return is_heard and (not self.project or project_of(turn) in ("", self.project))

    def _is_in_scope(self, passage: Passage) -> bool:
        scope, turn, day = self.scope, passage.turn, passage.day
        source = "session" if turn else "soul" if passage.path in SOUL_FILES else "memory"
        if source not in (scope.sources or ("session", "memory")):
            return False
        if scope.kinds and passage.kind not in scope.kinds:
            return False
        if scope.keys and same_key(passage.key) not in scope.keys:
            return False
        if scope.since or scope.until:
            return day is not None and (scope.since or day) <= day <= (scope.until or day)
        return True


class Search(NamedTuple):
    """What is looked for: by *words*, by a *vector* of a *model*, by *times*; and how many of each.

    Of what was said, the neighbours come along: so many on either side of what was found by its words,
    and of what was found otherwise. Nothing of the *hidden* turns comes. If fewer than *least* of those found
    by their words fit the *filter*, more are looked at.
    """

    words: tuple[Word, ...] = ()
    by_words: int = 0
    vector: Sequence[float] | None = None
    model: str = ""
    by_meaning: int = 0
    times: tuple[tuple[date, date], ...] = ()
    by_time: int = 0
    beside: tuple[int, int] = (0, 0)
    hidden: Collection[str] = ()
    filter: Filter | None = None
    least: int = 0
    # Passages that are candidates in any case.
    also: tuple[int, ...] = ()


class Match(NamedTuple):
    """A word of the question: how much it weighs, and what it is worth in the candidates that have it."""

    text: str
    weight: float
    worths: Mapping[int, float]


class Candidates(NamedTuple):
    """Passages by id, without their texts, and how they were found.

    *words*, *meaning* and *time* name those that were found so, best first; *cosines* are of all that have
    a vector. *average* is how many words a passage has; *has_more* says that more have some of the words.
    """

    passages: Mapping[int, Passage]
    matches: tuple[Match, ...] = ()
    words: tuple[int, ...] = ()
    meaning: tuple[int, ...] = ()
    time: tuple[int, ...] = ()
    cosines: Near = Near()
    average: float = 0.0
    has_more: bool = False


class Asking(NamedTuple):
    """The passages that only ask, and how many words these have.

    To ask about something again and again does not make it common: the statistics of words are of the rest.
    """

    ids: Set[int]
    words: int


class Lists(Protocol):
    """An index that has lists of ids."""

    def count(self) -> tuple[int, float]:
        """Return how many passages there are, and how many words they have on average."""

    def having(self, term: str) -> Sequence[int]:
        """Return the ids of the passages with a term, in order; a term that ends in `*` is a beginning."""

    def asking(self) -> Asking:
        """Return the passages that only ask."""

    def during(self, first: date, last: date, limit: int) -> Sequence[int]:
        """Return the latest passages that speak of those days, or of some of them, in order."""

    def without_text(self, ids: Sequence[int]) -> Mapping[int, Passage]:
        """Return those of the passages that exist, without their texts."""

    def nearest(self, vector: Sequence[float], model: str, limit: int, also: Sequence[int] = ()) -> Near:
        """Return the cosine of the nearest passages, and of those in *also* that have a vector."""


def gathered(lists: Lists, wanted: Search) -> Candidates:
    """Find the candidates by lists of ids, without reading a text."""
    matches = _matched(lists, wanted.words)
    ids, read = _fitting(lists, matches, wanted)
    vector, model = wanted.vector, wanted.model
    near = Near() if vector is None else lists.nearest(vector, model, wanted.by_meaning)
    dated = [one for first, last in wanted.times for one in lists.during(first, last, wanted.by_time)]
    passages = _with_neighbours(lists, wanted, read, [*near, *dated, *wanted.also])
    cosines = Near() if vector is None else lists.nearest(vector, model, 0, sorted(passages))
    cosines.mean, cosines.spread, cosines.count = near.mean, near.spread, near.count
    return Candidates(
        passages,
        tuple(Match(match.text, match.weight, match.worths(passages.keys())) for match in matches),
        tuple(ids),
        tuple(near),
        tuple(dated),
        cosines,
        _average(lists),
        has_more=0 < wanted.by_words <= len(ids),
    )


def _average(lists: Lists) -> float:
    (passages, words), asking = lists.count(), lists.asking()
    telling = passages - len(asking.ids)
    return (passages * words - asking.words) / telling if telling else 0.0


def _fitting(
    lists: Lists, matches: Sequence["_Listed"], wanted: Search
) -> tuple[list[int], Mapping[int, Passage]]:
    """Return the best by their words, as many as it takes, and the passages that they are."""
    pool = wanted.by_words
    while True:
        ids = _best_by_words(matches, pool)
        read = lists.without_text(sorted(ids))
        fitting = len(read) if wanted.filter is None else sum(map(wanted.filter.fits, read.values()))
        if len(ids) < pool or not pool or fitting >= wanted.least:
            return ids, read
        pool *= 8


def _with_neighbours(
    lists: Lists, wanted: Search, read: Mapping[int, Passage], others: Sequence[int]
) -> dict[int, Passage]:
    """Return the passages, those that were read and the others, and the neighbours of what was said."""
    found = {**read, **lists.without_text(sorted(set(others).difference(read)))}
    around: set[int] = set()
    for some, reach in zip((read, others), wanted.beside, strict=True):
        for one in some:
            if one in found and found[one].turn:
                around.update(range(one - reach, one + reach + 1))
    found |= lists.without_text(sorted(around.difference(found)))
    hidden = set(wanted.hidden)
    return {one: each for one, each in found.items() if each.turn not in hidden} if hidden else found


class _Listed(NamedTuple):
    """Where a word of the question occurs: ids by falling worth, and how much the word weighs."""

    text: str
    sets: tuple[tuple[float, Set[int]], ...]
    weight: float

    def worths(self, ids: Set[int]) -> dict[int, float]:
        """Return what the word is worth in those of the passages that have it."""
        found: dict[int, float] = {}
        for worth, having in reversed(self.sets):
            found.update(dict.fromkeys(ids & having, worth))
        return found


def _matched(index: Lists, words: Iterable[Word]) -> list[_Listed]:
    """Look each word up; a word that is nowhere weighs too, because the answer should have had it."""
    asking = index.asking().ids
    total = index.count()[0] - len(asking)
    matches = []
    for word in words:
        sets = [(worth, ids) for term, worth in word.terms if (ids := set(index.having(term)))]
        if not sets and word.whole:
            continue
        is_told = any(ids - asking for _, ids in sets)
        if not (is_told or word.whole) and len(word.text) >= SHORTEST_PREFIX:
            beginning = set(index.having(word.text + "*"))
            sets += [(PREFIX, beginning)] if beginning else []
        most = max((len(ids - asking) for _, ids in sets), default=0)
        matches.append(_Listed(word.text, tuple(sets), rarity(most, total)))
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


def _best_by_words(matches: Iterable[_Listed], limit: int) -> list[int]:
    """Return the passages with the weightiest words."""
    heaviest = sorted((match for match in matches if match.sets), key=lambda match: -match.weight)
    left = sum(match.weight for match in heaviest)
    weights: dict[int, float] = {}
    for match in heaviest:
        having = set[int]().union(*(ids for _, ids in match.sets))
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
