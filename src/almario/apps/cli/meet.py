"""`almario meet`: who the agent is, and what to try next."""

from dataclasses import replace

import click

from almario.apps.cli import words
from almario.apps.cli.common import Call, at_terminal, helped, standard
from almario.apps.cli.newcomer import ask, introduce, new_agent
from almario.apps.cli.words import _
from almario.domain.model import DEFAULT_AGENT, Persona
from almario.errors import AgentNotFound
from almario.soul import Soul


@click.command(
    "meet",
    help=helped(
        _("Meet your agent: make the first one if there is none, and show who it is and what to try next."),
        "almario meet",
    ),
)
@standard(as_json=False)
def command(call: Call) -> None:
    agents = call.opened().home.agents()
    if agents:
        introduce(_meant(call, first=agents[0].id))
        return
    persona = Persona(words.current())
    if at_terminal():
        click.echo(
            _("There is no agent here yet. Let us make one; Enter takes what stands in brackets.") + "\n"
        )
        persona = ask(persona)
    introduce(new_agent(call, call.agent or DEFAULT_AGENT, persona, None))


def _meant(call: Call, *, first: str) -> Soul:
    """Open the agent that is meant; of several and no word about which, the first."""
    try:
        return call.soul()
    except AgentNotFound:
        if call.agent or call.settings.get("agent"):
            raise
        return replace(call, agent=first).soul()
