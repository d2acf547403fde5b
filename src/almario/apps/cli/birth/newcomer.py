"""`almario meet` and `almario init`: what is asked of a new agent's owner, how it is made, and its card."""

import re
from contextlib import suppress
from functools import partial
from unicodedata import category

import click

from almario.apps.cli import common, i18n
from almario.apps.cli.common import CommandCall, flag, make_command, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal, print_line, print_table
from almario.domain.documents.goal_list import PRIORITIES
from almario.domain.messages import LANGUAGES, CommandLine
from almario.domain.model import DEFAULT_AGENT, STARTER_EMOJI, STARTER_NAME, Persona
from almario.domain.plain_text import regex
from almario.errors import AgentNotFound, SoulError
from almario.soul import Soul
from almario.wiring import choose_agent, create_soul, unread_soul
from almario.wiring.remembering import unpack_meanwhile

_BACK = "<"
# Whoever is asked for their name and says so would rather not tell it now.
_NOBODY = ("yes", "no", "sí", "si", "y", "n", "s")
_STARTER = f"{STARTER_NAME} {STARTER_EMOJI}"
_TELLS_NAME = regex(r"^(?:my name is|i'm|i am|me llamo|mi nombre es|soy)\s+", re.IGNORECASE)
# An emoji may be several signs: pictures, skin tones, joiners and variants, all beyond these letters.
_EMOJI = ("So", "Sk", "Cf", "Mn", "Me")
_LAST_LETTERS = 0x2000


def met(call: CommandCall) -> Soul:
    """Open the agent that is meant; if there is none, make the first one (at a terminal, ask how)."""
    if call.login:
        return call.soul()
    agents = call.opened().home.agents(most=1)
    if agents:
        return _meant(call, first=agents[0].id)
    persona = Persona(i18n.current())
    if at_terminal():
        print_line(
            _(
                "There is no agent here yet, so let's create one. "
                "Press Enter to accept a default, type < to go back, or Ctrl-D to skip the questions."
            )
        )
        click.echo()
        return _interviewed(call, persona, None)
    return new_agent(call, call.agent or DEFAULT_AGENT, persona, None)


def _meant(call: CommandCall, *, first: str) -> Soul:
    """Open the agent that is meant; of several and no word about which, the first."""
    try:
        return call.soul()
    except AgentNotFound:
        if call.agent or call.settings.get("agent"):
            raise
        return call._replace(agent=first).soul()


def _interviewed(call: CommandCall, persona: Persona, path: str | None) -> Soul:
    """Make an agent as its owner wants it: the one whose soul lies in the home unread, or a new one."""
    if unpacking := unpack_meanwhile(call.configured().settings.embedder):
        print_line(_(unpacking), lead="· ", dim=True)
    older = None if path else unread_soul(call.opened(), persona.name)
    if older:
        print_line(
            _("There is a soul in {root} already: {files}.", root=str(older.root), files=older.summary)
        )
        name = older.name or _("it")
        if common.ask(_("Shall {name} be your agent, as it is?", name=name), default=True):
            return new_agent(call, call.agent or DEFAULT_AGENT, persona, None)
    return new_agent(call, call.agent or DEFAULT_AGENT, ask(persona), path, adopt=False)


def new_agent(
    call: CommandCall, agent: str, persona: Persona, path: str | None, *, adopt: bool = True
) -> Soul:
    """Make an agent, and tell what opening its home did."""
    soul = create_soul(call.home, agent, persona=persona, path=path, settings=call.settings, adopt=adopt)
    tell(soul.notices)
    return soul


def ask(given: Persona) -> Persona:
    """Ask for what was not given. Enter takes our own choice; Ctrl-D takes it for all that is left.

    `<` goes back to the question before, where Enter keeps what was said.
    """
    questions = {
        "name": _("What should your agent be called? You can add an emoji [{name}]", name=_STARTER),
        "vibe": _("How should it come across? [calm, curious and dry]"),
        "owner": _("What is your name? [not now]"),
    }
    answers: dict[str, str] = {}
    open_ones = [field for field in questions if not getattr(given, field)]
    place = 0
    try:
        while place < len(open_ones):
            field = open_ones[place]
            before = answers.get(field, "")
            question = f"{questions[field]} ({before})" if before else questions[field]
            answer = str(click.prompt(question, default=before, show_default=False)).strip()
            if answer == _BACK:
                place = max(place - 1, 0)
            elif answer.endswith("?"):
                print_line(_("You can ask that in a moment, in the chat. First this:"))
            elif field == "owner" and answer.lower() in _NOBODY:
                place += 1
            else:
                answers[field] = _bare_name(answer) if field == "owner" else answer
                place += 1
    except click.Abort as exc:
        if not isinstance(exc.__context__, EOFError):  # Ctrl-C
            raise
        click.echo()
    if "name" in answers:
        answers["name"], emoji = parted(answers["name"])
        answers["emoji"] = given.emoji or emoji
    return given._replace(**answers)


def _bare_name(answer: str) -> str:
    """Return the name of an answer such as "my name is Ana"; of another, all of it."""
    return _TELLS_NAME.sub("", answer)


def parted(text: str) -> tuple[str, str]:
    """Return the words and the emoji of a text."""
    signs = [sign for sign in text if ord(sign) > _LAST_LETTERS and category(sign) in _EMOJI]
    if not any(category(sign) == "So" for sign in signs):
        return text, ""
    return " ".join("".join(sign for sign in text if sign not in signs).split()), "".join(signs)


def title(soul: Soul) -> str:
    """Return an agent's emoji, name and vibe in one line."""
    name = " ".join(filter(None, (soul.identity("emoji"), click.style(soul.name, bold=True))))
    return " · ".join(filter(None, (name, soul.identity("vibe"))))


def speak_as(soul: Soul, call: CommandCall) -> None:
    """Speak the language of an agent's settings here, as its answers do, whatever the terminal's is."""
    language = "" if call.login else call.config_for(soul).settings.language
    if language in LANGUAGES and language != i18n.current():
        click.get_current_context().call_on_close(partial(i18n.use, i18n.current()))
        i18n.use(language)


def introduce(soul: Soul, call: CommandCall) -> None:
    """Print an agent's card, in its language."""
    speak_as(soul, call)
    click.echo(f"\n  {title(soul)}")
    click.secho(f"  {soul.place}\n", dim=True)
    active = [goal for goal in soul.goals.list() if not goal.done]
    if active:
        click.echo("  " + _("What it wants:"))
        for goal in active[:3]:
            print_line(goal.text, lead=f"    {PRIORITIES[goal.priority]} ")
        click.echo()
    click.echo("  " + _("Try next:"))
    tries = [
        ("chat", _("chat with it")),
        ("soul edit SOUL", _("change who it is, in your editor")),
        (f'remember "{_("job: I design bridges")}"', _("tell it something to keep")),
        (f'recall "{_("what is my job?")}"', _("ask it what it knows")),
        ("serve", _("look at it in a browser")),
    ]
    called = i18n.program() + _meaning(soul, call)
    rows = [["    " + click.style(f"{called} {line}", fg="cyan"), why] for line, why in tries]
    print_table(rows, heads=["", ""])
    click.echo()


def _meaning(soul: Soul, call: CommandCall) -> str:
    try:
        chosen = choose_agent(call.opened(), None).id
    except AgentNotFound:
        chosen = ""
    return "" if chosen == soul.id else f" --agent {soul.id}"


@make_command(
    "meet",
    "Meet your agent: who it is and what to try next. Creates the first one if there is none.",
    "almario meet",
    as_json=False,
)
def meet(call: CommandCall) -> None:
    introduce(met(call), call)


@make_command(
    "init",
    "Create an agent with a starter soul: the first, or with --agent another. In a terminal it asks a few "
    "questions.",
    "almario init",
    "almario init Alma",
    _('almario init --name Finny --emoji 🤖 --vibe "warm and brief" --language en --yes'),
    "almario init --agent work --path ~/notes/work-agent --yes",
)
@click.argument("called", required=False, default="", metavar=_("[NAME]"))
@takes("--name", "Its name.", default="")
@takes("--emoji", "Its emoji.", default="")
@takes("--vibe", "How it comes across, in a few words.", default="")
@takes("--language", "The language of its soul.", type=click.Choice(LANGUAGES))
@takes("--owner", "Your name.", default="")
@takes(
    "--path",
    "Where to keep its folder; a folder that already holds a soul is used as it is.",
    metavar=_("FOLDER"),
)
@flag("--yes", "Don't ask anything.", "-y")
def init(
    call: CommandCall, called: str, name: str, language: str | None, path: str | None, yes: bool, **more: str
) -> None:
    if called and name not in ("", called):
        raise SoulError("it can have one name only: {called} or {name}", called=called, name=name)
    with suppress(AgentNotFound):
        there = call.opened().home.agent(call.agent or DEFAULT_AGENT)
        another = CommandLine("almario init --agent ID")
        raise SoulError(
            'there is already an agent "{id}"; "{init}" creates another', id=there.id, init=another
        )
    persona = Persona(language or i18n.current(), called or name, **more)
    if at_terminal() and not yes and not call.as_json:
        soul = _interviewed(call, persona, path)
    else:
        by_id = call.agent.capitalize() if call.agent else ""
        named = persona._replace(name=persona.name or by_id)
        soul = new_agent(call, call.agent or DEFAULT_AGENT, named, path)
    if not call.gave_json({"id": soul.id, "name": soul.name, "path": soul.place}):
        introduce(soul, call)
