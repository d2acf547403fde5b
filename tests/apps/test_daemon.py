"""The daemon as a process: one at a time, told what to do by signals; its commands and its units."""

import json
import os
import plistlib
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from almario.apps.daemon import apart, running, units
from almario.apps.daemon import process as processes
from almario.apps.daemon.process import Daemon, Signals
from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring import daemon_status
from almario.wiring.daemon_parts import housekeeping
from tests.apps.conftest import Run
from tests.effort import every
from tests.waiting import PATIENCE, comes_true, where_it_is_noon


class Daemons:
    """Starts daemons as processes of their own, and ends them all."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._started: list[subprocess.Popen[str]] = []

    def __call__(self, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "almario", "daemon", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "ALMARIO_WATCH_DEBOUNCE": "0.1", "ALMARIO_TIMEZONE": where_it_is_noon()},
        )
        self._started.append(process)
        return process

    def end(self) -> None:
        for process in self._started:
            if process.poll() is None:
                process.kill()
            process.communicate()


@pytest.fixture
def start(home: Path) -> Iterator[Daemons]:
    daemons = Daemons(home)
    yield daemons
    daemons.end()


def log_of(home: Path) -> list[dict[str, Any]]:
    path = home / "logs" / "daemon.jsonl"
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]  # one may be being written


def outcomes(home: Path, job: str = "") -> list[str]:
    """Return how a job went each time; without one, what became of the daemons themselves."""
    return [line["outcome"] for line in log_of(home) if line["job"] == job]


def is_kept_by(home: Path, process: subprocess.Popen[str]) -> bool:
    is_running, told = daemon_status(home)
    return is_running and told.get("pid") == process.pid


def jobs_noted(home: Path) -> dict[str, Any]:
    """Return what is written down of the jobs of the agent."""
    agents: dict[str, Any] = daemon_status(home)[1].get("agents", {})
    found: dict[str, Any] = agents.get("default", {}).get("jobs", {})
    return found


def test_two_daemons_do_the_work_once_and_the_second_takes_over(
    soul: Soul, home: Path, start: Daemons
) -> None:
    first = start()
    assert comes_true(lambda: is_kept_by(home, first))
    second = start("run")  # as the unit of 0.2.0 has it
    assert comes_true(lambda: "standby" in outcomes(home))
    # The night is due: the agent was made yesterday. What is not written down yet would be done again.
    assert comes_true(lambda: outcomes(home, "tidy"))
    first.send_signal(signal.SIGHUP)  # it writes it down sooner than by itself
    assert comes_true(lambda: "tidy" in jobs_noted(home))

    first.kill()  # as a power cut would
    first.wait(PATIENCE)
    second.send_signal(signal.SIGHUP)  # and this one looks sooner
    assert comes_true(lambda: is_kept_by(home, second))
    second.send_signal(signal.SIGHUP)
    assert comes_true(lambda: daemon_status(home)[1]["heartbeat"] > daemon_status(home)[1]["started"])
    second.terminate()

    assert second.wait(PATIENCE) == 0
    assert outcomes(home) == ["started", "standby", "started", "stopped"]
    assert outcomes(home, "tidy") == ["done"]


@pytest.mark.parametrize("is_replaced", every(2, [False, True], start=1))
def test_a_home_that_is_gone_is_kept_no_longer_and_not_made_anew(
    soul: Soul, home: Path, start: Daemons, is_replaced: bool
) -> None:
    process = start()
    assert comes_true(lambda: is_kept_by(home, process) and daemon_status(home)[1]["agents"])

    home.rename(home.with_name("moved"))
    if is_replaced:
        home.mkdir()
    process.send_signal(signal.SIGHUP)

    assert process.wait(PATIENCE) == 2
    assert process.stdout
    assert "no longer exists" in process.stdout.read()
    assert [str(path) for path in home.rglob("*")] == []
    assert home.exists() == is_replaced


def test_an_edit_by_hand_is_taken_in_while_it_runs(soul: Soul, home: Path, start: Daemons) -> None:
    soul.remember("gusto: el té")
    soul.close()
    process = start()
    assert comes_true(lambda: is_kept_by(home, process))
    path = soul.path / "MEMORY.md"
    assert comes_true(lambda: "default" in daemon_status(home)[1].get("agents", {}))

    path.write_text(path.read_text().replace("el té", "el té verde"))

    journal = soul.path / "journal" / "000000001.jsonl"
    assert comes_true(lambda: "el té verde" in journal.read_text())


def test_once_makes_one_round_and_ends(soul: Soul, home: Path, run: Run) -> None:
    result = run("daemon", "--once")

    assert result.code == 0
    assert "the daemon has started" in result.out
    assert outcomes(home) == ["started", "stopped"]
    assert list(daemon_status(home)[1]["agents"]) == ["default"]


def test_once_leaves_the_work_to_the_daemon_that_runs(
    soul: Soul, home: Path, start: Daemons, run: Run
) -> None:
    process = start()
    assert comes_true(lambda: is_kept_by(home, process))

    result = run("daemon", "--once")

    assert result.code == 0
    assert "another daemon is already running for this home" in result.out


class Told:
    """Waits for nothing: each wait brings what it was told to bring."""

    def __init__(self, *brings: Callable[[], list[int]]) -> None:
        self._brings = list(brings)

    def wait(self, seconds: float) -> list[int]:
        return self._brings.pop(0)()

    def wake(self) -> None:
        pass


def test_a_model_that_takes_its_time_does_not_hold_up_the_end(
    soul: Soul, home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, never = threading.Event(), threading.Event()

    def think(_: object) -> str:
        asked.set()
        never.wait(PATIENCE)
        return ""

    monkeypatch.setattr(processes, "_GRACE", 0.1)
    soul.append("cli:main", "user", "Tengo un gato.")
    clock.advance(hours=1)
    upkeep = housekeeping(home, settings={"watch.enabled": False}, clock=clock, llm=ScriptedLLM(think))

    def stop() -> list[int]:
        assert asked.wait(PATIENCE)
        return [signal.SIGTERM]

    Daemon(upkeep, Told(stop)).run()

    assert outcomes(home) == ["started", "stopped"]
    assert daemon_status(home)[0] is False
    never.set()


def test_a_hangup_reads_the_settings_again(soul: Soul, home: Path, clock: FixedClock) -> None:
    upkeep = housekeeping(home, settings={"watch.enabled": False}, clock=clock)
    renewed: list[bool] = []
    upkeep.rounds.renew = lambda: renewed.append(True)  # type: ignore[method-assign]

    Daemon(upkeep, Told(lambda: [signal.SIGHUP], lambda: [signal.SIGTERM])).run()

    assert renewed == [True]


def test_signals_are_waited_for() -> None:
    signals = Signals()
    with signals.caught():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signals.wait(PATIENCE) == [signal.SIGHUP]
        signals.wake()
        assert signals.wait(PATIENCE) == []
    assert signals.wait(0) == []


def test_the_status_tells_that_no_daemon_runs(soul: Soul, run: Run) -> None:
    result = run("daemon", "status")

    assert result.code == 1
    assert result.out == 'The daemon is not running; start it with "almario daemon start".\n'
    assert run("daemon", "stop").out == result.out


def test_a_daemon_is_started_in_the_background_and_stopped(soul: Soul, run: Run) -> None:
    started = run("daemon", "start")
    try:
        again, status = run("daemon", "start"), run("daemon", "status")
    finally:
        stopped = run("daemon", "stop")

    assert started.out == again.out == 'The daemon is running; "almario daemon stop" stops it.\n'
    assert (started.code, again.code, status.code) == (0, 0, 0)
    assert (stopped.code, stopped.out) == (0, "The daemon has stopped.\n")
    assert run("daemon", "status").code == 1


def test_a_daemon_that_has_only_just_begun_is_stopped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = iter([(True, {}), (True, {"pid": 7}), (False, {"pid": 7})])
    ended: list[int] = []
    monkeypatch.setattr(running, "daemon_here", lambda home: next(seen))
    monkeypatch.setattr("os.kill", lambda pid, signal: ended.append(pid))

    running.stop(Path("home"))

    assert ended == [7]


def test_a_daemon_that_cannot_start_says_why(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = [sys.executable, "-c", "import sys; sys.exit('Error: no room')"]
    monkeypatch.setattr(apart, "this_program", lambda: failing)

    result = run("daemon", "start")

    assert (result.code, result.err) == (2, "Error: the daemon did not start: no room\n")


def test_the_status_tells_nights_what_waits_and_why(soul: Soul, run: Run) -> None:
    run("daemon", "--once")

    result = run("daemon", "status")

    assert "default" in result.out
    assert "reflection is waiting until" in result.out
    assert "no model" in result.out


@pytest.mark.parametrize(
    "content",
    [
        '{"agents": [1], "home": 4, "started": "?"}',
        '{"agents": {"ana": 3, "eva": {"next": "soon", "last": 7, "jobs": {"learn": 3, "tidy": {}}}}}',
        '{"home": {"jobs": {"backup": {"tries": -9, "again": "x", "day": "z", "why": []}}}}',
    ],
)
def test_a_status_that_makes_no_sense_is_shown_as_far_as_it_does(
    home: Path, soul: Soul, run: Run, content: str
) -> None:
    (home / "daemon.json").write_text(content)

    assert run("daemon", "status").code == run("daemon", "status", "--json").code == 1


HOSTILE = Path('/tmp/it is 100% "my" $HOME\\folder')


def test_a_unit_says_how_this_program_keeps_this_home() -> None:
    text = units.service(["/opt/al mario/bin/almario", "daemon"], HOSTILE)

    assert text.startswith("# Written by")
    assert 'ExecStart="/opt/al mario/bin/almario" "daemon"' in text
    assert 'Environment="ALMARIO_HOME=/tmp/it is 100%% \\"my\\" $HOME\\\\folder"' in text
    assert "Restart=on-failure" in text


def test_no_folder_can_add_a_line_to_a_unit() -> None:
    plain = units.service(["/bin/almario"], Path("/home"))
    text = units.service(["/bin/almario"], Path("/home/\n[Service]\nExecStart=/bin/evil\udce9"))

    assert len(text.splitlines()) == len(plain.splitlines())
    assert 'ALMARIO_HOME=/home/\\012[Service]\\012ExecStart=/bin/evil\\351"' in text


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd")
@pytest.mark.parametrize("home", [Path("/home/ana/.almario"), HOSTILE, Path("/tmp/two\nlines \u2028ñ")])
def test_systemd_has_nothing_against_the_unit(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "almario.service"
    path.write_text(units.service([sys.executable, "-m", "almario", "daemon"], home))

    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
    )

    assert "almario.service" not in done.stderr, done.stderr


def test_a_property_list_says_the_same(tmp_path: Path) -> None:
    wanted = units.unit(HOSTILE, platform="darwin", environment={"HOME": str(tmp_path)})
    keys = plistlib.loads(wanted.text.encode())

    assert keys["ProgramArguments"][-1:] == ["daemon"]
    assert keys["EnvironmentVariables"] == {"ALMARIO_HOME": str(HOSTILE)}
    assert keys["KeepAlive"] == {"SuccessfulExit": False}
    assert wanted.path == tmp_path / "Library/LaunchAgents/org.almario.daemon.plist"


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_what_was_installed_can_be_replaced_and_removed(tmp_path: Path, platform: str) -> None:
    wanted = units.unit(tmp_path / "home", platform=platform, environment={"HOME": str(tmp_path)})

    units.install(wanted)
    units.install(wanted)
    assert wanted.path.read_text() == wanted.text

    assert units.uninstall(wanted)
    assert not units.uninstall(wanted)


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_file_for_another_home_stays(tmp_path: Path, platform: str) -> None:
    first, second = (
        units.unit(home, platform=platform, environment={"HOME": str(tmp_path)})
        for home in (HOSTILE, tmp_path / "other")
    )
    units.install(first)

    for change in (units.install, units.uninstall):
        with pytest.raises(SoulError, match="belongs to another home"):
            change(second)
    assert first.path.read_text() == first.text


def test_a_file_that_somebody_else_wrote_stays(tmp_path: Path) -> None:
    wanted = units.unit(tmp_path / "home", platform="linux", environment={"XDG_CONFIG_HOME": str(tmp_path)})
    wanted.path.parent.mkdir(parents=True)
    wanted.path.write_text("[Unit]\n")

    with pytest.raises(SoulError):
        units.install(wanted)
    with pytest.raises(SoulError):
        units.uninstall(wanted)
    assert wanted.path.read_text() == "[Unit]\n"


def test_install_prints_or_writes_the_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = units.unit(home).path

    printed = run("daemon", "install", "--print").out
    assert not path.exists()
    result = run("daemon", "install").out

    assert path.read_text() == printed
    assert str(path) in result
    assert run("daemon", "install", "--remove").code == 0
    assert not path.exists()


def test_the_night_of_the_home_makes_a_backup(soul: Soul, home: Path, run: Run) -> None:
    (home / "daemon.json").write_text('{"since": "2020-01-01T00:00:00+00:00"}')

    run("daemon", "--once")
    run("daemon", "--once")

    assert len(list((home / "backups").glob("*.tar.gz"))) == 1
    assert "Last backup: 20" in run("daemon", "status").out


def test_beside_a_chat_what_is_due_is_done_again_and_again_until_it_is_over() -> None:
    begun, waits, pauses = list[int](), list[float](), iter([False, False, False, True])

    def begin() -> None:
        begun.append(len(waits))
        if len(begun) == 2:
            raise BlockingIOError("no process")  # for lack of memory

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return next(pauses)

    apart.tend(begin, wait)

    assert begun == [1, 2, 3]
    assert waits == [60.0, 600.0, 600.0, 600.0]


def test_a_round_beside_a_chat_does_what_is_due_and_ends(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("init")
    monkeypatch.setattr(apart, "_FIRST_ROUND", 0.0)

    with apart.tended(str(home), settings={"timezone": where_it_is_noon()}):
        assert comes_true(lambda: daemon_status(home)[1].get("stopped"))
        assert comes_true(lambda: not daemon_status(home)[0])
