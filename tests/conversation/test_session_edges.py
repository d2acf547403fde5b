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

pytestmark = pytest.mark.light

MAIN = "cli:main"
LONG = 60.0
NOTHING = json.dumps({"facts": [], "episodes": [], "instructions": [], "summary": ""})


def flush_of(soul: Soul, llm: LLM | None) -> Flush:
    return Flush(soul._vault, soul.memory, soul.sessions, lambda: llm)


def exchange(soul: Soul, count: int = 1) -> None:
    utterances = [
        Utterance("user", "What is in the jar?", "owner"),
        Utterance("assistant", "Honey, I think.", "agent"),
    ]
    soul.memory.append(MAIN, utterances * count)


def ask_something(soul: Soul) -> None:
    soul.memory.append(MAIN, [Utterance("user", "And in the box?", "owner")])


def shown(llm: ScriptedLLM) -> list[list[int]]:
    """Return which turns each question of learning was about."""
    asks = [ask for ask in llm.asked if ask.schema]
    return [[int(n) for n in re.findall(r"^\[(\d+)\]", ask.messages[0].text, re.MULTILINE)] for ask in asks]


def spans(done: list[Flushed]) -> list[tuple[int, int]]:
    return [(each.after, each.to) for each in done]


def test_a_reset_learns_from_the_old_session_only(soul: Soul) -> None:
    exchange(soul)
    soul.sessions.reset(MAIN, "daily")
    exchange(soul)
    llm = ScriptedLLM(NOTHING)

    assert spans(flush_of(soul, llm).flush(MAIN, DUE)) == [(0, 2)]
    assert shown(llm) == [[1, 2]]


def test_what_is_between_two_resets_is_learned_by_itself(soul: Soul) -> None:
    for _ in range(3):
        exchange(soul)
        soul.sessions.reset(MAIN, "idle")
    exchange(soul)
    llm = ScriptedLLM(NOTHING)

    assert spans(flush_of(soul, llm).flush(MAIN)) == [(0, 2), (2, 4), (4, 6), (6, 8)]
    assert shown(llm) == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert soul.memory.session(MAIN).edges == ()


def test_the_threshold_is_reached_once_in_every_session(soul: Soul) -> None:
    flush = flush_of(soul, ScriptedLLM(NOTHING))
    flushed = []
    for _ in range(3):
        for _ in range(5):
            exchange(soul)
            flush.flush(MAIN, DUE)
            flushed.append(soul.memory.session(MAIN).flushed)
        soul.sessions.reset(MAIN, "daily")

    # What was said after the threshold waits until its session is over, and the next begins to count anew.
    assert flushed == [0, 0, 6, 6, 6, 10, 10, 16, 16, 16, 20, 20, 26, 26, 26]


def test_a_question_waits_for_its_answer_until_its_session_is_over(soul: Soul) -> None:
    exchange(soul, 3)
    ask_something(soul)
    flush = flush_of(soul, ScriptedLLM(NOTHING))

    assert spans(flush.flush(MAIN, DUE)) == [(0, 6)]
    assert not flush.is_wanted(MAIN)
    soul.sessions.reset(MAIN, "daily")
    assert spans(flush.flush(MAIN, DUE)) == [(6, 7)]


def test_an_answer_that_uses_a_tool_has_not_come_yet(soul: Soul) -> None:
    exchange(soul, 3)
    ask_something(soul)
    more = {"calls": [{"id": "a", "name": "memory_search"}]}
    soul.memory.append(MAIN, [Utterance("assistant", "Let me see.", "agent", more=more)])
    soul.memory.append(MAIN, [Utterance("tool", "A lamp.", "agent", more={"call": "a"})])
    flush = flush_of(soul, ScriptedLLM(NOTHING))

    assert spans(flush.flush(MAIN, DUE)) == [(0, 6)]


def test_what_a_dead_process_left_unanswered_is_learned_from_after_a_while(
    soul: Soul, clock: FixedClock
) -> None:
    exchange(soul)
    ask_something(soul)
    flush = flush_of(soul, ScriptedLLM(NOTHING))

    assert flush.flush(MAIN, flush.now()) == []
    clock.advance(minutes=1)
    assert spans(flush.flush(MAIN, flush.now())) == [(0, 2)]
    clock.advance(minutes=8)
    assert flush.flush(MAIN, flush.now()) == []
    clock.advance(minutes=1)
    assert spans(flush.flush(MAIN, flush.now())) == [(2, 3)]


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


def test_a_reset_whose_learning_failed_is_tried_again_alone(soul: Soul, clock: FixedClock) -> None:
    exchange(soul)
    soul.sessions.reset(MAIN, "daily")
    exchange(soul)
    flush = flush_of(soul, ScriptedLLM(LLMUnavailable("gone"), NOTHING))
    assert [each.outcome for each in flush.flush(MAIN, DUE)] == ["queued"]
    assert not flush.is_wanted(MAIN)

    clock.advance(minutes=5)

    assert spans(flush.flush(MAIN, DUE)) == [(0, 2)]
    exchange(soul, 2)
    assert spans(flush.flush(MAIN, DUE)) == [(2, 8)]


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


def test_a_batch_ends_where_an_exchange_does(soul: Soul) -> None:
    soul.memory.append(MAIN, [Utterance("user", "The first.", "owner")])
    exchange(soul, 30)
    llm = ScriptedLLM(NOTHING)

    assert spans(flush_of(soul, llm).flush(MAIN)) == [(0, 39), (39, 61)]


def test_an_exchange_that_no_model_can_manage_is_cut(soul: Soul) -> None:
    answers = [Utterance("assistant", f"Page {n} of the book.", "agent") for n in range(100)]
    soul.memory.append(MAIN, [Utterance("user", "Read me the book.", "owner"), *answers])

    assert spans(flush_of(soul, ScriptedLLM(NOTHING)).flush(MAIN)) == [(0, 40), (40, 80), (80, 101)]


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
