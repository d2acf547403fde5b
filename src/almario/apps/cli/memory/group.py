"""`almario memory`: everything that can be done with what is remembered."""

import sys

from almario.apps.cli.common import CommandCall, make_group
from almario.apps.cli.memory import changes, past, screens, upkeep
from almario.domain.vocabulary import STATES


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
    if not call.as_json:
        screens.print_counts(soul.memory.stats().kinds)


@command.make("stats", "Count memories by kind, and by state.", "almario memory stats")
def stats(call: CommandCall) -> None:
    found = call.soul().memory.stats()
    if not call.gave_json(found):
        screens.print_counts(found.kinds)
        screens.print_counts(found.states, names=STATES)


@command.make(
    "export",
    "Write every memory as a line of JSON. What is forgotten is not among them.",
    "almario memory export > memories.jsonl",
    as_json=False,
)
def export(call: CommandCall) -> None:
    call.need_home()
    call.soul().exporter.write(sys.stdout.buffer, "jsonl")


for each in (
    screens.listed,
    past.why,
    changes.restore,
    changes.change,
    changes.confirm,
    changes.reject,
    changes.share,
    upkeep.tidy,
    upkeep.condense,
    upkeep.reindex,
):
    command.add_command(each)
