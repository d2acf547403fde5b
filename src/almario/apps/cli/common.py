"""What the commands share: their options, the agent they mean, and what they ask and read."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial, update_wrapper
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from almario import config
from almario.apps.cli import i18n
from almario.apps.cli.command_table import AWAY
from almario.apps.cli.i18n import _
from almario.apps.cli.plugged import check_installed, names_in, of_plugin
from almario.apps.cli.printing import ProgressBar, at_terminal, print_json, print_line, print_table
from almario.domain.late import Late
from almario.domain.messages import CommandLine, Sentence, sentence_of
from almario.errors import AgentNotFound, AlmarioError, SoulError, StoreError
from almario.named_tuples import NamedTuple
from almario.served import Login
from almario.soul import Soul
from almario.wiring import (
    Opened,
    check_named,
    choose_agent,
    listed_agents,
    open_home,
    open_soul,
)
from almario.wiring.logins import deliver, login_of, take_refusal

Command = Callable[..., None]
Made = TypeVar("Made", bound=click.Command)

# A bar is shown for work on at least so many files or journal lines that nobody asked for.
LONG = 100


class CommandCall(NamedTuple):
    """One call of a command: where it works, and how it answers."""

    home: str | None
    agent: str | None
    as_json: bool
    settings: Mapping[str, Any]

    @property
    def login(self) -> Login | None:
        """The server that is asked in the place of the home, if there is one."""
        return login_of(self.home)

    def need_home(self) -> None:
        """Refuse what can be done only where the home is kept."""
        if login := self.login:
            from almario.client.stand_in import only_there  # noqa: PLC0415 - for who is logged in

            raise only_there(login.url)

    def opened(self) -> Opened:
        """Open the home."""
        self.need_home()
        return open_home(self.home, settings=self.settings)

    def configured(self) -> config.Config:
        """Return the settings of the agent that is meant, or of the home if none can be found."""
        opened = self.opened()
        try:
            return opened.configured(choose_agent(opened, self.agent))
        except (AgentNotFound, StoreError):
            if self.agent:
                raise
            return opened.config

    def soul(self) -> Soul:
        """Return the agent that is meant: the chat's, or else one that is open until the command ends."""
        if soul := in_chat():
            return soul
        context = click.get_current_context()
        if login := self.login:
            if self.settings:
                self.need_home()
            return context.with_resource(_away(config.home_path(self.home), login, self.agent))
        progress = context.with_resource(ProgressBar(_("Reading memory"), least=LONG))
        soul = open_soul(self.home, self.agent, settings=self.settings, progress=progress, at_once=False)
        tell(soul.notices)
        return context.with_resource(left_in_order(soul))

    def gave_json(self, value: Any) -> bool:
        """Print a value if JSON is wanted, and say whether it is."""
        if self.as_json:
            print_json(value)
        return self.as_json

    def give(self, value: Any, *lines: str) -> None:
        """Print a value as JSON, or else these lines."""
        if not self.gave_json(value):
            for line in lines:
                print_line(line)

    def give_table(
        self, value: Any, rows: Sequence[Sequence[str]], *, heads: Sequence[str], if_empty: str = ""
    ) -> None:
        """Print a value as JSON, or else rows in columns, or the sentence *if_empty* if there are none."""
        if self.gave_json(value):
            return
        if rows or not if_empty:
            print_table(rows, heads=heads)
        else:
            print_line(if_empty)

    def config_for(self, soul: Soul) -> config.Config:
        """Return the settings in force for an agent, and where each came from."""
        opened = self.opened()
        return opened.configured(opened.home.agent(soul.id))


class ChatSoul(NamedTuple):
    """The soul that a chat has open, here or on a server: its commands find it in their context."""

    soul: Soul


def in_chat() -> Soul | None:
    """Return the soul that the chat has open, if we are in one."""
    context = click.get_current_context(silent=True)
    found = context.find_object(ChatSoul) if context else None
    return found.soul if found else None


@contextmanager
def _away(root: Path, login: Login, agent: str | None) -> Iterator[Soul]:
    """Open the agent that a server keeps, after telling it what waits here."""
    from almario.client.stand_in import away  # noqa: PLC0415 - for who is logged in

    with suppress(AlmarioError, OSError):  # whatever is asked next tells why
        tell_what_waits(root, login)
    with away(login, agent or "", i18n.current()) as soul:
        yield cast("Soul", soul)


@contextmanager
def left_in_order(soul: Soul) -> Iterator[Soul]:
    """Let MEMORY.md show what a command changed; if that fails, the next one does it."""
    yield soul
    try:
        notices = soul.finish()
    except AlmarioError as exc:
        notices = [sentence_of(exc)]
    before = {str(sentence) for sentence in soul.notices}
    tell([sentence for sentence in notices if str(sentence) not in before])


def tell_what_waits(root: Path, login: Login) -> None:
    """Tell a server what hooks could not: a command has the time."""
    from almario.client.stand_in import away  # noqa: PLC0415 - for who is logged in

    def send(agent: str, late: Sequence[Late]) -> Sequence[str]:
        with away(login, agent, i18n.current()) as soul:
            return soul.companion.keep(late)

    try:
        deliver(root, login, send)
    finally:
        if refusal := take_refusal(root, login):
            tell([refusal])


def make_command(
    name: str, sentence: str, *examples: str, agent: bool = True, as_json: bool = True
) -> Callable[[Command], click.Command]:
    """Make a command of a function, whose first argument is a Call; a sentence and examples are its help.

    It has `--home`, and unless they are not wanted `--agent` and `--json`, after its own options.
    """
    options = _standard_options(agent=agent, as_json=as_json)
    return partial(_made, click.Command, name, helped(_(sentence), *examples), options)


class CommandGroup(click.Group):
    """Lists its commands in the order they are written in; they have `--agent` if it has."""

    has_agent = True

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *names_in(self.name or "")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or of_plugin(ctx, f"{self.name}.{cmd_name}")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command that is none of this group, too: `memory forget` is `forget`."""
        if args[0] in self.list_commands(ctx):
            return super().resolve_command(ctx, args)
        root = ctx.find_root().command
        assert isinstance(root, click.Group)
        if args[0] in AWAY:
            return args[0], root.get_command(ctx, args[0]), args[1:]
        check_installed(f"{self.name} {args[0]}")
        if args[0] in root.list_commands(ctx):
            wrong, right = f"{ctx.command_path} {args[0]}", f"almario {args[0]}"
            raise click.UsageError(_('there is no "{wrong}"; it is "{right}"', wrong=wrong, right=right), ctx)
        return super().resolve_command(ctx, args)

    def make(
        self, name: str, sentence: str, *examples: str, as_json: bool = True
    ) -> Callable[[Command], click.Command]:
        """Make a command of this group; see `make_command`."""

        def decorate(function: Command) -> click.Command:
            made = make_command(name, sentence, *examples, agent=self.has_agent, as_json=as_json)(function)
            self.add_command(made)
            return made

        return decorate


def make_group(
    name: str,
    sentence: str,
    *examples: str,
    cls: type[CommandGroup] = CommandGroup,
    agent: bool = True,
    as_json: bool = True,
) -> Callable[[Command], CommandGroup]:
    """Make a group of a function, which is what it does without a subcommand; else as `make_command`."""

    def decorate(function: Command) -> CommandGroup:
        options = _standard_options(agent=agent, as_json=as_json)
        group = _made(cls, name, helped(_(sentence), *examples), options, function)
        group.has_agent, group.invoke_without_command, group.no_args_is_help = agent, True, False
        return group

    return decorate


def _made(
    cls: type[Made], name: str, text: str, options: Sequence[click.Parameter], function: Command
) -> Made:
    @click.pass_context
    def run(ctx: click.Context, /, **given: Any) -> None:
        own = {name: value for name, value in given.items() if name not in ("home", "agent", "as_json")}
        settings = dict(config.parsed_argument(text) for text in option_of(ctx, "settings") or ())
        home, agent, as_json = (option_of(ctx, each) for each in ("home", "agent", "as_json"))
        check_named(agent)
        call = CommandCall(home, agent, bool(as_json), settings)
        if not in_chat() and _named(ctx) not in AWAY:
            call.need_home()
        if not ctx.invoked_subcommand:
            function(call, **own)

    made = click.command(name, cls=cls, help=text)(update_wrapper(run, function))
    made.params += options
    return made


def _named(ctx: click.Context) -> str | None:
    while ctx.parent and ctx.parent.parent:
        ctx = ctx.parent
    return ctx.command.name


def _standard_options(*, agent: bool, as_json: bool) -> list[click.Parameter]:
    home_help = _("The folder with all agents (default: ~/.almario).")
    options: list[click.Parameter] = [click.Option(["--home"], metavar=_("FOLDER"), help=home_help)]
    if agent:
        agent_help = _("Which agent to use.")
        options.append(click.Option(["--agent"], metavar="ID", help=agent_help, shell_complete=agent_ids))
    if as_json:
        options.append(click.Option(["--json", "as_json"], is_flag=True, help=_("Print JSON.")))
    return options


def option_of(ctx: click.Context, name: str) -> Any:
    """Return an option's value as it was given nearest to the command."""
    here: click.Context | None = ctx
    while here is not None:
        if (given := here.params.get(name)) not in (None, False, ()):
            return given
        here = here.parent
    return None


def takes(name: str, sentence: str, *names: str, **more: Any) -> Callable[[Command], Command]:
    """Give a command an option, with a sentence for its help; click's words say more of it."""
    return click.option(name, *names, help=_(sentence), **more)


def flag(name: str, sentence: str, *names: str) -> Callable[[Command], Command]:
    """Give a command an option that is there or not."""
    return takes(name, sentence, *names, is_flag=True)


def need_session(soul: Soul, key: str | None) -> None:
    """Raise SoulError if nothing is known of a session: whoever mistypes one is not to be told everything."""
    known = {place.session for place in soul.presence.places()} if key else set()
    if key == "" or (key and key not in known and not soul.sessions.turns(key, last=1)):
        listing = CommandLine("almario sessions")
        raise SoulError('there is no session "{key}"; "{listing}" lists them', key=key, listing=listing)


def helped(sentence: str, *lines: str) -> str:
    """Return a command's help: what it does, and examples, each on its own line."""
    return f"{sentence}\n\n\b\n{_('Examples:')}\n" + "\n".join(f"  {line}" for line in lines)


def tell(sentences: Sequence[Sentence]) -> None:
    """Say on standard error what was done unasked."""
    for sentence in sentences:
        print_line(_(sentence), lead="· ", dim=True, err=True)


def agreed(call: CommandCall, question: str, *, default: bool = False) -> bool:
    """Ask whether to go on; SoulError if there is nobody to ask."""
    if call.as_json or not at_terminal():
        raise SoulError("nothing was changed: there is nobody to ask; add --yes")
    return ask(question, default=default)


def ask(question: str, *, default: bool = False) -> bool:
    """Ask for a yes or a no, in either language; Enter is the *default*, and whatever is no yes is a no."""
    prompt = f"{question} {_('[Y/n]') if default else _('[y/N]')}"
    answer = str(click.prompt(prompt, default="", show_default=False)).strip().lower()
    return answer in ("y", "yes", "s", "sí", "si") or (default and not answer)


def edited(text: str = "", *, file: str = "") -> str:
    """Let the owner edit a file, or a text, and return what it becomes."""
    if not at_terminal():
        raise SoulError('there is no terminal for an editor; use "--from FILE", or "--from -" for a pipe')
    try:
        if file:
            click.edit(filename=file)
            return ""
        new = click.edit(text, extension=".md")
        return text if new is None else new
    except click.ClickException as exc:
        raise SoulError("the editor could not be opened: {why}", why=exc.message) from exc


# What `content_of` and `text_of` read.
from_source = takes(
    "--from",
    "Read the text from this file; - for a pipe.",
    "source",
    type=click.Path(allow_dash=True),
    metavar=_("FILE"),
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


def secret_of(source: str, prompt: str) -> str:
    """Read a secret from a file, or a pipe, or ask for it; of no use is what every process here could see."""
    if source:
        return text_of(source).strip()
    if at_terminal():
        return str(click.prompt(prompt, hide_input=True)).strip()
    return sys.stdin.readline().strip() if sys.stdin else ""


def agent_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete an agent's id, touching nothing."""
    try:
        agents = listed_agents(option_of(ctx, "home"))
        return [agent.id for agent in agents if agent.id.startswith(incomplete)]
    except AlmarioError:
        return []
