"""How likely a passage is to help: a few measures of it, each with its weight, and one curve.

The weights are fitted by `python -m benchmarks.fit`. A score is a probability: of all hits scored
0.7, about seven in ten help. What speaks for a passage is added up in log odds, so that each measure's
part can be told.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from operator import mul

from almario.domain.candidates import Match, Passage
from almario.memory.rules.exchanges import ASSISTANT, Exchange, Exchanges
from almario.named_tuples import NamedTuple


class Measures(NamedTuple):
    """What is known of a passage with respect to a question; most run from 0 to 1."""

    # The question's words in the passage, and in it or around it: shares by their rarity.
    own: float = 0.0
    near: float = 0.0
    # How much of rare words it has, whatever else the question says.
    mass: float = 0.0
    # How far its cosine stands out from this agent's others, and its neighbours' cosines.
    meaning: float = 0.0
    beside: float = 0.0
    # Said by whom the question names.
    speaker: float = 0.0
    # Of the time that the question names; and that names nothing else.
    time: float = 0.0
    when: float = 0.0
    # It has a figure where the question asks for one: 1 is yes, -1 no.
    amount: float = 0.0
    # Only an assistant's word; a question that was answered.
    assistant: float = 0.0
    asked: float = 0.0
    # A fact whose key is all that the question names: "what is my job?".
    key: float = 0.0
    # How far the cosine of its best cue stands out, and that cue's share of the question's words.
    cue: float = 0.0
    cue_words: float = 0.0


class Weights(NamedTuple):
    """What each measure adds to the log odds, and where they begin."""

    base: float
    measures: Measures


# What was said is known by what stands around it; what was noted stands alone.
SAID = Weights(
    -6.14,
    Measures(
        near=3.58, mass=1.38, meaning=0.21, beside=1.57, speaker=1.02, time=0.66, when=5.00, amount=0.81,
        assistant=0.22, asked=-0.48,
    ),
)  # fmt: skip
NOTED = Weights(
    -5.30,
    Measures(own=1.42, mass=1.66, meaning=1.04, time=2.18, when=2.62, amount=0.50, cue=0.35, cue_words=0.8),
)
# The same where there are no cosines, or where a fact is asked for by its key. That is too seldom in what
# they are fitted on: its weight makes it sure.
SAID_WORDS = Weights(
    -5.83,
    Measures(
        near=4.10, mass=1.81, speaker=0.79, time=0.67, when=4.63, amount=0.85, assistant=-0.60, asked=-0.52
    ),
)
NOTED_WORDS = Weights(
    -4.50, Measures(own=2.78, mass=4.70, time=1.73, when=2.28, amount=0.27, key=2.00, cue=0.35, cue_words=2.0)
)


def parts_of(measures: Measures, weights: Weights) -> list[tuple[str, float, float]]:
    """Return each measure by its name, how much there is of it, and what that adds to the log odds."""
    named = zip(Measures._fields, measures, weights.measures, strict=True)
    parts = [(name, each, each * weight) for name, each, weight in named if each]
    return [("base", 1.0, weights.base), *parts]


def probability(measures: Measures, weights: Weights) -> float:
    """Return how likely a passage is to help."""
    odds = sum(map(mul, measures, weights.measures), weights.base)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def log_odds(score: float) -> float:
    """Return the log odds of a probability."""
    score = min(max(score, 1e-9), 1 - 1e-9)
    return math.log(score / (1 - score))


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
