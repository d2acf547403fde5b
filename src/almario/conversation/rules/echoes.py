"""Echoes: the sentences of a text that only repeat what was told from memory.

What the agent was told and says again is no news: nothing is learned from it.
A sentence with a number, a name or a negation that was not told is news.
"""

from collections.abc import Collection, Sequence
from itertools import combinations

from almario.domain.memories import same_value
from almario.domain.words import sentence_spans
from almario.memory.rules.provenance import ground
from almario.text.claims import NUMBER, claims_of
from almario.text.tongues import words_of

# So much of a sentence must have been told.
_MOST = 0.75
# Of so many told texts that say most of a sentence, two together are tried.
_BEST = 12


def echoes(text: str, told: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of a text, whole sentences, that only repeat what was *told*, one text or two."""
    known = [each for each in dict.fromkeys(told) if each.strip()]
    sentences = {same_value(each[slice(*span)]) for each in known for span in sentence_spans(each)}
    return [span for span in sentence_spans(text) if _is_echo(text[slice(*span)], known, sentences)]


def _is_echo(sentence: str, told: Sequence[str], sentences: Collection[str]) -> bool:
    if same_value(sentence) in sentences:
        return True
    # A number is told or news, and no sign of what is spoken of.
    spoken = NUMBER.sub(" ", sentence)
    shares = {each: ground(spoken, [each]).told for each in told}
    near = sorted(filter(shares.__getitem__, told), key=lambda each: -shares[each])
    some = (*((each,) for each in near), *combinations(near[:_BEST], 2))
    return any(ground(sentence, each).bears(_MOST) and not _is_news(sentence, each) for each in some)


def _is_news(sentence: str, told: Sequence[str]) -> bool:
    """Say whether a sentence has a number that was not told, or begins with what may be a name."""
    said = claims_of(sentence)
    first = ground(said.first, told)
    is_named = first.words > 0 and not first.told and said.first not in words_of("recalling")
    return is_named or not {*said.numbers} <= {each for text in told for each in claims_of(text).numbers}
