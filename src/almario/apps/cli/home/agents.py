"""`almario agents`: list, rename, remove and bring back."""

from shlex import quote

import click

from almario.apps.cli.common import CommandCall, agent_ids, flag, make_group, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_line
from almario.domain.messages import Sentence
from almario.domain.model import DEFAULT_AGENT
from almario.errors import AlmarioError
from almario.wiring import choose_agent, unread_soul


@make_group(
    "agents",
    "List, rename, remove or restore agents.",
    "almario agents",
    "almario agents remove work",
    agent=False,
)
@flag("--trash", "List the removed ones.")
def command(call: CommandCall, trash: bool) -> None:
    opened = call.opened()
    if trash:
        gone = [{"id": item.id, "removed": item.at, "path": item.place} for item in opened.home.trash()]
        rows = [[str(value) for value in row.values()] for row in gone]
        heads = ["ID", _("Removed"), _("Folder")]
        call.give_table(gone, rows, heads=heads, if_empty=_("The trash is empty."))
        return
    try:
        chosen = choose_agent(opened, None).id
    except AlmarioError:
        chosen = ""
    every = opened.home.agents()
    named = zip(every, opened.names_of(every), strict=True)
    found = [(each.id, name, each.id == chosen, each.place) for each, name in named]
    if older := unread_soul(opened):
        found = [(DEFAULT_AGENT, older.name, True, str(older.root))]
        sentence = 'the soul in {root} ({files}) becomes the agent "{agent}" when it is first used'
        tell([Sentence(sentence, root=str(older.root), files=older.summary, agent=DEFAULT_AGENT)])
    value = [dict(zip(("id", "name", "default", "path"), row, strict=True)) for row in found]
    rows = [[id_, name, "*" if is_default else "", path] for id_, name, is_default, path in found]
    heads = ["ID", _("Name"), "", _("Folder")]
    call.give_table(value, rows, heads=heads, if_empty=_('No agent yet; "almario init" creates one.'))


@command.make("rename", "Change an agent's id.", "almario agents rename work office", as_json=False)
@click.argument("old", metavar="ID", shell_complete=agent_ids)
@click.argument("new_id", metavar=_("NEW-ID"))
def rename(call: CommandCall, old: str, new_id: str) -> None:
    agent = call.opened().home.rename(old, new_id)
    click.echo(_("{old} is now {new}, in {path}.", old=old, new=agent.id, path=agent.place))


@command.make(
    "remove",
    "Move an agent to the trash. A folder outside the home is only taken off the list.",
    "almario agents remove work",
    "almario agents restore work",
    as_json=False,
)
@click.argument("id_", metavar="ID", shell_complete=agent_ids)
def remove(call: CommandCall, id_: str) -> None:
    agent = call.opened().home.remove(id_)
    if agent.elsewhere:
        back = f"almario init --agent {agent.id} --path {quote(agent.place)}"
        sentence = '{id} is off the list; its folder {path} is untouched. "{back}" brings it back.'
    else:
        back = f"almario agents restore {agent.id}"
        sentence = '{id} is in the trash, {path}. "{back}" brings it back.'
    print_line(_(sentence, id=agent.id, path=agent.place, back=back))


@command.make("restore", "Bring a removed agent back.", "almario agents restore work", as_json=False)
@click.argument("id_", metavar="ID")
@takes("--as", "Bring it back under another id.", "new_id", metavar="ID")
def restore(call: CommandCall, id_: str, new_id: str | None) -> None:
    agent = call.opened().home.bring_back(id_, new=new_id)
    click.echo(_("{id} is back, in {path}.", id=agent.id, path=agent.place))
