"""Find what helps with a question: candidates by words, meaning and time, then one score for each.

What can be told is a passage that stands by itself, or an exchange. Each is measured (see `scoring`);
its score does not depend on what else was found.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from heapq import nlargest
from typing import Protocol

from almario.domain.candidates import (
    BACKGROUND,
    PREFIX,
    Candidates,
    Filter,
    Match,
    Near,
    Passage,
    Search,
    source_of,
)
from almario.domain.words import fold, forms_of, query_words
from almario.memory.rules.exchanges import ASSISTANT, Exchange, Exchanges
from almario.memory.rules.scoring import (
    NOTED,
    NOTED_WORDS,
    REACH,
    SAID,
    SAID_WORDS,
    Measures,
    Overlap,
    Weights,
    log_odds,
    parts_of,
    probability,
)
from almario.memory.rules.sources import STRANGER
from almario.memory.rules.tfidf import similar
from almario.named_tuples import NamedTuple
from almario.text.questions import Asked
from almario.text.times.grammar import Span


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
# To be of a time that is longer, in days, says hardly anything.
_LONGEST, _HARDLY = 400, 0.5
# A rare word weighs so much of what the rarest does; and so much at most clearly fits a message.
_RARE, _FITTING = 0.75, 5
# So far around what was found by its meaning or its time the rest of the exchange is looked for.
_CLOSE = 2
# Few texts say little about which cosines are high: as if there were so many more, of the background.
_USUAL = 50
_NO_CUE = (0.0, 0.0)
# A cosine that stands out so far is a reason by itself.
_STANDS_OUT = 1.0
# Which cosines mean nothing in common and as good as the same, in the classic blend: so many spreads from
# the mean of the background.
_LOW, _HIGH = -0.3, 6.7


def search(index: Found, query: Query) -> list[Scored]:
    """Return what answers the question best, best first."""
    if query.mode == "tfidf":
        return _classic(index, query)
    pool = query.pool
    scorer = _Scorer(index, query, pool)
    # What the caller does not want may have taken the places of what it wants.
    while len(scorer.wanted) < query.limit and scorer.has_more:
        pool *= 8
        scorer = _Scorer(index, query, pool)
    scored = ((scorer.score(each), each) for each in scorer.wanted)  # an exchange begins with its head
    good = [(score, each) for score, each in scored if score > 0 and score >= query.min_score]
    best = nlargest(query.limit, good)
    others = scorer.fitting() if query.others else []
    texts = index.passages(
        sorted({one for each in (*(each for _, each in best), *others) for one in each.all})
    )
    found = [scorer.scored(each, score, texts) for score, each in best if each.head in texts]
    fitting = [scorer.scored(each, scorer.score(each), texts) for each in others if each.head in texts]
    return found + [each._replace(fits=True) for each in fitting]


class _Scorer:
    """The candidates for a question, and what is measured of each."""

    def __init__(self, index: Found, query: Query, pool: int) -> None:
        self._query, self._asked = query, query.asked
        words = tuple(query_words(query.asked.timeless))
        self._terms = [frozenset(term for term, _ in word.terms) for word in words]
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
        self.has_more, self._rarest = found.has_more, found.rarest
        self._passages, self._cosines, self._matches = found.passages, found.cosines, found.matches
        self._least_fit = self._needed_fit()
        self._exchanges = Exchanges(self._passages)
        self._overlap = Overlap(found.matches, self._passages, self._exchanges, found.average)
        self._speaker = self._named({match.text for match in found.matches})
        heads = self._exchanges.heads
        best = self._overlap.best(max(pool, len(found.words)))
        others = [heads[one] for one in (*found.meaning, *found.time, *query.also) if one in heads]
        exchanges = map(self._exchanges.of, dict.fromkeys([*best, *others]))
        self.wanted = [each for each in exchanges if self._can_come(each)]
        self._mean, self._spread = standing_of(found.cosines, query.background)

    def _needed_fit(self) -> int | None:
        """Return how well a passage must fit the times that the question names, if they filter.

        What happened before anything was kept was all told later: then nothing is left out.
        """
        if not self._asked.filters:
            return None
        if self._asked.only_time:
            return 1 if any((time.last - time.first).days <= _LONGEST for time in self._asked.times) else 0
        first = min((passage.day for passage in self._passages.values() if passage.day), default=date.max)
        return 0 if any(time.last >= first for time in self._asked.times) else None

    def _named(self, words: set[str]) -> str:
        """Return the one speaker that the question names; of two, it does not say which of them spoke."""
        speakers = {passage.speaker for passage in self._passages.values()} - {""}
        named = [speaker for speaker in speakers if not words.isdisjoint(fold(speaker).split())]
        return named[0] if len(named) == 1 else ""

    def fitting(self) -> list[Exchange]:
        """Return what strangers said and clearly fits, best first.

        It has two rare words of the message; or one, and the message names who said it, or has another that
        was said there, too; or it has all that a question names.
        """
        rare = [match for match in self._matches if match.weight >= _RARE * self._rarest]
        found = []
        for each in self.wanted:
            head = self._passages[each.head]
            if head.role != STRANGER or not head.turn:
                continue
            own = {match.text: match.weight for match in rare if _has(match, each.all)}
            there = set(fold(head.speaker).split()) & {match.text for match in self._matches}
            if head.speaker:
                near = [one for one in self._passages if source_of(one) == source_of(head.id)]
                there |= {match.text for match in rare if _has(match, near)}
            is_asked = self._asked.is_question and len(self._overlap.words(each)) == len(self._terms)
            if own and (len(own) > 1 or there - own.keys() or is_asked):
                found.append((sum(own.values()) + self._standing(each), each))
        return [each for _, each in nlargest(_FITTING, found)]

    def _can_come(self, each: Exchange) -> bool:
        passages = self._passages
        if not each.tells and not any(passages[one].tells for one in each.answer):
            return False
        head = passages[each.head]
        # What held then counts, too, whenever it was told.
        least = 0 if head.memory and self._least_fit else self._least_fit
        if least is not None and self._fits(head) < least:
            return False
        if self._query.filter is None:
            return True
        fits = self._query.filter.fits
        return fits(passages[each.head]) or any(fits(passages[one]) for one in each.all[1:])

    def score(self, each: Exchange) -> float:
        if self._query.mode == "weighted":
            return sum(part.value for part in self._blended(each))
        return probability(self._measures(each), self._weights(each))

    def scored(self, each: Exchange, score: float, texts: Mapping[int, Passage]) -> Scored:
        """Return a candidate with its texts and the reasons for its score."""
        text = "\n".join(texts[one].text for one in each.said if one in texts)
        return Scored(
            texts[each.head]._replace(text=text, tells=each.tells),
            score,
            by_word=self._overlap.is_matched(each),
            by_meaning=self._standing(each) > _STANDS_OUT,
            parts=self._parts(each) if self._query.explain else (),
            answer=tuple(texts[one] for one in each.answer if one in texts),
            words=(words := self._overlap.words(each)),
            has_all=0 < len(words) == len(self._terms),
        )

    def _parts(self, each: Exchange) -> tuple[Part, ...]:
        if self._query.mode == "weighted":
            return self._blended(each)
        return tuple(map(Part._make, parts_of(self._measures(each), self._weights(each))))

    def _weights(self, each: Exchange) -> Weights:
        has_cosine = not self._cosines.keys().isdisjoint(each.all)
        if self._passages[each.head].turn:
            return SAID if has_cosine else SAID_WORDS
        is_asked_for = self._is_key(self._passages[each.head])
        return NOTED if has_cosine and not is_asked_for else NOTED_WORDS

    def _measures(self, each: Exchange) -> Measures:
        head, asked, cosines = self._passages[each.head], self._asked, self._cosines
        overlap, is_said = self._overlap, bool(self._passages[each.head].turn)
        time = self._fits(head) if asked.times else 0.0
        return Measures(  # by their places, which is quicker: it is done for every candidate
            # Of what was said it is only told, and weighs nothing.
            0.0 if is_said and not self._query.explain else overlap.own(each),
            overlap.near(each) if is_said else 0.0,
            overlap.raw(each) * overlap.total / 10,
            self._standing(each),
            sum([cosines.get(one, 0.0) for one in each.beside]) / 2 if each.beside else 0.0,
            1.0 if self._speaker and head.speaker == self._speaker else 0.0,
            time,
            1.0 if time == 1.0 and asked.only_time else 0.0,
            self._amount(each) if asked.amount else 0.0,
            1.0 if head.role == ASSISTANT else 0.0,
            0.0 if each.tells else 1.0,
            1.0 if self._is_key(head) else 0.0,
            *self._query.cues.get(head.memory, _NO_CUE),
        )

    def _is_key(self, head: Passage) -> bool:
        """Say whether the question names the key of a fact and nothing else."""
        forms = _forms(head.key) if head.memory else frozenset[str]()
        return bool(forms) and all(not forms.isdisjoint(terms) for terms in self._terms)

    def _standing(self, each: Exchange) -> float:
        """Return how far the cosine of what an exchange tells stands out from all others."""
        cosine = self._cosine(each.said if each.tells else each.all)
        return (cosine - self._mean) / self._spread if cosine else 0.0

    def _cosine(self, ids: Sequence[int]) -> float:
        cosines = self._cosines
        if len(ids) == 1:  # as most are
            return cosines.get(ids[0], 0.0)
        return max([cosines.get(one, 0.0) for one in ids], default=0.0)

    def _amount(self, each: Exchange) -> float:
        return 1.0 if any(self._passages[one].figures for one in each.all) else -1.0

    def _fits(self, head: Passage) -> float:
        """Say whether a passage is of a time that the question names: 1 yes, -1 no, 0 if it may hold then."""
        times = self._asked.times
        if not times or not head.moments:
            return 0.0
        fit = max(_nearness(first, last, time) for first, last in head.moments for time in times) * 2 - 1
        if fit < 0 and head.day and any(self._may_hold(head, head.day, time) for time in times):
            return 0.0
        return fit

    def _may_hold(self, head: Passage, day: date, time: Span) -> bool:
        """Say whether a fact may hold at a time, or something else was said then of another time."""
        if head.memory:
            return min(day, *(first for first, _ in head.moments)) <= time.last
        return time.first <= day <= time.last

    def _blended(self, each: Exchange) -> tuple[Part, ...]:
        """Return the classic blend of meaning and words."""
        heavy, light = self._query.blend
        cosine, own = self._cosine(each.all), self._overlap.own(each)
        share = heavy / (heavy + light) if cosine else 0.0
        mean, spread = self._query.background
        meaning = min(1.0, max(0.0, ((cosine - mean) / spread - _LOW) / (_HIGH - _LOW)))
        return (Part("meaning", cosine, share * meaning), Part("own", own, (1 - share) * own))


def standing_of(near: Near, background: tuple[float, float]) -> tuple[float, float]:
    """Return from which mean and by which spread a cosine stands out; few texts say little about that."""
    count, (mean, spread) = near.count + _USUAL, background
    return (
        (near.count * near.mean + _USUAL * mean) / count,
        (near.count * near.spread + _USUAL * spread) / count,
    )


def _has(match: Match, ids: Iterable[int]) -> bool:
    """Say whether one of the passages has a word, or a form of it."""
    return any(match.worths.get(one, 0.0) > PREFIX for one in ids)


@lru_cache(4096)
def _forms(key: str) -> frozenset[str]:
    return frozenset(form for forms in forms_of(key) for form in forms)


def _nearness(first: date, last: date, time: Span) -> float:
    if first <= time.last and last >= time.first:
        return 1.0 if (time.last - time.first).days <= _LONGEST else _HARDLY
    # Things are told of a little after they happen, and the less exactly the time is named, the later.
    away = (first - time.last).days
    return max(0.0, 0.8 - away / (8 + (time.last - time.first).days / 2)) if away > 0 else 0.0


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
