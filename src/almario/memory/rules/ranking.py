"""Find what helps with a question: candidates by words, meaning and time, then one score for each.

What can be told is a passage that stands by itself, or an exchange. Each is measured (see `scoring`);
its score does not depend on what else was found.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from heapq import nlargest
from typing import Protocol

from almario.domain.candidates import (
    BACKGROUND,
    PREFIX,
    Candidates,
    Filter,
    Match,
    Passage,
    Search,
    source_of,
)
from almario.domain.words import fold, query_words
from almario.memory.rules.exchanges import ASSISTANT, Exchange
from almario.memory.rules.scoring import LONGEST, REACH, Compared, log_odds, parts, scores
from almario.memory.rules.sources import STRANGER
from almario.memory.rules.tfidf import similar
from almario.named_tuples import NamedTuple
from almario.text.questions import Asked


class Found(Protocol):
    """What searching needs of an index."""

    def candidates(self, wanted: Search) -> Candidates: ...
    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]: ...
    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]: ...


class Query(NamedTuple):
    """A question, with its vector where there is an embedder, and how it is to be answered."""

    asked: Asked
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
    # Whether what strangers said comes, too, where it clearly fits.
    others: bool = False
    # By memory, what its best cue measures: how far its cosine stands out, and its share of the words.
    cues: Mapping[str, tuple[float, float]] = {}
    # Passages that are candidates in any case.
    also: tuple[int, ...] = ()
    # What comes besides, from *elsewhere*, as far as it is found beside the rest.
    elsewhere: Filter | None = None


class Part(NamedTuple):
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
    parts: tuple[Part, ...] = ()
    answer: tuple[Passage, ...] = ()
    # The words of the question that are in it; and whether these are all that it names.
    words: frozenset[str] = frozenset()
    has_all: bool = False
    # What a stranger said, and clearly fits.
    fits: bool = False
    elsewhere: bool = False

    @property
    def is_agents(self) -> bool:
        """Whether nobody but the agent says what it tells."""
        telling = (self.passage,) if self.passage.tells else self.answer
        return all(each.role == ASSISTANT for each in telling)

    def at_least(self, score: float) -> "Scored":
        """Return it with no lower score than that, and the reason."""
        if self.score >= score:
            return self
        more = (Part("owner", 1.0, log_odds(score) - log_odds(self.score)),) if self.parts else ()
        return self._replace(score=score, parts=self.parts + more)

    @property
    def turns(self) -> frozenset[str]:
        """The turns of its exchange."""
        return frozenset(each.turn for each in (self.passage, *self.answer) if each.turn)


# How many passages are looked at closely for their meaning alone, and for their time.
_NEAREST, _DATED = 50, 150
_MANY = 10_000
# A rare word weighs so much of what the rarest does; and so much at most clearly fits a message.
_RARE, _FITTING = 0.75, 5
# So far around what was found by its meaning or its time the rest of the exchange is looked for.
_CLOSE = 2
# A cosine that stands out so far is a reason by itself.
_STANDS_OUT = 1.0
# Which cosines mean nothing in common and as good as the same, in the classic blend: so many spreads from
# the mean of the background.
_LOW, _HIGH = -0.3, 6.7


def search(index: Found, query: Query) -> list[Scored]:
    """Return what answers the question best, best first."""
    if query.mode == "tfidf":
        return _classic(index, query)
    pool = max(query.pool, query.limit)
    scorer = _Scorer(index, query, pool)
    # What the caller does not want may have taken the places of what it wants.
    while not scorer.has_enough and scorer.has_more:
        pool *= 8
        scorer = _Scorer(index, query, pool)
    best, others = scorer.best(), scorer.fitting() if query.others else []
    elsewhere = scorer.best(elsewhere=True) if query.elsewhere else []
    texts = index.passages(scorer.ids([*best, *others, *elsewhere]))
    return [
        *(each for place in best if (each := scorer.scored(place, texts))),
        *(each._replace(fits=True) for place in others if (each := scorer.scored(place, texts))),
        *(each._replace(elsewhere=True) for place in elsewhere if (each := scorer.scored(place, texts))),
    ]


class _Scorer:
    """The candidates for a question, and what is measured of each."""

    def __init__(self, index: Found, query: Query, pool: int) -> None:
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
        self.has_more, self._rarest, self._matches = found.has_more, found.rarest, found.matches
        self._passages = found.passages
        self._compared = compared = Compared(
            query.asked,
            found,
            terms=[frozenset(term for term, _ in word.terms) for word in words],
            background=query.background,
            cues=query.cues,
            explain=query.explain,
        )
        self._least_fit = self._needed_fit()
        heads, exchange = compared.every.heads, compared.every.of
        best = compared.overlap.best(max(pool, len(found.words)))
        others = [heads[one] for one in (*found.meaning, *found.time, *query.also) if one in heads]
        every = [exchange(head) for head in dict.fromkeys([*best, *others])]
        own = [each for each in every if self._can_come(each, query.filter)]
        # After these come those from elsewhere.
        self._own = len(own)
        more = [each for each in every if self._can_come(each, query.elsewhere)] if query.elsewhere else []
        compared.exchanges = [*own, *more]

    @property
    def has_enough(self) -> bool:
        return self._own >= self._query.limit

    @cached_property
    def _scores(self) -> list[float]:
        if self._query.mode == "weighted":
            return [sum(part.value for part in self._blended(each)) for each in self._compared.exchanges]
        return scores(self._compared)

    def best(self, *, elsewhere: bool = False) -> list[int]:
        """Return the places of the best candidates, best first."""
        least = self._query.min_score
        good = [
            (score, each.head, place)
            for place, (score, each) in enumerate(zip(self._scores, self._compared.exchanges, strict=True))
            if score > 0 and score >= least and (place >= self._own) == elsewhere
        ]
        return [place for _, _, place in nlargest(self._query.limit, good)]

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

    def fitting(self) -> list[int]:
        """Return the places of what strangers said and clearly fits, best first.

        It has two rare words of the message; or one, and the message names who said it, or has another that
        was said there, too; or it has all that a question names.
        """
        of = self._compared
        rare = [match for match in self._matches if match.weight >= _RARE * self._rarest]
        found = []
        for place, (each, head) in enumerate(zip(of.exchanges, of.heads, strict=True)):
            if head.role != STRANGER or not head.turn or place >= self._own:
                continue
            own = {match.text: match.weight for match in rare if _has(match, each.all)}
            there = set(fold(head.speaker).split()) & of.words
            if head.speaker:
                near = [one for one in self._passages if source_of(one) == source_of(head.id)]
                there |= {match.text for match in rare if _has(match, near)}
            is_asked = self._asked.is_question and len(of.overlap.words(each)) == len(of.terms)
            if own and (len(own) > 1 or there - own.keys() or is_asked):
                found.append((sum(own.values()) + of.standing(each), each, place))
        return [place for _, _, place in nlargest(_FITTING, found)]

    def _can_come(self, each: Exchange, wanted: Filter | None) -> bool:
        passages = self._passages
        if not each.tells and not any(passages[one].tells for one in each.answer):
            return False
        head = passages[each.head]
        # What held then counts, too, whenever it was told.
        least = 0 if head.memory and self._least_fit else self._least_fit
        if least is not None and self._compared.fit(head) < least:
            return False
        if wanted is None:
            return True
        return wanted.fits(head) or any(wanted.fits(passages[one]) for one in each.all[1:])

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

    def _parts(self, place: int) -> tuple[Part, ...]:
        of = self._compared
        if self._query.mode == "weighted":
            return self._blended(of.exchanges[place])
        return tuple(map(Part._make, parts(of, place)))

    def _blended(self, each: Exchange) -> tuple[Part, ...]:
        """Return the classic blend of meaning and words."""
        heavy, light = self._query.blend
        cosine, own = self._compared.cosine(each.all), self._compared.overlap.own(each)
        share = heavy / (heavy + light) if cosine else 0.0
        mean, spread = self._query.background
        meaning = min(1.0, max(0.0, ((cosine - mean) / spread - _LOW) / (_HIGH - _LOW)))
        return (Part("meaning", cosine, share * meaning), Part("own", own, (1 - share) * own))


def _has(match: Match, ids: Iterable[int]) -> bool:
    """Say whether one of the passages has a word, or a form of it."""
    return any(match.worths.get(one, 0.0) > PREFIX for one in ids)


def _classic(index: Found, query: Query) -> list[Scored]:
    found = similar(index, query.asked.text, _MANY)
    kept = [hit for hit in found if not query.filter or query.filter.fits(hit.passage)]
    return [
        Scored(
            hit.passage,
            hit.score,
            True,
            False,
            tuple(map(Part._make, hit.parts)),
        )
        for hit in kept[: query.limit]
        if hit.score >= query.min_score and hit.passage.turn not in query.hidden
    ]
