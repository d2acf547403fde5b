"""Putting what is remembered right, and taking it out and in."""

import os
from pathlib import Path

import click

from almario.apps.cli.common import (
    Call,
    content_of,
    helped,
    need_session,
    standard,
    tell,
    text_of,
    told_in,
    typed,
)
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.erasing import erase
from almario.apps.cli.memory.screens import by_name, fields, line, named
from almario.apps.cli.printing import print_json
from almario.apps.cli.progress import Bar
from almario.domain.audiences import OWNER_ALONE
from almario.domain.memories import Memory
from almario.domain.sealing import is_seal
from almario.errors import SoulError
from almario.soul import Soul
from almario.wiring.plugged import exported


@click.command(
    "undo",
    help=helped(
        _("Undo the latest change, or another by its line. Anything changed since then is left alone."),
        "almario memory undo",
        "almario memory undo 12",
    ),
)
@click.argument("line_number", type=click.IntRange(1, 10**12), required=False, metavar=_("[LINE]"))
@standard()
def undo(call: Call, line_number: int | None) -> None:
    soul = call.soul()
    done = soul.memory.undo(line_number or 0)
    if call.as_json:
        changed, left = ([fields(soul, each) for each in some] for some in (done.changed, done.left))
        print_json({"changed": changed, "left": left})
    if not done.changed and done.left:
        raise SoulError("nothing was undone: all of it has changed since")
    if call.as_json:
        return
    if not done.changed:
        click.echo(_("Undone. What was said can come to mind again."))
        return
    click.echo(_("Undone. These are as they were before:"))
    for memory in done.changed:
        click.echo("  " + line(soul, memory))
    if done.left:
        click.echo(_("Changed since, so left as they are:"))
    for memory in done.left:
        click.echo("  " + line(soul, memory))
    again = typed(f"memory undo {done.changed[0].seq}")
    click.secho("  " + _('"{undo}" undoes this too', undo=again), dim=True)


@click.command(
    "restore",
    help=helped(
        _("Bring back a memory. One that was forgotten or replaced, or has expired or ended."),
        "almario memory restore 3f9a2c1b",
    ),
)
@by_name
@standard()
def restore(call: Call, target: tuple[str, ...]) -> None:
    soul = call.soul()
    memory_id = named(call, soul, target, in_use=False).id
    _show(call, soul, soul.memory.restore(memory_id), _("In use again:"))


@click.command(
    "trust",
    help=helped(
        _("Vouch for what someone else said. It then counts as your own word."),
        "almario memory list --untrusted",
        "almario memory trust 3f9a2c1b",
    ),
)
@by_name
@standard()
def trust(call: Call, target: tuple[str, ...]) -> None:
    soul = call.soul()
    memory_id = named(call, soul, target).id
    _show(call, soul, soul.memory.trust(memory_id), _("Now yours and in use:"))


@click.command(
    "share",
    help=helped(
        _("Share a memory. From then on, anyone present may hear it."),
        "almario memory share 3f9a2c1b",
    ),
)
@by_name
@standard()
def share(call: Call, target: tuple[str, ...]) -> None:
    soul = call.soul()
    memory_id = named(call, soul, target).id
    _show(call, soul, soul.memory.share(memory_id), _("Shared with others:"))


@click.command(
    "unshare",
    help=helped(
        _("Stop sharing a memory: it is private again."),
        "almario memory unshare 3f9a2c1b",
    ),
)
@by_name
@standard()
def unshare(call: Call, target: tuple[str, ...]) -> None:
    soul = call.soul()
    memory_id = named(call, soul, target).id
    _show(call, soul, soul.memory.share(memory_id, shared=False), _("Between you and your agent again:"))


def _show(call: Call, soul: Soul, memory: Memory, heading: str) -> None:
    if call.as_json:
        print_json(fields(soul, memory))
        return
    click.echo(heading)
    click.echo("  " + line(soul, memory))


@click.command(
    "export",
    help=helped(
        _(
            "Write every memory as a line of JSON. Includes those out of use; without a file, to standard "
            "output."
        ),
        "almario memory export memories.jsonl",
        "almario memory export | gzip > memories.jsonl.gz",
    ),
)
@click.argument("file", required=False, metavar=_("[FILE]"))
@told_in
@standard()
def export(call: Call, file: str | None, session: str | None) -> None:
    soul = call.soul()
    need_session(soul, session)
    lines = soul.memory.export(soul.audience(session) if session else OWNER_ALONE)
    memories = [each for each in lines if not is_seal(each)]
    if file is None or file == "-":
        text = f"[{','.join(memories)}]\n" if call.as_json else "".join(each + "\n" for each in lines)
        click.echo(text, nl=False)
        return
    _write(Path(file), "".join(each + "\n" for each in lines))
    if call.as_json:
        print_json({"file": file, "memories": len(memories)})
    else:
        click.echo(_("Memories in {file}: {count}.", count=len(memories), file=file))


@click.command(
    "import",
    help=helped(
        _("Import exported memories. Those already here stay unchanged."),
        "almario memory import memories.jsonl",
        "almario memory import notes.csv --from csv",
        "zcat memories.jsonl.gz | almario memory import -",
    ),
)
@click.argument("file", metavar=_("FILE"))
@click.option(
    "--from", "program", metavar=_("NAME"), help=_("What another program exported, read by a plug-in.")
)
@standard()
def import_lines(call: Call, file: str, program: str | None) -> None:
    # Only a line feed ends a line: a text may hold other characters that look like an end.
    lines = text_of(file).split("\n") if not program else exported(program, content_of(file))
    soul = call.soul()
    with Bar(_("Importing")) as progress:
        done = soul.memory.import_lines(lines, progress=progress)
    if call.as_json:
        print_json(done._asdict() | {"told": [str(sentence) for sentence in done.told]})
        return
    tell(done.told)
    click.echo(_("Imported: {new}. Already here: {known}.", new=done.new, known=done.known))
    if done.different:
        click.echo(_("Different here, left unchanged: {count}.", count=done.different))


@click.command(
    "purge",
    help=helped(
        _(
            "Permanently erase what has expired. It is shown first; the daemon does this on its own if "
            "memory.purge_after is set."
        ),
        "almario memory purge",
        "almario memory purge --older-than 365",
    ),
)
@click.option(
    "--older-than",
    type=click.IntRange(0, 100_000),
    default=0,
    metavar=_("DAYS"),
    help=_("Only what expired more than this many days ago."),
)
@click.option("--yes", is_flag=True, help=_("Erase without asking."))
@standard()
def purge(call: Call, older_than: int, yes: bool) -> None:
    erase(call, call.soul(), older_than=older_than, yes=yes)


@click.command(
    "accept",
    help=helped(
        _("Accept a version of MEMORY.md that was set aside. What it lacks is forgotten."),
        "almario memory accept MEMORY.conflict-1a2b3c4d.md",
    ),
)
@click.argument("file", metavar=_("FILE"))
@standard()
def accept(call: Call, file: str) -> None:
    soul = call.soul()
    gone = [soul.memory.get(memory.id) for memory in soul.memory.accept(file)]
    if call.as_json:
        print_json([fields(soul, memory) for memory in gone])
        return
    click.echo(_("Forgotten:") if gone else _("Nothing was missing in it, so nothing was forgotten."))
    for memory in gone:
        click.echo("  " + line(soul, memory))
    if gone:
        undo = typed(f"memory undo {gone[0].seq}")
        click.secho("  " + _('"{undo}" brings it back', undo=undo), dim=True)


def _write(path: Path, text: str) -> None:
    """Write a private file whole, or leave what is there as it is."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        new.replace(path)
    except OSError as exc:
        exc.filename = str(path)  # not the one that nobody asked for
        raise
    finally:
        new.unlink(missing_ok=True)
