"""In use: what is told and matters stays; what is told in every prompt and never matters expires."""

from collections.abc import Callable

import pytest

from almario.domain.memories import Memory, Wanted
from almario.domain.talk import Ask, Reply, ToolCall
from almario.errors import StoreError
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import soul_on

SESSION = "cli:main"
Talking = Callable[..., Soul]
NOTHING = '{"facts": [], "episodes": [], "instructions": [], "summary": ""}'


@pytest.fixture
def talking(clock: FixedClock) -> Talking:
    def make(answer: str | Callable[[Ask], str | Reply]) -> Soul:
        def model(ask: Ask) -> str | Reply:
            return NOTHING if ask.schema else answer(ask) if callable(answer) else answer

        return soul_on(MemoryStore(clock), llm=ScriptedLLM(model))

    return make


def known(soul: Soul, text: str) -> Memory:
    memory = soul.remember(text, kind="fact").memory
    assert memory
    return memory


def used(soul: Soul) -> list[str]:
    return list(soul.sessions.turns(SESSION)[-1].more.get("used", []))


def test_a_fact_of_core_memory_that_is_asked_about_monthly_stays_and_one_that_is_not_expires(
    talking: Talking, clock: FixedClock
) -> None:
    soul = talking("Your dentist is Doctor Paz.")
    dentist = known(soul, "dentist: the dentist is Doctor Paz")
    bicycle = known(soul, "bicycle: the bicycle is red and stands in the garage")
    for _ in range(15):
        clock.advance(days=30)
        soul.talk("Who is my dentist?")
        soul.end_session()

    assert soul.memory.state(soul.memory.get(dentist.id)) == "live"
    assert soul.memory.state(soul.memory.get(bicycle.id)) == "expired"


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("Where do I live now?", "In Vigo."),
        ("I am off to buy a lamp.", "Then walk: living in Vigo, you have all the shops around."),
        ("What do you know about my living in Vigo?", "Not much."),
    ],
)
def test_what_the_answer_says_or_the_message_asks_about_was_used(
    talking: Talking, message: str, answer: str
) -> None:
    soul = talking(answer)
    home, _ = known(soul, "home: lives in Vigo"), known(soul, "bicycle: has a red bicycle")

    soul.talk(message)

    assert used(soul) == [home.id]


@pytest.mark.parametrize("answer", ["Good morning!", "I do not know.", "In Lugo."])
def test_what_is_told_and_does_not_matter_was_not_used(talking: Talking, answer: str) -> None:
    soul = talking(answer)
    known(soul, "home: lives in Vigo")

    soul.talk("Good morning to you too!")

    assert "lives in Vigo" in soul.prompt("where do I live?", session=SESSION).text
    assert used(soul) == []


def test_what_the_message_denies_is_not_confirmed_by_it(clock: FixedClock) -> None:
    model = ScriptedLLM(lambda ask: NOTHING if ask.schema else "Anotado: ibuprofeno, no penicilina.")
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"}, llm=model)
    wrong = known(soul, "alergia de Dani: Dani es alérgico a la penicilina")

    soul.talk("¿A qué es alérgico Dani?")
    assert used(soul) == [wrong.id]
    soul.talk("Me equivoqué contigo: Dani no es alérgico a la penicilina, es alérgico al ibuprofeno.")
    assert wrong.id not in used(soul)


def test_of_what_a_tool_told_only_what_mattered_was_used(talking: Talking) -> None:
    def answer(ask: Ask) -> str | Reply:
        if ask.messages[-1].role == "user":
            return Reply("", (ToolCall("c", "memory_search", {"query": "Lugo holiday"}),))
        return "You walked the Roman wall of Lugo."

    soul = talking(answer)
    wall = soul.memory.learn("walk", "walked the Roman wall of Lugo on holiday").memory
    rain = soul.memory.learn("weather", "the holiday in Lugo was all rain").memory
    assert wall
    assert rain

    soul.talk("Tell me something.")

    turn = soul.sessions.turns(SESSION)[-1]
    assert set(turn.more["told"]) == {wall.id, rain.id}
    assert turn.more["used"] == [wall.id]


def test_what_had_expired_and_is_asked_about_is_in_use_again(talking: Talking, clock: FixedClock) -> None:
    soul = talking("You do, in Vigo.")
    home = known(soul, "home: lives in Vigo, by the harbour")
    clock.advance(days=3650)
    assert soul.memory.state(soul.memory.get(home.id)) == "expired"

    soul.talk("Do I still live by the harbour of Vigo?")
    soul.end_session()

    assert soul.memory.state(soul.memory.get(home.id)) == "live"


def test_another_loop_uses_what_its_answer_says(soul: Soul) -> None:
    home = known(soul, "home: lives in Vigo")
    soul.append(SESSION, "user", "Where do I live?")
    soul.prompt("Where do I live?", session=SESSION)
    soul.append(SESSION, "assistant", "You live in Vigo.")

    assert used(soul) == [home.id]


def test_an_answer_is_kept_also_if_memory_cannot_say_what_it_drew_on(
    talking: Talking, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul = talking("In Vigo.")
    known(soul, "home: lives in Vigo")
    core, calls = soul.memory.core, list[int]()

    def fails(most: int = 0) -> list[Memory]:
        calls.append(1)
        if len(calls) > 1:
            raise StoreError("the index is gone")
        return core(most)

    monkeypatch.setattr(soul.memory, "core", fails)

    assert soul.talk("Where do I live?").text == "In Vigo."
    assert soul.sessions.turns(SESSION)[-1].text == "In Vigo."
    assert len(soul.memory.list(Wanted(keys=("home",)))) == 1
