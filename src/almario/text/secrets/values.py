"""Whether a value in the place of a secret looks like one."""

from almario.text.secrets.patterns import has_digit, looks_random, pattern, turns

# What stands for a secret in an example: "password", "your_token".
_NAME = (
    r"(?:your|my|the|tu|mi|su|mon|ma|minha)?"
    r"(?:password|passwd|pass|pwd|secret|token|key|contrasena|clave|senha)"
)
# Names of techniques, variables, dates, prices, rows of stars, and placeholders such as "your_password".
_INNOCENT = (
    r"(?:base|sha|md|utf|aes|wpa|oauth|rsa|argon|scrypt|bcrypt|x(?:50|8))-?[0-9]+\w*(?:-\w+)?|[0-9]+password"
    r"|[0-9]fa|[0-9]+(?:st|nd|rd|th)|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|\$[0-9].*|\$[a-z_]+|\$?\{.*|<[a-z].*"
    r"|%[sdr(].*|https?://.*|.\W*|[x*.#]+|\.\.\..*|[0-9]+/[0-9]+(?:/[0-9]+)?|(?:[a-z]+[ _-])*"
    rf"{_NAME}(?:[_-][a-z]+)*|(?:your|insert|enter|paste|put|tu|aqui|replace)[_ -].*|.*[_-](?:here|aqui|ici)"
)
_KEY_LETTERS = r"[A-Za-z]{20,}|[A-Z]{16,}"


def is_innocent(word: bytes) -> bool:
    """Return whether *word* is the name of something, a date, a price or a placeholder."""
    return bool(pattern(_INNOCENT, any_case=True).fullmatch(word))


def is_placeholder(word: bytes) -> bool:
    """Return whether *word* only stands for a secret: "postgres://user:password@host"."""
    return word[:1] in (b"<", b"$", b"{", b"*") or bool(pattern(_NAME, any_case=True).fullmatch(word))


def is_key(word: bytes, least: int) -> bool:
    """Return whether what is called a key, a token or a secret looks like one."""
    if len(word) < least or b" " in word:
        return False
    if pattern(_KEY_LETTERS).fullmatch(word) or looks_random(word):
        return True
    return has_digit(word) and not word.isdigit() and turns(word) >= 2 and len(word) <= 24


def is_strong(word: bytes, *, least: int) -> bool:
    """Return whether a word has what passwords have: a digit among letters, a sign, or a capital inside."""
    if len(word) < least:
        return False
    letters = any(byte > 64 for byte in word)
    if has_digit(word):
        return letters or any(sign in word for sign in b"#*@!$%&+=~")
    inner = word.strip(b"!?")
    return any(sign in inner for sign in b"@#$%^&*+=~|!") or (
        inner != inner.upper() and inner[1:] != inner[1:].lower() and inner.isalpha()
    )
