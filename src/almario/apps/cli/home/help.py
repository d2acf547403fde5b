"""`almario help`, for those who look for a command, and `almario completion`, for their shell."""

import click
from click.shell_completion import get_completion_class

from almario.apps.cli.common import helped
from almario.apps.cli.i18n import _


@click.command(
    "help", help=helped(_("Show help for a command."), "almario help", "almario help memory export")
)
@click.argument("command_name", nargs=-1, metavar=_("[COMMAND]..."))
@click.pass_context
def help_(ctx: click.Context, command_name: tuple[str, ...]) -> None:
    here, rest = ctx.find_root(), list(command_name)
    while rest and isinstance(here.command, click.Group):
        name, found, rest = here.command.resolve_command(here, rest)
        if found is not None:
            here = click.Context(found, parent=here, info_name=name)
    click.echo(here.get_help())


@click.command(
    "completion",
    help=helped(
        _("Print the completion script for your shell."),
        _('eval "$(almario completion bash)"      # in ~/.bashrc'),
        _('eval "$(almario completion zsh)"       # in ~/.zshrc'),
        _("almario completion fish | source       # in ~/.config/fish/config.fish"),
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "almario", "_ALMARIO_COMPLETE").source())
