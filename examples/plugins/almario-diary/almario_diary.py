"""`almario diary`: the daily log, page by page."""

from datetime import datetime, timedelta

import click

from almario.plugins import OpenSoul


@click.group()
def diary() -> None:
    """Read the daily log, and count its lines."""


@diary.command()
@click.option("--days", default=7, show_default=True, help="How many days back.")
@click.pass_obj
def read(open_soul: OpenSoul, days: int) -> None:
    """Show the log of the last days."""
    soul = open_soul()
    today = datetime.now(soul.zone).date()
    for back in reversed(range(days)):
        day = today - timedelta(days=back)
        for entry in soul.days.get(day).log:
            click.echo(f"{day}  {entry.text}")


@diary.command()
@click.pass_obj
def count(open_soul: OpenSoul) -> None:
    """Count the lines of today's log."""
    click.echo(len(open_soul().days.get().log))
