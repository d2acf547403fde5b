"""Rank what was found: by words, by meaning, by what stands beside it, and by when it was said.

A score runs from 0 to 1 and says how well a passage answers the question by itself; it does not
depend on what else was found. All weights are positive, so one more match never lowers a passage.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from almario.domain import timewords
from almario.domain.matching import REACH, Found, Readings, best_by_words, match_words
from almario.domain.passages import Passage
from almario.domain.tfidf import similar
from almario.domain.words import fold, query_words


class Weights(NamedTuple):
    """What counts how much; found by measuring on conversations in English and Spanish."""

    # Words: in the passage itself, in it or a few passages around it, and in its whole session.
    own: float = 0.2
    near: float = 0.6
    session: float = 0.2
    # How much each average length of other words lowers a match, in the passage and around it.
    length: float = 0.4
    near_length: float = 0.15
    # What a word of an assistant's counts: long replies echo everything, and rarely hold the fact.
    assistant: float = 0.5
    # Meaning, against words; and what its neighbours' meaning counts in a passage's.
    meaning: float = 0.3
    near_meaning: float = 0.5
    # How much more like a question a passage must be when no word supports it.
    doubt: float = 0.35
    # Added to what matches already: said by whom the question names, at the time it names, lately.
    speaker: float = 0.13
    time: float = 0.11
    recency: float = 0.02
    half_life: float = 90


class Scale(NamedTuple):
    """Which cosines of a model mean nothing in common and as good as the same."""

    low: float = 0.05
    high: float = 0.75

    def __call__(self, cosine: float) -> float:
        return min(1.0, max(0.0, (cosine - self.low) / (self.high - self.low)))


class Query(NamedTuple):
    """A question, with its vector where there is an embedder, and how it is to be answered."""

    text: str
    today: date
    vector: Sequence[float] | None = None
    model: str = ""
    scale: Scale = Scale()
    limit: int = 5
    min_score: float = 0.0
    # `best`, `weighted` (the classic blend of meaning and words) or `tfidf`.
    mode: str = "best"
    explain: bool = True
    keep: Callable[[Passage], bool] | None = None
    weights: Weights = Weights()
    blend: tuple[float, float] = (0.7, 0.3)
    # How many passages are looked at closely for their words.
    pool: int = 150


class Part(NamedTuple):
    """One reason of a score: which word or sign, where it was found, and what it added."""

    name: str
    where: str
    value: float


class Scored(NamedTuple):
    """A passage with its score; the parts add up to it, if they were asked for."""

    passage: Passage
    score: float
    by_word: bool
    by_meaning: bool
    parts: tuple[Part, ...]


# How many passages are looked at closely for their meaning alone.
_NEAREST = 50
# Below this relevance, who said it and when count less and less.
_GATE = 0.03
_TIME_ALONE = 0.5


def search(index: Found, query: Query) -> list[Scored]:
    """Return the passages that answer the question best, best first."""
    total, average = index.count()
    pool = query.pool
    while True:
        found = _search(index, query, pool, average)
        # What the caller does not want may have taken the places of what it wants.
        if query.keep is None or len(found) >= query.limit or pool >= total:
            return found
        pool *= 8


def _search(index: Found, query: Query, pool: int, average: float) -> list[Scored]:
    if query.mode == "tfidf":
        return _classic(index, query, pool)
    times = timewords.spans(query.text, query.today)
    words = query_words(_without(query.text, times))
    matched = match_words(index, words)
    ids = best_by_words(matched, pool)
    ids += _of_times(index, times, pool // 2)
    around = {one + step for one in ids for step in range(-REACH, REACH + 1)}
    nearest = index.nearest(query.vector, query.model, _NEAREST) if query.vector is not None else {}
    ids = list(dict.fromkeys([*ids, *nearest]))
    cosines = _cosines(index, query, ids)
    passages = index.passages(sorted(around.union(cosines)), text=False)
    assistant = query.weights.assistant if query.mode == "best" else 1.0
    scorer = _Scorer(query, times, Readings(matched, passages, average, assistant=assistant), cosines)
    wanted = [one for one in ids if one in passages and (not query.keep or query.keep(passages[one]))]
    scores = {one: scorer.score(one) for one in wanted}
    good = [one for one, score in scores.items() if score > 0 and score >= query.min_score]
    best = sorted(good, key=lambda one: (-scores[one], -one))[: query.limit]
    texts = index.passages(best)
    return [scorer.scored(texts[one]) for one in best if one in texts]


def _without(question: str, times: Sequence[timewords.Span]) -> str:
    for time in times:
        if time.relative:
            question = question.replace(time.words, " ")
    return question


def _of_times(index: Found, times: Sequence[timewords.Span], limit: int) -> list[int]:
    """Return passages of the times that a question names, which need not share a word with it."""
    found: list[int] = []
    for time in times:
        for term in timewords.day_terms(time):
            found += index.having(term)[:limit]
        if len(found) >= limit:
            break
    return found[:limit]


def _cosines(index: Found, query: Query, ids: Sequence[int]) -> dict[int, float]:
    if query.vector is None:
        return {}
    beside = {one + step for one in ids for step in (-1, 0, 1)}
    return dict(index.nearest(query.vector, query.model, 0, sorted(beside)))


class _Factors(NamedTuple):
    """What each thing known of a passage counts in its relevance."""

    own: float
    near: float = 0.0
    session: float = 0.0
    meaning: float = 0.0
    beside: float = 0.0


class _Scorer:
    """Scores passages one by one, and says why."""

    def __init__(
        self, query: Query, times: Sequence[timewords.Span], words: Readings, cosines: Mapping[int, float]
    ) -> None:
        self._query, self._weights, self._times, self._words = query, query.weights, times, words
        self._meanings = {one: query.scale(cosine) for one, cosine in cosines.items()}
        speakers = {passage.speaker for passage in words.passages.values() if passage.speaker}
        named = [speaker for speaker in speakers if not words.texts.isdisjoint(fold(speaker).split())]
        # A question that names two says nothing about which of them spoke.
        # A question of nothing but a time is answered by that time.
        self._time = self._weights.time if words.texts else _TIME_ALONE
        self._speaker = named[0] if len(named) == 1 else None

    def score(self, one: int) -> float:
        relevance = self._relevance(one)
        return min(1.0, relevance + sum([value for _, value in self._boosts(one, relevance)]))

    def scored(self, passage: Passage) -> Scored:
        """Return a passage with its score and the reasons for it."""
        one = passage.id
        score = self.score(one)
        return Scored(
            passage,
            score,
            by_word=self._words.own.get(one, 0.0) > 0,
            by_meaning=self._meanings.get(one, 0.0) > 0,
            parts=tuple(self._reasons(one, score)) if self._query.explain else (),
        )

    def _reasons(self, one: int, score: float) -> Iterator[Part]:
        relevance = self._relevance(one)
        alone = self._alone(one)
        parts = [Part("meaning", "alone", alone)] if relevance == alone else list(self._parts(one))
        parts += [Part(name, "", value) for name, value in self._boosts(one, relevance)]
        excess = score / (sum(part.value for part in parts) or 1.0)
        yield from (part._replace(value=part.value * excess) for part in parts if part.value > 0)

    def _relevance(self, one: int) -> float:
        own, near, session, meaning, beside = self._factors(one)
        words, meanings = self._words, self._meanings
        relevance = own * words.own.get(one, 0.0)
        if near:
            relevance += near * words.near.get(one, 0.0) + session * words.in_session(one)
        if meaning:
            relevance += meaning * meanings[one] + beside * self._beside(one)
        return max(relevance, self._alone(one))

    def _alone(self, one: int) -> float:
        """Return what meaning says without any word in common: less, because it errs more."""
        return max(0.0, self._meanings.get(one, 0.0) - self._weights.doubt)

    def _factors(self, one: int) -> _Factors:
        weights, words = self._weights, self._words
        passage = words.passages[one]
        # A passage that is not embedded yet is found by its words alone.
        share = 0.0 if one not in self._meanings else weights.meaning
        own = 1 / (1 + weights.length * words.other[one])
        if self._query.mode == "weighted":
            heavy, light = self._query.blend
            share = heavy / (heavy + light) if share else 0.0
            return _Factors((1 - share) * own, meaning=share)
        if not passage.turn:
            return _Factors((1 - share) * own, meaning=share)
        other = words.other.get
        crowd = words.other[one] + other(one - 1, 0.0) + other(one + 1, 0.0)
        near = 1 / (1 + weights.near_length * crowd)
        meaning = share / (1 + 2 * weights.near_meaning)
        by_words = 1 - share
        return _Factors(
            by_words * weights.own * own,
            by_words * weights.near * near,
            by_words * weights.session,
            meaning,
            meaning * weights.near_meaning,
        )

    def _beside(self, one: int) -> float:
        return self._meanings.get(one - 1, 0.0) + self._meanings.get(one + 1, 0.0)

    def _boosts(self, one: int, relevance: float) -> Iterator[tuple[str, float]]:
        """Yield what who said it and when add to a passage, and nothing where nothing matches."""
        passage, weights = self._words.passages[one], self._weights
        room = min(1.0, relevance / _GATE)
        if self._speaker and passage.speaker == self._speaker:
            yield "speaker", weights.speaker * room
        if self._times:
            yield "time", self._time * timewords.nearness(passage.day, self._times)
        if passage.day:
            age = max(0, (self._query.today - passage.day).days)
            yield "recency", weights.recency * 0.5 ** (age / weights.half_life) * room

    def _parts(self, one: int) -> Iterator[Part]:
        factors, words = self._factors(one), self._words
        for word, own, near, session in words.shares(one):
            yield Part(word, "passage", factors.own * own)
            yield Part(word, "beside", factors.near * near)
            yield Part(word, "session", factors.session * session)
        yield Part("meaning", "passage", factors.meaning * self._meanings.get(one, 0.0))
        yield Part("meaning", "beside", factors.beside * self._beside(one))


def _classic(index: Found, query: Query, pool: int) -> list[Scored]:
    found = similar(index, query.text, pool)
    kept = [hit for hit in found if not query.keep or query.keep(hit.passage)]
    return [
        Scored(
            hit.passage,
            hit.score,
            True,
            False,
            tuple(Part(word, "passage", value) for word, value in hit.parts),
        )
        for hit in kept[: query.limit]
        if hit.score >= query.min_score
    ]
