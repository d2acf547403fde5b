"""`almario init`: the first agent."""

import click

from almario.apps.cli import words
from almario.apps.cli.common import agent_of, at_terminal, examples, home_of, print_json, standard
from almario.apps.cli.newcomer import ask, introduce, new_agent
from almario.apps.cli.words import _
from almario.domain.model import LANGUAGES, Persona
from almario.wiring import DEFAULT_AGENT


@click.command(
    "init",
    help=_("Make an agent with a starter soul. At a terminal it asks a few questions.")
    + "\n\n"
    + examples(
        "almario init",
        _('almario init --name Finny --emoji 🤖 --vibe "warm and brief" --language en --yes'),
        "almario init --agent work --path ~/notes/work-agent --yes",
    ),
)
@click.option("--name", default="", help=_("Its name."))
@click.option("--emoji", default="", help=_("Its emoji."))
@click.option("--vibe", default="", help=_("How it comes across, in a few words."))
@click.option("--language", type=click.Choice(LANGUAGES), help=_("The language of its soul."))
@click.option("--owner", default="", help=_("Your name."))
@click.option("--path", metavar=_("FOLDER"), help=_("Keep its folder here instead of in the home."))
@click.option("--yes", "-y", is_flag=True, help=_("Ask nothing."))
@standard()
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    emoji: str,
    vibe: str,
    language: str | None,
    owner: str,
    path: str | None,
    yes: bool,
    home: str | None,
    agent: str | None,
    as_json: bool,
) -> None:
    persona = Persona(language or words.current(), name, emoji, vibe, owner)
    if at_terminal() and not yes and not as_json:
        persona = ask(persona)
    soul = new_agent(home_of(ctx, home), agent_of(ctx, agent) or DEFAULT_AGENT, persona, path)
    if as_json:
        print_json({"id": soul.id, "name": soul.name, "path": str(soul.path)})
    else:
        introduce(soul)
