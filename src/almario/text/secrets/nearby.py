"""Secrets that stand near what they are called, however the sentence goes.

A word that only a password looks like, in the same sentence as "password"; a
random string beside "token"; a number of a few digits beside "pin", or beside
"code" and a door. What people say in between need not be known.
"""

from collections.abc import Collection, Iterator

from almario.named_tuples import NamedTuple
from almario.text.secrets import ordinary_words as ordinary
from almario.text.secrets.names import PLACES
from almario.text.secrets.patterns import ARROW, Span, has_digit, looks_random, pattern
from almario.text.secrets.values import is_counted, is_innocent, is_unmistakable, is_year

# How far from a name its secret may stand, and how far in front of a number.
_REACH = 110
_NEAR = 48
_PASSWORDS = (
    r"pass(?:word|wd|code|phrase|wort)|\bpass?w[a-z]{1,4}\b|\bcontr[a-z]{0,2}se?n[ay]|\bsenhas?\b|\bmdp\b"
    r"|mots? de passe|palavras?[ -]passe|\bclaves?\b|\bpw\b|\bpwd\b|\bpass\b|\b(?:la|mi|tu|su|una|nueva|otra"
    r"|de|como|esa|misma|nuestra|vuestra) contra\b|\bkennwort|\bcreden|\bcreds?\b"
    r"|\blog(?:s|ged|ging)?[ -]?in\b|\bsign in\b|\bcontra wi-?fi|\bwi-?fi\b[^\n]{0,60}\b(?:key|clave|cle"
    r"|chave)\b"
)
_KEY_OF_NETWORK = r"\bwi-?fi\b[^\n]{0,60}\b(?:key|clave|cle|chave|llave)\W{1,3}\z"
_NAMED_AFTER = (
    rf"\A (?:de|como|as|comme|for|para) [a-z ]{{0,8}}(?:{_PASSWORDS})"
    rf"|\b(?:that'?s|that is|eso es|c'est)\b.{{0,16}}(?:{_PASSWORDS})"
)
_KEYS = (
    r"\bapi\b|api_|\btokens?\b|\bsecret|\bkeys?\b|\bclaves?\b|\bllaves?\b|\bchaves?\b|\bcles?\b|\bjetons?\b"
    r"|\bsegredo|\bcreden|_key\b|_token\b|\blogin\b|\bappid|\bwebhook|\bcookie"
)
# What a number alone may be called, and what it may be called where it opens something.
_PINS = (
    r"\bpin\b|\bpuk\b|\bnip\b|\bdigicode|\blockbox|\bcandado|\bpadlock|\bcadeado|\bcadenas\b|\bpasscode"
    r"|\bpincode|\b(?:bike|door|smart|combination|luggage|suitcase) lock\b|\bkey ?safe\b"
    r"|\bboit(?:e|ier) a cles?\b|\bcaja de llaves"
)
_CODES = (
    r"\bcod(?:e|igo)s?\b|\bcombina[a-z]{3,5}\b|\bcombo\b|\bsenha\b|\bclave\b|\balarm[ae]?\b|\bkeypad"
    r"|caja fuerte|\bcofre|\bcoffre|desbloqu|\bunlock|\botp\b|\bportero\b|\btelefonillo|\bportail\b"
    r"|\bportao\b|\bpassword|\bcontrasena|mot de passe|\bvideoporter|\bporteiro|\bvisiophone|\binterfon"
    r"|\bbuzzer|\bone[ -]time|\binterphone|\bgate\b|\bsafe\b|\bportal\b|\bmaleta\b|\bvalise\b|\bsuitcase"
    r"|\block\b|\blocker\b|\btaquilla|\bcacifo|\bcasier\b"
)
_ACTIONS = r"\b(?:marc|marqu|tecle|introduc|puls|digit|tap|compos|press|dial|typ|punch)[a-z]{0,4}\b"
# What a text must name before a word in it can be a password, a key, or a number that opens something.
_NUMBERS = rf"{_PINS}|{_CODES}|{_ACTIONS}|\b[0-9]{{4,8}}[#*]"
NAMED = (_PASSWORDS, _KEYS, _NUMBERS)
_WITH_DIGIT = r"\b[0-9]{3,4} [0-9]{3,4}\b|[^\s\"'`<>(),;\[\]{}\x00\xac]*[0-9][^\s\"'`<>(),;\[\]{}\x00\xac]*"
# Digits as they are typed at a door, with a letter at most two times; a word with a number after it.
_OPENING = (
    r"(?:[0-9]{3,8}|[A-F]?[0-9]{2,5}[A-F]?[0-9]{0,4}[A-F]?|[A-Z][0-9]{4,6}[A-Z]|[0-9]{3,4}[ -][0-9]{3,4}"
    r"|[0-9]{1,2}(?:-[0-9]{1,2}){2,3})[#*]?"
)
_WITH_NUMBER = (
    r"[A-Za-z]{3,}[._-]?[0-9]{2,6}|[A-Za-z]{3,}[._][0-9]{1,6}[A-Za-z]{0,2}|[A-Za-z]+[0-9]+[A-Z]?[a-z]{3,}"
)
_LOCKS = r"\bcandado|\bpadlock|\bcadeado|\bcadenas\b|\bmaleta|\bsuitcase|\bvalise|\bmala\b|\bluggage|\block\b"
_PUBLIC = r".*/.*|.*=.+"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NAMES_OF_KEYS = (
    r"\bapi[ _-]?(?:key|token|secret)|\b(?:secret|access|private|license|auth|service)[ _-](?:key|token)"
    r"|\btoken|\bsecret|(?:clave|llave|chave|cle) (?:de |d')?(?:la )?(?:api|acceso|acesso|acces|secreta"
    r"|secrete)|\bjeton"
)
_DIGIT_WORD = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho"
    r"|nueve|um|dois|quatro|sete|oito|nove|un|deux|trois|quatre|cinq|sept|huit|neuf)"
)
_SPELLED = rf"\b{_DIGIT_WORD}(?:[ ,-]{{1,2}}{_DIGIT_WORD}){{3,7}}\b"


# "Login error code: 4010", "código postal 39001".
_OPEN_NOTHING = (
    rf"\b(?:{'|'.join(sorted(ordinary.NO_CODES))}) cod(?:e|igo)s?\b"
    rf"|\bcod(?:e|igo)s? (?:de |d'|do )?(?:{'|'.join(sorted(ordinary.NO_CODES))})\b"
)


class _Around(NamedTuple):
    """What stands before and after a word in its sentence, in small letters."""

    before: bytes
    after: bytes

    @property
    def both(self) -> bytes:
        return self.before + b" " + self.after


def nearby(raw: bytes, said: Collection[str]) -> Iterator[Span]:
    """Find secrets by the company they keep; *said* are those of `NAMED` that the text names."""
    if _NUMBERS in said:
        for match in pattern(_SPELLED, any_case=True).finditer(raw):
            if _has(f"{_PINS}|{_CODES}", _around(raw, *match.span()).before[-_NEAR:]):
                yield Span(match.start(), match.end(), "password")
    for match in pattern(_WITH_DIGIT).finditer(raw):
        start, end = match.span()
        word = raw[start:end].rstrip(b".:").lstrip(b".:*")
        start += raw[start:end].index(word)
        if len(word) >= 3 and (kind := _kind_of(word, said, raw, start)):
            yield Span(start, start + len(word), kind)


def _kind_of(word: bytes, said: Collection[str], raw: bytes, start: int) -> str:
    end = start + len(word)
    if pattern(_OPENING).fullmatch(word):
        return "password" if _NUMBERS in said and _is_number(word, _around(raw, start, end)) else ""
    if _KEYS in said and pattern(_UUID).fullmatch(word):
        # A name as machines give it is a key only right behind what keys are called.
        before = _around(raw, start, end).before
        return "secret" if _has(rf"(?:{_NAMES_OF_KEYS})[\s:=(\"'`]*\z", before) else ""
    if _KEYS in said and len(word) >= 16 and looks_random(word) and not pattern(_PUBLIC).fullmatch(word):
        around = _around(raw, start, end)
        words = pattern(r"[a-z0-9]+").findall(around.both)
        if _has(_KEYS, around.both) and ordinary.NEVER_SECRET.isdisjoint(words):
            return "secret"
    password = _PASSWORDS in said and 6 <= len(word) <= 64 and _is_password(word, raw, start, end)
    return "password" if password else ""


def _is_password(word: bytes, raw: bytes, start: int, end: int) -> bool:
    if is_unmistakable(word):
        # "I changed it to tundra!872. New password": what is given may be named in the next sentence.
        last = _last_word(raw[max(0, start - _NEAR) : start].lower().rstrip(b" \"'`*_("))
        around = _around(raw, start, end, lines=2, sentence=last not in ordinary.GIVING)
        signed = last == b"login" and any(sign in word for sign in b"!#$%^&*?")
        return (signed or last not in ordinary.NO_NAMES_AFTER) and _has(_PASSWORDS, around.both)
    around = _around(raw, start, end)
    if len(word) >= 10 and _has(_KEY_OF_NETWORK, around.before):
        return looks_random(word)
    if not pattern(_WITH_NUMBER).fullmatch(word) or is_innocent(word):
        return False
    last = _last_word(around.before)
    if (
        not last
        or last in ordinary.NO_NAMES_AFTER | ordinary.SMALL_BEFORE
        or _has(r"\bpass\b", around.before)
    ):
        return False
    typed = last.startswith(ordinary.TYPING) and _has(_PASSWORDS, around.after)
    return typed or _has(_PASSWORDS, around.before[-_NEAR:]) or _has(_NAMED_AFTER, around.after)


def _around(raw: bytes, start: int, end: int, *, lines: int = 1, sentence: bool = True) -> _Around:
    """Return the *sentence* around a word, or what is around it at all, and as many lines of it as that."""
    before = raw[max(0, start - _REACH) : start].lower()
    after = raw[end : end + _REACH].lower()
    before = b"\n".join(before.split(b"\n")[-lines:])
    after = after.partition(b"\n")[0]
    if not sentence:
        return _Around(before, after)
    return _Around(before[before.rfind(b". ") + 1 :], after.partition(b". ")[0])


def _has(source: str, text: bytes) -> bool:
    return bool(pattern(source, any_case=True, groups=False).search(text))


def _last_word(text: bytes) -> bytes:
    words = text.rsplit(None, 1)
    return words[-1].strip(b"\"'`(*_.,") if words else b""


def _is_number(word: bytes, around: _Around) -> bool:
    """Say whether a number of a few digits opens something."""
    last = _last_word(around.before).rstrip(b":=")
    typed, ends = last.startswith(ordinary.TYPING), not around.after.strip(b" .,;!?)")
    leads = typed or last in ordinary.LEADING_TO or around.before.rstrip()[-1:] in (b":", b"=", ARROW)
    keyed = typed or (word[-1:] in (b"#", b"*") and not around.before.rstrip().endswith(b"#"))
    if (last in ordinary.NO_NUMBERS_AFTER and not keyed) or _is_counted(word, around, leads=leads):
        return False
    if len(word) < 4:
        return (leads and _has(_LOCKS, around.before)) or (ends and _has(rf"(?:{_PINS})\s\z", around.before))
    # "The key of the bank, 177050, is nowhere": what stands between two commas is what was named.
    before = around.before.rstrip()
    apposed = before[-1:] + around.after[:1] in (b",,", b"()")
    near = before.rstrip(b",(")[-_NEAR:] if apposed else around.before[-_NEAR:]
    near = near if leads or ends or apposed else around.before[-_NEAR:].rpartition(b",")[2]
    named = _has(rf"\A\s?\(?(?:{_PINS})", around.after)
    long = len(word) >= 6 and (ends or apposed) and _has(_PASSWORDS, near)
    if named or long or (_has(_PINS, near) and not has_digit(near)):
        return True
    if _has(_OPEN_NOTHING, around.before[-_NEAR:]):
        return False
    said = pattern(r"[a-z0-9]+").findall(around.both)
    if PLACES.isdisjoint(each.decode() for each in said):
        return False
    beside = ends or apposed or leads or last.decode("latin-1") in PLACES
    beside = beside or _has(rf"(?:{_CODES})[\s:]*\z", around.before)
    after = leads and _has(f"{_PINS}|{_CODES}", around.after)
    return keyed or after or (beside and _has(_CODES, around.before))


def _is_counted(word: bytes, around: _Around, *, leads: bool) -> bool:
    """Say whether a number is an amount, a part of something longer, a year, or a pin of a board."""
    part = around.after[:1] in (b"%", b"/", b"-", b":", b"$") or b"gpio" in around.before
    if part or is_counted(around.after):
        return True
    return is_year(word) and not leads and not _has(rf"(?:{_PINS})\s?\z", around.before)
