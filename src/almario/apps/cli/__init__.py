"""The `almario` command. Each command is a module, loaded when it is called."""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from almario.apps.cli import i18n
from almario.apps.cli.i18n import _, refusal
from almario.apps.cli.plugged import Refusal, check_installed, names_in, of_plugin, say_usage
from almario.domain.messages import LANGUAGES, language_of
from almario.entry_points import installed
from almario.errors import AlmarioError

if TYPE_CHECKING:
    from almario.soul import Soul

# Where each command is, and its line in the list of commands, told without loading it.
COMMANDS = {
    "chat": ("talk.chat", "Chat with your agent."),
    "say": ("talk.chat", "Send your agent one message and print its answer."),
    "meet": ("birth.newcomer", "Meet your agent and see what to try next."),
    "init": ("birth.newcomer", "Create an agent with a starter soul."),
    "genesis": ("birth.genesis_command", "Create a soul from your words or archetypes."),
    "agents": ("home.agents", "List, create, rename, remove and restore agents."),
    "move": ("home.move_command", "Move an agent to a database, or from one to a folder."),
    "checkout": (
        "home.working_copy_commands",
        "Write the files of an agent in a database into a folder, to edit them.",
    ),
    "checkin": ("home.working_copy_commands", "Take in what you edited in such a folder."),
    "soul": ("soul.group", "Show, edit, compare, restore and check the soul files."),
    "remember": ("memory.remember", "Remember something."),
    "recall": ("memory.recalling", "Search your memory."),
    "forget": ("memory.forget", "Forget something, or erase it permanently."),
    "keep": ("memory.changes", "Use what was left out because it looked like a secret."),
    "memory": ("memory.group", "List, explain, undo, export and check memories."),
    "news": ("memory.news_command", "Show what is new since you were last here."),
    "undo": ("memory.changes", "Undo a change of memories or of a soul file."),
    "plans": ("memory.remember", "List what is coming up."),
    "people": ("talk.people", "List who has spoken with your agent, and what they may hear."),
    "sessions": ("talk.session_commands", "List, show or restart conversations."),
    "flush": ("talk.flush_command", "Learn from conversations now."),
    "hook": ("doors.hook_command", "Answer a hook of a coding agent, such as Claude Code."),
    "proposals": ("soul.proposal_commands", "Review the changes the agent proposes to its soul."),
    "reflect": ("soul.reflect", "Have the agent reflect on its days and propose changes to itself."),
    "improve": ("soul.reflect", "Say what should change about your agent and get it as proposals."),
    "goals": ("soul.goal_commands", "List and change the goals."),
    "log": ("memory.remember", "Write in the daily log or show it."),
    "days": ("memory.days_command", "Show what each day left behind."),
    "prompt": ("talk.prompt", "Print the prompt a model would get."),
    "flight": ("talk.flight_command", "Show how an answer came about."),
    "model": ("home.model_commands", "Show which language model talks, try it, or download one."),
    "cost": ("home.cost", "Show what the models have cost."),
    "config": ("home.config_commands", "Show every setting and where it came from."),
    "store": ("home.store_commands", "Show the database that keeps your agents, and make its tables."),
    "verify": ("home.doctor_commands", "Check that everything agrees and every message has an outcome."),
    "doctor": ("home.doctor_commands", "Check that everything is in order, and repair what is not."),
    "daemon": (
        "home.daemon_commands",
        "Run the background process: edits, learning, nightly work, backups.",
    ),
    "connect": ("doors.connect_command", "Connect Claude Code, Codex, Cursor and others to your agent."),
    "disconnect": ("doors.connect_command", "Disconnect a program from your agent."),
    "mcp": ("doors.mcp_command", "Offer your agent to a program that speaks MCP."),
    "serve": ("doors.serve_command", "Serve your agents to programs over HTTP."),
    "tokens": ("doors.token_commands", "Create, list and revoke tokens for almario serve."),
    "backup": ("home.backup_commands", "Back up everything to one archive, and restore it."),
    "export": ("memory.changes", 'Export every memory to a file; short for "memory export".'),
    "import": ("memory.changes", 'Import exported memories; short for "memory import".'),
    "completion": ("home.help", "Print the completion script for your shell."),
    "help": ("home.help", "Show help for a command."),
}


class Root(click.Group):
    """Loads a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for name in names_in() if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return of_plugin(ctx, cmd_name)
        found = vars(import_module(f"almario.apps.cli.{COMMANDS[cmd_name][0]}")).values()
        command = next(each for each in found if isinstance(each, click.Command) and each.name == cmd_name)
        say_usage(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as exc:
            check_installed(exc.command_name)
            raise click.NoSuchCommand(
                exc.command_name, possibilities=self.list_commands(ctx), ctx=ctx
            ) from exc

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = [(name, _(line)) for name, (_module, line) in COMMANDS.items()]
        for name in self.list_commands(ctx)[len(lines) :]:  # said without loading them
            package = installed("commands")[name].package
            lines.append((name, _("From the package {package}.", package=package)))
        with formatter.section(_("Commands")):
            formatter.write_dl(lines)

    def invoke(self, ctx: click.Context) -> object:
        from almario.apps.cli.printing import warned  # noqa: PLC0415 - not for --help

        try:
            with warned():
                return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except (AlmarioError, OSError) as exc:
            raise Refusal(refusal(exc)) from exc


def root() -> click.Group:
    """Make the command in the language in use."""

    @click.group(
        "almario",
        cls=Root,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=_("Keeps an AI agent's soul: who it is, what it wants and what it remembers, in plain files."),
        epilog=_('New here? "almario meet" creates your first agent and shows you around.'),
    )
    @click.option("--home", metavar=_("FOLDER"), help=_("The folder with all agents (default: ~/.almario)."))
    @click.option("--agent", metavar="ID", help=_("Which agent to use."), shell_complete=_agent_ids)
    @click.option(
        "--set", "settings", multiple=True, metavar=_("KEY=VALUE"), help=_("Override a setting for this run.")
    )
    @click.version_option(package_name="almario", message="%(prog)s %(version)s")
    @click.pass_context
    def almario(ctx: click.Context, /, **given: Any) -> None:
        # Our commands look up the options given here; those of plug-ins get what opens the agent.
        ctx.obj = ctx.obj or partial(_open_soul, given)
        if "NO_COLOR" in os.environ:
            ctx.color = False

    say_usage(almario)
    return almario


def _open_soul(given: Mapping[str, Any]) -> "Soul":
    from almario import config  # noqa: PLC0415 - loads what only commands need
    from almario.apps.cli.common import Call  # noqa: PLC0415 - the same

    settings = dict(config.parsed_argument(text) for text in given["settings"])
    return Call(given["home"], given["agent"], False, settings).soul()


def _agent_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from almario.apps.cli.common import agent_ids  # noqa: PLC0415 - loads what only commands need

    return agent_ids(ctx, param, incomplete)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no emoji shows "?"
    i18n.use(spoken_language(sys.argv[1:]))
    root()(prog_name="almario")


def spoken_language(arguments: Sequence[str]) -> str:
    """Return the language of the environment, the home's settings or the locale.

    This is asked before anything else is loaded; what is wrong with the
    settings is told by whoever loads them.
    """
    home = os.environ.get("ALMARIO_HOME") or "~/.almario"
    setting = os.environ.get("ALMARIO_LANGUAGE")
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=False):
        name, equals, value = argument.partition("=")
        given = value if equals else following
        if name == "--home":
            home = given
        elif name == "--set" and given.startswith("language="):
            setting = given.partition("=")[2]
    if setting not in LANGUAGES:
        setting = _language_setting(os.path.join(os.path.expanduser(home), "almario.toml"))
    return language_of(setting if setting in LANGUAGES else "auto", os.environ)


def _language_setting(path: str) -> str:
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, ValueError):
        return ""
    if "language" not in text:
        return ""
    import tomllib  # noqa: PLC0415 - 5 ms, and few homes name a language

    try:
        return str(tomllib.loads(text).get("language"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return ""
