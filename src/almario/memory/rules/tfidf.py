"""The search that can be followed with a pencil: tf × idf of each word, and the cosine.

tf is how often a passage has a word, idf = ln((1 + N) / (1 + n)) + 1 where n of N passages have it. In the
question each word counts once. No stems and no meaning; small words do not count.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator

from almario.domain.candidates import Search
from almario.domain.words import Word, exact_words
from almario.memory.rules.scored import Found, RankingQuery, Scored

# So many passages are compared, those with the rarest words; the index looks up so many words at once.
_POOL, _AT_ONCE = 200, 32
# What is hardly alike is not alike.
_LEAST = 0.01


def search(index: Found, query: RankingQuery) -> list[Scored]:
    """Return the passages most like the question, best first."""
    asked = dict.fromkeys(exact_words(query.question.text)[:_AT_ONCE])
    wanted = Search(_sought(asked), _POOL, hidden=query.hidden, filter=query.filter, least=query.limit)
    found = index.candidates(wanted)
    told = [each for each in index.passages(found.table.ids.tolist()).values() if each.tells]
    told = [each for each in told if query.filter is None or query.filter.may_fit(each)]
    counted = [Counter(exact_words(f"{each.speaker or each.key} {each.text}")) for each in told]
    having = dict(_having(index, {*asked, *(word for each in counted for word in each)}))
    ratios = {word: (1 + found.telling, 1 + n) for word, n in having.items()}
    idf = {word: math.log(all_ / some) + 1 for word, (all_, some) in ratios.items()}
    length = math.hypot(*map(idf.__getitem__, asked))
    scored = []
    for passage, tf in zip(told, counted, strict=True):
        own = math.hypot(*(n * idf[word] for word, n in tf.items()))
        parts = tuple(
            (
                f"{word}: tf {tf[word]} × idf ln({ratios[word][0]}/{ratios[word][1]}) + 1",
                tf[word] * idf[word],
                idf[word] * tf[word] * idf[word] / (length * own),
            )
            for word in asked
            if word in tf
        )
        score = min(1.0, math.fsum(part for _, _, part in parts))
        parts = (*parts, (f"|q| {length:.2f} × |d| {own:.2f}", length * own, 0.0)) if query.explain else ()
        scored.append(Scored(passage, score, by_word=True, by_meaning=False, parts=parts))
    best = sorted(scored, key=lambda each: (-each.score, -each.passage.id))
    return [each for each in best if each.score > _LEAST][: query.limit]


def _having(index: Found, words: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield how many passages have each of some words."""
    yield from dict.fromkeys(words, 0).items()
    every = sorted(words)
    for first in range(0, len(every), _AT_ONCE):
        some = index.candidates(Search(_sought(every[first : first + _AT_ONCE])))
        yield from ((match.text, match.having) for match in some.matches)


def _sought(words: Collection[str]) -> tuple[Word, ...]:
    return tuple(Word(word, ((word, 1.0),), whole=True) for word in words)
