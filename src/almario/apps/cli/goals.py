"""`almario goals`: what the agent wants to get done."""

from dataclasses import asdict

import click

from almario.apps.cli.common import InOrder, examples, opened_soul, print_json, standard
from almario.apps.cli.words import _
from almario.domain.documents.goals import PRIORITIES
from almario.soul import Soul

_PRIORITY = click.Choice(list(PRIORITIES))


@click.group(
    "goals",
    cls=InOrder,
    invoke_without_command=True,
    help=_("List the goals, or change one, by its number or some of its words.")
    + "\n\n"
    + examples(
        "almario goals",
        _('almario goals add "Learn to cook rice" --priority high'),
        "almario goals complete 1",
    ),
)
@standard()
@click.pass_context
def command(ctx: click.Context, home: str | None, agent: str | None, as_json: bool) -> None:
    if not ctx.invoked_subcommand:
        _show(opened_soul(ctx, home, agent), as_json)


@command.command(
    "add",
    help=_("Add a goal.") + "\n\n" + examples(_('almario goals add "Learn to cook rice" --priority high')),
)
@click.argument("text", metavar=_("TEXT"))
@click.option(
    "--priority", type=_PRIORITY, default="medium", show_default=True, help=_("How much it matters.")
)
@standard()
@click.pass_context
def add(
    ctx: click.Context, text: str, priority: str, home: str | None, agent: str | None, as_json: bool
) -> None:
    soul = opened_soul(ctx, home, agent)
    soul.goals.add(text, priority=priority)
    _show(soul, as_json)


@command.command("start", help=_("Mark a goal as in progress.") + "\n\n" + examples("almario goals start 1"))
@click.argument("goal", metavar=_("GOAL"))
@standard()
@click.pass_context
def start(ctx: click.Context, goal: str, home: str | None, agent: str | None, as_json: bool) -> None:
    soul = opened_soul(ctx, home, agent)
    soul.goals.start(goal)
    _show(soul, as_json)


@command.command(
    "note",
    help=_("Add a note to a goal.") + "\n\n" + examples(_('almario goals note rice "Two parts water"')),
)
@click.argument("goal", metavar=_("GOAL"))
@click.argument("text", metavar=_("TEXT"))
@standard()
@click.pass_context
def note(
    ctx: click.Context, goal: str, text: str, home: str | None, agent: str | None, as_json: bool
) -> None:
    soul = opened_soul(ctx, home, agent)
    soul.goals.note(goal, text)
    _show(soul, as_json)


@command.command(
    "complete",
    help=_("Tick a goal off.") + "\n\n" + examples(_('almario goals complete rice --outcome "It was good"')),
)
@click.argument("goal", metavar=_("GOAL"))
@click.option("--outcome", default="", help=_("What came of it."))
@standard()
@click.pass_context
def complete(
    ctx: click.Context, goal: str, outcome: str, home: str | None, agent: str | None, as_json: bool
) -> None:
    soul = opened_soul(ctx, home, agent)
    soul.goals.complete(goal, outcome=outcome)
    _show(soul, as_json)


@command.command(
    "reopen",
    help=_("Make a completed goal active again.") + "\n\n" + examples(_("almario goals reopen rice")),
)
@click.argument("goal", metavar=_("GOAL"))
@click.option(
    "--priority", type=_PRIORITY, default="medium", show_default=True, help=_("How much it matters.")
)
@standard()
@click.pass_context
def reopen(
    ctx: click.Context, goal: str, priority: str, home: str | None, agent: str | None, as_json: bool
) -> None:
    soul = opened_soul(ctx, home, agent)
    soul.goals.reopen(goal, priority=priority)
    _show(soul, as_json)


@command.command(
    "priority", help=_("Change how much a goal matters.") + "\n\n" + examples("almario goals priority 2 high")
)
@click.argument("goal", metavar=_("GOAL"))
@click.argument("priority", type=_PRIORITY)
@standard()
@click.pass_context
def priority_(
    ctx: click.Context, goal: str, priority: str, home: str | None, agent: str | None, as_json: bool
) -> None:
    soul = opened_soul(ctx, home, agent)
    soul.goals.reprioritise(goal, priority)
    _show(soul, as_json)


@command.command(
    "drop",
    help=_("Take a goal off the list. Earlier versions of GOALS.md still have it.")
    + "\n\n"
    + examples("almario goals drop 2"),
)
@click.argument("goal", metavar=_("GOAL"))
@standard()
@click.pass_context
def drop(ctx: click.Context, goal: str, home: str | None, agent: str | None, as_json: bool) -> None:
    soul = opened_soul(ctx, home, agent)
    soul.goals.drop(goal)
    _show(soul, as_json)


def _show(soul: Soul, as_json: bool) -> None:
    goals = soul.goals.all()
    if as_json:
        print_json([asdict(goal) for goal in goals])
        return
    if not goals:
        click.echo(_('No goals yet; "almario goals add" adds one.'))
    for goal in goals:
        sign = "✅" if goal.done else PRIORITIES[goal.priority]
        text = click.style(goal.text, dim=True) if goal.done else goal.text
        day = f" ({goal.completed.isoformat()})" if goal.completed else ""
        click.echo(f"{goal.number:>3}  {sign} {text}{day}")
        details = [goal.status, *goal.notes, goal.outcome]
        for detail in filter(None, details):
            click.secho(f"        {detail}", dim=True)
