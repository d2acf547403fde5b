"""What an agent knows of its owner and of others, told as pages of sentences with their evidence."""

import pytest

import almario
from almario.conversation import portraits
from almario.domain.portrait import Portrait
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light


def told(page: Portrait) -> dict[str, list[str]]:
    return {part.theme: [each.text for each in part.sentences] for part in page.parts}


def learned(soul: almario.Soul, *facts: tuple[str, str]) -> None:
    for key, value in facts:
        soul.memory.learn(key, value)


def test_a_portrait_tells_facts_as_sentences_then_what_is_planned_and_how_the_agent_is_to_be(
    soul: almario.Soul,
) -> None:
    learned(
        soul,
        ("sister", "Her sister Kath is expecting twins"),
        ("appointment", "Goes to the dentist on 20 November 2026"),
    )
    soul.remember("home: a flat by the river")
    soul.remember("answer in short sentences", kind="instruction")

    assert told(soul.portrait()) == {
        "you": ["Home: a flat by the river.", "Her sister Kath is expecting twins."],
        "plans": ["Goes to the dentist on 20 November 2026."],
        "manner": ["Answer in short sentences."],
    }


def test_facts_of_a_key_stand_together_the_newest_first_each_with_its_day(
    soul: almario.Soul, clock: FixedClock
) -> None:
    learned(soul, ("choir", "Sings alto"), ("home", "Lives by the river"))
    clock.advance(days=2)
    learned(soul, ("choir", "The choir meets on Tuesdays"), ("tea", "Takes milk"))

    sentences = [(each.text, str(each.day)[-2:]) for each in soul.portrait().sentences]

    assert sentences == [
        ("Tea: Takes milk.", "16"),
        ("The choir meets on Tuesdays.", "16"),
        ("Choir: Sings alto.", "14"),
        ("Lives by the river.", "14"),
    ]


@each_row(
    "text",
    [
        "I'm a nurse at St James's",
        "Odia los lunes",
        "my sister Ines lives in Lugo",
        "Our dog Bruno is nine",
        "Listen, the plumber comes at nine",
    ],
)
def test_nobody_is_found_by_a_capital_letter(text: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    soul.remember(text)

    assert soul.people() == []
    assert [*told(soul.portrait())] == ["you"]


def test_every_sentence_names_the_memory_it_rests_on(soul: almario.Soul) -> None:
    kept = soul.remember("home: a flat by the river").memory

    [sentence] = soul.portrait().sentences

    assert kept
    assert sentence.evidence == (kept.id,)


def test_what_was_forgotten_replaced_or_has_ended_is_not_told(soul: almario.Soul) -> None:
    for text in ("home: a flat by the river", "car: an old Fiesta", "pet: a cat", "tea: with milk"):
        soul.remember(text)
    soul.forget("car")
    soul.remember("home", "a house in Leeds", replaces=soul.memory.find("home")[0].id)
    soul.memory.change(soul.memory.find("pet")[0].id, ended="2026-11-01")

    assert sorted(told(soul.portrait())["you"]) == ["Home: a house in Leeds.", "Tea: with milk."]


def test_many_memories_of_one_theme_are_counted(soul: almario.Soul) -> None:
    for number in range(43):
        soul.remember(f"shelf {number}: has box {number}")

    [part] = soul.portrait().parts

    assert (len(part.sentences), part.more) == (40, 3)


def test_of_very_many_memories_the_latest_are_among_those_looked_at(
    soul: almario.Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portraits, "_CONSIDERED", 3)
    for number in range(5):
        soul.remember(f"shelf {number}: has box {number}")
    learned(soul, ("sister", "Her sister Inés is a vet"))

    page = soul.portrait()

    assert "Her sister Inés is a vet." in told(page)["you"]
    assert page.is_cut


def test_a_page_about_somebody_tells_what_is_known_since_when_and_from_whom(soul: almario.Soul) -> None:
    learned(soul, ("sister", "Her sister Inés is a vet"), ("cat", "Her cat is called Tigre"))
    soul.remember("Inés's birthday: 3 May")

    page = soul.portrait("ines")

    assert page.name == "Inés"
    assert told(page) == {"person": ["Her sister Inés is a vet."], "plans": ["Inés's birthday: 3 May."]}
    assert (str(page.since), str(page.last), page.origins) == ("2026-11-14", "2026-11-14", {"owner": 2})


def test_somebody_was_last_spoken_of_when_they_were_last_named(soul: almario.Soul, clock: FixedClock) -> None:
    learned(soul, ("sister", "Her sister Inés is a vet"))
    clock.advance(days=3)
    soul.append("cli:main", "user", "Inés called this morning, all is well.")

    assert str(soul.portrait("Inés").last) == "2026-11-17"
