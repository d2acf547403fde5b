"""The facts of what is told, one by one: each clause that stands by itself, and what is told of each day.

Only a form that can be nothing else parts two: a clause with its own subject and verb, or one that shares the
subject before it, which it is then given in the same words. In doubt a text is one fact.
"""

import re
from datetime import date
from functools import cache

from almario.domain.words import names_in
from almario.language import codes, language
from almario.text.timewords import spans
from almario.text.tongues import likelier_in

# The words are in `intentions` of a language: how the owner begins, or somebody of theirs; what of a verb
# cannot be anything else, and of one that has the subject before it; and what points to somebody else.
_CLAUSE = (
    r"\A(?:{own}|(?P<who>(?:{whose})(?: (?!(?:{relative})\b)[\w’'-]+){{1,3}}?|{named})(?={verb}))"
    r"\S*(?P<rest> \S.*)"
)
_SHARED, _PRONOUN = r"\A(?:{shared})\b", r"\A(?:{pronoun})(?=[’' ])"
_POINTING, _TOWARDS = r"\b(?:{pointing})\b", r"\b(?:{towards})\b"
# A fact has so many words. Where so many say what somebody is, and speak of nobody else, "she" is that one.
_FEWEST, _MOST = 3, 3


def facts_in(text: str, today: date) -> list[str]:
    """Return the facts of a text, each as it would be noted; all of it, if it cannot be parted."""
    has_days = len({each.dated for each in spans(text, today, is_fact=True)}) > 1
    code = likelier_in(text, "en", ("en", "es"))

    def is_ahead(clause: str) -> bool:
        is_long = len(clause.split()) >= _FEWEST
        return is_long and any(each.last >= today for each in spans(clause, today, is_fact=True))

    first, *clauses = re.split(rf"(?<=[,;.])\s+|\s+(?=(?:{_joins()})\s)", text)
    facts = [first]
    for clause in clauses:
        bare = re.sub(rf"\A(?:{_joins()})\s+", "", clause)
        if is_ahead(facts[-1]):  # that may be the day of what comes next
            alone = bare if has_days and is_ahead(bare) else ""
        else:
            alone = _alone(bare, facts[-1], code, is_joined=bare != clause)
        if alone:
            facts.append(alone)
        elif facts[1:] and re.match(_pattern(_POINTING, code), bare):
            return [text]
        else:
            facts[-1] = f"{facts[-1]} {clause}"
    return [each.strip(" ,;.") for each in facts] if facts[1:] else [text]


def _alone(clause: str, before: str, code: str, *, is_joined: bool) -> str:
    """Return a clause as it says the same without what stands *before*; nothing, if that is in doubt."""
    left, right = (re.match(_pattern(_CLAUSE, code), each) for each in (before, clause))
    is_whole = left or before.endswith((";", "."))
    # "Y me escribe" may be of whoever was spoken of; "I've changed jobs, I'm at the clinic now" is one fact.
    is_other = left and left["who"] and right and right.groupdict().get("me")
    is_own = right and not is_other and (right["who"] or is_joined or not before.endswith(","))
    alone, own = clause if is_own else "", clause
    if left and left["who"] and not right:
        is_of_one = len(left["rest"].split()) <= _MOST and not re.search(
            _pattern(_TOWARDS, code), left["rest"]
        )
        if names_in(left["rest"]):
            alone = ""  # "my ex is called Rubén and lives in York" is all about Rubén
        elif re.match(_pattern(_SHARED, code), clause):
            alone = f"{left['who']} {clause}"
        elif is_of_one and (pronoun := re.match(_pattern(_PRONOUN, code), clause)):
            own = clause[pronoun.end() :]
            alone = left["who"] + own
    is_long = min(len(alone.split()), len(before.split())) >= _FEWEST
    return alone if is_whole and is_long and not re.search(_pattern(_POINTING, code), own) else ""


@cache
def _pattern(form: str, code: str) -> "re.Pattern[str]":
    return re.compile(form.format_map(language(code).intentions), re.IGNORECASE)


@cache
def _joins() -> str:
    words = (word for each in codes() for word in language(each).orders.get("joins", "").split())
    return "|".join(sorted(words))
