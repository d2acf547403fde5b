"""`almario agents`: list, make, rename, remove and bring back."""

from collections.abc import Mapping, Sequence

import click

from almario.apps.cli import words
from almario.apps.cli.common import InOrder, examples, home_of, opened_home, print_json, print_table, standard
from almario.apps.cli.newcomer import new_agent
from almario.apps.cli.words import _
from almario.domain.model import LANGUAGES, Persona
from almario.errors import AlmarioError
from almario.wiring import choose_agent, open_soul


@click.group(
    "agents",
    cls=InOrder,
    invoke_without_command=True,
    help=_("List the agents, or make, rename, remove one or bring it back.")
    + "\n\n"
    + examples("almario agents", "almario agents new work --name Finny", "almario agents remove work"),
)
@click.option("--trash", is_flag=True, help=_("List the removed ones."))
@standard(agent=False)
@click.pass_context
def command(ctx: click.Context, trash: bool, home: str | None, as_json: bool) -> None:
    if ctx.invoked_subcommand:
        return
    opened = opened_home(ctx, home)
    if trash:
        gone = [{"id": item.id, "removed": item.at, "path": str(item.path)} for item in opened.home.trash()]
        _show(gone, as_json, _("The trash is empty."))
        return
    try:
        chosen = choose_agent(opened, None).id
    except AlmarioError:
        chosen = ""
    rows = []
    for agent in opened.home.agents():
        try:
            name = open_soul(home_of(ctx, home), agent.id).name
        except AlmarioError:
            name = "?"
        rows.append({"id": agent.id, "name": name, "default": agent.id == chosen, "path": str(agent.path)})
    _show(rows, as_json, _('No agent yet; "almario init" makes one.'))


@command.command(
    "new", help=_("Make another agent.") + "\n\n" + examples("almario agents new work --name Finny")
)
@click.argument("id_", metavar="ID")
@click.option("--name", default="", help=_("Its name."))
@click.option("--emoji", default="", help=_("Its emoji."))
@click.option("--vibe", default="", help=_("How it comes across, in a few words."))
@click.option("--language", type=click.Choice(LANGUAGES), help=_("The language of its soul."))
@click.option("--owner", default="", help=_("Your name."))
@click.option(
    "--path",
    metavar=_("FOLDER"),
    help=_("Keep its folder here; one that holds a soul already is taken as it is."),
)
@standard(agent=False)
@click.pass_context
def new(
    ctx: click.Context,
    id_: str,
    name: str,
    emoji: str,
    vibe: str,
    language: str | None,
    owner: str,
    path: str | None,
    home: str | None,
    as_json: bool,
) -> None:
    persona = Persona(language or words.current(), name or id_.capitalize(), emoji, vibe, owner)
    soul = new_agent(home_of(ctx, home), id_, persona, path)
    if as_json:
        print_json({"id": soul.id, "name": soul.name, "path": str(soul.path)})
    else:
        click.echo(_("{name} is in {path}.", name=soul.name, path=soul.path))


@command.command(
    "rename", help=_("Give an agent another id.") + "\n\n" + examples("almario agents rename work office")
)
@click.argument("old", metavar="ID")
@click.argument("new_id", metavar=_("NEW-ID"))
@standard(agent=False, as_json=False)
@click.pass_context
def rename(ctx: click.Context, old: str, new_id: str, home: str | None) -> None:
    agent = opened_home(ctx, home).home.rename(old, new_id)
    click.echo(_("{old} is now {new}, in {path}.", old=old, new=agent.id, path=agent.path))


@command.command(
    "remove",
    help=_("Move an agent to the trash. A folder that lies elsewhere is only taken off the list.")
    + "\n\n"
    + examples("almario agents remove work", "almario agents restore work"),
)
@click.argument("id_", metavar="ID")
@standard(agent=False, as_json=False)
@click.pass_context
def remove(ctx: click.Context, id_: str, home: str | None) -> None:
    agent = opened_home(ctx, home).home.remove(id_)
    if agent.elsewhere:
        back = f"almario agents new {agent.id} --path {agent.path}"
        click.echo(
            _(
                '{id} is off the list; its folder {path} is untouched. "{back}" brings it back.',
                id=agent.id,
                path=agent.path,
                back=back,
            )
        )
    else:
        back = f"almario agents restore {agent.id}"
        click.echo(
            _(
                '{id} is in the trash, {path}. "{back}" brings it back.',
                id=agent.id,
                path=agent.path,
                back=back,
            )
        )


@command.command(
    "restore", help=_("Bring a removed agent back.") + "\n\n" + examples("almario agents restore work")
)
@click.argument("id_", metavar="ID")
@click.option("--as", "new_id", metavar="ID", help=_("Bring it back under another id."))
@standard(agent=False, as_json=False)
@click.pass_context
def restore(ctx: click.Context, id_: str, new_id: str | None, home: str | None) -> None:
    agent = opened_home(ctx, home).home.bring_back(id_, new=new_id)
    click.echo(_("{id} is back, in {path}.", id=agent.id, path=agent.path))


def _show(rows: Sequence[Mapping[str, object]], as_json: bool, nothing: str) -> None:
    if as_json:
        print_json(rows)
    elif not rows:
        click.echo(nothing)
    else:
        heads = {"id": "ID", "name": _("Name"), "default": "", "removed": _("Removed"), "path": _("Folder")}
        cells = [
            [("*" if v else "") if isinstance(v, bool) else str(v) for v in row.values()] for row in rows
        ]
        print_table(cells, heads=[heads[key] for key in rows[0]])
