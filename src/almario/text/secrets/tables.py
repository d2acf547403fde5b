"""Secrets in tables and rows, where a heading or the order of the fields says what a value is."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from almario.text.secrets.folding import KEY, OTHER_SCRIPTS, PASSWORD
from almario.text.secrets.names import APP, COMBINATION, PLACES
from almario.text.secrets.ordinary_words import NO_PASSWORD_ENDINGS, OF_PASSWORDS
from almario.text.secrets.patterns import MASK, Span, pattern
from almario.text.secrets.values import is_innocent, is_key, is_strong, is_word_about_passwords

_PASSWORDS = (
    r"pass(?:words?|wd|code|phrase|wort)?|pwd|pw|psk|contrasenas?|contra|claves?|senhas?|palavras?[ -]passe"
    rf"|mots? de passe|mdp|kennwort|{PASSWORD}+"
)
_PINS = r"pin|puk|nip|cvv|cvc|combo|combination|combinacion|combinaison|combinacao"
_CODES = r"codes?|codigos?"
_KEYS = (
    r"tokens?|secrets?|secretos?|segredos?|jetons?|(?:api|secret|access|private|license|licence|product)"
    r"[ _-]?keys?"
    rf"|(?:clave|chave|cle|llave) (?:de |d')?(?:api|acceso|acesso|licencia|licenca)|{KEY}+"
)
# A line with a field that names a secret, among other fields.
_FIELD = (
    rf"[^|,;\t\n]{{0,24}}(?:(?:\b|_)(?:{_PASSWORDS}|{_PINS}|{_CODES}|{_KEYS})(?:\b|_)|{OTHER_SCRIPTS}+)"
    rf"[^|,;\t\n]{{0,24}}"
)
_HEADING = rf"(?:(?:^|\n)[ >]{{0,4}}|[|,;\t] ?|[^\s]\s{{2,}}){_FIELD}(?:[|,;\t]|\s{{2,}}|\r?\n|$)"
# What a field is wrapped in.
_WRAPS = b" \t\r*_`\"'~"
_DRAWN = b"-+=:| \t\r"
_HEAD = r"[a-z0-9 _./#()'\xaa\xac\x02\x03-]{0,32}"
_KINDS = {"password": _PASSWORDS, "pin": _PINS, "code": _CODES, "key": _KEYS}

# Where a server, its port, a user and a password stand in a row: `.pgpass`, lists of proxies.
ROWS = r":(?:[0-9]{2,5}|\*):[a-z*]"
_HOST = r"(?:\A|[\s\"'`(=])(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,8}|\*|/[\w./-]{1,64})"
_PORT_AND_USER = r":(?:[0-9]{2,5}|\*):(?:[a-z*][\w*$-]{0,62}:)?[a-z*][\w.@+*-]{0,63}:"
_ROW = rf"{_HOST}{_PORT_AND_USER}([^\s:\"'`\x00]{{4,128}})(?:[\s\"'`,;)]|\z)"
_PGPASS = r"[^:]+:(?:543[0-9]|6432|\*):[^:]+:[^:]+:[^:]+"
# A server after what may enter it, without the beginning of an address: `ana:S3cret@proxy.example:8080`.
_BEFORE_HOST = (
    r"(?:\A|[\s\"'`(=])[a-z][\w.+-]{0,63}:([^\s:@/\"'`\x00]{4,128})@[a-z0-9-]{1,63}(?:\."
    r"[a-z0-9-]{1,63}){0,8}:[0-9]{2,5}\b"
)
# The same as drivers of databases are told it: `ana:S3cret@tcp(db:3306)/shop`, `scott/T1ger@//db/orcl`.
_OF_DRIVER = (
    r"(?:\A|[\s\"'`(=])[a-z][\w.+-]{0,63}[:/]([^\s:@/\"'`\x00]{4,128})@"
    r"(?:(?:tcp[46]?|udp[46]?|unix|cloudsql[a-z]{0,8}|mysql|socket)\(|//[a-z0-9])"
)
_HOSTED = "@"
# The families of names that a heading may be of.
_NAMING = ("password", "pass", "slang", "pin", "code", "clave", "secret", OTHER_SCRIPTS)


def tables(raw: bytes, said: AbstractSet[str]) -> Iterator[Span]:
    """Find what stands under the heading of a secret, or last in a row; *said* is what the text names."""
    for source in (_ROW,) * (ROWS in said) + (_BEFORE_HOST, _OF_DRIVER) * (_HOSTED in said):
        for match in pattern(source, any_case=True).finditer(raw):
            value, row = match.group(1), match.group().strip(b" \n\t\"'`(=,;)")
            known = source == _OF_DRIVER or pattern(_PGPASS).fullmatch(row)
            if not is_innocent(value) and (known or is_strong(value, least=5)):
                yield Span(match.start(1), match.end(1), "password")
    if b"\n" in raw and not said.isdisjoint(_NAMING):
        yield from _under_headings(raw)


def _under_headings(raw: bytes) -> Iterator[Span]:
    done = 0
    for match in pattern(_HEADING, any_case=True, groups=False).finditer(raw):
        named = match.start() + len(match.group()) - len(match.group().lstrip())
        if named < done:
            continue
        done = _end_of_line(raw, named)
        line = raw[raw.rfind(b"\n", 0, named) + 1 : done]
        sign = _separator(line)
        fields = list(_fields(line, sign)) if sign else []
        columns = _columns([line[slice(*field)].lower() for field in fields])
        while columns and done < len(raw):
            start, done = done + 1, _end_of_line(raw, done + 1)
            row = raw[start:done]
            if not row.strip(_DRAWN):
                if row.strip():
                    continue
                break
            places = list(_fields(row, sign))
            if len(places) != len(fields):
                done = start - 1
                break
            yield from _in_row(row, start, places, columns, many=len(fields) > 2 or sign == b"|")


def _end_of_line(raw: bytes, start: int) -> int:
    end = raw.find(b"\n", start)
    return end if end >= 0 else len(raw)


def _separator(line: bytes) -> bytes:
    """Return what is between the fields of a line: the bar of a drawn table before all others."""
    drawn = line.lstrip().startswith(b"|") or b" |" in line
    for sign in (b"|", b"\t", b";", b","):
        # A list of words that goes on over lines ends in its sign; `a|b|c` is a choice.
        if sign in line.strip(b"|\r") and (drawn if sign == b"|" else line.rstrip()[-1:] != sign):
            return sign
    return b"  " if b"  " in line.strip() else b""


def _fields(line: bytes, sign: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each field of a line begins and ends, without what it is wrapped in."""
    between = chr(sign[0])
    source = r"\S+(?: \S+)*" if sign == b"  " else rf"[ ]?\"[^\"]*\"|[^{between}]+|{between}"
    empty = sign != b"  "
    for match in pattern(source).finditer(line):
        field = match.group()
        if field == sign:
            if empty:
                yield match.start(), match.start()
            empty = True
            continue
        empty = False
        inner = field.strip(_WRAPS)
        first = match.start() + field.find(inner)
        yield first, first + len(inner)


def _columns(heads: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return the columns whose head names a secret, if all the heads look like heads of columns."""
    if len(heads) < 2 or not all(map(pattern(_HEAD).fullmatch, heads)):
        return []
    found = []
    for place, head in enumerate(heads):
        words = head.replace(b"_", b" ")
        for kind, names in _KINDS.items() if OF_PASSWORDS.isdisjoint(words.split()) else ():
            if pattern(rf"(?:[^ ]+ ){{0,3}}(?:{names})(?: [^ ]+){{0,2}}").fullmatch(words):
                found.append((place, kind))
                break
    return found


def _in_row(
    row: bytes,
    offset: int,
    places: Sequence[tuple[int, int]],
    columns: Sequence[tuple[int, str]],
    *,
    many: bool,
) -> Iterator[Span]:
    for place, kind in columns:
        start, end = places[place]
        value = row[start:end]
        if kind == "code" and not _opens_something(row):
            continue
        if _is_secret(value, kind) and (many or not value.isalpha()):
            yield Span(offset + start, offset + end, "secret" if kind == "key" else "password")


def _opens_something(line: bytes) -> bool:
    return not PLACES.isdisjoint(word.decode() for word in pattern(r"[a-z0-9]+").findall(line.lower()))


def _is_secret(value: bytes, kind: str) -> bool:
    if len(value) < 3 or MASK in value or is_innocent(value) or is_word_about_passwords(value):
        return False
    if kind == "key":
        return is_key(value, 8)
    if value.strip(b"#*").isdigit() or pattern(COMBINATION).fullmatch(value):
        return kind != "password" or len(value) >= 4
    if b" " in value:
        return kind == "password" and bool(pattern(APP, any_case=True).fullmatch(value))
    plain = value.isalpha() and len(value) >= 5 and not value.lower().endswith(NO_PASSWORD_ENDINGS)
    joined = pattern(r"[a-z]{3,}(?:[-_.][a-z]{3,})+", any_case=True).fullmatch(
        value
    ) and not is_word_about_passwords(pattern(r"[-_.]").sub(b" ", value))
    return is_strong(value, least=4) or (kind == "password" and bool(plain or joined))
