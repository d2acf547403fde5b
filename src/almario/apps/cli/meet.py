"""`almario meet`: who the agent is, and what to try next."""

import click

from almario.apps.cli import words
from almario.apps.cli.common import (
    agent_of,
    at_terminal,
    examples,
    home_of,
    opened_home,
    opened_soul,
    standard,
)
from almario.apps.cli.newcomer import ask, introduce, new_agent
from almario.apps.cli.words import _
from almario.domain.model import Persona
from almario.wiring import DEFAULT_AGENT


@click.command(
    "meet",
    help=_("Meet your agent: make the first one if there is none, and show who it is and what to try next.")
    + "\n\n"
    + examples("almario meet"),
)
@standard(as_json=False)
@click.pass_context
def command(ctx: click.Context, home: str | None, agent: str | None) -> None:
    if opened_home(ctx, home).home.agents():
        introduce(opened_soul(ctx, home, agent))
        return
    persona = Persona(words.current())
    if at_terminal():
        click.echo(
            _("There is no agent here yet. Let us make one; Enter takes what stands in brackets.") + "\n"
        )
        persona = ask(persona)
    introduce(new_agent(home_of(ctx, home), agent_of(ctx, agent) or DEFAULT_AGENT, persona, None))
