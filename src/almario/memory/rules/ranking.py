"""Find what helps with a question: candidates by words, meaning and time, then one score for each.

What can be told is a passage that stands by itself, or an exchange. Each is measured (see `scoring`);
its score does not depend on what else was found.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from heapq import nlargest
from typing import Protocol

from almario.domain.candidates import BACKGROUND, Candidates, Filter, Search
from almario.domain.passages import Passage
from almario.domain.words import query_words
from almario.memory.rules.exchanges import ASSISTANT, Exchange
from almario.memory.rules.scoring import LONGEST, REACH, Compared, log_odds, parts, scores
from almario.memory.rules.tfidf import similar
from almario.named_tuples import NamedTuple
from almario.text.questions import QuestionKind


class Found(Protocol):
    """What searching needs of an index."""

    def candidates(self, wanted: Search) -> Candidates: ...
    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]: ...
    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]: ...


class RankingQuery(NamedTuple):
    """A question, with its vector where there is an embedder, and how it is to be answered."""

    asked: QuestionKind
    vector: Sequence[float] | None = None
    model: str = ""
    limit: int = 5
    min_score: float = 0.0
    # `best`, `weighted` (the classic blend of meaning and words) or `tfidf`.
    mode: str = "best"
    explain: bool = True
    filter: Filter | None = None
    # Turns that nobody needs to be told of: what is being answered, and what is in sight.
    hidden: Collection[str] = ()
    blend: tuple[float, float] = (0.7, 0.3)
    # How many passages are looked at closely for their words.
    pool: int = 80
    # The mean and the spread of the cosines of texts that have nothing in common, in this model.
    background: tuple[float, float] = BACKGROUND
    # By memory, what its best cue measures: how far its cosine stands out, and its share of the words.
    cues: Mapping[str, tuple[float, float]] = {}
    # Passages that are candidates in any case.
    also: tuple[int, ...] = ()
    # Whether what the owner said in passing counts like what was noted.
    in_passing: bool = False


class RankedPart(NamedTuple):
    """One reason of a score: what was measured, how much of it there is, and what it adds to the log odds."""

    name: str
    measure: float
    value: float


class Scored(NamedTuple):
    """A passage with its score, and the rest of its exchange; the parts are there if they were asked for."""

    passage: Passage
    score: float
    by_word: bool
    by_meaning: bool
    parts: tuple[RankedPart, ...] = ()
    answer: tuple[Passage, ...] = ()
    # The words of the question that are in it; and whether these are all that it names.
    words: frozenset[str] = frozenset()
    has_all: bool = False

    @property
    def is_agents(self) -> bool:
        """Whether nobody but the agent says what it tells."""
        telling = (self.passage,) if self.passage.tells else self.answer
        return all(each.role == ASSISTANT for each in telling)

    def at_least(self, score: float) -> "Scored":
        """Return it with no lower score than that, and the reason."""
        if self.score >= score:
            return self
        more = (RankedPart("owner", 1.0, log_odds(score) - log_odds(self.score)),) if self.parts else ()
        return self._replace(score=score, parts=self.parts + more)

    @property
    def turns(self) -> frozenset[str]:
        """The turns of its exchange."""
        return frozenset(each.turn for each in (self.passage, *self.answer) if each.turn)


# How many passages are looked at closely for their meaning alone, and for their time.
_NEAREST, _DATED = 50, 150
_MANY = 10_000
# So far around what was found by its meaning or its time the rest of the exchange is looked for.
_CLOSE = 2
# A cosine that stands out so far is a reason by itself.
_STANDS_OUT = 1.0
# Which cosines mean nothing in common and as good as the same, in the classic blend: so many spreads from
# the mean of the background.
_LOW, _HIGH = -0.3, 6.7


def search(index: Found, query: RankingQuery) -> list[Scored]:
    """Return what answers the question best, best first."""
    if query.mode == "tfidf":
        return _classic(index, query)
    pool = max(query.pool, query.limit)
    scorer = _Scorer(index, query, pool)
    # What the caller does not want may have taken the places of what it wants.
    while not scorer.has_enough and scorer.has_more:
        pool *= 8
        scorer = _Scorer(index, query, pool)
    best = scorer.best()
    texts = index.passages(scorer.ids(best))
    return [each for place in best if (each := scorer.scored(place, texts))]


class _Scorer:
    """The candidates for a question, and what is measured of each."""

    def __init__(self, index: Found, query: RankingQuery, pool: int) -> None:
        self._query, self._asked = query, query.asked
        words = tuple(query_words(query.asked.timeless))
        found = index.candidates(
            Search(
                words,
                pool,
                query.vector,
                query.model,
                by_meaning=_NEAREST,
                times=tuple((time.first, time.last) for time in query.asked.times),
                by_time=_DATED,
                beside=(REACH, _CLOSE),
                hidden=query.hidden,
                filter=query.filter,
                least=query.limit,
                also=query.also,
            )
        )
        self.has_more, self._passages = found.has_more, found.passages
        self._compared = compared = Compared(
            query.asked,
            found,
            terms=[frozenset(term for term, _ in word.terms) for word in words],
            background=query.background,
            cues=query.cues,
            explain=query.explain,
            in_passing=query.in_passing,
        )
        self._least_fit = self._needed_fit()
        heads, exchange = compared.every.heads, compared.every.of
        best = compared.overlap.best(max(pool, len(found.words)))
        others = [heads[one] for one in (*found.meaning, *found.time, *query.also) if one in heads]
        wanted = dict.fromkeys([*best, *others])
        compared.exchanges = [each for head in wanted if self._can_come(each := exchange(head))]

    @property
    def has_enough(self) -> bool:
        return len(self._compared.exchanges) - sum(self._are_elsewhere) >= self._query.limit

    @cached_property
    def _are_elsewhere(self) -> list[bool]:
        """Of each candidate, whether it is of another project than is asked about."""
        filter_ = self._query.filter
        if filter_ is None or not filter_.project:
            return [False] * len(self._compared.exchanges)
        return [not filter_.is_here(head) for head in self._compared.heads]

    @cached_property
    def _scores(self) -> list[float]:
        if self._query.mode == "weighted":
            return [sum(part.value for part in self._blended(each)) for each in self._compared.exchanges]
        return scores(self._compared)

    def best(self) -> list[int]:
        """Return the places of the best candidates, best first; after those of a project, those of others."""
        least, elsewhere = self._query.min_score, self._are_elsewhere
        good = [
            (score, each.head, place)
            for place, (score, each) in enumerate(zip(self._scores, self._compared.exchanges, strict=True))
            if score > 0 and score >= least
        ]
        here, there = ([each for each in good if elsewhere[each[2]] is away] for away in (False, True))
        limit = self._query.limit
        return [place for _, _, place in (*nlargest(limit, here), *nlargest(limit, there))]

    def _needed_fit(self) -> int | None:
        """Return how well a passage must fit the times that the question names, if they filter.

        What happened before anything was kept was all told later: then nothing is left out.
        """
        if not self._asked.filters:
            return None
        if self._asked.only_time:
            return 1 if any((time.last - time.first).days <= LONGEST for time in self._asked.times) else 0
        first = min((passage.day for passage in self._passages.values() if passage.day), default=date.max)
        return 0 if any(time.last >= first for time in self._asked.times) else None

    def _can_come(self, each: Exchange) -> bool:
        passages = self._passages
        if not each.tells and not any(passages[one].tells for one in each.answer):
            return False
        head = passages[each.head]
        # What held then counts, too, whenever it was told.
        least = 0 if head.memory and self._least_fit else self._least_fit
        if least is not None and self._compared.fit(head) < least:
            return False
        if self._query.filter is None:
            return True
        fits, may_fit = self._query.filter.fits, self._query.filter.may_fit
        return may_fit(head) or any(fits(passages[one]) for one in each.all[1:])

    def ids(self, places: Iterable[int]) -> list[int]:
        """Return the passages of some candidates."""
        return sorted({one for place in places for one in self._compared.exchanges[place].all})

    def scored(self, place: int, texts: Mapping[int, Passage]) -> Scored | None:
        """Return a candidate with its texts and the reasons for its score; None if it is gone."""
        of, each = self._compared, self._compared.exchanges[place]
        if each.head not in texts:
            return None
        text = "\n".join(texts[one].text for one in each.said if one in texts)
        return Scored(
            texts[each.head]._replace(text=text, tells=each.tells),
            self._scores[place],
            by_word=of.overlap.is_matched(each),
            by_meaning=of.standing(each) > _STANDS_OUT,
            parts=self._parts(place) if self._query.explain else (),
            answer=tuple(texts[one] for one in each.answer if one in texts),
            words=(words := of.overlap.words(each)),
            has_all=0 < len(words) == len(of.terms),
        )

    def _parts(self, place: int) -> tuple[RankedPart, ...]:
        of = self._compared
        if self._query.mode == "weighted":
            return self._blended(of.exchanges[place])
        return tuple(map(RankedPart._make, parts(of, place)))

    def _blended(self, each: Exchange) -> tuple[RankedPart, ...]:
        """Return the classic blend of meaning and words."""
        heavy, light = self._query.blend
        cosine, own = self._compared.cosine(each.all), self._compared.overlap.own(each)
        share = heavy / (heavy + light) if cosine else 0.0
        mean, spread = self._query.background
        meaning = min(1.0, max(0.0, ((cosine - mean) / spread - _LOW) / (_HIGH - _LOW)))
        return (RankedPart("meaning", cosine, share * meaning), RankedPart("own", own, (1 - share) * own))


def _classic(index: Found, query: RankingQuery) -> list[Scored]:
    found = similar(index, query.asked.text, _MANY)
    kept = [hit for hit in found if not query.filter or query.filter.fits(hit.passage)]
    return [
        Scored(
            hit.passage,
            hit.score,
            True,
            False,
            tuple(map(RankedPart._make, hit.parts)),
        )
        for hit in kept[: query.limit]
        if hit.score >= query.min_score and hit.passage.turn not in query.hidden
    ]
