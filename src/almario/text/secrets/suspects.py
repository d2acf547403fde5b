"""What may be a secret and may be something else: it is kept, and asked about.

A word that looks like a password in a sentence that speaks of one, the second
of a pair of credentials, many words where a purse is spoken of; and values
beside what secrets are called in other scripts.
"""

from collections.abc import Iterator
from itertools import pairwise

from almario.text.secrets import ordinary_words as ordinary
from almario.text.secrets.names import FAMILIES, NUMBERED
from almario.text.secrets.patterns import CJK, KEY, PASSWORD, Span, pattern
from almario.text.secrets.values import (
    is_innocent,
    is_key,
    is_prose,
    is_strong,
    is_unmistakable,
    is_word_about_passwords,
)

# How far from a password the word "password" may stand.
_REACH = 110
_WITH_DIGIT = r"[^\s\"'`<>(),;\[\]{}\x00\xac]*[0-9][^\s\"'`<>(),;\[\]{}\x00\xac]*"
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


def near_their_name(raw: bytes) -> Iterator[Span]:
    """Find words that look like nothing but a password, in a sentence that speaks of one."""
    named = pattern(FAMILIES["password"].names, any_case=True, groups=False)
    for match in pattern(_WITH_DIGIT).finditer(raw):
        start = match.start()
        word = match.group().rstrip(b".:,")
        if not 6 <= len(word) <= 64 or not is_unmistakable(word):
            continue
        before = raw[max(0, start - _REACH) : start].rpartition(b"\n")[2].rpartition(b". ")[2]
        after = raw[match.end() : match.end() + _REACH].partition(b"\n")[0].partition(b". ")[0]
        if named.search(before) or named.search(after):
            yield Span(start, start + len(word), "password", is_sure=False)


def phrases(raw: bytes) -> Iterator[Span]:
    """Find the words that open a purse, wherever they stand in a text that speaks of one."""
    for match in pattern(NUMBERED).finditer(raw):
        if match.group().count(b"1") >= 3:  # up to the eleventh
            yield Span(match.start(), match.end(), "password", is_sure=False)
    for match in pattern(_MANY_WORDS).finditer(raw):
        words = [(each.start(), each.end()) for each in pattern(r"[a-z]+").finditer(raw, *match.span())]
        told = [raw[slice(*each)] for each in words]
        parting = ordinary.SMALL_WORDS - ordinary.ALSO_IN_PHRASES
        small = [place for place, each in enumerate(told) if each in parting]
        for first, last in pairwise([-1, *small, len(words)]):
            if 12 <= last - first - 1 <= 27 and not is_prose(told[first + 1 : last]):
                yield Span(words[first + 1][0], words[last - 1][1], "password", is_sure=False)


def pairs(raw: bytes) -> Iterator[Span]:
    """Find the password of a pair: "creds: admin / S3cret"."""
    for source in (_PAIR, _KNOWN_USER):
        for match in pattern(source, any_case=True).finditer(raw):
            value = raw[slice(*match.span(1))].rstrip(b".,;)!")
            if not is_innocent(value) and is_strong(value, least=5) and not is_word_about_passwords(value):
                yield Span(match.start(1), match.start(1) + len(value), "password", is_sure=False)


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
                kind = "secret" if called_key else "password"
                yield Span(start, start + len(value), kind, is_sure=bool(strong))


def _is_lone(word: bytes) -> bool:
    letters = bool(pattern(r"[A-Za-z]+(?:[-_.][A-Za-z]+)*").fullmatch(word))
    plain = letters and len(word) >= 5 and not word.endswith(ordinary.NO_PASSWORD_ENDINGS)
    return plain and not is_word_about_passwords(word)
