"""Dates as people write them: 2026-11-14, 14/11/2026, yesterday, la semana pasada."""

from contextlib import suppress
from datetime import date, datetime, time, tzinfo
from typing import Any

import click

from almario.apps.cli.common import owners_zone
from almario.apps.cli.i18n import _
from almario.text.timewords import Span, whole_time
from almario.wiring import utc_now


class Day(click.ParamType[date]):
    """A day; of a time that has several, the *first* or the *last* one, or it is refused."""

    name = "date"

    def __init__(self, which: str = "") -> None:
        self._which = which

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        with suppress(ValueError):
            return date.fromisoformat(value)
        time = _time_in(value, ctx)
        if time is None:
            return self.fail(_('"{text}" is not a date I understand; try 2026-11-14', text=value), param, ctx)
        if not self._which and time.first != time.last:
            self.fail(_('"{text}" is more than one day; try 2026-11-14', text=value), param, ctx)
        return time.first if self._which == "first" else time.last


class When(Day):
    """A day, or an instant; one without a time zone is in the owner's."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> date | datetime:
        with suppress(ValueError):
            return date.fromisoformat(value)
        with suppress(ValueError):
            return datetime.fromisoformat(value)
        return super().convert(value, param, ctx)


def instant(given: date | datetime, zone: tzinfo) -> datetime:
    """Return the instant that is meant; a day means its end."""
    if not isinstance(given, datetime):
        given = datetime.combine(given, time.max)
    return given if given.tzinfo else given.replace(tzinfo=zone)


def _time_in(text: str, ctx: click.Context | None) -> Span | None:
    return whole_time(text, utc_now().astimezone(owners_zone(ctx)).date())


DAY, SINCE, UNTIL, WHEN = Day(), Day("first"), Day("last"), When("last")
