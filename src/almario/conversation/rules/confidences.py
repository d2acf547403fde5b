"""Whether a message goes on with what was said in confidence a moment ago."""

import re
from collections.abc import Sequence
from functools import cache

from almario.domain.words import index_terms, query_words
from almario.language import languages


def goes_on(message: str, before: Sequence[str]) -> bool:
    """Say whether a message begins as one that goes on, or speaks of what was said *before*."""
    if _opening().match(message.lower()):
        return True
    told = {term for text in before for term in index_terms(text)}
    return any(term in told for word in query_words(message) for term, _ in word.terms)


@cache
def _opening() -> "re.Pattern[str]":
    phrases = {(each.code, phrase.replace("_", " ")) for each in languages() for phrase in each.going_on}
    # Where words are not parted by spaces, what follows one follows at once.
    ends = {code: "" if code == "ja" else r"\b" for code, _ in phrases}
    either = (re.escape(phrase) + ends[code] for code, phrase in sorted(phrases))
    return re.compile(rf"\W*(?:{'|'.join(either)})")
