"""What Almario says, in English and Spanish.

The English sentence is the key. One that is not in the Spanish catalogue is
said in English, and a test fails.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from almario.errors import AlmarioError


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
    entries: dict[str, str] = json.loads((Path(__file__).parent / f"messages.{language}.json").read_bytes())
    return entries


def say(language: str, sentence: "str | Sentence", /, **facts: object) -> str:
    """Return *sentence* in *language*, its named places filled, also with other sentences."""
    if isinstance(sentence, Sentence):
        return say(language, sentence.text, **sentence.facts)
    translated = catalogue(language).get(sentence, sentence)
    said = {name: say(language, fact) if isinstance(fact, Sentence) else fact for name, fact in facts.items()}
    return translated.format(**said) if said else translated


def sentence_of(error: AlmarioError) -> Sentence:
    """Return what an error says, to be said in any language."""
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
