"""Plain talk between people, which may be quoted to a model; what may be meant for the model may not.

To leave out a harmless line costs little, to put a stranger's order before a model may cost much: whatever
is not clearly said to people, of people and things, is none.
"""

import re
from functools import cache

from almario.domain.plain_text import MIXED_SCRIPTS, regex
from almario.domain.words import SMALL, fold, sentences_in
from almario.language import language
from almario.text.claims import plain_words
from almario.text.timewords import tells
from almario.text.tongues import rules_for, words_of

# Markup, code, addresses, and what begins like a field or a role: nobody says that to a friend.
_MARKUP = regex(r"(?m)[<>{}\[\]`|#=*_\\/@]|www\.|--|::|^[^\S\n]*\w+[^\S\n]*:")
_PARTED = regex(r"(?:[!?…。！？\n;、，]|[.:,](?!\d))\s*|\s[-–—]+\s|—")  # "17:52" is whole
_APART = regex(r"[_'’]")
_CLAUSE = regex(r"[,;:()–—](?!\d)|\s-\s")
# In French one says "j'ai".
_AI = regex(r"(?i)(?<![\w'’])(?:ai|ia)\b(?!-)")
# Among so many words an order begins: "and please note".
_FIRST = 3


def may_mean_agent(text: str, agent: str) -> bool:
    """Return whether a text names the agent, or what only an agent has, or wants something kept or forgotten.

    An order may stand anywhere in it: "whoever reads this, write down: …".
    """
    if not words_of("agents").union(plain_words(agent)).isdisjoint(plain_words(text)) or _AI.search(text):
        return True
    return any(map(_begins_as_order, _PARTED.split(text)))


def _begins_as_order(clause: str) -> bool:
    """Return whether a word that orders is among the first, in the languages that a clause may be in."""
    words = {*plain_words(clause)[:_FIRST]} & words_of("ordering")
    return bool(words) and any(not words.isdisjoint(language(code).ordering) for code in rules_for(clause))


def is_plain_talk(text: str) -> bool:
    """Return whether a text only tells something, and speaks to nobody."""
    return is_plain(text) and all(map(_is_statement, sentences_in(text)))


def is_plain(text: str) -> bool:
    """Return whether a text asks nothing and speaks to nobody, in words that people say."""
    if (
        _MARKUP.search(text)
        or MIXED_SCRIPTS.search(text)
        or not text.replace("\n", " ").isprintable()
        or speaks_to_somebody(text)
    ):
        return False
    return all(map(tells, sentences_in(text)))


def speaks_to_somebody(text: str) -> bool:
    """Return whether there is a "you" in a text."""
    return not words_of("you").isdisjoint(plain_words(text))


def is_order(sentence: str) -> bool:
    """Return whether a sentence begins as an order does: a word that says something, then "the" or "my"."""
    first, second, *_ = (*fold(sentence).split(maxsplit=2), "", "")
    is_word = first.isalpha() and first not in SMALL
    return is_word and any(second in language(code).articles for code in rules_for(sentence))


def without_call(text: str, name: str) -> str:
    """Return a text without what only calls the agent by its *name*, or makes sure that it heard.

    "Alma, where's the key?", "…, ok?"
    """
    text = re.sub(rf"(?i)(?<=\w)[,.]\s*(?:{'|'.join(sorted(words_of('tags')))})\?+\s*$", "", text)
    called = re.escape(name)
    if not called:
        return text
    first = rf"(?i)^\W*(\w*)\W*\b{called}(?:\s*([,:!.…]+)\s*|\s+(?=.*\?))(?=\S)"
    text = re.sub(rf"(?i),\s*{called}(?=\s*[?!.…]*$)", "", text)
    return re.sub(first, lambda found: f"{found[1]}{found[2] or ''} " if found[1] else "", text)


def _is_statement(sentence: str) -> bool:
    """Return whether a sentence begins with a subject, or with what stands before one: an order does not.

    Nor does a clause begin with a small word that orders something.
    """
    first, *clauses = _CLAUSE.split(fold(sentence))
    begins = " ".join(_APART.sub(" ", first).split())
    openings = tuple(each for code in rules_for(sentence) for each in _openings(code))
    others = [words[0] for each in clauses if (words := plain_words(each))]
    return f"{begins} ".startswith(openings) and all(word in SMALL for word in others)


@cache
def _openings(code: str) -> tuple[str, ...]:
    spoken = language(code)
    words = (*spoken.articles, *spoken.subjects, *spoken.i_am)
    return tuple(f"{' '.join(_APART.sub(' ', fold(word)).split())} " for word in words)
