"""What the finders of secrets share: spans, compiled patterns, and how random a word looks.

Patterns are matched against bytes in which every character is one byte, so
that places in the bytes are places in the text.
"""

import unicodedata
from collections.abc import Sequence
from functools import cache
from operator import ne
from typing import Any

from almario.named_tuples import NamedTuple

# Stands where a secret was found; no pattern matches it.
MASK = b"\0"
# Stands for every arrow, so that none is taken for the end of a <tag>.
ARROW = b"\xa6"

DIGITS = b"0123456789"
# What names a way to keep or to send something, and not what is kept.
TECHNIQUES = (
    r"(?:base|sha|md|utf|aes|wpa|oauth|rsa|argon|scrypt|bcrypt|pbkdf|blake|x(?:50|8))-?[0-9]+\w{0,8}(?:-\w+)?"
)

# Digits, small letters and capitals; everything else is a space.
_KINDS_OF_CHARACTER = bytes(
    48 if byte in DIGITS else 97 if 97 <= byte <= 122 else 65 if 65 <= byte <= 90 else 32
    for byte in range(256)
)
# The beginning of a word shows what it is; a hostile one may be a megabyte long.
_JUDGED = 256


class SecretSpan(NamedTuple):
    """A secret's place in the text, and what it is; unless *is_sure*, it may be something else."""

    start: int
    end: int
    kind: str
    is_sure: bool = True


class SecretPlace(NamedTuple):
    """A place where secrets stand: the groups of *source* are the value, judged as *judged_by* says.

    A text without its *sign*, in any case, has no such place.
    """

    sign: str
    source: str
    judged_by: str = "value"
    kind: str = "password"


@cache
def pattern(source: str, *, any_case: bool = False, groups: bool = True) -> Any:
    """Compile *source* to a pattern that takes linear time on any text."""
    import re2  # noqa: PLC0415 - 7 ms, and most text cannot hold a secret

    return re2.compile(source.encode("ascii"), _options(any_case=any_case, groups=groups))


def _options(*, any_case: bool = True, groups: bool = True) -> Any:
    import re2  # noqa: PLC0415 - as above

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.case_sensitive = not any_case
    options.never_capture = not groups
    # With the usual 8 MB a hostile text can drive the fast matcher out and the slow one in.
    options.max_mem = 32 << 20
    return options


@cache
def _chooser(sources: tuple[str, ...]) -> Any:
    import re2  # noqa: PLC0415 - as above

    chooser = re2.Set.SearchSet(_options())
    for source in sources:
        chooser.Add(source.encode("ascii"))
    chooser.Compile()
    return chooser


def which(sources: tuple[str, ...], raw: bytes) -> frozenset[int]:
    """Return which of these patterns occur in a text, in any case: all of them are sought in one go."""
    return frozenset(_chooser(sources).Match(raw) or ())


def digits_in(word: bytes) -> int:
    """Count the digits of a word or a text."""
    return len(word) - len(word.translate(None, DIGITS))


def has_digit(word: bytes) -> bool:
    return digits_in(word) > 0


def turns(word: bytes) -> int:
    """Count how often *word* changes between digits, small letters and capitals.

    Random text does so at every second character; words, dates and versions hardly ever.
    """
    return sum(sum(map(ne, part, part[1:])) for part in word.translate(_KINDS_OF_CHARACTER).split())


def looks_random(word: bytes) -> bool:
    """Return whether *word* is more like a generated key than like words joined together."""
    word = word[:_JUDGED]
    if has_digit(word):
        return turns(word) >= max(3, len(word) // 8)
    return len(word) >= 20 and turns(word) >= len(word) * 0.3


# Letters of other alphabets.
_OTHER = "\xaa"
_INVISIBLE = frozenset(
    (0, 0xAD, 0x061C, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065))
) | frozenset((*range(0x300, 0x370), *range(0xFE00, 0xFE10)))
_SIGNS = {
    " ": "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))),
    "-": "‐‑‒–—―−",
    '"': "“”„‟«»「」『』【】《》",
    "'": "‘’‚‛‹›´",
    ",": "、",
    ".": "。",
    ARROW.decode("latin-1"): "→⇒➜➔⟶➡",
    "$": "€£¥₹₿",
    "\n": "\x85\u2028\u2029",
}


class _Folding(dict[int, str | None]):
    """What each character is read as; None is not read at all."""

    def __missing__(self, code: int) -> str | None:
        self[code] = read = _read(code)
        return read


def _read(code: int) -> str:
    plain = unicodedata.normalize("NFKD", chr(code))[0]
    if unicodedata.digit(plain, None) is not None:
        return str(unicodedata.digit(plain))
    return plain if plain.isascii() else _OTHER


@cache
def _folding() -> _Folding:
    folding = _Folding({code: chr(code) for code in range(0xC0)} | dict.fromkeys(_INVISIBLE))
    folding.update({ord(each): sign for sign, all_of_it in _SIGNS.items() for each in all_of_it})
    return folding


def flat(text: str) -> tuple[bytes, Sequence[int]]:
    """Return *text* with one plain byte for each character, and the place in *text* of each byte."""
    if text.isascii() and "\0" not in text:
        return text.encode("ascii"), range(len(text))
    folding = _folding()
    raw = text.translate(folding).encode("latin-1")
    if len(raw) == len(text):
        return raw, range(len(text))
    return raw, [place for place, character in enumerate(text) if folding[ord(character)] is not None]


# With fewer digits there is no number, with no longer word no key that is a secret.
FEWEST_DIGITS, SHORTEST_KEY = 6, 14
# In every place of code where a value is a secret there is something of this; with none of it a short text is
# not searched by the patterns, which take long to load.
_OF_CODE = (
    *b"""= @ < > :// wifi: :543 :6432: :*: ": ", ': ', hook authorization bearer private cookie
    pass:""".split(),
    *(b" --", b" -u", b" -p", b" -a", b" /u", b"identified by"),
)
_SHORT = 400


def has_form(raw: bytes) -> bool:
    """Return whether a text of one byte for each character may hold what is secret by its form or place."""
    longest = max(map(len, raw.split()), default=0)
    long = len(raw) >= _SHORT or longest >= SHORTEST_KEY or b"\n" in raw
    return long or digits_in(raw) >= FEWEST_DIGITS or any(map(raw.lower().__contains__, _OF_CODE))
