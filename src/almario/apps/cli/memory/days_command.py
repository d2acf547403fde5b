"""`almario days`: what each day left behind."""

from datetime import date, timedelta

import click

from almario.apps.cli.arguments import DAY, SINCE
from almario.apps.cli.common import Call, make_command, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import print_memories
from almario.soul import Soul

_SPAN = timedelta(days=30)


@make_command(
    "days",
    "Show what each day left behind. Entries of the log, summaries, reflections, snapshots and what was "
    "learned; with a day, all of it.",
    "almario days",
    "almario days --since 2026-09-01",
    "almario days yesterday",
)
@click.argument("day", required=False, type=DAY, metavar=_("[DATE]"))
@takes("--since", "Begin with this day (default: 30 days ago).", type=SINCE, metavar=_("DATE"))
def days(call: Call, day: date | None, since: date | None) -> None:
    soul = call.soul()
    if day:
        _show(call, soul, day)
        return
    found = soul.days.between(since or soul.today - _SPAN, soul.today)
    rows = [[each.day.isoformat(), *map(_count, (*each[1:5], sum(each.learned.values())))] for each in found]
    heads = [_("Day"), _("Log"), _("Summaries"), _("Reflections"), _("Snapshots"), _("Learned")]
    nothing = _("Nothing is written of these days.")
    call.give_table(found, rows, heads=heads, nothing=nothing)


def _count(number: int) -> str:
    return str(number) if number else "·"


def _show(call: Call, soul: Soul, day: date) -> None:
    found = soul.days.get(day)
    if call.gave_json(found):
        return
    click.secho(day.isoformat(), bold=True)
    for each in found.log or found.condensed:
        click.echo(f"{each.at:%H:%M}  " + "\n       ".join(each.text.splitlines() or [""]))
    for text in found.summaries:
        click.echo(f"\n{text}")
    for page in (*found.reflections, *found.snapshots):
        click.secho(f"\n{page.name}", bold=True)
        click.echo(page.text)
    print_memories(soul, found.learned, _("Learned:"))
    if not any(found[1:]):
        click.echo(_("Nothing was written that day."))
