"""`almario hook`: what a coding agent calls while its owner works with it."""

import sys

import click

from almario.apps.cli.common import Call, make_command, takes
from almario.apps.cli.i18n import _
from almario.apps.hooks.clients import CLIENTS, EVENTS, Event
from almario.apps.hooks.hooking import Asked, answer
from almario.errors import SoulError


@make_command(
    "hook",
    "Answer a hook of a coding agent (Claude Code, Codex, Cursor), which gives its JSON on standard "
    "input. It tells the model who your agent is and what comes to mind, keeps what you and the model say, "
    "and learns from it. It never holds up the program that calls it: if something goes wrong, it says "
    'nothing, and "almario doctor" says why.',
    "almario hook session-start < hook.json",
    "almario hook user-prompt --client codex < hook.json",
    as_json=False,
)
@click.argument("event", type=click.Choice(EVENTS), metavar=_("EVENT"))
@takes("--client", "Which program calls (default: by what it says).", type=click.Choice(CLIENTS), default="")
def command(call: Call, event: Event, client: str) -> None:
    if sys.stdin is None or sys.stdin.isatty():
        raise SoulError("a hook reads a client's JSON from standard input; this is for programs")
    answer(Asked(event, call.home, call.agent, client))
