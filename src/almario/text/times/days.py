"""Days, weeks, months and years around a day; nothing is earlier than the first day there is, or later."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

DAYS = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120}
# How far "three weeks ago" may be from three weeks ago.
SLACK = {
    "day": 0, "week": 3, "weekend": 3, "fortnight": 3, "month": 15, "quarter": 45, "half": 45, "year": 45,
    "decade": 365,
}  # fmt: skip
PARTS = ("early", "mid", "late")
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Span(NamedTuple):
    """Days that a text speaks of, the first and the last; *words* are those that name them."""

    first: date
    last: date
    words: str = ""
    # Told from today ("last week"), so that what was said then hardly uses the same words.
    relative: bool = False
    # As `domain.validity` writes it, since and until included; nothing where that cannot be written.
    dated: str = ""
    # Where the words leave open which year, month or week is meant: `past`, `future`, or `either`.
    tense: str = ""
    # Whether they name a day of a month.
    names_day: bool = False


def shifted(day: date, days: int) -> date:
    """Return the day so many days later, or earlier."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def moved(day: date, unit: str, count: int) -> date:
    """Return the day so many units later, or earlier."""
    if unit in DAYS:
        return shifted(day, DAYS[unit] * count)
    months = day.year * 12 + day.month - 1 + MONTHS[unit] * count
    year, month = divmod(months, 12)
    if not 1 <= year <= 9999:
        return date.min if year < 1 else date.max
    return date(year, month + 1, min(day.day, month_end(year, month + 1).day))


def the_unit(day: date, unit: str) -> Span:
    """Return the week, weekend, month, quarter, year or decade of a day."""
    if unit == "day":
        return Span(day, day)
    if unit in DAYS:
        monday = shifted(day, -day.weekday())
        return Span(shifted(monday, 5 if unit == "weekend" else 0), shifted(monday, 6))
    months = MONTHS[unit]
    if unit == "decade":
        return Span(date(max(1, day.year // 10 * 10), 1, 1), date(day.year // 10 * 10 + 9, 12, 31))
    first = (day.month - 1) // months * months + 1
    return Span(date(day.year, first, 1), month_end(day.year, first + months - 1))


def month_end(year: int, month: int) -> date:
    """Return the last day of a month."""
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return date(year, month, 29 if month == 2 and is_leap else _LENGTHS[month - 1])


def easter(year: int) -> date:
    """Return Easter Sunday (the anonymous Gregorian algorithm)."""
    century, within = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    back = (32 + 2 * (century % 4) + 2 * (within // 4) - moon - within % 4) % 7
    leap = (year % 19 + 11 * moon + 22 * back) // 451
    month, day = divmod(moon + back - 7 * leap + 114, 31)
    return date(year, month, day + 1)


def part_of(span: Span, third: int) -> Span:
    """Return the beginning (0), the middle (1) or the end (2) of a week, a month or a year."""
    length = (span.last - span.first).days + 1
    if length == 7:
        begins, ends = (0, 2, 4)[third], (1, 3, 6)[third]
        return Span(shifted(span.first, begins), shifted(span.first, ends))
    if 360 < length < 370:
        year = span.first.year
        return Span(date(year, third * 4 + 1, 1), month_end(year, third * 4 + 4))
    step = 10 if 27 < length < 32 else length // 3
    last = span.last if third == 2 else shifted(span.first, max(0, (third + 1) * step - 1))
    return Span(shifted(span.first, third * step), last)


def numbered(whole: Span, number: int, what: Mapping[str, Any]) -> Span | None:
    """Return a day, week or such of a longer time by its number; 0 is the last."""
    unit = what.get("unit")
    if "weekday" in what or unit == "weekend":
        wanted = what.get("weekday", 5)
        first = shifted(whole.first, (wanted - whole.first.weekday()) % 7 + 7 * (number - 1))
        if not number:
            first = shifted(whole.last, -((whole.last.weekday() - wanted) % 7))
        return Span(first, shifted(first, 0 if "weekday" in what else 1)) if first <= whole.last else None
    if unit == "day" and "many" in what:
        return part_of(whole, 0 if number else 2)
    if unit in ("day", "week"):
        days = 7 if unit == "week" else 1
        first = shifted(whole.first, days * (number - 1)) if number else shifted(whole.last, 1 - days)
        return Span(first, min(shifted(first, days - 1), whole.last)) if first <= whole.last else None
    if unit in ("half", "fortnight") and (whole.last - whole.first).days < 31:
        middle = shifted(whole.first, 14)
        return Span(whole.first, middle) if number == 1 else Span(shifted(middle, 1), whole.last)
    if unit in ("month", "quarter", "half"):
        return the_unit(moved(whole.first, unit, number - 1) if number else whole.last, unit)
    return None


def some(whole: Span, number: int, count: int, unit: str) -> Span | None:
    """Return the first so many days, weeks or such of a longer time, or if *number* is 0 the last."""
    if number > 1:
        return None
    if number:
        return Span(whole.first, min(whole.last, shifted(moved(whole.first, unit, count), -1)))
    return Span(max(whole.first, moved(shifted(whole.last, 1), unit, -count)), whole.last)


def marked(time: Span, marks: Sequence[str], today: date, away: tuple[str, int] | None = None) -> Span | None:
    """Return which days are meant of a time, or around it; None if there are none."""
    first, last = time.first, time.last
    for mark in marks:
        if mark in PARTS:
            first, last = part_of(Span(first, last), PARTS.index(mark))[:2]
        elif mark in DAYS:
            first, last = the_unit(first, mark)[:2]
        elif away and mark in ("before", "after"):
            unit, count = away
            day = moved(first, unit, -count) if mark == "before" else moved(last, unit, count)
            first, last = the_unit(day, unit)[:2]
        elif mark == "since":
            last = today if first <= today else last
        elif mark == "until":
            first = date.min
        elif mark == "before":
            if first == date.min:
                return None
            first, last = date.min, shifted(first, -1)
        elif mark == "after":
            if last == date.max:
                return None
            first, last = shifted(last, 1), date.max
        elif mark == "around":
            days = (last - first).days + 1
            slack = 3 if days < 15 else 10 if days < 32 else 0
            first, last = shifted(first, -slack), shifted(last, slack)
    return time._replace(first=first, last=last)
