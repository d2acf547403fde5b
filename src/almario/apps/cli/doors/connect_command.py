"""`almario connect` and `almario disconnect`: giving other programs an agent's memory."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from almario import config
from almario.apps.cli import i18n
from almario.apps.cli.birth.newcomer import met, new_agent
from almario.apps.cli.common import CommandCall, agreed, flag, make_command, takes, tell
from almario.apps.cli.home.config_commands import tell_of_store
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_diff, print_line
from almario.apps.connecting.clients import CLIENTS, Client
from almario.apps.connecting.connections import (
    ConnectStep,
    Launch,
    Program,
    apply,
    connecting,
    copy_of,
    disconnecting,
    programs,
)
from almario.apps.daemon.units import this_program
from almario.domain.installing import to_install
from almario.domain.messages import Sentence
from almario.domain.model import DEFAULT_AGENT, Persona
from almario.errors import MissingExtra, SoulError
from almario.wiring import choose_agent

# The plug-in for Claude Code, Codex and Cursor, in the folder that they take for a marketplace.
PLUGINS = Path(__file__).parents[2] / "connecting" / "marketplace"
_ADD = "{path} has comments, or a form of its own, that Almario might lose. Add this to it yourself:"
_TAKE_OUT = (
    "{path} has comments, or a form of its own, that Almario might lose. Take this out of it yourself:"
)
_yes = flag("--yes", "Don't ask anything.", "-y")


@make_command(
    "connect",
    "Connect a program to your agent, so that it has its memory: hooks that remember without being asked, "
    "and MCP tools. Shows what will change and asks first. Without a program, lists all of them.",
    "almario connect",
    "almario connect claude-code",
    "almario connect codex --agent work",
    "almario connect cursor --no-hooks --yes",
)
@click.argument("client", required=False, type=click.Choice(list(CLIENTS)), metavar=_("[PROGRAM]"))
@takes("--mcp/--no-mcp", "Connect by MCP.", default=True)
@takes("--hooks/--no-hooks", "Connect by hooks, if the program has them.", default=None)
@flag("--plugin", "Print the folder with the plug-in for Claude Code, Codex and Cursor.")
@_yes
def connect(
    call: CommandCall, client: str | None, mcp: bool, hooks: bool | None, plugin: bool, yes: bool
) -> None:
    if plugin:
        call.give({"plugin": str(PLUGINS)}, str(PLUGINS))
        return
    if client is None:
        found = programs()
        rows = [
            [each.id, _("yes") if each.is_installed else "–", each.agent or "–", _connected(each)]
            for each in found
        ]
        call.give_table(found, rows, heads=[_("Program"), _("Installed"), _("Agent"), _("Connected")])
        return
    _check(CLIENTS[client], mcp=mcp, hooks=hooks)
    agent = _meant(call)
    line = Launch(this_program(), [*_home(call), "--agent", agent])
    steps = connecting(CLIENTS[client], line, mcp=mcp, hooks=hooks is not False)
    name = CLIENTS[client].name
    if not _agreed(call, steps, yes=yes):
        return
    if not call.login and not call.opened().home.agents(most=1):
        if yes:
            new_agent(call, call.agent or DEFAULT_AGENT, Persona(i18n.current()), None).close()
        else:
            met(call).close()
    _make(call, client, steps, is_connected=True)
    if not call.as_json and not _by_hand(steps):
        sentence = "{client} is connected to {agent}. Restart it if it is running."
        print_line(
            _(sentence if steps else "{client} is already connected to {agent}.", client=name, agent=agent)
        )
    if steps and (note := CLIENTS[client].note) and hooks is not False:
        tell([Sentence(note)])
    if not call.login:
        tell_of_store(call)


@make_command(
    "disconnect",
    'Take out of a program what "almario connect" put in. Shows what will change and asks first.',
    "almario disconnect claude-code",
    agent=False,
)
@click.argument("client", type=click.Choice(list(CLIENTS)), metavar=_("PROGRAM"))
@_yes
def disconnect(call: CommandCall, client: str, yes: bool) -> None:
    steps = disconnecting(CLIENTS[client])
    if not _agreed(call, steps, yes=yes):
        return
    _make(call, client, steps, is_connected=False)
    if not call.as_json and not _by_hand(steps):
        sentence = "{client} is disconnected." if steps else "{client} is not connected."
        print_line(_(sentence, client=CLIENTS[client].name))


def _check(client: Client, *, mcp: bool, hooks: bool | None) -> None:
    if hooks and not client.hooks:
        raise SoulError("{client} has no hooks; leave out --hooks", client=client.name)
    if not mcp and (hooks is False or not client.hooks):
        raise SoulError("there is nothing to connect without MCP and hooks")
    if mcp and not find_spec("mcp"):
        raise MissingExtra("mcp is not installed; run: {line}", line=to_install("almario[mcp]"))


def _meant(call: CommandCall) -> str:
    if login := call.login:
        return call.agent or login.agent
    opened = call.opened()
    return choose_agent(opened, call.agent).id if opened.home.agents(most=1) else call.agent or DEFAULT_AGENT


def _home(call: CommandCall) -> list[str]:
    """Return the option that names the home, unless it is where everybody looks."""
    home = config.home_path(call.home)
    return [] if home == config.home_path("~/.almario") else ["--home", str(home)]


def _agreed(call: CommandCall, steps: Sequence[ConnectStep], *, yes: bool) -> bool:
    ours = [step for step in steps if not step.by_hand]
    if not call.as_json:
        for step in ours:
            print_diff(step.diff())
    if yes or not ours or agreed(call, _("Change it?")):
        return True
    click.echo(_("Nothing was changed."))
    return False


def _make(call: CommandCall, client: str, steps: Sequence[ConnectStep], *, is_connected: bool) -> None:
    hand = _by_hand(steps)
    for step in steps:
        if step not in hand:
            apply(step)
            if step.keeps_copy and step.before is not None and not call.as_json:
                print_line(_("the file as it was: {path}", path=copy_of(step.path)), lead="  ", dim=True)
    outcome = {"client": client, "connected": is_connected and not hand}
    if not call.gave_json({**outcome, "by_hand": {str(step.path): step.by_hand for step in hand}}):
        for step in hand:
            print_line(_(_ADD if is_connected else _TAKE_OUT, path=step.path))
            click.echo(step.by_hand)
    if hand:
        click.get_current_context().exit(1)


def _by_hand(steps: Sequence[ConnectStep]) -> list[ConnectStep]:
    return [step for step in steps if step.by_hand]


def _connected(program: Program) -> str:
    if program.problem:
        return click.style(_(program.problem), fg="yellow")
    ways = ["MCP" if program.mcp else "", _("hooks") if program.hooks else ""]
    return " + ".join(filter(None, ways)) or "–"
