"""What the commands share: their options, the agent they mean, and what they ask and read."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import tzinfo
from functools import update_wrapper
from pathlib import Path
from typing import Any, NamedTuple

import click

from almario import config
from almario.apps.cli import i18n
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_line
from almario.apps.cli.progress import Bar
from almario.domain.lazy_regex import regex
from almario.domain.messages import Sentence, say, sentence_of
from almario.domain.model import MODES, SOUL_FILES
from almario.domain.turns import DEFAULT_SESSION
from almario.errors import AgentNotFound, AlmarioError, SoulError
from almario.soul import Soul
from almario.wiring import Opened, check_named, choose_agent, listed_agents, open_home, open_soul

Command = Callable[..., None]

# The commands that can be typed in the chat too, as sentences name them.
_OF_CHAT = regex(
    r'"almario (?:memory (?=why|undo|as-of|share|unshare)|proposals (?=accept|reject)|'
    r"(?=(?:memory|goals|remember|recall|forget|reflect|improve|prompt|proposals|sessions|people|cost)\b))"
)
# A bar is shown for work on at least so many files or journal lines that nobody asked for.
LONG = 100


class InOrder(click.Group):
    """Lists its commands in the order they are written in."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class Call(NamedTuple):
    """One call of a command: where it works, and how it answers."""

    home: str | None
    agent: str | None
    as_json: bool
    settings: Mapping[str, Any]

    def opened(self) -> Opened:
        """Open the home."""
        return open_home(self.home, settings=self.settings)

    def configured(self) -> config.Config:
        """Return the settings of the agent that is meant, or of the home if it has none yet."""
        opened = self.opened()
        try:
            return opened.configured(choose_agent(opened, self.agent).path)
        except AgentNotFound:
            if self.agent:
                raise
            return opened.config

    def soul(self) -> Soul:
        """Return the agent that is meant: the chat's, or else one that is open until the command ends."""
        if soul := in_chat():
            return soul
        context = click.get_current_context()
        progress = context.with_resource(Bar(_("Reading memory"), least=LONG))
        soul = open_soul(self.home, self.agent, settings=self.settings, progress=progress, at_once=False)
        tell(soul.told)
        return context.with_resource(left_in_order(soul))

    def settings_for(self, soul: Soul) -> config.Settings:
        """Return the settings in force for an agent."""
        return config.load(config.home_path(self.home), soul.path, arguments=self.settings).settings


def in_chat() -> Soul | None:
    """Return the soul that the chat has open, if we are in one."""
    context = click.get_current_context(silent=True)
    return context.find_object(Soul) if context else None


def typed(line: str) -> str:
    """Return how a command is typed where we are: `almario memory undo 3`, or `/undo 3` in the chat."""
    return as_typed(f'"almario {line}"').strip('"')


def as_typed(sentence: str) -> str:
    """Return a sentence with the commands in it as they are typed where we are."""
    return _OF_CHAT.sub('"/', sentence) if in_chat() else sentence


def owners_zone(ctx: click.Context | None) -> tzinfo:
    """Return the owner's time zone: the open agent's, or that of the home's settings."""
    if soul := in_chat():
        return soul.zone
    return config.zone(config.load(config.home_path(_given(ctx, "home") if ctx else None)))


@contextmanager
def left_in_order(soul: Soul) -> Iterator[Soul]:
    """Let MEMORY.md show what a command changed; if that fails, the next one does it."""
    yield soul
    try:
        told = soul.finish()
    except AlmarioError as exc:
        told = [sentence_of(exc)]
    before = {str(sentence) for sentence in soul.told}
    tell([sentence for sentence in told if str(sentence) not in before])


def standard(
    *, agent: bool = True, as_json: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command `--home`, `--agent` and `--json`; it receives them as its first argument, a Call."""
    folder_help = _("The folder with all agents (default: ~/.almario).")
    options = [click.option("--home", metavar=_("FOLDER"), help=folder_help)]
    if agent:
        agent_help = _("Which agent to use.")
        options.append(click.option("--agent", metavar="ID", help=agent_help, shell_complete=agent_ids))
    if as_json:
        options.append(click.option("--json", "as_json", is_flag=True, help=_("Print JSON.")))

    def decorate(function: Command) -> Command:
        @click.pass_context
        def run(ctx: click.Context, /, **given: Any) -> None:
            own = {name: value for name, value in given.items() if name not in ("home", "agent", "as_json")}
            settings = dict(config.parsed_argument(text) for text in _given(ctx, "settings") or ())
            check_named(agent := _given(ctx, "agent"))
            call = Call(_given(ctx, "home"), agent, bool(_given(ctx, "as_json")), settings)
            function(call, **own)

        command: Command = update_wrapper(run, function)
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _given(ctx: click.Context, name: str) -> Any:
    """Return an option's value as it was given nearest to the command."""
    here: click.Context | None = ctx
    while here is not None:
        if (given := here.params.get(name)) not in (None, False, ()):
            return given
        here = here.parent
    return None


def in_session(function: Command) -> Command:
    """Give a command `--session` and `--mode`: where it talks, and as what."""
    session_help, mode_help = _("Which conversation to continue."), _("What the prompt is for.")
    modes = click.option("--mode", type=click.Choice(MODES), help=mode_help)
    sessions = click.option(
        "--session", default=DEFAULT_SESSION, show_default=True, metavar=_("KEY"), help=session_help
    )
    command: Command = sessions(modes(function))
    return command


def told_in(function: Command) -> Command:
    """Give a command `--for`: the session whose people are told."""
    sentence = _("Only what those present in this session may hear.")
    option = click.option("--for", "session", metavar=_("SESSION"), help=sentence)
    command: Command = option(function)
    return command


def need_session(soul: Soul, key: str | None) -> None:
    """Raise SoulError if nothing is known of a session: whoever mistypes one is not to be told everything."""
    known = {place.session for place in soul.presence.places()} if key else set()
    if key == "" or (key and key not in known and not soul.sessions.turns(key, last=1)):
        raise SoulError('there is no session "{key}"; "almario sessions" lists them', key=key)


def helped(sentence: str, *lines: str) -> str:
    """Return a command's help: what it does, and examples, each on its own line."""
    return f"{sentence}\n\n\b\n{_('Examples:')}\n" + "\n".join(f"  {line}" for line in lines)


def tell(sentences: Sequence[Sentence]) -> None:
    """Say on standard error what was done unasked."""
    for sentence in sentences:
        print_line(say(i18n.current(), sentence), lead="· ", dim=True, err=True)


def ask(question: str) -> bool:
    """Ask a question whose answer is no unless it is yes, in either language."""
    answer = str(click.prompt(f"{question} {_('[y/N]')}", default="", show_default=False))
    return answer.strip().lower() in ("y", "yes", "s", "sí", "si")


def choose(question: str, choices: Sequence[str]) -> str:
    """Return the choice that was made, by its beginning; the last one for anything else, also for Ctrl-C."""
    try:
        said = str(click.prompt(question, default=choices[-1], show_default=False)).strip().lower()
    except click.Abort:
        click.echo()
        return choices[-1]
    return next((choice for choice in choices if said and choice.lower().startswith(said)), choices[-1])


# What `content_of` and `text_of` read.
from_source = click.option(
    "--from",
    "source",
    type=click.Path(allow_dash=True),
    metavar=_("FILE"),
    help=_("Read the text from this file; - for a pipe."),
)


def content_of(source: str) -> bytes:
    """Read a file, or standard input for `-`."""
    if source != "-":
        return Path(source).read_bytes()
    if sys.stdin is None:
        raise SoulError("standard input is closed, so there is nothing to read")
    return sys.stdin.buffer.read()


def text_of(source: str) -> str:
    """Read a file of text, or standard input for `-`."""
    try:
        return content_of(source).decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        name = _("standard input") if source == "-" else source
        raise SoulError("{file} is not UTF-8 text; save it as UTF-8", file=name) from exc


class SoulFile(click.ParamType[str]):
    """A soul file's name, in any case, with or without `.md`."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["click.shell_completion.CompletionItem"]:
        names = [name for name in SOUL_FILES if name.lower().startswith(incomplete.lower())]
        return [click.shell_completion.CompletionItem(name) for name in names]


def agent_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete an agent's id, touching nothing."""
    try:
        return [agent.id for agent in listed_agents(_given(ctx, "home")) if agent.id.startswith(incomplete)]
    except AlmarioError:
        return []
