"""`almario checkout` and `almario checkin`: the files of an agent in a database, to edit by hand."""

import click

from almario.apps.cli.common import CommandCall, flag, make_command, tell
from almario.apps.cli.i18n import _
from almario.domain.messages import Sentence
from almario_postgres.working_copies import checkin as check_in
from almario_postgres.working_copies import checkout as check_out

_OUTCOMES = {
    "entered": Sentence("entered"),
    "removed": Sentence("removed there"),
    "refreshed": Sentence("refreshed here"),
    "gone": Sentence("removed here, as it is gone there"),
    "merged": Sentence("merged"),
    "conflict": Sentence(
        "changed in both places: merge the copy beside it, delete that copy, and check in again"
    ),
    "waiting": Sentence("still has a copy beside it: merge that, delete it, and check in again"),
    "revived": Sentence("was changed there, so it is back; delete it again to remove it"),
    "kept": Sentence("is gone there, but was changed here; check in again to keep it, or delete it"),
}


@make_command(
    "checkout",
    "Write the files of an agent that is kept in a database into a new folder, to edit them by hand.",
    "almario checkout ~/finny",
    "almario checkin ~/finny",
)
@click.argument("folder", metavar=_("FOLDER"))
def checkout(call: CommandCall, folder: str) -> None:
    names = check_out(folder, call.agent, home=call.home, settings=call.settings)
    sentence = '{count} files are in {folder}; "almario checkin {folder}" takes your edits in'
    call.give({"folder": folder, "files": names}, _(sentence, count=len(names), folder=folder))


@make_command(
    "checkin",
    "Take in what you edited in a working copy, by default the current folder, and refresh the "
    "rest. What was changed in both places is merged; where that cannot be, the other text is put "
    "beside the file and nothing is overwritten.",
    "almario checkin ~/finny",
    "almario checkin --dry-run",
    agent=False,
)
@click.argument("folder", required=False, default=".", metavar=_("[FOLDER]"))
@flag("--dry-run", "Show what would happen.", "only_show")
@flag("--delete", "Also remove many files at once.", "removes")
def checkin(call: CommandCall, folder: str, only_show: bool, removes: bool) -> None:
    done = check_in(folder, only_show=only_show, removes=removes, home=call.home, settings=call.settings)
    tell(done.told)
    lines = [f"{name}: {_(_OUTCOMES[fate])}" for name, fate in done.files.items()]
    call.give(dict(done.files), *(lines or [_("Nothing has changed.")]))
    if not done.is_settled:
        click.get_current_context().exit(1)
