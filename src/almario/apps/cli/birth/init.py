"""`almario init`: the first agent."""

import click

from almario.apps.cli.birth.newcomer import ask, introduce, new_agent, persona_options
from almario.apps.cli.common import Call, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_json
from almario.domain.model import DEFAULT_AGENT, Persona


@click.command(
    "init",
    help=helped(
        _("Create an agent with a starter soul. In a terminal it asks a few questions."),
        "almario init",
        _('almario init --name Finny --emoji 🤖 --vibe "warm and brief" --language en --yes'),
        "almario init --agent work --path ~/notes/work-agent --yes",
    ),
)
@standard()
@persona_options
@click.option("--yes", "-y", is_flag=True, help=_("Don't ask anything."))
def command(call: Call, persona: Persona, path: str | None, yes: bool) -> None:
    if at_terminal() and not yes and not call.as_json:
        persona = ask(persona)
    soul = new_agent(call, call.agent or DEFAULT_AGENT, persona, path)
    if call.as_json:
        print_json({"id": soul.id, "name": soul.name, "path": str(soul.path)})
    else:
        introduce(soul, call)
