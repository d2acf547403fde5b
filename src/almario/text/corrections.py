"""What a message makes of what was told: puts it right, takes it back, or stands beside it. A guess may ask.

"Losartan, I always mix them up" says neither that it corrects nor what. Whether it does is read from both
texts; which words give way to which, from what kind they are of, how they are spelled and what stands around
them. `python -m benchmarks.corrections` makes the weights.
"""

import math
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zlib import decompress

from almario.domain.words import SMALL, fold
from almario.named_tuples import NamedTuple
from almario.text.outdated import letters
from almario.text.reader import DIMENSIONS, FEW_PLACES
from almario.text.times.clock import hours
from almario.text.times.lexicon import TimeToken, tokens
from almario.text.tongues import words_of

WEIGHTS = Path(__file__).with_name("corrections.weights")
CORRECTS, BACK = "corrects", "back"
# From this chance on, a message is taken for what it is likeliest to be, and a replacement is clear.
LIKELY, CLEAR = 0.42, 0.3
# So many words give way, or come in their place.
_LONGEST = 5
# The kinds of words, a letter each: numbers, weekdays, months and parts of a day, by what the calendar knows
# them as; names, other words, and small ones.
_SENSES = {
    "n": ("digits", "number", "nth", "hour"),
    "d": ("weekday",),
    "m": ("month",),
    "p": ("relative", "part", "am", "pm"),
}
_HOUR, _NAME, _WORD, _SMALL = "h", "N", "w", "s"
_KINDS = (*_SENSES, _HOUR, _NAME, _WORD)
# So alike are two spellings of a name.
_ALIKE = 0.55
# So many signs speak for a replacement.
OF_WORDS = 50


class Replacement(NamedTuple):
    """A text with some words in the place of others, and how likely that is meant."""

    text: str = ""
    chance: float = 0.0


class _Piece(NamedTuple):
    start: int
    end: int
    plain: str
    kind: str
    clause: int


class _Span(NamedTuple):
    """Some words of a text, the last that says something, and what stands around them in their clause."""

    words: Sequence[_Piece]
    kinds: str
    head: str
    before: str
    after: str
    is_first: bool
    is_last: bool


def kind_of(old: str, new: str, before: Any, vector: Any) -> str:
    """Return whether a message `corrects` what was told, takes it `back`, or neither, by both vectors."""
    is_blind = {len(before), len(vector)} != {DIMENSIONS}
    if is_blind:  # by letters and words alone
        before = vector = [0.0] * DIMENSIONS
    weights = _weights()[OF_WORDS:].reshape(2, 2, -1)[int(is_blind)]
    odds = weights @ features(old, new, before, vector, put_right(old, new).chance)
    best = int(odds.argmax())
    return (CORRECTS, BACK)[best] if 1 / (1 + math.exp(-odds[best])) >= LIKELY else ""


def features(old: str, new: str, before: Any, vector: Any, chance: float) -> Any:
    """Return what speaks for a kind of message: letters, vectors, and how the two texts hang together."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    before, vector = np.asarray(before), np.asarray(vector)
    made, found = np.zeros(FEW_PLACES), sorted(letters(new))
    made[found] = 4 / math.sqrt(len(found) or 1)
    words, known = _words(new), {each.plain for each in _words(old)}
    own = [each.plain in known for each in words if each.kind != _SMALL]
    signs = [before @ vector, math.log1p(len(words)), sum(own) / max(1, len(own)), any(own), chance, 1.0]
    return np.concatenate([made, 3 * vector, 2 * (vector - before), signs])


# It is asked whether a message corrects, and then what.
@lru_cache(64)
def put_right(old: str, new: str) -> Replacement:
    """Return what a correction most likely makes of a text."""
    import numpy as np  # noqa: PLC0415 - as above

    texts, signs = replacements(old, new)
    if not texts:
        return Replacement()
    odds = signs @ _weights()[:OF_WORDS]
    chances = np.exp(odds - odds.max())
    total: dict[str, float] = {}
    for text, chance in zip(texts, (chances / chances.sum()).tolist(), strict=True):
        total[text] = total.get(text, 0.0) + chance
    best = max(total, key=total.__getitem__)
    return Replacement(best, total[best])


def replacements(old: str, new: str) -> tuple[list[str], Any]:
    """Return every text that a correction may make of an old one, with a row of what speaks for each."""
    import numpy as np  # noqa: PLC0415 - as above

    olds, news = _words(old), _words(new)
    lefts, rights = _spans(olds), _spans(news)
    if not lefts or not rights:
        return [], ()
    by_old = np.array([_signs_of_old(each, olds, news) for each in lefts], float)[:, None]
    by_new = np.array([_signs_of_new(each, olds, news) for each in rights], float)[None]
    # "Gatwick, not Stansted" denies the one after it names the other.
    both = np.concatenate([_signs_of_both(lefts, rights), by_old[..., :1] * by_new[..., :1]], axis=2)
    shape = both.shape[:2]
    every = [np.broadcast_to(each, (*shape, each.shape[2])) for each in (by_old, by_new, both)]
    # No word is replaced by itself, but "at 10" may become "at half 10".
    places = [
        (n, m)
        for n, left in enumerate(lefts)
        for m, right in enumerate(rights)
        if len(left.words) == 1 < len(right.words)
        or (left.words[0].plain != right.words[0].plain and left.words[-1].plain != right.words[-1].plain)
    ]
    pieces = [new[each.words[0].start : each.words[-1].end] for each in rights]
    texts = [_placed(old, lefts[n], pieces[m]) for n, m in places]
    return texts, np.concatenate(every, axis=2)[tuple(zip(*places, strict=True))] if places else ()


def _placed(text: str, span: _Span, piece: str) -> str:
    start, end = span.words[0].start, span.words[-1].end
    if text[start].isupper() and piece.islower() and (start == 0 or span.kinds[-1] != _WORD):
        piece = piece[0].upper() + piece[1:]
    return f"{text[:start]}{piece}{text[end:]}"


@lru_cache(64)
def _words(text: str) -> tuple[_Piece, ...]:
    found, clause = list[_Piece](), 0
    clock = " ".join(each.words for each in hours(text)).split()
    for token in tokens(text):
        plain = fold(token.text).replace("’", "'").removesuffix("'s")
        if not any(map(str.isalnum, plain)):
            clause += bool(found)
        elif plain != "s":
            end = token.end - 2 * token.text.endswith(("'s", "’s"))
            found.append(_Piece(token.start, end, plain, _kind(token, clock, is_first=not found), clause))
    return tuple(found)


def _kind(token: TimeToken, clock: Sequence[str], *, is_first: bool) -> str:
    if fold(token.text) in SMALL:
        return _SMALL
    if token.is_a("clock") or token.text in clock:
        return _HOUR
    named = next((kind for kind, senses in _SENSES.items() if token.is_a(*senses)), "")
    return named or (_NAME if token.text[0].isupper() and not is_first else _WORD)


def _spans(words: Sequence[_Piece]) -> list[_Span]:
    """Return every few words that stand in one clause."""
    found = list[_Span]()
    around = ("", *(each.plain for each in words), "")
    clause = (-1, *(each.clause for each in words), -1)
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            own = words[start:end]
            if own[0].clause == own[-1].clause:
                head = next((each for each in reversed(own) if each.kind != _SMALL), own[-1])
                before = around[start] if clause[start] == own[0].clause else ""
                after = around[end + 1] if clause[end + 1] == own[0].clause else ""
                kinds = "".join(each.kind for each in own)
                found.append(_Span(own, kinds, head.plain, before, after, start == 0, end == len(words)))
    return found


def _signs_of_old(span: _Span, olds: Sequence[_Piece], news: Sequence[_Piece]) -> list[float]:
    """Return what speaks for some words to give way: that the new text names or denies them."""
    own = {each.plain for each in span.words if each.kind != _SMALL}
    again = [n for n, each in enumerate(news) if each.plain in own]
    denied = any(each.plain in _denying() for n in again for each in news[max(0, n - 3) : n])
    return [
        denied,
        not own,
        span.kinds[0] == _SMALL,
        span.kinds[-1] == _SMALL,
        len(span.words),
        bool(own) and own <= {each.plain for each in news},
        bool(again),
        span.is_first,
        span.is_last,
        olds.index(span.words[0]) / len(olds),
    ]


def _signs_of_new(span: _Span, olds: Sequence[_Piece], news: Sequence[_Piece]) -> list[float]:
    """Return what speaks for some words to come in: where they stand, and that they are new."""
    own = [each.plain for each in span.words if each.kind != _SMALL]
    old, clause = {each.plain for each in olds}, span.words[0].clause
    return [
        span.after in _denying(),
        not own,
        span.kinds[0] == _SMALL,
        span.kinds[-1] == _SMALL,
        len(span.words),
        sum(each in old for each in own) / max(1, len(own)),
        not span.before,
        not span.after,
        not span.before and not span.after,
        clause == 0,
        clause > 1,
        clause == news[-1].clause,
        span.is_first,
        span.is_last,
        span.before in _denying(),
        any(each.plain in _denying() for each in span.words),
        sum(each.plain == span.head for each in news) > 1,
    ]


def _signs_of_both(olds: Sequence[_Span], news: Sequence[_Span]) -> Any:
    """Return what speaks for these in the place of those: their kinds, their letters, what is around them."""
    import numpy as np  # noqa: PLC0415 - as above

    left, right = (np.array([_shared(each) for each in spans]) for spans in (olds, news))
    had, has = (
        np.array([[kind in span.kinds for kind in _KINDS] for span in spans]) for spans in (olds, news)
    )
    lengths = [np.array([len(span.words) for span in spans]) for spans in (olds, news)]
    likeness = np.array([[_likeness(one.head, other.head) for other in news] for one in olds])
    return np.concatenate(
        [
            (left[:, None] == right[None]) & (right[None] != ""),
            had[:, None] & has[None],
            had[:, None] ^ has[None],
            np.abs(lengths[0][:, None] - lengths[1][None])[..., None],
            np.maximum(0.0, likeness - 0.4)[..., None],
            (likeness >= _ALIKE)[..., None],
        ],
        axis=2,
    )


def _shared(span: _Span) -> tuple[str, ...]:
    """Return what two spans may have in common."""
    return span.kinds, span.kinds[0], span.kinds[-1], span.before, span.after


@lru_cache(1024)
def _likeness(word: str, other: str) -> float:
    return SequenceMatcher(None, word, other).ratio()


@cache
def _denying() -> frozenset[str]:
    return frozenset(map(fold, words_of("negations") | words_of("no")))


@cache
def _weights() -> Any:
    import numpy as np  # noqa: PLC0415 - as above

    return np.frombuffer(decompress(WEIGHTS.read_bytes()), "<f2").astype(np.float64)
