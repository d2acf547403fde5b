"""Forgetting: what is forgotten comes back by no other way, until it is brought back."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.domain.model import Scope
from almario.errors import LLMUnavailable, SoulError
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM

pytestmark = pytest.mark.light

MAIN = "cli:main"
EVERYTHING = Scope(include=("retired", "superseded", "expired", "untrusted"))


def texts(soul: Soul, question: str, **more: Any) -> list[str]:
    return [hit.text for hit in soul.recall(question, min_score=0, **more)]


def test_after_forgetting_neither_the_fact_nor_its_message_comes_to_mind(soul: Soul) -> None:
    soul.talk("Remember that Ana is allergic to walnuts")
    [memory] = soul.memory.list()

    gone = soul.forget(memory.id)

    assert gone.turns == (f"{MAIN}#1",)
    for question in ("who is allergic to walnuts?", "what about Ana?", "remember walnuts"):
        assert texts(soul, question) == []
        assert "walnuts" not in soul.prompt(question).text
    assert texts(soul, "walnuts", scope=EVERYTHING) != []


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("address", "my address"),
        ("peso", "mi peso"),
        ("morada", "a minha morada"),
        ("adresse", "l'adresse"),
        ("régime", "mon régime"),
        ("gehalt", "mein gehalt"),
        ("indirizzo", "il mio indirizzo"),
        ("給料", "私の給料"),
    ],
)
def test_a_thing_is_known_by_its_name_without_article(soul: Soul, key: str, words: str) -> None:
    soul.memory.learn(key, "something else altogether")

    assert [memory.key for memory in soul.forget(words)] == [key]


def test_what_was_said_and_logged_elsewhere_goes_with_it_and_comes_back_with_it(soul: Soul) -> None:
    soul.append("telegram:1", "user", "The zoo trip with Nora was on Sunday, with the lemurs.")
    soul.append("telegram:1", "assistant", "The lemurs sound lovely.")
    soul.log("The zoo trip with Nora, with the lemurs")
    fact = soul.remember("zoo: the zoo trip with Nora on Sunday, with the lemurs").memory
    assert fact

    gone = soul.forget("the zoo trip")

    assert gone.turns == ("telegram:1#1", "telegram:1#2")
    assert [line.partition("#")[0] for line in gone.lines] == ["memory/2026-11-14.md"]
    assert texts(soul, "zoo lemurs Nora") == []
    assert "lemurs" not in soul.prompt("the zoo").text
    assert "lemurs" in soul.read("memory/2026-11-14.md").text  # the owner's line stays where it is

    soul.memory.undo(gone.seq)

    assert "lemurs" in soul.prompt("what about the zoo trip with Nora?").text


def test_what_differs_by_a_word_a_number_or_a_negation_stays(soul: Soul) -> None:
    soul.append("telegram:1", "user", "I prefer a light roast coffee in the morning.")
    soul.append("telegram:1", "user", "The second lesson in the big old harbour hall is on the 18th.")
    soul.append("telegram:1", "user", "I don't prefer a light roast tea in the morning.")
    soul.remember("prefers a light roast tea in the morning")
    soul.remember("the second lesson in the big old harbour hall is on the 6th")

    assert soul.forget("light roast tea in the morning").turns == ()
    assert soul.forget("lesson in the harbour hall on the 6th").turns == ()


def test_a_summary_that_says_a_forgotten_message_again_goes_with_it_though_nothing_was_learned_of_it(
    soul: Soul,
) -> None:
    turn = soul.append("cli:main", "user", "My brother Teo lost his licence in Toledo in August")
    telling = "They spoke of boats. Teo lost his licence in Toledo."
    for text in (telling, "They spoke of boats and of the harbour"):
        soul.memory.learn("", text, kind="summary", evidence=[turn.id])

    soul.forget(turn.id)

    assert [memory.value for memory in soul.memory.list()] == ["They spoke of boats and of the harbour"]
    soul.undo()
    assert telling in [memory.value for memory in soul.memory.list()]


def test_the_episode_and_the_summary_that_tell_it_go_with_it(soul: Soul) -> None:
    turn = soul.append(MAIN, "user", "Tom thinks that my tibia has a stress fracture; the scan is on Friday.")
    fact = soul.memory.learn("leg", "Tom suspects a stress fracture of the tibia", evidence=[turn.id]).memory
    soul.memory.learn("note", "Tom suspects a stress fracture", kind="episode", evidence=[turn.id])
    soul.memory.learn(
        "note", "They spoke of the stress fracture of her tibia", kind="summary", evidence=[turn.id]
    )
    soul.memory.learn("note", "Planned the holiday in Vigo", kind="summary", evidence=[turn.id])
    assert fact

    gone = soul.forget(fact.id)

    assert sorted(memory.kind for memory in gone) == ["episode", "fact", "summary"]
    assert "fracture" not in soul.read("memory/HISTORY.md").text
    assert "Vigo" in soul.read("memory/HISTORY.md").text
    assert soul.memory.verify() == []


def test_what_was_only_said_can_be_forgotten_in_words_or_by_its_id(soul: Soul) -> None:
    soul.append(MAIN, "user", "My cousin Teo sold the boat in Vigo.")
    soul.append(MAIN, "user", "I play the cello on Sundays.")

    gone = soul.forget("the boat in Vigo")

    assert (list(gone), gone.turns) == ([], (f"{MAIN}#1",))
    assert texts(soul, "boat Vigo Teo") == ["I play the cello on Sundays."]
    soul.forget(f"{MAIN}#2")
    assert texts(soul, "boat Vigo cello") == []
    soul.memory.undo(gone.seq)
    assert texts(soul, "boat Vigo Teo") != []


@pytest.mark.parametrize("text", ["The cactus, it died.", "El cactus se me murió.", "Actually, forget it"])
def test_news_of_a_thing_are_no_order_to_forget_it(soul: Soul, text: str) -> None:
    soul.memory.learn("plants", "Has a cactus")

    with suppress(LLMUnavailable):
        soul.talk(text)

    assert "Has a cactus" in [memory.value for memory in soul.memory.list()]


def test_never_more_than_one_thing_without_asking(soul: Soul) -> None:
    soul.remember("likes: trains")
    soul.remember("likes: rain on the roof")

    with pytest.raises(SoulError, match="means several things"):
        soul.forget("likes")

    assert len(soul.memory.list()) == 2
    assert len(soul.forget("likes", every=True)) == 2


def test_what_was_cleared_away_and_learned_from_comes_only_on_request(home: Path, clock: FixedClock) -> None:
    lesson = {"facts": [], "episodes": [], "instructions": [], "summary": ""}
    almario.create(home, clock=clock).close()
    llm = ScriptedLLM(lambda ask: json.dumps(lesson) if ask.schema else "Nice.")
    soul = almario.open(home, clock=clock, llm=llm)
    soul.learning.close()
    soul.talk("The pearl is in the drawer of Graciela.")

    soul.end_session(MAIN, clear=True)

    assert texts(soul, "where is the pearl?") == []
    assert texts(soul, "where is the pearl?", scope=EVERYTHING) != []


def test_what_was_cleared_and_waits_to_be_learned_from_still_comes_to_mind(soul: Soul) -> None:
    soul.append(MAIN, "user", "The pearl is in the drawer of Graciela.")

    soul.end_session(MAIN, clear=True)

    assert texts(soul, "where is the pearl?") != []


def test_what_a_stranger_said_is_apart(soul: Soul) -> None:
    own = soul.remember("zoo: Nora loves the lemurs").memory
    said = soul.memory.learn("zoo", "Nora loves the lemurs", origin="untrusted").memory
    assert own
    assert said

    soul.forget(own.id)

    assert soul.memory.get(said.id).is_live


def test_what_is_forgotten_stays_so_for_the_next_process(soul: Soul, reopened: Callable[[], Soul]) -> None:
    soul.append(MAIN, "user", "My cousin Teo sold the boat in Vigo.")
    soul.forget("the boat in Vigo")
    soul.close()

    again = reopened()
    again.memory.reindex()

    assert texts(again, "boat Vigo Teo") == []
    assert again.memory.verify() == []


def test_a_model_that_reads_the_files_does_not_find_it_either(soul: Soul) -> None:
    soul.append(MAIN, "user", "My cousin Teo sold the boat in Vigo.")
    soul.append(MAIN, "user", "I play the cello on Sundays.")
    soul.log("My cousin Teo sold the boat in Vigo.")
    soul.log("Bought strings for the cello.")
    soul.forget(f"{MAIN}#1")

    for path in ("sessions/cli.main.jsonl", "memory/2026-11-14.md"):
        text = soul.tools.call("memory_get", {"path": path}, session="cli:other").text
        assert "Vigo" not in text
        assert "cello" in text


def test_the_same_words_logged_another_day_are_another_line(soul: Soul, clock: FixedClock) -> None:
    soul.log("Paella with Marta at the beach")
    soul.forget("memory/2026-11-14.md#3")
    assert "Paella" not in soul.prompt().text
    clock.advance(days=1)

    soul.log("Paella with Marta at the beach")

    assert soul.prompt().text.count("Paella") == 1
    assert texts(soul, "paella Marta") == ["Paella with Marta at the beach"]
