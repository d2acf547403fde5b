"""`almario plans`: what is coming up."""

import click

from almario.apps.cli.common import Call, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import fields, short
from almario.apps.cli.printing import one_line, print_fitted, print_json, print_line
from almario.domain.plans import Plan
from almario.domain.validity import by_name, told
from almario.soul import Soul

_EVER = 400_000
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@click.command(
    "plans",
    help=helped(
        _("List what is coming up, nearest first. With --all, also what was planned and is over."),
        "almario plans",
        "almario plans --all",
    ),
)
@click.option("--all", "every", is_flag=True, help=_("Also what is over."))
@standard()
def command(call: Call, every: bool) -> None:
    soul = call.soul()
    plans = soul.plans(passed=_EVER if every else 0)
    if call.as_json:
        print_json([_fields(soul, plan) for plan in plans])
    elif plans:
        heads = ["ID", _("When"), _("How far"), _("Key"), _("Value")]
        print_fitted([_row(plan) for plan in plans], heads=heads)
    else:
        print_line(
            _(
                "Nothing is coming up. What you mention or remember is listed here if it has a date with "
                'its year, or one like "next Friday".'
            )
        )


def _fields(soul: Soul, plan: Plan) -> dict[str, object]:
    return fields(soul, plan.memory) | {"first": plan.when.first, "last": plan.when.last or None}


def _row(plan: Plan) -> list[str]:
    memory, far = plan.memory, plan.how_far
    when = _(told(plan.when, plan.today))
    if plan.when.is_day:
        when = f"{_(_WEEKDAYS[plan.when.first_day.weekday()])}, {_(by_name(plan.when.first))}"
    return [short(memory.id), when, _(far) if far else "", one_line(memory.key), memory.value]
