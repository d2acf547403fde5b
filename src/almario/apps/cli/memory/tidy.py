"""Making what is remembered smaller without losing any of it."""

import click

from almario.apps.cli.common import Call, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import fields, line
from almario.apps.cli.printing import print_json, print_line
from almario.domain.messages import Sentence
from almario.errors import SoulError


@click.command(
    "consolidate",
    help=helped(
        _(
            "Merge duplicates and replace what is contradicted. A language model compares pairs of "
            "memories; anything drastic waits as a proposal."
        ),
        "almario memory consolidate",
    ),
)
@standard()
def consolidate(call: Call) -> None:
    soul = call.soul()
    done = soul.tidying.consolidate()
    if call.as_json:
        changed = [fields(soul, memory) for memory in done.changed]
        print_json({"changed": changed, "proposal": done.proposal, "why": str(done.why or "")})
    _fail(done.why)
    if call.as_json:
        return
    lost = [memory for memory in done.changed if not memory.is_live]
    click.echo(_("Replaced:") if lost else _("Nothing was merged or replaced."))
    for memory in lost:
        click.echo("  " + line(soul, memory))
        click.echo("    → " + line(soul, soul.memory.get(memory.by)))
    if lost:
        undo = f"almario memory undo {lost[0].seq}"
        click.secho("  " + _('"{undo}" brings it back', undo=undo), dim=True)
    if done.proposal:
        accept = f"almario proposals accept {done.proposal}"
        print_line(
            _(
                'This would remove more than is allowed without your consent; "{accept}" does it.',
                accept=accept,
            )
        )


@click.command(
    "condense",
    help=helped(
        _("Shorten HISTORY.md and the logs of past days. The original lines go to memory/archive first."),
        "almario memory condense",
    ),
)
@standard()
def condense(call: Call) -> None:
    soul = call.soul()
    done = soul.tidying.condense()
    if call.as_json:
        print_json({"files": list(done.paths), "why": str(done.why or "")})
    else:
        click.echo(_("Shortened:") if done.paths else _("Nothing was shortened."))
        for path in done.paths:
            click.echo("  " + path)
    _fail(done.why)


def _fail(why: Sentence | None) -> None:
    """End with an error that says why a model did not do its part."""
    if why:
        raise SoulError(why.text, **why.facts)
