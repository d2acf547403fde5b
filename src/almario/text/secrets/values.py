"""The value that stands where a secret could stand, and whether it is one."""

from collections.abc import Sequence

from almario.named_tuples import NamedTuple
from almario.text.secrets import ordinary_words as ordinary
from almario.text.secrets.patterns import CJK, Place, has_digit, looks_random, pattern, turns

WINDOW = 160
# Quotes as they are written inside of other quotes, in markup and in addresses.
QUOTES = r"(?:\\{1,3}[\"'`]|&(?:quot|apos|#34|#39);|%2[27]|\\u00(?:22|27))"
# Names of techniques, variables, dates, prices, rows of stars, and placeholders such as "your_password".
_INNOCENT = (
    r"(?:base|sha|md|utf|aes|wpa|oauth|rsa|argon|scrypt|bcrypt|x(?:50|8))-?[0-9]+\w*(?:-\w+)?|[0-9]+password"
    r"|[0-9]fa|[0-9]+(?:st|nd|rd|th)|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|\$[0-9].*|\$[a-z_]+|\$?\{.*|<[a-z].*"
    r"|%[sdr(].*|https?://.*|.\W*|[x*.#]+|\.\.\..*|[0-9]+/[0-9]+(?:/[0-9]+)?|(?:[a-z]+[ _-])*(?:your|my|the"
    r"|tu|mi|su|mon|ma|minha)?(?:password|passwd|pass|pwd|secret|token|key|contrasena|clave"
    r"|senha)(?:[_-][a-z]+)*|(?:your|insert|enter|paste|put|tu|aqui|replace)[_ -].*|.*[_-](?:here|aqui|ici)"
)
_KEY_LETTERS = r"[A-Za-z]{20,}|[A-Z]{16,}"

# Words joined, with a number; a digit among letters, and more after them.
_JOINED = r"[A-Za-z]{3,}(?:[._-][A-Za-z]{3,}){1,3}[._-]?[0-9]{1,4}[!?*#]?"
_LEET = r"[A-Za-z]*[A-Za-z][0-9]{1,2}[A-Za-z]{2,}[0-9!#$%&*@?]+"
_OTHERWISE = (
    r".*[/\\].*|.*@.*\..*|[A-Z]{2,6}-[0-9]+|v?[0-9]+(?:[.:,-][0-9a-z]+)+|[$#].*|.*\.[a-z]{2,4}|[a-z_]+=.*"
    r"|[0-9.,]+[a-z%]{1,4}|[a-z]+\.[a-z]+\.[a-z0-9.]+|[a-z]+_[a-z0-9_]+|&[a-z]+;|[a-z-]+:.*|.*\+[0-9]"
)


class Value(NamedTuple):
    start: int
    end: int
    word: bytes
    quoted: bool
    after: bytes


def value_at(raw: bytes, at: int, *, sign: bool) -> Value:
    """Return what stands at a place of the text; *sign* says that a sign and no verb stands before it."""
    window = raw[at : at + WINDOW]
    quote = window[:1]
    if quote in (b'"', b"'", b"`") and (close := window.find(quote, 1)) > 1 and b"\n" not in window[:close]:
        return Value(at + 1, at + close, window[1:close].partition(b"\0")[0], True, window[close + 1 :])
    if escaped := pattern(QUOTES, any_case=True).match(window):
        close = window.find(escaped.group(), escaped.end())
        if close > escaped.end() and b"\n" not in window[:close]:
            word = window[escaped.end() : close].partition(b"\0")[0]
            return Value(at + escaped.end(), at + close, word, True, window[close + escaped.end() :])
    words = window.split(None, 1)
    word = words[0].partition(b"\0")[0].partition(b'"')[0] if words else b""
    inner = word.lstrip(b"*_~([\"'`")
    start = at + len(window) - len(window.lstrip()) + len(word) - len(inner)
    for stop in (b"&", b";"):
        if stop in inner and b"=" in inner.partition(stop)[2] + b"=" * inner.endswith(stop):
            inner = inner.partition(stop)[0]
    if CJK not in inner[:1]:
        inner = inner.partition(CJK)[0]
    inner = inner.rstrip(b".,;:)]}>'`*_~" if sign else b".,;:)]}>'`*_~!?")
    return Value(start, start + len(inner), inner, False, raw[start + len(inner) : start + len(inner) + 40])


def is_innocent(word: bytes) -> bool:
    """Say whether *word* is the name of something, a date, a price or a placeholder."""
    return bool(pattern(_INNOCENT, any_case=True).fullmatch(word))


def is_key(word: bytes, least: int) -> bool:
    """Say whether what is called a key, a token or a secret looks like one."""
    if len(word) < least or b" " in word:
        return False
    if pattern(_KEY_LETTERS).fullmatch(word) or looks_random(word):
        return True
    return has_digit(word) and not word.isdigit() and turns(word) >= 2 and len(word) <= 24


def is_strong(word: bytes, *, least: int) -> bool:
    """Say whether a word has what passwords have: a digit among letters, a sign, or a capital inside."""
    if len(word) < least:
        return False
    letters = any(byte > 64 for byte in word)
    if has_digit(word):
        return letters or any(sign in word for sign in b"#*@!$%&+=~")
    inner = word.strip(b"!?")
    return any(sign in inner for sign in b"@#$%^&*+=~|!") or (
        inner != inner.upper() and inner[1:] != inner[1:].lower() and inner.isalpha()
    )


def is_word_about_passwords(text: bytes) -> bool:
    """Say whether a text is made of words that are said about passwords, or stand where one could."""
    words = text.lower().split()
    return ordinary.NO_PASSWORDS.union(ordinary.OF_PASSWORDS).issuperset(words)


def is_passphrase(words: Sequence[bytes]) -> bool:
    """Say whether words after "the password is" are the password, and say nothing about it."""
    about = (
        ordinary.NO_PASSWORDS | ordinary.OF_PASSWORDS | ordinary.SMALL_WORDS | ordinary.IN_SENTENCES
    ) - ordinary.ALSO_IN_PHRASES
    told = [word.strip(b".,;()!-") for word in words]
    few = len(ordinary.ALSO_IN_PHRASES.intersection(told)) <= len(told) // 4
    return few and about.isdisjoint(told) and not told[0].endswith(ordinary.NO_PASSWORD_ENDINGS)


def is_prose(words: Sequence[bytes]) -> bool:
    """Say whether words are a sentence, and not the words that open a purse."""
    small = ordinary.SMALL_WORDS.intersection(words)
    # The words of purses are hardly ever plurals, as what is listed is: "bread, eggs, apples".
    many = sum(word.endswith(b"s") and not word.endswith((b"ss", b"us", b"is")) for word in words)
    return not small <= ordinary.ALSO_IN_PHRASES or len(small) * 6 > len(words) or many * 6 >= len(words)


def is_unmistakable(word: bytes) -> bool:
    """Say whether a word can hardly be anything but a password."""
    letters = sum(65 <= byte <= 122 and byte not in b"[\\]^_`" for byte in word)
    if letters < 3 or not has_digit(word) or is_innocent(word) or pattern(_OTHERWISE).fullmatch(word):
        return False
    if any(sign in word[1:] for sign in b"!@#$%^&*?+=~"):
        return True
    joined = pattern(f"{_JOINED}|{_LEET}").fullmatch(word)
    return bool(joined or (turns(word) >= 2 and pattern(r"[a-z][0-9]+[a-z]").search(word) and len(word) >= 8))


def is_year(word: bytes) -> bool:
    return len(word) == 4 and word[:2] in (b"19", b"20")


def is_counted(after: bytes) -> bool:
    """Say whether a unit follows a number: "4821 times"."""
    following = after.lower().split(None, 1)
    return bool(following) and following[0].strip(b".,;:!?)") in ordinary.UNITS


def is_joined(word: bytes) -> bool:
    """Say whether four words or more are joined to one, as passphrases are."""
    return bool(pattern(r"[a-z]{3,}(?:[-_.][a-z]{3,}){3,}", any_case=True).fullmatch(word))


_WORD = r"[\"']?([^\s\"'\x00]{4,})"
# Who asks for a password on its input: `echo … | sudo -S`, `echo ana:… | chpasswd`.
_READERS = (
    r"(?:sudo (?:-[a-zA-Z-]{1,8} )?-S|(?:sudo )?(?:passwd|smbpasswd|cryptsetup|kinit|gpg|docker login"
    r"|podman login|helm registry login|ecryptfs-[a-z-]{4,24}|vncpasswd|xargs -0 vncpasswd)\b)"
)
COMMANDS = (
    Place(
        r"\s(?:-u|--user|--proxy-user)",
        r"\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[^\s:\"'\x00]{1,64}:([^\s\"'\x00]{3,})",
    ),
    Place(
        r"\s-[pPkw]|\s-U",
        r"\b(?:7z[ar]?\s[a-z]{1,2}\b[^\n]{0,80}?\s-p|(?:un)?zip\b[^\n]{0,60}?\s-P\s{0,2}"
        r"|unrar\s[a-z]\s[^\n]{0,60}?-p|openssl\s[a-z0-9]{2,12}\b[^\n]{0,80}?\s-k\s{1,2}"
        r"|mosquitto_[a-z]{2,4}\b[^\n]{0,120}?\s-P\s{1,2}|ldap[a-z]{3,8}\b[^\n]{0,120}?\s-w\s{1,2}"
        r"|ipmitool\b[^\n]{0,80}?\s-P\s{1,2}|(?:useradd|usermod|az login|vncdo|nxcmd|crackmapexec|netexec|nxc"
        r"|evil-winrm|sqlcmd|bcp|mongosh?|mongodump)\b[^\n]{0,80}?\s-(?:p|P|pw)\s{1,2}"
        r"|(?:plink|pscp|psftp)\b[^\n]{0,60}?\s-pw\s{1,2}|smbclient\b[^\n]{0,80}?\s-U\s{1,2}[^\s%]{1,40}%"
        r"|htpasswd\s-[a-z]{1,4}\s\S{1,80}\s\S{1,40}\s)" + _WORD,
    ),
    Place(
        r"sshpass|mysql|mariadb|redis-cli|docker login|pass(?:in|out) pass:|identified by|/user:|sudo -S",
        r"(?:\bsshpass -p\s?|\b(?:mysql|mariadb)\w{0,8}\b[^\n]{0,80}?\s-p"
        r"|\bredis-cli\b[^\n]{0,60}?\s-a\s{1,2}|\bdocker login\b[^\n]{0,80}?\s-p\s{1,2}"
        r"|\b(?:passin|passout) pass:|\bidentified by (?:password )?[\"']|\s/user:[^\s]{1,64}\s)" + _WORD,
    ),
    Place(
        r"chpasswd|newusers",
        r"\b(?:echo"
        r"|printf)(?: -[a-z]{1,2})?\s[\"']?[a-z_][\w.-]{0,31}:([^\s\"'\x00]{3,64}?)(?:\\n)?[\"']?\s{0,2}"
        r"\|\s{0,2}(?:sudo )?(?:chpasswd|newusers)|\b(?:chpasswd|newusers)\b[^\n<]{0,20}<<<\s{0,2}[\"']?"
        r"[a-z_][\w.-]{0,31}:([^\s\"'\x00]{3,64})",
    ),
    Place(
        r"\|\s{0,2}(?:sudo|passwd|smbpasswd|cryptsetup|kinit|gpg|docker|podman|helm|ecryptfs|vncpasswd"
        r"|xargs)",
        rf"\b(?:echo"
        rf"|printf)(?: -[a-z]{{1,2}})?\s[\"']?([^\s\"'\x00]{{4,64}}?)(?:\\n[^\s\"']{{0,64}})?[\"']?\s{{0,2}}"
        rf"\|\s{{0,2}}{_READERS}",
    ),
    Place(
        r"\bnet user|wpa_passphrase|dscl|mysqladmin|xfreerdp|/p:|kinit|cmdkey",
        r"(?:\bnet user [\w.-]{1,40} |\bwpa_passphrase (?:\"[^\"\n]{1,32}\"|'[^'\n]{1,32}'|\S{1,32}) "
        r"|\bdscl \S{1,20} -passwd /Users/\S{1,40} |\bmysqladmin\b[^\n]{0,60}? password "
        r"|\b[xw]l?freerdp\b[^\n]{0,80}? /p:|\bcmdkey\b[^\n]{0,80}? /pass:"
        r"|\bkinit\b[^\n]{0,60}<<<\s{0,2})[\"']?([^\s\"'/*\x00][^\s\"'\x00]{3,})",
    ),
    # `snyk auth …`, `ngrok config add-authtoken …`, `poetry config pypi-token.pypi …`.
    Place(
        r"\b(?:auth|login|[a-z-]{0,8}token|activate|register)(?:[.:][\w.-]{1,40})?\s",
        r"(?:\A|[\n`$>;&|(\"':]\s{0,3}|\b(?:npx|sudo|run|bunx|exec|with|con|avec"
        r"|com) )[a-z][a-z0-9_.-]{1,24} (?:(?:config|set|auth|account|cloud|add)[a-z:-]{0,12} ){0,2}(?:auth"
        r"|login|authenticate|(?:[a-z]{1,10}-)?(?:auth)?token|auth:token|activate"
        r"|register)(?:[.:][\w.-]{1,40})?(?: --?[a-z-]{1,16})?[ =][\"']?([a-z0-9_.~+/=-]{16,})",
        "random",
        "token",
    ),
    # What a package manager enters a private registry with: `bundle config gems.example.com ana:…`.
    Place(
        r"\bconfig\s",
        r"\b(?:bundle|composer|poetry|npm|yarn|pnpm|pip|nuget|conan|gem|hex|mix)\s(?:config|hex)\s"
        r"(?:(?:set|add|edit"
        r"|--?[a-z-]{1,12})\s){0,3}[\"']?[\w.:/@*-]{3,120}[\"']?[ =][\"']?(?:[\w.@+-]{1,64} )?"
        r"(?:[\w.@+-]{1,64}:)?([^\s\"':/\x00]{6,128})",
        "strong key",
    ),
)
