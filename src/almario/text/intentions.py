"""Intentions in words: "remind me of the papers when I next talk about the boat"; and names that are told.

Only a form that can be nothing else counts: an order to remind, and a situation that is no date. A date is a
plan, and what is said otherwise a model may understand.
"""

import re
from collections.abc import Iterator
from datetime import date

from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, forms_of, sentences_in
from almario.named_tuples import NamedTuple
from almario.text.timewords import spans
from almario.text.tongues import words_of

_TALK = (
    r"(?:i|we|you)(?:'m| am| are)?(?: next| again)? (?:talk(?:ing)?|speak(?:ing)?|mention|ask|write"
    r"|tell|say something|bring up)(?: (?:to )?(?:you|me))?(?: again| next)?(?: (?:about|of|on))?"
)
_HABLAR = (
    r"(?:te |le |lo |la |nos |yo )*(?:vuelv(?:a|as|amos) a )?(?:hable|hables|hablemos|hablar|mencione"
    r"|menciones|mencionar|pregunte|preguntes|preguntar|nombre|nombres|nombrar|diga algo|saque el tema)"
    r"(?: otra vez| de nuevo| contigo)?(?: (?:sobre|acerca de|de|del|por))?"
)
# An order to remind that is no question: with a day in it, or in words that are sure.
_REMINDER = regex(
    r"(?:please |can you |could you |por favor,? |me puedes |puedes )*"
    r"(?:remind me|recu[eé]rdame|record[aá]me|recordarme|av[ií]same)"
    r"(?P<sure> to| that|(?: de)? que|(?= \w+[aei]r(?:l[aeo]s?|me|se|te)?\b))?"
    r"(?! (?:of|about|wh\w+|how|qu[eé]|qui[eé]n|c[oó]mo|cu[aá]ndo|d[oó]nde|cu[aá]l|por qu[eé])\b)"
    r" (?P<what>.+)",
    re.IGNORECASE,
)
# What says one's name, and nothing else.
_CALLED = regex(
    r"(?:(?:hi|hello|hey|hola|buenas)[\s,!.]+)?(?:(?P<name>my name is|my name's|i am called)"
    r"|me llamo|mi nombre es) (?P<who>[^,.;:!?]+)[.!]*",
    re.IGNORECASE,
)
_LONGEST_NAME = 3
# What says that something planned has another day.
_MOVED = regex(
    r"\b(?:now|actually|instead|(?:re)?scheduled|moved|changed|pushed|postponed|back|forward|until"
    r"|ahora|cambi\w+|mov\w+|pas[aóo]\w*|aplaz\w+|adelant\w+|retras\w+|final|finalmente)\b",
    re.IGNORECASE,
)


class _Tongue(NamedTuple):
    """How one asks to be reminded, and says when: a word that is sure, or a moment of talking."""

    remind: str
    next: str
    when: str
    talking: str


_TONGUES = (
    _Tongue(
        r"(?:please )?(?:can you |could you )?remind me (?:of|about|to|that)",
        r"(?:the )?next time(?: that)?|as soon as",
        r"when(?:ever)?|if",
        _TALK,
    ),
    _Tongue(
        r"(?:por favor,? )?(?:recu[eé]rdame|record[aá]me|acu[eé]rdame|acord[aá]me)"
        r"(?: de que| de| que| sobre)?"
        r"(?! (?:qu[eé]|qui[eé]n|c[oó]mo|cu[aá]ndo|d[oó]nde|cu[aá]l|por qu[eé])\b)",
        r"(?:la )?pr[oó]xima vez que|en cuanto",
        r"cuando|si",
        _HABLAR,
    ),
)


def _forms(tongue: _Tongue) -> Iterator["re.Pattern[str]"]:
    """Yield the two orders of an intention: the order first, or the situation."""
    moment = rf"(?:(?:{tongue.next})|(?:{tongue.when})(?= {tongue.talking}\b))"
    named = rf"(?:{tongue.talking} )?"
    yield regex(rf"{tongue.remind} (?P<what>.+?),? {moment} {named}(?P<when>.+)", re.IGNORECASE)
    yield regex(rf"{moment} {named}(?P<when>[^,]+),? {tongue.remind} (?P<what>.+)", re.IGNORECASE)


# Without one of these nobody asks to be reminded, and the forms need not be read.
_REMINDING = regex(r"remind|recu[eé]rda|record[aá]|acu[eé]rda|acord[aá]", re.IGNORECASE)
_FORMS = [form for tongue in _TONGUES for form in _forms(tongue)]


class Intention(NamedTuple):
    """What is to come up, and the situation in which it is; *sentence* is all of it, as it was said."""

    what: str
    situation: str
    sentence: str


def intention_in(text: str, today: date) -> Intention | None:
    """Return the first intention of a text; None if it has none that is sure."""
    for one in sentences_in(text) if _REMINDING.search(text) else ():
        sentence = one.strip(" .!¡?¿")
        found = next(filter(None, (form.fullmatch(sentence) for form in _FORMS)), None)
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


def reminder_in(text: str, today: date) -> str:
    """Return what somebody wants to be reminded of, if they say it in so many words; or nothing."""
    found = _REMINDER.match(text.strip())
    is_sure = found and (found["sure"] is not None or spans(text, today))
    return found["what"].rstrip("?") if found and is_sure else ""


def named_in(text: str) -> tuple[str, str]:
    """Return a name that a message says, and nothing else, with its key; of another message, no key."""
    found = _CALLED.fullmatch(text.strip())
    if not found or not is_name(found["who"]) or not _is_capitalised(found["who"], text):
        return "", text
    return "name" if found["name"] else "nombre", found["who"]


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
    found = [forms for forms in forms_of(_MOVED.sub(" ", plan)) if forms[0].isalpha()]
    return {forms[-1] for forms in found if words_of("figures").isdisjoint(forms)}
