"""Short answers that cannot be anything else: a plain yes or no, and which of several.

What is worded otherwise the fitted reader hears (`Embedding.reply`).
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import dropwhile

from almario.domain.opening_kinds import NO, YES
from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, forms_of, sentences_in
from almario.language import languages
from almario.text.intentions import is_met
from almario.text.reader import parts_of
from almario.text.tongues import words_of
from almario.text.wishes import FORGET, NOTE, REMEMBER, around_orders, listed, ordering_words

_NUMBER = regex(r"\D*(?<![-−])[0-9]+\D*")
# "Bórralo" is the word "borra".
_WORD, _CLITIC = regex(r"[\w']+"), regex(r"(?<=\w{3})(?:r?(?:me|se|te)?l[oa]s?)\Z")
# So few words after a no are a piece of what was said, and no fact.
_PIECE = 2


def sure_reply(message: str, *verbs: str) -> str:
    """Return `yes` or `no`, if a message says no more than that; a yes may name what is done by *verbs*."""
    first, *others = answer_words(message) or ("",)
    yes, no = (frozenset(map(fold, words_of(each))) for each in (YES, NO))
    light = (around_orders() | listed("beside")) - no - listed("but")
    if takes_back(message):
        return NO if REMEMBER in verbs else ""  # "forget it"
    if "?" in message or first not in yes | no:
        return ""
    said, beside = (YES, yes | ordering_words(*verbs)) if first in yes else (NO, no)
    return said if light | beside >= set(others) else ""


def is_bare_no(message: str) -> bool:
    """Return whether a message says no and nothing else, or takes back what was said last."""
    words = set(answer_words(message))
    return takes_back(message) or (bool(words) and words <= set(map(fold, words_of(NO))))


def takes_back(message: str, *, is_named: bool = False) -> bool:
    """Return whether a message only takes back what was said last: "actually, scrap that last one".

    If it *is_named*, it says so in a word: "forget it" may mean no more than "never mind".
    """
    before, it = around_orders() - set(map(fold, words_of(YES))), listed("beside")
    verb, *others = list(dropwhile(before.__contains__, answer_words(message))) or [""]
    last = (fold(each.times.get("last", "")).split() for each in languages())
    naming = words_of("recalling").union(*last)
    light = it | SMALL | around_orders() | naming
    light -= words_of("negations") | listed("but") | listed("everything")
    is_it = not others or not (it | naming).isdisjoint(others)
    is_meant = not is_named or verb in listed("undo") or not naming.isdisjoint(others)
    is_last = is_it and is_meant and light.issuperset(others) and "?" not in message
    return is_last and verb in ordering_words(FORGET) | listed("undo")


def asks_to_undo(message: str) -> bool:
    """Return whether a message says no more than "undo that"."""
    return takes_back(message) and not listed("undo").isdisjoint(answer_words(message))


def is_order_alone(clause: str) -> bool:
    """Return whether a clause is an order to remember that says not what: "remember that pls", "guárdalo"."""
    words, orders = answer_words(clause), ordering_words(REMEMBER, NOTE)
    light = SMALL | around_orders() | listed("beside")
    return not orders.isdisjoint(words) and all(each in orders or each in light for each in words)


def without_bare_order(text: str) -> str:
    """Return a text without a last clause that only orders it to be remembered: "…, remember that pls"."""
    *others, last = sentences_in(text) or [text]
    clauses = parts_of(last) or [last]
    if not is_order_alone(clauses[-1]):
        return text
    kept = last[: last.rfind(clauses[-1])].rstrip(" ,;-") if clauses[1:] else ""
    return " ".join([*others, *([kept] if kept else [])])


def without_call(text: str, name: str) -> str:
    """Return a text without what only calls the agent by its *name*, or makes sure that it heard.

    "Alma, where's the key?", "…, ok?"
    """
    text = re.sub(rf"(?i)(?<=\w)[,.]\s*(?:{'|'.join(sorted(listed('tags')))})\?+\s*$", "", text)
    called = re.escape(name)
    if not called:
        return text
    first = rf"(?i)^\W*(\w*)\W*\b{called}(?:\s*([,:!.…]+)\s*|\s+(?=.*\?))(?=\S)"
    text = re.sub(rf"(?i),\s*{called}(?=\s*[?!.…]*$)", "", text)
    return re.sub(first, lambda found: f"{found[1]}{found[2] or ''} " if found[1] else "", text)


def answer_words(message: str) -> list[str]:
    """Return the words of a message in plain letters, without what Spanish hangs on a verb."""
    return [_CLITIC.sub("", each) for each in _WORD.findall(fold(message))]


def is_clear_yes(message: str) -> bool:
    """Return whether what reads as a yes begins with one, and turns nothing round after it."""
    turning = _turning().union(listed("both"))
    return begins_with_yes(message) and turning.isdisjoint(answer_words(message)[1:])


def begins_with_yes(message: str) -> bool:
    """Return whether the first word of a message is a yes."""
    return (answer_words(message) or [""])[0] in set(map(fold, words_of(YES)))


def keeps_both(message: str) -> bool:
    """Return whether a message says no more than that both of two stay: "keep both", "vale, pero las dos"."""
    words, both = set(answer_words(message)), listed("both")
    light = SMALL | around_orders() | listed("beside") | listed("but") | set(map(fold, words_of(YES)))
    others = words - both - light - ordering_words(REMEMBER, NOTE)
    return bool(words & both) and not others and "?" not in message


def is_piece(sentence: str) -> bool:
    """Return whether a sentence only denies a word and names another: "no, amoxicillin", "not Rex, Rocky"."""
    first, *others = answer_words(sentence) or ("",)
    return "," in sentence and len(others) <= _PIECE and first in words_of(NO) | words_of("negations")


@cache
def _turning() -> frozenset[str]:
    """Return the words that turn round what is said beside them: "not", "but", "keep"."""
    return words_of("negations") | words_of(NO) | listed("but") | ordering_words(REMEMBER, NOTE)


def chosen_in(message: str, among: Sequence[str], *, is_choice: bool = False) -> list[int]:
    """Return which *among* several texts an answer means: "2", "the second", "both", "the bank one".

    If it *is a choice*, words of a text mean the only one that has any.
    """
    words = set(answer_words(message))
    rows = [each.times.get("ordinals", "").split(";") for each in languages()]
    places = {fold(one): n for row in rows for n, each in enumerate(row) for one in each.split()}
    places |= {str(n + 1): n for n in range(len(among)) if _NUMBER.fullmatch(message.strip())}
    every = listed("both" if len(among) == 2 else "everything")
    named = words - SMALL - around_orders() - listed("beside") - ordering_words(FORGET) - words_of(YES)
    if words & _turning() or "?" in message:
        return []
    if words & every and named <= every:
        return list(range(len(among)))
    if len(named) == 1 and named <= set(places):
        return [places[each] for each in named if places[each] < len(among)]
    found = [n for n, text in enumerate(among) if any(_has(text, each) for each in named)]
    return found if is_choice and len(found) == 1 else []


def _has(text: str, word: str) -> bool:
    return bool(forms_of(word)) and is_met(word, text)
