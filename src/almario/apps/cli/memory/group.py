"""`almario memory`: everything that can be done with what is remembered."""

from almario.apps.cli.common import CommandCall, make_group
from almario.apps.cli.memory import changes, past, screens, upkeep


@make_group(
    "memory",
    "Look through your memories and correct them. By itself, it lists those in use.",
    "almario memory",
    "almario memory list",
    "almario memory why 3f9a2c1b",
)
def command(call: CommandCall) -> None:
    soul = call.soul()
    screens.print_found(call, soul, soul.memory.list())


for each in (
    screens.listed,
    past.why,
    changes.restore,
    changes.change,
    changes.confirm,
    changes.reject,
    changes.share,
    upkeep.tidy,
    upkeep.reindex,
):
    command.add_command(each)
