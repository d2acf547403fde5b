"""The seeds of one-time passwords: base32, at a stretch or in fours, near what such a seed is called."""

from collections.abc import Iterator

from almario.text.secrets.patterns import Span, has_digit, pattern

_REACH = 90
NAMED = (
    r"\b(?:totp|hotp|otp|2fa|mfa|authenticator|autenticador|authentificateur|authy|otpauth|aegis|2-step)\b"
    r"|\bgoogle auth|(?:two|2|second)[ -](?:factor|step)|(?:doble|dos|segundo|dois|duas|deux"
    r"|double)[ -](?:factor|pasos|fator|etapas|facteur|etapes)|\bsemilla|\bsemente|\bseed\b|\bsetup key"
    r"|\bgraine|base ?32|\bqr\b|verificacion en dos|verificacao em duas"
)
# In capitals at a stretch, or in groups of four in either case.
_SEED = (
    r"\b(?:[A-Z2-7]{16,128}={0,6}|[a-z2-7]{16,128}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}"
    r"|(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4})(?:[^A-Za-z0-9_]|\z)"
)


def seeds(raw: bytes) -> Iterator[Span]:
    """Find seeds of one-time passwords in a text that speaks of them."""
    for match in pattern(_SEED).finditer(raw):
        seed = match.group().rstrip(b" \n\t\r.,;:!?)\"'`*_|&<>/]}")
        start, end = match.start(), match.start() + len(seed)
        letters = seed.translate(None, b" -=0123456789")
        near = raw[max(0, start - _REACH) : start] + b" " + raw[end : end + _REACH // 2]
        if has_digit(seed) and len(letters) * 2 >= len(seed) and pattern(NAMED, any_case=True).search(near):
            yield Span(start, end, "secret")
