"""What of a text its owner says of themselves, and not of the work at hand.

It is a guess, and decides one thing: what was said to the owner's agent in one project, and may come to mind
in another, to the same owner alone.
"""

from almario.domain.plain_text import regex
from almario.domain.words import fold
from almario.language import at_a_glance
from almario.text.addressing import speaks_to_somebody
from almario.text.claims import sentences_in
from almario.text.timewords import tells

_WORD = regex(r"\w+")
# What is written as code is: a path, a flag, a call, an address, a name of several words in one.
_CODE = regex(r"`|\w/\w|://|(?<!\w)--?\w|\w\(|\w_\w|[a-z][A-Z]|[{}=<>;\\]|\w\.[a-z]{1,4}\b")


def is_personal(text: str) -> bool:
    """Say whether somebody who says this speaks of themselves: it tells something, to nobody, of no code."""
    says = not at_a_glance()["oneself"].isdisjoint(_WORD.findall(fold(text)))
    return says and tells(text) and not speaks_to_somebody(text) and not _CODE.search(text)


def personal_part(text: str) -> str:
    """Return the sentences of a message that its owner says of themselves; nothing if there are none."""
    return " ".join(each.strip() for each in sentences_in(text) if is_personal(each))
