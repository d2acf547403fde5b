"""Echoes: the sentences of a text that only repeat what was told from memory.

What the agent was told and says again is no news: nothing is learned from it.
A sentence with a number, a name or a negation that was not told is news.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from almario.domain.memories import same_value
from almario.domain.words import Word, sentence_spans
from almario.named_tuples import NamedTuple
from almario.text.claims import Claims, ClaimTerms, claim_terms, claims_of, has_term, plain_words, terms_of
from almario.text.tongues import words_of

# The share of a sentence's content words that must occur in the sources.
_MOST = 0.7
# How many of the sources closest to a sentence are tried in pairs.
_BEST = 12


class _Source(NamedTuple):
    text: str
    terms: frozenset[str]
    sentences: frozenset[str]


def echoes(text: str, sources: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of a text, whole sentences, that only repeat what was *sources*, one text or two."""
    known = [_source(each) for each in dict.fromkeys(sources) if each.strip()]
    if not known:
        return []
    every = frozenset[str]().union(*(each.terms for each in known))
    return [span for span in sentence_spans(text) if _is_echo(text[slice(*span)], known, every)]


@lru_cache(2048)
def _source(text: str) -> _Source:
    return _Source(
        text, terms_of(text), frozenset(same_value(text[slice(*span)]) for span in sentence_spans(text))
    )


def _is_echo(sentence: str, sources: Sequence[_Source], every: frozenset[str]) -> bool:
    plain = same_value(sentence)
    if any(plain in each.sentences for each in sources):
        return True
    content = claims_of(sentence)
    content_words = [word for word in content.words if word.text not in words_of("recalling")]
    # A number is either repeated or new; it says nothing about the topic.
    words = [word for word in content_words if not word.text[0].isdigit()] or content_words
    # What all that was told has too little of, no two texts of it have.
    if not words or sum(has_term(word, every) for word in words) < _MOST * len(words):
        return False
    # For each told text, which of the words it has, as bits.
    shares = [sum(has_term(word, each.terms) << n for n, word in enumerate(words)) for each in sources]
    near = sorted((n for n, share in enumerate(shares) if share), key=lambda n: -shares[n].bit_count())
    for some in (*((n, n) for n in near), *combinations(near[:_BEST], 2)):
        heard = (shares[some[0]] | shares[some[1]]).bit_count()
        if heard >= _MOST * len(words) and not _is_news(content, [sources[n] for n in set(some)]):
            return True
    return False


def _is_news(content: Claims, sources: Sequence[_Source]) -> bool:
    """Return whether a sentence has a number, a name or a negation that was not told."""
    known, stated = (
        [claims_of(each.text) for each in sources],
        claim_terms(tuple(each.text for each in sources)),
    )
    words = frozenset(word for each in sources for word in plain_words(each.text))
    terms = frozenset[str]().union(*(each.terms for each in sources))
    numbers = frozenset[str]().union(*(each.numbers for each in known))
    first = [word for word in content.words if word.text == content.first]
    return (
        any(number not in numbers for number in content.numbers)
        or any(name not in words and name not in words_of("recalling") for name in content.names)
        # What it begins with has a capital and may be a name; most verbs are told in another person.
        or any(not has_term(word, terms) and word.text not in words_of("recalling") for word in first)
        or any(not content.sense(word) & _told(word, stated) for word in content.words)
    )


def _told(word: Word, stated: ClaimTerms) -> frozenset[bool]:
    """Return whether a word is denied where it is told; what nobody tells, nobody denies."""
    found = stated.sense(word, exact=True)
    return frozenset((False,)) if found is None else found
