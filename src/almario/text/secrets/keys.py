"""Secrets that show by their own form or their place.

By form: vendors' keys, tokens, private keys, and strings made at random. By place: in addresses, headers,
cookies, markup and commands, where the place says what a value is.
"""

import re
from collections.abc import Callable, Collection, Iterator

from almario.text.secrets.forms import LIKELY, SURE
from almario.text.secrets.patterns import (
    TECHNIQUES,
    SecretPlace,
    SecretSpan,
    digits_in,
    has_digit,
    looks_random,
    pattern,
    turns,
)

# The forms, with the kind of what has them.
_SURE = {r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}": "token", SURE: "api-key"}
# The forms, with every long run cut short: what has none of these has none of those. The exact ones take four
# times as long to compile, and most texts need none.
_ROUGH = re.sub(r"\{\d{2,}(?:,\d*)?\}", "{5,}", SURE)
# A string that nothing announces must be this long to be taken for a secret.
_BARE = 20
# Words that are set apart on both sides; what is inside an address, a path or a call is not.
_WORD = r"(?:\A|[\s\"'`(*<])([A-Za-z0-9+/_.~-]{20,128}={0,2})(?:\z|[\s\"'`)*>,;:!?])"
# What is as random and known to all: checksums, public keys, places in chains and packages.
_PUBLIC = (
    r"(?:sha(?:1|256|384|512)|md5|h1)[-:].*|AAAA[A-Z].*|MII[A-Z].*|Qm[1-9A-Za-z]{44}|baf.*|0x[0-9a-fA-F]+"
    r"|[13][1-9A-HJ-NP-Za-km-z]{25,34}|[txyz]pub.*|pk_.*|pk\.eyJ.*|[./~].*|.*//.*|.*\.[A-Za-z]{2,4}"
    r"|iVBOR.*|R0lGOD.*"
)
_BEGIN = r"-{4,5} ?BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-Lines: [0-9]+"
_END = r"-{4,5} ?END [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
# What follows a beginning without an end: header lines and long words; a short one only as the last.
_BODY = (
    r"(?:\s|\\[nr]|[\"'+>|]|[A-Z][A-Za-z-]{3,20}: [^\n\\]{0,80}(?:\n|\\n)|[A-Za-z0-9+/=]{16,})*"
    r"(?:[A-Za-z0-9+/=]+\s*\z)?"
)
# A word alone on the line after one that ends in a key: a key that was wrapped goes on with it.
_NEXT = r"[\"']?[ \t+]{0,4}\\?\r?\n[ \t>|\"'+]{0,12}([\w+/=.~-]{4,128})[\"'.,;)]{0,3}[ \t\\]*(?:\z|\r?\n)"
_PIECES = 8


def keys(raw: bytes) -> Iterator[SecretSpan]:
    """Find secrets that need no label; *raw* is text with one byte for each character."""
    for source, kind in _SURE.items():
        if source == SURE and not pattern(_ROUGH, groups=False).search(raw):
            continue
        for match in pattern(source).finditer(raw):
            yield SecretSpan(match.start(), match.end(), kind)
    for match in pattern(LIKELY).finditer(raw):
        if looks_random(match.group()):
            yield SecretSpan(match.start(), match.end(), "api-key", is_sure=False)


def bare(raw: bytes) -> Iterator[SecretSpan]:
    """Find words that nothing announces and that nobody would write: long, and of every kind of letter."""
    place = 0
    while match := pattern(_WORD).search(raw, place):
        start, place = match.span(1)
        word = raw[start:place].rstrip(b".")
        if _is_made_at_random(word) and b"ssh-" not in raw[max(0, start - 24) : start]:
            yield SecretSpan(start, start + len(word), "secret", is_sure=False)


def _is_made_at_random(word: bytes) -> bool:
    """Return whether a word without a label can only be a generated key."""
    letters = word.translate(None, b"+/_.~-=")
    digits = digits_in(letters)
    if len(letters) < _BARE or digits < max(2, len(letters) // 12) or letters.upper() == letters:
        return False
    mixed = letters.lower() != letters
    often = len(letters) * (0.46 if digits < 3 else 0.4)
    plain = not mixed and all(byte in b"0123456789abcdef" for byte in letters)
    return turns(letters) >= often and not plain and not pattern(_PUBLIC).fullmatch(word)


def wrapped(raw: bytes) -> Iterator[SecretSpan]:
    """Find keys that were cut at the end of a line before their form could be seen."""
    first = 0
    # The word on the next line may begin a key itself, so it is looked at again.
    while match := pattern(r"[\w+/=.~-]{4,128}" + _NEXT).search(raw, first):
        start, first = match.start(), pattern(r"[\w+/=.~-]+").match(raw, match.start()).end()
        pieces = [(start, first), *_rest(raw, first)]
        joined = b"".join(raw[slice(*piece)] for piece in pieces)
        for source, kind in _SURE.items():
            found = pattern(source).search(joined)
            if found and found.start() < first - start < found.end():
                yield SecretSpan(start + found.start(), pieces[-1][1], kind)
                break


def _rest(raw: bytes, end: int) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a key on the lines after the one where it was cut."""
    for _ in range(_PIECES):
        match = pattern(_NEXT).match(raw, end)
        if not match or turns(match.group(1)) < max(2, len(match.group(1)) // 8):
            return
        yield match.span(1)
        end = match.end(1)


def private_keys(raw: bytes) -> Iterator[SecretSpan]:
    """Find private keys from their first line to their last, or as far as an unfinished one goes."""
    ends = pattern(_END).finditer(raw)
    end = next(ends, None)
    begins = list(pattern(_BEGIN).finditer(raw))
    for place, begin in enumerate(begins):
        while end and end.start() < begin.end():
            end = next(ends, None)
        limit = begins[place + 1].start() if place + 1 < len(begins) else len(raw)
        if end and end.end() <= limit:
            yield SecretSpan(begin.start(), end.end(), "private-key")
        else:
            body = pattern(_BODY).match(raw, begin.end(), limit).group().rstrip()
            yield SecretSpan(begin.start(), begin.end() + len(body), "private-key")


_NAMES = (
    r"(?:[a-z0-9_.-]{0,24}(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|signature"
    r"|credential)|[a-z0-9_.-]{0,16}(?:pwd|jwt|sig)|auth[a-z_]{0,8}|otp|pass|pin|contrasena|senha|clave)"
)
# What settings of programs are called.
_SETTINGS = (
    r"(?:[a-z0-9_.$-]{0,40}(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key"
    r"|private[_-]?key|signing[_-]?key|account[_-]?key|[a-z0-9]_pass|psk|contrasena|senha)(?:_[a-z0-9_]{1,20})?)"
)
_MAYBE_NAMES = (
    r"(?:key|appid|code|session|session[_-]?id|sid|ticket|hash|invite|nonce|state|k|t|s|h|p|magic|verify)"
)

_HOST = r"(?:\A|[\s\"'`(=])(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,8}|\*|/[\w./-]{1,64})"
_PLACES = (
    SecretPlace("://", r"[a-z]://[^\s/:@\"'\x00]*:([^\s/?\x00]+)@[\w\[]", "given"),
    SecretPlace("://", r"[a-z]://([^\s/:@?#\"'\x00]{16,})@[\w\[]", "random", "token"),
    SecretPlace(
        r"hooks?\.|webhooks|ifttt",
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks"
        r"|hooks\.zapier\.com/hooks/catch|hook\.[a-z0-9.]{0,12}make\.com|webhook\.office\.com/webhookb2"
        r"|ifttt\.com/trigger/[\w-]{1,64}(?:/json)?/with/key)/([a-z0-9/_@-]{12,})",
        "given",
        "token",
    ),
    SecretPlace(
        "://",
        r"://[^\s\"'<>\x00]{1,200}/(?:[a-z_-]{0,16}(?:reset|magic|invite|invitation|verify|confirm|activate"
        r"|recover|unsubscribe|token|auth|login|share)[a-z_-]{0,16})/([a-z0-9_-]{16,})",
        "random",
        "token",
    ),
    # Who serves a chain or a model knows a caller by the last part of the path.
    SecretPlace(
        "://",
        r"://[a-z0-9.-]{0,60}\b(?:alchemy(?:api)?|infura|quiknode|quicknode|ankr|blastapi|getblock|chainstack"
        r"|drpc|moralis|moralis-nodes|tenderly|nodereal|onfinality|pokt|zmok|rpcfast|dwellir|allthatnode"
        r"|chainnodes|helius-rpc|syndica|triton|rpcpool|nownodes|bloxroute"
        r"|1rpc)\.[a-z]{2,8}/(?:[a-z0-9_.-]{1,24}/){0,4}([a-z0-9_-]{16,})",
        "random",
        "token",
    ),
    # What the square picture of a network says: WIFI:T:WPA;S:Home;P:…;;
    SecretPlace(
        "wifi:",
        r"\bwifi:(?:[a-z0-9]{1,4}:(?:\\.|[^;\\\n\x00]){0,64};){0,6}?p:((?:\\.|[^;\\\n\x00]){3,64})",
        "given",
    ),
    SecretPlace(r"[?&#][a-z0-9_.-]{1,40}=", rf"[?&#]{_NAMES}=([^&\s#\"'<>()\x00]{{4,}})", "named", "secret"),
    SecretPlace(
        r"[?&#][a-z0-9_.-]{1,40}=", rf"[?&]{_MAYBE_NAMES}=([^&\s#\"'<>()\x00]{{10,}})", "random", "secret"
    ),
    SecretPlace(
        "authorization",
        r"authorization[\"']?\s{0,3}[:=,]\s{0,3}[\"']?(?:basic|token|apikey|bearer|digest|negotiate)\s{1,3}"
        r"([a-z0-9_.~+/=:-]{6,})",
        "value",
        "token",
    ),
    SecretPlace(
        "bearer", r"\bbearer(?:\s{1,3}|:\s{0,3}|\s{1,3}token:?\s{1,3})([a-z0-9_.~+/=%-]{12,})", "key", "token"
    ),
    SecretPlace(
        r"(?:sess|sid|session|id)=",
        r"\b[\w.-]{0,24}(?:session|sess|sid|sessid|session_?id)=([^;\s&\"'<>()\x00]{10,})",
        "key",
        "token",
    ),
    SecretPlace(
        r"</",
        r"<(?:[a-z0-9]{1,12}:)?[a-z0-9_.-]{0,24}(?:password|passwd|pwd|secret|token|api[_-]?key|contrasena)"
        r"(?: [^>\n]{0,80})?>\s{0,4}([^<\s]{3,})\s{0,4}</",
    ),
    # What is given a value as programs do it: `DB_PASSWORD=…`, `"client_secret": "…"`, `--token …`.
    SecretPlace(
        "=",
        rf"(?:\A|[^a-z0-9]){_SETTINGS}[\"']?\]?(?:=|\s{{0,3}}(?::=|=>?)\s{{0,3}}[\"'])[\"']?([^\s\"'&;,<>()\[\]\x00]{{4,}})"
        r"(?:[\s\"'&;,<>)\]]|\z)",
        "assigned",
    ),
    SecretPlace(
        r"[\"']\s{0,3}:",
        rf"[\"']{_SETTINGS}\\?[\"']\s{{0,3}}:\s{{0,3}}\\?[\"']([^\s\"'\\\x00]{{4,}})\\?[\"']",
        "assigned",
    ),
    SecretPlace(
        r"--[a-z]",
        r"\s--[a-z-]{0,16}(?:pass|password|passwd|token|api-?key|secret|key|auth)(?:=|\s{1,2})[\"']?([^\s\"'\x00-][^\s\"'\x00]{3,})",
        "assigned",
    ),
    # A server, its port, a user and a password in a row, as in `.pgpass`.
    SecretPlace(
        r":(?:543[0-9]|6432|\*):",
        rf"{_HOST}:(?:543[0-9]|6432|\*):[\w*$-]{{1,63}}:[\w.@+*-]{{1,64}}:([^\s:\"'`\x00]{{4,128}})(?:[\s\"'`,;)]|\z)",
    ),
    # A server after what may enter it: `ana:S3cret@proxy.example:8080`, `ana:S3cret@tcp(db:3306)/shop`.
    SecretPlace(
        "@",
        r"(?:\A|[\s\"'`(=])[a-z][\w.+-]{0,63}:([^\s:@/\"'`\x00]{4,128})@[a-z0-9-]{1,63}(?:\."
        r"[a-z0-9-]{1,63}){0,8}:[0-9]{2,5}\b",
        "strong",
    ),
    SecretPlace(
        "@",
        r"(?:\A|[\s\"'`(=])[a-z][\w.+-]{0,63}[:/]([^\s:@/\"'`\x00]{4,128})@"
        r"(?:(?:tcp[46]?|udp[46]?|unix|cloudsql[a-z]{0,8}|mysql|socket)\(|//[a-z0-9])",
    ),
    # Commands that are given a password.
    SecretPlace(
        r"\s(?:-u|--user|--proxy-user)",
        r"\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[^\s:\"'\x00]{1,64}:([^\s\"'\x00]{3,})",
    ),
    SecretPlace(
        r"sshpass|mysql|mariadb|redis-cli|docker login|pass(?:in|out) pass:|identified by|/user:",
        r"(?:\bsshpass -p\s?|\b(?:mysql|mariadb)\w{0,8}\b[^\n]{0,80}?\s-p"
        r"|\bredis-cli\b[^\n]{0,60}?\s-a\s{1,2}|\bdocker login\b[^\n]{0,80}?\s-p\s{1,2}"
        r"|\b(?:passin|passout) pass:|\bidentified by (?:password )?[\"']|\s/user:[^\s]{1,64}\s)"
        r"[\"']?([^\s\"'\x00]{4,})",
    ),
)

COOKIE = "cookie"
SIGNS = (*dict.fromkeys(place.sign for place in _PLACES), COOKIE)
_COOKIES = r"\bcookies?[\"']?\s{0,3}[:=]\s{0,3}([^\n\x00]+)"
_COOKIE = r"([\w.%-]{1,64})=([^;\s\"',]{6,})"
_NO_COOKIES = frozenset(b"path domain expires max-age samesite version lang theme locale priority".split())


def places(raw: bytes, sought: Collection[str]) -> Iterator[SecretSpan]:
    """Find values that are secret because of where they stand; *sought* are the signs that the text has."""
    for place in _PLACES:
        if place.sign in sought:
            for match in pattern(place.source, any_case=True).finditer(raw):
                start, end = match.span(1)
                if _is_secret(raw[start:end].rstrip(b".,;`"), place.judged_by):
                    yield SecretSpan(start, end, place.kind)
    if COOKIE in sought:
        for header in pattern(_COOKIES, any_case=True).finditer(raw):
            for match in pattern(_COOKIE).finditer(raw, *header.span(1)):
                name, value = (raw[slice(*match.span(group))] for group in (1, 2))
                if name.lower() not in _NO_COOKIES and (has_digit(value) or _is_key(value, 8)):
                    yield SecretSpan(match.start(2), match.end(2), "token")


# What stands for a secret in an example: "password", "your_token".
_EXAMPLE = (
    r"(?:your|my|the|tu|mi|su|mon|ma|minha)?"
    r"(?:password|passwd|pass|pwd|secret|token|key|contrasena|clave|senha)"
)
# Names of techniques, variables, dates, prices, rows of stars, and placeholders such as "your_password".
_INNOCENT = (
    rf"{TECHNIQUES}|[0-9]+password"
    r"|[0-9]fa|[0-9]+(?:st|nd|rd|th)|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|\$[0-9].*|\$[a-z_]+|\$?\{.*|<[a-z].*"
    r"|%[sdr(].*|https?://.*|.\W*|[x*.#]+|\.\.\..*|[0-9]+/[0-9]+(?:/[0-9]+)?|(?:[a-z]+[ _-])*"
    rf"{_EXAMPLE}(?:[_-][a-z]+)*|(?:your|insert|enter|paste|put|tu|aqui|replace)[_ -].*"
    r"|.*[_-](?:here|aqui|ici)"
)
_KEY_LETTERS = r"[A-Za-z]{20,}|[A-Z]{16,}"


def _is_innocent(word: bytes) -> bool:
    """Return whether *word* is the name of something, a date, a price or a placeholder."""
    return bool(pattern(_INNOCENT, any_case=True).fullmatch(word))


def _is_placeholder(word: bytes) -> bool:
    """Return whether *word* only stands for a secret: "postgres://user:password@host"."""
    return word[:1] in (b"<", b"$", b"{", b"*") or bool(pattern(_EXAMPLE, any_case=True).fullmatch(word))


def _is_key(word: bytes, least: int) -> bool:
    """Return whether what is called a key, a token or a secret looks like one."""
    if len(word) < least or b" " in word:
        return False
    if pattern(_KEY_LETTERS).fullmatch(word) or looks_random(word):
        return True
    return has_digit(word) and not word.isdigit() and turns(word) >= 2 and len(word) <= 24


def _is_strong(word: bytes) -> bool:
    """Return whether a word has what passwords have: a digit among letters, a sign, or a capital inside."""
    if len(word) < 5:
        return False
    letters = any(byte > 64 for byte in word)
    if has_digit(word):
        return letters or any(sign in word for sign in b"#*@!$%&+=~")
    inner = word.strip(b"!?")
    return any(sign in inner for sign in b"@#$%^&*+=~|!") or (
        inner != inner.upper() and inner[1:] != inner[1:].lower() and inner.isalpha()
    )


def _is_secret(word: bytes, judge: str) -> bool:
    if judge == "given":
        return not _is_placeholder(word)
    return not _is_innocent(word) and _JUDGES[judge](word)


_JUDGES: dict[str, Callable[[bytes], bool]] = {
    "random": looks_random,
    "key": lambda word: _is_key(word, 12),
    "strong": _is_strong,
    "named": lambda word: has_digit(word) or len(word) >= 8,
    "assigned": lambda word: _is_strong(word) and (b"_" not in word or turns(word) >= 3),
    "value": lambda word: not word.isdigit(),
}
