"""Echoes: the sentences of a text that only repeat what was told from memory.

What the agent was told and says again is no news: nothing is learned from it.
A sentence with a number, a name or a negation that was not told is news.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from almario.domain.memories import same_value
from almario.domain.words import sentence_spans
from almario.named_tuples import NamedTuple
from almario.text.claims import Claims, claims_of, is_told, plain_words, terms_of
from almario.text.tongues import words_of

# So much of a sentence's content words must have been told.
_MOST = 0.7
# Of so many told texts that share most words with a sentence, two together are tried.
_BEST = 12


class _Told(NamedTuple):
    text: str
    terms: frozenset[str]
    sentences: frozenset[str]


def echoes(text: str, told: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of a text, whole sentences, that only repeat what was *told*, one text or two."""
    known = [_told(each) for each in dict.fromkeys(told) if each.strip()]
    if not known:
        return []
    every = frozenset[str]().union(*(each.terms for each in known))
    return [span for span in sentence_spans(text) if _is_echo(text[slice(*span)], known, every)]


@lru_cache(2048)
def _told(text: str) -> _Told:
    return _Told(
        text, terms_of(text), frozenset(same_value(text[slice(*span)]) for span in sentence_spans(text))
    )


def _is_echo(sentence: str, told: Sequence[_Told], every: frozenset[str]) -> bool:
    plain = same_value(sentence)
    if any(plain in each.sentences for each in told):
        return True
    content = claims_of(sentence)
    said = [word for word in content.words if word.text not in words_of("recalling")]
    # A number is told or news, and no sign of what is spoken of.
    words = [word for word in said if not word.text[0].isdigit()] or said
    # What all that was told has too little of, no two texts of it have.
    if not words or sum(is_told(word, every) for word in words) < _MOST * len(words):
        return False
    # For each told text, which of the words it has, as bits.
    shares = [sum(is_told(word, each.terms) << n for n, word in enumerate(words)) for each in told]
    near = sorted((n for n, share in enumerate(shares) if share), key=lambda n: -shares[n].bit_count())
    for some in (*((n, n) for n in near), *combinations(near[:_BEST], 2)):
        heard = (shares[some[0]] | shares[some[1]]).bit_count()
        if heard >= _MOST * len(words) and not _is_news(content, [told[n] for n in set(some)]):
            return True
    return False


def _is_news(content: Claims, told: Sequence[_Told]) -> bool:
    """Say whether a sentence has a number, a name or a negation that was not told."""
    known = [claims_of(each.text) for each in told]
    words = frozenset(word for each in told for word in plain_words(each.text))
    terms = frozenset[str]().union(*(each.terms for each in told))
    numbers = frozenset[str]().union(*(each.numbers for each in known))
    first = [word for word in content.words if word.text == content.first]
    return (
        any(number not in numbers for number in content.numbers)
        or any(name not in words and name not in words_of("recalling") for name in content.names)
        # What it begins with has a capital and may be a name; most verbs are told in another person.
        or any(not is_told(word, terms) and word.text not in words_of("recalling") for word in first)
        or _denies_otherwise(content, frozenset[str]().union(*(each.denied for each in known)))
    )


def _denies_otherwise(content: Claims, told: frozenset[str]) -> bool:
    """Say whether a sentence denies what was told, or says what was denied."""
    if content.denied:
        return not content.denied & told
    return any(is_told(word, told) for word in content.words)
