"""What of a message its writer says, and asks for no work with; and what of that they say of themselves.

Both are guesses, and decide two things: what was said in passing may come to mind by its rank, and what was
said to the owner's agent in one project may do so in another, to the same owner alone.
"""

from almario.domain.plain_text import regex
from almario.text.addressing import speaks_to_somebody
from almario.text.reader import LIKELY, Reading
from almario.text.timewords import tells

# What is written as code is: a path, a flag, a call, an address, a name of several words in one.
_CODE = regex(r"`|\w/\w|://|(?<!\w)--?\w|\w\(|\w_\w|[a-z][A-Z]|[{}=<>;\\]|\w\.[a-z]{1,4}\b")


def is_statement(sentence: str, reading: Reading) -> bool:
    """Return whether a sentence tells how something is, and asks nothing."""
    return reading.telling >= LIKELY and reading.small_talk < LIKELY and tells(sentence)


def is_personal(sentence: str, reading: Reading) -> bool:
    """Say whether somebody who says this speaks of themselves: it tells something, to nobody, of no code."""
    is_own = reading.personal >= LIKELY and not _CODE.search(sentence)
    return is_own and tells(sentence) and not speaks_to_somebody(sentence)
