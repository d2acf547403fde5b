"""What is ranked: a question as `ranking` takes it, and a passage with its score and the reasons for it."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from almario.domain.acts import Call
from almario.domain.candidates import BACKGROUND, Filter, Search
from almario.domain.passages import Passage
from almario.memory.rules.exchanges import ASSISTANT
from almario.memory.rules.sources import ACT, LESSON
from almario.named_tuples import NamedTuple
from almario.text.questions import QuestionKind

if TYPE_CHECKING:
    from almario.domain.columns import Candidates


# What a word of a cue counts beside a cosine.
_WORDS = 4.0


class Found(Protocol):
    """What searching needs of an index."""

    def candidates(self, wanted: Search) -> "Candidates": ...
    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]: ...


class Cue(NamedTuple):
    """The best cue of a memory: how far its cosine stands out, its share of the words, its passage."""

    meaning: float = 0.0
    words: float = 0.0
    place: int = 0

    @property
    def strength(self) -> float:
        return self.meaning + _WORDS * self.words

    def or_stronger(self, other: "Cue | None") -> "Cue":
        """Return the stronger of two."""
        return other if other and other.strength > self.strength else self


class RankingQuery(NamedTuple):
    """A question, with its vector where there is an embedder, and how it is to be answered."""

    question: QuestionKind
    vector: Sequence[float] | None = None
    model: str = ""
    limit: int = 5
    explain: bool = True
    filter: Filter | None = None
    # Turns that nobody needs to be told of: what is being answered, and what is in sight.
    hidden: Collection[str] = ()
    # How many passages are looked at closely for their words.
    pool: int = 80
    # The mean and the spread of the cosines of texts that have nothing in common, in this model.
    background: tuple[float, float] = BACKGROUND
    # The best cue of memories, by their ids.
    cues: Mapping[str, Cue] = {}
    # Passages that are candidates in any case.
    also: tuple[int, ...] = ()
    # Whether what the owner said in passing counts like what was noted.
    in_passing: bool = False
    # Whether something is known that held at the time it names: then nothing of another time comes.
    held: bool = False
    # What meaning weighs in a score, and words the rest; None is the fitted ranking.
    meaning_weight: float | None = None
    # The call of a tool that it is about, instead of a question.
    call: Call | None = None


class Scored(NamedTuple):
    """A passage with its score, and the rest of its exchange.

    *parts* are the reasons of the score, if they were asked for: what was measured, how much of it there is,
    and what it adds to the log odds.
    """

    passage: Passage
    score: float
    by_word: bool
    by_meaning: bool
    parts: tuple[tuple[str, float, float], ...] = ()
    answer: tuple[Passage, ...] = ()
    # The words of the question that are in it; and whether these are all that it names.
    words: frozenset[str] = frozenset()
    has_all: bool = False
    # What its score would be by words alone, of what comes in passing.
    word_score: float = 0.0
    # How near what it tells is to the message, in the encoder that ships; None where that is not known.
    cosine: float | None = None

    @property
    def is_agents(self) -> bool:
        """Whether nobody but the agent says what it tells."""
        telling = (self.passage,) if self.passage.tells else self.answer
        return all(each.role in (ASSISTANT, ACT, LESSON) for each in telling)

    @property
    def said_by_agent(self) -> list[Passage]:
        """What the agent said of an exchange."""
        return [each for each in (self.passage, *self.answer) if each.role == ASSISTANT]

    def at_least(self, score: float) -> "Scored":
        """Return it with no lower score than that, and the reason."""
        if self.score >= score:
            return self
        more = (("owner", 1.0, log_odds(score) - log_odds(self.score)),) if self.parts else ()
        return self._replace(score=score, parts=self.parts + more)

    @property
    def turns(self) -> frozenset[str]:
        """The turns of its exchange."""
        if not self.answer:
            return frozenset((self.passage.turn,) if self.passage.turn else ())
        return frozenset(each.turn for each in (self.passage, *self.answer) if each.turn)


def log_odds(score: float) -> float:
    """Return the log odds of a probability."""
    score = min(max(score, 1e-9), 1 - 1e-9)
    return math.log(score / (1 - score))
