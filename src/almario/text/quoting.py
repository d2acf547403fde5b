"""Whose words a message has: its writer's own, and those it quotes."""

import re

from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

# Quotations and code.
OTHERS = regex(
    r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|『[^『』]*』|"
    r"(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){2,300}'(?!\w)|^[ \t]*>[^\n]*",
    re.S | re.M,
)
# So many words in quotation marks are still the writer's own.
_FEW = 3
_WORD = regex(r"\w+")
# "Ana: see you there", as chats are copied; a sentence with a colon in it has more words before that.
_SAID_BY = regex(r"^[ \t]*(?:\[[^\]\n]{1,40}\][ \t]*)?[^\W\d_][\w .'-]{0,24}:[ \t]+\S.*$", re.MULTILINE)
_COPIED = 2
# "The villain says: —Creature, …"
_DIALOGUE = regex(r"(?:^|:)[ \t]*[—―][ \t]?\w[^\n]*", re.MULTILINE)


class Parted(NamedTuple):
    """What a message says in its writer's *own* words, and what it quotes of *others*."""

    own: str
    others: str


def parted(message: str) -> Parted:
    """Part a message; each part keeps the order of its words."""
    spans = [each.span() for each in OTHERS.finditer(message) if len(_WORD.findall(each[0])) > _FEW]
    spans += [each.span() for each in _DIALOGUE.finditer(message)]
    copied = [each.span() for each in _SAID_BY.finditer(message)]
    spans += copied if len(copied) >= _COPIED else []
    if not spans:
        return Parted(message, "")
    own: list[str] = []
    others: list[str] = []
    place = 0
    for start, end in sorted(spans):
        if start >= place:
            own.append(message[place:start].strip())
            others.append(message[start:end])
            place = end
    own.append(message[place:].strip())
    # What stood between is parted from what follows: nobody said these words in one breath.
    return Parted("\n".join(filter(None, own)), "\n".join(others))
