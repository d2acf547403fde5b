"""What the finders of secrets share: spans, compiled patterns, and how random a word looks.

Patterns are matched against bytes in which every character is one byte, so
that places in the bytes are places in the text.
"""

import string
from functools import cache
from operator import ne
from typing import Any, NamedTuple

# Stands where a secret was found; no pattern matches it.
MASK = b"\0"
# Stands for every arrow, so that none is taken for the end of a <tag>.
ARROW = b"\xa6"
# Stands for every character of a script that puts no spaces between words.
CJK = b"\xac"

DIGITS = string.digits.encode()

# Digits, small letters and capitals; everything else is a space.
_KINDS_OF_CHARACTER = bytes(
    48 if byte in DIGITS else 97 if 97 <= byte <= 122 else 65 if 65 <= byte <= 90 else 32
    for byte in range(256)
)
# The beginning of a word shows what it is; a hostile one may be a megabyte long.
_JUDGED = 256


class Span(NamedTuple):
    """A secret's place in the text, and what it is."""

    start: int
    end: int
    kind: str


class Place(NamedTuple):
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
    """Say whether *word* is more like a generated key than like words joined together."""
    word = word[:_JUDGED]
    if has_digit(word):
        return turns(word) >= max(3, len(word) // 8)
    return len(word) >= 20 and turns(word) >= len(word) * 0.3
