"""What hooks are told while an agent cannot be written waits, and is kept with the next write."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from time import time_ns

import apsw
import pytest

from almario.apps.hooks import HookQuestion, hooking
from almario.apps.hooks.clients import read_call
from almario.conversation import companion
from almario.domain.late import Late
from almario.domain.turns import Turn
from almario.ports import Clock
from almario.soul import Soul
from almario.store import files, spool
from almario.store.files import locked
from almario.testing import FixedClock
from almario.wiring import open_soul, utc_now
from tests.apps.agent_transcripts import ClaudeCodeTranscript
from tests.apps.conftest import Run
from tests.apps.hooked import BOAT, recorded

# What a client tells in one session, and what of it stands in the transcript.
EVENTS = (
    ("session-start", ""),
    ("user-prompt", "Where does the Gaviota lie?"),
    ("stop", "In Cádiz."),
    ("user-prompt", "Remember that I row every morning."),
    ("stop", "Noted."),
    ("session-end", ""),
)
SAID = [text for _, text in EVENTS if text]


def told(event: str, text: str = "") -> bytes:
    return recorded("claude-code", event, text, session="s1", folder=BOAT)


@contextmanager
def held(home: Path) -> Iterator[None]:
    """Hold the lock of the agent, as a process does that takes very long to write."""
    with locked(home / "agents" / "default" / ".lock", seconds=5):
        yield


def spooled(home: Path) -> list[Path]:
    return sorted((home / "spool").glob("*.json"))


def said(home: Path, clock: Clock = utc_now) -> list[Turn]:
    """Return what was said in the session; whoever opens the agent takes in what waits."""
    with open_soul(home, clock=clock) as soul:
        [view] = [each for each in soul.sessions.list() if each.session.startswith("claude-code")]
        return [turn for turn in soul.sessions.turns(view.session) if turn.role != "system"]


class Passing:
    """Time, as whoever waits for a lock sees it: waiting takes none."""

    time_ns = staticmethod(time_ns)

    def __init__(self) -> None:
        self.waited = 0.0

    def monotonic(self) -> float:
        return self.waited

    def sleep(self, seconds: float) -> None:
        self.waited += seconds


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Passing:
    passing = Passing()
    monkeypatch.setattr(files, "time", passing)
    return passing


@pytest.fixture
def hook(
    monkeypatch: pytest.MonkeyPatch, home: Path, soul: Soul, clock: FixedClock, passing: Passing
) -> Callable[..., str]:
    """Run a hook as its process does, but at the time that the clock tells, and without learning."""
    soul.remember("boat: the Gaviota lies in Cádiz", place="work")
    soul.close()
    monkeypatch.setattr(hooking, "learn_apart", lambda *_: None)
    monkeypatch.setattr(hooking, "open_soul", lambda *a, **k: open_soul(*a, **{**k, "clock": clock}))

    def run(event: str, text: str = "", ref: str = "") -> str:
        asked = HookQuestion(event, str(home), ref=ref or os.urandom(8).hex())
        return hooking.run(asked, told(event, text), {})

    return run


def test_where_nothing_can_be_written_the_model_is_told_what_comes_to_mind_and_the_owner_that_it_is_not_kept(
    hook: Callable[..., str], home: Path
) -> None:
    (home / "spool").write_text("no folder")

    with held(home):
        begun, heard = (json.loads(hook(event, text)) for event, text in EVENTS[:2])

    for answer in (begun, heard):
        assert "what you say here is not kept: " in answer["systemMessage"]
        assert "the Gaviota lies in Cádiz" in answer["hookSpecificOutput"]["additionalContext"]


def test_every_message_is_kept_once_though_another_process_holds_the_lock(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    with held(home):
        for event, text in EVENTS[3:5]:
            hook(event, text)
        assert len(spooled(home)) == 2

    assert [turn.text for turn in said(home, clock)] == SAID[2:]
    assert spooled(home) == []
    with open_soul(home, clock=clock) as again:
        assert [memory.value for memory in again.memory.core()].count("I row every morning") == 1


def test_every_message_is_kept_once_though_another_program_holds_the_index(
    hook: Callable[..., str], home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooking, "_COLD", {**hooking._COLD, "locks.seconds": 0.01})
    [index] = (home / "agents").glob("*/.index/*.db")
    with contextlib.closing(apsw.Connection(str(index))) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value")
        for event, text in EVENTS:
            hook(event, text)

    assert [turn.text for turn in said(home, clock)] == SAID
    assert spooled(home) == []


def test_a_held_lock_holds_up_no_hook(hook: Callable[..., str], home: Path, passing: Passing) -> None:
    with held(home):
        for event, text in EVENTS:
            passing.waited = 0.0
            hook(event, text)
            assert passing.waited < 0.5, event  # of two seconds; the rest is its own work


def test_before_a_tool_a_held_lock_holds_up_nothing_and_no_call_is_held_that_cannot_be_kept(
    hook: Callable[..., str], home: Path, passing: Passing
) -> None:
    settings = home / "almario.toml"
    settings.write_text('[hooks]\nhold = "rules"\n')
    with open_soul(home) as soul:
        soul.remember("Never push to main.", place="work")
    with held(home):
        answer = hook("pre-tool-use", "git push origin main")
        assert passing.waited < 0.5
        assert "deny" not in answer
    assert "deny" in hook("pre-tool-use", "git push origin main")
    assert "deny" not in hook("pre-tool-use", "git push origin main")


def test_what_comes_to_mind_is_told_though_nothing_can_be_written(
    hook: Callable[..., str], home: Path
) -> None:
    with held(home):
        first, second = (hook("user-prompt", "Where does the Gaviota lie?") for _ in range(2))

    assert "the Gaviota lies in Cádiz" in first
    assert second == ""  # it was told before


def test_messages_keep_their_order_and_their_times(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    hook("user-prompt", "One")
    with held(home):
        clock.advance(minutes=1)
        hook("stop", "Two")
        clock.advance(hours=1)
        hook("user-prompt", "Three")
    clock.advance(hours=1)
    hook("stop", "Four")

    turns = said(home, clock)
    assert [turn.text for turn in turns] == ["One", "Two", "Three", "Four"]
    first = turns[0].at
    minutes = [(turn.at - first) // timedelta(minutes=1) for turn in turns]
    assert minutes == [0, 1, 61, 121]


def test_behind_much_that_waits_a_message_waits_too_and_all_is_kept_in_its_order(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    waiting = spool.HomeSpool(home, "default")
    session = read_call("user-prompt", told("user-prompt", "One"), environment={}).session
    for number in range(20):
        waiting.add(Late("stop", session, f"Answer {number}", f"r{number}", clock()))
        clock.advance(seconds=1)

    assert "in Cádiz" in hook("user-prompt", "Where does the Gaviota lie?")

    assert len(spooled(home)) == 20 - companion._BEFORE + 1
    turns = [turn.text for turn in said(home, clock)]
    assert turns == [*(f"Answer {number}" for number in range(20)), "Where does the Gaviota lie?"]


def test_what_waits_is_read_once(home: Path, soul: Soul, clock: FixedClock) -> None:
    soul.close()
    own = Late("stop", "claude-code:s1", "Mine", "r1", clock())
    waiting = spool.HomeSpool(home, "default")
    waiting.add(own)
    assert waiting.waiting() == [own]

    [path] = spooled(home)
    there = os.stat(path)
    path.chmod(0)
    os.utime(path, ns=(there.st_atime_ns, there.st_mtime_ns))

    waiting.taken(own)
    assert waiting.waiting() == []


def test_who_is_killed_after_taking_it_in_leaves_nothing_to_be_kept_twice(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    with held(home):
        for event, text in EVENTS:
            hook(event, text)
    copies = {path: path.read_bytes() for path in spooled(home)}
    assert [turn.text for turn in said(home, clock)] == SAID

    for path, content in copies.items():  # as if it had been killed before it could remove them
        path.write_bytes(content)

    assert [turn.text for turn in said(home, clock)] == SAID
    assert spooled(home) == []


def test_a_process_that_dies_in_the_middle_loses_nothing_and_doubles_nothing(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    with held(home):
        for event, text in EVENTS:
            hook(event, text)
    script = (
        "import os, signal; from almario.store import spool; from almario.wiring import open_soul\n"
        "taken = spool.HomeSpool.taken\n"
        "def die(self, late): os.kill(os.getpid(), 9) if late.event == 'user-prompt' else taken(self, late)\n"
        "spool.HomeSpool.taken = die\n"
        f"open_soul({str(home)!r})"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL

    assert [turn.text for turn in said(home, clock)] == SAID


def test_what_was_done_is_kept_by_a_later_stop_after_a_held_lock_or_a_kill(
    hook: Callable[..., str], home: Path, clock: FixedClock, tmp_path: Path
) -> None:
    transcript = ClaudeCodeTranscript(tmp_path)
    hook("user-prompt", "Build it.")
    transcript.ran("make all", "built", at=clock.now)
    stop = recorded(
        "claude-code", "stop", "Built.", session="s1", folder=BOAT, transcript_path=str(transcript.path)
    )
    with held(home):
        hooking.run(HookQuestion("stop", str(home), ref="r1"), stop, {})
    script = (
        "import os, sys; from almario.conversation import companion\n"
        "from almario.apps.hooks import HookQuestion, hooking\n"
        "companion.told_as_turns = lambda *_: os.kill(os.getpid(), 9)\n"
        f"hooking.run(HookQuestion('stop', {str(home)!r}, ref='r2'), sys.stdin.buffer.read(), {{}})"
    )
    done = subprocess.run([sys.executable, "-c", script], input=stop, check=False)
    assert done.returncode == -signal.SIGKILL

    for ref in ("r3", "r4"):
        hooking.run(HookQuestion("stop", str(home), ref=ref), stop, {})
    assert [turn.text for turn in said(home, clock) if turn.role == "tool"] == ["`make all`: built"]


def test_nothing_secret_waits_on_the_disk(
    hook: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_REDACTION_TRANSCRIPTS", "true")
    key = "sk-ant-" + "api03-" + "Zx9" * 30
    with held(home):
        hook("user-prompt", f"My key is {key}")
    assert key not in "".join(path.read_text() for path in spooled(home))


def test_what_waits_off_the_record_is_told_out_of_mind_and_gone_when_the_session_ends(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    with held(home):
        shown = hook("user-prompt", "Off the record: I am leaving my job.")
        hook("stop", "You leave your job? I keep that to myself.")
    assert "off the record: this is erased when the session ends" in json.loads(shown)["systemMessage"]

    with open_soul(home, clock=clock) as soul:
        assert soul.recall("leaving my job") == []
    assert spooled(home) == []
    assert [turn.text for turn in said(home, clock)] == ["Off the record: I am leaving my job.", ""]
    hook("session-end")
    assert "leav" not in "".join(turn.text for turn in said(home, clock))


def test_nobody_is_told_to_bring_back_what_is_gone_with_the_process(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    shown = hook("user-prompt", "Off the record: I am leaving my job.")
    hook("user-prompt", "My boss is Greta.")
    taken_back = hook("user-prompt", "forget what I just said")

    assert "off the record" in shown
    assert "keep" not in shown
    assert "keep" in taken_back


def test_one_word_brings_back_what_waited_off_the_record(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    with held(home):
        hook("user-prompt", "Off the record: I am leaving my job.")
    hook("user-prompt", "keep")
    hook("session-end")

    assert [turn.text for turn in said(home, clock)] == ["Off the record: I am leaving my job.", "keep"]
    with open_soul(home, clock=clock) as soul:
        assert soul.recall("leaving my job") != []


def test_a_message_that_cannot_be_read_is_named_and_stays(
    hook: Callable[..., str], home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_LOCKS_SECONDS", "0.1")
    with held(home):
        hook("user-prompt", "One")
        hook("stop", "Two")
        assert "! hooks: 2 messages wait to be taken in" in run("doctor").out
    broken, whole = spooled(home)
    broken.write_bytes(broken.read_bytes()[:-9])

    run("sessions")  # takes in what can be read
    examined = run("doctor")
    assert f"spool/{broken.name} cannot be read" in examined.out
    assert examined.code == 1
    assert broken.exists()
    assert not whole.exists()
    assert len(said(home)) == 1


def test_a_server_takes_in_what_waits_before_the_next_message(
    hook: Callable[..., str], home: Path, clock: FixedClock
) -> None:
    server = open_soul(home, clock=clock)
    with held(home):
        hook("user-prompt", "One")
        hook("stop", "Two")
    call = read_call("user-prompt", told("user-prompt", "Three"), environment={}, ref="r3")
    hooking.answered(server, call, lambda _: None)
    server.close()

    assert [turn.text for turn in said(home, clock)] == ["One", "Two", "Three"]


def test_each_agent_takes_in_only_its_own(home: Path, soul: Soul, clock: FixedClock) -> None:
    soul.close()
    own = Late("user-prompt", "claude-code:s1", "Mine", "r1", clock())
    spool.HomeSpool(home, "Default").add(own)
    spool.HomeSpool(home, "").add(own._replace(text="Whoever is meant", ref="r2"))
    spool.HomeSpool(home, "other").add(own._replace(text="Another's", ref="r3"))

    assert [turn.text for turn in said(home, clock)] == ["Mine", "Whoever is meant"]
    [left] = spooled(home)
    assert json.loads(left.read_text())["text"] == "Another's"


def test_what_is_said_while_the_database_is_away_waits(
    home: Path, soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.close()
    with monkeypatch.context() as away:
        away.setenv("ALMARIO_STORE", "postgres://nobody@127.0.0.1:1/none")
        hooking.run(HookQuestion("user-prompt", str(home), ref="r1"), told("user-prompt", "Hello there"), {})
    assert len(spooled(home)) == 1

    assert [turn.text for turn in said(home)] == ["Hello there"]


def test_what_is_said_is_written_down_before_anything_is_waited_for_and_nobody_else_keeps_it_meanwhile(
    hook: Callable[..., str], home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> Soul:
        [slip] = spooled(home)
        assert "I row every morning" in slip.read_text()
        assert spool.HomeSpool(home, "", lambda: True).waiting() == []
        raise SystemExit

    with monkeypatch.context() as there:
        there.setattr(hooking, "open_soul", killed)
        with pytest.raises(SystemExit):
            hook(*EVENTS[3])
    assert [turn.text for turn in said(home, clock)] == [EVENTS[3][1]]
    assert spooled(home) == []
    hook(*EVENTS[4])
    assert spooled(home) == []
