"""Which language a text is in, told by the commonest words of each that has rules.

A text in another language is in none: few of its words are among them. A script of its own tells a language
by its signs.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from almario.domain.plain_text import regex
from almario.language import codes, common, languages

# So many words of a text must be of a language, of the hundred; fewer are chance.
_SHARE = 25
# A language with one word less may be meant as well.
_NEAR = 1
# More of a text tells no more.
_REACH = 2000
_WORD = regex(r"[^\W\d_]+")
_LATIN = regex("[a-zA-Z]")
# In this order: Japanese has Chinese signs, too.
_SCRIPTS = {
    "ja": regex("[\u3040-\u30ff]"),
    "ko": regex("[\uac00-\ud7af]"),
    "zh": regex("[\u3400-\u9fff]"),
    "ru": regex("[\u0400-\u04ff]"),
    "el": regex("[\u0370-\u03ff]"),
    "he": regex("[\u0590-\u05ff]"),
    "ar": regex("[\u0600-\u06ff]"),
    "hi": regex("[\u0900-\u097f]"),
    "th": regex("[\u0e00-\u0e7f]"),
}
# So many letters are a sign of a script in which one says more.
_LETTERS = 3


def language_of(text: str) -> str:
    """Return the language of a text by its code, such as `en`; empty if that cannot be told."""
    counts = _counts(text)
    most = max(counts.values())
    found = [code for code, count in counts.items() if count == most]
    return found[0] if most and len(found) == 1 else ""


def written_in(text: str, otherwise: str) -> str:
    """Return the language of a text; *otherwise* if it may as well be in that one, or cannot be told."""
    return likelier_in(text, otherwise, (*codes(), *_SCRIPTS))


def likelier_in(text: str, otherwise: str, among: Sequence[str]) -> str:
    """Return in which *among* some languages a text is; *otherwise* unless another is clearly ahead of it."""
    counts = _counts(text)
    best = max(among, key=lambda code: counts.get(code, 0))
    return best if counts.get(best, 0) > counts.get(otherwise, 0) + _NEAR else otherwise


def rules_for(text: str) -> tuple[str, ...]:
    """Return the codes of the languages whose words may be meant in a text: all, where nothing tells."""
    counts = _counts(text)
    least = max(counts.values()) - _NEAR
    return tuple(code for code in codes() if counts[code] >= least)


@lru_cache(4096)
def _counts(text: str) -> dict[str, int]:
    """Return how many words of a text are common in each language; none, where they are too few."""
    near = text[:_REACH]
    if not near.isascii() and (script := _script_of(near)):
        return dict.fromkeys(codes(), 0) | {script: len(near) + _NEAR}
    words = set(spelled_words(near))
    counts = {code: len(words & common().get(code, frozenset())) for code in codes()}
    is_told = 100 * max(counts.values()) >= _SHARE * len(words)
    return counts if is_told else dict.fromkeys(counts, 0)


def _script_of(text: str) -> str:
    latin = len(_LATIN.findall(text))
    return next((code for code, sign in _SCRIPTS.items() if len(sign.findall(text)) * _LETTERS > latin), "")


@cache
def words_of(field: str) -> frozenset[str]:
    """Return the words of a field, in every language."""
    return frozenset().union(*(getattr(each, field) for each in languages()))


def spelled_words(text: str) -> list[str]:
    """Return the words of a text, in lower case and with their accents."""
    return _WORD.findall(text.lower())
