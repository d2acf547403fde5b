"""Secrets that show by what is said before them: "my password is …", `API_KEY=…`, "contraseña → …".

After a label, a value with a digit and a letter or with a sign is a secret, and
so is a number after what only numbers are called by ("PIN", "the code of the
alarm"). A plain word that ends its clause may be one, unless people say it
about passwords ("the password is wrong"); so may a number that is a year.
"""

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from almario.named_tuples import NamedTuple
from almario.text.secrets import names
from almario.text.secrets import ordinary_words as ordinary
from almario.text.secrets.patterns import ARROW, Span, has_digit, pattern
from almario.text.secrets.values import (
    QUOTES,
    WINDOW,
    Value,
    is_counted,
    is_innocent,
    is_joined,
    is_key,
    is_passphrase,
    is_prose,
    is_strong,
    is_word_about_passwords,
    is_year,
    value_at,
)

_DASH = r"\s-{1,2}\s{1,2}|\s\|\s{1,2}"
_FENCE = r"(?:`{3}[a-z]{0,8}\n)?"
_SIGN = (
    rf"\s{{0,4}}(?::=|={{1,3}}>?|:(?:[*_]{{1,3}}|</[a-z]{{1,6}}>)?|-{{1,2}}>|\xa6"
    rf"|%3[ad])\s{{0,4}}{_FENCE}|{_DASH}"
)
_VERB = rf"(?:\s(?:{ordinary.VERBS})|'s)(?:\s(?:{ordinary.ADVERBS}|{ordinary.ARTICLES})){{0,2}}:?\s{{1,3}}"
_GAP = r"((?:,? \(?[a-z0-9'._/#@-]{1,24}\)?,?){0,7}?)"  # of the neighbours' wifi
_NAME_END = rf"(?:[_-][a-z0-9_]{{1,20}})?(?:{QUOTES}|[\"'`*_)\]]{{0,4}})"  # API_KEY_TEST, "key", **key**
_TAILS = {
    "bare": r"[\"'`]?()(\s{1,2})",
    "bare-pin": r"[\"'`]?()(\s{1,2})",
    "bare-code": r"[\"'`]?()(\s{1,2})",
    "quoted": r"((?: [a-z0-9'.-]{1,16}){0,3}?)(\s{1,2}\(?)",
    "words": r"((?:,? [a-z0-9'(-]{1,16}\)?){0,8}?)([:=\s\"'`-]{1,4}(?:(?:is|are|es|son|sao|e)[:\s]{1,3})?)",
    "recovery": r"((?: [a-z0-9'.-]{1,16}){0,3}?)(?:\s{0,2}[:=]|\s(?:is|es|e|est))?(\s{1,2})",
    "app": r"((?: [a-z0-9'.-]{1,16}){0,4}?)(?:\s{0,2}[:=]|\s(?:is|es|e|est))?(\s{1,2})",
    "changed": rf"{_GAP}(\s(?:to|a|por|para|en|par|pour|as|como|comme)\s{{1,3}})",
}
_TAIL = rf"{_NAME_END}{_GAP}({_SIGN}|{_VERB})"
# Secrets of several words, by the family of their name.
_ENDS = r"(?:\s*\z|[.,;\n)])"
_PHRASE_ENDS = r"(?:\s*\z|[.,;\n)!]|\s{1,2}[(-])"
_CAPITALS = r"(?:(?-i:[A-Z])[a-z]+ ){1,3}(?-i:[A-Z])?[a-z]*[0-9]{1,4}[!?#*]?" + _ENDS
_SEVERAL: dict[str, tuple[str, ...]] = {
    "words": (names.SEED, names.NUMBERED),
    "app": (names.APP,),
    "recovery": (names.CODES, names.RECOVERY),
    "phrase": (names.MNEMONIC,),
    "password": (names.FOURS + _ENDS, names.SPACED + _PHRASE_ENDS, _CAPITALS),
    "answer": (names.ANSWER + _ENDS,),
}
# Those of these families have a form of their own.
_SURE_WORDS = ("app", "recovery", "code", "bare-code")


class _Label(NamedTuple):
    family: str
    name: bytes
    gap: bytes
    # A sign (":", "=", "→") or a verb ("is", "es").
    sign: bool
    verb: bytes
    before: bytes


def labelled(raw: bytes, said: Collection[str]) -> Iterator[Span]:
    """Find values that are secret because of their label; *said* are the families that are named."""
    for name in names.FAMILIES:
        if name not in said:
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
    family = names.FAMILIES[name]
    source = f"(?:{family.names}){_TAILS.get(name, _TAIL)}(?:{family.values})"
    # Groups make every match dear.
    return pattern(source, any_case=True, groups=False), pattern(source, any_case=True)


def _judged(raw: bytes, match: Any, name: str) -> Span | None:
    start = match.start()
    gap, said = raw[slice(*match.span(1))].lower(), raw[slice(*match.span(2))].strip().lower()
    if ordinary.OF_PASSWORDS.intersection(gap.replace(b"'", b" ").split()) and name != "changed":
        return None
    before = raw[max(0, start - 40) : start].lower()
    sign = said[:1] in (b":", b"=", b"-", b"|", b"%", ARROW)
    label = _Label(name, raw[start : match.start(1)], gap, sign, said, before)
    value = value_at(raw, match.end(2), sign=sign)
    kind = names.FAMILIES[name].kind
    if words := _several_words(raw, label, value.start):
        many = len(raw[value.start : words].split()) >= 12  # as many as open a purse
        return Span(value.start, words, kind, is_sure=name in _SURE_WORDS or (name == "phrase" and many))
    if name in ("words", "app", "recovery"):
        return None
    if name in ("phrase", "answer"):
        label = label._replace(family="password")
    if not value.word or not _is_secret(label, value):
        return None
    end = value.end
    if end - value.start >= WINDOW - 4:
        end = pattern(r"[^\s\"'\x00]*").match(raw, value.start).end()
    return Span(value.start, end, kind, is_sure=_is_sure(label, value.word))


def _is_sure(label: _Label, word: bytes) -> bool:
    """Say whether a value has the form that its label promises: a number, a key, or what is no word."""
    if label.family == "quoted" or (label.name[:3].lower() == b"cod" and label.family == "changed"):
        return False
    if word.strip(b"#*").replace(b"-", b"").isdigit():
        is_pin = label.family in ("pin", "bare-pin")
        return is_pin or (label.family not in ("bare", "changed") and not is_year(word))
    is_no_word = has_digit(word) or any(sign in word for sign in b"@#$%^&*+=~|!")
    return label.family in ("secret", "key", "agent-id") or is_no_word


def _several_words(raw: bytes, label: _Label, start: int) -> int:
    """Return where a secret of several words ends, or 0 if it is none."""
    forms = _SEVERAL.get(label.family, ())
    if label.family in ("code", "bare-code") and _opens_something(label):
        forms = (names.COMBINATION + r"\b", r"(?:[0-9a-z]{4,6}-?[0-9a-z]{4,6}[,; \n]{0,3}){2,16}")
    for form in forms:
        match = pattern(form, any_case=True).match(raw, start)
        words = raw[start : match.end()].lower().split() if match else []
        told = match and not (form in (names.SEED, _CAPITALS) and is_prose(words))
        # After a verb only a name is what was asked for.
        answers = label.sign or raw[start : start + 1].isupper()
        if label.family == "answer" and (is_word_about_passwords(b" ".join(words)) or not answers):
            continue
        if told and (not form.startswith(names.SPACED) or is_passphrase(words)):
            return start + len(raw[start : match.end()].rstrip(b" .,;\n()!-"))
    return 0


def _is_secret(label: _Label, value: Value) -> bool:
    word = value.word
    if is_innocent(word) or _is_code(value):
        return False
    if label.family == "changed" and pattern(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+").fullmatch(word):
        return False  # "a link to reset the password was sent to …"
    if label.family in ("secret", "agent-id", "key"):
        return _is_called_key(label, word)
    if label.family == "bare":
        return _is_bare(label, value)
    if label.family in ("pass", "slang"):
        return not label.before.rstrip().endswith(ordinary.TICKETS) and _is_pass(label, value)
    return _is_password(label, value)


def _is_called_key(label: _Label, word: bytes) -> bool:
    name = label.name.strip(b"\"'").lower()
    if label.sign and label.family != "agent-id" and name.endswith(ordinary.OF_KEYS):
        return False
    # What is given to a variable in capitals is meant, however it looks.
    given = label.verb[:1] in (b":", b"=") and not label.gap and label.name.isupper() and len(word) >= 8
    if given and pattern(r"[!-~]+").fullmatch(word) and not word.isdigit() and b"/" not in word[:1]:
        return not is_word_about_passwords(word)
    return is_key(word, 16 if label.family == "key" else 8)


def _is_bare(label: _Label, value: Value) -> bool:
    """Say whether a value is a secret without a sign or a verb before it: `--password hunter2`."""
    word, option = value.word, label.name[:2] == b"--"
    if word.isdigit():
        return 6 <= len(word) <= 63 and _is_number_secret(label, value)
    strong = is_strong(word, least=6) and (option or has_digit(word) or not word.isalpha())
    return word[:1] != b"-" and (strong or is_joined(word))


def _is_pass(label: _Label, value: Value) -> bool:
    word = value.word
    if label.family == "slang":
        # "Contra" that begins a line may as well be what speaks against something.
        alone = not label.name.strip(b"\n>*_- ").lower().removeprefix(b"contra")
        against = alone and (word.isalpha() or bool(value.after.partition(b"\n")[0].strip(b" .*_`")))
        return is_strong(word, least=5) and not against
    named = label.sign and not label.gap and word.lower() not in ordinary.NO_PASSWORDS
    return named and (label.verb == b"=" or is_strong(word, least=5))


def _is_password(label: _Label, value: Value) -> bool:
    changes = any(each in label.before + label.gap for each in ordinary.CHANGING)
    if label.family == "changed" and not changes:
        return False
    if label.family in ("code", "bare-code") and not _opens_something(label):
        return False
    if value.word.strip(b"#*").isdigit() or (
        label.family == "code" and value.word.replace(b"-", b"").isdigit()
    ):
        return _is_number_secret(label, value)
    if label.family in ("pin", "code", "clave", "network") and not value.quoted:
        own = label.family == "clave" and label.before.endswith((b"mi ", b"nuestra ", b"minha "))
        return is_strong(value.word, least=4) or (own and _is_lone_word(label, value))
    if value.quoted:
        plain = label.family == "quoted" and not is_strong(value.word, least=4) and b" " in value.word
        return not plain and not is_word_about_passwords(value.word)
    lone = label.family == "password" and _is_lone_word(label, value)
    return lone or is_strong(value.word, least=4) or is_joined(value.word)


def _opens_something(label: _Label) -> bool:
    around = (label.before[-24:] + b" " + label.name.lower() + b" " + label.gap).replace(b"'", b" ")
    words = {*around.decode("latin-1").split(), *around.replace(b"-", b" ").decode("latin-1").split()}
    if label.before.split()[-1:] and label.before.split()[-1].decode("latin-1") in ordinary.NO_CODES:
        return False  # "login error code: 4010"
    return not names.PLACES.isdisjoint(words)


def _is_code(value: Value) -> bool:
    """Say whether the value is a call or an index, as in `password = getpass()`."""
    return not value.quoted and (b"(" in value.word or b"[" in value.word or value.after[:1] in (b"(", b"["))


def _is_number_secret(label: _Label, value: Value) -> bool:
    if len(value.word) < 4 or (label.family == "changed" and label.name.lower() == b"clave"):
        return False
    if is_counted(value.after):
        return False
    if label.family in ("pin", "bare-pin"):
        return len(value.word) <= 12 and not has_digit(label.gap) and not label.before.endswith(b"gpio ")
    mine = label.before.endswith((b"mi ", b"tu ", b"su "))
    return not (label.family == "clave" and is_year(value.word) and not mine)


def _is_lone_word(label: _Label, value: Value) -> bool:
    word, after = value.word.lower(), value.after.lower()
    if label.verb in (b"-", b"--", b"|") or label.verb.split()[-1] in ordinary.ARTICLES.encode().split(b"|"):
        return False
    if not _may_be_lone(label, word) or (not label.sign and word.endswith(ordinary.NO_PASSWORD_ENDINGS)):
        return False
    # "The password needs letters and numbers": in Portuguese "and" is written as "is", but for an accent.
    noted = after[:1] == b")" and label.sign  # "password: (pending)"
    if noted or any(each.startswith(ordinary.NEEDING) for each in label.gap.split()):
        return False
    following = after.split(None, 1)
    ends = (
        not following or after[:1] in (b".", b",", b";", b")", b"\n", b"!", b"/", b"|") or after[:2] == b" /"
    )
    return ends or following[0].strip(b".,;:") in names.CLAUSE_STARTS.encode().split(b"|")


def _may_be_lone(label: _Label, word: bytes) -> bool:
    # "Tundra_moss" after a colon; `user_input` after "=" is more likely a variable.
    parts = pattern(r"[_-]").split(word) if label.verb[:1] == b":" else [word]
    if min(map(len, parts)) < 3 or not all(97 <= byte <= 122 or byte > 127 for byte in b"".join(parts)):
        return False
    return ordinary.NO_PASSWORDS.isdisjoint(parts) and (
        len(parts) == 1 or ordinary.OF_PASSWORDS.isdisjoint(parts)
    )
