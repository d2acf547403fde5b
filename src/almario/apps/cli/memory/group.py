"""`almario memory`: everything that can be done with what is remembered."""

from almario.apps.cli.common import Group, helped
from almario.apps.cli.i18n import _
from almario.apps.cli.memory import changes, news_command, past, screens, upkeep

command = Group(
    "memory",
    help=helped(
        _("Look through your memories, correct them, and take them with you."),
        "almario memory list",
        "almario memory why 3f9a2c1b",
        "almario memory undo",
        "almario memory export memories.jsonl",
    ),
)
for each in (
    screens.listed,
    screens.show,
    past.why,
    past.history,
    changes.undo,
    changes.restore,
    changes.trust,
    changes.change,
    changes.confirm,
    changes.reject,
    news_command.helped,
    changes.share,
    changes.unshare,
    past.as_of,
    past.timeline,
    screens.stats,
    changes.export,
    changes.import_lines,
    upkeep.verify,
    upkeep.reindex,
    upkeep.consolidate,
    upkeep.condense,
    upkeep.cues,
    changes.purge,
    screens.keys,
    changes.accept,
    upkeep.download_model,
):
    command.add_command(each)
