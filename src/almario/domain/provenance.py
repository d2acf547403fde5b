"""Whether the owner said something: all that a fact says stands in the owner's own message.

A judgement by words, and a careful one: what is not plainly there is not
there. Only one sentence counts at a time, so that the owner's words cannot be
put together to say what was never said.
"""

import re
from collections.abc import Sequence

from almario.domain.content import Content, content_of, in_order, is_told, plain_words, terms_of
from almario.domain.memories import lowest

# A longer text is no fact that somebody asked to be remembered.
_LONGEST = 2000
_LONGEST_MESSAGE = 20_000
_SENTENCES = re.compile(r"(?<=[.!?…;])\s+|\n+")
_CLAUSES = re.compile(
    r"[,:](?=\s)|\s[-–—]\s|\b(?:but|pero|sino|aunque|although|though|however)\b", re.IGNORECASE
)


def stands_in(fact: str, message: str) -> bool:
    """Say whether all that a fact says stands in one sentence of a message, in whatever person.

    Every content word by its stem, names and numbers exactly and in their
    order, and a negation where there is one and nowhere else.
    """
    said = content_of(fact) if len(fact) <= _LONGEST else None
    if said is None or not said.words:
        return False
    return any(_is_in(said, sentence) for sentence in _SENTENCES.split(message[:_LONGEST_MESSAGE]))


def origin_of_words(text: str, *, message: str, told: str) -> str:
    """Return the origin of what a model writes down: the owner's if it stands in the owner's *message*.

    Else it is the model's own conclusion, and no better than the lowest of what it was *told*.
    """
    return "owner" if stands_in(text, message) else lowest("agent", told)


def _is_in(said: Content, sentence: str) -> bool:
    clauses = [clause for clause in _CLAUSES.split(sentence) if clause.strip()]
    if any(_holds(said, [clause]) for clause in clauses):
        return True
    return _holds(said, [clause for clause in clauses if _shares(said, clause)])


def _shares(said: Content, clause: str) -> bool:
    terms = terms_of(clause)
    return any(is_told(word, terms) for word in said.words)


def _holds(said: Content, clauses: Sequence[str]) -> bool:
    """Say whether clauses together hold all that is said, and deny only what it denies."""
    contents = [content_of(clause) for clause in clauses]
    if any(bool(content.denied) != bool(said.denied) for content in contents):
        return False
    terms = terms_of(" . ".join(clauses))
    exact = [word for content in contents for word in content.numbers]
    weights = frozenset[str]().union(*(content.weights for content in contents))
    # A fact that begins with a name is known by the message, where it stands inside.
    named = {name for content in contents for name in content.names}
    names = (said.first, *said.names) if said.first in named else said.names
    denied = frozenset[str]().union(*(content.denied for content in contents))
    return (
        all(is_told(word, terms) for word in said.words)
        and in_order(names, [word for clause in clauses for word in plain_words(clause)])
        and in_order(said.numbers, exact)
        and said.weights <= weights
        and (not said.denied or bool(said.denied & denied))
    )
