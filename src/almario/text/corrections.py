"""What a message makes of what was told: puts it right, takes it back, or stands beside it. A guess may ask.

"Losartan, I always mix them up" says neither that it corrects nor what. Whether it does is read from both
texts; which words give way to which, from what kind they are of, how they are spelled and what stands around
them. `python -m benchmarks.corrections` makes the weights.
"""

import math
import re
from collections.abc import Sequence
from datetime import date
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from almario.domain.opening_kinds import NO
from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold
from almario.named_tuples import NamedTuple
from almario.text.claims import day_of
from almario.text.fitted import DIMENSIONS, Bank, chance_of, letters
from almario.text.intentions import MOVED, found_in, is_met, patterns, subject_of
from almario.text.times.clock import hours
from almario.text.times.lexicon import TimeToken, tokens
from almario.text.times.wording import tenses_in
from almario.text.timewords import spans
from almario.text.tongues import likelier_in, words_of
from almario.text.wishes import around_orders, listed

WEIGHTS = Path(__file__).with_name("corrections.weights")
CORRECTS, BACK = "corrects", "back"
# From this chance on, a message is taken for what it is likeliest to be, a replacement is clear, and sure.
LIKELY, CLEAR, SURE = 0.42, 0.5, 0.8
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
# Which words name a time is the same from any day. What is near, or lasts, has no "on" before it.
_TODAY, _NEAR = date(2001, 1, 1), "relative"
_ON, _DAYS = {"en": "on ", "es": "el "}, ("weekday", "day", "day_month")
_AND = r"(?:and|y|also|también)"
_ADDED, _JOINED = regex(rf"(?i){_AND}\b"), regex(rf"(?i)\b{_AND}\W+$")
_OF_ANOTHER = regex(r"(?i)\b(?:not|no) (?:me|mine|yo|m[ií][oa])\b|\b(?:yo|mí|m[ií][oa]) no\b")
_OWNER = regex(r"(\w+)['’]s \w|\b(?:of|del?) (\w+)")
_UNSURE = r"\b(?:{unsure})\b"
# So many signs speak for a replacement, and so many for a kind, beside both vectors or without any.
OF_WORDS, OF_KINDS = 51, 5
WORDS = Bank(WEIGHTS, 1, 0, OF_WORDS)
SEEING = Bank(WEIGHTS, 2, numbers=2 * DIMENSIONS + OF_KINDS, start=WORDS.end)
BLIND = Bank(WEIGHTS, 2, numbers=OF_KINDS, start=SEEING.end)


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


class _Time(NamedTuple):
    """A day or an hour that a text names, from where the words that lead to it begin: "on the", "at"."""

    lead: int
    start: int
    end: int
    reading: str


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
    right = likeliest(old, new)
    found = chances(old, new, before, vector, right.chance)
    best = max(found, key=found.__getitem__)
    kind = best if found[best] >= LIKELY else ""
    return "" if kind == CORRECTS and not right.text else kind  # a bare "no" names nothing that is right


def chances(old: str, new: str, before: Any, vector: Any, chance: float) -> dict[str, float]:
    """Return how likely each kind is, if the likeliest replacement has this chance."""
    is_blind = {len(before), len(vector)} != {DIMENSIONS}
    numbers = numbers_of(old, new, *(() if is_blind else (before, vector)), chance=chance)
    odds = (BLIND if is_blind else SEEING).odds(sorted(letters(new)), numbers)
    return dict(zip((CORRECTS, BACK), map(chance_of, odds), strict=True))


def numbers_of(old: str, new: str, *vectors: Any, chance: float) -> Any:
    """Return what speaks for a kind besides letters: both vectors, and how the texts hang together."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    before, vector = map(np.asarray, vectors or ((), ()))
    words, known = _words(new), {each.plain for each in _words(old)}
    own = [each.plain in known for each in words if each.kind != _SMALL]
    signs = [before @ vector, math.log1p(len(words)), sum(own) / max(1, len(own)), any(own), chance]
    return np.concatenate([vector, vector - before, signs])


def put_right(old: str, new: str) -> Replacement:
    """Return what a correction makes of a text; another time is put in as a whole.

    What is so of somebody else makes another sentence, which is never clear.
    """
    found = likeliest(old, new)
    is_denied = _plain(found.text) & words_of("negations") - _plain(old)  # "neighbour not Jean"
    is_mine = bool(_own(old)) and bool((_own(new) & _plain(old)) - _own(old))
    if not is_mine and (timed := retimed(old, new)):
        return Replacement(timed, 1.0)
    is_others = is_mine or bool(_OF_ANOTHER.search(new))
    return found._replace(chance=0.0) if is_others or is_denied else found


def _own(text: str) -> set[str]:
    """Return whose something is, as a text says: the brother's of "my brother's birthday", or one's own."""
    ends = [each.end() for _, pattern in patterns(r"\b(?:{whose})\b") for each in pattern.finditer(text)]
    named = ((word.plain for word in _words(text[end:]) if word.kind != _SMALL) for end in ends)
    owners = (each[1] or each[2] for each in _OWNER.finditer(text) if each[1] or each[2][0].isupper())
    names = {name for name in map(fold, owners) if not day_of(name)}
    return {next(words, "") for words in named} - {""} | names


# It is asked whether a message corrects, and then what.
@lru_cache(64)
def likeliest(old: str, new: str) -> Replacement:
    """Return what a correction most likely makes of a text, by its words."""
    import numpy as np  # noqa: PLC0415 - as above

    texts, signs = replacements(old, new)
    if not texts:
        return Replacement()
    odds = WORDS.by_numbers(signs.T)[0]
    chances = np.exp(odds - odds.max())
    total: dict[str, float] = {}
    for text, chance in zip(texts, (chances / chances.sum()).tolist(), strict=True):
        total[text] = total.get(text, 0.0) + chance
    best = max(total, key=total.__getitem__)
    return Replacement(best, total[best])


def is_told_again(old: str, new: str) -> bool:
    """Return whether a message says no word that a text does not say."""
    return _plain(new) <= _plain(old)


def is_added(message: str) -> bool:
    """Return whether a message begins as one more thing does: "and …", "también …"."""
    return bool(_ADDED.match(message))


def is_all_told(old: str, new: str, right: str) -> bool:
    """Return whether a text put right tells all that a message says, but for how it says that.

    "I owe Nerea another 60" and "no dinner on Saturday" are other things. Of a plan that moved, people say
    why; it lacks no number and no name, denies nothing, and ends there: ", bring the old scans" is more.
    """
    unsure = {fold(each.group()) for _, pattern in patterns(_UNSURE) for each in pattern.finditer(new)}
    if any(each not in _denying() and not each.endswith("n't") for each in unsure):
        return False  # "if the flight moved to Saturday …"
    words, own = _words(new), _plain(old)
    light = around_orders() | listed("beside") | words_of("anew") | words_of(NO)
    known = own | _plain(right) | light
    others = [each for each in words if each.kind != _SMALL and each.plain not in known]
    # "Moved", "the same time" say no more.
    rest = _plain(subject_of(new, _TODAY))
    others = [each for each in others if each.kind != _WORD or each.plain in rest]
    said = [each for each in words[1:] if each.kind != _SMALL or each.plain in words_of("negations")]
    denied = [one for not_, one in pairwise(said) if not_.plain in words_of("negations")]
    if retimed(old, new):
        end = max(each.end for each in _days(new) + _hours(new))
        last = max(each.clause for each in words if each.start < end)
        is_more = any(each.kind in (_NAME, "n") or each.clause > last for each in others)
        return not is_more and not any(each.kind in (_NAME, _WORD) for each in denied)
    return not others and own.issuperset(each.plain for each in denied)


def is_moved(plan: str, message: str, today: date) -> bool:
    """Return whether a message names a plan by its own words, and says no more than another day or hour."""
    no, comma, rest = message.partition(",")
    message = rest if comma and fold(no.strip()) in words_of(NO) else message
    past = tenses_in(tokens(message), frozenset({likelier_in(message, "en", ("en", "es"))})) & {"past"}
    is_sure = "?" not in message and not found_in(_UNSURE, message)
    is_named = is_sure and is_met(subject_of(message, today), plan)
    return is_named and not (past and not found_in(MOVED, message)) and bool(retimed(plan, message))


@lru_cache(64)
def retimed(old: str, new: str) -> str:
    """Return a text with the day or the hour that another names; nothing, if it is not clear which."""
    text = old
    for times in (_days, _hours):
        known = {fold(old[each.start : each.end]): each for each in times(old)}
        named = {fold(new[each.start : each.end]): each for each in times(new)}
        others = [each for words, each in named.items() if words not in known]
        # "Tuesday instead of Monday" names what was wrong.
        wrong = [each for words, each in known.items() if words in named] or list(known.values())
        is_added = any(_JOINED.search(new[: each.lead]) for each in others) and len(named) > 1
        if others and (len(others) != 1 or len(wrong) != 1 or is_added):
            return ""  # "lunes y jueves" adds one
        for was, now in zip(wrong, others, strict=False):
            if "again" in {was.reading, now.reading} != {"again"} or now.reading == "season":
                return ""  # "Thursday" leaves it weekly
            piece = _led(old, was, new, now)
            if (was.reading, now.reading) == ("day_month", "day"):  # "the 24th" is of the same month
                piece = _of_month(old[was.lead : was.end], new[now.start : now.end])
            text = text.replace(old[was.lead : was.end], piece, 1)
    return text if text != old else ""


def _of_month(date: str, day: str) -> str:
    """Return a date with another day, written as it was: "23rd of May" and "24" are "24 of May"."""
    number = day if re.search(r"\d[a-z]", date) else re.sub(r"\D", "", day)
    return re.sub(r"\d+[a-z]*", number, date, count=1) if number else date


def _led(old: str, was: _Time, new: str, now: _Time) -> str:
    """Return the words of a time, with what leads to it where it takes the place of another."""
    lead, own = old[was.lead : was.start], new[now.lead : now.start]
    is_like = was.reading == now.reading or (was.reading in _DAYS and now.reading in _DAYS)
    if now.reading == _HOUR or (not is_like and now.reading not in (*_DAYS, _NEAR)):
        lead = own or lead
    elif not is_like:
        is_near = now.reading == _NEAR
        lead = "" if is_near else _ON[likelier_in(f"{old} {new}", "en", ("en", "es"))]
    is_the = own.endswith("the ") and not lead.endswith("the ")
    return f"{lead}{'the ' * is_the}{new[now.start : now.end]}"


@lru_cache(64)
def _days(text: str) -> tuple[_Time, ...]:
    """Return the days that a text names; "no, Thursday" does so as "on Thursday" would."""
    named = [(each.words.rstrip("."), each.reading) for each in spans(text, _TODAY, is_fact=True)]
    # "La han pasado al miércoles" is no "pasado mañana".
    weekdays = [each.text for each in tokens(text) if each.is_a("weekday")]
    named = [each for each in named if each[1] != _NEAR or not any(day in each[0] for day in weekdays)]
    if not named:
        dates = [each.text for each in tokens(text) if each.is_a("nth") and each.text[0].isdigit()]
        for word in weekdays + dates:
            days = (spans(f"{on}{word}", _TODAY, is_fact=True) for on in _ON.values())
            named += [(word, each.reading) for each in next(filter(None, days), [])[:1]]
    lead = r"((?:\b(?:on|the|in|el|la|los|las|al) )*)"
    cores = [(re.sub(rf"\A{lead}", "", words), reading) for words, reading in named]
    found = [(re.search(lead + re.escape(core), text), reading) for core, reading in cores]
    return tuple(_Time(each.start(), each.end(1), each.end(), reading) for each, reading in found if each)


@lru_cache(64)
def _hours(text: str) -> tuple[_Time, ...]:
    found = list[_Time]()
    for hour in hours(text):
        start = text.find(hour.words)
        own = next((each for each in tokens(hour.words) if fold(each.text) not in SMALL), None)
        found.append(_Time(start, start + (own.start if own else 0), start + len(hour.words), _HOUR))
    return tuple(found)


@lru_cache(64)
def _denial(olds: Sequence[_Piece], news: Sequence[_Piece]) -> tuple[int, int]:
    """Return where a message denies words of what was told, and where these end; 0, 0 if it does not."""
    known = {each.plain for each in olds if each.kind != _SMALL}
    for at, word in enumerate(news):
        end = at + 1
        if word.plain in _denying():
            while (
                news[end : end + 1]
                and news[end].clause == word.clause
                and (news[end].kind == _SMALL or news[end].plain in known)
            ):
                end += 1
            if any(each.plain in known for each in news[at:end]):
                return at, end
    return 0, 0


def replacements(old: str, new: str) -> tuple[list[str], Any]:
    """Return every text that a correction may make of an old one, with a row of what speaks for each."""
    import numpy as np  # noqa: PLC0415 - as above

    olds, news = _words(old), _words(new, is_new=True)
    known = {each.plain for each in olds if each.kind != _SMALL}
    lefts, rights = _spans(olds), [each for each in _spans(news) if _is_whole(each, news, known)]
    if not lefts or not rights or all(each.kind == _SMALL for each in news):
        return [], ()
    by_old = np.array([_signs_of_old(each, olds, news) for each in lefts], float)[:, None]
    by_new = np.array([_signs_of_new(each, olds, news) for each in rights], float)[None]
    # "Gatwick, not Stansted" denies the one after it names the other.
    denying = by_old[..., :1] * by_new[..., :1]
    # "The recital's at the library" speaks of the recital, which stays.
    owns = [{each.plain for each in span.words if each.kind != _SMALL} for span in lefts]
    clauses = [{each.plain for each in news if each.clause == span.words[0].clause} for span in rights]
    named = np.array([[bool(own & clause) for clause in clauses] for own in owns], float)[..., None]
    both = np.concatenate([_signs_of_both(lefts, rights), denying, named * (1 - by_old[..., :1])], axis=2)
    shape = both.shape[:2]
    every = [np.broadcast_to(each, (*shape, each.shape[2])) for each in (by_old, by_new, both)]
    # No word is replaced by itself, but "at 10" may become "at half 10"; none comes in that stays elsewhere.
    places = [
        (n, m)
        for n, left in enumerate(lefts)
        for m, right in enumerate(rights)
        if known.intersection(each.plain for each in right.words) <= {each.plain for each in left.words}
        and (
            len(left.words) == 1 < len(right.words)
            or (left.words[0].plain != right.words[0].plain and left.words[-1].plain != right.words[-1].plain)
        )
    ]
    pieces = [new[each.words[0].start : each.words[-1].end] for each in rights]
    texts = [_placed(old, lefts[n], pieces[m]) for n, m in places]
    return texts, np.concatenate(every, axis=2)[tuple(zip(*places, strict=True))] if places else ()


def _is_whole(span: _Span, news: Sequence[_Piece], known: set[str]) -> bool:
    """Return whether some words are no part of a name, as "Trust" of "Dogs Trust", nor a mere letter."""
    first, last = news.index(span.words[0]), news.index(span.words[-1])
    ends = [(first, first - 1), (last, last + 1)]
    pairs = [(news[own], news[other]) for own, other in ends if 0 <= other < len(news)]
    is_cut = any(
        own.kind == other.kind == _NAME and own.clause == other.clause and other.plain not in known
        for own, other in pairs
    )
    return not is_cut and not (span.kinds in (_NAME, _WORD) and len(span.head) == 1)


def _placed(text: str, span: _Span, piece: str) -> str:
    start, end = span.words[0].start, span.words[-1].end
    if text[start].isupper() and piece.islower() and (start == 0 or span.kinds[-1] != _WORD):
        piece = piece[0].upper() + piece[1:]
    return f"{text[:start]}{piece}{text[end:]}"


def _plain(text: str) -> set[str]:
    return {each.plain for each in _words(text)}


@lru_cache(64)
def _words(text: str, *, is_new: bool = False) -> tuple[_Piece, ...]:
    """Return the words of a text; in a new one, what says that something changed parts its clauses."""
    found, clause = list[_Piece](), 0
    clock = " ".join(each.words for each in hours(text)).split()
    for token in tokens(text):
        plain = fold(token.text).replace("’", "'").removesuffix("'s")
        if not any(map(str.isalnum, plain)) or (is_new and found_in(rf"\A{MOVED}\Z", plain)):
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
    at, end = _denial(olds, news)
    again = [n for n, each in enumerate(news) if each.plain in own]
    return [
        any(at < n < end for n in again),
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
    at, _ = _denial(olds, news)
    return [
        at > 0 and span.words[-1] == news[at - 1],
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
