"""Take secrets out of text before it is kept: keys, passwords, cards, accounts and telephones.

What is found is replaced by `[redacted:kind]`. Letters with accents, wide
digits and unusual spaces count as the plain ones, and invisible characters
inside a secret do not hide it.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from almario.domain.options import Group, option, switch
from almario.domain.secrets.keys import SHORTEST, keys, private_keys
from almario.domain.secrets.labels import labelled
from almario.domain.secrets.numbers import FEWEST_DIGITS, cards, ibans, telephones
from almario.domain.secrets.shapes import ARROW, DIGITS, MASK, Span, pattern

# Taking one secret out may show another; more rounds than this only a text made for it needs.
ROUNDS = 4

_PLACEHOLDER = r"\[redacted:[a-z-]{1,20}\]"
# One byte for every character that has no better one, and one that keeps a true "?" apart from it.
_OTHER, _QUESTION = b"\xaa", "\x01"


class RedactionSettings(Group):
    enabled: bool = switch("Take secrets out of what is remembered, logged and sent for learning.")
    phones: bool = switch("Count telephone numbers as secrets.")
    region: str = option("", "The country whose numbers are written without a prefix, such as ES or US.")
    transcripts: bool = option(False, "Take secrets out of transcripts too.")


class Redacted(NamedTuple):
    """A text without its secrets; *share* is how much of it was secret, from 0 to 1."""

    text: str
    kinds: tuple[str, ...]
    share: float


def redact(text: str, *, region: str = "", key: str = "", phones: bool = True) -> Redacted:
    """Replace the secrets in *text*; *key* is what it is stored under, which may show that it is one."""
    label = f"{key}: " if key else ""
    raw, places = _flat(label + text)
    skipped = len(label)
    spans = [
        Span(max(places[start] - skipped, 0), places[end - 1] + 1 - skipped, kind)
        for start, end, kind in _merged(_found(raw, region if phones else None))
        if places[end - 1] >= skipped
    ]
    if not spans:
        return Redacted(text, (), 0.0)
    pieces: list[str] = []
    hidden = done = 0
    for start, end, kind in spans:
        pieces += (text[done:start], f"[redacted:{kind}]")
        hidden += _weight(text[start:end])
        done = end
    pieces.append(text[done:])
    return Redacted(
        "".join(pieces), tuple(dict.fromkeys(span.kind for span in spans)), hidden / _weight(text)
    )


def _weight(text: str) -> int:
    return sum(map(len, text.split()))


def _flat(text: str) -> tuple[bytes, Sequence[int]]:
    """Return *text* with one plain byte for each character, and the place in *text* of each byte."""
    if text.isascii() and "\0" not in text:
        return text.encode("ascii"), range(len(text))
    plain, invisible = _folding()
    folded = text.translate(plain).replace("?", _QUESTION)
    places: Sequence[int] = range(len(text))
    if len(folded) < len(text):
        places = [place for place, character in enumerate(text) if character not in invisible]
    raw = folded.encode("latin-1", "replace").translate(bytes.maketrans(b"?\x01", _OTHER + b"?"))
    return raw, places


@cache
def _folding() -> tuple[dict[int, str | None], frozenset[str]]:
    """Return what each character is read as, and the characters that are not read at all."""
    invisible = frozenset(map(chr, (0, 0xAD, 0x061C, 0xFEFF, *range(0x200B, 0x2010), *range(0x2060, 0x2065))))
    invisible |= frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x300, 0x370), *range(0xFE00, 0xFE10))))
    # A character that is not in the table is slow to translate, so the usual ones are.
    plain: dict[int, str | None] = {code: chr(code) for code in range(0x100)}
    plain |= {code: unicodedata.normalize("NFD", chr(code))[0] for code in range(0xC0, 0x180)}
    plain |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    plain |= {first + digit: str(digit) for first in (0x0660, 0x06F0, 0x0966) for digit in range(10)}
    signs = {
        " ": "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))),
        "-": "‐‑‒–—―−",
        '"': "“”„‟«»",
        "'": "‘’‚‛‹›´",
        ARROW.decode("latin-1"): "→⇒➜➔⟶➡",
        "$": "€£¥₹₿",
        "\n": "\x85\u2028\u2029",
    }
    plain |= {ord(each): sign for sign, all_of_it in signs.items() for each in all_of_it}
    plain |= {ord(character): None for character in invisible}
    return plain, invisible


def _found(raw: bytes, region: str | None) -> Iterator[Span]:
    if b"[redacted:" in raw:
        raw = _masked(
            raw, [Span(each.start(), each.end(), "") for each in pattern(_PLACEHOLDER).finditer(raw)]
        )
    for _ in range(ROUNDS):
        fresh = list(_round(raw, region))
        if not fresh:
            return
        yield from fresh
        raw = _masked(raw, fresh)


def _round(raw: bytes, region: str | None) -> Iterator[Span]:
    """Yield the secrets of each kind, asking first whether the text can hold one at all."""
    # A word is sought several times faster in text than in bytes.
    low = raw.decode("latin-1").lower()
    if "private" in low:
        yield from private_keys(raw)
    if "://" in low or max(map(len, raw.split()), default=0) >= SHORTEST:
        yield from keys(raw)
    yield from labelled(raw, low)
    digits = len(raw) - len(raw.translate(None, DIGITS))
    if digits >= 10:
        yield from ibans(raw)
        yield from cards(raw)
    elif "cv" in low and digits >= 3:
        yield from cards(raw)
    if region is not None and digits >= FEWEST_DIGITS and (region or b"+" in raw):
        yield from telephones(raw, region)


def _masked(raw: bytes, spans: Sequence[Span]) -> bytes:
    out = bytearray(raw)
    for start, end, _ in spans:
        out[start:end] = MASK * (end - start)
    return bytes(out)


def _merged(found: Iterator[Span]) -> list[Span]:
    """Return the spans in order, those that overlap as one of the kind that was found first."""
    merged: list[Span] = []
    for span in sorted(found, key=lambda span: span.start):
        if merged and span.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged


def with_secrets_of(lines: Sequence[str], originals: Sequence[str]) -> list[str]:
    """Return lines that may have been redacted as they stand in *originals*, each of which is taken once."""
    left = [each for each in originals if each not in lines]
    told = []
    for line in lines:
        kept = re.split(_PLACEHOLDER, line)
        own = next((each for each in left if len(kept) > 1 and _has_in_order(each, kept)), line)
        left = [each for each in left if each is not own]
        told.append(own)
    return told


def text_with_secrets_of(text: str, original: str) -> str:
    """Do the same with the lines of a text."""
    return "\n".join(with_secrets_of(text.split("\n"), original.splitlines()))


def _has_in_order(text: str, parts: Sequence[str]) -> bool:
    """Say whether a text begins and ends with the outer parts, and has the others in between."""
    first, *inner, last = parts
    place, end = len(first), len(text) - len(last)
    for part in inner:
        found = text.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return text.startswith(first) and text.endswith(last) and place < end


class Redactor:
    """Redacts as the settings say; *key* is what a text is stored under."""

    def __init__(self, settings: RedactionSettings) -> None:
        self.settings = settings

    def __call__(self, text: str, key: str = "") -> Redacted:
        chosen = self.settings
        if not chosen.enabled:
            return Redacted(text, (), 0.0)
        return redact(text, region=chosen.region, key=key, phones=chosen.phones)

    def text(self, text: str) -> str:
        """Return the text without its secrets."""
        return self(text).text

    def values(self, value: Any, *, but: Collection[str] = ()) -> Any:
        """Return a JSON value without the secrets in its texts, *but* those of these names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            kept = {name: inner for name, inner in value.items() if name in but}
            return {name: self.values(inner, but=but) for name, inner in value.items()} | kept
        return [self.values(inner, but=but) for inner in value] if isinstance(value, list | tuple) else value
