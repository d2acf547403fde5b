"""Find what helps with a question: candidates by words, meaning and time, then one score for each.

What can be told is a passage that stands by itself, or an exchange. Each is measured (see `scoring`);
its score does not depend on what else was found.
"""

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from almario.domain.candidates import Search
from almario.domain.columns import are_among, united
from almario.domain.passages import Passage
from almario.domain.words import query_words
from almario.memory.rules.scored import Found, RankingQuery, Scored
from almario.memory.rules.scoring import LONGEST, REACH, Compared, parts, scores

if TYPE_CHECKING:
    from almario.memory.rules.scoring import Column, Mask, Places

# How many passages are looked at closely for their meaning alone, and for their time.
_NEAREST, _DATED = 50, 150
# How far around a hit by meaning or time to look for the rest of the exchange.
_CLOSE = 2
# A cosine that stands out so far is a reason by itself.
_STANDS_OUT = 1.0
# What is of the time that a question names is all that comes, if some of it has so much of its words as the
# best of all.
_AS_MUCH = 0.6


def search(index: Found, query: RankingQuery) -> list[Scored]:
    """Return what answers the question best, best first."""
    pool = max(query.pool, query.limit)
    scorer = _Scorer(index, query, pool)
    # What the caller does not want may have taken the places of what it wants.
    while not scorer.has_enough and scorer.has_more:
        pool *= 8
        scorer = _Scorer(index, query, pool)
    return scorer.scored(scorer.best(), index)


class _Scorer:
    """The candidates for a question, and what is measured of each."""

    def __init__(self, index: Found, query: RankingQuery, pool: int) -> None:
        self._query, self._question = query, query.question
        words = tuple(query_words(query.question.timeless))
        found = index.candidates(
            Search(
                words,
                pool,
                query.vector,
                query.model,
                by_meaning=_NEAREST,
                times=tuple((time.first, time.last) for time in query.question.times),
                by_time=_DATED,
                beside=(REACH, _CLOSE),
                hidden=query.hidden,
                filter=query.filter,
                least=query.limit,
                also=query.also,
            )
        )
        self.has_more, self._table, self._ids = found.has_more, found.table, found.table.ids
        terms = [frozenset(term for term, _ in word.terms) for word in words]
        self._compared = compared = Compared(query, found, terms)
        best = compared.overlap.best(max(pool, len(found.words)))
        found_else = united(np.array([*found.near.ids, *found.time, *query.also], dtype=np.int64))
        others = compared.every.of[are_among(self._ids, found_else)]
        exchanges = united(best, others)
        self._least_fit = self._needed_fit(exchanges)
        compared.chosen = self._that_can_come(exchanges)

    @property
    def has_enough(self) -> bool:
        return int(np.count_nonzero(~self._are_elsewhere)) >= self._query.limit

    @cached_property
    def _are_elsewhere(self) -> "Mask":
        """Of each candidate, whether it is of another project than is asked about."""
        filter_ = self._query.filter
        if filter_ is None or not filter_.project:
            return np.zeros(len(self._compared.chosen), dtype=bool)
        return np.array([not filter_.is_here(head) for head in self._compared.heads], dtype=bool)

    @cached_property
    def _scores(self) -> "Column":
        return scores(self._compared)

    @cached_property
    def _word_scores(self) -> "Column":
        of = self._compared
        return scores(of, by_words=True) if self._query.in_passing else np.zeros(len(of.chosen))

    def best(self) -> list[int]:
        """Return the places of the best candidates, best first; after those of a project, those of others."""
        of, scores, limit = self._compared, self._scores, self._query.limit
        ranked = np.lexsort((-of.starts, -scores))
        ranked = ranked[(scores > 0)[ranked]]
        away = self._are_elsewhere[ranked]
        return [*ranked[~away][:limit].tolist(), *ranked[away][:limit].tolist()]

    def _needed_fit(self, exchanges: "Places") -> int | None:
        """Return how well a passage must fit the times that the question names, if they filter.

        What happened before anything was kept was all told later: then nothing is left out. A time may also
        be a mistake, if far more of what is asked about was told of other times.
        """
        if not self._question.filters:
            return None
        if self._question.only_time:
            return 1 if any((time.last - time.first).days <= LONGEST for time in self._question.times) else 0
        days = self._table.rows["day"]
        first = date.fromordinal(days[days > 0].min()) if days.any() else date.max
        if all(time.last < first for time in self._question.times):
            return None
        if self._query.held:
            return 0
        of, words = self._compared, self._compared.overlap.raw[exchanges]
        then = np.array([of.fit_of(head) >= 0 for head in self._table.at(of.every.starts[exchanges])], bool)
        return 0 if then.any() and words[then].max() >= _AS_MUCH * words.max() else None

    def _that_can_come(self, exchanges: "Places") -> "Places":
        """Return those of the exchanges that tell something, are of the time asked about and wanted."""
        every = self._compared.every
        exchanges = exchanges[
            every.statements[every.ends[exchanges]] > every.statements[every.starts[exchanges]]
        ]
        if self._least_fit is None and (self._query.filter is None or self._query.filter.is_plain):
            of_soul = self._table.rows["of_soul"][every.starts[exchanges]]
            return exchanges[~of_soul] if self._query.filter else exchanges
        heads, ends = self._table.at(every.starts[exchanges]), every.ends[exchanges].tolist()
        spans = zip(heads, every.starts[exchanges].tolist(), ends, strict=True)
        chosen: Places = exchanges[np.array([self._can_come(*span) for span in spans], dtype=bool)]
        return chosen

    def _can_come(self, head: Passage, start: int, end: int) -> bool:
        # What held then counts, too, whenever it was told.
        least = 0 if head.memory and self._least_fit else self._least_fit
        if least is not None and self._compared.fit_of(head) < least:
            return False
        if self._query.filter is None:
            return True
        fits, may_fit = self._query.filter.fits, self._query.filter.may_fit
        return may_fit(head) or any(map(fits, self._table.at(np.arange(start + 1, end))))

    def scored(self, places: Sequence[int], index: Found) -> list[Scored]:
        """Return candidates with their texts and the reasons for their scores; not those that are gone."""
        of, every, chosen = self._compared, self._compared.every, self._compared.chosen[places]
        spans = zip(
            *(each[chosen].tolist() for each in (every.starts, every.begins, every.ends)), strict=True
        )
        parted = [
            (self._ids[start:begin].tolist(), self._ids[begin:end].tolist()) for start, begin, end in spans
        ]
        texts = index.passages(sorted(one for spoken, answer in parted for one in (*spoken, *answer)))
        measured = zip(
            places,
            parted,
            self._scores[places].tolist(),
            self._word_scores[places].tolist(),
            of.tells[places].tolist(),
            (of.overlap.raw[chosen] > 0).tolist(),
            (of.contrast[places] > _STANDS_OUT).tolist(),
            of.overlap.words(chosen),
            strict=True,
        )
        return [
            Scored(
                _joined([texts[one] for one in spoken], tells=tells),
                score,
                word_score=word_score,
                by_word=by_word,
                by_meaning=by_meaning,
                parts=tuple(parts(of, place)) if self._query.explain else (),
                answer=tuple(texts[one] for one in answer),
                words=words,
                has_all=0 < len(words) == len(of.terms),
            )
            for place, (spoken, answer), score, word_score, tells, by_word, by_meaning, words in measured
            if texts.keys() >= {*spoken, *answer}
        ]


def _joined(passages: Sequence[Passage], *, tells: bool) -> Passage:
    first = passages[0]
    if len(passages) == 1 and first.tells == tells:
        return first
    return first._replace(text="\n".join(each.text for each in passages), tells=tells)
