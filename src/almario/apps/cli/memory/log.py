"""`almario log`: the daily log."""

from datetime import date

import click

from almario.apps.cli.common import Call, helped, standard, tell
from almario.apps.cli.dates import DAY
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json


@click.command(
    "log",
    help=helped(
        _("Write a line in today's daily log, or show a day's log."),
        _('almario log "We met today."'),
        "almario log",
        "almario log --day yesterday",
    ),
)
@click.argument("text", required=False, metavar=_("[TEXT]"))
@click.option("--day", type=DAY, metavar=_("DATE"), help=_("Show this day, such as 2026-11-14 or yesterday."))
@standard()
def command(call: Call, text: str | None, day: date | None) -> None:
    if text is not None and day is not None:
        raise click.UsageError(_("New lines go into today's log; leave out --day."))
    soul = call.soul()
    if text is not None:
        tell(soul.log(text))
    entries = soul.log_of(day)
    if call.as_json:
        print_json(
            [
                {
                    "at": entry.at,
                    "text": entry.text,
                    "category": entry.category,
                    "is_trusted": entry.is_trusted,
                }
                for entry in entries
            ]
        )
    elif not entries:
        click.echo(_("Nothing was written that day.") if day else _("Nothing is written yet today."))
    for entry in entries if not call.as_json else ():
        lines = entry.text.splitlines() or [""]
        category = click.style(f"{entry.category}  ", dim=True) if entry.category else ""
        mark = "" if entry.is_trusted else click.style(_("[not trusted]") + " ", fg="yellow")
        click.echo(f"{entry.at:%H:%M}  {category}{mark}" + "\n       ".join(lines))
