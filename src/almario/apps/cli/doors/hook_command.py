"""`almario hook`: what a coding agent calls while its owner works with it."""

import sys

import click

from almario.apps.cli.common import CommandCall, make_command, takes
from almario.apps.cli.i18n import _
from almario.apps.connecting.clients import HOOKED
from almario.apps.hooks import EVENTS, HookQuestion
from almario.apps.hooks.entry import answer
from almario.errors import SoulError


@make_command(
    "hook",
    "Answer a hook of a coding agent (Claude Code, Codex or Cursor), which runs this command with JSON on "
    "standard input. The model is told who your agent is and what comes to mind, and what you and the model "
    "say is kept and learned from. If something goes wrong, the coding agent is not held up: nothing is "
    'printed, and "almario doctor" says why.',
    "almario hook session-start",
    "almario hook user-prompt --client codex",
    as_json=False,
)
@click.argument("event", type=click.Choice(EVENTS), metavar=_("EVENT"))
@takes("--client", "Which coding agent runs it (default: detected).", type=click.Choice([*HOOKED]))
def command(call: CommandCall, event: str, client: str | None) -> None:
    if sys.stdin is None or sys.stdin.isatty():
        raise SoulError("coding agents run this command, with JSON on standard input")
    answer(HookQuestion(event, call.home, call.agent, client or ""))
