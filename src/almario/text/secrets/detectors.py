"""All the finders of secrets, each asked only where the text speaks of what it looks for."""

from collections.abc import Iterator

from almario.text.secrets import identities, numbers, suspects
from almario.text.secrets.keys import SIGNS, bare, continued, keys, places, private_keys, wrapped
from almario.text.secrets.labels import labelled
from almario.text.secrets.names import FAMILIES
from almario.text.secrets.patterns import FEWEST_DIGITS, OTHER_SCRIPTS, SHORTEST_KEY, Span, digits_in, which

_FAMILIES = {family.names: name for name, family in FAMILIES.items()}
_PRIVATE = "private"
_SOUGHT = (
    *_FAMILIES, *SIGNS, numbers.NAMED, *identities.NAMED.values(), suspects.PAIRS, suspects.PURSE,
    numbers.CALLED, numbers.CARD_CODES, _PRIVATE, OTHER_SCRIPTS,
)  # fmt: skip


def found(raw: bytes, region: str | None) -> Iterator[Span]:
    """Yield the secrets of each kind in a text of one byte for each character."""
    digits = digits_in(raw)
    longest = max(map(len, raw.split()), default=0)
    said = frozenset(_FAMILIES.get(_SOUGHT[place], _SOUGHT[place]) for place in which(_SOUGHT, raw))
    if _PRIVATE in said:
        yield from private_keys(raw)
    if longest >= SHORTEST_KEY:
        yield from keys(raw)
    if b"\n" in raw:
        yield from wrapped(raw)
    yield from places(raw, said)
    yield from (continued(raw, span) if span.kind == "secret" else span for span in labelled(raw, said))
    if numbers.NAMED in said:
        yield from numbers.seeds(raw)
    if suspects.PURSE in said:
        yield from suspects.phrases(raw)
    if suspects.PAIRS in said:
        yield from suspects.pairs(raw)
    if "password" in said:
        yield from suspects.near_their_name(raw)
    if OTHER_SCRIPTS in said:
        yield from suspects.in_other_scripts(raw)
    yield from _numbers(raw, said, region, digits)
    if longest >= SHORTEST_KEY:
        yield from bare(raw)


def _numbers(raw: bytes, said: frozenset[str], region: str | None, digits: int) -> Iterator[Span]:
    if digits >= 10:
        yield from numbers.ibans(raw)
    if digits >= 10 or (digits >= 3 and numbers.CARD_CODES in said):
        yield from numbers.cards(raw)
    if digits >= FEWEST_DIGITS:
        yield from identities.identities(raw, said)
    if digits >= numbers.FEWEST_DIGITS and region is not None:
        if region or b"+" in raw or b"00" in raw or b"011" in raw:
            yield from numbers.telephones(raw, region)
        yield from numbers.called_telephones(raw, said)
