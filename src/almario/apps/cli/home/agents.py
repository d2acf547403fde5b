"""`almario agents`: list, make, rename, remove and bring back."""

from collections.abc import Mapping, Sequence
from shlex import quote

import click

from almario.apps.cli.birth.newcomer import new_agent, persona_options
from almario.apps.cli.common import Call, InOrder, agent_ids, helped, standard
from almario.apps.cli.home.config_commands import put
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json, print_line, print_table
from almario.domain.model import Persona
from almario.errors import AlmarioError
from almario.wiring import choose_agent, name_of


@click.group(
    "agents",
    cls=InOrder,
    invoke_without_command=True,
    help=helped(
        _("List, create, rename, remove or restore agents."),
        "almario agents",
        "almario agents new work --name Finny",
        "almario agents default work",
        "almario agents remove work",
    ),
)
@click.option("--trash", is_flag=True, help=_("List the removed ones."))
@standard(agent=False)
def command(call: Call, trash: bool) -> None:
    if click.get_current_context().invoked_subcommand:
        return
    opened = call.opened()
    if trash:
        gone = [{"id": item.id, "removed": item.at, "path": str(item.path)} for item in opened.home.trash()]
        _show(gone, call.as_json, _("The trash is empty."))
        return
    try:
        chosen = choose_agent(opened, None).id
    except AlmarioError:
        chosen = ""
    rows = []
    for agent in opened.home.agents():
        name = name_of(agent) or agent.id
        rows.append({"id": agent.id, "name": name, "default": agent.id == chosen, "path": str(agent.path)})
    _show(rows, call.as_json, _('No agent yet; "almario init" creates one.'))


@command.command("new", help=helped(_("Create another agent."), "almario agents new work --name Finny"))
@standard(agent=False)
@persona_options
@click.argument("id_", metavar="ID")
def new(call: Call, persona: Persona, id_: str, path: str | None) -> None:
    named = persona if persona.name else persona._replace(name=id_.capitalize())
    soul = new_agent(call, id_, named, path)
    if call.as_json:
        print_json({"id": soul.id, "name": soul.name, "path": str(soul.path)})
    else:
        click.echo(_("{name} is in {path}.", name=soul.name, path=soul.path))


@command.command(
    "default",
    help=helped(_("Choose which agent to use when none is named."), "almario agents default work"),
)
@click.argument("id_", metavar="ID", shell_complete=agent_ids)
@standard(agent=False, as_json=False)
def default(call: Call, id_: str) -> None:
    put(call._replace(agent=None), "agent", id_)


@command.command("rename", help=helped(_("Change an agent's id."), "almario agents rename work office"))
@click.argument("old", metavar="ID", shell_complete=agent_ids)
@click.argument("new_id", metavar=_("NEW-ID"))
@standard(agent=False, as_json=False)
def rename(call: Call, old: str, new_id: str) -> None:
    agent = call.opened().home.rename(old, new_id)
    click.echo(_("{old} is now {new}, in {path}.", old=old, new=agent.id, path=agent.path))


@command.command(
    "remove",
    help=helped(
        _("Move an agent to the trash. A folder outside the home is only taken off the list."),
        "almario agents remove work",
        "almario agents restore work",
    ),
)
@click.argument("id_", metavar="ID", shell_complete=agent_ids)
@standard(agent=False, as_json=False)
def remove(call: Call, id_: str) -> None:
    agent = call.opened().home.remove(id_)
    if agent.elsewhere:
        back = f"almario agents new {agent.id} --path {quote(str(agent.path))}"
        sentence = '{id} is off the list; its folder {path} is untouched. "{back}" brings it back.'
    else:
        back = f"almario agents restore {agent.id}"
        sentence = '{id} is in the trash, {path}. "{back}" brings it back.'
    print_line(_(sentence, id=agent.id, path=agent.path, back=back))


@command.command("restore", help=helped(_("Bring a removed agent back."), "almario agents restore work"))
@click.argument("id_", metavar="ID")
@click.option("--as", "new_id", metavar="ID", help=_("Bring it back under another id."))
@standard(agent=False, as_json=False)
def restore(call: Call, id_: str, new_id: str | None) -> None:
    agent = call.opened().home.bring_back(id_, new=new_id)
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
