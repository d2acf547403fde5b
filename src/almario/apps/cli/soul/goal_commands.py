"""`almario goals`: what the agent wants to get done."""

from collections.abc import Callable

import click

from almario.apps.cli.common import Call, make_group, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_line
from almario.domain.documents.goal_list import PRIORITIES
from almario.soul import Soul

_PRIORITY = click.Choice(list(PRIORITIES))
_DETAIL = " " * 8
_goal = click.argument("goal", metavar=_("GOAL"))
_priority = takes("--priority", "Its priority.", type=_PRIORITY, default="medium", show_default=True)


@make_group(
    "goals",
    "List the goals, or change one by its number or some of its words.",
    "almario goals",
    _('almario goals add "Learn to cook rice" --priority high'),
    "almario goals complete 1",
)
def command(call: Call) -> None:
    _show(call, call.soul())


@command.make("add", "Add a goal.", _('almario goals add "Learn to cook rice" --priority high'))
@click.argument("text", metavar=_("TEXT"))
@_priority
def add(call: Call, text: str, priority: str) -> None:
    _change(call, lambda soul: soul.goals.add(text, priority=priority))


@command.make("start", "Mark a goal as in progress.", "almario goals start 1")
@_goal
def start(call: Call, goal: str) -> None:
    _change(call, lambda soul: soul.goals.start(goal))


@command.make("note", "Add a note to a goal.", _('almario goals note rice "Two parts water"'))
@_goal
@click.argument("text", metavar=_("TEXT"))
def note(call: Call, goal: str, text: str) -> None:
    _change(call, lambda soul: soul.goals.note(goal, text))


@command.make("complete", "Mark a goal as done.", _('almario goals complete rice --outcome "It was good"'))
@_goal
@takes("--outcome", "How it turned out.", default="")
def complete(call: Call, goal: str, outcome: str) -> None:
    _change(call, lambda soul: soul.goals.complete(goal, outcome=outcome))


@command.make("reopen", "Reopen a completed goal.", _("almario goals reopen rice"))
@_goal
@_priority
def reopen(call: Call, goal: str, priority: str) -> None:
    _change(call, lambda soul: soul.goals.reopen(goal, priority=priority))


@command.make("priority", "Change a goal's priority.", "almario goals priority 2 high")
@_goal
@click.argument("priority", type=_PRIORITY)
def reprioritise(call: Call, goal: str, priority: str) -> None:
    _change(call, lambda soul: soul.goals.reprioritise(goal, priority))


@command.make("drop", "Remove a goal. Earlier versions of GOALS.md still have it.", "almario goals drop 2")
@_goal
def drop(call: Call, goal: str) -> None:
    _change(call, lambda soul: soul.goals.drop(goal))


def _change(call: Call, change: Callable[[Soul], object]) -> None:
    """Change the goals, and show them."""
    soul = call.soul()
    change(soul)
    _show(call, soul)


def _show(call: Call, soul: Soul) -> None:
    goals = soul.goals.all()
    stale = {each.goal.number: each for each in soul.goals.stale()}
    since = {number: each.since for number, each in stale.items()}
    if call.gave_json([goal._asdict() | {"stale_since": since.get(goal.number)} for goal in goals]):
        return
    if not goals:
        click.echo(_('No goals yet; "almario goals add" adds one.'))
    for goal in goals:
        sign = "✅" if goal.done else PRIORITIES[goal.priority]
        day = f" ({goal.completed.isoformat()})" if goal.completed else ""
        print_line(goal.text + day, lead=f"{goal.number:>3}  {sign} ", dim=goal.done)
        for detail in filter(None, [goal.status, *goal.notes, goal.outcome]):
            print_line(detail, lead=_DETAIL, dim=True)
        if goal.number in stale:
            asked = _("no movement in {days} days: still wanted?", days=stale[goal.number].days)
            print_line(asked, lead=_DETAIL, fg="yellow")
