"""`almario soul`: the soul files, their history, and the way back."""

import click

from almario.apps.cli.common import Call, InOrder, SoulFile, content_of, from_source, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_diff, print_json, print_table, when
from almario.apps.cli.soul.drift_chart import drift, pin
from almario.apps.cli.soul.lint import lint
from almario.domain.model import SOUL_FILES, soul_file
from almario.errors import SoulError


@click.group(
    "soul",
    cls=InOrder,
    help=helped(
        _("Show, edit, compare, restore and check the soul files:") + f" {', '.join(SOUL_FILES)}.",
        "almario soul show",
        "almario soul edit SOUL",
        "almario soul history SOUL",
        "almario soul restore SOUL 1",
        "almario soul lint",
    ),
)
def command() -> None:
    pass


@command.command(
    "show",
    help=helped(
        _("Show one soul file, or list them all."),
        "almario soul show",
        "almario soul show SOUL",
        "almario soul show SOUL --version 2",
    ),
)
@click.argument("file", type=SoulFile(), required=False, metavar=_("[FILE]"))
@click.option("--version", "wanted", metavar=_("VERSION"), help=_("An earlier version: its number or hash."))
@standard()
def show(call: Call, file: str | None, wanted: str | None) -> None:
    soul = call.soul()
    if file is None and wanted:
        raise click.UsageError(_("Say which file you want a version of."))
    if file is None:
        rows = [{"file": d.name, "bytes": len(d.content or b""), "hash": d.hash} for d in soul.files()]
        if call.as_json:
            print_json({"id": soul.id, "name": soul.name, "path": str(soul.path), "files": rows})
        else:
            click.echo(f"{soul.identity('emoji')} {click.style(soul.name, bold=True)}  {soul.path}\n")
            cells = [[str(row["file"]), f"{row['bytes']:,}"] for row in rows]
            print_table(cells, heads=[_("File"), _("Bytes")])
        return
    name = soul_file(file)
    if not wanted and soul.read(name).content is None:
        raise SoulError('there is no {file}; "almario soul edit {file}" creates one', file=name)
    text = soul.version(name, wanted) if wanted else soul.read(name).text
    if call.as_json:
        print_json({"file": name, "text": text})
    else:
        click.echo(text, nl=not text.endswith("\n"), color=True)  # as it is, escapes included


@command.command(
    "edit",
    help=helped(
        _("Edit a soul file. It opens in $VISUAL or $EDITOR, or is replaced from a file or a pipe."),
        "almario soul edit SOUL",
        "almario soul edit USER --from user.md",
        "cat new.md | almario soul edit SOUL --from -",
    ),
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
@from_source
@click.option("--reason", "why", default="", help=_("Why, for the history."))
@standard(as_json=False)
def edit(call: Call, file: str, source: str | None, why: str) -> None:
    soul = call.soul()
    before = soul.read(soul_file(file))
    if source is not None:
        soul.write(before, before._replace(content=content_of(source)).text, reason=why)
    elif at_terminal():
        try:
            click.edit(filename=str(soul.path / before.name))
        except click.ClickException as exc:
            raise SoulError("the editor could not be opened: {why}", why=exc.message) from exc
        soul.settle()
    else:
        raise SoulError('there is no terminal for an editor; use "--from FILE", or "--from -" for a pipe')
    changed = soul.read(before.name).hash != before.hash
    click.echo(
        _("{file} was changed.", file=before.name) if changed else _("{file} is unchanged.", file=before.name)
    )


@command.command(
    "history",
    help=helped(
        _("List every version of a soul file. Your own edits are included."), "almario soul history SOUL"
    ),
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
@standard()
def history(call: Call, file: str) -> None:
    soul = call.soul()
    versions = soul.history(file)
    if call.as_json:
        names = ("number", "hash", "at", "actor", "reason", "kept")
        print_json([{name: getattr(version, name) for name in names} for version in versions])
    elif not versions:
        click.echo(_("{file} has no versions yet.", file=soul_file(file)))
    else:
        rows = []
        for version in reversed(versions):
            note = "" if version.kept or not version.hash else " " + _("(content not kept)")
            name = (version.hash or "-")[:8]
            at, why = when(version.at, soul.zone), _(version.reason) + note
            rows.append([str(version.number), name, at, _(version.actor), why])
        print_table(rows, heads=[_("No."), _("Hash"), _("When"), _("Who"), _("Why")])


@command.command(
    "diff",
    help=helped(
        _("Show the changes between two versions. By default, the latest change."),
        "almario soul diff SOUL",
        "almario soul diff SOUL 1",
        "almario soul diff SOUL 1 3",
    ),
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
@click.argument("old", default="", metavar=_("[OLD]"))
@click.argument("new", default="", metavar=_("[NEW]"))
@standard()
def diff(call: Call, file: str, old: str, new: str) -> None:
    text = call.soul().diff(file, old, new)
    if call.as_json:
        print_json({"file": soul_file(file), "diff": text})
        return
    print_diff(text)


@command.command(
    "restore",
    help=helped(
        _("Restore an earlier version. The current one stays in the history."),
        "almario soul restore SOUL 1",
        "almario soul restore SOUL 3f9a2c",
    ),
)
@click.argument("file", type=SoulFile(), metavar=_("FILE"))
@click.argument("version", metavar=_("VERSION"))
@standard(as_json=False)
def restore(call: Call, file: str, version: str) -> None:
    found = call.soul().restore(file, version)
    click.echo(_("{file} is version {number} again.", file=found.file, number=found.number))


command.add_command(drift)
command.add_command(pin)
command.add_command(lint)
