"""Take secrets out of text before it is kept: keys, passwords, cards, accounts and telephones.

What is certain (a known form, a label with a value of the form that it names, a
checksum) is replaced by `[redacted:kind]`. What is only suspected is kept, and
told as `[withheld:kind]` until the owner says that it is no secret. Letters with accents, wide
digits and unusual spaces count as the plain ones, and invisible characters
inside a secret do not hide it.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from almario.domain.digests import blake2b
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple
from almario.text.secrets.patterns import MASK, SecretSpan, flat, has_form
from almario.text.secrets.scorer import suspects
from almario.text.settings import RedactionSettings

# Taking one secret out may show another; more rounds than this only a text made for it needs.
ROUNDS = 6

# Of so many files it is known for good what they hold, and of so many in this process; and of so many texts
# what in them may be a secret.
_KNOWN, _AT_HAND, _SUSPECTED = 32, 256, 4096
# Searching takes seconds for each million characters. What is beyond these in a line, or in a text, is not
# searched, and told to nobody; before it, so much is kept back in which a secret may have begun.
LONGEST_LINE, LONGEST_TEXT, _BEGUN = 100_000, 2_000_000, 200
UNREAD = "unread"

# Texts of so many characters are messages; longer ones are files.
_SHORT = 2000

_DIGIT = regex(r"\d")
_PLACEHOLDER = r"\[(?:redacted|withheld):[a-z-]{1,20}\]"


class Redacted(NamedTuple):
    """A text without its secrets and without what may be one; *share* is how much of it is secret, 0 to 1.

    *kinds* are those of its secrets. *suspected* is what may be one, as it stands in the text, and *whole*
    the text with all of that: it is kept so, and told as *text* until the owner says that it is no secret.
    *has_kept*: of something in it, they have.
    """

    text: str
    kinds: tuple[str, ...]
    share: float
    whole: str
    suspected: tuple[str, ...] = ()
    has_kept: bool = False


# Gives the digests of what the owner said is no secret; asked only where something is suspected.
Kept = Callable[[], Collection[str]]


def redact(text: str, *, region: str = "", key: str = "", kept: Kept = tuple) -> Redacted:
    """Replace the secrets in *text*; *key* is what it is stored under, which may show that it is one."""
    search = _spans_of_file if len(text) > _SHORT else _spans_of_message
    return _redacted(text, search(f"{key}: " if key else "", text, region), kept)


def _redacted(text: str, found: Sequence[SecretSpan], kept: Kept) -> Redacted:
    no_secrets = () if all(span.is_sure for span in found) else kept()
    spans = [
        span
        for span in found
        if span.is_sure or span.kind == UNREAD or digest_of(text[span.start : span.end]) not in no_secrets
    ]
    has_kept = len(spans) < len(found)
    if not spans:
        return Redacted(text, (), 0.0, text, has_kept=has_kept)
    sure = [span for span in spans if span.is_sure]
    hidden = sum(_weight(text[span.start : span.end]) for span in sure)
    return Redacted(
        _without(text, spans),
        tuple(dict.fromkeys(span.kind for span in sure)),
        min(hidden / _weight(text), 1.0) if hidden else 0.0,
        _without(text, sure),
        tuple(
            dict.fromkeys(
                text[span.start : span.end] for span in spans if not span.is_sure and span.kind != UNREAD
            )
        ),
        has_kept,
    )


def _without(text: str, spans: Sequence[SecretSpan]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, kind, is_sure in spans:
        pieces += (text[done:start], f"[{'redacted' if is_sure else 'withheld'}:{kind}]")
        done = end
    return "".join((*pieces, text[done:]))


def _spans(label: str, text: str, region: str) -> list[SecretSpan]:
    """Return the secrets of a text, what may be one, and what is too long to be searched."""
    unread = list(_unread(text))
    if not unread:
        return _found_in(label, text, region)
    # What is left out is a line's end, so a newline stands for it.
    read = [
        (end, start)
        for (_, end), (start, _) in zip([(0, 0), *unread], [*unread, (len(text),) * 2], strict=True)
    ]
    at = [place for start, end in read for place in (*range(start, end), end)]
    found = _found_in(label, "\n".join(text[start:end] for start, end in read), region)
    return _merged(
        [
            *(SecretSpan(start, end, UNREAD, False) for start, end in unread),
            *(span._replace(start=at[span.start], end=at[span.end - 1] + 1) for span in found),
        ]
    )


def _unread(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that are too long to be searched, from a blank before them on."""
    if len(text) <= LONGEST_LINE:
        return
    start, done = 0, min(len(text), LONGEST_TEXT)
    while start < done:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if min(end, done) - start > LONGEST_LINE or end > done:
            most = min(start + LONGEST_LINE, done)
            cut = max(text.rfind(" ", start, most - _BEGUN), start)
            if end > done:
                yield cut, len(text)
                return
            yield cut, end
        start = end + 1
    if start < len(text):
        yield start, len(text)


def _found_in(label: str, text: str, region: str) -> list[SecretSpan]:
    raw, at = flat(label + text)
    written = label + text if len(raw) == len(label + text) else "".join(map((label + text).__getitem__, at))
    if b"[redacted:" in raw or b"[withheld:" in raw:
        raw = re.sub(_PLACEHOLDER.encode(), lambda holder: MASK * len(holder[0]), raw)
    skipped = len(label)
    every: list[SecretSpan] = []
    # First what has the form or the place of a secret, then what is said to be one.
    for finds in (partial(_by_form, region=region), partial(suspects, written=written)):
        for turn in range(ROUNDS):
            spans = [span for span in finds(raw, again=turn > 0) if at[span.end - 1] >= skipped]
            # What is certain is taken out first: it may be all that made the rest suspect.
            new = _merged([span for span in spans if span.is_sure] or spans)
            if not new:
                break
            every += new
            for start, end, *_ in new:
                raw = raw[:start] + MASK * (end - start) + raw[end:]
    return [
        SecretSpan(max(at[start] - skipped, 0), at[end - 1] + 1 - skipped, kind, is_sure)
        for start, end, kind, is_sure in _merged(every)
    ]


# A message is searched when it is heard, kept, asked about and learned from: the same each time.
_spans_of_message = lru_cache(maxsize=256)(_spans)
# So is a page that somebody pasted, and a giant turn.
_spans_of_file = lru_cache(maxsize=8)(_spans)


def _by_form(raw: bytes, *, region: str, again: bool) -> Iterator[SecretSpan]:
    if again or has_form(raw):
        from almario.text.secrets.detectors import found  # noqa: PLC0415 - the finders take long to load

        yield from found(raw, region)


def _weight(text: str) -> int:
    return sum(map(len, text.split()))


def _merged(found: Sequence[SecretSpan]) -> list[SecretSpan]:
    """Return the spans in order, those that overlap as one of the kind that was found first."""
    merged: list[SecretSpan] = []
    for span in sorted(found, key=lambda span: span.start):
        if merged and span.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(
                end=max(span.end, merged[-1].end), is_sure=merged[-1].is_sure or span.is_sure
            )
        else:
            merged.append(span)
    return merged


def is_only_a_mask(text: str) -> bool:
    """Return whether nothing is left of a redacted text but what stands for its secrets."""
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
    added = []
    for line in lines:
        kept = re.split(_PLACEHOLDER, line)
        own = next((each for each in left if len(kept) > 1 and _has_in_order(each, kept)), line)
        left = [each for each in left if each is not own]
        added.append(own)
    return added


def text_with_secrets_of(text: str, original: str) -> str:
    """Do the same with the lines of a text."""
    return "\n".join(with_secrets_of(text.split("\n"), original.splitlines()))


def _has_in_order(text: str, parts: Sequence[str]) -> bool:
    """Return whether a text begins and ends with the outer parts, and has the others in between."""
    first, *inner, last = parts
    place, end = len(first), len(text) - len(last)
    for part in inner:
        found = text.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return text.startswith(first) and text.endswith(last) and place < end


def digest_of(suspected: str) -> str:
    """Return by what it is remembered that a text is no secret."""
    return blake2b(" ".join(suspected.split()).encode("utf-8", "surrogatepass"))


class Known:
    """What was found in texts, by their digests; *noted* gives what was known before, of this very agent.

    Only of a text without anything that surely is a secret it is noted for good: a secret could be guessed.
    """

    def __init__(self) -> None:
        self.noted: Callable[[], str] = str
        self.is_new = False
        self._found: dict[str, list[SecretSpan]] = {}
        self._digests: dict[str, str] | None = None

    def get(self, digest: str) -> list[SecretSpan] | None:
        """Return what was found in a text; None if it is not known."""
        if digest not in self._found and digest in self._noted():
            self._found[digest] = _spans_of(self._noted()[digest])
        return self._found.get(digest)

    def add(self, digest: str, found: list[SecretSpan]) -> None:
        if len(self._found) >= _AT_HAND:
            self._found = {}
        self._found[digest] = found
        if not any(span.is_sure for span in found) and len(found) <= _AT_HAND:
            self.is_new = True
            self._digests = {digest: _words_of(found), **self._noted()}

    def _noted(self) -> dict[str, str]:
        if self._digests is None:
            rows = (row.partition("=") for row in self.noted().split())
            self._digests = {digest: words for digest, _, words in rows}
        return self._digests

    def clear(self) -> None:
        """Forget all of them: a text that was erased could be guessed."""
        self._found, self._digests, self.is_new = {}, {}, False

    def __str__(self) -> str:
        rows = list(self._noted().items())[:_KNOWN]
        return " ".join(f"{digest}={words}" if words else digest for digest, words in rows)


def _words_of(found: Sequence[SecretSpan]) -> str:
    return ",".join(f"{span.start}:{span.end}:{span.kind}" for span in found)


def _spans_of(words: str) -> list[SecretSpan]:
    rows = (each.split(":") for each in words.split(",") if words)
    return [SecretSpan(int(start), int(end), kind, False) for start, end, kind in rows]


@cache
def _rules() -> bytes:
    """Return a digest of the rules themselves: whoever has others knows nothing."""
    here, of_numbers = Path(__file__), find_spec("phonenumbers")
    paths = (here, *sorted((here.parent / "secrets").glob("*.*")), of_numbers and of_numbers.origin)
    try:
        return blake2b(b"".join(Path(path or "").read_bytes() for path in paths)).encode()
    except OSError:
        return os.urandom(16)


class Redactor:
    """Redacts as the settings say; *key* is what a text is stored under, *kept* what is no secret."""

    def __init__(self, settings: RedactionSettings, region: Callable[[], str] = str) -> None:
        """*region* tells whose telephone numbers are meant; it is asked once."""
        self.settings = settings
        self.known = Known()
        self.kept: Kept = tuple
        self._own_region = cache(region)
        self._suspected: dict[str, tuple[str, ...]] = {}

    def __call__(self, text: str, key: str = "", kept: Collection[str] | None = None) -> Redacted:
        if not self.settings.enabled:
            return Redacted(text, (), 0.0, text)
        no_secrets = self.kept if kept is None else lambda: kept
        if key or len(text) <= _SHORT:
            return redact(text, region=self._region(text), key=key, kept=no_secrets)
        return _redacted(text, self._found(text), no_secrets)

    def suspected(self, text: str, key: str = "") -> tuple[str, ...]:
        """Return what in a text may be a secret, for all the owner has said; a text is searched once."""
        if not self.settings.enabled:
            return ()
        if len(self._suspected) > _SUSPECTED:
            self._suspected = {}
        known = self._suspected  # another thread may begin anew
        digest = blake2b(f"{key}\n{text}".encode("utf-8", "surrogatepass"))
        if digest not in known:
            known[digest] = self(text, key, kept=()).suspected
        kept = self.kept() if known[digest] else ()
        return tuple(each for each in known[digest] if digest_of(each) not in kept)

    def text(self, text: str) -> str:
        """Return the text as it may be told: without its secrets, and without what may be one."""
        return self(text).text

    def whole(self, text: str) -> str:
        """Return the text as it is kept: without its secrets."""
        return self(text).whole

    def file(self, text: str) -> str:
        """Return a file's text without its secrets; while it stays as it is, it is searched once.

        Without anything sure it is known for good, by a digest of the very text, the settings and the rules.
        """
        if not text or not self.settings.enabled:
            return text
        found = self._found(text)
        return _redacted(text, found, self.kept).text if found else text

    def _found(self, text: str) -> list[SecretSpan]:
        """Return the secrets of a file, and what may be one, whatever the owner has said is none."""
        chosen = f"{self._region(text)} ".encode()
        digest = blake2b(_rules() + chosen + text.encode("utf-8", "surrogatepass"))
        found = self.known.get(digest)
        if found is None:
            found = _spans("", text, self._region(text))
            self.known.add(digest, found)
        return found

    def _region(self, text: str) -> str:
        """Return whose telephone numbers are meant in a text; without a digit, nobody asks."""
        return self._own_region() if _DIGIT.search(text) else ""

    def values(self, value: Any, *, but: Collection[str] = ()) -> Any:
        """Return a JSON value without the secrets in its texts, *but* those of these names."""
        if isinstance(value, str):
            return self.whole(value)
        if isinstance(value, Mapping):
            kept = {name: inner for name, inner in value.items() if name in but}
            return {name: self.values(inner, but=but) for name, inner in value.items()} | kept
        return [self.values(inner, but=but) for inner in value] if isinstance(value, list | tuple) else value
