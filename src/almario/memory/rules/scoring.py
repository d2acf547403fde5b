"""How likely a passage is to help: a few measures of it, each with its weight, and one curve.

A measure is one row of `MEASURES`: a function that measures all candidates at once, and its weights, which
`python -m benchmarks.fit` finds. A score is a probability: of all hits scored 0.7, about seven in ten help.
What speaks for a passage is added up in log odds, so that each measure's part can be told.
"""

from collections.abc import Callable, Sequence, Set
from datetime import date
from functools import cached_property, lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from almario.domain.candidates import Near
from almario.domain.columns import ROLES, Candidates, Match
from almario.domain.passages import PLACE_BITS, Passage
from almario.domain.words import fold, forms_of
from almario.memory.rules.exchanges import ASSISTANT
from almario.memory.rules.scored import Cue, RankingQuery
from almario.memory.rules.sources import ACT, LESSON, STRANGER
from almario.named_tuples import NamedTuple
from almario.text.times.grammar import TimeSpan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    # One measure of all candidates, in their order.
    Column = NDArray[Any]
    Places = NDArray[np.int64]
    Mask = NDArray[np.bool_]

# To be of a time that is longer, in days, says hardly anything.
LONGEST, _HARDLY = 400, 0.5
# Few texts say little about which cosines are high: this many of the background are added.
_USUAL = 50
# Of five cues that have nothing to do with a question, the best stands out about so far: that says nothing.
_NO_CUE, _ANYWAY = Cue(), 1.5
_AGENT, _STRANGER = ROLES.index(ASSISTANT), ROLES.index(STRANGER)
_ACTS = (ROLES.index(ACT), ROLES.index(LESSON))


class Exchanges:
    """Passages parted into exchanges: what somebody said, with the answer to it. What was not said is alone.

    Passages of a transcript have neighbouring ids; a conversation ends with the day or the transcript, and
    has a number, which is 0 for what was not said. Each exchange has the places where it *starts*, where its
    answer *begins* and where it *ends*; *tells* says whether what was said tells anything by itself. *of* is
    the exchange of each passage.
    """

    def __init__(self, rows: "NDArray[Any]") -> None:
        count, self._ids = len(rows), np.ascontiguousarray(rows["id"])
        spoken = np.flatnonzero(rows["turn"])
        source, day = self._ids[spoken] >> PLACE_BITS, rows["day"][spoken]
        is_new = np.ones(len(spoken), dtype=bool)
        is_new[1:] = (source[1:] != source[:-1]) | (day[1:] != day[:-1])
        self._talks = np.zeros(count, dtype=np.int64)
        self._talks[spoken] = np.cumsum(is_new)
        is_same, answers = self._going_on(rows)
        is_first = ~(is_same | answers)
        self.starts = np.flatnonzero(is_first)
        self.of = np.cumsum(is_first) - 1
        self.ends = np.append(self.starts[1:], count)[: len(self.starts)]
        self.begins = self.ends.copy()
        begun = np.flatnonzero(answers & ~is_same)[::-1]
        self.begins[self.of[begun]] = begun  # the first of each, which comes last
        self.statements = _running(rows["tells"])
        self.tells: Mask = self.statements[self.begins] > self.statements[self.starts]

    def _going_on(self, rows: "NDArray[Any]") -> "tuple[Mask, Mask]":
        """Say of each passage whether it is of the same turn as the one before, and whether it answers it.

        An assistant answers, and whoever else speaks after a question. After an answer, what is more of a
        turn begins anew.
        """
        turn, role, speaker = rows["turn"], rows["role"], rows["speaker"]
        is_same, answers = np.zeros((2, len(rows)), dtype=bool)
        follows, is_agent, is_stranger = self.apart(1) == 1, role == _AGENT, role == _STRANGER
        is_same[1:] = follows & (turn[1:] == turn[:-1])
        is_other = (speaker[1:] > 0) & (speaker[1:] != speaker[:-1])
        answers[1:] = is_agent[1:] | (is_other & ~is_agent[:-1] & ~rows["tells"][:-1])
        answers[1:] &= follows & ~is_stranger[1:] & ~is_stranger[:-1] & ~np.isin(role[:-1], _ACTS)
        # More of a turn that is no answer goes on, unless an answer has begun since the last of its kind.
        events = np.where(is_same & answers, 0, np.arange(len(rows)))
        more = np.flatnonzero(is_same & ~answers)
        before = np.maximum.accumulate(events)[more - 1]
        is_same[more[answers[before] & ~is_same[before]]] = False
        return is_same, answers

    def apart(self, step: int) -> "Places":
        """Return how far passages are from those so many rows before, in one conversation; else 0."""
        is_one = (self._talks[step:] == self._talks[:-step]) & (self._talks[step:] > 0)
        return np.where(is_one, self._ids[step:] - self._ids[:-step], 0)

    @cached_property
    def beside(self) -> "Sequence[tuple[Places, Places]]":
        """Pairs of an exchange and the passage of its conversation right before it, and right after it."""
        [last] = np.nonzero((self.apart(1) == 1) & (self.of[1:] != self.of[:-1]))
        return (self.of[last + 1], last), (self.of[last], last + 1)


def _running(column: "NDArray[Any]") -> "NDArray[np.int64]":
    """Return the sums of the first so many of a column."""
    return np.concatenate([[0], np.cumsum(column, dtype=np.int64)])


class Compared:
    """A question beside what was found for it; *chosen* are the exchanges that are measured."""

    chosen: "Places" = np.empty(0, dtype=np.int64)

    def __init__(self, query: RankingQuery, found: Candidates, terms: Sequence[Set[str]]) -> None:
        """*terms* are the forms of each word of the question."""
        self.question, self.terms, self.cues = query.question, terms, query.cues
        self.explain, self.in_passing = query.explain, query.in_passing
        self._weight = query.meaning_weight
        self.table, self.rows = found.table, found.table.rows
        self.every = Exchanges(self.rows)
        self.overlap = Overlap(found.matches, self.rows, self.every, found.average)
        self.words = {match.text for match in found.matches}
        self._has_vector = ~np.isnan(found.cosines)
        self.has_cosines = bool(self._has_vector.any())
        self._cosines = np.append(np.where(self._has_vector, found.cosines, 0.0), 0.0)
        self._mean, self._spread = contrast_of(found.near, query.background)

    @cached_property
    def starts(self) -> "Places":
        return self.every.starts[self.chosen]

    @cached_property
    def ends(self) -> "Places":
        return self.every.ends[self.chosen]

    @cached_property
    def tells(self) -> "Mask":
        return self.every.tells[self.chosen]

    @cached_property
    def heads(self) -> list[Passage]:
        """The passages with which the candidates begin."""
        return self.table.at(self.starts)

    @cached_property
    def columns(self) -> "dict[str, Column]":
        """The measures of which there is something, by name."""
        measured = {name: each.measured(self) for name, each in MEASURES.items()}
        return {name: column for name, column in measured.items() if column is not None}

    @cached_property
    def kinds(self) -> "Places":
        """Which of the weights count for each candidate."""
        vectors = _running(self._has_vector)
        by_words = self.is_key | (vectors[self.ends] == vectors[self.starts])
        return np.where(self.are_spoken, 0, 1) + np.where(by_words, 2, 0)

    @cached_property
    def are_spoken(self) -> "Mask":
        """Of each candidate, whether it is part of a talk, and stands for more than it says itself."""
        if not self.in_passing:
            return self.are_talk
        tell: Mask = self.tells & (self.rows["role"][self.starts] == ROLES.index("user"))
        return self.are_talk & ~tell

    @cached_property
    def are_talk(self) -> "Mask":
        """Of each candidate, whether it was said, and not noted."""
        are_talk: Mask = self.rows["turn"][self.starts] > 0
        return are_talk

    @cached_property
    def is_key(self) -> "Mask":
        """Of each candidate, whether it is a fact whose key is all that the question names."""
        is_key: Mask = np.all(self.overlap.worths[:, self.starts] > 0, axis=0)  # as hardly any
        for place in np.flatnonzero(is_key):
            head = self.heads[place]
            is_key[place] = bool(head.memory) and self._is_named(_forms(head.key))
        return is_key

    def _is_named(self, forms: Set[str]) -> bool:
        return bool(forms) and all(not forms.isdisjoint(terms) for terms in self.terms)

    @cached_property
    def speaker(self) -> str:
        """The one speaker that the question names; of two, it does not say which of them spoke."""
        if not self.rows["speaker"].any():
            return ""
        speakers = self.table.all_of("speaker") - {""}
        named = [speaker for speaker in speakers if not self.words.isdisjoint(fold(speaker).split())]
        return named[0] if len(named) == 1 else ""

    def cosines(self, ends: "Places") -> "Column":
        """Return the highest cosine of the passages of each candidate up to an end."""
        spans = np.stack([self.starts, ends], axis=1).ravel()
        return np.maximum.reduceat(self._cosines, spans)[::2] if len(spans) else np.empty(0)

    @cached_property
    def _telling(self) -> "Column":
        """The cosine of what each candidate tells; 0 where there is none."""
        return self.cosines(np.where(self.tells, self.every.begins[self.chosen], self.ends))

    @cached_property
    def contrast(self) -> "Column":
        """How far the cosine of what each candidate tells stands out from all others."""
        return np.where(self._telling == 0, 0.0, (self._telling - self._mean) / self._spread)

    @cached_property
    def blend(self) -> "tuple[Column, Column, Column] | None":
        """What meaning weighs for each candidate, its cosine and its share of the question's words.

        None unless the owner has set a weight. Without a cosine, words alone count.
        """
        if self._weight is None:
            return None
        is_said = self.rows["turn"][self.starts] > 0
        words = np.where(is_said, self.overlap.near[self.chosen], self.overlap.own[self.chosen])
        return np.where(self._telling == 0, 0.0, self._weight), np.maximum(self._telling, 0.0), words

    @property
    def beside(self) -> "Column":
        """The cosines of the neighbours of each candidate, on average."""
        sums = np.zeros(len(self.every.starts))
        for place, neighbour in self.every.beside:
            sums[place] += self._cosines[neighbour]
        return sums[self.chosen] / 2

    @cached_property
    def fit(self) -> "Column":
        """Of each candidate, whether it is of a time that the question names."""
        return np.array([self.fit_of(head) for head in self.heads])

    def fit_of(self, head: Passage) -> float:
        """Say whether a passage is of a time that the question names: 1 yes, -1 no, 0 if it may hold then."""
        times = self.question.times
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

    spoken: float = 0.0
    noted: float = 0.0
    spoken_words: float = 0.0
    noted_words: float = 0.0


class Measure(NamedTuple):
    """How something is measured, and what it weighs."""

    measured: "Callable[[Compared], Column | None]"
    weights: Weights


def _own(of: Compared) -> "Column":
    """The question's words in the passage: their share, by rarity. Of what was said it is only told."""
    own = of.overlap.own[of.chosen]
    return own if of.explain else np.where(of.are_spoken, 0.0, own)


def _near(of: Compared) -> "Column":
    """The same in what was said and around it."""
    return np.where(of.rows["turn"][of.starts] > 0, of.overlap.near[of.chosen], 0.0)


def _mass(of: Compared) -> "Column":
    """How much of rare words it has, whatever else the question says."""
    return of.overlap.raw[of.chosen] * of.overlap.total / 10


def _meaning(of: Compared) -> "Column | None":
    """How far its cosine stands out from this agent's others."""
    return of.contrast if of.has_cosines else None


def _beside(of: Compared) -> "Column | None":
    """The cosines of its neighbours."""
    return of.beside if of.has_cosines else None


def _speaker(of: Compared) -> "Column | None":
    """Said by whom the question names."""
    named = of.speaker
    return np.array([float(head.speaker == named) for head in of.heads]) if named else None


def _time(of: Compared) -> "Column | None":
    """Of the time that the question names; for what is said in passing, other times are no worse."""
    if not of.question.times:
        return None
    return of.fit if of.question.filters or not of.in_passing else np.maximum(of.fit, 0.0)


def _when(of: Compared) -> "Column | None":
    """Of the time that is all the question names."""
    return (of.fit == 1.0) * 1.0 if of.question.times and of.question.only_time else None


def _amount(of: Compared) -> "Column | None":
    """It has a figure where the question asks for one: 1 is yes, -1 no."""
    if not of.question.amount:
        return None
    figures = _running(of.rows["figures"])
    return np.where(figures[of.ends] > figures[of.starts], 1.0, -1.0)


def _assistant(of: Compared) -> "Column":
    """Only an assistant's word."""
    return np.where(of.rows["role"][of.starts] == _AGENT, 1.0, 0.0)


def _answered_question(of: Compared) -> "Column":
    """A question that was answered."""
    return ~of.tells * 1.0


def _key(of: Compared) -> "Column | None":
    """A fact whose key is all that the question names: "what is my job?"."""
    return of.is_key * 1.0 if of.is_key.any() else None


def _cue(of: Compared) -> "Column | None":
    """How far the cosine of its best cue stands out beyond that of its text: a cue adds what that lacks."""
    if not of.cues:
        return None
    cues = np.array([of.cues.get(head.memory, _NO_CUE).meaning for head in of.heads])
    return np.where(cues > _ANYWAY, np.maximum(0.0, cues - np.maximum(0.0, of.contrast)), 0.0)


def _cue_words(of: Compared) -> "Column | None":
    """That cue's share of the question's words."""
    return np.array([of.cues.get(head.memory, _NO_CUE).words for head in of.heads]) if of.cues else None


# Where the log odds begin.
BASE = Weights(spoken=-6.52, noted=-5.72, spoken_words=-6.18, noted_words=-4.50)
MEASURES = {
    "own": Measure(_own, Weights(noted=2.29, noted_words=2.78)),
    "near": Measure(_near, Weights(spoken=3.97, spoken_words=5.00)),
    "mass": Measure(_mass, Weights(spoken=0.93, noted=0.39, spoken_words=1.46, noted_words=4.70)),
    "meaning": Measure(_meaning, Weights(spoken=0.31, noted=1.19)),
    "beside": Measure(_beside, Weights(spoken=2.51)),
    "speaker": Measure(_speaker, Weights(spoken=1.21, spoken_words=1.07)),
    "time": Measure(_time, Weights(spoken=0.75, noted=2.21, spoken_words=0.69, noted_words=1.73)),
    "when": Measure(_when, Weights(spoken=5.72, noted=2.21, spoken_words=5.51, noted_words=2.28)),
    "amount": Measure(_amount, Weights(spoken=0.77, noted=0.30, spoken_words=0.80, noted_words=0.27)),
    "assistant": Measure(_assistant, Weights(spoken=-1.65, spoken_words=-1.57)),
    "asked": Measure(_answered_question, Weights(spoken=-0.80, spoken_words=-0.87)),
    # It is too seldom in what the weights are fitted on: this one makes it sure.
    "key": Measure(_key, Weights(noted_words=2.00)),
    "cue": Measure(_cue, Weights(noted=0.42)),
    "cue_words": Measure(_cue_words, Weights(noted=3.79, noted_words=4.78)),
}


# How the log odds of a remark are raised and stretched: it asks for nothing, so more of what comes near may
# help, and what comes nearest is less sure. The second counts where there are no cosines.
REMARKED = ((-0.29, 0.35), (-0.56, 0.31))


def _curves(of: Compared) -> tuple[tuple[float, float], ...]:
    return REMARKED if of.question.is_remark else ((0.0, 1.0), (0.0, 1.0))


def scores(of: Compared, *, by_words: bool = False) -> "Column":
    """Return how likely each of the candidates is to help; or would be, if nothing had a cosine."""
    if of.blend:
        weight, meaning, words = of.blend
        return words if by_words else weight * meaning + (1 - weight) * words
    kinds = of.kinds % 2 + 2 if by_words else of.kinds
    odds = np.array(BASE)[kinds]
    for name, column in of.columns.items():
        odds += column * np.array(MEASURES[name].weights)[kinds]
    raised, stretched = np.array(_curves(of)).T[:, kinds // 2]
    likely: Column = 1 / (1 + np.exp(-np.clip(raised + stretched * odds, -30.0, 30.0)))
    return likely


def parts(of: Compared, place: int) -> list[tuple[str, float, float]]:
    """Return the measures of one candidate by name, how much there is of each, and what that adds."""
    if of.blend:
        weight, meaning, words = (float(each[place]) for each in of.blend)
        return [("own", words, (1 - weight) * words), ("meaning", meaning, weight * meaning)]
    kind = int(of.kinds[place])
    raised, stretched = _curves(of)[kind // 2]
    measured = {name: float(column[place]) for name, column in of.columns.items() if column[place]}
    added = [(name, each, stretched * each * MEASURES[name].weights[kind]) for name, each in measured.items()]
    return [("base", 1.0, raised + stretched * BASE[kind]), *added]


def contrast_of(near: Near, background: tuple[float, float]) -> tuple[float, float]:
    """Return from which mean and by which spread a cosine stands out; few texts say little about that."""
    count, (mean, spread) = near.texts + _USUAL, background
    return (
        (near.texts * near.mean + _USUAL * mean) / count,
        (near.texts * near.spread + _USUAL * spread) / count,
    )


def shares_of(found: Candidates) -> list[float]:
    """Return how much of the question's words each passage has, by their rarity and for its length."""
    rows = found.table.rows.copy()
    rows["turn"], rows["tells"] = 0, True  # each by itself
    shares: list[float] = Overlap(found.matches, rows, Exchanges(rows), found.average).own.tolist()
    return shares


@lru_cache(4096)
def _forms(key: str) -> frozenset[str]:
    return frozenset(form for forms in forms_of(key) for form in forms)


def _may_hold(head: Passage, day: date, time: TimeSpan) -> bool:
    """Return whether a fact may hold at a time, or something else was said then of another time."""
    if head.memory:
        return min(day, *(first for first, _ in head.moments)) <= time.last
    return time.first <= day <= time.last


def _nearness(first: date, last: date, time: TimeSpan) -> float:
    if first <= time.last and last >= time.first:
        return 1.0 if (time.last - time.first).days <= LONGEST else _HARDLY
    # Things are told of a little after they happen, and the less exactly the time is named, the later.
    away = (first - time.last).days
    return max(0.0, 0.8 - away / (8 + (time.last - time.first).days / 2)) if away > 0 else 0.0


# What a word beside a passage counts for it, by its distance: talk answers talk a few turns before. It
# counts nothing in another conversation, whose distance is 0.
_FADING = np.array((0.0, 1.0, 0.75, 0.5, 0.25, 0.0))
REACH = len(_FADING) - 2
# What a word of an assistant's counts: long replies echo everything, and rarely hold the fact.
_ASSISTANT = 0.5
# How much each average length of other words lowers a match, in the passage and around it.
_LENGTH, _NEAR_LENGTH = 0.4, 0.15


class Overlap:
    """The words of a question in exchanges; *average* is the length of a passage.

    *raw* is how much of the question's words each has, as a share of them all; *own* is the same for its
    length, and *near* that of what is in it and around it.
    """

    def __init__(
        self, matches: Sequence[Match], rows: "NDArray[Any]", every: Exchanges, average: float
    ) -> None:
        self._every, self._matches = every, matches
        self.total = sum(match.weight for match in matches) or 1.0
        self.worths = np.array([match.worths for match in matches]).reshape(len(matches), len(rows))
        self.raw, self._around = np.zeros(len(every.starts)), np.zeros(len(every.starts))
        self._own, nearby = self._taken(rows) if len(rows) else (self.worths, self.worths)
        for match, own, near in zip(matches, self._own, nearby, strict=True):
            self.raw += match.weight / self.total * own
            self._around += match.weight / self.total * near
        # How many other words passages have, in average passages: a match is no burden.
        others = np.maximum(rows["length"] - np.count_nonzero(self.worths, axis=0), 0)
        self._others, self._lengths, self._average = _running(others), np.append(others, 0), max(1.0, average)

    def _taken(self, rows: "NDArray[Any]") -> "tuple[Column, Column]":
        """Return what each word is worth in each exchange, and in it or around it."""
        every, worths, is_agent = self._every, self.worths, rows["role"] == _AGENT
        lent = np.where(is_agent, worths * _ASSISTANT, worths)
        # A reply counts in full where what was said is only a question.
        is_reply = is_agent & every.tells[every.of]
        is_reply[every.starts] = False
        own = np.maximum.reduceat(np.where(is_reply, lent, worths), every.starts, axis=1)
        # A question lends its words to its answer alone.
        lent = np.where((rows["turn"] > 0) & rows["tells"], lent, 0.0)
        around = np.zeros_like(lent)
        for step in range(1, min(REACH + 1, len(rows))):
            fading = _FADING[np.minimum(every.apart(step), REACH + 1)]
            for some, beside in ((np.s_[:, step:], np.s_[:, :-step]), (np.s_[:, :-step], np.s_[:, step:])):
                np.maximum(around[some], lent[beside] * fading, out=around[some])
        return own, np.maximum(own, np.maximum.reduceat(around, every.starts, axis=1))

    @cached_property
    def own(self) -> "Column":
        every = self._every
        first = np.where(every.tells, every.starts, every.begins)
        last = np.where(every.tells, every.begins, every.ends)
        return self.raw / (1 + _LENGTH * (self._others[last] - self._others[first]) / self._average)

    @cached_property
    def near(self) -> "Column":
        every = self._every
        others = self._others[every.begins] - self._others[every.starts]
        for place, neighbour in every.beside:
            others[place] += self._lengths[neighbour]
        near: Column = self._around / (1 + _NEAR_LENGTH * others / self._average)
        return near

    def best(self, limit: int) -> "Places":
        """Return the exchanges that have most of the question in and around them."""
        [found] = np.nonzero(self._around)
        return found[np.lexsort((-found, -self._around[found]))[:limit]]

    def words(self, exchanges: "Places") -> list[frozenset[str]]:
        """Return the words of the question that each of these exchanges has."""
        texts = [match.text for match in self._matches]
        return [frozenset(compress(texts, each)) for each in self._own[:, exchanges].T.tolist()]
