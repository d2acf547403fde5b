"""Secrets that are named in other ways: after the value, as the second of a pair, in other scripts."""

from collections.abc import Iterator
from itertools import pairwise

from almario.text.secrets import ordinary_words as ordinary
from almario.text.secrets.names import NUMBERED, PLACES
from almario.text.secrets.patterns import CJK, KEY, PASSWORD, Span, has_digit, pattern
from almario.text.secrets.values import (
    is_innocent,
    is_key,
    is_prose,
    is_strong,
    is_word_about_passwords,
    is_year,
)

NAMES = (
    r"(?:pass(?:words?|code|phrase|wd)?|pwd|pw|contrasena|clave|senha|palavra[ -]passe|mot de passe|mdp|pin"
    r"|puk|nip|(?:api[ _-]?|secret |access |license )?key|token|(?:access |auth )token|secret|clave api|code"
    r"|codigo)\b"
)
_OWN = (
    r"my|our|the|his|her|their|your|a|new|old|mi|la|el|tu|su|nuestra|nuevo|nueva|minha|meu|sua|seu|nossa|o|le"
    r"|mon|ma|notre|son|sa|votre|its"
)
_LINKS = (
    r"is|was|es|era|est|e|sera|fue|foi|as|como|comme|for|para|pour|that's|that is|which is|que es|eso es"
    r"|c'est|qui est|i use as|uso como|it's"
)
_ADVERBS = r"still|now|always|todavia|ahora|siempre|sigue siendo|toujours|ainda"
_OF = r"(?:de |del |do |da |du |d')?"
_AFTER = (
    rf"(?:[\"'`*)]{{0,3}},?\s{{1,2}}(?:-{{1,2}}>?\s|\xa6\s|<-{{1,2}}\s|=\s|\(|(?:-{{1,2}}\s)?(?:{_LINKS})\s)"
    rf"(?:(?:{_LINKS}|{_ADVERBS})\s)?(?:(?:{_OWN})\s){{0,2}}((?:[a-z0-9'-]{{2,16}}\s{_OF}){{0,2}}?)"
    rf"|\s?\(((?:[a-z0-9'-]{{2,16}}\s){{0,2}}?)){NAMES}"
)
# A value must have a digit or be in quotes, so that the scan is cheap.
_VALUE = (
    r"(?:\A|[\s(>:,])([\"'`]?[^\s\"'`\x00(]{0,40}[0-9@#$%&!][^\s\"'`\x00]{0,64}"
    r"|[\"'`][^\s\"'`\x00]{4,64}[\"'`])"
)
_PAIRED = (
    r"(?:\bcreds?\b|credentials?\b|credenciales\b|credenciais\b|\blogin\b|\blogins\b|identifiants\b"
    r"|user/pass\w{0,5}|usuario/contrasena|\bacceso\b|\baccess\b|basic auth|utilizador/senha|usuario/senha)"
)
_PAIR = (
    _PAIRED + r"[^:=\n]{0,32}?(?:\s{0,2}[:=]|\s(?:is|are|es|son|sao|sont))?\s{1,2}"
    r"[\"'`]?[a-z0-9_.@+-]{2,48}(?:\s?[/:|,]\s?| - | y | and )([^\s/:|,\"'\x00]{4,64})"
)
_USER = r"(?:\A|[\s(\"'])(?:root|admin|administrator|administrador|pi|guest)\s?[/:]"
PAIRS = f"{_PAIRED}|{_USER}"
_KNOWN_USER = _USER + r"\s?([^\s/:|,\"'\x00]{5,64})(?:[\s,;.)\"']|\z)"
PURSE = (
    r"\bseed\b|mnemonic|mnemoni|\bwallet|\bmetamask|\btrezor|\bsemilla|\bsemente|\bmonedero|\bcarteira"
    r"|(?:recovery|backup|secret|secretas?) (?:phrase|words)|recuperac|recuperation"
    r"|\b(?:12|18|24) (?:words|palabras|palavras|mots)\b"
)
_MANY_WORDS = r"\b[a-z]{3,9}(?:(?:[ \n]|, ?)[a-z]{3,9}){11,}\b"
_SCRIPTS = (
    rf"([{PASSWORD}{KEY}]+)[\xaa\xac\s]{{0,10}}[:=(\"'`]{{0,3}}\s{{0,2}}[\"'`]?([^\s\xac\x00-\x03\"'`,;"
    rf"()]{{4,128}})"
)
_SCRIPTS_AFTER = rf"([^\s\xac\x00-\x03\"'`,;()]{{4,128}})[\"'`]?\xac{{1,3}}([\xac ]{{0,8}}[{PASSWORD}{KEY}])"


def named_afterwards(raw: bytes) -> Iterator[Span]:
    """Find values that are called a secret after they were said: "hunter2 is my password"."""
    place = 0
    while match := pattern(_VALUE + _AFTER, any_case=True).search(raw, place):
        start, end = match.span(1)
        place = end
        value = raw[start:end].strip(b"\"'`*,.;:()")
        quoted = raw[start : start + 1] in (b'"', b"'", b"`")
        tail = raw[match.end() : match.end() + 24].lower()
        goes_on = tail.strip() and not tail[:1].strip()
        of = goes_on and tail.split(None, 1)[0].strip(b".,;:") in ordinary.OF_PASSWORDS
        between = raw[slice(*match.span(2))].lower()
        if not of and _is_named(value, raw[match.end() - 6 : match.end()].lower(), between, quoted=quoted):
            inside = start + raw[start:end].index(value)
            yield Span(inside, inside + len(value), "password")


def _is_named(value: bytes, name: bytes, between: bytes, *, quoted: bool) -> bool:
    if is_innocent(value) or value.lower() in ordinary.NO_PASSWORDS or not value:
        return False
    opens = not PLACES.isdisjoint(between.decode("latin-1").split())
    if name.endswith((b"code", b"codigo")) and not name.endswith(b"sscode") and not opens:
        return False
    if value.strip(b"#*").isdigit():
        may_be_pin = name.endswith(b"pin") or not is_year(value)
        return 4 <= len(value) <= 12 and may_be_pin and not name.endswith(b"key")
    if name.endswith((b"key", b"token", b"secret")):
        return is_key(value, 8)
    return (has_digit(value) and is_strong(value, least=5)) or is_strong(value, least=6) or quoted


def phrases(raw: bytes) -> Iterator[Span]:
    """Find the words that open a purse, wherever they stand in a text that speaks of one."""
    for match in pattern(NUMBERED).finditer(raw):
        if match.group().count(b"1") >= 3:  # up to the eleventh
            yield Span(match.start(), match.end(), "password")
    for match in pattern(_MANY_WORDS).finditer(raw):
        words = [(each.start(), each.end()) for each in pattern(r"[a-z]+").finditer(raw, *match.span())]
        told = [raw[slice(*each)] for each in words]
        parting = ordinary.SMALL_WORDS - ordinary.ALSO_IN_PHRASES
        small = [place for place, each in enumerate(told) if each in parting]
        for first, last in pairwise([-1, *small, len(words)]):
            if 12 <= last - first - 1 <= 27 and not is_prose(told[first + 1 : last]):
                yield Span(words[first + 1][0], words[last - 1][1], "password")


def pairs(raw: bytes) -> Iterator[Span]:
    """Find the password of a pair: "creds: admin / S3cret"."""
    for source in (_PAIR, _KNOWN_USER):
        for match in pattern(source, any_case=True).finditer(raw):
            value = raw[slice(*match.span(1))].rstrip(b".,;)!")
            if not is_innocent(value) and is_strong(value, least=5) and not is_word_about_passwords(value):
                yield Span(match.start(1), match.start(1) + len(value), "password")


def in_other_scripts(raw: bytes) -> Iterator[Span]:
    """Find values beside what secrets are called in Chinese, Japanese or Korean."""
    for source, name, place in ((_SCRIPTS, 1, 2), (_SCRIPTS_AFTER, 2, 1)):
        for match in pattern(source).finditer(raw):
            value = raw[slice(*match.span(place))].rstrip(b".,;:)!?")
            if value[:1] in b"/~\\.":  # a path is called as a password is
                continue
            called_key = KEY.encode() in raw[slice(*match.span(name))]
            number = value.isdigit() and not called_key
            strong = is_key(value, 8) if called_key else number or is_strong(value, least=4)
            start = match.start(place)
            # Nothing but the name and "is" before it, and nothing after it in its clause.
            lone = place == 2 and not called_key and CJK not in raw[match.end(1) : start] and _is_lone(value)
            ends = pattern(r"\s*(?:\z|[\n.,;)!?\"'`])").match(raw, start + len(value))
            if not is_innocent(value) and (strong or (lone and ends)):
                yield Span(start, start + len(value), "secret" if called_key else "password")


def _is_lone(word: bytes) -> bool:
    letters = bool(pattern(r"[A-Za-z]+(?:[-_.][A-Za-z]+)*").fullmatch(word))
    plain = letters and len(word) >= 5 and not word.endswith(ordinary.NO_PASSWORD_ENDINGS)
    return plain and not is_word_about_passwords(word)
