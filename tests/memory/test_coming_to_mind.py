"""What comes to mind: one hit for one thing, the newest of rivals, what was if asked; times are filters."""

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import almario
from almario import Scope, Utterance
from almario.domain.model import Hit
from almario.memory.rules.admission import Proposed
from almario.soul import Soul
from almario.testing import FixedClock
from tests.tables import each_row

pytestmark = pytest.mark.light


def told(hits: Sequence[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def say(soul: Soul, *texts: str, session: str = "cli:main", at: datetime | None = None) -> list[str]:
    """Let the owner and the agent speak in turn; return the turns' ids."""
    utterances = [
        Utterance("assistant" if n % 2 else "user", text, "agent" if n % 2 else "owner", at=at)
        for n, text in enumerate(texts)
    ]
    return [turn.id for turn in soul.memory.append(session, utterances)]


def test_a_question_comes_with_its_answer_and_never_alone(soul: Soul) -> None:
    say(soul, "What is Leo allergic to?", "Leo must not eat walnuts.")
    say(soul, "What is Leo's shoe size?", session="cli:other")

    [hit] = soul.recall("what is Leo allergic to")

    assert hit.text == "What is Leo allergic to? → Leo must not eat walnuts."
    assert hit.evidence == ("cli:main#2",)


def test_what_the_agent_said_comes_after_the_owners_word_on_the_same_thing_and_is_known_as_such(
    soul: Soul,
) -> None:
    soul.remember("Berta moved to a flat on the fourth floor")
    say(soul, "Which floor is Berta on?", "She is up on the second one.")

    first, second = soul.recall("Which floor is Berta on?", explain=True)

    assert (first.text, first.agent_said) == ("Berta moved to a flat on the fourth floor", "")
    assert second.agent_said == "She is up on the second one."
    assert first.score >= second.score
    odds = math.log(first.score / (1 - first.score))
    assert sum(value for _, _, value in first.reasons) == pytest.approx(odds)


def test_what_the_agent_said_of_something_else_is_not_hidden_by_the_owners_word(soul: Soul) -> None:
    soul.remember("My sister Lucia lives in Porto")
    say(soul, "What should I eat in Porto?", "A francesinha, with plenty of sauce.")

    prompt = soul.prompt("What should I eat in Porto?").text

    assert "(I said) A francesinha" in prompt


def test_a_fact_its_turn_and_its_line_of_the_log_are_one_hit(soul: Soul) -> None:
    [turn] = say(soul, "my sister Berta is coeliac, so no bread for her")
    fact = soul.memory.learn("sister", "Berta is coeliac", evidence=(turn,)).memory
    soul.log("Berta is coeliac.")

    [hit] = soul.recall("is Berta coeliac?")

    assert fact is not None
    assert hit.memory == fact.id
    assert set(hit.evidence) == {turn, "memory/2026-11-14.md#3"}


def test_two_facts_of_one_message_are_two_things(soul: Soul) -> None:
    [turn] = say(soul, "Berta is coeliac and Berta hates opera")
    soul.memory.learn("diet", "Berta is coeliac", evidence=(turn,))
    soul.memory.learn("music", "Berta hates opera", evidence=(turn,))

    assert set(told(soul.recall("tell me about Berta"))) == {"Berta is coeliac", "Berta hates opera"}


@pytest.fixture
def rent(soul: Soul, clock: FixedClock) -> Soul:
    """A soul that learned in June what the rent is, and in September what it is now."""
    for month, value in ((6, "the rent is 900 euros"), (9, "the rent is 950 euros")):
        clock.now = datetime(2026, month, 3, 12, tzinfo=UTC)
        [turn] = say(soul, f"by the way, {value}")
        fact = Proposed("rent", value, "fact", "auto", evidence=(turn,), act="replaces")
        soul.memory.admit(fact, actor="agent")
    clock.now = datetime(2026, 11, 14, 12, tzinfo=UTC)
    return soul


def test_a_prompt_tells_the_newest_of_rivals_and_since_when(rent: Soul) -> None:
    text = rent.prompt("how much is the rent?").text

    assert "- rent: the rent is 950 euros (told 2026-09-03)" in text
    assert "900 euros" not in text


@pytest.mark.parametrize("question", ["how much was the rent before?", "how much was the rent in July?"])
def test_what_was_replaced_comes_where_it_is_asked_for_and_says_so(rent: Soul, question: str) -> None:
    older = next(hit for hit in rent.recall(question) if "900" in hit.text)

    assert (older.state, older.last, older.by) == ("superseded", date(2026, 9, 3), "the rent is 950 euros")


def test_a_time_is_answered_by_what_held_then(rent: Soul) -> None:
    assert told(rent.recall("how much was the rent in July?")) == ["the rent is 900 euros"]
    assert told(rent.recall("how much was the rent in October?")) == ["the rent is 950 euros"]


def test_what_was_answered_before_a_change_comes_after_what_holds_now(rent: Soul) -> None:
    say(rent, "how much is my rent?", "900 euros.", session="cli:other", at=datetime(2026, 7, 1, tzinfo=UTC))

    first, second = rent.recall("how much is my rent?")

    assert first.text == "the rent is 950 euros"
    assert (second.text, second.day) == ("how much is my rent? → 900 euros.", date(2026, 7, 1))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User prefers light roast tea.", "User prefers light roast coffee."),
        ("The left molar hurts when chewing.", "The right molar hurts when chewing."),
        ("The grey cat sleeps on the sofa.", "The blue cat sleeps on the sofa."),
        ("Marta plays the violin on Mondays.", "Marta plays the guitar on Mondays."),
    ],
)
def test_two_lines_that_differ_by_a_word_are_two_things(soul: Soul, one: str, other: str) -> None:
    soul.log(one)
    soul.log(other)

    assert set(told(soul.recall(one))) == {one, other}


def test_the_same_words_are_told_once_wherever_they_stand(soul: Soul) -> None:
    soul.log("Marta plays the violin on Mondays.")
    say(soul, "marta plays the violin on mondays")
    fact = soul.remember("Marta plays the violin on Mondays").memory

    [hit] = soul.recall("what does Marta play?")

    assert fact is not None
    assert hit.memory == fact.id
    assert set(hit.evidence) == {"cli:main#1", "memory/2026-11-14.md#3"}


def test_an_episode_and_the_message_it_rests_on_are_one_thing(soul: Soul) -> None:
    [turn] = say(soul, "the boat got a new sail in Cork, finally")
    soul.memory.learn("", "Had a new sail made for the boat", kind="episode", evidence=(turn,))

    [hit] = soul.recall("boat sail")

    assert turn in {hit.turn, *hit.evidence}


def test_what_was_said_after_a_change_is_no_echo_of_what_was_before(rent: Soul) -> None:
    say(rent, "did I pay 900 euros of rent?", "You paid 900 euros.", session="cli:other")

    assert any("You paid 900 euros." in text for text in told(rent.recall("did I pay 900 euros of rent?")))


def test_a_question_of_nothing_but_a_time_is_answered_by_a_timeline(soul: Soul, clock: FixedClock) -> None:
    for day, text in ((2, "fuimos al faro"), (5, "llovió todo el día"), (9, "vino Berta a comer")):
        clock.now = datetime(2026, 11, day, 12, tzinfo=UTC)
        soul.log(text)
    clock.now = datetime(2026, 11, 14, 12, tzinfo=UTC)

    assert told(soul.recall("¿qué hicimos la semana pasada?")) == ["fuimos al faro", "llovió todo el día"]
    assert told(soul.recall("what happened on November 9?")) == ["vino Berta a comer"]


def test_what_was_told_last_week_of_december_did_not_happen_last_week(soul: Soul, clock: FixedClock) -> None:
    clock.now = datetime(2026, 11, 5, 12, tzinfo=UTC)
    say(soul, "the flight to Lugo will be on 20 December", "Noted.")
    clock.now = datetime(2026, 11, 14, 12, tzinfo=UTC)

    assert soul.recall("what did we do last week?") == []
    assert len(soul.recall("what do I have in December?")) == 1


def test_a_person_called_like_a_month_is_no_time(soul: Soul) -> None:
    soul.remember("note: Abril vive en Lugo con sus padres")

    assert told(soul.recall("¿dónde vive Abril?")) == ["Abril vive en Lugo con sus padres"]


@pytest.mark.folder
def test_soul_files_are_searched_only_on_request(soul: Soul) -> None:
    (soul.path / "SOUL.md").write_text("I love lighthouses.\n")

    assert soul.recall("lighthouses", min_score=0.0) == []
    assert told(soul.recall("lighthouses", scope=Scope(sources=("soul",)))) == ["I love lighthouses."]


def test_what_a_session_shows_does_not_come_in_it(soul: Soul) -> None:
    say(soul, "my kayak hangs in the red shed", "Good to know.")

    assert len(soul.recall("where is my kayak?")) == 1
    assert soul.recall("where is my kayak?", session="cli:main") == []
    assert soul.prompt("where is my kayak?", session="cli:main").told == ()
    assert soul.prompt("where is my kayak?", session="cli:other").told == ("cli:main#1",)


def test_what_has_expired_comes_to_mind_and_is_in_use_again_when_it_was_told(
    soul: Soul, clock: FixedClock
) -> None:
    fact = soul.memory.learn("allergy", "Leo is allergic to walnuts").memory
    assert fact is not None
    clock.advance(days=400)

    prompt = soul.prompt("can Leo eat walnuts?")

    assert [hit.memory for hit in prompt.recalled] == [fact.id]
    relevant = next(section.text for section in prompt.sections if section.name == "relevant")
    assert "allergy: Leo is allergic to walnuts (told 2026-11-14, not heard of since 2026-11-14)" in relevant
    assert "walnuts" not in next(section.text for section in prompt.sections if section.name == "known")


def test_a_long_answer_is_told_cut(soul: Soul) -> None:
    say(soul, "How do I get to the lighthouse?", "You take the coast road. " * 40)

    [hit] = soul.recall("how do I get to the lighthouse?")

    assert len(hit.text) < 500
    assert hit.text.endswith("…")


def test_a_denial_is_not_the_same_as_what_it_denies(soul: Soul) -> None:
    soul.remember("Tom is allergic to nuts.")
    soul.log("Tom is not allergic to nuts.")

    assert set(told(soul.recall("is Tom allergic to nuts?"))) == {
        "Tom is allergic to nuts.", "Tom is not allergic to nuts.",
    }  # fmt: skip


def test_what_was_forgotten_does_not_hide_what_is_written_of_it_later(soul: Soul) -> None:
    soul.remember("zoo: the kids loved the penguins of the zoo")
    soul.forget("zoo")
    soul.log("The kids loved the penguins of the zoo again.")

    assert told(soul.recall("penguins")) == ["The kids loved the penguins of the zoo again."]


def test_a_question_lends_its_words_to_its_answer_alone(soul: Soul) -> None:
    say(soul, "hi there my friend", "Hello.", "where do I live?", "Where?", "The bus was late today.")

    assert soul.recall("where do I live?", min_score=0.05) == []


def test_each_of_several_values_gave_way_to_the_next(soul: Soul, clock: FixedClock) -> None:
    for month, value in ((6, "earns 3000 euros"), (7, "earns 3500 euros"), (9, "earns 4000 euros")):
        clock.now = datetime(2026, month, 3, 12, tzinfo=UTC)
        fact = Proposed("salary", value, "fact", "auto", act="replaces")
        soul.memory.admit(fact, actor="agent")
    clock.now = datetime(2026, 11, 14, 12, tzinfo=UTC)

    [hit] = soul.recall("how many euros did I earn in August?")

    assert (hit.text, hit.last, hit.by) == ("earns 3500 euros", date(2026, 9, 3), "earns 4000 euros")


def test_a_timeline_prefers_what_was_noted_to_what_was_said(soul: Soul) -> None:
    say(soul, "hello my dear old friend", "Hello.", "what a lovely sky", "Yes.", session="cli:other")
    noted = ["oven repaired", "lease signed", "dentist", "soup", "a long walk"]
    for text in noted:
        soul.log(text)

    assert told(soul.recall("what did we do today?")) == noted


def test_what_core_memory_tells_is_not_told_again_by_the_turn_it_came_from(soul: Soul) -> None:
    [turn] = say(soul, "my sister Berta is coeliac, so no bread for her")
    soul.memory.learn("sister", "Berta is coeliac", evidence=(turn,))

    prompt = soul.prompt("is Berta coeliac?", session="cli:other")

    assert [hit.text for hit in prompt.recalled] == ["Berta is coeliac"]
    assert prompt.text.count("coeliac") == 1


UNRELATED = [
    ("leo", "Is allergic to peanuts and carries an EpiPen", "Goes to St. Mary's school", "Leo peanuts"),
    (
        "family",
        "Her aunt Rosa lives in Bilbao",
        "Her cousin Marta studies in Granada",
        "where does Rosa live?",
    ),
    ("salud", "Se operó del menisco en 2018 en el Clínic", "Toma 20 mg de omeprazol", "¿de qué me operé?"),
    ("banco", "La Sparkasse ofrece un 3,1 %", "El BBVA ofrece un 2,9 %", "¿cuánto me ofreció la Sparkasse?"),
]


@each_row(("key", "older", "newer", "question"), UNRELATED)
def test_what_was_told_earlier_under_a_key_is_never_hidden(
    soul: Soul, clock: FixedClock, key: str, older: str, newer: str, question: str
) -> None:
    soul.remember(key, older)
    clock.advance(days=20)
    soul.remember(key, newer)

    assert older in told(soul.recall(question))
    assert older in soul.prompt(question).text


def test_what_seems_to_be_an_earlier_value_is_marked_and_comes_after_the_newer(
    soul: Soul, clock: FixedClock
) -> None:
    soul.remember("dose", "Takes 50 mg of sertraline")
    clock.advance(days=20)
    soul.remember("dose", "The doctor raised sertraline to 75 mg")

    newer, older = soul.recall("sertraline")
    text = soul.prompt("how much sertraline do I take?").text

    assert (newer.state, older.state, older.text) == ("", "earlier", "Takes 50 mg of sertraline")
    assert "- told earlier: dose: Takes 50 mg of sertraline (told" in text
    assert text.index("raised sertraline to 75 mg") < text.index("earlier: dose")
    assert "now:" not in text
    assert "until" not in text


def test_a_question_that_names_the_earlier_value_is_answered_by_it(soul: Soul, clock: FixedClock) -> None:
    soul.remember("rate", "Sparkasse offers a mortgage at 3.1%")
    clock.advance(days=20)
    soul.remember("rate", "BBVA offers a mortgage at 2.9%")

    assert told(soul.recall("what did the Sparkasse offer?"))[0] == "Sparkasse offers a mortgage at 3.1%"


def test_what_was_told_last_comes_with_the_older_though_no_word_of_it_is_asked_for(
    tmp_path: Path, clock: FixedClock
) -> None:
    with almario.create(tmp_path, settings={"embedder.name": "local"}, clock=clock) as soul:
        soul.remember("home", "Lives in Seville")
        clock.advance(days=20)
        soul.remember("home", "Moved to Cádiz")

        assert told(soul.recall("where do I live?")) == ["Moved to Cádiz", "Lives in Seville"]


def test_what_is_shouted_means_what_small_letters_mean(home: Path, clock: FixedClock) -> None:
    soul = almario.create(home, clock=clock, settings={"embedder.name": "local"})
    of = soul.memory.embedding.of

    shouted, spoken = (of(each)[0] for each in ("¿DÓNDE ESTÁ LA LLAVE?", "¿dónde está la llave?"))

    assert shouted is not None
    assert spoken is not None
    assert list(shouted) == list(spoken)


def test_a_greeting_brings_no_fact_and_a_message_what_belongs_to_it(home: Path, clock: FixedClock) -> None:
    soul = almario.create(home, clock=clock, settings={"embedder.name": "local"})
    for n in range(20):
        soul.memory.learn("shelf", f"Keeps a box of slides on shelf {n} by the wall")
    soul.memory.learn("bike", "Rides a green bicycle to the office")
    clock.advance(days=30)

    assert "bicycle" not in soul.prompt("good morning, and thanks!").text
    assert "bicycle" in soul.prompt("Which colour of helmet goes with what I ride?").text


def test_whatever_a_message_is_about_an_earlier_value_is_marked_and_so_is_an_old_answer_that_repeats_it(
    soul: Soul, clock: FixedClock
) -> None:
    soul.remember("dose", "Takes 50 mg of sertraline")
    say(soul, "I forgot again, which pills were it?", "50 mg of sertraline.", session="cli:old")
    clock.advance(days=20)
    soul.remember("dose", "The doctor raised sertraline to 75 mg")

    for message in ("what shall we do?", "which pills were it?"):
        told_of_it = [line for line in soul.prompt(message).remembered if "50 mg" in line]
        assert told_of_it
        assert all("told earlier" in line for line in told_of_it)


def test_all_that_is_remembered_keeps_to_one_budget(soul: Soul) -> None:
    for n in range(120):
        soul.memory.learn(
            f"box {n}", f"Keeps a box of slides of the year {1700 + n} on shelf {n} by the wall"
        )
    memory = ("coming", "recent", "relevant", "known")

    sections = soul.prompt("where are the slides of 1834?").sections

    assert 900 < sum(each.tokens for each in sections if each.name in memory) <= 1200 + 20
