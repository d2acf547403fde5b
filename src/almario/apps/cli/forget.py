"""`almario forget`: take something out of use, or erase it for good."""

import click

from almario.apps.cli.common import Call, helped, standard, typed
from almario.apps.cli.erasing import erase
from almario.apps.cli.printing import print_json
from almario.apps.cli.remembered import fields, line
from almario.apps.cli.words import _


@click.command(
    "forget",
    help=helped(
        _(
            "Forget a memory, by its id, or all that is in use under a key. It can be brought back; "
            "with --purge it is erased from every file for good, with what it was learned from."
        ),
        _("almario forget job"),
        "almario forget 3f9a2c1b",
        "almario forget 3f9a2c1b --purge",
    ),
)
@click.argument("target", nargs=-1, required=True, metavar=_("ID|KEY"))
@click.option("--purge", is_flag=True, help=_("Erase it for good, after showing what that erases."))
@click.option("--yes", is_flag=True, help=_("Erase without asking."))
@standard()
def command(call: Call, target: tuple[str, ...], purge: bool, yes: bool) -> None:
    wanted = " ".join(target)
    if yes and not purge:
        raise click.UsageError(_("--yes is for --purge; nothing is asked otherwise."))
    soul = call.soul()
    if purge:
        erase(call, soul, target=wanted, yes=yes)
        return
    forgotten = [soul.memory.get(memory.id) for memory in soul.forget(wanted)]
    if call.as_json:
        print_json([fields(soul, memory) for memory in forgotten])
        return
    click.echo(_("Forgotten:"))
    for memory in forgotten:
        click.echo("  " + line(soul, memory))
    undo = typed(f"memory undo {forgotten[0].seq}")
    click.secho("  " + _('"{undo}" brings it back', undo=undo), dim=True)
