"""What Almario says, in English and Spanish.

The English sentence is the key. One that is not in the Spanish catalogue is
said in English, and a test fails.
"""

import re
from collections.abc import Mapping
from functools import cache
from string import Formatter

from almario.errors import AlmarioError

# With fewer letters of its own, nearly every text would be such a sentence.
_LEAST_LETTERS = 8
# The places that other sentences fill.
_SENTENCES_IN = ("why", "problem", "said")


class Sentence:
    """An English sentence with named places, and the facts that fill them."""

    __slots__ = ("facts", "text")

    def __init__(self, text: str, /, **facts: object) -> None:
        self.text = text
        self.facts = facts

    def __str__(self) -> str:
        return self.text.format(**self.facts) if self.facts else self.text

    def __repr__(self) -> str:
        return f"Sentence({str(self)!r})"


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the translations of English sentences into *language*."""
    if language == "en":
        return {}
    # Together 4 ms, which a list of commands in English does without.
    import json  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    entries: dict[str, str] = json.loads((Path(__file__).parent / f"messages.{language}.json").read_bytes())
    return entries


def translate(language: str, sentences: Mapping[str, str]) -> None:
    """Say these sentences in *language* from now on, too: a plug-in brings its own."""
    catalogue(language).update(sentences)
    _distinct_first.cache_clear()


def say(language: str, sentence: "str | Sentence", /, **facts: object) -> str:
    """Return *sentence* in *language*, its named places filled, also with other sentences.

    One that was kept as it was said in English, as reasons are in the journal, is known again; what is no
    sentence of ours is returned as it is.
    """
    if isinstance(sentence, Sentence):
        return say(language, sentence.text, **sentence.facts)
    known = catalogue(language)
    translated = known.get(sentence) or (sentence if facts or not known else _said_again(language, sentence))
    said = {name: say(language, fact) if isinstance(fact, Sentence) else fact for name, fact in facts.items()}
    return translated.format(**said) if said else translated


def _said_again(language: str, said: str) -> str:
    """Return in *language* what was said in English, its places filled."""
    for sentence in _distinct_first(language):
        if facts := _facts(sentence, said):
            told = {name: say(language, f) if name in _SENTENCES_IN else f for name, f in facts.items()}
            translated = Formatter().parse(catalogue(language)[sentence])
            return "".join(text + told.get(name or "", "") for text, name, *_ in translated)
    return said


@cache
def _distinct_first(language: str) -> list[str]:
    """Return the sentences with places that can be told from others, the most telling first."""
    own = {sentence: "".join(_own_words(sentence)) for sentence in catalogue(language) if "{" in sentence}
    telling = [each for each, words in own.items() if sum(map(str.isalpha, words)) >= _LEAST_LETTERS]
    return sorted(telling, key=lambda sentence: (-len(own[sentence]), sentence))


def _own_words(sentence: str) -> list[str]:
    return [text for text, *_ in Formatter().parse(sentence)]


def _facts(sentence: str, said: str) -> dict[str, str] | None:
    """Return what fills a sentence's places in a text; None if that is another sentence."""
    if not all(words in said for words in _own_words(sentence)):  # a hundred times as fast as what follows
        return None
    pattern, names = "", set[str]()
    for text, name, *_ in Formatter().parse(sentence):
        pattern += re.escape(text)
        if name:
            pattern += f"(?P={name})" if name in names else f"(?P<{name}>.+?)"
            names.add(name)
    found = re.fullmatch(pattern, said, re.DOTALL)
    return found.groupdict() if found else None


def sentence_of(error: AlmarioError | OSError) -> Sentence:
    """Return what an error says, to be said in any language; the system's are in its own words."""
    if isinstance(error, OSError):
        return Sentence(error.strerror or str(error))
    return Sentence(error.message, **error.facts)


def language_of(setting: str, environment: Mapping[str, str]) -> str:
    """Return the language to speak: the setting's, or for `auto` the locale's (`es_AR.UTF-8`)."""
    if setting != "auto":
        return setting
    return "es" if _locale(environment).startswith("es") else "en"


def birth_language(environment: Mapping[str, str], setting: str = "auto") -> str:
    """Return the language of a new soul: the setting's, or the locale's if that is English, else Spanish."""
    if setting != "auto":
        return setting
    return "en" if _locale(environment).startswith("en") else "es"


def _locale(environment: Mapping[str, str]) -> str:
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next((name for name in names if name), "").lower()
