"""Which language a text is in, told by its commonest words and groups of letters.

How common each is follows from its place in the profile of a language, the commonest first. Languages that
have a script of their own are told by its signs.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import log

from almario.domain.plain_text import regex
from almario.language import at_a_glance, codes, language, languages, profiles

# A profile has so many words and groups; one in the place `_FLAT` counts as half as common as the first.
WORDS, GROUPS = 400, 600
_FLAT = 60
# A language with rules is this much likelier than one without; the best must be ahead by so much.
_LIKELIER, _AHEAD = 1.0, 1.0
# So much counts a word of talk, and so far must one language be ahead of the one that is expected.
_SPOKEN, _CLEARLY = 3.0, 2.0
# So few words are of another language only if one of them is.
_FEW_WORDS = 2
# One that is not further behind may be meant as well; a script leaves no doubt.
_NEAR, _SURE = 6.0, 100.0
# More of a text tells no more.
_REACH, _MOST = 2000, 60
_WORD = regex(r"[^\W\d_]+")
_LATIN = regex("[a-zA-Z]")
# In this order: Japanese has Chinese signs, too.
_SCRIPTS = {
    "ja": regex("[\u3040-\u30ff]"),
    "ko": regex("[\uac00-\ud7af]"),
    "zh": regex("[\u3400-\u9fff]"),
    "el": regex("[\u0370-\u03ff]"),
    "he": regex("[\u0590-\u05ff]"),
    "ar": regex("[\u0600-\u06ff]"),
    "hi": regex("[\u0900-\u097f]"),
    "th": regex("[\u0e00-\u0e7f]"),
}
# So many letters are a sign of a script in which one says more.
_LETTERS = 3


class _Weights(dict[str, list[tuple[str, float]]]):
    """For each word, or group of letters, the languages that have it, with how much it speaks for each.

    They are gathered when they are first asked for: most are never met.
    """

    def __init__(self, found: Sequence[tuple[str, Mapping[str, float]]]) -> None:
        super().__init__()
        self._found = found

    def __missing__(self, sign: str) -> list[tuple[str, float]]:
        weights = [(code, having[sign]) for code, having in self._found if sign in having]
        if weights:  # there is no end to what no language has
            self[sign] = weights
        return weights


@lru_cache(4096)
def language_of(text: str) -> str:
    """Return the language of a text by its code, such as `en`; empty if that cannot be told."""
    scores = _scores(text)
    second, first = sorted(scores.values())[-2:]
    return max(scores, key=scores.__getitem__) if first - second > _AHEAD else ""


def written_in(text: str, otherwise: str) -> str:
    """Return the language of a text; *otherwise* if it may as well be in that one, or cannot be told."""
    scores = _scores(text)
    is_near = scores.get(otherwise, 0.0) >= max(scores.values()) - _NEAR
    return otherwise if is_near else language_of(text) or otherwise


def likelier_in(text: str, otherwise: str, among: Sequence[str]) -> str:
    """Return in which *among* some languages a text is; *otherwise* unless another is clearly ahead of it.

    A message may be one word: those by which people talk to each other count for more.
    """
    words, scores = set(spelled_words(text)), _scores(text)
    if _spoken(otherwise) >= words:
        return otherwise
    found = {code: scores[code] + _SPOKEN * len(_spoken(code) & words) for code in among}
    best = max(among, key=found.__getitem__)
    own, others = _spoken(otherwise) & words, _spoken(best) - _spoken(otherwise)
    is_little = (len(words) == 1 and text.isascii()) or (own and len(words) <= _FEW_WORDS)
    if is_little and words.isdisjoint(others):
        return otherwise  # letters say little of "piano" and "no problem"
    return best if found[best] - found.get(otherwise, 0.0) > _CLEARLY else otherwise


@cache
def _spoken(code: str) -> frozenset[str]:
    own = language(code)
    rows = ("lead", "note", "cancel", "forget", "undo")
    lead = _WORD.findall(" ".join(own.orders.get(each, "") for each in rows))
    return own.yes.union(own.no, own.courtesy, own.small, own.you, own.oneself, lead)


@lru_cache(4096)
def rules_for(text: str) -> tuple[str, ...]:
    """Return the codes of the languages whose words may be meant in a text: near to it, and with a file."""
    scores = _scores(text)
    least = max(scores.values()) - _NEAR
    return tuple(code for code in codes() if scores[code] >= least)


def _scores(text: str) -> dict[str, float]:
    near = text[:_REACH]
    scores = dict.fromkeys(codes(), _LIKELIER)
    if not near.isascii() and (script := _script_of(near)):
        return scores | {script: _SURE}
    words, groups = _weights()
    # What is said again and again tells nothing new.
    for word in list(dict.fromkeys(spelled_words(near)))[:_MOST]:
        for code, weight in words[word]:
            scores[code] = scores.get(code, 0.0) + weight
        for group in groups_of(word):
            for code, weight in groups[group]:
                scores[code] = scores.get(code, 0.0) + weight
    return scores


@cache
def words_of(field: str) -> frozenset[str]:
    """Return the words of a field, in every language."""
    return frozenset().union(*(getattr(each, field) for each in languages()))


def spelled_words(text: str) -> list[str]:
    """Return the words of a text, in lower case and with their accents."""
    return _WORD.findall(text.lower())


def groups_of(word: str) -> list[str]:
    """Return the groups of three letters of a word, with its beginning and its end."""
    whole = f"_{word}_"
    return [whole[place : place + 3] for place in range(len(whole) - 2)]


def _script_of(text: str) -> str:
    latin = len(_LATIN.findall(text))
    return next((code for code, sign in _SCRIPTS.items() if len(sign.findall(text)) * _LETTERS > latin), "")


@cache
def _weights() -> tuple[_Weights, _Weights]:
    # By the place in a profile.
    shares = [[log((most + _FLAT) / (place + _FLAT)) for place in range(most)] for most in (WORDS, GROUPS)]
    known = profiles()
    words = [(code, dict(zip(codes, shares[0], strict=False))) for code, codes, _ in known]
    groups = [(code, dict(zip(letters, shares[1], strict=False))) for code, _, letters in known]
    return _Weights(words), _Weights(groups)


@cache
def reminding() -> "re.Pattern[str]":
    """Return what every order to remind has, without loading a language."""
    return re.compile("|".join(sorted(at_a_glance()["orders"])).replace("_", " "), re.IGNORECASE)
