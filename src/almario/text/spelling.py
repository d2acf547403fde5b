"""Orders as they are spelled in a chat: "q", "dont" and "remeber" are heard as "que", "don't" and "remember".

What is spelled otherwise is only listened to: a wish is always told as it was written.
"""

import re
from bisect import bisect_right
from functools import cache
from itertools import takewhile
from string import ascii_lowercase

from almario.domain.plain_text import regex
from almario.language import bases, languages
from almario.named_tuples import NamedTuple

# Shorter words are too like others; and a slip is within a word, as its end has a meaning: "recuerdo".
_SHORTEST, _SAME = 6, 2
_DRAWN_OUT = regex(r"([a-z])\1{2,}")
_DRAWN = tuple(letter * 3 for letter in ascii_lowercase)


class Spelling(NamedTuple):
    """A text as it is listened to, and where that is longer or shorter than what was written.

    *shifts* has, for each word that is spelled otherwise, where it ends and how far all after it is moved.
    """

    text: str
    shifts: tuple[tuple[int, int], ...] = ()

    def place(self, place: int) -> int:
        """Return where in what was written a place of the text is."""
        found = bisect_right(self.shifts, (place, len(self.text)))
        return place - (self.shifts[found - 1][1] if found else 0)


def spelled(plain: str) -> Spelling:
    """Return a folded text with the words of orders as the tables of orders have them."""
    mended = _mended(plain)
    if not mended:
        return Spelling(plain)
    parts: list[str] = []
    shifts: list[tuple[int, int]] = []
    done = moved = 0
    for found in _words().finditer(plain):
        meant = mended.get(found[0])
        # An initial is no word: "d. h.".
        if meant is None or (len(found[0]) == 1 and plain.startswith(".", found.end())):
            continue
        parts += plain[done : found.start()], meant
        done = found.end()
        moved += len(meant) - len(found[0])
        shifts.append((done + moved, moved))
    return Spelling("".join(parts) + plain[done:], tuple(shifts))


def _mended(plain: str) -> dict[str, str]:
    """Return the words of a text that would be spelled otherwise in a letter, with how they would be."""
    words = set(_words().findall(plain))
    verbs = _verbs()
    found = words & _short().keys()
    found |= {word for word in words if len(word) >= _SHORTEST and word[:_SAME] + word[-_SAME:] in verbs}
    if any(map(plain.__contains__, _DRAWN)):
        found |= {word for word in words if _is_drawn(word)}
    return {word: meant for word in found if (meant := _meant(word)) != word}


def _meant(word: str) -> str:
    """Return how a word would be spelled in a letter."""
    drawn = _DRAWN_OUT.sub(r"\1", word)
    if drawn != word:
        return _meant(drawn)
    if word in _short():
        return _short()[word]
    near = _verbs().get(word[:_SAME] + word[-_SAME:], ()) if len(word) >= _SHORTEST else ()
    return word if word in near else next((verb for verb in near if _is_slip(word, verb)), word)


def _is_drawn(word: str) -> bool:
    """Say whether a word is drawn out at its end; a sound is not: "mmm"."""
    return word.endswith(_DRAWN) and word.strip(word[-1]) != ""


def _is_slip(word: str, verb: str) -> bool:
    """Say whether a word has one letter too many, one too few or another, or two that changed places."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, verb, strict=False)))
    word, verb = word[same:], verb[same:]
    while word and verb and word[-1] == verb[-1]:
        word, verb = word[:-1], verb[:-1]
    return max(len(word), len(verb)) == 1 or (len(word) == 2 and word == verb[::-1])


@cache
def _short() -> dict[str, str]:
    """Return the short forms of every language, with what each stands for."""
    rows = (each.orders.get("chat") for each in languages())
    tables = (bases(row) for row in rows if row)
    pairs = (pair for table in tables for pair in table.items())
    return {form.replace("_", " "): base.replace("_", " ") for form, base in pairs}


@cache
def _verbs() -> dict[str, tuple[str, ...]]:
    """Return the words of every language that are known in spite of a slip, by how they begin and end."""
    found: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(word for each in languages() for word in each.orders.get("slips", "").split()):
        ends = word[:_SAME] + word[-_SAME:]
        found[ends] = (*found.get(ends, ()), word)
    return found


@cache
def _words() -> re.Pattern[str]:
    """Return what finds every word, and the phrases that are spelled otherwise."""
    phrases = (re.escape(form) + r"(?![\w'])" for form in _short() if " " in form)
    return re.compile("|".join((*phrases, r"[\w']+")))
