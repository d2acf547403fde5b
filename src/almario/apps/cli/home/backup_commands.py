"""`almario backup`: all agents in one archive, and back again."""

import os
import shlex
import sys
from pathlib import Path
from typing import IO

import click

from almario import config, wiring
from almario.apps.cli.common import CommandCall, make_group, takes, tell
from almario.apps.cli.i18n import _, number
from almario.apps.cli.printing import ProgressBar, print_line, when
from almario.errors import SoulError

_archive = click.argument("archive", required=False, default="", metavar=_("[ARCHIVE]"))


@make_group(
    "backup",
    "Back up the settings and every agent, including removed ones, to one archive, and test "
    "it by restoring it once.",
    "almario backup",
    "almario backup --to /mnt/disk",
    "almario backup --to - | age -r age1… > home.tar.gz.age",
    "almario backup list",
    "almario backup restore --to ~/restored",
    agent=False,
)
@takes(
    "--to",
    "Put it in this folder, where no older one is removed; - is standard output.",
    metavar=_("FOLDER"),
)
def command(call: CommandCall, to: str | None) -> None:
    if to == "-":
        _write_out(call)
        return
    elsewhere = {"backup.folder": str(_path(to))} if to else {}
    backups = wiring.backups(call.home, settings={**call.settings, **elsewhere})
    with ProgressBar(_("Packing")) as progress:
        made = backups.make(progress)
    removed = [] if to else [str(path) for path in backups.rotate()]
    tell(made.told)
    call.give(
        {"path": str(made.path), "at": made.at, "bytes": made.size, "removed": removed},
        _("{path}: {size} bytes, checked by restoring it", path=str(made.path), size=number(made.size)),
        *[_("removed: {path}", path=path) for path in removed],
    )


def _write_out(call: CommandCall) -> None:
    """Write an archive for another program to lock or send; it is made in the home, wherever others lie."""
    out = sys.stdout.buffer
    if _is_terminal(out):
        raise SoulError('an archive is no text; pass it on: "almario backup --to - | age -r KEY > FILE"')
    tell(wiring.backups(call.home, settings={**call.settings, "backup.folder": ""}).write(out))


def _is_terminal(out: IO[bytes]) -> bool:
    return out.isatty()


def _path(text: str) -> Path:
    return Path(os.path.abspath(os.path.expanduser(text)))


@command.make("list", "List the backups, newest first.", "almario backup list")
def listed(call: CommandCall) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    zone = config.zone(call.opened().config)
    every, mark = backups.all(), f" ({_('locked')})"
    value = [
        {"path": str(each.path), "at": each.at, "bytes": each.size, "locked": each.is_locked}
        for each in every
    ]
    rows = [[when(e.at, zone), number(e.size), str(e.path) + mark * e.is_locked] for e in every]
    if_empty = _("There is no backup in {folder} yet.", folder=str(backups.folder))
    call.give_table(value, rows, heads=[_("When"), _("Bytes"), _("Archive")], if_empty=if_empty)


@command.make(
    "check",
    "Check a backup by restoring it for a moment. By default it is the newest.",
    "almario backup check",
)
@_archive
def check(call: CommandCall, archive: str) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    path = backups.find(archive)
    problems = backups.check(path)
    tell(problems)
    value = {"path": str(path), "problems": [str(each) for each in problems]}
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
    place = _path(to)
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
