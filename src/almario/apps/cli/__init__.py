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
from almario.apps.cli.command_table import COMMANDS, FIRST, OTHERS
from almario.apps.cli.i18n import _, refusal
from almario.apps.cli.plugged import PluginRefusal, check_installed, names_in, of_plugin, say_usage
from almario.domain.messages import LANGUAGES, language_of
from almario.entry_points import installed
from almario.errors import AlmarioError

if TYPE_CHECKING:
    from almario.soul import Soul


class Root(click.Group):
    """Loads a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for name in names_in() if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return of_plugin(ctx, cmd_name)
        found = vars(import_module(f"almario.apps.cli.{COMMANDS[cmd_name].module}")).values()
        command = next(each for each in found if isinstance(each, click.Command) and each.name == cmd_name)
        say_usage(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as exc:
            from almario.apps.cli.spanish_words import command_for  # noqa: PLC0415 - seldom needed

            check_installed(exc.command_name)
            if (meant := command_for(exc.command_name)) in COMMANDS:
                facts = {"wrong": f"almario {exc.command_name}", "right": f"almario {meant}"}
                raise click.UsageError(_('there is no "{wrong}"; it is "{right}"', **facts), ctx) from exc
            raise click.NoSuchCommand(
                exc.command_name, possibilities=self.list_commands(ctx), ctx=ctx
            ) from exc

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(line)) for name, line in FIRST.items()])
        others = {_(title): [*names] for title, names in OTHERS.items()}
        for name in self.list_commands(ctx)[len(COMMANDS) :]:
            others.setdefault(installed("commands")[name].package, []).append(name)
        with formatter.section(_('More; "almario help COMMAND" explains one')):
            formatter.write_dl([(title, ", ".join(names)) for title, names in others.items()])

    def invoke(self, ctx: click.Context) -> object:
        from almario.apps.cli.printing import warned  # noqa: PLC0415 - not for --help

        try:
            with warned():
                return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except (AlmarioError, OSError) as exc:
            raise PluginRefusal(refusal(exc)) from exc


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
    from almario.apps.cli.common import CommandCall  # noqa: PLC0415 - the same

    settings = dict(config.parsed_argument(text) for text in given["settings"])
    return CommandCall(given["home"], given["agent"], False, settings).soul()


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
