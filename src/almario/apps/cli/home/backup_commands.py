"""`almario backup`: all agents in one archive, and back again."""

import os
import shlex
from pathlib import Path

import click

from almario import config, wiring
from almario.apps.cli.common import CommandCall, make_group, takes, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import ProgressBar, print_line, when

_archive = click.argument("archive", required=False, default="", metavar=_("[ARCHIVE]"))


@make_group(
    "backup",
    "Back up the settings and every agent, including removed ones, to one archive, and test "
    "it by restoring it once.",
    "almario backup",
    "almario backup list",
    "almario backup restore --to ~/restored",
    agent=False,
)
def command(call: CommandCall) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    with ProgressBar(_("Packing")) as progress:
        made = backups.make(progress)
    removed = [str(path) for path in backups.rotate()]
    tell(made.told)
    call.give(
        {"path": str(made.path), "at": made.at, "bytes": made.size, "removed": removed},
        _("{path}: {size} bytes, checked by restoring it", path=str(made.path), size=f"{made.size:,}"),
        *[_("removed: {path}", path=path) for path in removed],
    )


@command.make("list", "List the backups, newest first.", "almario backup list")
def listed(call: CommandCall) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    zone = config.zone(call.opened().config)
    value = [{"path": str(each.path), "at": each.at, "bytes": each.size} for each in backups.all()]
    rows = [[when(each.at, zone), f"{each.size:,}", str(each.path)] for each in backups.all()]
    nothing = _("There is no backup in {folder} yet.", folder=str(backups.folder))
    call.give_table(value, rows, heads=[_("When"), _("Bytes"), _("Archive")], nothing=nothing)


@command.make(
    "check",
    "Check a backup, by default the newest. It is restored briefly and every byte compared.",
    "almario backup check",
)
@_archive
def check(call: CommandCall, archive: str) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    path = backups.find(archive)
    told = backups.check(path)
    tell(told)
    value = {"path": str(path), "problems": [str(each) for each in told]}
    call.give(value, _("{path} is whole", path=str(path)))


@command.make(
    "restore",
    "Restore a backup, by default the newest. It goes into a new folder, which becomes a "
    "home of its own; nothing is overwritten.",
    "almario backup restore --to ~/restored",
    "almario backup restore almario-20261115T033000Z.tar.gz --to ~/restored",
)
@_archive
@takes("--to", "The folder to create.", required=True, metavar=_("FOLDER"))
def restore(call: CommandCall, archive: str, to: str) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    place = Path(os.path.abspath(os.path.expanduser(to)))
    path = backups.find(archive)
    tell(backups.restore(path, place))
    agents = [agent.id for agent in wiring.listed_agents(place, in_folders=True)]
    if call.gave_json({"path": str(path), "home": str(place), "agents": agents}):
        return
    facts = {"path": str(path), "folder": str(place), "agents": ", ".join(agents)}
    print_line(_("{path} was restored to {folder}: {agents}", **facts))
    print_line(
        _('"almario --home {folder} agents" shows them', folder=shlex.quote(str(place))), lead="  ", dim=True
    )
