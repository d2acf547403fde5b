"""`almario move`: an agent from a folder to a database, or back."""

import click

from almario.apps.cli.common import CommandCall, agent_ids, flag, make_command, takes
from almario.apps.cli.i18n import _
from almario_postgres.moves import FOLDER, Moved, move


@make_command(
    "move",
    "Move an agent to a database, or from one to a folder. It stays in use until its copy holds "
    "the same, byte by byte; what is left goes to the trash. A move that was stopped goes on where "
    "it was.",
    "almario move work --to postgres://localhost/almario",
    "almario move work --to folder",
    "almario move work --to postgres://localhost/almario --as office --check",
    agent=False,
)
@click.argument("id_", metavar="ID", shell_complete=agent_ids)
@takes("--to", "postgres://…, or folder.", required=True, metavar=_("PLACE"))
@takes("--as", "Its id there.", "new", metavar="ID")
@flag("--check", "Copy and compare, and leave the agent where it is.", "only_try")
def command(call: CommandCall, id_: str, to: str, new: str | None, only_try: bool) -> None:
    done = move(id_, to=to, new=new, only_try=only_try, home=call.home, settings=call.settings)
    call.give(done, *_lines(done, to))


def _lines(done: Moved, to: str) -> list[str]:
    facts = {"id": done.id, "place": done.place, "count": done.things}
    if not done.is_moved:
        sentence = "{id} can be moved to {place}: its copy there ({count} things) is the same"
        return [_(sentence, **facts)]
    setting = "unset store" if to == FOLDER else "set store postgres://…"
    return [
        _("{id} is in {place} now; the copy is the same, byte by byte", **facts),
        _("what is left is in the trash, {trash}", trash=done.trash),
        _(
            'commands look where the setting "store" says; "{command}" changes it',
            command=f"almario config {setting}",
        ),
    ]
