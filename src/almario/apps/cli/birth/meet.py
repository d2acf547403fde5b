"""`almario meet`: who the agent is, and what to try next."""

import click

from almario.apps.cli.birth.newcomer import introduce, met
from almario.apps.cli.common import Call, helped, standard
from almario.apps.cli.i18n import _


@click.command(
    "meet",
    help=helped(
        _("Meet your agent: who it is and what to try next. Creates the first one if there is none."),
        "almario meet",
    ),
)
@standard(as_json=False)
def command(call: Call) -> None:
    introduce(met(call), call)
