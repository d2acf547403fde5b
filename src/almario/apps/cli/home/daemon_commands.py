"""`almario daemon`: what is done at night, and while nobody talks."""

import contextlib
from datetime import datetime, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from almario import config
from almario.apps.cli.common import CommandCall, flag, make_group
from almario.apps.cli.home.config_commands import tell_of_store
from almario.apps.cli.i18n import _, number
from almario.apps.cli.printing import print_below, print_line, print_table, when
from almario.apps.daemon import running, units
from almario.served import resident_in
from almario.wiring import daemon_status

if TYPE_CHECKING:
    from almario.wiring.daemon_parts import LogbookEntry

_JOBS = {
    "list": "agents",
    "open": "opening",
    "close": "closing",
    "settle": "edits",
    "learn": "learning",
    "purge": "erasing",
    "prune": "old versions",
    "night": "reflection",
    "tidy": "tidying",
    "condense": "shortening logs",
    "backup": "backup",
    "warm-up": "the model for searching by meaning",
}
_OUTCOMES = {
    "started": "the daemon has started",
    "stopped": "the daemon has stopped",
    "standby": "the daemon is standing by",
    "done": "done",
    "waits": "waits",
    "failed": "failed",
    "warned": "a warning",
}
_NOT_RUNNING = 'The daemon is not running; start it with "almario daemon start".'


@make_group(
    "daemon",
    "Look after the agents in the background: pick up edits, learn from conversations, "
    "reflect each night, make backups. Runs in the foreground until you stop it.",
    "almario daemon",
    "almario daemon start",
    "almario daemon status",
    "almario daemon install",
    agent=False,
    as_json=False,
)
@flag("--once", "Do what is due, then exit.")
@flag("--hooks", "Only answer the hooks of coding agents, and exit when none has asked for a while.")
def command(call: CommandCall, once: bool, hooks: bool) -> None:
    if hooks:
        from almario.apps.hooks.resident import stay  # noqa: PLC0415 - only who stays needs it

        stay(call.home, call.agent, call.settings)
    else:
        _run(call, once=once)


# So call it the files for systemd and launchd that 0.2.0 wrote; nobody else is told of it.
@command.make("run", "Look after the agents, as the command by itself does.", as_json=False)
def run(call: CommandCall) -> None:
    _run(call, once=False)


run.hidden = True


def _run(call: CommandCall, *, once: bool) -> None:
    from almario.apps.daemon.process import Daemon, Signals  # noqa: PLC0415 - only who runs it needs it
    from almario.apps.hooks.resident import answering  # noqa: PLC0415 - as above
    from almario.wiring.daemon_parts import back_up, housekeeping  # noqa: PLC0415 - as above

    zone = config.zone(call.opened().config)
    signals = Signals()
    with signals.caught():
        upkeep = housekeeping(
            call.home,
            settings=call.settings,
            backup=partial(back_up, call.home, call.settings),
            show=partial(_show, zone=zone),
        )
        with contextlib.nullcontext() if once else answering(call.home, call.settings):
            Daemon(upkeep, signals).run(once=once)


@command.make("start", "Start the daemon in the background.", "almario daemon start", as_json=False)
def start(call: CommandCall) -> None:
    home = call.opened().root
    if not running.is_running(home):
        running.start(home, call.settings)
    click.echo(_('The daemon is running; "almario daemon stop" stops it.'))


@command.make(
    "stop", "Stop the daemon, and the process that answers hooks.", "almario daemon stop", as_json=False
)
def stop(call: CommandCall) -> None:
    home = config.home_path(call.home)
    was_running = running.is_running(home)
    if was_running:
        running.stop(home)
        click.echo(_("The daemon has stopped."))
    if running.stop_resident(home):
        click.echo(_("The process that answered hooks has stopped."))
    elif not was_running:
        click.echo(_(_NOT_RUNNING))


def _show(entry: "LogbookEntry", zone: tzinfo) -> None:
    job = _(_JOBS.get(entry.job, entry.job)) if entry.job else ""
    line = ": ".join(filter(None, [entry.agent, job, _(_OUTCOMES.get(entry.outcome, entry.outcome))]))
    why = f" ({_(entry.why)})" if entry.why else ""
    until = " " + _("until {when}", when=when(entry.until, zone)) if entry.until else ""
    seconds = f" {number(entry.seconds, 1)} s" if entry.seconds >= 1 else ""
    with contextlib.suppress(OSError):  # whoever read it is gone
        click.echo(f"{when(entry.at, zone, seconds=True)}  {line}{why}{until}{seconds}")


@command.make(
    "status",
    "Show the state of the daemon. Lists the last and next night of each agent, and what is "
    "waiting and why. Exits with code 1 if it is not running.",
    "almario daemon status",
    "almario daemon status --json",
)
def status(call: CommandCall) -> None:
    is_running, state = daemon_status(call.home, settings=call.settings)
    zone = config.zone(call.opened().config)
    resident = resident_in(config.home_path(call.home))
    more = {"running": is_running, "hooks": resident or None}
    if not call.gave_json({**more, "home": {"jobs": {}}, "agents": {}, **state}):
        _print_status(is_running, state, zone)
        if resident:
            print_line(_("Hooks are answered by process {pid}, by meaning too.", pid=resident))
    if not is_running:
        click.get_current_context().exit(1)


def _print_status(is_running: bool, state: dict[str, Any], zone: tzinfo) -> None:
    if is_running and not state.get("pid"):
        click.echo(_("A daemon on another machine looks after these agents."))
    elif is_running:
        since = _moment(state.get("started"), zone)
        sentence = "The daemon has been running since {since} (process {pid})."
        print_line(_(sentence, since=since, pid=state.get("pid")))
    else:
        click.echo(_(_NOT_RUNNING))
    agents: dict[str, Any] = state.get("agents", {})
    if agents:
        nights = [(name, one.get("last"), one.get("next")) for name, one in agents.items()]
        rows = [[name, last or "–", _moment(following, zone)] for name, last, following in nights]
        print_table(rows, heads=[_("Agent"), _("Last night"), _("Next night")])
    home = state.get("home", {})
    for name, one in {**agents, "": home}.items():
        for job, tried in one.get("jobs", {}).items():
            if tried["tries"]:
                again = _moment(tried["again"], zone)
                facts = {"job": _(_JOBS.get(job, job)), "why": _(tried["why"]), "again": again}
                prefix = f"{name}: " if name else ""
                click.secho(prefix + _("{job} is waiting until {again}: {why}", **facts), fg="yellow")
    if backup := home.get("jobs", {}).get("backup"):
        why = f" ({_(backup['why'])})" if backup["why"] and not backup["tries"] else ""
        click.echo(_("Last backup: {when}", when=backup["day"] or "–") + why)


def _moment(text: str | None, zone: tzinfo) -> str:
    return when(datetime.fromisoformat(text), zone) if text else "–"


@command.make(
    "install",
    "Start the daemon whenever you log in. Writes a file for systemd or launchd.",
    "almario daemon install",
    "almario daemon install --print",
    "almario daemon install --remove",
    as_json=False,
)
@flag("--print", "Print the file without writing it.", "only_print")
@flag("--remove", "Remove the file again.", "is_unwanted")
def install(call: CommandCall, only_print: bool, is_unwanted: bool) -> None:
    wanted = units.unit(config.home_path(call.home))
    if only_print:
        click.echo(wanted.text, nl=False)
        return
    if is_unwanted:
        _uninstall(wanted)
        return
    units.install(wanted)
    print_line(_("{path} was written. Start the daemon, now and at every login, with:", path=wanted.path))
    print_below(wanted.enable)
    tell_of_store(call)


def _uninstall(wanted: units.Unit) -> None:
    if not units.uninstall(wanted):
        click.echo(_("{path} does not exist.", path=wanted.path))
        return
    print_line(_("{path} was removed. If the daemon is running, stop it with:", path=wanted.path))
    print_below(wanted.disable)
