"""What makes a time, whatever the language: "last week" and "semana pasada" are one pattern."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import Any

from almario.named_tuples import NamedTuple
from almario.text.times.lexicon import TimeToken, lexicon

# Names are kinds of words; names in capitals are the patterns below.
_PARTS = {
    "GLUE": "(?:of|the|on|in)*",
    "DATE": "(?:(?:day|ordinal)of?month|month the?(?:day|ordinal))",
    "ASIDE": "(?:this?last|this?next|this)",
    "AFTER": "(?:last_after|next_after)",
    "THAT_WEEK": "(?:ASIDE unit_week|unit_week AFTER|relative_week)",
    "THAT_MONTH": "(?:ASIDE unit_month|unit_month AFTER|relative_month)",
    "THAT_YEAR": "(?:ASIDE unit_year|unit_year AFTER|relative_year)",
    "OF_YEAR": "(?:comma?GLUE(?:unit_year?year(?!things|digits)|THAT_YEAR))",
    "WHOLE": "(?:month dot?OF_YEAR?|THAT_MONTH|THAT_YEAR|year|unit_month|unit_year)",
    # "Year 5 in March" names no day.
    "OF_MONTH": "(?:(?!in)(?:of|the|on))*",
    "NTH": "(?:ordinal|last)",
    "EVERY_OTHER": "(?:every(?:number|ordinal|alternate)|alternate)",
    "SOME_WEEKS": "(?:unit_week|unit_fortnight)",
    "DAY_MONTH": (
        "(?:(?:day|ordinal)dot?OF_MONTH(?:month dot?OF_YEAR?|after_day dot?OF_YEAR?|THAT_MONTH)"
        "|(?:day|ordinal)of GLUE unit_month|number of month OF_YEAR?)"
    ),
}
# Each reading and its patterns, the stricter before the looser.
READINGS = (
    ("monthly", "NTH(?:(?:comma|and)+the?NTH)*weekday(?:of|in)(?:the|on)*unit_month"),
    ("again", "(?:every the?)?NTH(?:(?:comma|and)+the?NTH)*weekday(?:of|in)GLUE every?unit_month"
              "|every last weekday|EVERY_OTHER(?:unit_week GLUE)?weekday|weekday comma?EVERY_OTHER unit_week"
              "|number weekday yes(?:comma|and)*(?:number|alternate)weekday?no"
              "|every(?:unit_year GLUE)?DATE|DATE comma?GLUE every unit_year"
              "|every(?:unit_month GLUE day_sign?(?:day|ordinal)|ordinal of GLUE unit_month)"
              "|day_sign?(?:day|ordinal|number)of every unit_month"
              "|every(?:nth|day_sign day)(?!unit|weekday|things)|every(?:unit_day|part|unit_weekend)"
              "|(?:every|plural|(?=plural))weekday(?:(?:comma|and)+(?:every|plural|the|on)*weekday)*"),
    ("date", "date|year_month"),
    ("signed", "(?:(?:year year_sign|relative_year)of?)?number month_sign of?(?:number day_sign)?"
               "|year year_sign"),
    ("days", "(?:weekday comma?)?day dot?(?:dash|to|and)GLUE DAY_MONTH"
             "|(?:weekday comma?)?month dot?GLUE day(?:dash|to)GLUE day(?!things)(?:comma?year)?"),
    ("day_month", "(?:weekday comma?GLUE)?(?:DAY_MONTH|month dot?the?day(?!things|digits)OF_YEAR?)"),
    ("slice", "(?:ordinal|last)(?:unit|weekday|number unit)(?:of|in)GLUE WHOLE"),
    ("quarter", "(?:(?:ordinal|ASIDE)unit_quarter|unit_quarter AFTER|quarter)OF_YEAR?"),
    ("ago", "ago about?number unit|number unit back"),
    ("run", "(?:last|next)number unit|number(?:last|next)unit|(?:last|next)many|many AFTER"
            "|since number unit(?!back)"),
    ("further", "number SOME_WEEKS(?:on|from|of)?(?:weekday|relative_day)"
                "|(?:weekday|relative_day)(?:SOME_WEEKS(?!digits)|ahead number unit_day?(?!things|unit))"
                "|weekday after next|(?:unit_week|unit_weekend)after(?=stop|comma|dot|and|$)"),
    ("ahead", "ahead about?number unit(?!back)|number unit hence"),
    ("week_day", "weekday comma?GLUE THAT_WEEK|THAT_WEEK comma?GLUE weekday"),
    ("weekday", "ASIDE weekday|weekday AFTER|weekday(?!comma?the?day(?!things|unit|hour_unit))"),
    ("holiday", "ASIDE?holiday AFTER?OF_YEAR?|THAT_YEAR comma?GLUE holiday"),
    ("season", "ASIDE?season AFTER?OF_YEAR?|THAT_YEAR comma?GLUE season"),
    ("month", "ASIDE of?month|month AFTER|month dot?OF_YEAR|month|THAT_YEAR comma?GLUE month"),
    ("unit", "ASIDE unit|unit AFTER"),
    ("relative", "relative"),
    ("decade", "decade_sign(?:tens|hundreds)(?!things|unit)|decade(?!unit)"),
    ("weekend", "unit_weekend(?!GLUE day)"),
    ("year", "unit_year?year(?!things|digits)"),
    ("slashed", "slashed"),
    ("day", "(?:day_sign|weekday comma?the?)?day(?!things|month_sign|day_sign|unit|hour_unit)"),
    ("whole", "unit_week|unit_month|unit_year"),
)  # fmt: skip


# What is another time tomorrow.
FROM_TODAY = ("relative", "unit", "week_day", "ago", "run", "ahead", "further")
# What a time may begin with.
_STARTS = (
    "date", "year_month", "year", "relative", "number", "day", "weekday", "month", "ordinal", "last", "this",
    "next", "unit", "quarter", "ago", "many", "since", "ahead", "holiday", "season", "decade_sign", "decade",
    "slashed", "day_sign", "every", "plural", "alternate",
)  # fmt: skip


@cache
def grammar() -> re.Pattern[str]:
    """Return the pattern of a time over signs; its group is the reading."""
    kinds = lexicon().kinds
    starts = sorted({sign for kind in _STARTS for sign in kinds.get(kind, ())})
    rows = (f"(?P<{name}>{pattern_of(pattern, _PARTS)})" for name, pattern in READINGS)
    return re.compile(f"(?=[{''.join(starts)}])(?:{'|'.join(rows)})")


def pattern_of(form: str, parts: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a pattern over signs, from one over kinds of words and named *parts*."""
    kinds = lexicon().kinds

    def put(found: re.Match[str]) -> str:
        name = found[0]
        if name in parts:
            return re.sub("[A-Za-z_]+", put, parts[name])
        return f"[{''.join(sorted(kinds[name]))}]" if name in kinds else "(?!)"

    return re.sub("[A-Za-z_]+", put, form).replace(" ", "")


class Phrase(NamedTuple):
    """The words of one time: where they begin and end, how they are read, and in what languages."""

    begin: int
    end: int
    reading: str
    tokens: list[TimeToken]
    languages: frozenset[str]
    # Whether "between" stands before it.
    is_between: bool = False

    def value(self, kind: str) -> Any:
        """Return what its first word of a kind stands for; None if there is no such word."""
        return next((token.sense.values[kind] for token in self.tokens if kind in token.sense.values), None)

    def every(self, kind: str) -> list[Any]:
        """Return what all its words of a kind stand for."""
        return [token.sense.values[kind] for token in self.tokens if kind in token.sense.values]

    @property
    def aside(self) -> str:
        """Whether it is the `last`, the `next` or `this` one."""
        sides = ("last", "next", "this")
        return next((side for side in sides if self.value(side) or self.value(f"{side}_after")), "")


DAYS = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120}
# How far "three weeks ago" may be from three weeks ago.
SLACK = {
    "day": 0, "week": 3, "weekend": 3, "fortnight": 3, "month": 15, "quarter": 45, "half": 45, "year": 45,
    "decade": 365,
}  # fmt: skip
PARTS = ("early", "mid", "late")


class TimeSpan(NamedTuple):
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
    # How they were read, by its name in `READINGS`.
    reading: str = ""
    # Whether a fact tells of it as past.
    happened: bool = False


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


def the_unit(day: date, unit: str) -> TimeSpan:
    """Return the week, weekend, month, quarter, year or decade of a day."""
    if unit == "day":
        return TimeSpan(day, day)
    if unit in DAYS:
        monday = shifted(day, -day.weekday())
        return TimeSpan(shifted(monday, 5 if unit == "weekend" else 0), shifted(monday, 6))
    months = MONTHS[unit]
    if unit == "decade":
        return TimeSpan(date(max(1, day.year // 10 * 10), 1, 1), date(day.year // 10 * 10 + 9, 12, 31))
    first = (day.month - 1) // months * months + 1
    return TimeSpan(date(day.year, first, 1), month_end(day.year, first + months - 1))


def month_end(year: int, month: int) -> date:
    """Return the last day of a month."""
    from calendar import monthrange  # noqa: PLC0415 - loads what knows the names of days, too

    return date(year, month, monthrange(year, month)[1])


def easter(year: int) -> date:
    """Return Easter Sunday (the anonymous Gregorian algorithm)."""
    century, within = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    back = (32 + 2 * (century % 4) + 2 * (within // 4) - moon - within % 4) % 7
    leap = (year % 19 + 11 * moon + 22 * back) // 451
    month, day = divmod(moon + back - 7 * leap + 114, 31)
    return date(year, month, day + 1)


def part_of(span: TimeSpan, third: int) -> TimeSpan:
    """Return the beginning (0), the middle (1) or the end (2) of a week, a month or a year."""
    length, year = (span.last - span.first).days + 1, span.first.year
    if 360 < length < 370:
        return TimeSpan(date(year, third * 4 + 1, 1), month_end(year, third * 4 + 4))
    step = 2 if length == 7 else 10 if 27 < length < 32 else length // 3
    last = span.last if third == 2 else shifted(span.first, max(0, (third + 1) * step - 1))
    return TimeSpan(shifted(span.first, third * step), last)


def numbered(whole: TimeSpan, number: int, what: Mapping[str, Any], count: int = 1) -> TimeSpan | None:
    """Return a day, week or such of a longer time by its number, or the first *count*; 0 is the last."""
    unit, first, last = what.get("unit", "day"), whole.first, whole.last
    if count > 1:
        begin, end = moved(shifted(last, 1), unit, -count), shifted(moved(first, unit, count), -1)
        found = TimeSpan(first, min(last, end)) if number else TimeSpan(max(first, begin), last)
        return found if number < 2 else None
    if unit in ("half", "fortnight") and (last - first).days < 31:
        return TimeSpan(first, shifted(first, 14)) if number == 1 else TimeSpan(shifted(first, 15), last)
    if unit not in ("day", "week", "weekend"):
        is_part = unit in ("month", "quarter", "half")
        return the_unit(moved(first, unit, number - 1) if number else last, unit) if is_part else None
    if unit == "day" and "many" in what:
        return part_of(whole, 0 if number else 2)
    size, step = {"week": (7, 7), "weekend": (2, 7)}.get(unit, (1, 7 if "weekday" in what else 1))
    latest = shifted(last, 1 - size)
    if step > size:  # a weekday, or the Saturday of a weekend
        wanted = what.get("weekday", 5)
        first = shifted(first, (wanted - first.weekday()) % 7)
        latest = shifted(last, -((last.weekday() - wanted) % 7))
    begin = shifted(first, step * (number - 1)) if number else latest
    end = shifted(begin, size - 1)
    return TimeSpan(begin, min(end, last) if unit == "week" else end) if begin <= last else None


def marked(
    time: TimeSpan, marks: Sequence[str], today: date, away: tuple[str, int] | None = None
) -> TimeSpan | None:
    """Return which days are meant of a time, or around it; None if there are none."""
    first, last = time.first, time.last
    for mark in marks:
        if mark in PARTS:
            first, last = part_of(TimeSpan(first, last), PARTS.index(mark))[:2]
        elif mark in DAYS:
            first, last = the_unit(first, mark)[:2]
        elif away and mark in ("before", "after"):
            unit, count = away
            first, last = the_unit(
                moved(*((first, unit, -count) if mark == "before" else (last, unit, count))), unit
            )[:2]
        elif mark == "since":
            last = today if first <= today else last
        elif mark in ("until", "due"):
            first = date.min
        elif (mark == "before" and first == date.min) or (mark == "after" and last == date.max):
            return None
        elif mark in ("before", "after"):
            first, last = (date.min, shifted(first, -1)) if mark == "before" else (shifted(last, 1), date.max)
        elif mark == "around":
            days = (last - first).days + 1
            slack = 3 if days < 15 else 10 if days < 32 else 0
            first, last = shifted(first, -slack), shifted(last, slack)
    return time._replace(first=first, last=last)
