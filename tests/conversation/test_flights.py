"""The flight recorder: what the model was told for an answer, and what became of that."""

from collections.abc import Callable
from typing import Any

import pytest

from almario.domain.talk import Ask, Reply, ToolCall
from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import soul_on

MAIN = "cli:main"
Talking = Callable[..., Soul]


@pytest.fixture
def store(clock: FixedClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def talking(store: MemoryStore) -> Talking:
    def make(*lines: Any, **settings: object) -> Soul:
        chosen = {"flush.enabled": False} | {name.replace("__", "."): each for name, each in settings.items()}
        llm = ScriptedLLM(*lines)
        soul = soul_on(store, chosen, llm)
        soul.script = llm  # type: ignore[attr-defined]
        return soul

    return make


def asked(soul: Soul) -> list[Ask]:
    found: list[Ask] = soul.script.asked  # type: ignore[attr-defined]
    return found


def kept(store: MemoryStore) -> str:
    names = store.documents.names("flights")
    return "".join(store.read(name).raw for name in names)


def remembered(soul: Soul, text: str, **more: Any) -> str:
    memory = soul.remember(text, **more).memory
    assert memory is not None
    return memory.id


def test_an_answer_has_the_prompt_as_it_was_section_by_section(talking: Talking) -> None:
    soul = talking("Your dentist is Doctor Paz.")
    dentist = remembered(soul, "dentist: the dentist is Doctor Paz", kind="fact")

    answer = soul.talk("Who is my dentist?")
    soul.write(soul.read("SOUL.md"), "# Soul\n\nAnother one.\n")
    flight = soul.flights.get(answer.turns[-1].id)

    told = asked(soul)[0].system + asked(soul)[0].changing
    texts = {section.name: section.text for section in flight.sections}
    assert {"identity", "soul", "relevant", "today"} <= set(texts)
    assert all(text in told for text in texts.values())
    assert all(section.tokens > 0 for section in flight.sections)
    assert (flight.asked, flight.session, flight.mode) == (answer.turns[0].id, MAIN, "conversation")
    assert dentist in flight.told
    assert flight.used == (dentist,)


def test_what_came_to_mind_is_kept_with_its_score_and_whether_it_was_told(talking: Talking) -> None:
    soul = talking("It is blue.")
    boat = remembered(soul, "boat: the boat is painted blue", kind="fact")

    answer = soul.talk("Which colour is the boat painted?")
    flight = soul.flights.get(answer.turns[-1].id)

    assert [hit.memory for hit in answer.recalled] == [boat]
    assert [(each.name, each.told) for each in flight.found] == [(boat, True)]
    assert flight.found[0].score == round(answer.recalled[0].score, 4)


def test_the_texts_of_a_day_are_kept_once_and_the_latest_flight_comes_first(
    talking: Talking, store: MemoryStore, clock: FixedClock
) -> None:
    soul = talking("One.", "Two.", "Three.")
    turns = [soul.talk("Good morning to you.", session).turns[-1].id for session in (MAIN, "app:ana")]
    clock.advance(days=1)
    turns.append(soul.talk("And again, good morning.").turns[-1].id)

    assert [flight.turn for flight in soul.flights.list()] == turns[::-1]
    assert [flight.turn for flight in soul.flights.list("app:ana")] == [turns[1]]
    assert [flight.turn for flight in soul.flights.list(limit=1, offset=1)] == [turns[1]]
    soul_text = soul.flights.get(turns[0]).sections[1].text
    assert soul_text
    assert kept(store).count(soul_text.split("\n")[0]) == 2
    with pytest.raises(SoulError):
        soul.flights.get("cli:main#99")


def test_only_so_many_days_are_kept_and_none_if_it_is_switched_off(
    talking: Talking, store: MemoryStore, clock: FixedClock
) -> None:
    soul = talking(*["Good."] * 5, flights__days=2)
    for _ in range(4):
        soul.talk("Good morning to you.")
        clock.advance(days=1)
    assert [flight.at.day for flight in soul.flights.list()] == [17, 16]

    other = talking("Good.", flights__days=0)
    other.talk("Good morning to you.")

    assert len(other.flights.list()) == 2


def test_an_answer_that_used_tools_is_one_flight_with_what_they_told(talking: Talking) -> None:
    soul = talking(
        Reply("", calls=(ToolCall("1", "memory_search", {"query": "boat"}),)),
        "It is blue.",
        prompt__memory_tokens=0,
    )
    boat = remembered(soul, "boat: the boat is painted blue", kind="fact")

    soul.talk("Hello there.")

    [flight] = soul.flights.list()
    assert flight.told == (boat,)


def test_off_the_record_leaves_no_flight(talking: Talking, store: MemoryStore) -> None:
    soul = talking("I see.")
    soul.off_record(MAIN)

    soul.talk("The pearl is in Graciela's drawer.")

    assert (soul.flights.list(), kept(store)) == ([], "")


def test_what_is_taken_off_the_record_takes_its_flight_with_it(talking: Talking, store: MemoryStore) -> None:
    soul = talking("Qué bien.", "Olvidado.")
    soul.talk("La perla de Graciela está en el tercer cajón.")
    first = soul.flights.list()[0].turn

    soul.talk("No guardes esto.")
    soul.end_session(MAIN)

    assert first not in [flight.turn for flight in soul.flights.list()]
    assert "tercer cajón" not in kept(store)


def test_what_is_erased_is_in_no_flight(talking: Talking, store: MemoryStore) -> None:
    soul = talking("In the drawer.")
    soul.append("cli:other", "user", "Graciela keeps the pearl in the third drawer.")
    soul.append("cli:other", "assistant", "Understood.")
    pearl = soul.memory.learn("pearl", "the pearl is in the third drawer", evidence=["cli:other#1"]).memory
    assert pearl is not None
    soul.talk("Where does Graciela keep the pearl?")
    assert [each.told for each in soul.flights.list()[0].found] == [True]
    assert "third drawer" in kept(store)

    soul.memory.purge(soul.memory.plan_purge(pearl.id))

    assert "third drawer" not in kept(store)
    [flight] = soul.flights.list()
    assert soul.flights.get(flight.turn).sections


def test_nothing_erased_comes_back_with_an_answer_that_was_under_way(
    talking: Talking, store: MemoryStore
) -> None:
    soul: Soul

    def model(_: Ask) -> str:
        soul.memory.purge(soul.memory.plan_purge(pearl))
        return "In the drawer."

    soul = talking(model)
    pearl = remembered(soul, "pearl: the pearl is in the third drawer")

    soul.talk("Where is the pearl?")

    assert "third drawer" not in kept(store)


def test_it_is_known_who_heard_a_memory(talking: Talking) -> None:
    soul = talking(*["Your dentist is Doctor Paz."] * 3)
    bicycle = remembered(soul, "bicycle: the bicycle is red and stands in the garage", kind="fact")

    turns = [soul.talk("Who is my dentist?", session).turns[-1].id for session in (MAIN, "app:ana", MAIN)]

    assert [flight.turn for flight in soul.flights.heard(bicycle)] == turns[::-1]
