"""Session edges: what is learned together belongs together, whenever a session begins anew or ends."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import almario
from almario.conversation.flush import DUE, Flush, Flushed
from almario.conversation.learning import Learning
from almario.domain.memories import Origin, Wanted
from almario.domain.talk import Ask
from almario.domain.turns import Turn, Utterance
from almario.errors import LLMUnavailable
from almario.memory.lessons import Lesson
from almario.memory.rules.exchanges import answered, exchanges_in
from almario.ports import LLM
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.killed import Killed
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light

MAIN = "cli:main"
LONG = 60.0
NOTHING = json.dumps({"facts": [], "episodes": [], "instructions": [], "summary": ""})


def flush_of(soul: Soul, llm: LLM | None) -> Flush:
    return Flush(soul._vault, soul.memory, soul.sessions, lambda: llm)


def exchange(soul: Soul) -> None:
    utterances = [
        Utterance("user", "What is in the jar?", "owner"),
        Utterance("assistant", "Honey, I think.", "agent"),
    ]
    soul.memory.append(MAIN, utterances)


def ask_something(soul: Soul) -> None:
    soul.memory.append(MAIN, [Utterance("user", "And in the box?", "owner")])


def shown(llm: ScriptedLLM) -> list[list[int]]:
    """Return which turns each question of learning was about."""
    asks = [ask for ask in llm.asked if ask.schema]
    return [[int(n) for n in re.findall(r"^\[(\d+)\]", ask.messages[0].text, re.MULTILINE)] for ask in asks]


CALLED = {"calls": [{"id": "a", "name": "memory_search"}]}


@each_row(
    "steps, learned",
    [
        # A session that began anew is learned from by itself.
        ("talk reset talk due", "1-2"),
        ("talk reset talk reset talk reset talk all", "1-2 3-4 5-6 7-8"),
        # The threshold is reached once in each; the rest waits until it is over, and the next counts anew.
        ("talk due talk due talk due talk due talk due", "1-6"),
        ("talk talk talk due talk talk reset talk due", "1-6 7-10"),
        ("talk talk talk due reset talk due talk due talk due", "1-6 7-12"),
        # A question waits for its answer, and for its tools, until its session is over.
        ("talk talk talk ask due due", "1-6"),
        ("talk talk talk ask due reset due", "1-6 7-7"),
        ("talk talk talk ask call due", "1-6"),
        # What a dead process left unanswered is learned from after a while.
        ("talk ask left", ""),
        ("talk ask wait left", "1-2"),
        ("talk ask wait left wait*8 left", "1-2"),
        ("talk ask wait left wait*8 wait left", "1-2 3-3"),
        # What failed is tried again later, alone.
        ("talk reset talk fail due", ""),
        ("talk reset talk fail wait*5 due", "1-2"),
        ("talk reset talk fail wait*5 due talk*2 due", "1-2 3-8"),
        # A batch ends where an exchange does, unless no model can manage that.
        ("ask talk*30 all", "1-39 40-61"),
        ("ask page*100 all", "1-40 41-80 81-101"),
    ],
)
def test_what_is_learned_together_belongs_together(steps: str, learned: str) -> None:
    clock = FixedClock()
    soul, llm = soul_on(MemoryStore(clock)), ScriptedLLM(NOTHING)
    flush, done = flush_of(soul, llm), list[Flushed]()
    for step in steps.split():
        name, _, count = step.partition("*")
        for _ in range(int(count or 1)):
            match name:
                case "talk":
                    exchange(soul)
                case "ask":
                    ask_something(soul)
                case "call":
                    soul.memory.append(MAIN, [Utterance("assistant", "Let me see.", "agent", more=CALLED)])
                    soul.memory.append(MAIN, [Utterance("tool", "A lamp.", "agent", more={"call": "a"})])
                case "page":
                    soul.memory.append(MAIN, [Utterance("assistant", "A page of the book.", "agent")])
                case "reset":
                    soul.sessions.reset(MAIN, "daily")
                case "wait":
                    clock.advance(minutes=1)
                case "fail":
                    flush_of(soul, ScriptedLLM(LLMUnavailable("gone"))).flush(MAIN, DUE)
                case "due":
                    done += flush.flush(MAIN, DUE)
                case "left":
                    done += flush.flush(MAIN, flush.now())
                case "all":
                    done += flush.flush(MAIN)

    assert " ".join(f"{each.after + 1}-{each.to}" for each in done) == learned
    assert [[each[0], each[-1]] for each in shown(llm)] == [[each.after + 1, each.to] for each in done]


def test_what_is_said_after_a_start_was_not_left_by_anybody(soul: Soul, clock: FixedClock) -> None:
    """A piped chat speaks its first line while it is still looked for what others left."""
    looking, spoken = threading.Event(), threading.Event()

    def slow() -> None:
        looking.set()
        assert spoken.wait(LONG)

    exchange(soul)
    clock.advance(minutes=1)
    llm = ScriptedLLM(NOTHING)
    learning = Learning(flush_of(soul, llm), prepare=slow)
    learning.want("cli:other")
    assert looking.wait(LONG)
    learning.want_left()
    clock.advance(seconds=1)
    exchange(soul)
    spoken.set()

    assert learning.wait(LONG)
    assert shown(llm) == [[1, 2]]


@pytest.mark.parametrize("is_before", [True, False])
def test_a_kill_between_two_resets_loses_nothing_and_learns_nothing_twice(
    is_before: bool, soul: Soul, reopened: Callable[[], Soul], monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange(soul)
    soul.sessions.reset(MAIN, "daily")
    exchange(soul)
    soul.sessions.reset(MAIN, "idle")
    take, taken = soul.memory.take_lesson, list[Lesson]()

    def killed(lesson: Lesson) -> object:
        taken.append(lesson)
        if len(taken) == 1 or not is_before:
            take(lesson)
        if len(taken) == 2:
            raise Killed
        return ()

    with monkeypatch.context() as patch:
        patch.setattr(soul.memory, "take_lesson", killed)
        with pytest.raises(Killed):
            flush_of(soul, ScriptedLLM(NOTHING)).flush(MAIN, DUE)

    llm = ScriptedLLM(NOTHING)
    other = reopened()
    ask_something(other)
    flush_of(other, llm).flush(MAIN, DUE)

    assert shown(llm) == ([[3, 4]] if is_before else [])
    assert other.memory.session(MAIN).flushed == 4
    assert other.memory.verify() == []


def test_a_daily_reset_leaves_the_first_message_to_its_own_session(home: Path, clock: FixedClock) -> None:
    almario.create(home, clock=clock).close()

    def model(ask: Ask) -> str:
        return NOTHING if ask.schema else "All right."

    llm = ScriptedLLM(model)
    with almario.open(home, clock=clock, llm=llm) as soul:
        soul.talk("I keep bees.")
        clock.advance(days=1)
        for message in ("Good morning!", "The honey is ripe.", "Two jars of it."):
            soul.talk(message)
            assert soul.learning.wait(LONG)

    assert shown(llm) == [[1, 2], [3, 4, 5, 6, 7, 8]]


def test_memories_are_put_in_order_after_the_last_session_and_not_before(soul: Soul) -> None:
    fact = {"turns": [1], "key": "jar", "value": "There is honey in the jar, I think"}
    found = json.loads(NOTHING) | {"facts": [fact]}
    for session in ("cli:main", "cli:other"):
        soul.memory.append(session, [Utterance("user", "There is honey in the jar, I think.", "owner")])
    order: list[str] = []
    flush = flush_of(soul, ScriptedLLM(json.dumps(found)))
    held, begun = threading.Event(), threading.Event()

    def prepare() -> None:
        begun.set()
        assert held.wait(LONG)

    learning = Learning(flush, lambda: order.append("tidy"), compact=order.append, prepare=prepare)
    learning.want("cli:main")
    assert begun.wait(LONG)
    learning.want("cli:other")
    held.set()

    assert learning.wait(LONG)
    assert order == ["cli:main", "cli:other", "tidy"]
    assert len(soul.memory.list(Wanted(keys=("jar",)))) == 1


def turns_of(*roles: Any) -> list[Turn]:
    at = FixedClock().now
    origins: dict[str, Origin] = {"document": "untrusted", "assistant": "agent"}
    return [
        Turn(MAIN, n, at, role.replace("document", "user"), "", "x", origins.get(role, "owner"))
        for n, role in enumerate(roles, 1)
    ]


def test_a_document_belongs_to_the_message_that_it_came_with() -> None:
    turns = turns_of("user", "assistant", "document", "document", "user", "tool", "assistant", "user")

    assert [[turn.n for turn in part] for part in exchanges_in(turns)] == [[1, 2], [3, 4, 5, 6, 7], [8]]
    assert [turn.n for turn in answered(turns)] == [1, 2, 3, 4, 5, 6, 7]


@given(st.lists(st.sampled_from(["user", "assistant", "tool", "system", "document"]), max_size=30))
def test_exchanges_are_all_that_was_said_in_order(roles: list[str]) -> None:
    turns = turns_of(*roles)
    parts = exchanges_in(turns)

    assert [turn for part in parts for turn in part] == turns
    assert answered(turns) in (turns, [turn for part in parts[:-1] for turn in part])
