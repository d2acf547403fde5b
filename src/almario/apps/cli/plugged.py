"""Commands that packages bring: loaded when they are asked for, blamed by name when they break."""

import click

from almario.apps.cli.i18n import _
from almario.domain.installing import to_install
from almario.entry_points import OF_PACKAGES, installed
from almario.errors import PluginError


class PluginRefusal(click.ClickException):
    """Bad input or a folder that will not do: one sentence, exit code 2."""

    exit_code = 2


def names_in(group: str = "") -> list[str]:
    """Return the commands that packages bring to a group, `model.get` to `model`; or those of no group."""
    found = (name.rpartition(".") for name in installed("commands"))
    return [name for of, _dot, name in found if of == group]


def of_plugin(ctx: click.Context, name: str) -> click.Command | None:
    """Return a plug-in's command, if there is one; if it breaks, that is said in one sentence."""
    plugin = installed("commands").get(name)
    if plugin is None:
        return None
    try:
        command: click.Command = plugin.load()
        with plugin.blamed():
            run = command.invoke
    except PluginError:
        if ctx.resilient_parsing:  # whoever presses TAB wants the others
            return None
        raise

    def invoke(ctx: click.Context) -> object:
        with plugin.blamed(click.ClickException, click.Abort, click.exceptions.Exit, SystemExit, OSError):
            return run(ctx)

    vars(command)["invoke"] = invoke
    say_usage(command)
    return command


def check_installed(words: str) -> None:
    """Say which package a command needs, if it is one that we know of."""
    if package := OF_PACKAGES.get(words):
        sentence = "almario {name} needs the package {package}: {line}"
        raise PluginRefusal(_(sentence, name=words, package=package, line=to_install(package)))


def say_usage(command: click.Command) -> None:
    """Say the words of the usage line that click has in English only."""
    command.options_metavar = _("[OPTIONS]")
    if isinstance(command, click.Group):
        optional = command.invoke_without_command
        command.subcommand_metavar = _("[COMMAND] [ARGS]...") if optional else _("COMMAND [ARGS]...")
        for each in command.commands.values():
            say_usage(each)
