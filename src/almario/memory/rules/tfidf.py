"""The classic search: the cosine between a question's words and a passage's, rare words counting more."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from almario.domain.candidates import Candidates, Passage, Search
from almario.domain.words import Word, exact_words
from almario.named_tuples import NamedTuple

# What is hardly alike is not alike.
LEAST = 0.01
_MOST_WORDS = 32


class Similar(NamedTuple):
    """A passage, its cosine, and what each word added to it."""

    passage: Passage
    score: float
    parts: tuple[tuple[str, float], ...]


class Found(Protocol):
    """What it needs of an index."""

    def candidates(self, wanted: Search) -> Candidates: ...
    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]: ...
    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]: ...


def similar(index: Found, question: str, limit: int) -> list[Similar]:
    """Return the passages most like the question, best first."""
    words = list(exact_words(question))[:_MOST_WORDS]
    wanted = Search(tuple(Word(word, ((word, 1.0),)) for word in dict.fromkeys(words)), limit)
    passages = index.passages(index.candidates(wanted).words).values()
    told = [list(exact_words(f"{each.speaker or each.key} {each.text}")) for each in passages]
    known = index.frequencies({*words, *(word for each in told for word in each)})

    def weigh(words: Iterable[str]) -> dict[str, float]:
        # Smoothed, so that the words of a store's only passage weigh something.
        vector = {
            word: count * (math.log((1 + known[""]) / (1 + known[word])) + 1)
            for word, count in Counter(words).items()
        }
        length = math.sqrt(sum(value * value for value in vector.values()))
        return {word: value / length for word, value in vector.items()}

    asked = weigh(words)
    found = [_compared(asked, each, weigh(said)) for each, said in zip(passages, told, strict=True)]
    return sorted(
        (each for each in found if each.score > LEAST), key=lambda each: (-each.score, -each.passage.id)
    )


def _compared(asked: Mapping[str, float], passage: Passage, vector: Mapping[str, float]) -> Similar:
    parts = tuple((word, weight * vector[word]) for word, weight in asked.items() if word in vector)
    return Similar(passage, min(1.0, math.fsum(value for _, value in parts)), parts)
