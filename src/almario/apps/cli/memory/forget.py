"""`almario forget`: put something out of mind, or erase it for good; that is shown first, and asked."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from almario import wiring
from almario.apps.cli.common import CommandCall, agreed, flag, make_command, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import line, picked, print_memories
from almario.apps.cli.printing import fitted, print_below, print_line
from almario.domain.forgotten import Forgotten, name_of
from almario.domain.memories import same_value
from almario.domain.messages import CommandLine, Sentence
from almario.domain.model import Hit
from almario.soul import Soul


@make_command(
    "forget",
    "Forget something: a memory by its id or its key, a message by its id, or whatever you "
    "describe in words. The messages and log lines that mention it are no longer recalled "
    "either. It can be brought back; with --purge it is erased from every file for good, with "
    "what it was learned from.",
    _("almario forget job"),
    _("almario forget the trip to the zoo"),
    "almario forget 3f9a2c1b",
    "almario forget 3f9a2c1b --purge",
    "almario forget --purge --expired 365",
)
@click.argument("target", nargs=-1, metavar=_("ID|KEY|WORDS..."))
@flag("--all", "Forget everything that matches, if there is more than one thing.", "every")
@flag("--purge", "Permanently erase it, after showing what will go.")
@takes(
    "--expired",
    "With --purge, erase all that expired at least this many days ago; the daemon does it by itself if "
    "memory.purge_after is set.",
    type=click.IntRange(0, 100_000),
    metavar=_("DAYS"),
)
@takes("--not-in", "Forget what is missing in a version of MEMORY.md that was set aside.", metavar=_("FILE"))
@flag("--yes", "Erase without asking.")
def command(call: CommandCall, target: tuple[str, ...], every: bool, purge: bool, **given: Any) -> None:
    wanted, expired, yes = " ".join(target), given["expired"], given["yes"]
    _check(given, purge=purge, is_named=bool(target))
    soul = call.soul()
    if given["not_in"]:
        _accept(call, soul, given["not_in"])
        return
    if expired is not None:
        erase(call, soul, older_than=expired, yes=yes)
        return
    if purge:
        ids = _ids_to_forget(call, soul, wanted, every=every)
        erase(call, soul, ids=ids, yes=yes) if ids else click.echo(_("Nothing was erased."))
        return
    hits = _chosen(call, soul, wanted, every=every)
    if not hits:
        click.echo(_("Nothing was forgotten."))
        return
    gone = soul.memory.put_out_of_mind(hits)
    if not call.gave_json(gone):
        _show(soul, hits, gone)


def _check(given: Mapping[str, Any], *, purge: bool, is_named: bool) -> None:
    """Refuse options that do not go together, and nothing at all."""
    if given["yes"] and not purge:
        raise click.UsageError(_("--yes only goes with --purge."))
    if given["expired"] is not None and not purge:
        raise click.UsageError(_("--expired only goes with --purge."))
    ways = [is_named, given["expired"] is not None, bool(given["not_in"])]
    if sum(ways) != 1:
        raise click.UsageError(_("Say what to forget: words, or --expired, or --not-in."))


def _accept(call: CommandCall, soul: Soul, file: str) -> None:
    gone = [soul.memory.get(memory.id) for memory in soul.memory.accept(file)]
    if call.gave_json(gone):
        return
    if not gone:
        click.echo(_("Nothing was missing in it, so nothing was forgotten."))
        return
    print_memories(soul, gone, _("Forgotten:"))
    print_below([_('"{undo}" brings it back', undo=CommandLine(f"almario undo {gone[0].seq}"))], dim=True)


def _chosen(call: CommandCall, soul: Soul, wanted: str, *, every: bool) -> list[Hit]:
    """Return what is to be forgotten; of several things, those that the owner says yes to."""
    meant = soul.memory.meant(wanted)
    hits = meant.sure or meant.likely
    if not hits or every or meant.is_one:
        return list(meant.hits(every=every))
    return picked(call, [(_line(hit), hit) for hit in hits], wanted)


def _ids_to_forget(call: CommandCall, soul: Soul, wanted: str, *, every: bool) -> list[str]:
    """Return the ids of what is to be erased: one thing in use, and what it has replaced, or *every* one."""
    found = soul.memory.find(wanted)
    live = [memory for memory in found if memory.state == "live"]
    if every or len({same_value(memory.value) for memory in live}) <= 1:
        return [memory.id for memory in found]
    return picked(call, [(line(soul, memory), memory.id) for memory in live], wanted)


def _show(soul: Soul, hits: list[Hit], gone: Forgotten) -> None:
    click.echo(_("Forgotten:"))
    print_below([line(soul, memory) for memory in gone] or [_line(hit) for hit in hits])
    if gone.turns or gone.lines:
        names = ", ".join([*gone.turns, *gone.lines])
        print_line(_("also no longer recalled: {names}", names=names), lead="  ", dim=True)
    print_below([_('"{undo}" brings it back', undo=CommandLine(f"almario undo {gone.seq}"))], dim=True)


def _line(hit: Hit) -> str:
    name, text = name_of(hit), f"{hit.key}: {hit.text}" if hit.key else hit.text
    return f"{click.style(name, dim=True)}  {fitted(text, len(name) + 6)}"


def erase(call: CommandCall, soul: Soul, *, ids: Sequence[str] = (), older_than: int = 0, yes: bool) -> None:
    """Erase these memories, or else what expired so many days ago, if the owner agrees."""
    plan = soul.memory.plan_purge(*ids, expired=None if ids else older_than)
    answer = plan._asdict()
    if not plan.memories:
        if_empty = _("Nothing has expired that long ago, so there is nothing to erase.")
        call.give({"erased": False, **answer}, if_empty)
        return
    if not call.as_json:
        click.secho(_("This will be permanently erased:"), bold=True)
        print_below(line(soul, memory) for memory in plan.memories)
        _list(_("with what was said in:"), plan.turns)
        _list(_("in these files:"), plan.places)
    if not yes:
        call.gave_json({"erased": False, **answer})
    if not yes and not agreed(call, _("Erase it permanently?")):
        click.echo(_("Nothing was erased."))
        return
    cleaned = soul.memory.purge(plan)
    kept = None if call.login else wiring.backups(call.home, settings=call.settings)
    made = [str(each.path) for each in kept.all()] if kept else []
    if not call.gave_json({"erased": True, **answer, "cleaned": cleaned, "backups": made}):
        _list(_("Erased. Cleaned:"), cleaned)
        print_line(
            _(
                "Out of reach, so check them yourself: backups, synced folders, editors' swap files, "
                "shell history."
            )
        )
        _list(_("Files of other programs that may still hold it:"), plan.out_of_reach)
        _list(_("Earlier backups that still contain it until you delete them:"), made)
    if kept and not kept.clear():
        tell([Sentence("A backup is being made right now, and may contain it too.")])


def _list(heading: str, names: Sequence[str]) -> None:
    if names:
        click.echo(heading)
        print_below(names)
