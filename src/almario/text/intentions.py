"""Intentions in words: "remind me of the papers when I next talk about the boat"; and names that are told.

Only a form that can be nothing else counts: an order to remind, and a situation that is no date. A date is a
plan, and what is said otherwise a model may understand. The words are in `intentions` of each language.
"""

import re
from datetime import date
from functools import cache

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, forms_of, sentences_in
from almario.language import at_a_glance, codes, language
from almario.named_tuples import NamedTuple
from almario.text.timewords import spans
from almario.text.tongues import words_of

# Each is made for every language that has what it needs in `intentions`. An order to remind is no question;
# with a situation, either stands first.
_REMINDER = r"{order}(?P<sure>{sure})?(?! (?:{asking})\b) (?P<what>.+)"
_ORDER = r"{order}(?:{sure}|{loose})(?! (?:{asking})\b)"
_MOMENT = r"(?:(?:{next})|(?:{when})(?= {talking}\b)) (?:{talking} )?"
_SITUATIONS = (
    rf"{_ORDER} (?P<what>.+?),? {_MOMENT}(?P<when>.+)",
    rf"{_MOMENT}(?P<when>[^,]+),? {_ORDER} (?P<what>.+)",
)
# An hour of today; that something planned has another day; and what says one's name, and nothing else.
_LATER, _MOVED = r"\b(?:{later})\b", r"\b(?:{moved})\b"
_CALLED = r"(?:(?:{greets})[\s,!.]+)?(?:{called}) (?P<who>[^,.;:!?]+)[.!]*"
_FIELD = regex(r"{(\w+)}")
_LONGEST_NAME = 3


@cache
def _patterns(form: str) -> "list[tuple[str, re.Pattern[str]]]":
    """Return a form in every language that has the words for it, each with the key of a name there."""
    having = frozenset.intersection(*(at_a_glance()[f"having:{field}"] for field in _FIELD.findall(form)))
    tables = [language(code).intentions for code in codes() if code in having]
    return [(each["name"], re.compile(form.format_map(each), re.IGNORECASE)) for each in tables]


def _found(form: str, text: str) -> "re.Match[str] | None":
    return next(filter(None, (pattern.search(text) for _, pattern in _patterns(form))), None)


@cache
def _orders() -> "re.Pattern[str]":
    """Return what every order to remind has, without loading a language."""
    return re.compile("|".join(sorted(at_a_glance()["orders"])).replace("_", " "), re.IGNORECASE)


class Intention(NamedTuple):
    """What is to come up, and the situation in which it is; *sentence* is all of it, as it was said."""

    what: str
    situation: str
    sentence: str


def intention_in(text: str, today: date) -> Intention | None:
    """Return the first intention of a text; None if it has none that is sure."""
    for one in sentences_in(text) if _orders().search(text) else ():
        sentence = one.strip(" .!¡?¿")
        found = next(filter(None, (_found(rf"\A{form}\Z", sentence) for form in _SITUATIONS)), None)
        if found and not spans(found["when"], today):
            what, situation = found["what"].strip(" ,."), found["when"].strip(" ,.")
            if forms_of(situation) and forms_of(what):
                return Intention(what, situation, sentence)
    return None


def is_met(situation: str, message: str) -> bool:
    """Return whether a message has every word that names a situation, or a form of it."""
    message_forms = {form for forms in forms_of(message) for form in forms}
    wanted = forms_of(situation)
    return bool(wanted) and all(not message_forms.isdisjoint(forms) for forms in wanted)


class Reminder(NamedTuple):
    """What somebody wants to be reminded of, and the day if that is today; or nothing."""

    what: str = ""
    day: str = ""


def reminder_in(text: str, today: date) -> Reminder:
    """Return what a message orders to be reminded of, if it says so in so many words."""
    found, days = _found(rf"\A{_REMINDER}", text.strip(" ¿¡")), spans(text, today)
    is_today = all(day.first == day.last == today for day in days) if days else bool(_found(_LATER, text))
    if not found or not (found["sure"] is not None or days or is_today):
        return Reminder()
    return Reminder(found["what"].rstrip("?"), today.isoformat() if is_today else "")


def named_in(text: str) -> tuple[str, str]:
    """Return a name that a message says, and nothing else, with its key; of another message, no key."""
    for key, pattern in _patterns(_CALLED):
        found = pattern.fullmatch(text.strip())
        if found and is_name(found["who"]) and _is_capitalised(found["who"], text):
            return key, found["who"]
    return "", text


def name_keys() -> tuple[str, ...]:
    """Return the keys under which the owner's name is kept."""
    return tuple(dict.fromkeys(key for key, _ in _patterns("{name}")))


def _is_capitalised(name: str, message: str) -> bool:
    """Return whether a message writes a name as one: "often" and "misspelled everywhere" are none."""
    return not message.isupper() and not any(word[0].islower() for word in name.split())


def is_name(text: str) -> bool:
    """Return whether a text may be a name alone."""
    words = fold(text).split()
    return 0 < len(words) <= _LONGEST_NAME and SMALL.isdisjoint(words)


def subject_of(plan: str, today: date) -> set[str]:
    """Return the words that say what is planned: not when, nor that this has changed."""
    for time in spans(plan, today):
        plan = plan.replace(time.words, " ")
    for _, pattern in _patterns(_MOVED):
        plan = pattern.sub(" ", plan)
    found = [forms for forms in forms_of(plan) if forms[0].isalpha()]
    return {forms[-1] for forms in found if words_of("figures").isdisjoint(forms)}
