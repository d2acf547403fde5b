"""Take secrets out of text before it is kept: keys, passwords, cards, accounts and telephones.

What is found is replaced by `[redacted:kind]`. Letters with accents, wide
digits and unusual spaces count as the plain ones, and invisible characters
inside a secret do not hide it.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from almario.named_tuples import NamedTuple
from almario.text.secrets.ordinary_words import is_harmless
from almario.text.secrets.patterns import MASK, Span, flat
from almario.text.settings import RedactionSettings

# Taking one secret out may show another; more rounds than this only a text made for it needs.
ROUNDS = 6

_PLACEHOLDER = r"\[redacted:[a-z-]{1,20}\]"


class Redacted(NamedTuple):
    """A text without its secrets; *share* is how much of it was secret, from 0 to 1."""

    text: str
    kinds: tuple[str, ...]
    share: float


def redact(text: str, *, region: str = "", key: str = "", phones: bool = True) -> Redacted:
    """Replace the secrets in *text*; *key* is what it is stored under, which may show that it is one."""
    label = f"{key}: " if key else ""
    hidden: dict[str, int] = {}
    clean = text
    for _ in range(ROUNDS):
        spans = _spans(label, clean, region if phones else None)
        if not spans:
            break
        pieces: list[str] = []
        done = 0
        for start, end, kind in spans:
            pieces += (clean[done:start], f"[redacted:{kind}]")
            hidden[kind] = hidden.get(kind, 0) + _weight(re.sub(_PLACEHOLDER, "", clean[start:end]))
            done = end
        clean = "".join((*pieces, clean[done:]))
    if not hidden:
        return Redacted(text, (), 0.0)
    kinds = sorted(hidden, key=lambda kind: clean.find(f"[redacted:{kind}]"))
    return Redacted(clean, tuple(kinds), min(sum(hidden.values()) / _weight(text), 1.0))


def _spans(label: str, text: str, region: str | None) -> list[Span]:
    """Return the secrets of a text that stands after *label*, in order."""
    raw, at = flat(label + text)
    if is_harmless(raw):
        return []
    from almario.text.secrets.detectors import found  # noqa: PLC0415 - the finders take long to load

    if b"[redacted:" in raw:
        raw = re.sub(_PLACEHOLDER.encode(), lambda holder: MASK * len(holder[0]), raw)
    skipped = len(label)
    return [
        Span(max(at[start] - skipped, 0), at[end - 1] + 1 - skipped, kind)
        for start, end, kind in _merged(found(raw, region))
        if at[end - 1] >= skipped
    ]


def _weight(text: str) -> int:
    return sum(map(len, text.split()))


def _merged(found: Iterator[Span]) -> list[Span]:
    """Return the spans in order, those that overlap as one of the kind that was found first."""
    merged: list[Span] = []
    for span in sorted(found, key=lambda span: span.start):
        if merged and span.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged


def is_only_a_mask(text: str) -> bool:
    """Say whether nothing is left of a redacted text but what stands for its secrets."""
    left, masks = re.subn(_PLACEHOLDER, "", text)
    return masks > 0 and not any(map(str.isalnum, left))


def with_lines_in_place(redacted: str, text: str) -> str:
    """Make up for the lines of a long secret, so that those below it keep their number."""
    missing = text.count("\n") - redacted.count("\n")
    if missing <= 0:
        return redacted
    same = next(
        (place for place, (one, other) in enumerate(zip(text, redacted, strict=False)) if one != other), 0
    )
    place = redacted.find("\n", same)
    return redacted[:place] + "\n" * missing + redacted[place:] if place >= 0 else redacted + "\n" * missing


def lines_of_secrets(text: str, redacted: str) -> dict[int, tuple[str, ...]]:
    """Return the lines of a text, counted from 1, that a secret begins in, and of which kinds they are."""
    found: dict[int, dict[str, None]] = {}
    place = done = 0
    for mask in re.finditer(_PLACEHOLDER, redacted):
        place = text.find(redacted[done : mask.start()], place) + mask.start() - done
        done = mask.end()
        if text.startswith(mask[0], place):  # it was there
            place += len(mask[0])
            continue
        found.setdefault(text.count("\n", 0, place) + 1, {})[mask[0][10:-1]] = None
    return {line: tuple(kinds) for line, kinds in found.items()}


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

    def __init__(self, settings: RedactionSettings, region: Callable[[], str] = str) -> None:
        """*region* tells whose telephone numbers are meant if the settings do not; it is asked once."""
        self.settings = settings
        self._region = cache(region)

    def __call__(self, text: str, key: str = "") -> Redacted:
        chosen = self.settings
        if not chosen.enabled:
            return Redacted(text, (), 0.0)
        region = chosen.region or self._region() if chosen.phones else ""
        return redact(text, region=region, key=key, phones=chosen.phones)

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
