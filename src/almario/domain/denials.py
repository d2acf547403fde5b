"""What a text denies, word by word: "not A but B" says B and denies A.

A negation reaches to the end of its clause, or back over all of it if nothing
follows. What turns things round ("without", "less", "don't forget that") turns
a negation round as well.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from almario.domain.content import NEGATIONS, plain_words, terms_of, written_out
from almario.domain.words import SMALL, index_terms

# "Hablame" is a form of hablar, and no stemmer knows it without its accent.
_WITH_PRONOUN = re.compile(r"(?<=\w{4}[aei])(?:me|te|se|l[aeo]s?|nos)$")
EITHER = frozenset((False, True))
# A sentence ends with its sign, but for that of "Dr." and "St.".
_SENTENCES = re.compile(r"(?<=[.!?…;])(?<!\b[A-Z][a-z]\.)\s+|(?<=[。！？])|\n+")
# "And" begins a clause where somebody else is spoken of ("I don't smoke and my sister runs") or something
# else is asked for ("stop shouting and keep it short"), but not in "I don't drink and smoke", for which
# Spanish has "ni".
_CLAUSES = re.compile(
    r"[,:](?=\s)|\s[-–—]\s|\b(?:but|pero|sino|aunque|although|though|however|because|porque|mais|aber|sondern)\b|"
    r"\band\s+(?=(?:i|we|he|she|they|my|our|his|her|their)\b)|\by\s+(?!\w+[aei]r\b)",
    re.IGNORECASE,
)
_ASKED_BESIDES = re.compile(r"\band\s+(?!\w+ing\b)", re.IGNORECASE)
_SUBJECT = re.compile(r"\b(?:i|we|you|he|she|it|they)\b", re.IGNORECASE)
_TURNING = re.compile(
    r"\b(?:without|sin|sans|ohne|senza|less|fewer|menos|forget|forgets|forgot|olvid\w+|dej\w+(?= de\b)|"
    r"(?:stop|stops|stopped|quit|quits)(?= \w+ing\b))(?!\w)"
)
NEGATING = NEGATIONS - {"without", "sin"} | frozenset(
    "ne pas jamais rien não nao nem nicht kein keine nie non".split()
)


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text, each of which says something by itself."""
    return [sentence for sentence in _SENTENCES.split(text) if sentence.strip()]


@lru_cache(4096)
def denials(text: str) -> Mapping[str, frozenset[bool]]:
    """Return for each word of a text whether it is denied; one can be said here and denied there."""
    found: dict[str, frozenset[bool]] = defaultdict(frozenset)
    for sentence in sentences_in(written_out(text)):
        words = set(plain_words(sentence))
        if words & NEGATING and words <= SMALL | NEGATING:  # "Lists again. Don't."
            found |= dict.fromkeys(found, EITHER)
        for clause in _clauses(sentence):
            for word, is_denied in _denials(clause):
                found[word] |= {is_denied}
    return dict(found)


@lru_cache(4096)
def told_terms(text: str) -> Mapping[str, frozenset[bool]]:
    """Return the terms by which the words of a text are known, and for each whether it is denied."""
    own: dict[str, frozenset[bool]] = defaultdict(frozenset)
    for word, denied in denials(text).items():
        for term in (*index_terms(word), *index_terms(_WITH_PRONOUN.sub("", word))):
            own[term] |= denied
    return dict.fromkeys(terms_of(text), EITHER) | own


def senses(text: str) -> frozenset[bool]:
    """Return whether a text denies all it speaks of, nothing of it, or some."""
    words = {word: denied for word, denied in denials(text).items() if word not in SMALL | NEGATING}
    return frozenset[bool]().union(*words.values())


def _clauses(sentence: str) -> Iterator[str]:
    for clause in _CLAUSES.split(sentence):
        first = _ASKED_BESIDES.split(clause, maxsplit=1)[0]
        yield from [clause] if _SUBJECT.search(first) else _ASKED_BESIDES.split(clause)


def _denials(clause: str) -> Iterator[tuple[str, bool]]:
    """Yield the words of a clause, each with whether it is denied."""
    words = plain_words(clause)
    turning = {match.start() for match in _TURNING.finditer(" ".join(words))}
    last = max((place for place, word in enumerate(words) if word in NEGATING), default=len(words))
    is_denied = last < len(words) and all(word in SMALL or word in NEGATING for word in words[last + 1 :])
    is_turned, at = False, 0
    for word in words:
        yield word, is_denied != is_turned
        is_turned ^= at in turning
        is_denied |= word in NEGATING
        at += len(word) + 1
