"""Whose words a message has: its writer's own, and those it quotes."""

import re
import unicodedata
from functools import cache

from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

# Quotations and code.
OTHERS = regex(
    r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|「[^「」]*」|『[^『』]*』|"
    r"(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){2,300}'(?!\w)|^[ \t]*>[^\n]*",
    re.S | re.M,
)
# Stands for each sign of them.
PLACEHOLDER = "\ufffc"
_MAY_BE_OTHERS, _SPACES = regex(r"[`\"“„«「『'>]"), regex(r"[\t\r\v\f]")
# So many words in quotation marks are still the writer's own.
_FEW = 3
_WORD = regex(r"\w+")
# "Ana: see you there", as chats are copied; a sentence with a colon in it has more words before that.
_QUOTED_LINE = regex(r"^[ \t]*(?:\[[^\]\n]{1,40}\][ \t]*)?[^\W\d_][\w .'-]{0,24}:[ \t]+\S.*$", re.MULTILINE)
_COPIED = 2
# "The villain says: —Creature, …"
_DIALOGUE = regex(r"(?:^|:)[ \t]*[—―][ \t]?\w[^\n]*", re.MULTILINE)


class Parted(NamedTuple):
    """What a message says in its writer's *own* words, and what it quotes of *others*."""

    own: str
    others: str


def parted(message: str, *, mark: str = "") -> Parted:
    """Part a message; each part keeps the order of its words, and a *mark* stands where others' were."""
    spans = [each.span() for each in OTHERS.finditer(message) if len(_WORD.findall(each[0])) > _FEW]
    spans += [each.span() for each in _DIALOGUE.finditer(message)]
    copied = [each.span() for each in _QUOTED_LINE.finditer(message)]
    spans += copied if len(copied) >= _COPIED else []
    if not spans:
        return Parted(message, "")
    own: list[str] = []
    others: list[str] = []
    place = 0
    for start, end in sorted(spans):
        if start >= place:
            own += [message[place:start].strip(), mark]
            others.append(message[start:end])
            place = end
    own.append(message[place:].strip())
    # What stood between is parted from what follows: nobody said these words in one breath.
    return Parted("\n".join(filter(None, own)) if any(own[::2]) else "", "\n".join(others))


def folded(written: str) -> str:
    """Return a text in lower case, without accents and with no word of others; it is as long as before."""
    is_plain = written.isascii() and not _SPACES.search(written)
    plain = (written if is_plain else written.translate(_letters())).lower()
    if not _MAY_BE_OTHERS.search(plain):
        return plain
    return OTHERS.sub(lambda found: PLACEHOLDER * len(found[0]), plain)


@cache
def _letters() -> dict[int, str]:
    """Return what stands for each sign that is written in more ways than one."""
    marked = {code: unicodedata.normalize("NFD", chr(code))[0] for code in range(0xC0, 0x250)}
    found = {code: base for code, base in marked.items() if base.isascii()}
    found |= {ord(sign): "'" for sign in "’‘ʼ´"}
    found |= {ord(sign): " " for sign in "\t\r\v\f\xa0\u2009\u202f\u3000"}
    return found | {ord("、"): ",", ord("，"): ",", ord("："): ":", ord("；"): ";"}
