"""What arguments may be: a soul file, or a date as people write it: 2026-11-14, 14/11/2026, yesterday."""

from contextlib import suppress
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Literal

import click

from almario import config
from almario.apps.cli.common import in_chat, option_of
from almario.apps.cli.i18n import _
from almario.domain.model import SOUL_FILES
from almario.domain.plain_text import regex
from almario.text.timewords import says, whole_time
from almario.wiring import utc_now


class SoulFile(click.ParamType[str]):
    """A soul file's name, in any case, with or without `.md`."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["click.shell_completion.CompletionItem"]:
        names = [name for name in SOUL_FILES if name.lower().startswith(incomplete.lower())]
        return [click.shell_completion.CompletionItem(name) for name in names]


# Written as a day, such as there may not be.
_WRITTEN = regex(r"\d{4}-\d{1,2}-\d{1,2}")


class DayArgument(click.ParamType[date]):
    """A day; of a time that has several, the *first* or the *last* one, or it is refused."""

    name = "date"

    def __init__(self, which: Literal["first", "last", ""] = "") -> None:
        self._which = which

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        with suppress(ValueError):
            return date.fromisoformat(value)

        found = whole_time(value, utc_now().astimezone(_owners_zone(ctx)).date())
        if found is None or says(value, "misspelt"):
            return self.fail(_('"{text}" is not a date I understand; try 2026-11-14', text=value), param, ctx)
        if not self._which and found.first != found.last:
            self.fail(_('"{text}" is more than one day; try 2026-11-14', text=value), param, ctx)
        return found.first if self._which == "first" else found.last


def names_a_time(text: str) -> bool:
    """Say whether a text is a day, or a time of several, and nothing else; or is written as one."""
    return bool(_WRITTEN.fullmatch(text.strip())) or whole_time(text, utc_now().date()) is not None


def _owners_zone(ctx: click.Context | None) -> tzinfo:
    """Return the owner's time zone: the open agent's, or that of the home's settings."""
    if soul := in_chat():
        return soul.zone
    return config.zone(config.load(config.home_path(option_of(ctx, "home") if ctx else None)))


DAY, SINCE, UNTIL = DayArgument(), DayArgument("first"), DayArgument("last")


def day_begins(day: date | None, zone: tzinfo, *, after: int = 0) -> datetime | None:
    """Return the instant at which a day begins, or so many days *after* it; None if there is none."""
    last = date.max - timedelta(days=after)
    return datetime.combine(min(day, last) + timedelta(days=after), time(), zone) if day else None
