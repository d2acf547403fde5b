"""Whether somebody speaks of themselves: a word such as "I" or "mi", nobody who is addressed, and no code.

A message is its writer's where it says "we", too. What is told of oneself says "I": "we" may be a team.
"""

from almario.domain.plain_text import regex
from almario.domain.words import sentences_in
from almario.language import at_a_glance
from almario.text.addressing import speaks_to_somebody
from almario.text.claims import plain_words
from almario.text.timewords import tells

# What is written as code is: a path, a flag, a call, an address, a name of several words in one.
_CODE = regex(r"`|\w/\w|://|(?<!\w)--?\w|\w\(|\w_\w|[a-z][A-Z]|[{}=<>;\\]|\w\.[a-z]{1,4}\b")
_WE = frozenset(
    "we us our ours ourselves nos nosotros nosotras nuestro nuestra nuestros nuestras "
    "somos estamos tenemos vamos vivimos".split()
)


def speaks_of_oneself(message: str) -> bool:
    """Return whether somebody speaks of themselves in a sentence of a message, or asks about themselves."""
    return any(map(_is_of_oneself, sentences_in(message)))


def tells_of_oneself(sentence: str) -> bool:
    """Return whether somebody tells something of themselves in a sentence."""
    return _is_of_oneself(sentence, but=_WE) and tells(sentence)


def _is_of_oneself(sentence: str, but: frozenset[str] = frozenset()) -> bool:
    is_own = not (at_a_glance()["oneself"] - but).isdisjoint(plain_words(sentence))
    return is_own and not _CODE.search(sentence) and not speaks_to_somebody(sentence)
