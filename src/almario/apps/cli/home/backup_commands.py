"""`almario backup`: all agents in one archive, and back again."""

import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from almario import config, wiring
from almario.apps.cli.common import CommandCall, flag, make_group, takes, tell
from almario.apps.cli.i18n import _, number
from almario.apps.cli.printing import ProgressBar, at_terminal, print_line, when
from almario.domain.messages import Sentence
from almario.errors import SoulError

_VARIABLE = "ALMARIO_BACKUP_PASSPHRASE"
_archive = click.argument("archive", required=False, default="", metavar=_("[ARCHIVE]"))
_identity = takes("--identity", "The file of your secret key, for a locked backup.", metavar=_("FILE"))
_passphrase_file = takes(
    "--passphrase-file", "The file whose first line is the passphrase.", metavar=_("FILE")
)


@make_group(
    "backup",
    "Back up the settings and every agent, including removed ones, to one archive, and test "
    "it by restoring it once.",
    "almario backup",
    "almario backup --encrypt",
    "almario backup --recipient age1… --to /mnt/disk",
    "almario backup list",
    "almario backup restore --to ~/restored",
    agent=False,
)
@flag("--encrypt", "Lock it with age. Without a key, choose a passphrase; later backups are locked, too.")
@takes(
    "--recipient",
    "Lock it with this public key (age1…, ssh-…), or those in a file. Can be repeated.",
    "recipients",
    multiple=True,
    metavar=_("KEY"),
)
@_passphrase_file
@takes("--to", "Put it in this folder; no older one is removed.", metavar=_("FOLDER"))
def command(
    call: CommandCall, encrypt: bool, recipients: tuple[str, ...], passphrase_file: str | None, to: str | None
) -> None:
    if encrypt and not (recipients or call.opened().config.settings.backup.recipients):
        own = wiring.backups(call.home, settings=call.settings)
        call.opened().set("backup.recipients", own.make_key(_passphrase(passphrase_file, is_new=True)))
        sentence = (
            "From now on every backup is locked. It takes your passphrase and backup-key.age to open one."
        )
        tell([Sentence(sentence)])
    elsewhere = {"backup.folder": str(_path(to))} if to else {}
    backups = wiring.backups(call.home, settings={**call.settings, **elsewhere})
    with ProgressBar(_("Packing")) as progress:
        made = backups.make(progress, recipients=recipients)
    removed = [] if to else [str(path) for path in backups.rotate()]
    tell(made.told)
    kept = {"path": str(made.path), "at": made.at, "bytes": made.size, "locked": made.is_locked}
    facts = {"path": str(made.path), "size": number(made.size)}
    done = _("{path}: {size} bytes, checked by restoring it", **facts)
    call.give(
        {**kept, "removed": removed},
        _("{path}: {size} bytes, locked and checked", **facts) if made.is_locked else done,
        *[_("removed: {path}", path=path) for path in removed],
    )


def _path(text: str) -> Path:
    return Path(os.path.abspath(os.path.expanduser(text)))


def _passphrase(file: str | None, *, is_new: bool = False) -> Callable[[], str]:
    """Return what asks for the passphrase: a file, the environment, or whoever is at the terminal."""

    def ask() -> str:
        found = ""
        if file:
            with suppress(OSError):
                found = _path(file).read_text(errors="replace").partition("\n")[0].strip()
        elif _VARIABLE in os.environ or not at_terminal():
            found = os.environ.get(_VARIABLE, "")
        else:
            found = click.prompt(
                _("Passphrase"), hide_input=True, confirmation_prompt=is_new and _("Again"), err=True
            )
        if not found:
            sentence = "there is no passphrase; set {variable}, or name its file with --passphrase-file"
            raise SoulError(sentence, variable=_VARIABLE)
        return found

    return ask


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
    "Check a backup, by default the newest. It is restored briefly and every byte compared; a locked "
    "one is compared without writing any of it.",
    "almario backup check",
)
@_archive
@_identity
@_passphrase_file
def check(call: CommandCall, archive: str, identity: str | None, passphrase_file: str | None) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    path = backups.find(archive)
    key = _path(identity) if identity else None
    problems = backups.check(path, identity=key, passphrase=_passphrase(passphrase_file))
    tell(problems)
    value = {"path": str(path), "problems": [str(each) for each in problems]}
    call.give(value, _("{path} is whole", path=str(path)))


@command.make(
    "restore",
    "Restore a backup, by default the newest. It goes into a new folder, which becomes a "
    "home of its own; nothing is overwritten.",
    "almario backup restore --to ~/restored",
    "almario backup restore almario-20261115T033000Z.tar.gz --to ~/restored",
    "almario backup restore --identity ~/key.txt --to ~/restored",
)
@_archive
@takes("--to", "The folder to create.", required=True, metavar=_("FOLDER"))
@_identity
@_passphrase_file
def restore(
    call: CommandCall, archive: str, to: str, identity: str | None, passphrase_file: str | None
) -> None:
    backups = wiring.backups(call.home, settings=call.settings)
    place = _path(to)
    path = backups.find(archive)
    key = _path(identity) if identity else None
    tell(backups.restore(path, place, identity=key, passphrase=_passphrase(passphrase_file)))
    agents = [agent.id for agent in wiring.listed_agents(place, in_folders=True)]
    if call.gave_json({"path": str(path), "home": str(place), "agents": agents}):
        return
    facts = {"path": str(path), "folder": str(place), "agents": ", ".join(agents)}
    print_line(_("{path} was restored to {folder}: {agents}", **facts))
    print_line(
        _('"almario --home {folder} agents" shows them', folder=shlex.quote(str(place))), lead="  ", dim=True
    )
