"""Whether a rule names the project in which it was said: then it holds there, and nowhere else."""

import re
from collections.abc import Sequence
from functools import cache

from almario.domain.plain_text import regex
from almario.domain.words import fold, sentences_in, shared_words
from almario.language import either, languages

# A sentence that has so many of a rule's words tells it.
_TELLS = 0.3
_WORD = regex(r"[^\W_]+")


def names_project(project: str, rule: str, said: Sequence[str]) -> bool:
    """Return whether a rule, or a sentence of what was *said* that tells it, names a project."""
    told = (each for text in said for each in sentences_in(text) if shared_words(rule, each) >= _TELLS)
    name = fold(project.rpartition("-")[0] or project).replace("-", " ")
    return any(_here().search(text) or f" {name} " in f" {_plain(text)} " for text in (rule, *told))


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(fold(text)))


@cache
def _here() -> re.Pattern[str]:
    return regex(rf"\b(?:{either(languages(), 'this_project')})\b", re.IGNORECASE)
