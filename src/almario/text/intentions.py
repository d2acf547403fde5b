"""Intentions in words: "remind me of the papers when I next talk about the boat".

Only a form that can be nothing else counts: an order to remind, and a situation that is no date. A date is a
plan, and what is said otherwise a model may understand.
"""

import re
from collections.abc import Iterator
from datetime import date

from almario.domain.plain_text import regex
from almario.domain.words import forms_of, sentences_in
from almario.named_tuples import NamedTuple
from almario.text.timewords import spans

_TALK = (
    r"(?:i|we|you)(?:'m| am| are)?(?: next| again)? (?:talk(?:ing)?|speak(?:ing)?|mention|ask|write"
    r"|tell|say something|bring up)(?: (?:to )?(?:you|me))?(?: again| next)?(?: (?:about|of|on))?"
)
_HABLAR = (
    r"(?:te |le |lo |la |nos |yo )*(?:vuelv(?:a|as|amos) a )?(?:hable|hables|hablemos|hablar|mencione"
    r"|menciones|mencionar|pregunte|preguntes|preguntar|nombre|nombres|nombrar|diga algo|saque el tema)"
    r"(?: otra vez| de nuevo| contigo)?(?: (?:sobre|acerca de|de|del|por))?"
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
    """What is to come up, and the situation in which it is; *said* is all of it, as it was said."""

    what: str
    situation: str
    said: str


def intention_in(text: str, today: date) -> Intention | None:
    """Return the first intention of a text; None if it has none that is sure."""
    for said in sentences_in(text) if _REMINDING.search(text) else ():
        sentence = said.strip(" .!¡?¿")
        found = next(filter(None, (form.fullmatch(sentence) for form in _FORMS)), None)
        if found and not spans(found["when"], today):
            what, situation = found["what"].strip(" ,."), found["when"].strip(" ,.")
            if forms_of(situation) and forms_of(what):
                return Intention(what, situation, sentence)
    return None


def is_met(situation: str, message: str) -> bool:
    """Say whether a message has every word that names a situation, or a form of it."""
    said = {form for forms in forms_of(message) for form in forms}
    wanted = forms_of(situation)
    return bool(wanted) and all(not said.isdisjoint(forms) for forms in wanted)
