"""How likely a passage is to help: a few measures of it, each with its weight, and one curve.

A measure is one row of `MEASURES`: a function that measures all candidates at once, and its weights, which
`python -m benchmarks.fit` finds. A score is a probability: of all hits scored 0.7, about seven in ten help.
What speaks for a passage is added up in log odds, so that each measure's part can be told.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import date
from functools import cached_property, lru_cache
from heapq import nlargest

from almario.domain.candidates import Candidates, Match, Near
from almario.domain.passages import Passage
from almario.domain.words import fold, forms_of
from almario.memory.rules.exchanges import ASSISTANT, Exchange, Exchanges
from almario.named_tuples import NamedTuple
from almario.text.questions import QuestionKind
from almario.text.times.grammar import TimeSpan

# One measure of all candidates, in their order; empty if there is nothing of it in any.
Column = Sequence[float]
# To be of a time that is longer, in days, says hardly anything.
LONGEST, _HARDLY = 400, 0.5
# Few texts say little about which cosines are high: as if there were so many more, of the background.
_USUAL = 50
# Of five cues that have nothing to do with a question, the best stands out about so far: that says nothing.
_NO_CUE, _ANYWAY = (0.0, 0.0), 1.5


class Compared:
    """A question beside what was found for it; *exchanges* are the candidates that are measured."""

    exchanges: Sequence[Exchange] = ()

    def __init__(
        self,
        asked: QuestionKind,
        found: Candidates,
        *,
        terms: Sequence[Set[str]],
        background: tuple[float, float],
        cues: Mapping[str, tuple[float, float]],
        explain: bool,
        in_passing: bool = False,
    ) -> None:
        """*terms* are the forms of each of its words; the rest is as in `Query`."""
        self.asked, self.terms, self.cues, self.explain = asked, terms, cues, explain
        self._in_passing = in_passing
        self.passages, self.cosines = found.passages, found.cosines
        self.every = Exchanges(found.passages)
        self.overlap = Overlap(found.matches, found.passages, self.every, found.average)
        self.words = {match.text for match in found.matches}
        self._mean, self._spread = standing_of(found.cosines, background)

    @cached_property
    def heads(self) -> list[Passage]:
        """The passages with which the candidates begin."""
        return [self.passages[each.head] for each in self.exchanges]

    @cached_property
    def columns(self) -> dict[str, Column]:
        """The measures of which there is something, by name."""
        return {name: column for name, each in MEASURES.items() if (column := each.measured(self))}

    @cached_property
    def kinds(self) -> list[int]:
        """Which of the weights count for each candidate."""
        has_none = self.cosines.keys().isdisjoint
        return [
            (0 if is_said else 1) + (2 if is_key or has_none(each.all) else 0)
            for each, is_said, is_key in zip(self.exchanges, self.are_said, self.is_key, strict=True)
        ]

    @cached_property
    def are_said(self) -> list[bool]:
        """Of each candidate, whether it is part of a talk, and stands for more than it says itself."""
        return [
            bool(head.turn) and not (self._in_passing and each.tells and head.role == "user")
            for each, head in zip(self.exchanges, self.heads, strict=True)
        ]

    @cached_property
    def is_key(self) -> list[bool]:
        """Of each candidate, whether it is a fact whose key is all that the question names."""
        return [bool(head.memory) and self._is_named(_forms(head.key)) for head in self.heads]

    def _is_named(self, forms: Set[str]) -> bool:
        return bool(forms) and all(not forms.isdisjoint(terms) for terms in self.terms)

    @cached_property
    def speaker(self) -> str:
        """The one speaker that the question names; of two, it does not say which of them spoke."""
        speakers = {passage.speaker for passage in self.passages.values()} - {""}
        named = [speaker for speaker in speakers if not self.words.isdisjoint(fold(speaker).split())]
        return named[0] if len(named) == 1 else ""

    def cosine(self, ids: Sequence[int]) -> float:
        """Return the highest cosine of some passages."""
        cosines = self.cosines
        if len(ids) == 1:  # as most are
            return cosines.get(ids[0], 0.0)
        return max([cosines.get(one, 0.0) for one in ids], default=0.0)

    def standing(self, each: Exchange) -> float:
        """Return how far the cosine of what an exchange tells stands out from all others."""
        cosine = self.cosine(each.said if each.tells else each.all)
        return (cosine - self._mean) / self._spread if cosine else 0.0

    def fit(self, head: Passage) -> float:
        """Say whether a passage is of a time that the question names: 1 yes, -1 no, 0 if it may hold then."""
        times = self.asked.times
        if not times or not head.moments:
            return 0.0
        fit = max(_nearness(first, last, time) for first, last in head.moments for time in times) * 2 - 1
        if fit < 0 and head.day and any(_may_hold(head, head.day, time) for time in times):
            return 0.0
        return fit


class Weights(NamedTuple):
    """What a measure adds to the log odds.

    What was said is known by what stands around it; what was noted stands alone. `…_words` count where
    there are no cosines, or where a fact is asked for by its key.
    """

    said: float = 0.0
    noted: float = 0.0
    said_words: float = 0.0
    noted_words: float = 0.0


class Measure(NamedTuple):
    """How something is measured, and what it weighs."""

    measured: Callable[[Compared], Column]
    weights: Weights


def _own(of: Compared) -> Column:
    """The question's words in the passage: their share, by rarity. Of what was said it is only told."""
    own, explain = of.overlap.own, of.explain
    return [
        own(each) if explain or not is_said else 0.0
        for each, is_said in zip(of.exchanges, of.are_said, strict=True)
    ]


def _near(of: Compared) -> Column:
    """The same in what was said and around it."""
    near = of.overlap.near
    return [near(each) if head.turn else 0.0 for each, head in zip(of.exchanges, of.heads, strict=True)]


def _mass(of: Compared) -> Column:
    """How much of rare words it has, whatever else the question says."""
    raw, total = of.overlap.raw, of.overlap.total
    return [raw(each) * total / 10 for each in of.exchanges]


def _meaning(of: Compared) -> Column:
    """How far its cosine stands out from this agent's others."""
    return [of.standing(each) for each in of.exchanges] if of.cosines else ()


def _beside(of: Compared) -> Column:
    """The cosines of its neighbours."""
    cosine = of.cosines.get
    return [sum([cosine(one, 0.0) for one in each.beside]) / 2 for each in of.exchanges] if of.cosines else ()


def _speaker(of: Compared) -> Column:
    """Said by whom the question names."""
    named = of.speaker
    return [1.0 if head.speaker == named else 0.0 for head in of.heads] if named else ()


def _time(of: Compared) -> Column:
    """Of the time that the question names."""
    return [of.fit(head) for head in of.heads] if of.asked.times else ()


def _when(of: Compared) -> Column:
    """Of the time that is all the question names."""
    is_asked = of.asked.times and of.asked.only_time
    return [1.0 if of.fit(head) == 1.0 else 0.0 for head in of.heads] if is_asked else ()


def _amount(of: Compared) -> Column:
    """It has a figure where the question asks for one: 1 is yes, -1 no."""
    if not of.asked.amount:
        return ()
    return [1.0 if any(of.passages[one].figures for one in each.all) else -1.0 for each in of.exchanges]


def _assistant(of: Compared) -> Column:
    """Only an assistant's word."""
    return [1.0 if head.role == ASSISTANT else 0.0 for head in of.heads]


def _asked(of: Compared) -> Column:
    """A question that was answered."""
    return [0.0 if each.tells else 1.0 for each in of.exchanges]


def _key(of: Compared) -> Column:
    """A fact whose key is all that the question names: "what is my job?"."""
    return of.is_key if any(of.is_key) else ()


def _cue(of: Compared) -> Column:
    """How far the cosine of its best cue stands out beyond that of its text: a cue adds what that lacks."""
    if not of.cues:
        return ()
    cues = [of.cues.get(head.memory, _NO_CUE)[0] for head in of.heads]
    return [
        max(0.0, cue - max(0.0, of.standing(each))) if cue > _ANYWAY else 0.0
        for cue, each in zip(cues, of.exchanges, strict=True)
    ]


def _cue_words(of: Compared) -> Column:
    """That cue's share of the question's words."""
    return [of.cues.get(head.memory, _NO_CUE)[1] for head in of.heads] if of.cues else ()


# Where the log odds begin.
BASE = Weights(said=-6.14, noted=-5.30, said_words=-5.83, noted_words=-4.50)
MEASURES = {
    "own": Measure(_own, Weights(noted=1.42, noted_words=2.78)),
    "near": Measure(_near, Weights(said=3.58, said_words=4.10)),
    "mass": Measure(_mass, Weights(said=1.38, noted=1.66, said_words=1.81, noted_words=4.70)),
    "meaning": Measure(_meaning, Weights(said=0.21, noted=1.04)),
    "beside": Measure(_beside, Weights(said=1.57)),
    "speaker": Measure(_speaker, Weights(said=1.02, said_words=0.79)),
    "time": Measure(_time, Weights(said=0.66, noted=2.18, said_words=0.67, noted_words=1.73)),
    "when": Measure(_when, Weights(said=5.00, noted=2.62, said_words=4.63, noted_words=2.28)),
    "amount": Measure(_amount, Weights(said=0.81, noted=0.50, said_words=0.85, noted_words=0.27)),
    "assistant": Measure(_assistant, Weights(said=0.22, said_words=-0.60)),
    "asked": Measure(_asked, Weights(said=-0.48, said_words=-0.52)),
    # It is too seldom in what the weights are fitted on: this one makes it sure.
    "key": Measure(_key, Weights(noted_words=2.00)),
    "cue": Measure(_cue, Weights(noted=0.42)),
    "cue_words": Measure(_cue_words, Weights(noted=3.79, noted_words=4.78)),
}


class Curve(NamedTuple):
    """How log odds become others: raised, and stretched."""

    raised: float = 0.0
    stretched: float = 1.0

    def __call__(self, odds: float) -> float:
        return self.raised + self.stretched * odds


# A remark asks for nothing: more of what comes near may help, and what comes nearest is less sure. The
# second counts where there are no cosines.
_ASKED = (Curve(), Curve())
REMARKED = (Curve(-0.58, 0.33), Curve(-0.91, 0.20))


def _curves(of: Compared) -> tuple[Curve, Curve]:
    return REMARKED if of.asked.is_remark else _ASKED


def scores(of: Compared) -> list[float]:
    """Return how likely each of the candidates is to help."""
    kinds = of.kinds
    odds = [BASE[kind] for kind in kinds]
    for name, column in of.columns.items():
        weights = MEASURES[name].weights
        odds = [odd + value * weights[kind] for odd, value, kind in zip(odds, column, kinds, strict=True)]
    if of.asked.is_remark:
        curves = _curves(of)
        odds = [curves[kind // 2](odd) for odd, kind in zip(odds, kinds, strict=True)]
    return [1 / (1 + math.exp(-max(-30.0, min(30.0, odd)))) for odd in odds]


def parts(of: Compared, place: int) -> list[tuple[str, float, float]]:
    """Return the measures of one candidate by name, how much there is of each, and what that adds."""
    kind = of.kinds[place]
    curve = _curves(of)[kind // 2]
    measured = {name: float(column[place]) for name, column in of.columns.items() if column[place]}
    added = [
        (name, value, curve.stretched * value * MEASURES[name].weights[kind])
        for name, value in measured.items()
    ]
    return [("base", 1.0, curve(BASE[kind])), *added]


def standing_of(near: Near, background: tuple[float, float]) -> tuple[float, float]:
    """Return from which mean and by which spread a cosine stands out; few texts say little about that."""
    count, (mean, spread) = near.count + _USUAL, background
    return (
        (near.count * near.mean + _USUAL * mean) / count,
        (near.count * near.spread + _USUAL * spread) / count,
    )


def log_odds(score: float) -> float:
    """Return the log odds of a probability."""
    score = min(max(score, 1e-9), 1 - 1e-9)
    return math.log(score / (1 - score))


@lru_cache(4096)
def _forms(key: str) -> frozenset[str]:
    return frozenset(form for forms in forms_of(key) for form in forms)


def _may_hold(head: Passage, day: date, time: TimeSpan) -> bool:
    """Say whether a fact may hold at a time, or something else was said then of another time."""
    if head.memory:
        return min(day, *(first for first, _ in head.moments)) <= time.last
    return time.first <= day <= time.last


def _nearness(first: date, last: date, time: TimeSpan) -> float:
    if first <= time.last and last >= time.first:
        return 1.0 if (time.last - time.first).days <= LONGEST else _HARDLY
    # Things are told of a little after they happen, and the less exactly the time is named, the later.
    away = (first - time.last).days
    return max(0.0, 0.8 - away / (8 + (time.last - time.first).days / 2)) if away > 0 else 0.0


# What a word beside a passage counts for it, by its distance: talk answers talk a few turns before.
_FADING = (1.0, 1.0, 0.75, 0.5, 0.25)
REACH = len(_FADING) - 1
_AROUND = [(step, _FADING[abs(step)]) for step in range(-REACH, REACH + 1) if step]
# What a word of an assistant's counts: long replies echo everything, and rarely hold the fact.
_ASSISTANT = 0.5
# How much each average length of other words lowers a match, in the passage and around it.
_LENGTH, _NEAR_LENGTH = 0.4, 0.15


class Overlap:
    """The words of a question in the passages that were read; *average* is the length of a passage."""

    def __init__(
        self,
        matches: Sequence[Match],
        passages: Mapping[int, Passage],
        exchanges: Exchanges,
        average: float,
    ) -> None:
        self._passages = passages
        self._exchanges = exchanges
        self._average = max(1.0, average)
        self._matches = matches
        self.total = sum(match.weight for match in matches) or 1.0
        # By the heads of exchanges.
        self._raw: dict[int, float] = {}
        self._near: dict[int, float] = {}
        # How many of the words each passage has.
        self._matched: dict[int, int] = {}
        for match in matches:
            for one in match.worths:
                self._matched[one] = self._matched.get(one, 0) + 1
            self._take(match.weight / self.total, match.worths)

    def best(self, limit: int) -> list[int]:
        """Return the heads of the exchanges that have most of the question in and around them."""
        return [head for _, head in nlargest(limit, zip(self._near.values(), self._near, strict=True))]

    def is_matched(self, each: Exchange) -> bool:
        return each.head in self._raw

    def words(self, each: Exchange) -> frozenset[str]:
        """Return the words of the question that an exchange has."""
        return frozenset(
            match.text for match in self._matches if not match.worths.keys().isdisjoint(each.all)
        )

    def raw(self, each: Exchange) -> float:
        """Return how much of the question's words an exchange has, as a share of them all."""
        return self._raw.get(each.head, 0.0)

    def own(self, each: Exchange) -> float:
        """Return the same for the exchange's length."""
        raw = self._raw.get(each.head, 0.0)
        return raw and raw / (1 + _LENGTH * self._others(each.said if each.tells else each.answer))

    def near(self, each: Exchange) -> float:
        """Return how much of the question what was said has in it and around it, for its length."""
        near = self._near.get(each.head, 0.0)
        return near and near / (1 + _NEAR_LENGTH * self._others(each.said + each.beside))

    def _take(self, weight: float, worths: Mapping[int, float]) -> None:
        """Add what one word is worth in each exchange that has it, and in those around."""
        own: dict[int, float] = {}
        near: dict[int, float] = {}
        heads, passages = self._exchanges.heads, self._passages
        for one, worth in worths.items():
            head, passage = heads[one], passages[one]
            is_reply = passage.role == ASSISTANT
            lent = worth * _ASSISTANT if is_reply else worth
            # A reply counts in full where what was said is only a question.
            has = lent if is_reply and one != head and self._exchanges.of(head).tells else worth
            if has > own.get(head, 0.0):
                own[head] = has
            if passage.turn and passage.tells:  # a question lends its words to its answer alone
                self._spread(one, lent, near)
        for head, value in own.items():
            self._raw[head] = self._raw.get(head, 0.0) + weight * value
            if value > near.get(head, 0.0):
                near[head] = value
        for head, value in near.items():
            self._near[head] = self._near.get(head, 0.0) + weight * value

    def _spread(self, one: int, worth: float, near: dict[int, float]) -> None:
        heads, talks = self._exchanges.heads, self._exchanges.talks
        talk = talks[one]
        for step, fading in _AROUND:
            place = one + step
            if talks.get(place) == talk:
                value, head = fading * worth, heads[place]
                if value > near.get(head, 0.0):
                    near[head] = value

    def _others(self, ids: Iterable[int]) -> float:
        """Return how many other words the passages have, in average passages: a match is no burden."""
        count, passages, matched = 0, self._passages, self._matched
        for one in ids:
            others = passages[one].length - matched.get(one, 0)
            if others > 0:
                count += others
        return count / self._average
