"""`almario verify`: whether everything agrees, and what became of every message."""

import click

from almario.apps.cli.common import Call, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json
from almario.domain.model import Damage
from almario.soul import Soul

_JOBS = {
    "consolidation": "merging duplicates",
    "condensing": "condensing long logs",
    "reflection": "reflection",
}


@click.command(
    "verify",
    help=helped(
        _(
            "Check that the journal, the index and the files agree, and that every message was learned "
            "from, judged empty, or is waiting for a stated reason. Exits with code 1 if something is "
            "wrong."
        ),
        "almario verify",
        "almario verify --json",
    ),
)
@standard()
def command(call: Call) -> None:
    soul = call.soul()
    found = list(soul.memory.verify())
    if call.as_json:
        sessions = [each._asdict() for each in soul.memory.outcomes()]
        waiting = soul.tidying.waiting()
        print_json({"problems": problems_as_json(found), "sessions": sessions, "waiting": waiting})
    else:
        show_problems(found)
        _show_outcomes(soul)
    end(found)


def show_problems(found: list[Damage]) -> None:
    """Print what is wrong, or that nothing is."""
    if not found:
        click.echo(f"{click.style('✓', fg='green')} {_('The journal, the index and the files agree.')}")
        return
    for each in found:
        said = _("{place} {problem}", place=each.place, problem=each.problem)
        click.echo(f"{click.style('✗', fg='red')} {said}")
    click.secho("  → " + _('"almario doctor --mend" repairs what it can'), dim=True)


def problems_as_json(found: list[Damage]) -> list[dict[str, str]]:
    return [{"place": each.place, "problem": str(each.problem)} for each in found]


def end(found: list[Damage]) -> None:
    """End the command with exit code 1 if something was found."""
    if found:
        click.get_current_context().exit(1)


def _show_outcomes(soul: Soul) -> None:
    for each in soul.memory.outcomes():
        why = _(each.why) if each.why else _("not tried yet")
        parts = [
            _("{count} learned from", count=each.extracted),
            _("{count} judged empty", count=each.empty),
            _("{count} waiting ({why})", count=each.waiting, why=why) if each.waiting else "",
            _("{count} whose line was lost", count=each.lost) if each.lost else "",
            _("{count} off the record", count=each.off) if each.off else "",
        ]
        count = _("1 message") if each.messages == 1 else _("{count} messages", count=each.messages)
        click.echo(f"  {each.session}: {count}: {', '.join(filter(None, parts))}")
    for job, why in soul.tidying.waiting().items():
        click.echo("  " + _("{job} is waiting: {why}", job=_(_JOBS[job]), why=_(why)))
