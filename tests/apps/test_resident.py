"""The process that stays for hooks: one for each home, for its owner alone, and never to anybody's harm."""

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.apps.daemon import apart
from almario.apps.hooks import HookQuestion, entry, hooking, resident
from almario.apps.hooks.resident import Resident
from almario.domain.places import WORK
from almario.served import RESIDENT_FILE, resident_at
from almario.soul import Soul
from almario.store.files import identity
from almario.wiring import open_soul
from tests.apps.conftest import Run
from tests.apps.hooked import BOAT, recorded
from tests.tables import each_row
from tests.waiting import PATIENCE, comes_true

Hook = Callable[..., str]
FACT, QUESTION = "The boat in Cádiz is called Gaviota.", "How is the boat in Cádiz called?"


def told(event: str, text: str = "", session: str = "s1") -> bytes:
    return recorded("claude-code", event, text, session=session, folder=BOAT)


class Ticking:
    """A clock that shows what it is set to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(autouse=True)
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMARIO_HOOKS_RESIDENT_MINUTES", "30")
    monkeypatch.setattr(resident, "learn_apart", lambda *_: learned_at_once())


def learned_at_once() -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(["true"])
    process.returncode = 0  # as one that outlives us
    return process


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What was started to stay, which none really was."""
    found: list[tuple[str, str]] = []
    monkeypatch.setattr(apart, "start_answering", lambda *given: found.append(given))
    monkeypatch.setattr(hooking, "learn_apart", lambda *_: None)
    return found


@contextmanager
def staying(home: Path, agent: str | None = "", **given: Any) -> Iterator[Resident]:
    """One that stays, in a thread."""
    with Resident(home, **given) as one:
        thread = threading.Thread(target=one.run, args=(agent,))
        before = identity(home / RESIDENT_FILE)
        thread.start()
        try:
            assert comes_true(lambda: identity(home / RESIDENT_FILE) not in (None, before))
            yield one
        finally:
            one.stop()
            thread.join()


@contextmanager
def processes(*commands: list[str], **given: Any) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Processes of their own, all ended when this is over."""
    begun = [subprocess.Popen(words, stdin=subprocess.DEVNULL, **given) for words in commands]
    try:
        yield begun
    finally:
        for each in begun:
            each.kill()
            each.wait()


def test_the_first_hook_lets_a_process_stay_and_the_next_is_answered_by_it(
    hook: Hook, soul: Soul, home: Path, started: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Alma" in hook(told("session-start"), "session-start")
    hook(told("user-prompt", FACT), "user-prompt")
    assert started == [(str(home), soul.id)]  # once, though it is not there yet

    with staying(home):
        monkeypatch.setattr(hooking, "run", None)  # whoever does it by himself fails
        hook(told("stop", "Noted."), "stop")
        assert "Gaviota" in hook(told("user-prompt", QUESTION, "s2"), "user-prompt")

    assert len(soul.sessions.list()) == 2
    assert not (home / "logs" / "hooks.jsonl").exists()
    assert resident_at(home) == ("", 0)


def test_it_finds_by_meaning_what_has_none_of_the_words(
    hook: Hook, soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch, started: object
) -> None:
    soul.remember("My car is in the workshop")
    question = "Where is my vehicle?"
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "local")

    with staying(home):
        assert "workshop" in hook(told("user-prompt", question), "user-prompt")

    assert hook(told("user-prompt", question, "s2"), "user-prompt") == ""  # by words


def test_where_it_cannot_be_started_the_hook_answers_all_the_same(
    hook: Hook, soul: Soul, home: Path, started: list[object]
) -> None:
    (home / "run").write_text("in the way")

    assert "Alma" in hook(told("session-start"), "session-start")

    assert started == []


@each_row(("minutes", "enabled"), [("0", "true"), ("30", "false")])
def test_it_is_not_started_if_nobody_wants_it(
    soul: Soul,
    home: Path,
    hook: Hook,
    started: list[object],
    monkeypatch: pytest.MonkeyPatch,
    *,
    minutes: str,
    enabled: str,
) -> None:
    monkeypatch.setenv("ALMARIO_HOOKS_RESIDENT_MINUTES", minutes)
    monkeypatch.setenv("ALMARIO_HOOKS_ENABLED", enabled)

    hook(told("session-start"), "session-start")

    assert started == []
    with Resident(home) as one:
        assert minutes != "0" or not one.run("")


def test_of_ten_that_ten_hooks_begin_at_once_one_stays(soul: Soul, home: Path) -> None:
    script = (
        "import os, signal; from almario.apps.hooks.resident import stay\n"
        "for _ in range(10):\n"
        "    if not os.fork():\n"
        "        stay(None, '', {}); os._exit(0)\n"
        "ended = {os.wait() for _ in range(9)}\n"
        "print(len(ended), {code for _, code in ended}, flush=True); os.wait()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as racing:
        assert racing.stdout
        assert racing.stdout.readline() == "9 {0}\n"
        assert comes_true(lambda: resident_at(home)[1])
        with Resident(home) as later:
            assert not later.run("")
        os.kill(resident_at(home)[1], signal.SIGTERM)

    assert racing.returncode == 0
    assert resident_at(home) == ("", 0)


def test_it_ends_when_nobody_has_asked_for_a_while_and_not_before(
    hook: Hook, soul: Soul, home: Path, started: object
) -> None:
    clock = Ticking()
    with staying(home, clock=clock) as one:
        clock.seconds = 29 * 60
        hook(told("user-prompt", FACT), "user-prompt")
        clock.seconds = 58 * 60
        hook(told("stop", "Noted."), "stop")
        assert resident_at(home)[1]

        def is_gone() -> bool:
            clock.seconds += 31 * 60
            one.check()
            return not resident_at(home)[1]

        assert comes_true(is_gone)

    assert [each.name for each in (home / "run").iterdir()] == ["program.claude-code.heard.json"]
    assert len(soul.sessions.turns(soul.sessions.list()[0].session)) == 2


def test_sessions_in_which_nobody_has_spoken_for_five_minutes_are_learned_from(
    hook: Hook, soul: Soul, home: Path, started: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned: list[tuple[str, ...]] = []

    def learn(*given: str) -> "subprocess.Popen[bytes]":
        learned.append(given)
        return learned_at_once()

    monkeypatch.setattr(resident, "learn_apart", learn)
    clock = Ticking()
    with staying(home, clock=clock) as one:
        hook(told("user-prompt", FACT), "user-prompt")
        hook(told("stop", "Noted."), "stop")
        clock.seconds = 4 * 60
        hook(told("user-prompt", FACT, "s2"), "user-prompt")
        assert learned == []
        clock.seconds = 5 * 60
        one.check()
        assert comes_true(lambda: bool(learned))
        clock.seconds = 8 * 60
        hook(told("stop", "Noted.", "s2"), "stop")

    assert learned == [(str(home), soul.id, "")]


@each_row("change", ["home", "version", "socket", "setting"])
def test_it_leaves_when_what_it_serves_is_no_longer_there(
    hook: Hook, soul: Soul, home: Path, started: object, monkeypatch: pytest.MonkeyPatch, *, change: str
) -> None:
    version, elsewhere = ["1"], home.with_name("elsewhere")
    with staying(home, version=lambda: version[0]) as one:
        address, _ = resident_at(home)
        if change == "home":
            home.rename(elsewhere)
            monkeypatch.setenv("ALMARIO_HOME", str(elsewhere))
        elif change == "version":
            version[0] = "2"
        elif change == "socket":
            os.unlink(address)
        else:
            (home / "almario.toml").write_text("[hooks]\nresident_minutes = 0\n")
            monkeypatch.delenv("ALMARIO_HOOKS_RESIDENT_MINUTES")
        hook(told("user-prompt", FACT), "user-prompt")  # it is kept, and where the home is now
        one.check()
        assert comes_true(lambda: not os.path.exists(address))

    found = elsewhere if change == "home" else home
    assert len(list((found / "agents" / "default" / "sessions").glob("*.jsonl"))) == 1
    if change == "home":
        assert not home.exists()
        elsewhere.rename(home)


def test_it_leaves_if_another_version_was_installed_while_it_began(home: Path, soul: Soul) -> None:
    soul.close()
    version = ["1"]
    with Resident(home, version=lambda: version[0]) as one:
        version[0] = "2"
        thread = threading.Thread(target=one.run, daemon=True)
        thread.start()
        try:
            assert comes_true(lambda: not thread.is_alive())
        finally:
            one.stop()
            thread.join()


def test_what_is_meant_for_a_copy_of_the_home_is_kept_there(
    hook: Hook, soul: Soul, home: Path, tmp_path: Path, started: object
) -> None:
    with staying(home):
        shutil.copytree(home, tmp_path / "copy", ignore=shutil.ignore_patterns("*.sock"))
        assert resident_at(tmp_path / "copy")[0]  # the file came along

        hook(told("user-prompt", FACT), "user-prompt", "--home", str(tmp_path / "copy"))

    assert soul.sessions.list() == []
    assert list((tmp_path / "copy" / "agents" / "default" / "sessions").glob("*.jsonl"))


def test_a_hook_with_other_settings_in_its_environment_does_it_by_itself(
    hook: Hook, soul: Soul, home: Path, started: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.remember("boat: the Gaviota lies in Cádiz", place=WORK)
    with staying(home), monkeypatch.context() as other:
        environment = dict(os.environ)
        other.setattr(resident, "settings_in", lambda _: entry.settings_in(environment))
        other.setenv("ALMARIO_HOOKS_CAPTURE", "false")

        assert "Gaviota" in hook(told("user-prompt", "Where does the Gaviota lie?"), "user-prompt")

    assert soul.sessions.list() == []


def test_nobody_but_the_owner_can_open_its_socket(soul: Soul, home: Path) -> None:
    with staying(home):
        address, _ = resident_at(home)
        assert stat.S_IMODE(os.stat(address).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(os.path.dirname(address)).st_mode) == 0o700
        assert stat.S_IMODE(os.stat(home / RESIDENT_FILE).st_mode) == 0o600

        os.chmod(address, 0o666)  # one that others could have made is not asked
        assert resident_at(home) == ("", 0)


def test_where_the_homes_path_is_too_long_for_a_socket_it_is_in_a_folder_of_the_owners(
    soul: Soul, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "_LONGEST_ADDRESS", 10)
    with staying(home):
        address, _ = resident_at(home)
        assert not address.startswith(str(home))
        assert stat.S_IMODE(os.stat(os.path.dirname(address)).st_mode) == 0o700

    assert not os.path.exists(os.path.dirname(address))


def test_what_one_that_was_killed_left_behind_hinders_nobody(
    hook: Hook, soul: Soul, home: Path, started: list[object], run: Run
) -> None:
    (home / "run").mkdir(0o700)
    dead = home.with_name("s")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(dead))
    os.chmod(dead, 0o600)
    left = {"socket": str(dead), "pid": 2**22 + 1}
    for pid in (2**22 + 1, os.getpid()):  # gone, or another process has its number
        (home / RESIDENT_FILE).write_text(json.dumps({**left, "pid": pid}))
        assert "Alma" in hook(told("session-start", session=f"s{pid}"), "session-start")
    assert len(started) == 1
    shutil.copy(home / RESIDENT_FILE, home / "run" / "hooks.sock")
    assert "not running" in run("daemon", "stop").out  # and nothing of ours is stopped

    with staying(home):
        assert resident_at(home)[0] != str(dead)
    assert not (home / "logs" / "hooks.jsonl").exists()


def test_one_that_hangs_twice_is_then_left_alone(
    hook: Hook, soul: Soul, home: Path, started: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[str] = []
    hangs = threading.Event()

    def hang(_: Resident, name: str, __: object) -> tuple[int, str]:
        requests.append(name)
        hangs.wait(60)
        return 500, ""

    monkeypatch.setattr(Resident, "_answered", hang)
    monkeypatch.setattr(entry, "_ANSWER", 0.2)
    with staying(home):
        os.utime(home / RESIDENT_FILE, (1, 1))  # it has run for longer
        hook(told("user-prompt", FACT), "user-prompt")
        assert not entry._is_silent(str(home), RESIDENT_FILE)  # one slow answer silences nobody
        hook(told("user-prompt", "The mast is new.", "s0"), "user-prompt")
        assert entry._is_silent(str(home), RESIDENT_FILE)
        assert "Gaviota" in hook(told("user-prompt", QUESTION, "s2"), "user-prompt")
        hangs.set()

    assert len(requests) < 3  # whoever came third did not ask
    assert len(soul.sessions.list()) == 3


@each_row("is_kept", [True, False])
def test_one_that_is_killed_in_the_middle_of_a_message_loses_nothing_and_doubles_nothing(
    hook: Hook, soul: Soul, home: Path, started: object, *, is_kept: bool
) -> None:
    soul.remember("boat: the Gaviota lies in Cádiz")
    wish = "Remember that I row. Where does the Gaviota lie?"
    script = (
        "import os; from almario.apps.hooks import resident\n"
        "answered = resident.answered\n"
        "def die(*given):\n"
        f"    {'answered(*given)' if is_kept else 'pass'}\n"
        "    os.kill(os.getpid(), 9)\n"
        "resident.answered = die\n"
        "resident.stay(None, '', {})"
    )
    session = f"s{is_kept}"
    with processes([sys.executable, "-c", script]) as [process]:
        assert comes_true(lambda: resident_at(home)[1])
        said = hook(told("user-prompt", wish, session), "user-prompt")
        assert process.wait() == -signal.SIGKILL

    assert "the Gaviota lies in Cádiz" in said
    assert "I row" in said
    [view] = [each for each in soul.sessions.list() if each.session.endswith(session)]
    assert [turn.text for turn in soul.sessions.turns(view.session)] == [wish]
    assert len([each for each in soul.memory.list() if "row" in each.value]) == 1


def test_an_agent_that_is_not_at_hand_is_brought_while_the_hook_does_it_by_itself(
    hook: Hook, soul: Soul, home: Path, started: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as slow:
        slow.setattr(Resident, "_bring", lambda *_: None)
        slow.setattr(hooking, "run", lambda *_: "by itself")
        with staying(home, None):
            assert hook(told("user-prompt", FACT), "user-prompt") == "by itself\n"

    with staying(home, None):
        monkeypatch.setattr(hooking, "run", lambda *_: "by itself")
        assert comes_true(lambda: hook(told("user-prompt", "Hi", "s2"), "user-prompt") != "by itself\n")

    assert not (home / "logs" / "hooks.jsonl").exists()


NO_CALLS = [b"", b"GET / HTTP/1.0\r\n\r\n", b"POST / HTTP/1.0\r\ncontent-length: 2\r\n\r\n[]"]


@each_row("heard", NO_CALLS)
def test_what_is_no_call_is_refused(soul: Soul, home: Path, *, heard: bytes) -> None:
    with staying(home), socket.socket(socket.AF_UNIX) as asking:
        asking.connect(resident_at(home)[0])
        asking.sendall(heard)
        asking.shutdown(socket.SHUT_WR)
        assert b" 400 " in asking.recv(999)


class Held:
    """Calls that are answered when a test wants it, and whose they are."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, agent: str = "default") -> None:
        self.names: list[str] = []
        self.go_on = threading.Event()
        really = Resident._answered

        def answered(one: Resident, name: str, given: Mapping[str, Any]) -> tuple[int, str]:
            self.names.append(name)
            if name == agent:
                self.go_on.wait(PATIENCE)
            return really(one, name, given)

        monkeypatch.setattr(Resident, "_answered", answered)
        monkeypatch.setattr(resident, "_VERDICT", PATIENCE)
        monkeypatch.setattr(entry, "_ANSWER", PATIENCE)
        # Whoever does it without the one that stays fails.
        monkeypatch.setattr(hooking, "run", None)


def asking(home: Path, text: str, agent: str = "", session: str = "s1") -> threading.Thread:
    """Ask the one that stays, in a thread, as a hook does."""
    question = HookQuestion("user-prompt", str(home), agent, ref=text.encode().hex())
    call = (question, told("user-prompt", text, session))

    def ask() -> None:
        with suppress(entry.Crowded):
            entry.by_server(*call)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


def said_in(soul: Soul) -> list[str]:
    return [turn.text for view in soul.sessions.list() for turn in soul.sessions.turns(view.session)]


def spooled(home: Path) -> int:
    return len(list((home / "spool").glob("*.json")))


def test_who_finds_no_room_is_sent_away_at_once_and_what_it_told_is_kept_once_it_is_quiet(
    hook: Hook, soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "_ROOM", 2)
    monkeypatch.setattr(resident, "_QUIET", 0.0)
    held = Held(monkeypatch)
    with staying(home):
        first = asking(home, FACT)
        assert comes_true(lambda: held.names)

        assert hook(told("user-prompt", QUESTION, "s2"), "user-prompt") == ""
        assert (len(held.names), spooled(home)) == (1, 1)

        held.go_on.set()
        first.join()
        assert comes_true(lambda: not spooled(home))
    assert sorted(said_in(soul)) == sorted([FACT, QUESTION])
    assert not (home / "logs" / "hooks.jsonl").exists()


def test_what_waits_is_kept_once_it_is_quiet_though_nobody_is_answered(
    soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "_ROOM", 0)
    monkeypatch.setattr(resident, "_QUIET", 0.0)
    first, second = (HookQuestion("user-prompt", str(home), "default", ref=ref) for ref in ("a", "b"))
    with staying(home):
        hooking.put_by(first, told("user-prompt", FACT), os.environ)
        assert spooled(home) == 1
        with pytest.raises(entry.Crowded):
            entry.by_server(second, told("user-prompt", QUESTION))
        assert comes_true(lambda: not spooled(home))
    assert said_in(soul) == [FACT]


def test_who_would_wait_long_for_its_turn_is_sent_away(
    hook: Hook, soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    monkeypatch.setattr(resident, "_VERDICT", 0.0)
    with staying(home):
        first = asking(home, FACT)
        assert comes_true(lambda: held.names)
        assert hook(told("user-prompt", QUESTION, "s2"), "user-prompt") == ""
        assert len(held.names) == 1
        held.go_on.set()
        first.join()
    with open_soul(home):
        assert sorted(said_in(soul)) == sorted([FACT, QUESTION])


def test_an_agent_is_answered_while_calls_of_another_fill_the_room(
    hook: Hook, soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with almario.create(home, "other") as other:
        other.remember("boat: the Gaviota lies in Cádiz", place=WORK)
    held = Held(monkeypatch, agent="other")
    with staying(home, "other"):
        begin = (HookQuestion("session-start", str(home), "default", ref="b"), told("session-start"))
        assert comes_true(lambda: entry.by_server(*begin) is not None)  # it is at hand, too
        filling = [asking(home, f"Message {number}", "other", f"s{number}") for number in range(20)]
        assert comes_true(lambda: held.names)

        assert "Alma" in hook(told("session-start", session="s2"), "session-start", "--agent", "default")
        held.go_on.set()
        for each in filling:
            each.join()


def test_where_nothing_is_to_be_kept_who_is_sent_away_lets_nothing_wait(
    hook: Hook, soul: Soul, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_HOOKS_CAPTURE", "false")
    monkeypatch.setattr(resident, "_ROOM", 0)
    monkeypatch.setattr(hooking, "run", None)
    with staying(home):
        assert hook(told("user-prompt", QUESTION), "user-prompt") == ""

    assert spooled(home) == 0


def test_it_ends_soon_after_a_signal_though_an_answer_hangs(soul: Soul, home: Path) -> None:
    script = (
        "import threading; from almario.apps.daemon import bounds; from almario.apps.hooks import resident\n"
        "resident.answered = lambda *_: print('hangs', flush=True) or threading.Event().wait()\n"
        "resident._GRACE, bounds.END = 600, 0.1\n"
        "resident.stay(None, '', {})"
    )
    soul.close()
    command = [sys.executable, "-c", script]
    with processes(command, stdout=subprocess.PIPE) as [process], socket.socket(socket.AF_UNIX) as asking:
        assert comes_true(lambda: resident_at(home)[1])
        asking.connect(resident_at(home)[0])
        call = {"event": "user-prompt", "told": told("user-prompt", FACT).decode(), "environment": {}}
        call |= {"agent": "", "client": "", "ref": "r", "home": str(home)}
        body = json.dumps(call | {"settings": entry.settings_in(os.environ)}).encode()
        asking.sendall(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        assert process.stdout
        with process.stdout:
            assert process.stdout.readline() == b"hangs\n"
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_the_daemon_answers_hooks_and_a_command_names_and_stops_who_does(
    soul: Soul, home: Path, run: Run
) -> None:
    soul.close()
    for words in ([], ["--hooks"]):
        command = [sys.executable, "-m", "almario", "daemon", *words]
        with processes(command, stdout=subprocess.DEVNULL) as [process]:
            assert comes_true(lambda: resident_at(home)[1])
            assert json.loads(run("daemon", "status", "--json").out)["hooks"] == process.pid
            assert f"process {process.pid} answers them, by meaning too" in run("doctor").out
            assert "has stopped" in run("daemon", "stop").out
            assert process.wait() == 0
    assert "not running" in run("daemon", "stop").out
