"""`almario log` and `almario plans`: what was written day by day, and what is coming up."""

from datetime import date

import click

from almario.apps.cli.arguments import DAY
from almario.apps.cli.common import Call, flag, make_command, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import fields, short
from almario.apps.cli.printing import one_line, print_fitted, print_line
from almario.domain.plans import Plan
from almario.domain.validity import by_name, told
from almario.soul import Soul

_EVER = 400_000
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@make_command(
    "log",
    "Write a line in today's daily log, or show a day's log.",
    _('almario log "We met today."'),
    "almario log",
    "almario log --day yesterday",
)
@click.argument("text", required=False, metavar=_("[TEXT]"))
@takes("--day", "Show this day, such as 2026-11-14 or yesterday.", type=DAY, metavar=_("DATE"))
def log(call: Call, text: str | None, day: date | None) -> None:
    if text is not None and day is not None:
        raise click.UsageError(_("New lines go into today's log; leave out --day."))
    soul = call.soul()
    if text is not None:
        tell(soul.log(text))
    entries = soul.log_of(day)
    names = ("at", "text", "category", "is_trusted")
    if call.gave_json([{name: getattr(entry, name) for name in names} for entry in entries]):
        return
    if not entries:
        click.echo(_("Nothing was written that day.") if day else _("Nothing is written yet today."))
    for entry in entries:
        lines = entry.text.splitlines() or [""]
        category = click.style(f"{entry.category}  ", dim=True) if entry.category else ""
        mark = "" if entry.is_trusted else click.style(_("[not trusted]") + " ", fg="yellow")
        click.echo(f"{entry.at:%H:%M}  {category}{mark}" + "\n       ".join(lines))


@make_command(
    "plans",
    "List what is coming up, nearest first. With --all, also what was planned and is over.",
    "almario plans",
    "almario plans --all",
)
@flag("--all", "Include past ones.", "every")
def plans(call: Call, every: bool) -> None:
    soul = call.soul()
    found = soul.plans(passed=_EVER if every else 0)
    if call.gave_json([_fields(soul, plan) for plan in found]):
        return
    if found:
        heads = ["ID", _("When"), _("From now"), _("Key"), _("Value")]
        print_fitted([_row(plan) for plan in found], heads=heads)
    else:
        print_line(_("Nothing coming up. Anything you mention with a date appears here."))


def _fields(soul: Soul, plan: Plan) -> dict[str, object]:
    return fields(soul, plan.memory) | {"first": plan.when.first, "last": plan.when.last or None}


def _row(plan: Plan) -> list[str]:
    memory, far = plan.memory, plan.how_far
    when = _(told(plan.when, plan.today))
    if plan.when.is_day:
        when = f"{_(_WEEKDAYS[plan.when.first_day.weekday()])}, {_(by_name(plan.when.first))}"
    return [short(memory.id), when, _(far) if far else "", one_line(memory.key), memory.value]
