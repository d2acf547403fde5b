"""Learning in the background: each session once, nothing lost, and nobody has to wait for it."""

import json
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from almario.conversation import learning as module
from almario.conversation.flush import ALL, Flush, Flushed, Upto
from almario.conversation.learning import Learning
from almario.domain.memories import Wanted
from almario.domain.talk import Ask
from almario.domain.turns import Utterance
from almario.errors import SoulError, StoreError
from almario.ports import LLM
from almario.soul import Soul
from almario.store.files import locked
from almario.testing import FixedClock, ScriptedLLM

pytestmark = pytest.mark.light

ALREADY = timedelta()
# How long something may take on a busy machine that is not slow itself, in seconds.
LONG = 60.0
TEA = json.dumps(
    {
        "facts": [{"turns": [1], "value": "Le gusta el té", "key": "gusto"}],
        "episodes": [],
        "instructions": [],
        "summary": "",
    }
)


def flush_of(soul: Soul, llm: LLM | None) -> Flush:
    return Flush(soul._vault, soul.memory, soul.sessions, lambda: llm)


def say(soul: Soul, *sessions: str) -> None:
    for session in sessions:
        soul.memory.append(session, [Utterance("user", "Me gusta el té.", "owner")])


class Gate:
    """A model that answers when it is let."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.open = threading.Event()

    def __call__(self, ask: Ask) -> str:
        self.asked.set()
        assert self.open.wait(LONG)
        return TEA


def test_what_is_wanted_is_learned_and_told_once(soul: Soul) -> None:
    say(soul, "cli:main")
    learning = Learning(flush_of(soul, ScriptedLLM(TEA)))

    learning.want("cli:main")

    assert learning.wait(LONG)
    [done] = learning.news()
    assert [receipt.memory.text for receipt in done.news if receipt.memory] == ["gusto: Le gusta el té"]
    assert learning.news() == []


def test_what_is_considered_is_learned_from_when_enough_was_said(soul: Soul) -> None:
    learning = Learning(flush_of(soul, ScriptedLLM(TEA)))
    flushed = []
    for _ in range(6):
        say(soul, "cli:main")
        learning.consider("cli:main")
        assert learning.wait(LONG)
        flushed.append(soul.memory.session("cli:main").flushed)

    assert flushed == [0, 0, 0, 0, 0, 5]


def test_after_a_message_the_next_one_is_prepared_for(soul: Soul) -> None:
    prepared: list[int] = []
    learning = Learning(flush_of(soul, ScriptedLLM(TEA)), prepare=lambda: prepared.append(1))
    say(soul, "cli:main")

    learning.consider("cli:main")

    assert learning.wait(LONG)
    assert (prepared, learning.news()) == ([1], [])


def test_nobody_waits_and_a_session_wanted_often_is_learned_from_once(soul: Soul) -> None:
    say(soul, "cli:main")
    gate = Gate()
    llm = ScriptedLLM(gate)
    learning = Learning(flush_of(soul, llm))

    learning.want("cli:main")
    assert gate.asked.wait(LONG)
    for _ in range(5):
        learning.want("cli:main")
    assert not learning.wait(0.01)
    gate.open.set()

    assert learning.wait(LONG)
    assert len(llm.asked) == 1


def test_what_is_said_meanwhile_and_wanted_is_learned_too(soul: Soul) -> None:
    say(soul, "cli:main")
    gate = Gate()
    learning = Learning(flush_of(soul, ScriptedLLM(gate)))
    learning.want("cli:main")
    assert gate.asked.wait(LONG)

    say(soul, "cli:main", "cli:other")
    learning.want("cli:main")
    learning.want("cli:other")
    learning.consider("cli:other")  # it is wanted all the same
    gate.open.set()

    assert learning.wait(LONG)
    assert soul.memory.session("cli:main").flushed == 2
    assert soul.memory.session("cli:other").flushed == 1


def test_the_conversation_and_the_worker_use_one_memory_at_the_same_time(soul: Soul) -> None:
    learning = Learning(flush_of(soul, ScriptedLLM(TEA)))
    for n in range(6):
        say(soul, f"cli:{n}")
        learning.want(f"cli:{n}")
        soul.remember(f"number {n}: a thing")
        soul.recall("té")

    assert learning.wait(LONG)
    assert [done.outcome for done in learning.news()] == ["extracted"] * 6
    [tea] = soul.memory.list(Wanted(keys=("gusto",)))
    assert len(tea.evidence) == 6
    assert len(soul.memory.list()) == 7
    assert soul.memory.verify() == []


def test_what_a_dead_process_left_is_learned_at_the_next_start(soul: Soul, clock: FixedClock) -> None:
    say(soul, "cli:main", "telegram:42")
    clock.advance(minutes=10)
    learning = Learning(flush_of(soul, ScriptedLLM(TEA)))

    learning.want_left()

    assert learning.wait(LONG)
    assert sorted(done.session for done in learning.news()) == ["cli:main", "telegram:42"]


def test_closing_waits_only_so_long_and_leaves_the_rest_queued(soul: Soul) -> None:
    say(soul, "cli:main", "cli:other")
    gate = Gate()
    llm = ScriptedLLM(gate)
    learning = Learning(flush_of(soul, llm))
    learning.want("cli:main")
    assert gate.asked.wait(LONG)
    learning.want("cli:other")

    begun = time.monotonic()
    assert not learning.close(0.1)
    assert time.monotonic() - begun < LONG / 2
    gate.open.set()
    assert learning.wait(LONG)

    assert len(llm.asked) == 1
    assert flush_of(soul, llm).left() == ["cli:other"]


def test_a_step_that_is_under_way_is_over_once_it_is_closed(
    soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(soul, "cli:main", "cli:other")
    begun, stopped, over = threading.Event(), threading.Event(), list[str]()

    def compact(session: str) -> None:
        begun.set()
        stopped.wait(LONG)
        over.append(session)

    learning = Learning(flush_of(soul, ScriptedLLM(TEA)), compact=compact)
    stop = learning.stop

    def stop_and_go_on() -> None:
        stop()
        stopped.set()

    monkeypatch.setattr(learning, "stop", stop_and_go_on)
    learning.want("cli:main")
    learning.want("cli:other")
    assert begun.wait(LONG)

    assert learning.close(LONG)
    assert over == ["cli:main"]


def test_once_closed_nothing_begins(soul: Soul) -> None:
    say(soul, "cli:main")
    llm = ScriptedLLM(TEA)
    learning = Learning(flush_of(soul, llm))
    learning.close()

    learning.want("cli:main")
    learning.want_left()

    assert learning.wait(LONG)
    assert llm.asked == []


def test_the_worker_does_not_keep_a_process_alive(soul: Soul) -> None:
    say(soul, "cli:main")
    gate = Gate()
    learning = Learning(flush_of(soul, ScriptedLLM(gate)))
    before = set(threading.enumerate())
    learning.want("cli:main")
    assert gate.asked.wait(LONG)

    [worker] = set(threading.enumerate()) - before
    assert worker.daemon
    gate.open.set()
    assert learning.wait(LONG)


class Broken(Flush):
    """A flush that cannot be made, or not even be looked for."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    def now(self) -> datetime:
        return FixedClock().now

    def flush(self, session: str, upto: Upto = ALL, *, is_over: Callable[[], bool] = bool) -> list[Flushed]:
        if self.errors:
            raise self.errors.pop(0)
        return [Flushed(session, 0, 1, "empty")]

    def left(self, quiet: timedelta = ALREADY) -> list[str]:
        raise self.errors.pop(0)


def test_a_folder_that_cannot_be_written_is_told_and_the_worker_goes_on() -> None:
    learning = Learning(Broken(StoreError("the disk is full")))

    learning.want("one")
    learning.want("two")

    assert learning.wait(LONG)
    assert [(done.session, done.outcome, done.why) for done in learning.news()] == [
        ("one", "queued", "the disk is full"),
        ("two", "empty", ""),
    ]


def test_what_cannot_be_looked_for_stops_nothing() -> None:
    learning = Learning(Broken(StoreError("the disk is gone")))

    learning.want_left()
    learning.want("two")

    assert learning.wait(LONG)
    assert [done.session for done in learning.news()] == ["two"]


def test_after_an_error_of_its_own_the_worker_can_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: ended.set())
    learning = Learning(Broken(ZeroDivisionError()))

    learning.want("one")
    assert learning.wait(LONG)
    assert ended.wait(LONG)
    learning.want("two")

    assert learning.wait(LONG)
    assert [done.session for done in learning.news()] == ["two"]


@pytest.mark.folder
def test_while_another_process_learns_it_is_tried_again(soul: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.01)
    say(soul, "cli:main")
    learning = Learning(flush_of(soul, ScriptedLLM(TEA)))

    with locked(soul.path / ".flush.lock", seconds=1):
        learning.want("cli:main")
        assert not learning.wait(0.1)
        assert learning.news() == []

    assert learning.wait(LONG)
    assert [done.outcome for done in learning.news()] == ["extracted"]


def test_what_is_new_is_consolidated_and_what_is_not_is_not(soul: Soul) -> None:
    say(soul, "cli:main", "cli:other")
    calls: list[str] = []
    learning = Learning(
        flush_of(soul, ScriptedLLM(TEA)), lambda: calls.append("consolidated"), compact=calls.append
    )

    learning.want("cli:main")
    assert learning.wait(LONG)
    learning.want("cli:other")
    assert learning.wait(LONG)

    assert calls == ["cli:main", "consolidated", "cli:other"]


@pytest.mark.parametrize("part", ["prepare", "consolidate", "compact"])
def test_what_goes_before_and_what_follows_may_fail_without_stopping_the_rest(part: str, soul: Soul) -> None:
    say(soul, "cli:main", "cli:other")

    def fail(*_: Any) -> None:
        raise SoulError("not now")

    follows: dict[str, Callable[..., None]] = {part: fail}
    learning = Learning(flush_of(soul, ScriptedLLM(TEA)), **follows)

    learning.want("cli:main")
    learning.want("cli:other")

    assert learning.wait(LONG)
    assert [done.outcome for done in learning.news()] == ["extracted", "extracted"]
