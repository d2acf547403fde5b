"""`almario forget`: put something out of mind, or erase it for good."""

import click

from almario.apps.cli.common import Call, helped, standard, typed
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.erasing import erase
from almario.apps.cli.memory.screens import by_name, fields, line, picked
from almario.apps.cli.printing import fitted, print_json, print_line
from almario.domain.forgotten import Forgotten, name_of
from almario.domain.memories import same_value
from almario.domain.model import Hit
from almario.soul import Soul


@click.command(
    "forget",
    help=helped(
        _(
            "Forget something: a memory by its id or its key, a message by its id, or whatever you "
            "describe in words. The messages and log lines that mention it are no longer recalled "
            "either. It can be brought back; with --purge it is erased from every file for good, with "
            "what it was learned from."
        ),
        _("almario forget job"),
        _("almario forget the trip to the zoo"),
        "almario forget 3f9a2c1b",
        "almario forget 3f9a2c1b --purge",
    ),
)
@by_name
@click.option(
    "--all", "every", is_flag=True, help=_("Forget everything that matches, if there is more than one thing.")
)
@click.option("--purge", is_flag=True, help=_("Permanently erase it, after showing what will go."))
@click.option("--yes", is_flag=True, help=_("Erase without asking."))
@standard()
def command(call: Call, target: tuple[str, ...], every: bool, purge: bool, yes: bool) -> None:
    wanted = " ".join(target)
    if yes and not purge:
        raise click.UsageError(_("--yes only goes with --purge."))
    soul = call.soul()
    if purge:
        ids = _doomed(call, soul, wanted, every=every)
        erase(call, soul, ids=ids, yes=yes) if ids else click.echo(_("Nothing was erased."))
        return
    things = _chosen(call, soul, wanted, every=every)
    if not things:
        click.echo(_("Nothing was forgotten."))
        return
    gone = soul.memory.put_out_of_mind(things)
    if call.as_json:
        told = [fields(soul, memory) for memory in gone]
        print_json({"memories": told, "turns": gone.turns, "lines": gone.lines, "line": gone.seq})
        return
    _show(soul, things, gone)


def _chosen(call: Call, soul: Soul, wanted: str, *, every: bool) -> list[Hit]:
    """Return what is to be forgotten; of several things, those that the owner says yes to."""
    meant = soul.memory.meant(wanted)
    things = meant.sure or meant.likely
    if not things or every or meant.is_one:
        return list(meant.things(every=every))
    return picked(call, [(_line(hit), hit) for hit in things], wanted)


def _doomed(call: Call, soul: Soul, wanted: str, *, every: bool) -> list[str]:
    """Return the ids of what is to be erased: one thing in use, and what it has replaced, or *every* one."""
    found = soul.memory.named(wanted)
    live = [memory for memory in found if soul.memory.state(memory) == "live"]
    if every or len({same_value(memory.value) for memory in live}) <= 1:
        return [memory.id for memory in found]
    return picked(call, [(line(soul, memory), memory.id) for memory in live], wanted)


def _show(soul: Soul, things: list[Hit], gone: Forgotten) -> None:
    click.echo(_("Forgotten:"))
    for memory in gone:
        click.echo("  " + line(soul, memory))
    for hit in things if not gone else ():
        click.echo("  " + _line(hit))
    if gone.turns or gone.lines:
        names = ", ".join([*gone.turns, *gone.lines])
        print_line(_("also no longer recalled: {names}", names=names), lead="  ", dim=True)
    undo = typed(f"memory undo {gone.seq}")
    click.secho("  " + _('"{undo}" brings it back', undo=undo), dim=True)


def _line(hit: Hit) -> str:
    name, text = name_of(hit), f"{hit.key}: {hit.text}" if hit.key else hit.text
    return f"{click.style(name, dim=True)}  {fitted(text, len(name) + 6)}"
