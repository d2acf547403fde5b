"""Secrets that show by what is said before them: "my password is …", `API_KEY=…`, "contraseña → …".

After a label, a value in quotes, with a digit and a letter, with a sign or with
a capital inside it is a secret. A plain word is one only if it ends its clause
and is not a word that people say about passwords ("the password is wrong").
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from almario.domain.secrets.shapes import ARROW, Span, has_digit, looks_random, pattern, turns
from almario.domain.secrets.words import (
    CLAUSE_STARTS,
    NO_PASSWORD_ENDINGS,
    NO_PASSWORDS,
    OF_PASSWORDS,
    TICKETS,
    UNITS,
)

_SIGN = r"\s{0,4}(?::=|={1,3}>?|:|-{1,2}>|\xbb)\s{0,4}"
_VERB = r"\s(?:is|es|was|era|sera|fue|to|a)(?: now| ahora| currently| just| still)?:?\s{1,3}"
_TAIL = (
    r"(?:[_-][a-z0-9_]{1,20})?[\"'`*_)\]]{0,4}"  # API_KEY_TEST, "key", **key**
    r"((?: \(?[a-z0-9'._/#-]{1,24}\)?){0,6}?)"  # of the neighbours' wifi
    rf"({_SIGN}|{_VERB})"
)


def _strong(least: int) -> str:
    """Return a pattern for words of that length or more with a digit, a sign or a capital inside."""
    each, sign = r"[^\s\x00]", r"(?:[0-9@#$%^&*+~]|(?-i:[a-z][A-Z]))"
    early = (f"{each}{{{place}}}{sign}{each}{{{least - 1 - place}}}" for place in range(least - 1))
    return f"(?:{'|'.join(early)}|{each}{{{least - 1},40}}?{sign})"


# How a value must begin to be looked at more closely; the rest of the text costs next to nothing.
_STRONG, _LONG = _strong(4), _strong(8)
_QUOTED = r"[\"'`][^\"'`\n\x00]"
_LONE = (
    r"[*_~(]{0,2}[a-z\x80-\xff]{3,32}[*_~]{0,2}"
    rf"(?:\s*\z|[.,;)\n!/|]| /|\s(?:{CLAUSE_STARTS})\b)"
)
_MNEMONIC = r"[a-z]{3,8}(?: [a-z]{3,8}){3,23}\b"
# Names of techniques, variables, dates, prices, rows of stars, and placeholders such as "your_password".
_INNOCENT = (
    r"(?:base|sha|md|utf|aes|wpa|oauth|rsa|argon|scrypt|bcrypt|x(?:50|8))-?[0-9]+\w*(?:-\w+)?"
    r"|[0-9]+password|[0-9]fa|[0-9]+(?:st|nd|rd|th)|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|\$[0-9].*"
    r"|\$[a-z_]+|\$?\{.*|<[a-z].*|%[sdr(].*|https?://.*|.\W*|[x*.]+"
    r"|(?:[a-z]+[ _-])*(?:your|my|the|tu|mi)?"
    r"(?:password|passwd|pass|pwd|secret|token|key|contrasena)(?:[_-][a-z]+)*"
)
_PLACES = "alarm|door|gate|unlock|safe|access|entry"
_LUGARES = "alarma|acceso|puerta|portal|caja fuerte|desbloqueo"
_WINDOW = 160
_TOWARDS = (b"a", b"to")


class _Family(NamedTuple):
    """Labels that are read alike: their names, how their values begin, and what a value is called.

    Without one of the *hints*, words in small letters without accents, a text has no such label.
    """

    hints: str
    names: str
    values: str
    kind: str


_FAMILIES = {
    "phrase": _Family(
        "phrase frase mnemonic",
        r"(?:seed|recovery|secret) phrase|frase (?:semilla|secreta|de recuperacion)|mnemonic|passphrase",
        f"{_STRONG}|{_QUOTED}|{_MNEMONIC}|{_LONE}",
        "password",
    ),
    "password": _Family(
        "pass pwd psk contrase code codigo",
        r"pass(?:words?|wd|code)|\bpwd|_pwd|\bpsk|contrasen[ay]a?s?"
        rf"|\b(?:{_PLACES}) code|\bcodigo (?:de |del )?(?:la |el )?(?:{_LUGARES})",
        f"{_STRONG}|{_QUOTED}|{_LONE}",
        "password",
    ),
    "agent-id": _Family("agent assistant", r"\b(?:agent|assistant)[ _-]?id", _LONG, "agent-id"),
    "secret": _Family(
        "secret token key sig= credential clave",
        r"api[ _-]?key|api[ _-]?secret|(?:\b|_|client|app)secret(?:[ _-]?(?:access[ _-]?)?key)?|credentials?"
        r"|(?:access|private|auth|account|encryption|signing|master|license|shared|service|deploy|webhook|session"
        r"|secret)[ _-]?(?:access[ _-]?)?key|(?:\b|_|access|auth|refresh|id|bot|session|bearer)[ -]?token"
        r"|[?&;]sig|clave (?:de )?api|clave secreta",
        _LONG,
        "secret",
    ),
    "key": _Family("_key -key", r"[a-z0-9][_-]key", _LONG, "secret"),
    "clave": _Family("clave", r"(?:\b|_)clave", _STRONG, "password"),
    "pin": _Family("pin", r"\bpin(?: code| number)?|\bcodigo pin", _STRONG, "password"),
    "pass": _Family("pass", r"(?:\b|_)pass\b", f"{_STRONG}|{_LONE}", "password"),
    "bare": _Family(
        "-- pass contrase",
        r"--(?:pass|password|token|api-key|secret|key)|pass(?:word|wd|code)|contrasena",
        _STRONG,
        "password",
    ),
}


_HINTS = [(name, family.hints.split()) for name, family in _FAMILIES.items()]


class _Label(NamedTuple):
    family: str
    gap: bytes
    # A sign (":", "=", "→") or a verb ("is", "es").
    sign: bool
    verb: bytes


class _Value(NamedTuple):
    start: int
    end: int
    word: bytes
    quoted: bool
    after: bytes


def labelled(raw: bytes, low: str) -> Iterator[Span]:
    """Find values that are secret because of their label; *low* is *raw* as text in small letters."""
    for name, hints in _HINTS:
        if not any(map(low.__contains__, hints)):
            continue
        scan, parts = _patterns(name)
        place = 0
        while match := scan.search(raw, place):
            start, end = match.span()
            span = _judged(raw, parts.match(raw, start, end), name)
            if span:
                yield span
            place = span.end if span else start + 3


@cache
def _patterns(name: str) -> tuple[Any, Any]:
    """Return what finds the labels of a family, and what takes apart those that were found."""
    family = _FAMILIES[name]
    tail = r"[\"'`]?()(\s{1,2})" if name == "bare" else _TAIL
    source = f"(?:{family.names}){tail}(?:{family.values})"
    # Groups make every match dear.
    return pattern(source, any_case=True, groups=False), pattern(source, any_case=True)


def _judged(raw: bytes, match: Any, name: str) -> Span | None:
    gap, said = raw[slice(*match.span(1))].lower(), raw[slice(*match.span(2))].strip().lower()
    if OF_PASSWORDS.intersection(gap.split()):
        return None
    label = _Label(name, gap, said[:1] in (b":", b"=", b"-", ARROW), said)
    value = _value(raw, match.end(2), sign=label.sign)
    if name == "phrase":
        words = pattern(_MNEMONIC).match(raw, value.start)
        if words:
            return Span(words.start(), words.end(), "password")
        label = label._replace(family="password")
    before = raw[max(0, match.start() - 12) : match.start()].lower()
    if not value.word or not _is_secret(label, value, before):
        return None
    end = value.end
    if end - value.start >= _WINDOW - 4:
        end = pattern(r"[^\s\"'\x00]*").match(raw, value.start).end()
    return Span(value.start, end, _FAMILIES[name].kind)


def _value(raw: bytes, at: int, *, sign: bool) -> _Value:
    window = raw[at : at + _WINDOW]
    quote = window[:1]
    if quote in (b'"', b"'", b"`") and (close := window.find(quote, 1)) > 1 and b"\n" not in window[:close]:
        return _Value(at + 1, at + close, window[1:close].partition(b"\0")[0], True, window[close + 1 :])
    words = window.split(None, 1)
    word = words[0].partition(b"\0")[0].partition(b'"')[0] if words else b""
    inner = word.lstrip(b"*_~([\"'`")
    start = at + len(window) - len(window.lstrip()) + len(word) - len(inner)
    for stop in (b"&", b";"):
        if stop in inner and b"=" in inner.partition(stop)[2] + b"=" * inner.endswith(stop):
            inner = inner.partition(stop)[0]
    inner = inner.rstrip(b".,;:)]}>'`*_~" if sign else b".,;:)]}>'`*_~!?")
    return _Value(start, start + len(inner), inner, False, raw[start + len(inner) : start + len(inner) + 40])


def _is_secret(label: _Label, value: _Value, before: bytes) -> bool:
    word = value.word
    if pattern(_INNOCENT, any_case=True).fullmatch(word) or _is_code(value):
        return False
    if label.family in ("secret", "agent-id", "key"):
        return _is_key(word, 16 if label.family == "key" else 8)
    if label.family == "bare":
        return word[:1] != b"-" and not word.isdigit() and _is_strong(word, least=6)
    if label.family == "pass":
        named = label.sign and not label.gap and not before.rstrip().endswith(TICKETS)
        return (
            named and word.lower() not in NO_PASSWORDS and (label.verb == b"=" or _is_strong(word, least=5))
        )
    return _is_password(label, value, before)


def _is_password(label: _Label, value: _Value, before: bytes) -> bool:
    if value.word.isdigit():
        return _is_number_secret(label, value, before)
    if label.family != "password":
        return _is_strong(value.word, least=4)
    if value.quoted:
        return not NO_PASSWORDS.issuperset(value.word.lower().split())
    return _is_strong(value.word, least=4) or _is_lone_word(label, value)


def _is_code(value: _Value) -> bool:
    """Say whether the value is a call or an index, as in `password = getpass()`."""
    return not value.quoted and (b"(" in value.word or b"[" in value.word or value.after[:1] in (b"(", b"["))


def _is_key(word: bytes, least: int) -> bool:
    if len(word) < least or b" " in word:
        return False
    return looks_random(word) or (
        has_digit(word) and not word.isdigit() and turns(word) >= 2 and len(word) <= 24
    )


def _is_number_secret(label: _Label, value: _Value, before: bytes) -> bool:
    if len(value.word) < 4 or (label.verb in _TOWARDS and label.family == "clave"):
        return False
    following = value.after.lower().split(None, 1)
    if following and following[0].strip(b".,;:!?)") in UNITS:
        return False
    if label.family == "pin":
        return len(value.word) <= 12 and not has_digit(label.gap)
    is_year = len(value.word) == 4 and value.word[:2] in (b"19", b"20")
    return not (label.family == "clave" and is_year and not before.endswith((b"mi ", b"tu ", b"su ")))


def _is_strong(word: bytes, *, least: int) -> bool:
    """Say whether a word has what passwords have: a digit among letters, a sign, or a capital inside."""
    if len(word) < least:
        return False
    letters = any(byte > 64 for byte in word)
    if has_digit(word):
        return letters or (word[:4].isdigit() and word[-1:] in (b"#", b"*"))
    inner = word.strip(b"!?")
    return any(sign in inner for sign in b"@#$%^&*+=~|!") or (
        inner != inner.upper() and inner[1:] != inner[1:].lower() and inner.isalpha()
    )


def _is_lone_word(label: _Label, value: _Value) -> bool:
    word, after = value.word.lower(), value.after.lower()
    if label.verb in _TOWARDS or len(word) < 3 or not all(97 <= byte <= 122 or byte > 127 for byte in word):
        return False
    if word in NO_PASSWORDS or (not label.sign and word.endswith(NO_PASSWORD_ENDINGS)):
        return False
    following = after.split(None, 1)
    ends = (
        not following or after[:1] in (b".", b",", b";", b")", b"\n", b"!", b"/", b"|") or after[:2] == b" /"
    )
    return ends or following[0].strip(b".,;:") in CLAUSE_STARTS.encode().split(b"|")
