"""`almario cost`: what the models have cost."""

from collections.abc import Mapping

import click

from almario.apps.cli.common import CommandCall, make_command, takes
from almario.apps.cli.i18n import _, number
from almario.apps.cli.printing import print_line, print_table
from almario.upkeep.rules.costs import Spent


@make_command(
    "cost",
    "Show what the models have cost: today, this month, and by job and model.",
    "almario cost",
    "almario cost --days 7",
)
@takes(
    "--days",
    "Show each of the last days instead of this month.",
    type=click.IntRange(1, 3660),
    metavar=_("DAYS"),
)
def command(call: CommandCall, days: int | None) -> None:
    soul = call.soul()
    today = soul.today
    report = soul.costs.report(days or today.day)
    now = report.days.get(today, Spent())
    if call.gave_json(report._asdict() | {"today": now}):
        return
    if not report.total.calls:
        click.echo(_("No model calls in this period."))
    else:
        first = {str(day): spent for day, spent in report.days.items()} if days else {_("today"): now}
        _table(_("When"), {**first, _("together") if days else _("this month"): report.total})
        click.echo()
        _table(_("What for"), report.jobs)
        click.echo()
        _table(_("Model"), report.models)
    if report.total.unpriced:
        hint = 'Calls without a known price: {count}; llm.prices sets it, as in "provider/model = 3, 15".'
        print_line(_(hint, count=report.total.unpriced), err=True, dim=True)
    if report.total.unanswered:
        hint = "Calls whose answer was lost or is still to come: {count}; what they took is an estimate."
        print_line(_(hint, count=report.total.unanswered), err=True, dim=True)
    tokens, dollars, _is_over = report.budget
    if tokens:
        sentence = "Background work stops today at {budget} tokens; {spent} are used."
        print_line(_(sentence, budget=number(tokens), spent=number(now.tokens)))
    if dollars:
        sentence = "Background work stops today at {budget}; {spent} are used."
        print_line(_(sentence, budget=money(dollars), spent=money(now.cost)))


def _table(head: str, sums: Mapping[str, Spent]) -> None:
    rows = [
        [name, number(s.calls), number(s.told), number(s.cached), number(s.said), _dollars(s)]
        for name, s in sums.items()
    ]
    heads = [head, _("Calls"), _("Tokens in"), _("of which cached"), _("out"), _("Cost")]
    print_table(rows, heads=heads)


def _dollars(spent: Spent) -> str:
    if spent.unpriced and not spent.cost:
        return "?"
    return f"≥ {money(spent.cost)}" if spent.unpriced else money(spent.cost)


def money(dollars: float) -> str:
    """Return so many dollars, with the cents that matter."""
    return f"${number(dollars, 2 if dollars >= 1 or not dollars else 4)}"
