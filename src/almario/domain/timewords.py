"""The times that a question speaks of, in English and Spanish: "in March 2023", "hace dos meses"."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple


class Span(NamedTuple):
    """Days that a question speaks of, the first and the last; *words* are those that name them."""

    first: date
    last: date
    words: str = ""
    # Told from today ("last week"), so that what was said then hardly uses the same words.
    relative: bool = False
    # A date without a year may be of any year, and the latest is the likeliest.
    weight: float = 1.0


def _numbered(table: str, first: int) -> dict[str, int]:
    return {name: number for number, names in enumerate(table.split(";"), first) for name in names.split()}


_MONTHS = _numbered(
    """january enero jan; february febrero feb; march marzo mar; april abril apr; may mayo; june junio jun;
    july julio jul; august agosto aug; september septiembre setiembre sept sep; october octubre oct;
    november noviembre nov; december diciembre dec""",
    1,
)
# Also words of another meaning, or too short to stand alone: they need a day, a year or "in" beside them.
_DOUBTFUL = {
    "may",
    "march",
    *(name for name in _MONTHS if len(name) < 5 and name not in ("mayo", "june", "july")),
}
_WEEKDAYS = _numbered(
    """monday lunes; tuesday martes; wednesday miércoles miercoles; thursday jueves; friday viernes;
    saturday sábado sabado; sunday domingo""",
    0,
)
_NUMBERS = _numbered(
    """a an one un una uno; two dos couple par; three tres few unos unas pocos pocas;
    four cuatro several varios varias; five cinco; six seis; seven siete; eight ocho; nine nueve; ten diez;
    eleven once; twelve doce""",
    1,
)
_DAYS = {
    "day": 1, "día": 1, "dia": 1, "week": 7, "semana": 7, "weekend": 7, "fin de semana": 7,
    "month": 30, "mes": 30, "year": 365, "año": 365, "ano": 365,
}  # fmt: skip
# How far "three weeks ago" may be from three weeks ago.
_SLACK = {1: 1, 7: 3, 30: 15, 365: 120}

_month = "|".join(sorted(_MONTHS, key=len, reverse=True))
_weekday = "|".join(_WEEKDAYS)
_unit = "fin de semana|weekend|semana|week|month|mes|year|día|dia|day|año|ano"
_count = r"(?:an?\s+|un\s+)?(?:couple\s+of|few|par\s+de|\d{1,3}|" + "|".join(_NUMBERS) + r")(?:\s+of)?"
_year = r"(?:19|20)\d\d"

_LONGEST = 2000
_OTHERS = """yesterday ayer night anoche anteayer antier today hoy tonight morning afternoon evening mañana
    tarde noche recently lately recientemente últimamente ultimamente"""
# Without one of these words or a year, a question names no time.
_HINTS = {
    *_MONTHS, *_WEEKDAYS, *_unit.split("|"), *(unit + "s" for unit in _DAYS), "meses", "fin",
    *_OTHERS.split(),
}  # fmt: skip

Reading = Callable[[re.Match[str], date], Iterator[Span]]


def spans(question: str, today: date) -> list[Span]:
    """Return the times that a question names, as seen from *today*."""
    rest = question[:_LONGEST]
    found: list[Span] = []
    if _HINTS.isdisjoint(re.findall(r"[^\W\d]+", rest.lower())) and not re.search(_year, rest):
        return found
    for pattern, reading in _patterns():
        for match in pattern.finditer(rest):
            found += reading(match, today)
        # What one pattern has read is not read again by a looser one.
        rest = pattern.sub(lambda match: "\0" * len(match[0]), rest)
    return found


def nearness(day: date | None, times: Sequence[Span]) -> float:
    """Return how well *day* fits one of the times: 1 inside, less and less around it."""
    return max((_fit(day, time) for time in times), default=0.0) if day else 0.0


def day_terms(time: Span) -> Iterator[str]:
    """Yield the index's terms for the days of a time: whole years and months by their beginning."""
    day = time.first
    while day <= time.last:
        month_end = _month_end(day.year, day.month)
        year_end = date(day.year, 12, 31)
        if (day.month, day.day) == (1, 1) and year_end <= time.last:
            yield f"#{day.year:04}*"
            day = year_end
        elif day.day == 1 and month_end <= time.last:
            yield f"#{day.year:04}-{day.month:02}*"
            day = month_end
        else:
            yield f"#{day.isoformat()}"
        if day == date.max:
            return
        day += timedelta(1)


def _month_end(year: int, month: int) -> date:
    return (
        date.max
        if (year, month) == (9999, 12)
        else date(year + month // 12, month % 12 + 1, 1) - timedelta(1)
    )


def _fit(day: date, time: Span) -> float:
    length = (time.last - time.first).days + 1
    if day < time.first:
        away, edge = (time.first - day).days, 1 + length / 4
    else:
        # Things are told of a little after they happen.
        away, edge = max(0, (day - time.last).days), 7 + length / 2
    return time.weight * max(0.0, 1 - away / (edge + 1))


def _dated(match: re.Match[str], today: date) -> Iterator[Span]:
    parts = match.groupdict()
    name, year = parts["month"].lower(), parts.get("year")
    day = parts.get("day")
    before = parts.get("before")
    if name in _DOUBTFUL and not (day or year or before):
        return
    years = [int(year)] if year else range(today.year, today.year - 10, -1)
    latest = True
    for each in years:
        span = _month_span(each, _MONTHS[name], int(day) if day else None, match[0])
        if span and (year or span.first <= today):
            yield span._replace(weight=1.0 if latest else 0.8)
            latest = False


def _month_span(year: int, month: int, day: int | None, words: str) -> Span | None:
    last = _month_end(year, month).day
    if day is not None and not 1 <= day <= last:
        return None
    return Span(date(year, month, day or 1), date(year, month, day or last), words)


def _iso(match: re.Match[str], today: date) -> Iterator[Span]:
    year, month, day = (int(part) if part else None for part in match.groups())
    if year and month and 1 <= month <= 12:
        span = _month_span(year, month, day, match[0])
        if span:
            yield span


def _slashed(match: re.Match[str], today: date) -> Iterator[Span]:
    """3/5/2023 is a day of May in one country and of March in another: both."""
    one, two, year = (int(part) for part in match.groups())
    for day, month in {(one, two), (two, one)}:
        span = _month_span(year, month, day, match[0]) if 1 <= month <= 12 else None
        if span:
            yield span


def _whole_year(match: re.Match[str], today: date) -> Iterator[Span]:
    year = int(match["year"])
    yield Span(date(year, 1, 1), date(year, 12, 31), match[0])


def _days_of(match: re.Match[str]) -> int:
    return _DAYS[match["unit"].lower()]


def _number(text: str | None) -> int:
    for word in (text or "").lower().split()[::-1]:
        if word.isdigit() or word in _NUMBERS:
            return int(word) if word.isdigit() else _NUMBERS[word]
    return 1


def _ago(match: re.Match[str], today: date) -> Iterator[Span]:
    unit = _days_of(match)
    back = _number(match["count"]) * unit
    slack = _SLACK[unit]
    yield _back(today, back + slack, max(0, back - slack), match)


def _lately(match: re.Match[str], today: date) -> Iterator[Span]:
    yield _back(today, _number(match["count"]) * _days_of(match), 0, match)


def _last(match: re.Match[str], today: date) -> Iterator[Span]:
    unit = _days_of(match)
    if unit == 7:
        monday = today.weekday()
        yield _back(today, monday + 7, monday + 1, match)
    elif unit == 30:
        end = today.replace(day=1) - timedelta(1)
        yield Span(end.replace(day=1), end, match[0], relative=True)
    elif unit == 365:
        yield Span(date(today.year - 1, 1, 1), date(today.year - 1, 12, 31), match[0], True)
    else:
        yield _back(today, 1, 1, match)


def _this(match: re.Match[str], today: date) -> Iterator[Span]:
    back = {7: today.weekday(), 30: today.day - 1, 365: today.timetuple().tm_yday - 1}.get(_days_of(match), 0)
    yield _back(today, back, 0, match)


def _weekday_before(match: re.Match[str], today: date) -> Iterator[Span]:
    back = (today.weekday() - _WEEKDAYS[match["weekday"].lower()] - 1) % 7 + 1
    yield _back(today, back, back, match)


def _near(first: int, last: int) -> Reading:
    def reading(match: re.Match[str], today: date) -> Iterator[Span]:
        yield _back(today, first, last, match)

    return reading


def _back(today: date, first: int, last: int, match: re.Match[str]) -> Span:
    earliest = today.toordinal() - 1
    return Span(
        today - timedelta(min(first, earliest)),
        today - timedelta(min(last, earliest)),
        match[0],
        relative=True,
    )


@cache
def _patterns() -> list[tuple[re.Pattern[str], Reading]]:
    """Return how each time is read, from the strictest to the loosest; made when first needed (10 ms)."""
    rows: list[tuple[str, Reading]] = [
        (rf"({_year})-(\d\d)(?:-(\d\d))?", _iso),
        (rf"(\d\d?)/(\d\d?)/({_year})", _slashed),
        (
            rf"(?P<day>\d\d?)(?:st|nd|rd|th)?\s+(?:of\s+|de\s+)?(?P<month>{_month})"
            rf"(?:,?\s+(?:del?\s+)?(?P<year>{_year}))?",
            _dated,
        ),
        (rf"(?P<month>{_month})\s+(?P<day>\d\d?)(?:st|nd|rd|th)?(?:,?\s+(?P<year>{_year}))?", _dated),
        (rf"(?P<month>{_month}),?\s+(?:del?\s+|of\s+)?(?P<year>{_year})", _dated),
        (
            rf"(?P<before>in|last|since|during|this|of|by|until|early|late|en|desde|durante|este)\s+"
            rf"(?P<month>{_month})",
            _dated,
        ),
        (rf"(?P<month>{_month})", _dated),
        (rf"(?:in|en|during|durante|del?|since|desde|of|year|año)\s+(?P<year>{_year})", _whole_year),
        (rf"(?P<count>{_count})\s+(?P<unit>{_unit})(?:e?s)?\s+(?:ago|earlier|atrás|atras)", _ago),
        (rf"hace\s+(?P<count>{_count})\s+(?P<unit>{_unit})(?:e?s)?", _ago),
        (rf"(?:last|past)\s+(?P<count>{_count})\s+(?P<unit>{_unit})(?:e?s)?", _lately),
        (rf"(?P<count>{_count})\s+[úu]ltim[oa]s\s+(?P<unit>{_unit})(?:e?s)?", _lately),
        (rf"[úu]ltim[oa]s\s+(?:(?P<count>{_count})\s+)?(?P<unit>{_unit})(?:e?s)?", _lately),
        (r"(?:the\s+)?day\s+before\s+yesterday|anteayer|antier|antes\s+de\s+ayer", _near(2, 2)),
        (r"yesterday|ayer|last\s+night|anoche", _near(1, 1)),
        (
            r"today|hoy|tonight|this\s+(?:morning|afternoon|evening)|esta\s+(?:mañana|tarde|noche)",
            _near(0, 0),
        ),
        (rf"(?:this\s+)?(?:last|past|previous)\s+(?P<unit>{_unit})", _last),
        (rf"(?P<unit>{_unit})\s+(?:pasad[oa]|anterior)", _last),
        (rf"pasad[oa]\s+(?P<unit>{_unit})", _last),
        (rf"(?:this|est[ae])\s+(?P<unit>{_unit})", _this),
        (
            rf"(?:(?:this\s+)?(?:last|past)|on|this|el(?:\s+pasado)?|este)\s+(?P<weekday>{_weekday})(?:\s+pasado)?",
            _weekday_before,
        ),
        (r"recently|lately|recientemente|[úu]ltimamente", _near(30, 0)),
    ]
    return [(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), reading) for pattern, reading in rows]
