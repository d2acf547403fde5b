"""`almario goals`: what the agent wants to get done."""

from collections.abc import Callable

import click

from almario.apps.cli.common import CommandCall, flag, make_group, takes
from almario.apps.cli.i18n import Translated, _
from almario.apps.cli.printing import day, print_line
from almario.domain import vocabulary
from almario.domain.documents.goal_list import PRIORITIES, GoalState
from almario.domain.messages import CommandLine
from almario.soul import Soul

_PRIORITY = Translated(PRIORITIES, vocabulary.PRIORITIES)
_DETAIL = " " * 8
_goal = click.argument("goal", metavar=_("GOAL"))


@make_group(
    "goals",
    "List the goals, or change one by its number or some of its words.",
    "almario goals",
    _('almario goals add "Learn to cook rice" --priority high'),
    "almario goals complete 1",
)
def command(call: CommandCall) -> None:
    _show(call, call.soul())


@command.make("add", "Add a goal.", _('almario goals add "Learn to cook rice" --priority high'))
@click.argument("text", metavar=_("TEXT"))
@takes("--priority", "Its priority (default: medium).", type=_PRIORITY, default="medium")
def add(call: CommandCall, text: str, priority: str) -> None:
    _change(call, lambda soul: soul.goals.add(text, priority=priority))


@command.make("start", "Mark a goal as in progress.", "almario goals start 1")
@_goal
def start(call: CommandCall, goal: str) -> None:
    _change(call, lambda soul: soul.goals.change(goal, state="started"))


@command.make("complete", "Mark a goal as done.", _('almario goals complete rice --outcome "It was good"'))
@_goal
@takes("--outcome", "How it turned out.", default="")
def complete(call: CommandCall, goal: str, outcome: str) -> None:
    _change(call, lambda soul: soul.goals.change(goal, state="done", note=outcome))


@command.make(
    "edit",
    "Change a goal: its priority, a note, or reopen it.",
    "almario goals edit 2 --priority high",
    _('almario goals edit rice --note "Two parts water"'),
    _("almario goals edit rice --reopen"),
)
@_goal
@flag("--reopen", "Reopen it, if it is completed.")
@takes("--priority", "Its priority.", type=_PRIORITY)
@takes("--note", "Add a note to it.", metavar=_("TEXT"))
def edit(call: CommandCall, goal: str, reopen: bool, priority: str | None, note: str | None) -> None:
    if not reopen and priority is None and note is None:
        raise click.UsageError(_("Say what to change: --priority, --note or --reopen."))

    state: GoalState = "open" if reopen else ""
    _change(call, lambda soul: soul.goals.change(goal, state=state, note=note or "", priority=priority or ""))


@command.make("drop", "Remove a goal. Earlier versions of GOALS.md still have it.", "almario goals drop 2")
@_goal
def drop(call: CommandCall, goal: str) -> None:
    _change(call, lambda soul: soul.goals.change(goal, state="dropped"))


def _change(call: CommandCall, change: Callable[[Soul], object]) -> None:
    soul = call.soul()
    change(soul)
    _show(call, soul)


def _show(call: CommandCall, soul: Soul) -> None:
    goals = soul.goals.list()
    stale = {each.goal.number: each for each in soul.goals.stale()}
    since = {number: each.since for number, each in stale.items()}
    if call.gave_json([goal._asdict() | {"stale_since": since.get(goal.number)} for goal in goals]):
        return
    if not goals:
        click.echo(_('No goals yet; "{add}" adds one.', add=CommandLine("almario goals add")))
    for goal in goals:
        sign = "✅" if goal.done else PRIORITIES[goal.priority]
        done = f" ({day(goal.completed)})" if goal.completed else ""
        print_line(goal.text + done, lead=f"{goal.number:>3}  {sign} ", dim=goal.done)
        for detail in filter(None, [goal.status, *goal.notes, goal.outcome]):
            print_line(detail, lead=_DETAIL, dim=True)
        if goal.number in stale:
            remark = _("no movement in {days} days: still wanted?", days=stale[goal.number].days)
            print_line(remark, lead=_DETAIL, fg="yellow")
