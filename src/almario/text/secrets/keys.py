"""Secrets that show by their own form: vendors' keys, tokens, private keys, and strings made at random."""

from collections.abc import Iterator

from almario.text.secrets.patterns import Span, digits_in, looks_random, pattern, turns
from almario.text.secrets.tables import AGENT_IDS, ASKED, SURE

# No key is shorter, so text without a word this long needs no look.
# A string that nothing announces must be this long to be taken for a secret.
_BARE = 20


# Forms that are believed as they are, and those that must look random too.
_SURE = {r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}": "token", SURE: "api-key"}
_ASKED = {ASKED: "api-key", AGENT_IDS: "agent-id"}
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


def keys(raw: bytes) -> Iterator[Span]:
    """Find secrets that need no label; *raw* is text with one byte for each character."""
    for source, kind in (_SURE | _ASKED).items():
        for match in pattern(source).finditer(raw):
            if source in _SURE or looks_random(match.group()):
                yield Span(match.start(), match.end(), kind)


def bare(raw: bytes) -> Iterator[Span]:
    """Find words that nothing announces and that nobody would write: long, and of every kind of letter."""
    place = 0
    while match := pattern(_WORD).search(raw, place):
        start, place = match.span(1)
        word = raw[start:place].rstrip(b".")
        if is_made_at_random(word) and b"ssh-" not in raw[max(0, start - 24) : start]:
            yield Span(start, start + len(word), "secret")


def is_made_at_random(word: bytes) -> bool:
    """Say whether a word without a label can only be a generated key."""
    letters = word.translate(None, b"+/_.~-=")
    digits = digits_in(letters)
    if len(letters) < _BARE or digits < max(2, len(letters) // 12) or letters.upper() == letters:
        return False
    mixed = letters.lower() != letters
    often = len(letters) * (0.46 if digits < 3 else 0.4)
    plain = not mixed and all(byte in b"0123456789abcdef" for byte in letters)
    return turns(letters) >= often and not plain and not pattern(_PUBLIC).fullmatch(word)


def wrapped(raw: bytes) -> Iterator[Span]:
    """Find keys that were cut at the end of a line before their form could be seen."""
    if not any(len(line) >= 8 and len(line.split(None, 1)) == 1 for line in raw.split(b"\n")[1:]):
        return
    for match in pattern(r"[\w+/=.~-]{4,128}" + _NEXT).finditer(raw):
        start, first = match.start(), pattern(r"[\w+/=.~-]+").match(raw, match.start()).end()
        pieces = [(start, first), *_rest(raw, first)]
        joined = b"".join(raw[slice(*piece)] for piece in pieces)
        for source, kind in _SURE.items():
            found = pattern(source).search(joined)
            if found and found.start() < first - start < found.end():
                yield Span(start + found.start(), pieces[-1][1], kind)
                break


def continued(raw: bytes, span: Span) -> Span:
    """Return a key with the lines it goes on over."""
    return span._replace(end=[(0, span.end), *_rest(raw, span.end)][-1][1])


def _rest(raw: bytes, end: int) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a key on the lines after the one where it was cut."""
    for _ in range(_PIECES):
        match = pattern(_NEXT).match(raw, end)
        if not match or turns(match.group(1)) < max(2, len(match.group(1)) // 8):
            return
        yield match.span(1)
        end = match.end(1)


def private_keys(raw: bytes) -> Iterator[Span]:
    """Find private keys from their first line to their last, or as far as an unfinished one goes."""
    ends = pattern(_END).finditer(raw)
    end = next(ends, None)
    begins = list(pattern(_BEGIN).finditer(raw))
    for place, begin in enumerate(begins):
        while end and end.start() < begin.end():
            end = next(ends, None)
        limit = begins[place + 1].start() if place + 1 < len(begins) else len(raw)
        if end and end.end() <= limit:
            yield Span(begin.start(), end.end(), "private-key")
        else:
            body = pattern(_BODY).match(raw, begin.end(), limit).group().rstrip()
            yield Span(begin.start(), begin.end() + len(body), "private-key")
