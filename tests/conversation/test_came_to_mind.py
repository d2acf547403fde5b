"""With each answer stands what came to mind for it and was told: ids and scores, and no words."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from almario.domain.talk import Reply, ToolCall
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import soul_on

MAIN = "cli:main"
Talking = Callable[..., Soul]


@pytest.fixture
def talking(clock: FixedClock) -> Talking:
    def make(*lines: Any, **settings: object) -> Soul:
        chosen = {"flush.enabled": False} | {name.replace("__", "."): each for name, each in settings.items()}
        return soul_on(MemoryStore(clock), chosen, ScriptedLLM(*lines))

    return make


def remembered(soul: Soul, text: str) -> str:
    memory = soul.remember(text, kind="fact").memory
    assert memory is not None
    return memory.id


def test_an_answer_names_what_came_to_mind_with_its_score_and_what_it_drew_on(talking: Talking) -> None:
    soul = talking("It is blue.")
    boat = remembered(soul, "boat: the boat is painted blue")

    answer = soul.talk("Which colour is the boat painted?")
    [*_, turn] = soul.sessions.turns(MAIN)

    [hit] = answer.recalled
    assert turn.more["came"] == [[boat, round(hit.score, 4), hit.how]]
    assert (turn.more["told"], turn.more["used"]) == ([boat], [boat])


def test_what_a_tool_told_is_named_too(talking: Talking) -> None:
    call = ToolCall("1", "memory_search", {"query": "boat"})
    soul = talking(Reply("", calls=(call,)), "It is blue.", prompt__memory_tokens=0)
    boat = remembered(soul, "boat: the boat is painted blue")

    soul.talk("Hello there.")

    [*_, turn] = soul.sessions.turns(MAIN)
    assert turn.more["told"] == [boat]


def test_off_the_record_nothing_is_named(talking: Talking) -> None:
    soul = talking("In the drawer.")
    remembered(soul, "pearl: the pearl is in the third drawer")
    soul.off_record(MAIN)

    soul.talk("Where is the pearl?")

    assert [turn.more.keys() & {"came", "told", "used"} for turn in soul.sessions.turns(MAIN)] == [
        set(),
        set(),
    ]


def test_no_words_of_a_memory_stand_there(talking: Talking) -> None:
    soul = talking("I see.")
    remembered(soul, "pearl: the pearl is in the third drawer")

    soul.talk("Where is the pearl?")

    [*_, turn] = soul.sessions.turns(MAIN)
    assert turn.more["came"]
    assert "drawer" not in json.dumps(dict(turn.more))
