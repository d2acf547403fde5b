"""`almario goals`: what the agent wants to get done."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import click

from almario.apps.cli.common import Call, InOrder, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json, print_line
from almario.domain.documents.goal_list import PRIORITIES
from almario.soul import Soul

_PRIORITY = click.Choice(list(PRIORITIES))
_DETAIL = " " * 8
_goal = click.argument("goal", metavar=_("GOAL"))
_priority = click.option(
    "--priority", type=_PRIORITY, default="medium", show_default=True, help=_("Its priority.")
)


@click.group(
    "goals",
    cls=InOrder,
    invoke_without_command=True,
    help=helped(
        _("List the goals, or change one by its number or some of its words."),
        "almario goals",
        _('almario goals add "Learn to cook rice" --priority high'),
        "almario goals complete 1",
    ),
)
@standard()
def command(call: Call) -> None:
    if not click.get_current_context().invoked_subcommand:
        _show(call.soul(), as_json=call.as_json)


def change(name: str, sentence: str, example: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command that changes the goals of a soul and then shows them."""

    def decorate(function: Callable[..., None]) -> click.Command:
        def run(call: Call, **given: Any) -> None:
            soul = call.soul()
            function(soul, **given)
            _show(soul, as_json=call.as_json)

        return command.command(name, help=helped(sentence, example))(
            standard()(update_wrapper(run, function))
        )

    return decorate


@change("add", _("Add a goal."), _('almario goals add "Learn to cook rice" --priority high'))
@click.argument("text", metavar=_("TEXT"))
@_priority
def add(soul: Soul, text: str, priority: str) -> None:
    soul.goals.add(text, priority=priority)


@change("start", _("Mark a goal as in progress."), "almario goals start 1")
@_goal
def start(soul: Soul, goal: str) -> None:
    soul.goals.start(goal)


@change("note", _("Add a note to a goal."), _('almario goals note rice "Two parts water"'))
@_goal
@click.argument("text", metavar=_("TEXT"))
def note(soul: Soul, goal: str, text: str) -> None:
    soul.goals.note(goal, text)


@change("complete", _("Mark a goal as done."), _('almario goals complete rice --outcome "It was good"'))
@_goal
@click.option("--outcome", default="", help=_("How it turned out."))
def complete(soul: Soul, goal: str, outcome: str) -> None:
    soul.goals.complete(goal, outcome=outcome)


@change("reopen", _("Reopen a completed goal."), _("almario goals reopen rice"))
@_goal
@_priority
def reopen(soul: Soul, goal: str, priority: str) -> None:
    soul.goals.reopen(goal, priority=priority)


@change("priority", _("Change a goal's priority."), "almario goals priority 2 high")
@_goal
@click.argument("priority", type=_PRIORITY)
def reprioritise(soul: Soul, goal: str, priority: str) -> None:
    soul.goals.reprioritise(goal, priority)


@change("drop", _("Remove a goal. Earlier versions of GOALS.md still have it."), "almario goals drop 2")
@_goal
def drop(soul: Soul, goal: str) -> None:
    soul.goals.drop(goal)


def _show(soul: Soul, *, as_json: bool) -> None:
    goals = soul.goals.all()
    stale = {each.goal.number: each for each in soul.goals.stale()}
    if as_json:
        since = {number: each.since for number, each in stale.items()}
        print_json([goal._asdict() | {"stale_since": since.get(goal.number)} for goal in goals])
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
