"""`almario completion`: what a shell needs to complete commands."""

import click
from click.shell_completion import get_completion_class

from almario.apps.cli.common import helped
from almario.apps.cli.i18n import _


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
def command(ctx: click.Context, shell: str) -> None:
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "almario", "_ALMARIO_COMPLETE").source())
