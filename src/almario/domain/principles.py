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
    NEW,
    OCCASIONS,
    PEOPLE,
    POSSESSIVES,
    TASKS,
    TIMES,
    TOOLS,
)
from almario.domain.words import SMALL, fold

# What only its capital tells from another word.
_CAPITAL_MONTHS = re.compile(r"(?<=\w )(?:May|March)\b")
_WORDS = re.compile(r"[^\W_]+")
_NOT_PRODUCTS = {"AI", "IA", "OK", "TV", "I", "Y", "O", "A", "E"}
# A capital after one of these begins a name, unless it is one of the words that some like to write so.
_NAMED = re.compile(
    r"\b(?:with|for|to|from|in|at|on|about|between|than|that|while|when|if|because|con|para|a|de|en|sobre|desde|"
    r"entre|que|mientras|cuando|si|porque) (\w{2,})|\b(\w{2,})['’]s\b"
)
_NO_NAMES = frozenset(
    """truth beauty love life nature human humans owner earth god english spanish verdad belleza amor vida
    naturaleza humano humana tierra dios""".split()
)
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
            _words(rf"(?:{DETERMINERS}) (?:\w+ )?(?:{OCCASIONS})", *NEW),
        ),
        (Sentence('it is about somebody: "{words}"'), _words(rf"(?:{POSSESSIVES}) (?:{PEOPLE})")),
        (_TOOL, _words(TOOLS)),
    )


@cache
def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(patterns)})\b")


def situational(line: str, names: Collection[str] = (), *, own: str = "") -> Sentence | None:
    """Return why a line is no universal principle, or None.

    *names* are those of `known_names`, *own* is the agent's, which is not somebody else's.
    """
    plain = fold(line[:_LONGEST].replace("’", "'"))
    said = _words(*ANY_TIME).sub("…", plain)
    for sentence, pattern in _rules():
        if found := pattern.search(said):
            return Sentence(sentence.text, words=found[0].strip())
    if month := _CAPITAL_MONTHS.search(line):
        return Sentence(_TIME.text, words=month[0])
    if product := _product(line):
        return Sentence(_TOOL.text, words=product)
    named = next((name for name in names_in(line) if name in names), "") or _name(line, own)
    return Sentence('it names "{words}"', words=named) if named else None


def known_names(texts: Iterable[str], *, own: str = "") -> frozenset[str]:
    """Return the words that texts write with a capital inside a sentence and never without one.

    Those of the agent's *own* name are no names of others.
    """
    # What follows a colon is as often a name as the beginning of a sentence.
    there = [text.replace(":", ",") for text in texts]
    small = {fold(word) for text in there for word in _WORDS.findall(text) if word[0].islower()}
    found = {name for text in there for name in names_in(text)}
    return frozenset(found - small - SMALL - _known(own))


def _name(line: str, own: str) -> str:
    """Return a word with a capital where names stand, unless the whole line is written so."""
    words = [word for word in _WORDS.findall(line)[1:] if len(word) > 3]
    if all(word[0].isupper() for word in words):
        return ""
    none = _NO_NAMES | _known(own)
    for match in _NAMED.finditer(line):
        word = match[1] or match[2]
        if word[0].isupper() and word not in _NOT_PRODUCTS and match.start() and fold(word) not in none:
            return fold(word)
    return ""


def _known(name: str) -> frozenset[str]:
    return frozenset(fold(word) for word in _WORDS.findall(name))


def _product(line: str) -> str:
    """Return a word with a capital inside, as in `GitHub` and `SAP`, unless all is written so."""
    if line.isupper():
        return ""
    for word in _WORDS.findall(line):
        if any(sign.isupper() for sign in word[1:]) and word not in _NOT_PRODUCTS:
            return str(word)
    return ""
