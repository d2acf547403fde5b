"""`almario backup`: all agents in one archive, and back again."""

import os
import shlex
from pathlib import Path

import click

from almario import config, wiring
from almario.apps.cli.common import Call, InOrder, helped, standard, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json, print_line, print_table, when
from almario.apps.cli.progress import Bar

_archive = click.argument("archive", required=False, default="", metavar=_("[ARCHIVE]"))


@click.group(
    "backup",
    cls=InOrder,
    invoke_without_command=True,
    help=helped(
        _(
            "Back up the settings and every agent, including removed ones, to one archive, and test it "
            "by restoring it once."
        ),
        "almario backup",
        "almario backup list",
        "almario backup restore --to ~/restored",
    ),
)
@standard(agent=False)
def command(call: Call) -> None:
    if click.get_current_context().invoked_subcommand:
        return
    backups = wiring.backups(call.home, settings=call.settings)
    with Bar(_("Packing")) as progress:
        made = backups.make(progress)
    removed = [str(path) for path in backups.rotate()]
    tell(made.told)
    if call.as_json:
        print_json({"path": str(made.path), "at": made.at, "bytes": made.size, "removed": removed})
        return
    print_line(_("{path}: {size} bytes, checked by restoring it", path=str(made.path), size=f"{made.size:,}"))
    for path in removed:
        click.echo(_("removed: {path}", path=path))


@command.command("list", help=helped(_("List the backups, newest first."), "almario backup list"))
@standard(agent=False)
def listed(call: Call) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    every = backups.all()
    if call.as_json:
        print_json([{"path": str(each.path), "at": each.at, "bytes": each.size} for each in every])
        return
    if not every:
        print_line(_("There is no backup in {folder} yet.", folder=str(backups.folder)))
        return
    zone = config.zone(call.opened().config)
    rows = [[when(each.at, zone), f"{each.size:,}", str(each.path)] for each in every]
    print_table(rows, heads=[_("When"), _("Bytes"), _("Archive")])


@command.command(
    "check",
    help=helped(
        _("Check a backup, by default the newest. It is restored briefly and every byte compared."),
        "almario backup check",
    ),
)
@_archive
@standard(agent=False)
def check(call: Call, archive: str) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    path = backups.find(archive)
    told = backups.check(path)
    tell(told)
    if call.as_json:
        print_json({"path": str(path), "problems": [str(each) for each in told]})
    else:
        click.echo(_("{path} is whole", path=str(path)))


@command.command(
    "restore",
    help=helped(
        _(
            "Restore a backup, by default the newest. It goes into a new folder, which becomes a home "
            "of its own; nothing is overwritten."
        ),
        "almario backup restore --to ~/restored",
        "almario backup restore almario-20261115T033000Z.tar.gz --to ~/restored",
    ),
)
@_archive
@click.option("--to", required=True, metavar=_("FOLDER"), help=_("The folder to create."))
@standard(agent=False)
def restore(call: Call, archive: str, to: str) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    place = Path(os.path.abspath(os.path.expanduser(to)))
    path = backups.find(archive)
    tell(backups.restore(path, place))
    agents = [agent.id for agent in wiring.listed_agents(place)]
    if call.as_json:
        print_json({"path": str(path), "home": str(place), "agents": agents})
        return
    print_line(
        _(
            "{path} was restored to {folder}: {agents}",
            path=str(path),
            folder=str(place),
            agents=", ".join(agents),
        )
    )
    print_line(
        _('"almario --home {folder} agents" shows them', folder=shlex.quote(str(place))), lead="  ", dim=True
    )
