"""What an agent knows of its owner and of others, told as pages of sentences with their evidence."""

import pytest

import almario
from almario.conversation import portraits
from almario.domain.portrait import Portrait
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on

pytestmark = pytest.mark.light
# With the bundled encoder, which tells people from places, and themes apart.
LOCAL = {"embedder.name": "local"}


def told(page: Portrait) -> dict[str, list[str]]:
    return {part.theme: [each.text for each in part.sentences] for part in page.parts}


def learned(soul: almario.Soul, *facts: tuple[str, str]) -> None:
    for key, value in facts:
        soul.memory.learn(key, value)


def test_a_portrait_tells_memories_as_sentences_under_themes(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), LOCAL)
    learned(
        soul,
        ("job", "Works as a nurse at the hospital in Leeds"),
        ("allergy", "Is allergic to penicillin"),
        ("sister", "Her sister Kath is expecting twins"),
        ("appointment", "Goes to the dentist on 20 November 2026"),
    )
    soul.remember("home: a flat by the river")
    soul.remember("My nephew Leo was born on 3 May")
    soul.remember("answer in short sentences", kind="instruction")

    assert told(soul.portrait()) == {
        "you": ["Home: a flat by the river."],
        "people": ["Her sister Kath is expecting twins.", "My nephew Leo was born on 3 May."],
        "work": ["Works as a nurse at the hospital in Leeds."],
        "health": ["Is allergic to penicillin."],
        "plans": ["Goes to the dentist on 20 November 2026."],
        "manner": ["Answer in short sentences."],
    }


def test_what_an_address_book_says_of_others_stands_under_people_and_of_the_owner_does_not(
    clock: FixedClock,
) -> None:
    soul = soul_on(MemoryStore(clock), LOCAL)
    soul.write(soul.read("USER.md"), "- Name: Ana Ruiz\n")
    learned(
        soul,
        ("Tom Baker", "Tom Baker, works at: Northwind Ltd"),
        ("Tom Baker", "Tom Baker, e-mail: tom@example.org"),
        ("Ana Ruiz", "Ana Ruiz, works at: Talleres Ferrer"),
    )

    themes = told(soul.portrait())

    assert len(themes.pop("people")) == 2
    assert themes == {"work": ["Ana Ruiz, works at: Talleres Ferrer."]}


def test_every_sentence_names_the_memory_it_rests_on(soul: almario.Soul) -> None:
    kept = soul.remember("home: a flat by the river").memory

    [sentence] = soul.portrait().sentences

    assert kept
    assert sentence.evidence == (kept.id,)


def test_what_was_forgotten_replaced_or_has_ended_is_not_told(soul: almario.Soul) -> None:
    for text in ("home: a flat by the river", "car: an old Fiesta", "pet: a cat", "tea: with milk"):
        soul.remember(text)
    soul.forget("car")
    soul.remember("home", "a house in Leeds", replaces=soul.memory.named("home")[0].id)
    soul.update(soul.memory.named("pet")[0].id, ended="2026-11-01")

    assert sorted(told(soul.portrait())["you"]) == ["Home: a house in Leeds.", "Tea: with milk."]


def test_many_memories_of_one_theme_are_counted(soul: almario.Soul) -> None:
    for number in range(11):
        soul.remember(f"shelf {number}: has box {number}")

    [part] = soul.portrait().parts

    assert (len(part.sentences), part.more) == (8, 3)


def test_of_very_many_memories_the_latest_are_among_those_looked_at(
    soul: almario.Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portraits, "_CONSIDERED", 3)
    for number in range(5):
        soul.remember(f"shelf {number}: has box {number}")
    learned(soul, ("sister", "Her sister Inés is a vet"))

    page = soul.portrait()

    assert told(page)["people"] == ["Her sister Inés is a vet."]
    assert page.is_cut


def test_a_page_about_somebody_tells_what_is_known_since_when_and_from_whom(soul: almario.Soul) -> None:
    learned(soul, ("sister", "Her sister Inés is a vet"), ("cat", "Her cat is called Tigre"))
    soul.remember("Inés's birthday: 3 May")

    page = soul.page("ines")

    assert page.name == "Inés"
    assert told(page) == {"person": ["Her sister Inés is a vet."], "plans": ["Inés's birthday: 3 May."]}
    assert (str(page.since), str(page.last), page.origins) == ("2026-11-14", "2026-11-14", {"owner": 2})


def test_somebody_was_last_spoken_of_when_they_were_last_named(soul: almario.Soul, clock: FixedClock) -> None:
    learned(soul, ("sister", "Her sister Inés is a vet"))
    clock.advance(days=3)
    soul.append("cli:main", "user", "Inés called this morning, all is well.")

    assert str(soul.page("Inés").last) == "2026-11-17"


def test_people_are_those_memories_speak_of_and_neither_places_nor_the_owner(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), LOCAL)
    learned(
        soul,
        ("sister", "Her sister Inés is a vet in Lisbon"),
        ("Inés", "Inés moved from Madrid to Lisbon in May"),
        ("boss", "Her boss is Tom Okafor"),
        ("car", "Drives a Toyota"),
    )

    assert [each.name for each in soul.people()] == ["Inés", "Tom Okafor"]


def test_whoever_calls_for_attention_names_nobody_by_it(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), LOCAL)
    learned(
        soul,
        ("padre", "Oye, que mi padre se llama Anselmo"),
        ("", "Listen, the plumber comes at nine"),
    )

    assert [each.name for each in soul.people()] == ["Anselmo"]


def test_what_stands_beside_a_name_says_whether_it_is_somebody(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), LOCAL)
    for told_of in (
        "My sister Ines lives in Lugo",
        "Mi hermana Inés es veterinaria",
        "Marta and Jon are getting married in May",
        "Mi jefe, Iñaki, vive en Bilbao",
        "Our dog Bruno is nine",
        "mi gata Luna tiene cuatro años",
        "Rex, our parrot, swears",
    ):
        soul.remember(told_of)

    found = {each.name: each.memories for each in soul.people()}

    assert found == {"Ines": 2, "Marta": 1, "Jon": 1, "Iñaki": 1}


def test_without_an_encoder_the_kind_decides_and_the_rest_is_about_you(soul: almario.Soul) -> None:
    learned(
        soul, ("job", "Works as a nurse at the hospital"), ("sister", "Her sister Kath is expecting twins")
    )
    soul.remember("answer in short sentences", kind="instruction")

    assert told(soul.portrait()) == {
        "you": ["Works as a nurse at the hospital."],
        "people": ["Her sister Kath is expecting twins."],
        "manner": ["Answer in short sentences."],
    }
