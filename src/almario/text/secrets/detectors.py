"""All the finders of secrets, each asked only where the text speaks of what it looks for."""

from collections.abc import Iterator

from almario.text.secrets import numbers
from almario.text.secrets.identities import identities
from almario.text.secrets.keys import SIGNS, bare, keys, places, private_keys, wrapped
from almario.text.secrets.patterns import FEWEST_DIGITS, SHORTEST_KEY, SecretSpan, digits_in, which

_PRIVATE = "private"
_SOUGHT = (*SIGNS, _PRIVATE)


def found(raw: bytes, region: str) -> Iterator[SecretSpan]:
    """Yield what is secret by its form, its place or its check digits, in one byte for each character."""
    digits = digits_in(raw)
    longest = max(map(len, raw.split()), default=0)
    sought = frozenset(_SOUGHT[place] for place in which(_SOUGHT, raw))
    if _PRIVATE in sought:
        yield from private_keys(raw)
    if longest >= SHORTEST_KEY:
        yield from keys(raw)
    if b"\n" in raw:
        yield from wrapped(raw)
    yield from places(raw, sought)
    yield from _numbers(raw, region, digits)
    if longest >= SHORTEST_KEY:
        yield from bare(raw)


def _numbers(raw: bytes, region: str, digits: int) -> Iterator[SecretSpan]:
    if digits >= 10:
        yield from numbers.ibans(raw)
        yield from numbers.cards(raw)
    if digits >= FEWEST_DIGITS:
        yield from identities(raw)
    if digits >= numbers.FEWEST_DIGITS:
        yield from numbers.telephones(raw, region)
