"""A stand-in until the table of sure forms lands."""

import re

from almario.named_tuples import NamedTuple

REMEMBER, RULE, FORGET, OFF, UNDO = "remember", "rule", "forget", "off", "undo"
_ROWS = (
    (
        REMEMBER,
        r"(?:please )?(?:remember that|don't forget that|note:|recuerda que|recordá que|no olvides que)\s+(?P<text>[^.?!]+)[.!]?",
    ),
    (RULE, r"(?:from now on|de ahora en adelante),?\s+(?P<text>[^.?!]+)[.!]?"),
    (FORGET, r"(?:forget|olvida|olvidate de|olvídate de)\s+(?P<text>[^?!\s][^?!]*?)\W*$"),
    (
        OFF,
        r"(?:off the record|between us|entre nosotros|don't write this down|no guardes esto|no lo anotes)\b[:,.]?\s*(?P<text>(?:(?!\brecord[aá]|\bremember)[\s\S])*)",
    ),
    (UNDO, r"^(?:undo|deshaz)(?P<text> \d+)?\W*$"),
)
_DANGER = re.compile(r"\b(i want to die|quiero morirme|kill myself)\b", re.I)


class Form(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def forms_in(message: str) -> tuple[Form, ...]:
    found = []
    for kind, row in _ROWS:
        for each in re.finditer(r"(?:(?<=^)|(?<=[.!:] ))" + row, message, re.I):
            found.append(Form(kind, (each["text"] or "").strip(), each.start(), each.end()))
    return tuple(sorted(found, key=lambda form: form.start))


def besides(message: str) -> str:
    for form in reversed(forms_in(message)):
        message = message[: form.start] + message[form.end :]
    return message.strip(" .,!")


def is_in_danger(message: str) -> bool:
    return bool(_DANGER.search(message))
