"""The facts of what is told, one by one: each clause that stands by itself, and what is told of each day.

Only a form that can be nothing else parts two: a clause with a subject of its own after one that speaks of
nobody else. In doubt a text is one fact: a false one is worse than a long one.
"""

import re
from datetime import date
from functools import cache

from almario.domain.words import SMALL, fold
from almario.language import language
from almario.text.intentions import subject_of, words_before_a_day
from almario.text.timewords import spans
from almario.text.tongues import likelier_in, words_of
from almario.text.wishes import listed

# The words are in `intentions` of a language: how the owner begins, or somebody of theirs; what of a verb
# cannot be anything else; what points to somebody else, or makes all of it unsure.
_CLAUSE = (
    r"\A(?:{own}|(?P<who>(?:{whose})(?: (?!(?:{relative})\b)[\w’'-]+){{1,3}}?|{named})(?={verb}))"
    r"\S*(?P<rest> \S.*)"
)
# Who somebody is, and what they do.
_OF_OTHERS, _OWN = r"\A(?:{whose} \w+|{named}) (?P<does>\w+)", r"\A(?:{own}|{named} )"
_POINTING, _NESTED, _UNSURE = r"\b(?:{pointing})\b", r" (?:i|{whose}|{relative})\b", r"\A(?:{unsure})\b"
# A fact has so many words.
_FEWEST = 3


def facts_in(text: str, today: date) -> list[str]:
    """Return the facts of a text, each as it would be noted; all of it, if it cannot be parted."""
    has_days = len({each.dated for each in spans(text, today, is_fact=True)}) > 1
    code = likelier_in(text, "en", ("en", "es"))

    def is_ahead(clause: str) -> bool:
        is_long = len(clause.split()) >= _FEWEST
        return is_long and any(each.last >= today for each in spans(clause, today, is_fact=True))

    joins = "|".join(sorted(listed("joins")))
    first, *clauses = re.split(rf"(?<=[,;.])\s+|\s+(?=(?:{joins})\s)", text)
    facts = [first]
    for clause in clauses if not re.match(_pattern(_UNSURE, code), text) else ():
        bare = re.sub(rf"\A(?:{joins})\s+", "", clause)
        if is_ahead(facts[-1]):  # that may be the day of what comes next
            is_told = bool(subject_of(bare, today)) and not re.search(_pattern(_POINTING, code), bare)
            is_own = has_days and is_ahead(bare) and is_told and not _goes_on(facts[-1], bare, today, code)
        else:
            is_own = _is_alone(bare, facts[-1], code, is_joined=bare != clause)
        if is_own:
            facts.append(bare)
        elif facts[1:] and re.match(_pattern(_POINTING, code), bare):
            return [text]
        else:
            facts[-1] = f"{facts[-1]} {clause}"
    return [each.strip(" ,;.") for each in facts] if facts[1:] else [text]


def _goes_on(before: str, clause: str, today: date, code: str) -> bool:
    """Return whether a clause is about who was named *before*: Ana comes on Friday "and leaves on Sunday".

    It does not begin with whom or what it is about, nor with its own time.
    """
    others, subjects = re.match(_pattern(_OF_OTHERS, code), before), words_of("subjects")
    own, first = (fold(each.split(maxsplit=1)[0]) for each in (before, clause))
    times = [each.words for each in spans(f"{clause} {before}", today, is_fact=True)]
    is_named = others and own not in subjects and fold(others["does"]) not in SMALL
    # "Stays until Tuesday" says when something ends that was told before.
    ends = [each.dated.startswith("../") for each in spans(clause, today, is_fact=True)]
    is_end = bool(ends) and all(ends)
    if not is_named and not is_end:
        return False
    is_noted = others and any(others["does"] in each for each in times)  # "dentist Monday"
    is_led = first in listed("articles") | subjects or clause.startswith(tuple(times))
    has_own = re.match(_pattern(_OWN, code), clause) or re.fullmatch(words_before_a_day(), first)
    return not (is_noted or is_led or has_own)


def _is_alone(clause: str, before: str, code: str, *, is_joined: bool) -> bool:
    """Return whether a clause says the same without what stands *before*."""
    left, right = (re.match(_pattern(_CLAUSE, code), each) for each in (before, clause))
    if not right or re.search(_pattern(_POINTING, code), clause):
        return False
    is_whole = before.endswith((";", ".")) or (left and not re.search(_pattern(_NESTED, code), left["rest"]))
    # "Y me escribe" may be of whoever was spoken of; "I've changed jobs, I'm at the clinic now" is one fact.
    is_other = left and left["who"] and right.groupdict().get("me")
    is_own = not is_other and (right["who"] or is_joined or not before.endswith(","))
    return bool(is_whole and is_own) and min(len(clause.split()), len(before.split())) >= _FEWEST


@cache
def _pattern(form: str, code: str) -> "re.Pattern[str]":
    return re.compile(form.format_map(language(code).intentions), re.IGNORECASE)
