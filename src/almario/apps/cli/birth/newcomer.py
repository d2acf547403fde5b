"""A new agent at the terminal: what is asked, how it is made, and its card."""

import os
import sys
from collections.abc import Callable
from functools import update_wrapper
from shutil import which
from typing import Any

import click

from almario.apps.cli import i18n
from almario.apps.cli.common import Call, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_line, print_table
from almario.domain.documents.goal_list import PRIORITIES
from almario.domain.model import DEFAULT_AGENT, LANGUAGES, STARTER_EMOJI, STARTER_NAME, Persona
from almario.errors import AgentNotFound
from almario.soul import Soul
from almario.wiring import choose_agent, create_soul


def persona_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that describe a new agent; it receives them as a Persona."""

    def run(call: Call, /, *, language: str | None, **given: Any) -> None:
        said = {name: given.pop(name) for name in ("name", "emoji", "vibe", "owner")}
        function(call, Persona(language or i18n.current(), **said), **given)

    options = [
        click.option("--name", default="", help=_("Its name.")),
        click.option("--emoji", default="", help=_("Its emoji.")),
        click.option("--vibe", default="", help=_("How it comes across, in a few words.")),
        click.option("--language", type=click.Choice(LANGUAGES), help=_("The language of its soul.")),
        click.option("--owner", default="", help=_("Your name.")),
        click.option(
            "--path",
            metavar=_("FOLDER"),
            help=_("Keep its folder here; one that holds a soul already is taken as it is."),
        ),
    ]
    command: Callable[..., None] = update_wrapper(run, function)
    for option in reversed(options):
        command = option(command)
    return command


def met(call: Call) -> Soul:
    """Open the agent that is meant; if there is none, make the first one (at a terminal, ask how)."""
    agents = call.opened().home.agents()
    if agents:
        return _meant(call, first=agents[0].id)
    persona = Persona(i18n.current())
    if at_terminal():
        click.echo(
            _("There is no agent here yet. Let us make one; Enter takes what stands in brackets.") + "\n"
        )
        persona = ask(persona)
    return new_agent(call, call.agent or DEFAULT_AGENT, persona, None)


def _meant(call: Call, *, first: str) -> Soul:
    """Open the agent that is meant; of several and no word about which, the first."""
    try:
        return call.soul()
    except AgentNotFound:
        if call.agent or call.settings.get("agent"):
            raise
        return call._replace(agent=first).soul()


def new_agent(call: Call, agent: str, persona: Persona, path: str | None) -> Soul:
    """Make an agent, and tell what opening its home did."""
    soul = create_soul(call.home, agent, persona=persona, path=path, settings=call.settings)
    tell(soul.told)
    return soul


def ask(given: Persona) -> Persona:
    """Ask for what was not given; Enter takes our own choice."""
    blank = Persona()
    language = given.language
    if i18n.current() == language:
        language = click.prompt(_("Language of its soul"), default=language, type=click.Choice(LANGUAGES))
    return Persona(
        language,
        given.name or click.prompt(_("What is your agent called?"), default=STARTER_NAME),
        given.emoji or click.prompt(_("Its emoji"), default=STARTER_EMOJI),
        given.vibe
        or click.prompt(
            _("How should it come across? (Enter: calm, curious and dry)"),
            default=blank.vibe,
            show_default=False,
        ),
        given.owner
        or click.prompt(
            _("And what is your name? (Enter: not now)"), default=blank.owner, show_default=False
        ),
    )


def introduce(soul: Soul, call: Call) -> None:
    """Print an agent's card."""
    title = " ".join(part for part in (soul.identity("emoji"), click.style(soul.name, bold=True)) if part)
    vibe = soul.identity("vibe")
    click.echo(f"\n  {title}" + (f" · {vibe}" if vibe else ""))
    click.secho(f"  {soul.path}\n", dim=True)
    active = [goal for goal in soul.goals.all() if not goal.done]
    if active:
        click.echo("  " + _("What it wants:"))
        for goal in active[:3]:
            print_line(goal.text, lead=f"    {PRIORITIES[goal.priority]} ")
        click.echo()
    click.echo("  " + _("Try next:"))
    tries = [
        ("chat", _("talk with it")),
        ("soul edit SOUL", _("change who it is, in your editor")),
        (f'goals add "{_("Learn to cook rice")}"', _("give it a goal")),
        (f'remember "{_("job: I design bridges")}"', _("tell it something to keep")),
        (f'recall "{_("what is my job?")}"', _("ask it what it knows")),
        (f'log "{_("We met today.")}"', _("write in today's log")),
        ("prompt --explain", _("see what a model would be told")),
        ("soul history SOUL", _("see every version, and go back")),
    ]
    program = _program() + _meaning(soul, call)
    rows = [["    " + click.style(f"{program} {line}", fg="cyan"), why] for line, why in tries]
    print_table(rows, heads=["", ""])
    click.echo()


def _meaning(soul: Soul, call: Call) -> str:
    """Return the option that an agent needs to be meant; nothing if it is meant without."""
    try:
        chosen = choose_agent(call.opened(), None).id
    except AgentNotFound:
        chosen = ""
    return "" if chosen == soul.id else f" --agent {soul.id}"


def _program() -> str:
    """Return how the command is called from here: a checkout's own is not on the PATH."""
    if which("almario") or not os.access(sys.argv[0], os.X_OK):
        return "almario"
    return os.path.relpath(sys.argv[0])
