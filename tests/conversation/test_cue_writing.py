"""Cues written by a model: with what it learns, or at night."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from almario.domain.talk import Ask
from almario.domain.turns import Utterance
from almario.errors import LLMUnavailable
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.conversation.test_flush import SESSION, fact, flush_of, reply
from tests.memory_store import MemoryStore
from tests.souls import soul_on

pytestmark = pytest.mark.light

PARROT = "Doña Ulla has a grey parrot that whistles tangos"


def numbered(cues: Sequence[Sequence[str]]) -> str:
    return json.dumps({"facts": [{"fact": n, "cues": list(each)} for n, each in enumerate(cues, 1)]})


class Writer:
    """Answers for every fact with the same cues."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def __call__(self, ask: Ask) -> str:
        facts = [json.loads(line)["text"] for line in ask.messages[-1].text.splitlines()]
        self.sizes.append(len(facts))
        return numbered([["a talking bird", "¿qué mascota tiene la vecina?", each] for each in facts])


def with_facts(count: int, llm: Any) -> Soul:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "none"}, llm)
    for n in range(count):
        soul.remember(f"{PARROT} number {n}")
    return soul


def test_older_memories_get_theirs_twenty_to_a_call() -> None:
    writer = Writer()
    soul = with_facts(23, ScriptedLLM(writer))

    done = soul.tidying.cue()

    assert (done.written, done.left, writer.sizes) == (23, 0, [20, 3])
    memory = soul.memory.list()[0]
    assert soul.memory.why(memory.id).cues == ("a talking bird", "¿qué mascota tiene la vecina?")
    assert soul.tidying.cue().written == 0  # what has cues is left alone


def test_what_the_owner_gave_stays() -> None:
    soul = with_facts(2, ScriptedLLM(Writer()))
    first, second = soul.memory.list()
    soul.memory.change(first.id, cues=["tango night"])

    assert soul.tidying.cue().written == 1
    assert soul.memory.why(first.id).cues == ("tango night",)
    assert soul.memory.why(second.id).cues


def test_without_a_model_none_are_written_and_nothing_waits() -> None:
    soul = with_facts(2, None)

    assert soul.tidying.cue().left == 2
    assert soul.tidying.waiting() == {}


def test_a_model_that_cannot_be_reached_leaves_them_for_the_next_night() -> None:
    soul = with_facts(2, ScriptedLLM(LLMUnavailable("nobody answers"), Writer()))

    done = soul.tidying.cue()

    assert (done.written, done.left) == (0, 2)
    assert "cues" in soul.tidying.waiting()


def learned_with(
    soul: Soul, cues: Sequence[str] | None, *before: str | LLMUnavailable
) -> tuple[ScriptedLLM, str]:
    soul.memory.append(
        SESSION, [Utterance("user", f"{PARROT}.", "owner"), Utterance("assistant", "Lovely.", "agent")]
    )
    entry = fact(PARROT, 1, key="parrot") | ({"cues": list(cues)} if cues is not None else {})
    llm = ScriptedLLM(*before, reply(facts=[entry], summary=""))
    flush_of(soul, llm).flush(SESSION)
    return llm, next(memory.id for memory in soul.memory.list() if memory.key == "parrot")


def test_what_was_told_with_remember_has_its_cues_from_the_call_that_renews_it() -> None:
    soul = with_facts(1, None)
    soul.memory.append(SESSION, [Utterance("user", f"Remember: {PARROT} number 0.", "owner")])
    entry = {"turns": [1], "known": "renews k1", "cues": ["a talking bird", "la vecina y su mascota"]}
    llm = ScriptedLLM(reply(facts=[entry], summary=""))

    flush_of(soul, llm).flush(SESSION)

    assert '"kept as asked" and renewed' in llm.asked[0].stable
    [memory] = soul.memory.list()
    assert soul.memory.why(memory.id).cues == ("a talking bird", "la vecina y su mascota")


def test_what_is_learned_has_its_cues_from_the_same_call() -> None:
    soul = with_facts(0, None)
    before = len(soul._vault.journal.read())

    repeated = [f"{PARROT}!", "whose grey parrot whistles?"]
    llm, memory = learned_with(soul, ["a talking bird", "la vecina y su mascota", *repeated])

    assert soul.memory.why(memory).cues == ("a talking bird", "la vecina y su mascota")
    [event] = [each for each in soul._vault.journal.read()[before:] if each.type == "memory.changed"]
    assert [each.cues for each in event.body.cues] == [("a talking bird", "la vecina y su mascota")]  # type: ignore[union-attr]
    [ask] = llm.asked
    assert "half in English" in ask.stable
    assert "half in Spanish" in ask.stable
