"""Putting what is remembered right."""

from collections.abc import Callable, Sequence
from datetime import date

import click

from almario.apps.cli.arguments import DAY
from almario.apps.cli.common import CommandCall, flag, make_command, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.past import print_history
from almario.apps.cli.memory.screens import at_most, by_name, named, place_named, print_memories
from almario.apps.cli.printing import one_line, print_below
from almario.domain.memories import EVERY, Memory
from almario.domain.messages import CommandLine
from almario.domain.withheld import each_once
from almario.errors import SoulError
from almario.served import home_of
from almario.soul import Soul


@make_command(
    "undo",
    "Undo the latest change, or any change by its line. That may be of memories, of a soul file or goals; by "
    "its line, a no to a proposal too. Again, it goes further back; anything changed since is left alone.",
    "almario undo",
    "almario undo 12",
    "almario undo --list",
)
@click.argument("line_number", type=click.IntRange(1, 10**12), required=False, metavar=_("[LINE]"))
@flag("--list", "Only list the changes of memories, newest first, with their lines.", "only_list")
@at_most(20, largest=1_000_000)
def undo(call: CommandCall, line_number: int | None, only_list: bool, limit: int) -> None:
    soul = call.soul()
    if only_list:
        _list_changes(call, soul, limit)
        return
    done = soul.undo(line_number or 0)
    is_json = call.gave_json(done)
    if not done.memories and done.left and not done.kept:
        raise SoulError("nothing was undone: all of it has changed since")
    if is_json:
        return
    if done.file or done.proposal:
        _print_undone(done.file, done.proposal.id if done.proposal else "")
        return
    if done.kept and not done.memories:
        click.echo(_("Undone. Your word on what looked like a secret is as it was before."))
    elif not done.memories:
        click.echo(_("Undone. Everything is as it was before."))
    print_memories(soul, done.memories, _("Undone. These are as they were before:"))
    print_memories(soul, done.left, _("Changed since, so left as they are:"))
    if not done.memories:
        return
    again = CommandLine(f"almario undo {done.memories[0].seq}")
    print_below([_('"{undo}" undoes this too', undo=again)], dim=True)


def _list_changes(call: CommandCall, soul: Soul, limit: int) -> None:
    changes = soul.memory.history("")
    shown = changes[-limit:]
    if call.gave_json(shown[::-1]):
        return
    if not changes:
        click.echo(_("No memories yet."))
        return
    print_history(soul, shown, {memory.id: memory for memory in soul.memory.list(EVERY)}, one=False)
    if len(shown) < len(changes):
        left = len(changes) - len(shown)
        click.secho(_("Earlier: {count}; --limit shows more.", count=left), dim=True)


def _print_undone(file: str, proposal: str) -> None:
    if not file:
        click.echo(_("Proposal {id} waits for your answer again.", id=proposal))
        return
    click.echo(_("{file} is as it was before.", file=file))
    if proposal:
        click.echo(_("Proposal {id} is undone.", id=proposal))


@make_command(
    "keep",
    "Use what was left out because it looked like a secret: what was said last, or what an id, a file "
    "or its words name. It is then told to models and found again, wherever it was said.",
    "almario keep",
    "almario keep --list",
    "almario keep 3f9a2c1b",
)
@click.argument("what", nargs=-1, metavar=_("[WHAT]"))
@flag("--list", "Only show what is left out.", "only_list")
@flag("--all", "Use all that is left out.", "every")
def keep(call: CommandCall, what: tuple[str, ...], only_list: bool, every: bool) -> None:
    soul = call.soul()
    if only_list:
        found = each_once(soul.memory.withheld())
        rows = [[each.name[:24], ", ".join(each.suspected), one_line(each.text)] for each in found]
        heads = [_("Name"), _("Left out"), _("Text")]
        call.give_table(found, rows, heads=heads, if_empty=_("Nothing is left out."))
        return
    kept = soul.memory.keep(" ".join(what), every=every)
    call.give({"kept": list(kept)}, _("Used from now on: {what}", what=", ".join(kept)))
    if not call.as_json:
        undo = CommandLine(f"almario undo {soul.undoable()}")
        print_below([_('"{undo}" undoes it', undo=undo)], dim=True)


@make_command(
    "restore",
    "Bring back a memory. One that was forgotten or replaced, or has expired or ended.",
    "almario memory restore 3f9a2c1b",
)
@by_name
def restore(call: CommandCall, target: tuple[str, ...]) -> None:
    _change(call, target, lambda soul, id_: soul.memory.restore(id_), _("In use again:"), in_use=False)


@make_command(
    "change",
    "Change what a memory says, when it holds, or where it is told. Also the last day on which it was true.",
    _('almario memory change job --text "teaches physics"'),
    _("almario memory change job --ended today"),
)
@by_name
@takes("--text", "What it says from now on.", default="", metavar=_("TEXT"))
@takes("--when", "When it is or holds, such as 2026-12-03 or 2025/..", default="", metavar=_("WHEN"))
@takes("--ended", "The last day on which it was true.", type=DAY, metavar=_("DATE"))
@takes(
    "--project",
    "The project in which coding agents are told it; work is every project, home is none.",
    default="",
    metavar=_("NAME|FOLDER"),
)
def change(
    call: CommandCall, target: tuple[str, ...], text: str, when: str, ended: date | None, project: str
) -> None:
    last = ended.isoformat() if ended else ""
    if not (text or when or last or project):
        raise click.UsageError(_("Say what changes, with --text, --when, --ended or --project."))

    def changed(soul: Soul, memory_id: str) -> Memory:
        place = place_named(soul, project, home_of(call.home)) if project else None
        return soul.memory.change(memory_id, text, when=when, ended=last, place=place)

    _change(call, target, changed, _("Changed:"))


@make_command(
    "confirm",
    "Say that a memory is right, whoever said it. It then counts as your own word, and lasts longer.",
    "almario memory confirm 3f9a2c1b",
)
@by_name
def confirm(call: CommandCall, target: tuple[str, ...]) -> None:
    _change(call, target, lambda soul, id_: soul.memory.change(id_, right=True), _("Confirmed:"))


@make_command(
    "reject",
    "Say that a memory is wrong. It goes out of use, but what was said stays.",
    "almario memory reject 3f9a2c1b",
)
@by_name
def reject(call: CommandCall, target: tuple[str, ...]) -> None:
    _change(call, target, lambda soul, id_: soul.memory.change(id_, right=False), _("No longer believed:"))


@make_command(
    "share",
    "Share a memory. From then on, anyone present may hear it.",
    "almario memory share 3f9a2c1b",
    "almario memory share 3f9a2c1b --off",
)
@by_name
@flag("--off", "Stop sharing it: it is private again.", "is_off")
def share(call: CommandCall, target: tuple[str, ...], is_off: bool) -> None:
    heading = _("Between you and your agent again:") if is_off else _("Shared with others:")
    _change(call, target, lambda soul, id_: soul.memory.change(id_, shared=not is_off), heading)


def _change(
    call: CommandCall,
    target: Sequence[str],
    change: Callable[[Soul, str], Memory],
    heading: str,
    *,
    in_use: bool = True,
) -> None:
    soul = call.soul()
    memory = change(soul, named(call, soul, target, in_use=in_use).id)
    if not call.gave_json(memory):
        print_memories(soul, [memory], heading)
