"""Short answers to what was asked or offered: yes, no, and which of several.

An answer says nothing besides: "yes, the bread is good there" is none.
"""

from collections.abc import Sequence
from functools import cache

from almario.domain.plain_text import regex
from almario.domain.words import fold, forms_of
from almario.language import languages
from almario.text.intentions import is_met
from almario.text.tongues import words_of
from almario.text.wishes import FORGET, NOTE, REMEMBER, listed, ordering_words

# No answer has more words; "guárdalo" is the word "guarda".
_MOST, _CLITIC = 6, regex(r"(?<=\w{3})(?:r?(?:me|se|te)?l[oa]s?)\Z")
_WORD = regex(r"\w+")


def answer_in(message: str, verb: str = "") -> str:
    """Return `yes` or `no`, if a message says no more than that: "yes please", "sí, guárdalo", "no need".

    Asked whether to remember, the *verb* alone says yes. To forget, nothing does but a yes.
    """
    first, words = _words_of(message)
    yes, no = _folded("yes"), _folded("no") | listed("declining")
    forgetting, light = ordering_words(FORGET), listed("beside")
    keeping = (ordering_words(REMEMBER, NOTE) | listed("changing")) - forgetting
    if words & no or (verb == REMEMBER and words & forgetting):  # "forget it"
        return "no" if words <= no | yes | light | forgetting | keeping else ""
    is_meant = first in (yes | keeping if verb == REMEMBER else yes)
    own = keeping if verb == REMEMBER else forgetting if verb else keeping | forgetting
    return "yes" if is_meant and words <= yes | light | own else ""


def _words_of(message: str) -> tuple[str, frozenset[str]]:
    """Return the first word and all of what is short enough to be an answer, without a "well" before it."""
    words = _WORD.findall(fold(message))
    while words and words[0] in listed("hesitating"):
        words = words[1:]
    bare = [_CLITIC.sub("", each) for each in words if len(words) <= _MOST and "?" not in message]
    return bare[0] if bare else "", frozenset(bare)


def chosen_in(message: str, among: Sequence[str]) -> list[int]:
    """Return which *among* several texts a short answer means: "2", "the second", "both", "the bank one".

    Words of a text mean the only one that has them all; nothing else may stand beside them.
    """
    _, words = _words_of(message)
    rows = [each.times.get("ordinals", "").split(";") for each in languages()]
    light = listed("articles") | listed("pointing") | ordering_words(FORGET) | _folded("yes")
    places = {fold(one): n for row in rows for n, each in enumerate(row) for one in each.split()}
    places |= {str(n + 1): n for n in range(len(among))}
    named, every = words - light, listed("both" if len(among) == 2 else "everything")
    if words & every and words <= every | light:
        return list(range(len(among)))
    if len(named) == 1 and named <= set(places):
        return [places[each] for each in named if places[each] < len(among)]
    has_meaning = all(map(forms_of, named))
    found = [n for n, each in enumerate(among) if has_meaning and is_met(" ".join(named), each)]
    return found if len(found) == 1 else []


@cache
def _folded(field: str) -> frozenset[str]:
    return frozenset(map(fold, words_of(field)))
