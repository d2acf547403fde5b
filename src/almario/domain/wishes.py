"""Wishes in words: "recordá que…", "remember that…", "olvidate de…", with or without a model.

A wish is an order at the beginning of a sentence. A question, a story about
remembering or a phrase such as "forget it" is none: what is missed here the
model can still do, but nothing may be remembered or forgotten by mistake.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

REMEMBER, FORGET, BEHAVE = "remember", "forget", "behave"


class Wish(NamedTuple):
    """Something to `remember` or to `forget`, or a way to `behave`: *text* says what."""

    verb: str
    text: str


# A sentence ends at one of these signs, unless what stands before it is an abbreviation or an initial.
_END = re.compile(r"(?<=[.!?…])[\"'»”)]*\s+(?=[\"'«“(¿¡]*[^\W\d_a-zà-ÿ])|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[^\W\d_]|sra?|srta|dra?|prof|ing|lic|mrs?|ms|st|av|avda|etc|vs|no)\.)$", re.I
)
# So much of a text tells whether it ends in one, and what stands before that.
_LONGEST = 8
# "please", "ok,", "che,", "and": what may stand before the order, and a name that is called.
_BEFORE = (
    r"(?:(?:please|por favor|porfa(?:vor)?|ok(?:ay)?|hey|hi|hello|hola|che|dale|bueno|bien|oh|ah|oye|oiga|"
    r"mir[aá]|and|y|also|además|btw|by the way|just|so|then|entonces|ahora|now|first|primero)\b[,:;.!…]*\s+)"
    r"{0,3}"
    r"(?:[^\W\d_]+,\s+(?:(?:please|por favor)[,]?\s+)?)?"
)
_AFTER = re.compile(r"[,;]?\s+(?:please|por favor|porfa(?:vor)?|thanks|thank you|gracias)[.!…]*$", re.I)
# Without "that", an order is known by who it is about; "remember my birthday" is none.
_LED = r"(?:(?=(?:I|we)\b)|(?=(?:my|our)\s+\S+\s+\S))"

_REMEMBER_EN = (
    r"(?:(?:please\s+)?(?:do\s+)?(?:always\s+)?remember|(?:please\s+)?(?:do\s*n[o'’]?t|never)\s+forget|"
    r"(?:I\s+want|I['’]d\s+like|I\s+would\s+like|I\s+need)\s+you\s+to\s+(?:please\s+)?remember)"
)
_REMEMBER_ES = (
    r"(?:record[áa]|recuerda|recuerde|(?:acordate|acuérdate|acuerdate|acuérdese|acuerdese)(?:\s+siempre)?"
    r"(?:\s+de)?|no\s+(?:te\s+olvid[eé]s|se\s+olvide|lo\s+olvides)(?:\s+de)?|no\s+olvid(?:es|és|e)|"
    r"(?:quiero|necesito|me\s+gustaría)\s+que\s+(?:recuerdes|recordés|recuerde|te\s+acuerdes(?:\s+de)?|"
    r"te\s+acordés(?:\s+de)?|se\s+acuerde(?:\s+de)?))"
)
_FORGET_EN = (
    r"(?:(?:please\s+)?forget|(?:I\s+want|I['’]d\s+like|I\s+would\s+like|I\s+need)\s+you\s+to\s+forget)"
)
_FORGET_ES = (
    r"(?:olvid[áa]|(?:olvidate|olvídate|olvídese|olvidese)\s+(?=del?\b)|"
    r"olvide(?=\s+(?:lo\s+(?:que|de)|todo\s+lo|que)\b)|"
    r"(?:quiero|necesito|me\s+gustaría)\s+que\s+(?:(?:te\s+)?olvid[eé]s|(?:se\s+)?olvide))"
)
# Memories of a time or a thing are told with "that" too: "remember that time we got lost".
_A_TIME = (
    r"(?!(?:time|times|day|night|morning|evening|week|weekend|summer|winter|year|trip|one|guy|man|woman|girl|boy|"
    r"movie|film|song|book|place|party|feeling|thing|story|joke|restaurant|teacher|scene|episode)\b)"
)
_REMEMBER = [
    re.compile(rf"{_BEFORE}{_REMEMBER_EN}\s+that\s+{_A_TIME}(?P<text>\S.*)", re.I | re.S),
    re.compile(rf"{_BEFORE}{_REMEMBER_EN},?\s+{_LED}(?P<text>\S+\s+\S.*)", re.I | re.S),
    re.compile(rf"{_BEFORE}{_REMEMBER_ES}\s+que\s+(?P<text>\S.*)", re.I | re.S),
    re.compile(
        rf"{_BEFORE}(?:{_REMEMBER_EN}|{_REMEMBER_ES})(?:\s+(?:this|the following|esto|lo siguiente))?"
        r"\s*:\s+(?P<text>\S.*)",
        re.I | re.S,
    ),
]
_FORGET = [re.compile(rf"{_BEFORE}(?:{_FORGET_EN}|{_FORGET_ES})\s*(?<!\w)(?P<text>\S.*)", re.I | re.S)]
# What stands between the order and the thing to be forgotten.
_ABOUT = re.compile(
    r"(?:about|that|que|del?|(?:everything|all|anything|what(?:ever)?|todo)\s+(?:that\s+)?(?:I|you|we)\b.*?\babout|"
    r"(?:todo\s+)?lo\s+(?:que\s+.*?\b(?:sobre|acerca\s+del?|del?)|del?)|sobre|acerca\s+del?)\s+",
    re.I,
)
_NO_THING = re.compile(
    r"(?:it|this|that|them|him|her|me|us|everything|all|anything|about|eso|esto|todo|ello|él|ella|mí|mi|nada|que|"
    r"del?|sobre|\W+|"
    r"what|what(?:ever)?\s+(?:I|you|we)\b.*|lo\s+que\s+.*|to\s+.*|it\s+.*)",
    re.I,
)
_A_WORD = re.compile(r"\w")
_ORDER = rf"(?:{_REMEMBER_EN}|{_REMEMBER_ES}|{_FORGET_EN}|{_FORGET_ES})"
# Where the next order begins within a sentence; and, after something to be remembered, one about behaviour.
_NEXT = re.compile(
    rf"(?:\s*[,;]\s*(?:(?:and|y|but|pero|also|además)\s+)?|\s+(?:and|y|but|pero)\s+)(?={_ORDER}\b)", re.I
)
_ENDED = re.compile(
    r"\s*(?:;|,\s+(?:and|y|but|pero))\s+(?=(?:stop|do\s*n[o'’]?t|never|always|be|speak|talk|write|answer|reply|"
    r"use|call\s+me|dej[aá]|no|nunca|siempre|s[eé]|habl[aá]|escrib[eí]|respond[eé]|contest[aá]|us[aá])\b)",
    re.I,
)


def wish_in(message: str) -> Wish | None:
    """Return the first wish in a message, or None."""
    text = unicodedata.normalize("NFC", message).strip()
    for sentence, rest in _sentences(text):
        if wish := _remembering(sentence, rest) or _forgetting(sentence):
            return wish
    return None


def wishes_in(message: str) -> list[Wish]:
    """Return all that a message wishes for; what is neither to be remembered nor forgotten is a behaviour."""
    text = unicodedata.normalize("NFC", message).strip()
    found: list[Wish] = []
    for sentence, rest in _sentences(text):
        if _REMEMBER[-1].match(rest) and (listed := _remembering(sentence, rest)):
            return [*found, listed]
        if not _is_question(sentence):
            found += [wish for clause in _NEXT.split(sentence) for wish in _wishes(clause)]
    return found


def _wishes(clause: str) -> list[Wish]:
    parts = _ENDED.split(clause) if _remembering(clause, clause) else [clause]
    return [
        _remembering(part, part) or _forgetting(part) or Wish(BEHAVE, _bare(part))
        for part in parts
        if _A_WORD.search(part)
    ]


def _remembering(sentence: str, rest: str) -> Wish | None:
    if _is_question(sentence):
        return None
    for number, pattern in enumerate(_REMEMBER):
        # What follows a colon may be a list: it is meant whole.
        if found := pattern.match(rest if number == len(_REMEMBER) - 1 else sentence):
            said = _bare(found["text"])
            return Wish(REMEMBER, said) if _A_WORD.search(said) else None
    return None


def _forgetting(sentence: str) -> Wish | None:
    found = None if _is_question(sentence) else _FORGET[0].match(sentence)
    if not found:
        return None
    about = _bare(found["text"])
    while parted := _ABOUT.match(about):
        about = about[parted.end() :]
    return None if not about or _NO_THING.fullmatch(about) else Wish(FORGET, about)


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence, and the text from its beginning on."""
    start = 0
    for end in _END.finditer(text):
        # No more than its last letters are looked at: a text of nothing but initials would take for ever.
        last = text[max(start, end.start() - _LONGEST) : end.start()]
        if last and ("\n" in end[0] or not _ABBREVIATION.search(last)):
            yield text[start : end.start()], text[start:]
            start = end.end()
    yield text[start:], text[start:]


def _is_question(sentence: str) -> bool:
    return "¿" in sentence or sentence.rstrip(" \"'»”)").endswith("?")


def _bare(text: str) -> str:
    """Leave out a closing "please" and the full stop of a single sentence."""
    said = _AFTER.sub("", text.strip())
    return re.sub(r"(?<![.…])[.!]+$", "", said).strip() if said.count("\n") == 0 else said
