"""`almario meet`: who the agent is, and what to try next."""

import click

from almario.apps.cli import words
from almario.apps.cli.common import Call, at_terminal, helped, standard
from almario.apps.cli.newcomer import ask, introduce, new_agent
from almario.apps.cli.words import _
from almario.domain.model import Persona
from almario.wiring import DEFAULT_AGENT


@click.command(
    "meet",
    help=helped(
        _("Meet your agent: make the first one if there is none, and show who it is and what to try next."),
        "almario meet",
    ),
)
@standard(as_json=False)
def command(call: Call) -> None:
    if call.opened().home.agents():
        introduce(call.soul())
        return
    persona = Persona(words.current())
    if at_terminal():
        click.echo(
            _("There is no agent here yet. Let us make one; Enter takes what stands in brackets.") + "\n"
        )
        persona = ask(persona)
    introduce(new_agent(call.home, call.agent or DEFAULT_AGENT, persona, None))
