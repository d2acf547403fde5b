"""When what is told happened or holds: by what a model gave, and by its words, seen from the day of telling.

In a fact, what has no year is the next one unless the words say otherwise; in a tale, the last. A time that
is not sure is none.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

from almario.domain.plain_text import regex
from almario.domain.validity import DAILY, Validity, between, in_time, is_written, next_time, read, yearly
from almario.domain.words import fold, sentences_in
from almario.text.claims import day_of, denies
from almario.text.times.clock import hours
from almario.text.timewords import is_yearly, names_a_make, says, spans

if TYPE_CHECKING:
    from almario.text.times.grammar import TimeSpan

# Nobody tells of a life that began before.
_FIRST_YEAR = 1800
# What may have been or be to come is sure enough to be a plan if it is within so many days; and to have been
# if it was within so many.
_AHEAD, _AGO, _HALF_A_YEAR = 243, 300, 183
# A fact is about what its first clauses say.
_CLAUSE, _CLAUSES = regex(r"(?:[^,:(]|[,:](?=\S))+[,:(]?"), 2
_HOUR = regex(r"\d{1,2}:\d\d")
# What is one time though it has several days.
_WHOLE = frozenset(("unit", "weekend", "season", "holiday"))
# What names a day, and not a month or a time that comes every year.
_TO_THE_DAY = ("day_month", "days", "weekday", "week_day", "day", "slashed", "signed")


def says_more(value: str, stated_on: date) -> bool:
    """Return whether a text tells more than a plan, with a figure such as a price: that stays afterwards."""
    if ";" not in value and len(_CLAUSE.findall(value)) <= _CLAUSES:
        return False
    return any(map(str.isdigit, _HOUR.sub("", untimed(value, stated_on))))


def may_come_again(value: str, stated_on: date) -> bool:
    """Return whether a text names nothing but a day of some month: "due on the 1st" may be of every one."""
    seen = _times(value, stated_on, is_fact=True)
    return bool(seen) and all(
        span.reading == "day" and not any(map(day_of, fold(span.words).split())) for span in seen
    )


def untimed(text: str, seen_from: date) -> str:
    """Return a text without the words that name its times."""
    for span in spans(text, seen_from):
        text = text.replace(span.words, "")
    return " ".join(text.split())


def dated_fact(
    given: str,
    value: str,
    stated_on: date,
    *,
    key: str = "",
    is_promise: bool = False,
) -> str:
    """Return the time of a fact that was told on a day; nothing if it has none of its own that is sure.

    A day ahead is a plan's. One that has come is when it happened, if it is told in the past; else it is
    when the fact began to hold, and so is the month that is on. A promise is for the day that is given,
    whatever else its words say begins ("I ask on Friday if it starts"). A *key* names no time, but it may say
    that the time comes every year.
    """
    validity, seen = _given(given), _times(value, stated_on, is_fact=True)
    every = _again(given.strip(), validity, seen, value, stated_on)
    if every or not (validity or seen):
        return every  # nothing, as most facts: what else there is to look for takes five times as long
    is_of_a_week = {span.reading for span in seen} == {"weekday"}
    # A birthday on Saturday may be its party.
    is_once = _is_once(validity, seen, stated_on) or is_of_a_week
    if not is_once and (is_yearly(key) or is_yearly(value)):
        return yearly(_birthday(validity, value, stated_on))
    if validity and not validity.is_one:
        return str(validity)
    found = _agreed(validity, value, stated_on) if validity else _stated(value, stated_on)
    if found and found.is_one and not validity and found.is_ahead(stated_on):
        # What is not then is no plan.
        found = None if denies(_said_with(seen, value)) else found
    if found and is_of_a_week and not found.first and found.is_over(stated_on):
        found = None  # "they gave me sick leave until Sunday" may be of a Sunday to come
    readings = [span.reading for span in seen if span.happened and span.dated == str(found)]
    if found is None or not (found.is_one or (readings and _WHOLE.issuperset(readings))):
        return str(found or "")
    has_been = bool(readings)
    begins = says(value, "begins") and not (is_promise and validity and validity.is_day)
    # "Was diagnosed in August", told in August, is no plan that is over when the month is.
    is_begun = begins or (has_been and not found.is_over(stated_on))
    if is_begun or not found.is_ahead(stated_on):
        # A model that has no better day gives that of the turn; another one stands.
        is_today = found.first == str(stated_on) and (has_been or not _times(value, stated_on))
        stands = not is_begun and (has_been or (found == validity and found.is_day))
        since = found if stands else found._replace(last="", about=found.about or not found.is_one)
        return "" if is_today else str(since)
    return str(found)


def _said_with(seen: "Sequence[TimeSpan]", value: str) -> str:
    """Return the clauses that name a time: what others deny ("don't let me forget") is no word on that."""
    clauses = (clause for each in sentences_in(value) for clause in _CLAUSE.findall(each))
    return " ".join(each for each in clauses if any(span.words in each for span in seen))


def _times(words: str, seen_from: date, *, is_fact: bool = False) -> "list[TimeSpan]":
    """Return the times that words name, without the year of a make: a van of 2014 fails today."""
    return [span for span in spans(words, seen_from, is_fact=is_fact) if not names_a_make(span)]


def _is_once(given: Validity | None, seen: "Sequence[TimeSpan]", stated_on: date) -> bool:
    """Return whether the words name the very day that is given, of one year and still to come."""
    if not given or not given.is_day or given.is_over(stated_on):
        return False
    return any(span.dated == given.first and not span.tense and not span.relative for span in seen)


def _again(given: str, once: Validity | None, seen: "Sequence[TimeSpan]", value: str, stated_on: date) -> str:
    """Return the time that comes again, as it is given or by the words; nothing if these name another.

    What somebody does every day is no plan, unless it has an hour.
    """
    ends = [time for span in seen if (time := read(span.dated)) and not time.is_one]
    seen = [span for span in seen if not (time := read(span.dated)) or time.is_one]
    agrees = all(span.tense and next_time(given, span.first) == read(str(span.first)) for span in seen)
    found = given if not once and is_written(given) and agrees else ""
    if not found and [span.reading for span in seen] == ["again"]:
        named = seen[0].dated if seen[0].words in value.partition(";")[0] else ""
        is_other = once and next_time(named, once.first_day) != once
        is_habit = named == DAILY and not hours(value)
        is_denied = denies(_said_with(seen, value).replace(seen[0].words, ""))  # "un martes sí y otro no"
        found = "" if is_other or is_habit or is_denied else named
    for time in ends:  # "desde septiembre" is the nearest
        if time.last or 0 < (time.first_day - stated_on).days <= _HALF_A_YEAR:
            found = in_time(found, str(time))
    return found


def _birthday(given: Validity | None, value: str, stated_on: date) -> date | None:
    """Return the one day that is named of what comes every year, in any year."""
    found = {span.first for span in _times(value, stated_on, is_fact=True) if span.first == span.last}
    if not found and given and given.is_day:
        found = {given.first_day}
    return found.pop() if len(found) == 1 else None


def dated_episode(given: str, text: str, turns: Sequence[str], stated_on: date) -> str:
    """Return when an episode happened, by its text or its *turns*; nothing if on that day.

    A time ahead of the day on which it was told is a plan's.
    """
    validity = _given(given)
    if validity and validity.named != (stated_on, stated_on):
        found: Validity | None = _agreed(validity, text, stated_on)
    else:
        # A model that gives the day of the turn may have passed over a "yesterday".
        found = _past(text, stated_on, "either") or next(
            filter(None, (_past(each, stated_on) for each in turns)), None
        )
    return (
        str(found._replace(first=found.first or found.last, last=found.last or found.first)) if found else ""
    )


def _given(text: str) -> Validity | None:
    validity = read(text)
    return validity if validity and validity.named[0].year >= _FIRST_YEAR else None


def _agreed(given: Validity, words: str, stated_on: date) -> Validity:
    """Return what a given time and the words together say; where they differ, the words that come first."""
    seen = _times(words, stated_on)
    if any(span.tense for span in seen):
        # "El 3 de diciembre" is whichever year is meant, and "el viernes" is seen from the day after.
        around = (given.named[0], given.named[1] + timedelta(days=1))
        seen += [span for day in around for span in _times(words, day) if span.tense]
    agreeing = [time for span in seen if (time := read(span.dated)) and time.agrees(given)]
    if agreeing:
        both = given if given in agreeing else _both(given, min(agreeing, key=_vagueness))
        # What was done by today is not over today.
        return given if not both.first and both.last_day == stated_on else both
    first = _CLAUSE.match(words)
    seen = [span for span in seen if first and span.words in first[0]]
    named = {time for span in seen if not span.tense and (time := read(span.dated))}
    if not named and len({span.words for span in seen}) == 1:
        seen = [span for span in seen if span.reading in ("day_month", "days")]
        named = {time for span in seen if (time := read(span.dated))}
        named = {min(named, key=lambda time: abs(time.named[0] - given.named[0]))} if named else named
    return named.pop() if len(named) == 1 else given


def _both(given: Validity, stated: Validity) -> Validity:
    """Return the more precise of two times that agree, with what the words say of since and until.

    A model that must give a day gives the first of the month or the year.
    """
    (first, last), (begin, end) = given.named, stated.named
    is_first = first == last == begin
    if (end - begin <= last - first) or is_first or (stated.first and stated.last and not stated.is_one):
        return stated
    part = given.first
    return stated._replace(first=part if stated.first else "", last=part if stated.last else "")


def _vagueness(time: Validity) -> tuple[bool, bool, int, str]:
    """Return how little a time says: from one day to another says more than since or until, or a day."""
    first, last = time.named
    return time.is_one, not (time.first and time.last), (last - first).days, str(time)


def _stated(words: str, stated_on: date) -> Validity | None:
    """Return the one time that the words of a fact name, in what they say first.

    What comes after that is a detail, as the delivery of what is made.
    """
    seen = _times(" ".join(_CLAUSE.findall(words.partition(";")[0])[:_CLAUSES]), stated_on, is_fact=True)
    is_beginning = says(words, "begins")
    times = {
        time
        for span in seen
        if (time := read(span.dated)) and _is_sure(span, time, stated_on, is_beginning=is_beginning)
    }
    found = sorted(times, key=_vagueness)
    is_one = len(found) == 1 or (len(found) > 1 and _vagueness(found[0])[:2] < _vagueness(found[1])[:2])
    if len(found) == 2 and not found[0].first and found[1].is_day:
        end, day = found[0].last_day, found[1].first_day
        if stated_on < day < end:
            return between(day, end)  # "comes on Friday and stays until Sunday"
    if len(found) > 1 and not is_one and all(each.is_day and each.is_ahead(stated_on) for each in found):
        # "Arrives on Friday and leaves on Sunday" is from that Friday to the Sunday after.
        first, last = seen[0].first, seen[-1].last
        return between(first, last if last > first else last + timedelta(days=7))
    # What is so now has not ended with another clause: "I quit last week, I'm at the bakery now".
    is_now = is_one and found[0].is_over(stated_on) and says(words, "now")
    return found[0] if is_one and not is_now else None


def _is_sure(span: "TimeSpan", time: Validity, stated_on: date, *, is_beginning: bool) -> bool:
    """Return whether it is clear which one is meant, where the words leave that open."""
    if not span.tense or not (time.first and time.last):
        return True
    if span.reading == "weekday" and not time.is_one:  # "from Monday to Friday" is every week
        return span.tense == "future"
    if span.tense == "past":
        return (stated_on - time.last_day).days <= _AGO
    is_near = (time.last_day - stated_on).days >= 0 and (time.first_day - stated_on).days <= _AHEAD
    return is_near and (span.tense == "future" or is_beginning or span.reading in _TO_THE_DAY)


def _past(words: str, stated_on: date, *tenses: str) -> Validity | None:
    """Return the one time that the words name, if it has begun; one in these *tenses* is past, too."""
    seen = [span for span in _times(words, stated_on) if span.dated]
    seen = [
        span for span in seen if span.first <= stated_on or span.reading not in ("weekday", "day")
    ] or seen
    is_past = len(seen) == 1 and seen[0].tense in ("", "past", *tenses)
    # "Booked for August" was no August that has been.
    is_past = is_past and all(span.tense != "future" for span in spans(words, stated_on, is_fact=True))
    found = read(seen[0].dated) if is_past else None
    return found if found and found.named[0] <= stated_on else None
