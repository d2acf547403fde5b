"""The classic search: the cosine between a question's words and a passage's, rare words counting more."""

import math
from collections import Counter
from collections.abc import Mapping

from almario.domain.candidates import Search
from almario.domain.passages import Passage
from almario.domain.words import Word, exact_words
from almario.memory.rules.scored import Found
from almario.named_tuples import NamedTuple

# What is hardly alike is not alike.
LEAST = 0.01
_MOST_WORDS = 32


class Similar(NamedTuple):
    """A passage and its cosine; of each word of the question, tf times idf and what that added."""

    passage: Passage
    score: float
    parts: tuple[tuple[str, float, float], ...]


def similar(index: Found, question: str, limit: int) -> list[Similar]:
    """Return the passages most like the question, best first."""
    words = list(exact_words(question))[:_MOST_WORDS]
    wanted = Search(tuple(Word(word, ((word, 1.0),)) for word in dict.fromkeys(words)), limit)
    passages = index.passages(index.candidates(wanted).words).values()
    worded = [list(exact_words(f"{each.speaker or each.key} {each.text}")) for each in passages]
    known = index.frequencies({*words, *(word for each in worded for word in each)})

    def weigh(counted: Counter[str]) -> dict[str, float]:
        # Smoothed, so that the words of a store's only passage weigh something.
        return {
            word: count * (math.log((1 + known[""]) / (1 + known[word])) + 1)
            for word, count in counted.items()
        }

    weighed = weigh(Counter(words))
    counted = map(Counter, worded)
    found = [
        _compared(weighed, each, counts, weigh(counts))
        for each, counts in zip(passages, counted, strict=True)
    ]
    return sorted(
        (each for each in found if each.score > LEAST), key=lambda each: (-each.score, -each.passage.id)
    )


def _compared(
    weighed: Mapping[str, float], passage: Passage, counted: Mapping[str, int], vector: Mapping[str, float]
) -> Similar:
    lengths = math.hypot(*weighed.values()) * math.hypot(*vector.values())
    parts = tuple(
        (
            f"{word} (tf {(tf := counted[word])} × idf {vector[word] / tf:.2f})",
            vector[word],
            weight * vector[word] / lengths,
        )
        for word, weight in weighed.items()
        if word in vector
    )
    return Similar(passage, min(1.0, math.fsum(value for _, _, value in parts)), parts)
