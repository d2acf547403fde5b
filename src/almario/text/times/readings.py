"""The days that the words of a time stand for, seen from a day."""

from collections.abc import Callable
from datetime import date

from almario.domain.validity import DAILY, next_time, read
from almario.named_tuples import NamedTuple
from almario.text.times.grammar import (
    DAYS,
    SLACK,
    Phrase,
    TimeSpan,
    easter,
    month_end,
    moved,
    numbered,
    shifted,
    the_unit,
)

# A week and two, counted with the first day: "del lunes en ocho", "quince días".
ROUNDED = {8: 7, 15: 14}
# How many days of a month are named.
_ENDS = {"day_month": 1, "days": 2}
# "The last weeks" are this many.
_SOME = 3
# What is coming is meant as well as what has been, if it comes within so many days.
_SOON = 62
# What began so many days ago has just begun.
_JUST = 31
_NEVER = 10**7


class Sight(NamedTuple):
    """From which day a time is seen, and whether what has been is meant, what is to come, or `either`.

    In a fact it is the `next`, unless it has just been, or the `nearest`.
    """

    today: date
    tense: str = "past"


Reading = Callable[[Phrase, Sight], list[TimeSpan]]


def times(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    """Return the days that a phrase names; there are none on the 31st of February."""
    return _READINGS[phrase.reading](phrase, sight)


def times_between(phrase: Phrase, other: Phrase, sight: Sight) -> list[TimeSpan]:
    """Return the days from the first of one time to the last of another."""
    sight = sight._replace(tense="past") if sight.tense == "either" else sight
    if _is_of_a_year(other) and not _is_of_a_year(phrase):
        ends = times(other, sight)
        found = [(begin, end) for end in ends for begin in times(phrase, Sight(end.last))[:1]]
        return [TimeSpan(begin.first, end.last) for begin, end in found if begin.first <= end.last]
    is_relative = other.aside or other.reading in ("relative", "unit")
    pairs = [(each, sight if is_relative else Sight(each.first, "future")) for each in times(phrase, sight)]
    found = [(begin, end) for begin, seen in pairs for end in times(other, seen)[:1]]
    return [begin._replace(last=end.last) for begin, end in found if begin.first <= end.last]


def _is_of_a_year(phrase: Phrase) -> bool:
    words = ("year", "date", "year_month", "unit_year", "relative_year")
    return any(phrase.value(word) is not None for word in words)


def _chosen(made: list[TimeSpan], sight: Sight, aside: str) -> list[TimeSpan]:
    today = sight.today
    past = [span for span in made if span.first <= today]
    coming = [span for span in made if span.last >= today]
    ago = (today - past[-1].last).days if past else _NEVER
    away = (coming[0].first - today).days if coming else _NEVER
    found = past[-1:]
    if aside == "last":
        found = [span for span in made if span.last < today][-1:]
    elif aside == "next":
        found = [span for span in made if span.first > today][:1]
    elif aside == "this":
        here = coming[:1] if sight.tense == "future" else [span for span in past if span.last >= today]
        found = here or [span for span in made if span.first.year == today.year][:1]
    elif sight.tense == "either":
        found += coming[:1] if 0 < away <= _SOON and away < ago else []
    elif coming and {"future": True, "next": ago > _JUST, "nearest": ago >= away}.get(sight.tense):
        found = coming[:1]
    return [span._replace(relative=bool(aside)) for span in found]


def _fitting(made: list[TimeSpan], phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    """Return which of some days is meant; where the words name a weekday, one that falls on it."""
    named = [span for span in made if span.first.weekday() == phrase.value("weekday")]
    nearest = sorted(named, key=lambda span: abs(span.first - sight.today))[:1]
    return _chosen(named or made, sight, phrase.aside) or nearest


def _yearly(phrase: Phrase, sight: Sight, make: Callable[[int], TimeSpan | None]) -> list[TimeSpan]:
    """Return the times of a name that comes back every year."""
    year = _year_of(phrase, sight)
    if year is not None:
        span = make(year) if 1 <= year <= 9999 else None
        return [span._replace(relative=phrase.value("year") is None)] if span else []
    for reach in (2, 9):  # there is a 29th of February in nine years
        near = range(max(1, sight.today.year - reach), min(9999, sight.today.year + reach) + 1)
        found = _fitting([span for each in near if (span := make(each))], phrase, sight)
        if found:
            return found
    return []


def _year_of(phrase: Phrase, sight: Sight) -> int | None:
    year: int | None = phrase.value("year")
    if year is None and phrase.value("relative_year"):
        year = sight.today.year + int(phrase.value("relative_year")[1])
    elif year is None and phrase.value("unit_year"):
        year = sight.today.year + {"last": -1, "next": 1}.get(phrase.aside, 0)
    return year


def _written(year: int, *rest: int) -> TimeSpan | None:
    """Return a month or a day; None if there is none such."""
    found = read("-".join([f"{year:04}", *(f"{each:02}" for each in rest)]))
    return TimeSpan(*found.named) if found else None


def _again(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    days = sorted({*phrase.every("weekday")}) or [5]  # a weekend begins on Saturday
    dated = f"XXXX-WXX-{','.join(str(each + 1) for each in days)}"
    number = phrase.value("ordinal") or phrase.value("number")
    step = 2 if phrase.value("alternate") or phrase.value("yes") else number or 1
    ordered = [token for token in phrase.tokens if token.is_a("ordinal", "last")]
    numbers = [token.sense.values.get("ordinal", "L") for token in ordered]
    is_plural = any(token.text.endswith("s") for token in ordered)  # "todos los segundos martes"
    if phrase.value("weekday") is None and (day := phrase.value("day") or number):
        dated = f"XXXX-{phrase.value('month') or 'XX':02}-{day:02}"
    elif phrase.value("part") or phrase.value("unit") == "day":
        dated = DAILY
    elif numbers and (phrase.value("unit") == "month" or step == 1 or is_plural):
        dated = f"XXXX-XX-{','.join(f'{days[0] + 1}#{each}' for each in numbers)}"
    elif step > 1:
        dated = f"R/{next_time(dated, sight.today)}/P{step}W"
    found = next_time(dated, sight.today)
    return [TimeSpan(*found.named, dated=dated)] if found else []


def _date(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    if phrase.value("year_month"):
        span = _written(*phrase.value("year_month"))
        return [span] if span else []
    return [TimeSpan(day, day) for day in phrase.value("date")]


def _signed(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    if not phrase.every("number"):
        return _year(phrase, sight)
    return _yearly(phrase, sight, lambda year: _written(year, *phrase.every("number")[:2]))


def _days(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    """A day of a month, two of them, or from one to the other."""
    numbers = phrase.every("day") + phrase.every("ordinal") + phrase.every("number")
    numbers = numbers[: _ENDS[phrase.reading]]
    is_list = phrase.value("and") and not phrase.is_between and not phrase.value("dash")
    month = phrase.value("month") or phrase.value("after_day")
    found: list[TimeSpan] = []
    for first, last in zip(numbers, numbers, strict=True) if is_list else [(numbers[0], numbers[-1])]:

        def make(year: int, month: int = month, first: int = first, last: int = last) -> TimeSpan | None:
            begins, ends = _written(year, month, first), _written(year, month, last)
            return TimeSpan(begins.first, ends.last) if begins and ends and first <= last else None

        if month is None:
            [whole] = _that(phrase, sight, "month")
            made = make(whole.first.year, whole.first.month)
            found += [made._replace(relative=True)] if made else []
        else:
            found += _yearly(phrase, sight, make)
    return found


def _month(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    return _yearly(phrase, sight, lambda year: _written(year, phrase.value("month")))


def _season(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    first = phrase.value("season") * 3

    def make(year: int) -> TimeSpan:
        last = month_end(year, first + 2) if first < 12 else month_end(min(9999, year + 1), 2)
        return TimeSpan(date(year, first, 1), max(date(year, first, 28), last))

    return _yearly(phrase, sight._replace(tense="past") if sight.tense == "either" else sight, make)


def _holiday(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    def day(year: int, name: str) -> date:
        if name.startswith("easter"):
            return shifted(easter(year), int(name[6:] or 0))
        return date(year, int(name[:2]), int(name[3:]))

    first, last = phrase.value("holiday")
    return _yearly(phrase, sight, lambda year: TimeSpan(day(year, first), day(year, last)))


def _year(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    year = phrase.value("year")
    first = next(filter(None, map(phrase.value, ("year", "tens", "hundreds", "decade"))))
    return [the_unit(date(first, 1, 1), "decade" if year is None else "year")]


def _quarter(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    number = phrase.value("quarter") or phrase.value("ordinal")
    if not number or number > 4:
        return [] if number else _that(phrase, sight, "quarter")
    return _yearly(phrase, sight, lambda year: the_unit(date(year, number * 3, 1), "quarter"))


def _that(phrase: Phrase, sight: Sight, unit: str = "") -> list[TimeSpan]:
    aside = {"last": -1, "next": 1}.get(phrase.aside, 0)
    # "Pasado" is the day after tomorrow, but "el mes pasado" is last month.
    told = phrase.value("relative") if phrase.reading == "relative" or not aside else None
    named, shift = told or (phrase.value("unit"), aside)
    unit = unit or named
    return [the_unit(moved(sight.today, unit, shift), unit)._replace(relative=True)]


def _far(way: int) -> Reading:
    def reading(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
        unit = phrase.value("unit")
        number = phrase.value("number")
        if unit == "day" and way > 0 and not phrase.value("digits") and "en" not in phrase.languages:
            number = ROUNDED.get(number, number)
        day = moved(sight.today, unit, way * number)
        if unit == "weekend":
            return [the_unit(day, unit)._replace(relative=True)]
        return [TimeSpan(shifted(day, -SLACK[unit]), shifted(day, SLACK[unit]), relative=True)]

    return reading


def _further(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    """A week on Saturday, Saturday week, del lunes en ocho, the Monday after next, the weekend after."""
    weekday, number = phrase.value("weekday"), phrase.value("number") or 1
    days = ROUNDED.get(number, 0) if phrase.value("ahead") else number * DAYS[phrase.value("unit") or "week"]
    if phrase.tokens[-1].is_a("after"):
        return [the_unit(shifted(sight.today, 7), phrase.value("unit"))._replace(relative=True)]
    _, away = phrase.value("relative") or ("day", ((weekday or 0) - sight.today.weekday()) % 7 or 7)
    day = shifted(sight.today, away + days)
    return [TimeSpan(day, day, relative=True)] if days and away >= 0 else []


def _run(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    count = phrase.value("number") or (_SOME if phrase.value("many") else 1)
    day = moved(sight.today, phrase.value("unit"), count if phrase.aside == "next" else -count)
    return [TimeSpan(min(day, sight.today), max(day, sight.today), relative=True)]


def _weekday(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    """The nearest such day; "next Friday" is in the next week in English, and tomorrow in no language."""
    aside, away = phrase.aside, phrase.value("weekday") - sight.today.weekday()
    ahead = away % 7
    if aside == "next":
        found = [away + 7 if phrase.languages == {"en"} else ahead if ahead > 1 else ahead + 7]
    elif aside == "last" or (sight.tense == "past" and (ahead or not aside)):
        found = [ahead - 7]
    elif sight.tense == "nearest":
        found = [ahead if ahead <= 3 else ahead - 7]
    elif sight.tense == "either":
        found = [away if aside else ahead - 7, ahead]
    else:
        found = [ahead if aside else ahead or 7]
    days = [shifted(sight.today, each) for each in dict.fromkeys(found)]
    return [TimeSpan(day, day, relative=True) for day in days]


def _week_day(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    [week] = _that(phrase, sight, "week")
    day = shifted(week.first, phrase.value("weekday"))
    return [TimeSpan(day, day, relative=True)]


def _day(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    months = dict.fromkeys(moved(sight.today.replace(day=1), "month", away) for away in range(-3, 4))
    made = [_written(month.year, month.month, phrase.value("day")) for month in months]
    sight = sight._replace(tense="future") if sight.tense == "next" else sight
    return _fitting([span for span in made if span], phrase, sight)


def _slashed(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    one, two = phrase.value("slashed")
    pairs = dict.fromkeys([(one, two), (two, one)])
    makes = [lambda year, day=day, month=month: _written(year, month, day) for day, month in pairs]
    return [span for make in makes for span in _yearly(phrase, sight, make)]


def _slice(phrase: Phrase, sight: Sight) -> list[TimeSpan]:
    """The first week of May, the first and third Monday of the month, the last two days of 2024."""
    kinds = [token.is_a("unit", "weekday") for token in phrase.tokens[1:]]  # "segunda" is a Monday elsewhere
    place = 1 + kinds.index(True)
    what, rest = phrase.tokens[place].sense.values, phrase._replace(tokens=phrase.tokens[place + 1 :])
    which = [token.sense.values for token in phrase.tokens[:place]]
    numbers = [each.get("ordinal", 0) for each in which if {"ordinal", "last"} & each.keys()]
    count = which[1].get("number", 1) if len(which) == 2 else 1
    read = _month if rest.value("month") is not None else _year if rest.value("year") is not None else _that
    wholes = [(whole, number) for whole in read(rest, sight) for number in numbers]
    found = ((whole, numbered(whole, number, what, count)) for whole, number in wholes)
    return [span._replace(relative=whole.relative) for whole, span in found if span]


_READINGS: dict[str, Reading] = {
    "again": _again, "date": _date, "signed": _signed, "days": _days, "day_month": _days, "slice": _slice,
    "quarter": _quarter, "ago": _far(-1), "run": _run, "ahead": _far(1), "further": _further,
    "week_day": _week_day, "weekday": _weekday, "holiday": _holiday, "season": _season, "month": _month,
    "decade": _year, "year": _year, "slashed": _slashed, "day": _day, "unit": _that, "weekend": _that,
    "whole": _that, "relative": _that,
}  # fmt: skip
