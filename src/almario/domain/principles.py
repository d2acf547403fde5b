"""Core Drives are principles that hold anywhere; what is about a day, a task or somebody is situational.

A rule by words, in English and Spanish. It is strict where a word is
unmistakable and lets pass what it does not know: a model is asked after it.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache

from almario.domain.content import names_in
from almario.domain.messages import Sentence
from almario.domain.situations import (
    ADDRESSES,
    AMOUNTS,
    ANY_TIME,
    DETERMINERS,
    OCCASIONS,
    PEOPLE,
    POSSESSIVES,
    TASKS,
    TIMES,
    TOOLS,
)
from almario.domain.stopwords import BOTH
from almario.domain.words import fold

# What only its capital tells from another word.
_CAPITAL_MONTHS = re.compile(r"(?<=\w )(?:May|March)\b")
_WORDS = re.compile(r"[^\W_]+")
_NOT_PRODUCTS = {"AI", "IA", "OK", "TV", "I", "Y", "O", "A", "E"}
_LONGEST = 2000
_TIME = Sentence('it speaks of a certain time: "{words}"')
_TOOL = Sentence('it is about a tool or a product: "{words}"')


@cache
def _rules() -> tuple[tuple[Sentence, re.Pattern[str]], ...]:
    return (
        (Sentence('it has an address or a file in it: "{words}"'), re.compile("|".join(ADDRESSES))),
        (_TIME, _words(*TIMES)),
        (Sentence('it has a number or an amount in it: "{words}"'), re.compile("|".join(AMOUNTS))),
        (Sentence('it is a task: "{words}"'), _words(*TASKS)),
        (
            Sentence('it is about one occasion: "{words}"'),
            _words(rf"(?:{DETERMINERS}) (?:\w+ )?(?:{OCCASIONS})"),
        ),
        (Sentence('it is about somebody: "{words}"'), _words(rf"(?:{POSSESSIVES}) (?:{PEOPLE})")),
        (_TOOL, _words(TOOLS)),
    )


@cache
def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})\b")


def situational(line: str, names: Collection[str] = ()) -> Sentence | None:
    """Return why a line is no universal principle, or None; *names* are those of `known_names`."""
    plain = fold(line[:_LONGEST].replace("’", "'"))
    said = _words(*ANY_TIME).sub("…", plain)
    for sentence, pattern in _rules():
        if found := pattern.search(said):
            return Sentence(sentence.text, words=found[0].strip())
    if month := _CAPITAL_MONTHS.search(line):
        return Sentence(_TIME.text, words=month[0])
    if product := _product(line):
        return Sentence(_TOOL.text, words=product)
    named = next((name for name in names_in(line) if name in names), "")
    return Sentence('it names "{words}"', words=named) if named else None


def known_names(texts: Iterable[str], *, own: str = "") -> frozenset[str]:
    """Return the words that texts write with a capital inside a sentence and never without one.

    Those of the agent's *own* name are no names of others.
    """
    # What follows a colon is as often a name as the beginning of a sentence.
    there = [text.replace(":", ",") for text in texts]
    small = {fold(word) for text in there for word in _WORDS.findall(text) if word[0].islower()}
    found = {name for text in there for name in names_in(text)}
    return frozenset(found - small - BOTH - {fold(word) for word in _WORDS.findall(own)})


def _product(line: str) -> str:
    """Return a word with a capital inside, as in `GitHub` and `SAP`, unless all is written so."""
    if line.isupper():
        return ""
    for word in _WORDS.findall(line):
        if any(sign.isupper() for sign in word[1:]) and word not in _NOT_PRODUCTS:
            return str(word)
    return ""
