"""Schedules: which night is due, and when the next one is."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

from almario.domain.plain_text import regex

if TYPE_CHECKING:
    from cronsim import CronSim

_DAY, _MINUTE, _SECOND = timedelta(days=1), timedelta(minutes=1), timedelta(seconds=1)
# The same time every day, as nearly every schedule is: known without loading what reads the others.
_PLAIN = regex(r"([0-5]?[0-9]) (1?[0-9]|2[0-3]) \* \* \*")
_FIELDS = 5


def is_schedule(text: str) -> bool:
    """Return whether a text is a cron expression of five fields that names any time at all."""
    if _PLAIN.fullmatch(text):
        return True
    from cronsim import CronSimError  # noqa: PLC0415 - 23 ms

    try:
        return len(text.split()) == _FIELDS and _named_from(text, date(2000, 1, 1)) is not None
    except (CronSimError, ValueError):  # the latter: a number of thousands of digits
        return False


def due_night(
    schedule: str, zone: tzinfo, now: datetime, last: date | None, *, since: datetime | None = None
) -> date | None:
    """Return the day whose night has begun and is not done, or None.

    *last* is the latest day that is done: of several that were missed only the
    newest is due, and a clock that was set back makes none due again. A night
    that began before *since* is none that was missed.
    """
    today = now.astimezone(zone).date()
    while (day := _named_upto(schedule, today)) and (last is None or last < day):
        begun = _beginning(schedule, zone, day)
        if begun and begun <= now:
            return day if since is None or since < begun else None
        today = day - _DAY
    return None


def next_night(schedule: str, zone: tzinfo, now: datetime, last: date | None) -> datetime | None:
    """Return when the next night begins that is not done yet; None if there is none in sight."""
    first = now.astimezone(zone).date()
    if last and last >= first:
        first = last + _DAY
    while day := _named_from(schedule, first):
        begun = _beginning(schedule, zone, day)
        if begun and begun > now:
            return begun
        first = day + _DAY
    return None


def next_day(zone: tzinfo, now: datetime) -> datetime:
    """Return when the next day begins where the owner is."""
    tomorrow = now.astimezone(zone).date() + _DAY
    return datetime.combine(tomorrow, time(), zone).astimezone(UTC)


def _named_upto(schedule: str, day: date) -> date | None:
    found = next(_times(schedule, _midnight(day + _DAY), reverse=True), None)
    return found.date() if found else None


def _named_from(schedule: str, day: date) -> date | None:
    found = next(_times(schedule, _midnight(day) - _SECOND), None)
    return found.date() if found else None


def _beginning(schedule: str, zone: tzinfo, day: date) -> datetime | None:
    """Return the instant at which a night begins; None if the clock skips all that is left of the day."""
    wall = next(_times(schedule, _midnight(day) - _SECOND))
    while wall.date() == day:
        instant = wall.replace(tzinfo=zone).astimezone(UTC)
        if instant.astimezone(zone).replace(tzinfo=None, fold=0) == wall:
            return instant
        wall += _MINUTE
    return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def _times(schedule: str, after: datetime, *, reverse: bool = False) -> "CronSim":
    from cronsim import CronSim  # noqa: PLC0415 - as above

    return CronSim(schedule, after, reverse)
