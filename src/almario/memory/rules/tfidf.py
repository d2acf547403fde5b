"""The classic search: the cosine between a question's words and a passage's, rare words counting more."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from heapq import nlargest
from typing import NamedTuple

from almario.domain.passages import Passage
from almario.domain.words import exact_words
from almario.memory.rules.matching import Found

# What is hardly alike is not alike.
LEAST = 0.01
_MOST_WORDS = 32


class Similar(NamedTuple):
    """A passage, its cosine, and what each word added to it."""

    passage: Passage
    score: float
    parts: tuple[tuple[str, float], ...]


def similar(index: Found, question: str, limit: int) -> list[Similar]:
    """Return the passages most like the question, best first."""
    total, _ = index.count()
    known: dict[str, float] = {}

    def weigh(words: Iterable[str]) -> dict[str, float]:
        counts = Counter(words)
        for word in counts:
            if word not in known:
                # Smoothed, so that the words of a store's only passage weigh something.
                known[word] = math.log((1 + total) / (1 + len(index.having(word)))) + 1
        vector = {word: count * known[word] for word, count in counts.items()}
        length = math.sqrt(sum(value * value for value in vector.values()))
        return {word: value / length for word, value in vector.items()}

    asked = weigh(list(exact_words(question))[:_MOST_WORDS])
    overlaps: dict[int, float] = {}
    for word, weight in asked.items():
        for one in index.having(word):
            overlaps[one] = overlaps.get(one, 0.0) + weight * known[word]
    passages = index.passages(nlargest(limit, overlaps, key=overlaps.__getitem__))
    found = [
        _compared(asked, passage, weigh(exact_words(f"{passage.speaker or passage.key} {passage.text}")))
        for passage in passages.values()
    ]
    return sorted(
        (each for each in found if each.score > LEAST), key=lambda each: (-each.score, -each.passage.id)
    )


def _compared(asked: Mapping[str, float], passage: Passage, vector: Mapping[str, float]) -> Similar:
    parts = tuple((word, weight * vector[word]) for word, weight in asked.items() if word in vector)
    return Similar(passage, min(1.0, math.fsum(value for _, value in parts)), parts)
