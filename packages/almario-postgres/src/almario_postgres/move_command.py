"""`almario move`: an agent from a folder to a database, or back."""

import click

from almario.apps.cli.common import CommandCall, agent_ids, ask, flag, make_command, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_line
from almario.config import DEFAULT, HOME_FILE
from almario_postgres.moves import FOLDER, Moved, look_there, move

# So many agents that are left are counted.
_MOST = 100


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
@flag("--yes", "Let commands look there from now on, without asking.")
def command(call: CommandCall, id_: str, to: str, new: str | None, only_try: bool, yes: bool) -> None:
    done = move(id_, to=to, new=new, only_try=only_try, home=call.home, settings=call.settings)
    call.give(done, *_lines(done))
    if done.is_moved:
        line = _looking_there(call, done, to, yes=yes)
        if not call.as_json:
            print_line(line)


def _looking_there(call: CommandCall, done: Moved, to: str, *, yes: bool) -> str:
    """Let commands look where the agent is now, if its owner wants that; say whether they do."""
    opened = call.opened()
    origin = opened.config.origins["store"]
    if origin not in (DEFAULT, HOME_FILE):
        sentence = "{origin} says where commands look for agents: change that, or they do not find {id}"
        return _(sentence, origin=origin, id=done.id)
    count = len(opened.home.agents(most=_MOST))
    question = "Shall commands look for agents in {place} from now on (store in almario.toml)?"
    question = _(question, place=done.place)
    if count:
        sentence = "Commands look in one place, and {count} more are still in {source}."
        question = f"{_(sentence, count=count, source=opened.home.place)} {question}"
    if yes or (at_terminal() and not call.as_json and ask(question, default=not count)):
        address = look_there(to, home=call.home, settings=call.settings)
        return _("store is {store} now", store=address or _("a folder"))
    sentence = "until store says so, {id} is not found here, and what it is told by hooks waits: {command}"
    setting = "unset store" if to == FOLDER else "set store postgres://…"
    return _(sentence, id=done.id, command=f"almario config {setting}")


def _lines(done: Moved) -> list[str]:
    facts = {"id": done.id, "place": done.place, "count": done.things}
    if not done.is_moved:
        sentence = "{id} can be moved to {place}: its copy there ({count} things) is the same"
        return [_(sentence, **facts)]
    return [
        _("{id} is in {place} now; the copy is the same, byte by byte", **facts),
        _("what is left is in the trash, {trash}", trash=done.trash),
    ]
