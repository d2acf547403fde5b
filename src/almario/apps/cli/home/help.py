"""`almario help`: the same as `--help`, for those who look for a command."""

import click

from almario.apps.cli.common import helped
from almario.apps.cli.i18n import _


@click.command(
    "help",
    help=helped(_("Show help for a command."), "almario help", "almario help memory export"),
)
@click.argument("command_name", nargs=-1, metavar=_("[COMMAND]..."))
@click.pass_context
def command(ctx: click.Context, command_name: tuple[str, ...]) -> None:
    here, rest = ctx.find_root(), list(command_name)
    while rest and isinstance(here.command, click.Group):
        name, found, rest = here.command.resolve_command(here, rest)
        if found is not None:
            here = click.Context(found, parent=here, info_name=name)
    click.echo(here.get_help())
