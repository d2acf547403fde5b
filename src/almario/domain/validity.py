"""When something happened, or since and until when it holds, as far as it was said.

Written in a small part of EDTF: `2026-12-03` on a day, `2026-03` and `2025` as partial as they were said,
`2026-08-20/2026-08-27` from one to another, `2025/..` since, `../2026-11-27` until, and `~` at the end of
what is told as about then. What comes again has no year: `XXXX-05-14` is a day of every year, `XXXX-XX-05` of
every month, `XXXX-XX-XX` every day, `XXXX-WXX-1,4` every Monday and Thursday, `XXXX-XX-3#1,5#L` the first
Wednesday and the last Friday of a month, and ISO's `R/2026-11-24/P2W` every two weeks from that day on;
within a time and but for some days, `XXXX-WXX-1 in 2026-09/.. not 2026-11-23,2026-12-07`.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta, tzinfo

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple

_PART = regex(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_AGAIN = regex(
    r"(?P<again>XXXX-(?:(?P<month>\d\d|XX)-(?:(?P<day>\d\d)|(?P<nth>[1-7]#[1-5L](?:,[1-7]#[1-5L])*))|XX-XX"
    r"|WXX-(?P<weekdays>[1-7](?:,[1-7])*))|R/(?P<starts>[\d-]+(?:,[\d-]+)*)/P(?P<count>[1-9]\d?)(?P<unit>[DWMY]))"
    r"(?: in (?P<within>[\d./-]+))?(?: not (?P<without>[\d-]+(?:,[\d-]+)*))?"
)
DAILY = "XXXX-XX-XX"
_OFTEN = {
    "D": "every {count} days", "W": "every {count} weeks", "M": "every {count} months",
    "Y": "every {count} years", "": "every year",
}  # fmt: skip
_PHRASES = {
    "in": ("in {time}", "on {date}"), "until": ("until {time}", "until {date}"),
    "from": ("from {time}", "from {date}"), "since": ("since {time}", "since {date}"),
}  # fmt: skip
_OPEN = ("..", "")
# In these years an instant can be told in any time zone.
_FIRST_YEAR, _LAST_YEAR = 2, 8999
_DAY, _MONTH = len("2026-12-03"), len("2026-12")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip


class Validity(NamedTuple):
    """The *first* and the *last* of its days, as partial as they were said; an open end is empty."""

    first: str = ""
    last: str = ""
    about: bool = False

    def __str__(self) -> str:
        whole = self.first if self.is_one else f"{self.first or '..'}/{self.last or '..'}"
        return whole + "~" * self.about

    @property
    def is_one(self) -> bool:
        """Whether it is one day, month or year."""
        return self.first == self.last

    @property
    def is_day(self) -> bool:
        return self.is_one and len(self.first) == _DAY

    @property
    def first_day(self) -> date:
        return _days(self.first)[0] if self.first else date.min

    @property
    def last_day(self) -> date:
        return _days(self.last)[1] if self.last else date.max

    @property
    def named(self) -> tuple[date, date]:
        """The days that were named, whatever holds since or until then."""
        return _days(self.first or self.last)[0], _days(self.last or self.first)[1]

    def start(self, zone: tzinfo) -> datetime | None:
        """Return the instant at which it begins; None is an open end."""
        return datetime.combine(self.first_day, time(), zone) if self.first else None

    def end(self, zone: tzinfo) -> datetime | None:
        """Return the instant at which it is over, the start of the next day; None is an open end."""
        return datetime.combine(self.last_day + timedelta(days=1), time(), zone) if self.last else None

    def is_ahead(self, day: date) -> bool:
        """Return whether it begins after a day."""
        return bool(self.first) and self.first_day > day

    def is_over(self, day: date) -> bool:
        """Return whether it ended before a day."""
        return self.last_day < day

    def agrees(self, other: "Validity") -> bool:
        """Return whether two name a common day."""
        (first, last), (begin, end) = self.named, other.named
        return first <= end and begin <= last


def read(text: str) -> Validity | None:
    """Read a time from what is written; None if it is none, or there is no such day."""
    if not text:  # as most memories have none
        return None
    written = "".join(text.split())
    first, slash, last = written.partition("/")
    begin, end = _part(first), _part(last if slash else first)
    if begin is None or end is None or not begin + end:
        return None
    validity = Validity(begin, end, "~" in written)
    return validity if validity.first_day <= validity.last_day else None


def yearly(day: date | None) -> str:
    """Return how a day of every year is written; nothing without one."""
    return f"XXXX-{day:%m-%d}" if day else ""


def next_time(dated: str, today: date) -> Validity | None:
    """Return when what comes again is next, today included; None if that is not what is written."""
    found = _AGAIN.fullmatch(dated)
    within = read(found["within"] or "0002/..") if found else None
    starts = [read(each) for each in found["starts"].split(",")] if found and found["starts"] else []
    begun = [each.first_day for each in starts if each]
    if not found or not within or len(begun) < len(starts):
        return None
    month, day, today = found["month"], found["day"], max(today, within.first_day, *sorted(begun)[:1])
    months = range(1, 13) if month == "XX" else [int(month or 0)]
    # There is a 29th of February in nine years.
    coming = (f"{year:04}-{each:02}-{day}" for year in range(today.year, today.year + 9) for each in months)
    if not day:
        last = min(within.last_day, date(_LAST_YEAR, 12, 31)).toordinal()
        days = range(today.toordinal(), min(today.toordinal() + 9 * 366, last + 1))
        coming = (str(each) for each in map(date.fromordinal, days) if _falls_on(each, found, begun))
    without = (found["without"] or "").split(",")
    ahead = (each for each in map(read, coming) if each and today <= each.first_day <= within.last_day)
    return next((each for each in ahead if each.first not in without), None)


def _falls_on(day: date, form: re.Match[str], starts: Sequence[date]) -> bool:
    """Return whether a day is one of every week, such a weekday of its month, or so long after others."""
    if form["nth"]:
        is_last = (day + timedelta(days=7)).month != day.month
        names = {f"{day.isoweekday()}#{(day.day + 6) // 7}", f"{day.isoweekday()}#L" if is_last else ""}
        return form["month"] in ("XX", f"{day.month:02}") and not names.isdisjoint(form["nth"].split(","))
    if not starts:
        return str(day.isoweekday()) in (form["weekdays"] or "1234567")
    size, is_counted = int(form["count"]) * {"W": 7, "Y": 12}.get(form["unit"], 1), form["unit"] in "DW"
    begun = [each for each in starts if each <= day and (is_counted or each.day == day.day)]
    months = ((day.year - each.year) * 12 + day.month - each.month for each in begun)
    return any(gap % size == 0 for gap in (((day - each).days for each in begun) if is_counted else months))


def in_time(dated: str, within: str, days: Iterable[str] = ()) -> str:
    """Return how what comes again is written if it does so *within* a time, and not on some *days* more."""
    if not (found := _AGAIN.fullmatch(dated)):
        return dated
    within, known = within or found["within"] or "", (found["without"] or "").split(",")
    without = ",".join(sorted({*known, *days} - {""}))
    return found["again"] + f" in {within}" * bool(within) + f" not {without}" * bool(without)


def without(dated: str, time: Validity) -> str:
    """Return how what comes again is written without its days in a time; of one without an end, it ends."""
    if not time.last:
        return in_time(dated, f"../{time.first_day - timedelta(days=1)}")
    days: list[str] = []
    while (when := next_time(in_time(dated, "", days), time.first_day)) and when.first_day <= time.last_day:
        days.append(when.first)
    return in_time(dated, "", days)


def is_written(dated: str) -> bool:
    """Return whether a time is written so that it can be read: once, or again and again."""
    return bool(read(dated) or next_time(dated, date(2000, 1, 1)))


def between(first: date, last: date) -> Validity:
    """Return the time from one day to another, by months or years if it is whole ones."""
    begin, end = first.isoformat(), last.isoformat()
    if first.day == 1 and last < date.max and (last + timedelta(days=1)).day == 1:
        size = _MONTH if (first.month, last.month) != (1, 12) else len("2026")
        begin, end = begin[:size], end[:size]
    return Validity(begin, end)


def bounds(validity: Validity, stated_on: date, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """Return since and until when a thing is true that was told on a day.

    What is planned is true from when it is told until it is over. What is over already is told as having
    been, and that stays true.
    """
    if validity.is_over(stated_on):
        return validity.start(zone), None
    is_to_come = validity.last and (validity.is_ahead(stated_on) or validity.is_one)
    # In the month or the year that is on, the day on which it began is not known.
    is_on = bool(validity.first) and validity.first_day < stated_on <= _days(validity.first)[1]
    return None if is_to_come or is_on else validity.start(zone), validity.end(zone)


def briefly(validity: Validity, today: date) -> str:
    """Say a time as a model is told: `since 2025`, `until 2026-11-27`, `on 2026-12-03`."""
    first, last, about = validity
    word = "on" if validity.is_day else _word(validity, today)
    phrase = f"{first} to {last}" if word == "between" else f"{word} {first or last}"
    return f"{phrase}, about" if about else phrase


def _word(validity: Validity, today: date) -> str:
    if validity.first and validity.last:
        return "in" if validity.is_one else "between"
    return "until" if not validity.first else "from" if validity.is_ahead(today) else "since"


def time_phrase_of(dated: str, today: date) -> Sentence | None:
    """Say the time of a memory as people do; None if it has none."""
    if validity := read(dated):
        return time_phrase(validity, today)
    if not (found := _AGAIN.fullmatch(dated)) or not (coming := next_time(dated, today)):
        return None
    if found["unit"] or (found["nth"] and found["month"] != "XX"):
        often = Sentence(_OFTEN[found["unit"] or ""], count=found["count"])
        return Sentence("{often}, next on {date}", often=often, date=by_name(coming.first))
    if "X" in dated[len("XXXX") :]:  # on which of them, the words say
        return Sentence("every week" if "W" in dated else "every day" if DAILY in dated else "every month")
    month = Sentence(MONTHS[int(dated[5:7]) - 1])
    return Sentence("every year on {day} {month}", day=int(dated[8:10]), month=month)


def time_phrase(validity: Validity, today: date) -> Sentence:
    """Say a time as people do: "since March 2026", "on 3 December 2026", "20–27 August 2026"."""
    first, last, about = validity
    if (word := _word(validity, today)) == "between":
        return _phrase_between(first, last)
    is_day, name = len(first or last) == _DAY, by_name(first or last)
    if about:
        name = Sentence("about {date}" if is_day else "about {time}", date=name, time=name)
        if validity.is_one:
            return name
    return Sentence(_PHRASES[word][is_day and not about], date=name, time=name)


def _phrase_between(first: str, last: str) -> Sentence:
    if len(first) == len(last) == _DAY and first[:_MONTH] == last[:_MONTH]:
        begin, end = int(first[-2:]), int(last[-2:])
        return Sentence("{first}–{last} {month}", first=begin, last=end, month=by_name(last[:_MONTH]))
    return Sentence("{first} – {last}", first=by_name(first), last=by_name(last))


def by_name(part: str) -> Sentence | str:
    """Say a day, month or year by its name."""
    year, *rest = part.split("-")
    if not rest:
        return year
    month = Sentence(MONTHS[int(rest[0]) - 1])
    if len(rest) == 1:
        return Sentence("{month} {year}", month=month, year=year)
    return Sentence("{day} {month} {year}", day=int(rest[1]), month=month, year=year)


def _part(text: str) -> str | None:
    """Return a day, month or year as it is written; nothing if it is open, None if there is no such day."""
    part = text.removesuffix("~")
    if part in _OPEN:
        return ""
    if not _PART.fullmatch(part) or not _FIRST_YEAR <= int(part[:4]) <= _LAST_YEAR:
        return None
    with suppress(ValueError):
        return part if _days(part) else None
    return None


def _days(part: str) -> tuple[date, date]:
    """Return the first and the last day of a day, month or year; ValueError if there is no such day."""
    if len(part) == _DAY:
        day = date.fromisoformat(part)
        return day, day
    year, month = int(part[:4]), int(part[5:] or 0)
    after = date(year, month + 1, 1) if 0 < month < 12 else date(year + 1, 1, 1)
    return date(year, month or 1, 1), after - timedelta(days=1)
