"""`almario soul`: the soul files, their history, and the way back."""

import click

from almario.apps.cli.arguments import SoulFile
from almario.apps.cli.common import (
    CommandCall,
    CommandGroup,
    content_of,
    edited,
    flag,
    from_source,
    helped,
    takes,
)
from almario.apps.cli.i18n import _, number, word
from almario.apps.cli.printing import print_diff, print_table, when
from almario.domain.model import SOUL_FILES, soul_file
from almario.domain.vocabulary import ACTORS
from almario.errors import SoulError

command = CommandGroup(
    "soul",
    help=helped(
        _("Show, edit, compare and restore the soul files:") + f" {', '.join(SOUL_FILES)}.",
        "almario soul show",
        "almario soul edit SOUL",
        "almario soul history SOUL",
        "almario soul restore SOUL 1",
    ),
)


@command.make(
    "show",
    "Show one soul file, or list them all.",
    "almario soul show",
    "almario soul show SOUL",
    "almario soul show SOUL --version 2",
)
@click.argument("file", type=SoulFile(), required=False, metavar=_("[FILE]"))
@takes("--version", "An earlier version: its number or hash.", "wanted", metavar=_("VERSION"))
def show(call: CommandCall, file: str | None, wanted: str | None) -> None:
    soul = call.soul()
    if file is None and wanted:
        raise click.UsageError(_("Say which file you want a version of."))
    if file is None:
        rows = [{"file": d.name, "bytes": len(d.content or b""), "hash": d.hash} for d in soul.files()]
        if call.gave_json({"id": soul.id, "name": soul.name, "path": soul.place, "files": rows}):
            return
        click.echo(f"{soul.identity('emoji')} {click.style(soul.name, bold=True)}  {soul.place}\n")
        cells = [[str(row["file"]), number(int(row["bytes"] or 0))] for row in rows]
        print_table(cells, heads=[_("File"), _("Bytes")])
        return
    name = soul_file(file)
    if not wanted and soul.read(name).content is None:
        raise SoulError('there is no {file}; "almario soul edit {file}" creates one', file=name)
    text = soul.read(name, wanted or "").text
    if not call.gave_json({"file": name, "text": text}):
        click.echo(text, nl=not text.endswith("\n"), color=True)  # as it is, escapes included


@command.make(
    "edit",
    "Edit a soul file. It opens in $VISUAL or $EDITOR, or is replaced from a file or a pipe.",
    "almario soul edit SOUL",
    "almario soul edit USER --from user.md",
    "cat new.md | almario soul edit SOUL --from -",
    as_json=False,
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
@from_source
@takes("--reason", "Why, for the history.", "why", default="")
def edit(call: CommandCall, file: str, source: str | None, why: str) -> None:
    soul = call.soul()
    before = soul.read(soul_file(file))
    if source is not None:
        soul.write(before, before._replace(content=content_of(source)).text, reason=why)
    elif soul.folder:
        edited(file=str(soul.folder / before.name))
        soul.settle()
    else:
        soul.write(before, edited(before.text), reason=why)
    is_changed = soul.read(before.name).hash != before.hash
    click.echo(_("{file} was changed." if is_changed else "{file} is unchanged.", file=before.name))


@command.make(
    "history", "List every version of a soul file. Your own edits are included.", "almario soul history SOUL"
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
def history(call: CommandCall, file: str) -> None:
    soul = call.soul()
    versions = soul.history(file)
    rows = []
    for version in reversed(versions):
        note = "" if version.kept or not version.hash else " " + _("(content not kept)")
        hash_, at = (version.hash or "-")[:8], when(version.at, soul.zone)
        rows.append([str(version.number), hash_, at, word(version.actor, ACTORS), _(version.reason) + note])
    heads = [_("No."), _("Hash"), _("When"), _("Who"), _("Why")]
    nothing = _("{file} has no versions yet.", file=soul_file(file))
    call.give_table(versions, rows, heads=heads, if_empty=nothing)


@command.make(
    "diff",
    "Show the changes between two versions. By default, the latest change.",
    "almario soul diff SOUL",
    "almario soul diff SOUL 1",
    "almario soul diff SOUL 1 3",
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
@click.argument("old", default="", metavar=_("[OLD]"))
@click.argument("new", default="", metavar=_("[NEW]"))
def diff(call: CommandCall, file: str, old: str, new: str) -> None:
    text = call.soul().diff(file, old, new)
    if not call.gave_json({"file": soul_file(file), "diff": text}):
        print_diff(text)


@command.make(
    "restore",
    "Restore an earlier version. The current one stays in the history.",
    "almario soul restore SOUL 1",
    "almario soul restore SOUL 3f9a2c",
    as_json=False,
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
@click.argument("version", metavar=_("VERSION"))
def restore(call: CommandCall, file: str, version: str) -> None:
    found = call.soul().restore(file, version)
    click.echo(_("{file} is version {number} again.", file=found.file, number=found.number))


@command.make(
    "lock",
    "Lock a section of SOUL, IDENTITY or MOTIVATIONS. No proposal can touch it; you can.",
    "almario soul lock SOUL Boundaries",
    "almario soul lock SOUL Boundaries --off",
    as_json=False,
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
@click.argument("section", metavar=_("SECTION"))
@flag("--off", "Unlock it: proposals can change it again.", "is_off")
def lock(call: CommandCall, file: str, section: str, is_off: bool) -> None:
    call.soul().lock(file, section, locked=not is_off)
    sentence = '"{section}" is unlocked.' if is_off else '"{section}" is locked.'
    click.echo(_(sentence, section=section))
