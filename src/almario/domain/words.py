"""The words of a text, as the index knows them.

A term is an exact word (`casas`), a stem (`s:cas` Spanish, `e:hous` English) or two CJK
characters. It has no white space and no `*`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Set
from functools import cache, lru_cache, partial
from itertools import chain

from almario.domain.plain_text import regex
from almario.language import at_a_glance
from almario.named_tuples import NamedTuple

# Another number means that the same text gives other terms, so that all of it is indexed anew.
TERMS = 3

# Scripts written without spaces (and Korean, whose words grow at their end): two characters are a word.
_RUN = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_SPLIT = regex(r"[^\W_]+")
# What may stand between the beginning of a sentence and its first word.
_OPENING = " \t\"'([«“‘¿¡*-"
# A sentence ends with its sign, and what closes it, but for the sign of what is cut short: "Dr.", "St.".
_CUT_SHORT = r"(?<!\b[A-Z][a-z]\.)(?<!\b(?:Mrs|Sra|Rev|Ing|e\.g|i\.e)\.)(?<!\b(?:Prof|Srta|Capt)\.)"
_SENTENCE_END = regex(rf"(?:(?<=[.!?…;])|(?<=[.!?…][\"'”’»)\]*_])){_CUT_SHORT}\s+|(?<=[。！？])|\n\s*")
# Accents, and the marks that only choose between shapes of a sign.
_MARKS = regex("[\u0300-\u036f\ufe00-\ufe0f]+")
# A word is no longer than this: what is longer is not written to be read.
_LONGEST = 128
_LONGEST_QUESTION = 20_000
# What a word is worth that matches by its stem only.
STEM = 0.8
# Texts are indexed in these two; other languages are found by their exact words.
_GLANCE = at_a_glance()
_IRREGULAR = {
    name: dict(pair.split("=") for pair in _GLANCE[f"irregular:{code}"])
    for name, code in (("english", "en"), ("spanish", "es"))
}
_ENGLISH, _SPANISH = _GLANCE["small:en"], _GLANCE["small:es"]
_ONLY_ENGLISH, _ONLY_SPANISH = _ENGLISH - _SPANISH, _SPANISH - _ENGLISH
# Words that say little about what a text is about, and those that only ask for a sort or a number.
SMALL, SORTS = _ENGLISH | _SPANISH, _GLANCE["sorts"]


# What only its accent tells from a stop word: tea is not "you".
_NOT_LIGHT = {"té"}


class Word(NamedTuple):
    """A word of a question and the terms by which it is found, each with its worth from 0 to 1."""

    text: str
    terms: tuple[tuple[str, float], ...]
    # Also found by its parts; counts only where the whole is known.
    whole: bool = False


def _held_together(letters: str) -> str:
    """A word may be held together by signs (node.js, foo-bar, h&m, ana@example.org), begin with a dot (.net)
    and end in the signs of a programming language (c++, c#). Its parts are words too.
    """
    return rf"(?:(?<![\w.])\.)?{letters}(?:[-.@&+]{letters})*(?:\+\+|#)?"


# Patterns with `_RUN` take 8 ms to compile, which a text does without whose letters all come before those.
_MAY_RUN = regex("[\u0e00-\u1fff\u3005-\U0010ffff]")
_SPACED = regex(_held_together(r"\w+"))
_ANY = regex(f"[{_RUN}]+|" + _held_together(rf"[^\W{_RUN}]+"))
_IN_A_RUN = regex(f"[{_RUN}]")


def _words(text: str) -> re.Pattern[str]:
    return _SPACED if text.isascii() or not _MAY_RUN.search(text) else _ANY


def _words_in(text: str) -> list[str]:
    lower = _lower(text)
    if (words := _words(lower)) is _ANY:
        return words.findall(lower)
    found: list[str] = []
    for part in lower.split():  # nearly all stand between spaces, and that is quickly seen
        if part.isalnum():
            found.append(part)
        else:
            found += words.findall(part)
    return found


def fold(text: str) -> str:
    """Return *text* in lower case and without accents; ñ is a letter and stays."""
    if text.isascii():
        return text.lower()
    marks = unicodedata.normalize("NFKD", text.casefold()).replace("n\u0303", "ñ")
    return unicodedata.normalize("NFC", _MARKS.sub("", marks))


def index_terms(text: str, speaker: str = "") -> list[str]:
    """Return the different terms under which a passage is kept; their number is its length."""
    words = dict.fromkeys(_words_in(f"{speaker} {text}" if speaker else text))
    forms = _FORMS[_language(words.keys())]
    terms = dict.fromkeys(chain.from_iterable([forms(word[:_LONGEST]) for word in words]))
    return list(terms)


def forms_of(text: str) -> list[tuple[str, ...]]:
    """Return the different words of a text but the small ones, each with its forms, the exact one first."""
    words = dict.fromkeys(_words_in(text))
    forms = _FORMS[_language(words.keys())]
    found = [forms(word[:_LONGEST]) for word in words if word not in SMALL]
    return [each for each in found if each[0] not in SMALL]  # "él" has lost its accent


def all_forms(text: str) -> set[str]:
    """Return the words of a text but the small ones, each in all its forms."""
    return set(chain.from_iterable(forms_of(text)))


def shared_words(text: str, *others: str) -> float:
    """Return how many of a text's words others have, from 0 to 1; the small ones do not count."""
    words, there = forms_of(text), set[str]().union(*map(all_forms, others))
    return sum(not there.isdisjoint(forms) for forms in words) / max(1, len(words))


def exact_words(text: str) -> list[str]:
    """Return the words of a text as the index keeps them, as often as they occur: no stems, no small ones."""
    words = [form for word in _words_in(text) for form in _exact(word[:_LONGEST])]
    return [word for word in words if word not in SMALL] or words


def query_words(question: str, limit: int = 64) -> list[Word]:
    """Return the words that a question asks about, at most *limit*; stop words if there are no others."""
    text = question[:_LONGEST_QUESTION]
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    found = list(_words(text).finditer(text))
    language = _language({_lower(match[0]) for match in found})
    shouted = question.isupper()
    kept: dict[Word, None] = {}
    spare: dict[Word, None] = {}
    for match in found:
        word = _lower(match[0])[:_LONGEST]
        named = not shouted and _is_name(match)
        light = word not in _NOT_LIGHT and (fold(word) in SMALL or fold(word) in SORTS)
        for each in _queried(word, language):
            (spare if light and not named else kept)[each] = None
    return list(kept or spare)[:limit]


def _queried(word: str, language: str) -> list[Word]:
    if _is_run(word):
        pairs = [word[n : n + 2] for n in range(len(word) - 1)] or [word + "*"]
        return [Word(pair.rstrip("*"), ((pair, 1.0),)) for pair in pairs]
    parts = _SPLIT.findall(word)
    if parts == [word]:
        return [_word(word, language)]
    exact = fold(word)
    whole = Word(exact, ((exact, 1.0),), whole=True)
    return [whole, *(_word(part, language) for part in parts if part not in SMALL or len(parts) == 1)]


def _word(part: str, language: str) -> Word:
    exact, *stems = _FORMS[language](part)
    return Word(exact, ((exact, 1.0), *((stem, STEM) for stem in stems)))


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a text begin and end."""
    ends = [(match.start(), match.end()) for match in _SENTENCE_END.finditer(text)]
    starts = [0, *(after for _, after in ends)]
    found = zip(starts, [*(end for end, _ in ends), len(text)], strict=True)
    whole = ((start, start + len(text[start:end].rstrip())) for start, end in found)
    return [(start, end) for start, end in whole if end > start]


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text, each of which says something by itself."""
    return [text[start:end] for start, end in sentence_spans(text)]


def names_in(text: str) -> list[str]:
    """Return the words with a capital inside a sentence, as they are compared: those may be names."""
    if text.isupper() or text[1:] == text[1:].lower():
        return []
    return [fold(match[0]) for match in _SPLIT.finditer(text) if _is_name(match)]


def _is_name(match: re.Match[str]) -> bool:
    """Return whether a word has a capital, and not because a sentence begins with it."""
    if not match[0][0].isupper() or len(match[0]) < 2:
        return False
    before = match.string[max(0, match.start() - 8) : match.start()].rstrip(_OPENING)
    return bool(before) and before[-1] not in ".?!…:;\n"


def _lower(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text.lower())


def _is_run(word: str) -> bool:
    return not word.isascii() and bool(_IN_A_RUN.match(word))


def _language(words: Set[str]) -> str:
    english, spanish = len(_ONLY_ENGLISH.intersection(words)), len(_ONLY_SPANISH.intersection(words))
    return "english" if english > spanish else "spanish" if spanish > english else ""


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    import Stemmer  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - most commands need none

    stem: Callable[[str], str] = Stemmer.Stemmer(language, 0).stemWord
    return stem


def _forms(word: str, languages: Iterable[str]) -> tuple[str, ...]:
    if _is_run(word):
        # With its last character by itself, each character begins some term.
        return (*(word[n : n + 2] for n in range(len(word) - 1)), word[-1])
    exact = fold(word)
    if not word.isalnum():
        parts = _SPLIT.findall(word)
        return tuple(dict.fromkeys([exact, *(form for part in parts for form in _forms(part, languages))]))
    if exact in SMALL or len(exact) < 2 or not exact.isalpha():
        return (exact,)
    stems = [(each[0], _stemmer(each)(_IRREGULAR[each].get(exact, word))) for each in languages]
    plain = [(lead, stem if stem.isascii() else fold(stem).replace("ñ", "n")) for lead, stem in stems]
    return (exact, *[f"{lead}:{stem}" for lead, stem in plain])


_exact = lru_cache(16384)(partial(_forms, languages=()))
# A conversation's vocabulary is small: nearly every word has been seen before.
_FORMS = {
    "english": lru_cache(16384)(partial(_forms, languages=("english",))),
    "spanish": lru_cache(16384)(partial(_forms, languages=("spanish",))),
    "": lru_cache(16384)(partial(_forms, languages=("english", "spanish"))),
}
