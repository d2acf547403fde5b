"""The facts of what is told, one by one: each clause that stands by itself, and what is told of each day.

Only a form that can be nothing else parts two: a clause with its own subject and verb, or one that shares the
subject before it, which it is then given in the same words. In doubt a text is one fact.
"""

import re
from datetime import date
from functools import cache

from almario.language import codes, language
from almario.text.timewords import spans
from almario.text.tongues import likelier_in

# The words are in `intentions` of a language: how the owner begins, or somebody of theirs; what of a verb
# cannot be anything else; what points to somebody else; and what has the subject of the clause before.
_CLAUSE = (
    r"\A(?:(?P<own>{own})|(?P<who>(?:{whose})(?: (?!{relative})[\w’'-]+){{1,3}}?|{named})(?={verb}))"
    r"\S*(?P<rest> \S.*)"
)
_SHARED, _POINTING, _PRONOUN = r"\A(?:{shared})\b", r"\b(?:{pointing})\b", r"\A(?:{pronoun})(?=[’' ])"
# A clause has so many words; a pronoun is sure where so few say what its subject is, and these none of them.
_FEWEST, _SHORT = 3, 3


def facts_in(text: str, today: date) -> list[str]:
    """Return the facts of a text, each as it would be noted; all of it, if it cannot be parted."""
    has_days = len({each.dated for each in spans(text, today, is_fact=True)}) > 1

    def is_ahead(clause: str) -> bool:
        is_long = len(clause.split()) >= _FEWEST
        return is_long and any(each.last >= today for each in spans(clause, today, is_fact=True))

    parts: list[str] = []
    for clause in re.split(rf"(?<=[,;.])\s+|\s+(?=(?:{_joins()})\s)", text):
        bare = re.sub(rf"\A(?:{_joins()})\s+", "", clause)
        if not parts:
            parts.append(bare)
        elif is_ahead(parts[-1]):  # that may be the day of what comes next
            parts.append(bare) if has_days and is_ahead(bare) else parts.append(f"{parts.pop()} {clause}")
        elif alone := _alone(bare, parts[-1], text, is_joined=bare != clause):
            parts.append(alone)
        else:
            parts[-1] = f"{parts[-1]} {clause}"
    return [each.strip(" ,;.") for each in parts] if parts[1:] else [text]


def _alone(clause: str, before: str, text: str, *, is_joined: bool) -> str:
    """Return a clause as it says the same without what stands *before*, if it does."""
    code = likelier_in(text, "en", ("en", "es"))
    left, right = (re.match(_pattern(_CLAUSE, code), each) for each in (before, clause))
    is_whole = bool(left) or before.endswith((";", "."))
    if min(len(clause.split()), len(before.split())) < _FEWEST or not is_whole:
        return ""
    if right:
        return "" if re.search(_pattern(_POINTING, code), clause) else clause
    who = left["who"] if left else ""
    if not left or not who:
        return ""
    if shared := re.match(_pattern(_SHARED, code), clause):
        is_sure = is_joined or code == "es"
        return f"{who} {clause}" if is_sure and not re.search(_pattern(_POINTING, code), clause) else ""
    said = left["rest"].strip(" ,").split()
    is_short = len(said) <= _SHORT and not re.search(_pattern(r"\b(?:{towards})\b", code), left["rest"])
    if is_short and (shared := re.match(_pattern(_PRONOUN, code), clause)):
        rest = clause[shared.end() :]
        return "" if re.search(_pattern(_POINTING, code), rest) else f"{who}{rest}"
    return ""


@cache
def _pattern(form: str, code: str) -> "re.Pattern[str]":
    return re.compile(form.format_map(language(code).intentions), re.IGNORECASE)


@cache
def _joins() -> str:
    words = (word for each in codes() for word in language(each).orders.get("joins", "").split())
    return "|".join(sorted(words))
