"""`almario memory`: everything that can be done with what is remembered."""

import click

from almario.apps.cli import memory_tidying
from almario.apps.cli.common import InOrder, helped
from almario.apps.cli.i18n import _
from almario.apps.cli.memory import changes as memory_changes
from almario.apps.cli.memory import past as memory_past
from almario.apps.cli.memory import upkeep as memory_upkeep
from almario.apps.cli.memory import views as memory_views


@click.group(
    "memory",
    cls=InOrder,
    help=helped(
        _("Look into what is remembered, put it right, and take it with you."),
        "almario memory list",
        "almario memory why 3f9a2c1b",
        "almario memory undo",
        "almario memory export memories.jsonl",
    ),
)
def command() -> None:
    pass


for each in (
    memory_views.listed,
    memory_views.show,
    memory_past.why,
    memory_past.history,
    memory_changes.undo,
    memory_changes.restore,
    memory_changes.trust,
    memory_changes.share,
    memory_changes.unshare,
    memory_past.as_of,
    memory_views.stats,
    memory_changes.export,
    memory_changes.take_in,
    memory_upkeep.verify,
    memory_upkeep.reindex,
    memory_tidying.consolidate,
    memory_tidying.condense,
    memory_changes.purge,
    memory_views.keys,
    memory_changes.accept,
    memory_upkeep.download_model,
):
    command.add_command(each)
