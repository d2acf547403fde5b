"""Without a model nothing is decided: what is said is kept as it is, and what comes to mind is shown."""

import json
from collections.abc import Callable

import pytest

import almario
from almario.domain.messages import naming
from almario.domain.model import Query
from almario.errors import LLMUnavailable
from almario.memory.telling import Listener
from almario.testing import FixedClock, ScriptedLLM
from tests.conversation.unaided import a_soul, shown
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light
MAIN = "cli:main"
# What a stranger may type first; none of it is understood, and all of it is kept.
FIRST = [
    "hello",
    "we moved to Utrecht last month",
    "I hate mondays",
    "wat am i alergic to",
    "the dentist is off",
    "Lena's birthday is on 4 May",
    "no, Friday",
    "que hago el sabado",
    "mi gata se llama Michi",
    "ya no soy vegetariana",
    "comprar leche",
    "gracias",
]


@each_row("message", FIRST)
@pytest.mark.parametrize("language", ["en", "es"])
def test_whatever_is_said_is_kept_as_it_is_and_becomes_no_fact(message: str, *, language: str) -> None:
    soul = a_soul(language=language)

    answer = soul.talk(message)

    assert [turn.text for turn in soul.sessions.turns(MAIN)] == [message]
    assert soul.memory.list() == []
    assert answer.text.splitlines()[0] == {"en": "Kept.", "es": "Guardado."}[language]
    assert [hit.turn for hit in soul.memory.recall(Query(message), Listener(floor=0.0))] == [f"{MAIN}#1"]


@each_row(
    "message",
    [
        "Remind me to call Marta on Friday",
        "please remember to buy oats",
        "Don't forget to water the ferns!",
        "Recuérdame llamar a Marta el viernes",
        "Acuérdate de regarlo",
        "Por favor, avísame cuando salga el tren",
        "Recuerda comprar avena",
    ],
)
def test_whoever_asks_to_be_reminded_is_told_that_nobody_will_and_what_does_it(message: str) -> None:
    soul = a_soul(language="en")
    soul.remember("Marta is called on Friday, and oats are bought")

    answer = soul.talk(message)

    assert answer.text.startswith("Kept as you said it, and no reminder: for that I need a language model.")
    assert len(soul.memory.list()) == 1
    assert list(soul.memory.plans()) == []


def test_who_tells_of_reminding_is_told_nothing_of_it() -> None:
    soul = a_soul(language="en")

    for message in ("I remember the sea", "Remember the sea!", "forgot to call Ana", "recuerdo el mar"):
        assert soul.talk(message).text.startswith("Kept.")
    for message in ("Ana asked me to remind me of it", "Ana me pidió: recuérdame la cita"):
        assert soul.talk(message).text.startswith("Kept.")


@pytest.mark.parametrize("embedder", ["none", "local"])
def test_a_question_that_nothing_is_likely_to_answer_shows_the_little_there_is(embedder: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": embedder})
    for each in ("we moved to Utrecht last month", "I'm a nurse at St James's"):
        soul.talk(each)

    answer = soul.talk("Where do I live?")

    assert answer.text.splitlines() == [
        "I can't tell what answers that. This is all I know so far:",
        "- I'm a nurse at St James's (you said, today)",
        "- we moved to Utrecht last month (you said, today)",
    ]


def test_what_has_nothing_to_do_with_a_question_is_not_shown_for_being_least_far() -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    for each in range(12):
        soul.talk(f"Shelf {'abcdefghijkl'[each]} holds jam")

    assert soul.talk("What is the capital of Peru?").text == "Kept."
    assert soul.talk("Where is the jam?").text.startswith("I'm not sure, but this may be it:\n- Shelf ")


def test_what_may_be_a_secret_is_shown_to_the_owner_alone() -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "none"})
    known = soul.remember("the wifi password of the cabin is tundra-fox-88").memory
    assert known is not None
    soul.memory.change(known.id, shared=True)
    soul.append("telegram:-100", "user", "hello all", origin="untrusted", speaker="Pepe")
    question = "What is the wifi password of the cabin?"

    assert "tundra-fox-88" in soul.talk(question).text
    among_others = soul.talk(question, "telegram:-100").text
    assert "the wifi password of the cabin is [withheld:" in among_others
    assert "tundra" not in among_others


def test_what_is_likely_is_told_best_first_with_its_day_and_who_said_it() -> None:
    clock = FixedClock()
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"})
    soul.append(MAIN, "user", "The plumber Hugo Marsh lives in Leeds")
    clock.advance(days=2)
    soul.memory.learn("work", "The plumber Hugo Marsh charges 60 pounds", origin="agent")
    others = "Hugo Marsh the plumber never answers his telephone"
    soul.append("telegram:7", "user", others, origin="untrusted", speaker="Vera")

    answer = soul.talk("Which plumber is Hugo Marsh?", "cli:other")

    lead, *lines = answer.text.partition("\n\n")[0].splitlines()
    assert lead == "This comes to mind:"
    assert lines == [
        "- work: The plumber Hugo Marsh charges 60 pounds (I said, today)",
        "- The plumber Hugo Marsh lives in Leeds (you said, 14 November 2026)",
        "- Hugo Marsh the plumber never answers his telephone (Vera said, today; not trusted)",
    ]
    scores = [hit.score for hit in answer.recalled]
    assert scores == sorted(scores, reverse=True)


def test_of_much_that_is_known_the_nearest_is_told_as_unsure() -> None:
    soul = a_soul(*(f"Friend number {each} plays the drums" for each in range(11)), "we moved to Utrecht")

    answer = soul.talk("Where do I live?")

    assert answer.text.splitlines()[0] == "I'm not sure, but this may be it:"
    assert len(answer.recalled) == 3


@pytest.mark.parametrize("embedder", ["none", "local"])
def test_what_was_said_since_of_a_likely_answer_stands_before_it(embedder: str) -> None:
    clock = FixedClock()
    soul = soul_on(MemoryStore(clock), {"embedder.name": embedder})
    for number in range(11):
        soul.remember(f"Friend number {number} plays the drums")
    for each in ("The dentist is on Tuesday at 4", "my bike has a flat tyre", "The dentist is off"):
        clock.advance(days=1)
        soul.append(MAIN, "user", each)

    lead, *lines = soul.talk("When is the dentist?", "cli:other").text.partition("\n\n")[0].splitlines()

    assert lead == "This comes to mind:"
    assert [line.partition(" (")[0] for line in lines] == [
        "- The dentist is off",
        "- The dentist is on Tuesday at 4",
    ]


def test_of_what_is_unsure_the_newest_is_told_first() -> None:
    clock = FixedClock()
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    for number in range(11):
        soul.remember(f"Friend number {number} plays the drums")
    for each in ("my class is on Wednesdays at the club", "I bought a red bicycle", "class moved to Mondays"):
        clock.advance(days=1)
        soul.append(MAIN, "user", each)

    lead, first, second, *_ = soul.talk("Which evening is my painting class?", "cli:other").text.splitlines()

    assert lead == "I'm not sure, but this may be it:"
    assert "Mondays" in first
    assert "Wednesdays" in second


def test_what_shares_a_word_with_what_is_told_is_shown_beside_it_and_nothing_else_is() -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "none"})
    soul.talk("Hugo cannot drink milk")
    soul.talk("the car is in the garage")

    near = soul.talk("buy oat milk and bread and eggs and some fruit for the weekend party at the office")

    assert near.text == "Kept. Perhaps it has to do with this:\n- Hugo cannot drink milk (you said, today)"
    assert soul.talk("it rains").text == "Kept."


def test_neither_the_message_itself_nor_a_question_or_an_order_before_it_comes_to_mind() -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "none"})
    for each in ("When is the dentist?", "forget the dentist", "the dentist hurts"):
        soul.talk(each)

    again = soul.talk("the dentist hurts")
    asked = soul.talk("When is the dentist?")

    assert again.text == "Kept."
    assert [hit.text for hit in asked.recalled] == ["the dentist hurts"]


def test_how_to_get_a_model_is_said_once_a_session_as_the_door_calls_it() -> None:
    soul = a_soul()
    soul.talk("remember that I like tea")

    with naming(lambda line: f"<{line}>"):
        first, then = soul.talk("hello").text, soul.talk("and now?").text
    soul.end_session(MAIN)

    assert '"<almario model choose>" gets one to talk with; "<almario help>" lists the commands.' in first
    assert "model" not in then
    assert "almario model choose" in soul.talk("hello again").text


def test_it_says_which_answers_are_the_memorys(talking: Callable[..., almario.Soul]) -> None:
    assert a_soul().talk("hello").is_memory
    assert not a_soul().talk("remember that I like tea").is_memory
    assert not talking("Hi!").talk("hello").is_memory


def test_in_a_group_it_tells_only_what_that_may_hear_and_is_quiet_else() -> None:
    soul = a_soul("my salary is 84 thousand")
    soul.append("telegram:-7", "user", "Hi all", origin="untrusted", speaker="Vera")
    soul.append("telegram:-7", "user", "the picnic is on Sunday")

    assert [hit.text for hit in soul.talk("When is the picnic?", "telegram:-7").recalled] == [
        "the picnic is on Sunday"
    ]
    with pytest.raises(LLMUnavailable):
        soul.talk("Is my salary 84 thousand?", "telegram:-7")
    with pytest.raises(LLMUnavailable):
        soul.talk("Remind me to call Ana", "telegram:-7")


def test_off_the_record_nothing_is_said_to_be_kept() -> None:
    soul = a_soul()
    soul.off_record()

    for message in ("it rains", "Remind me to call Ana"):
        assert "Kept" not in shown(soul.talk(message))


def test_a_secret_that_no_model_is_told_is_shown_to_its_owner_with_where_it_is_shown() -> None:
    soul = a_soul()
    soul.talk("the alarm code of the shed is 7719, and the wifi password is Kx93-mmQz!")

    answer = soul.talk("What is the wifi password?")

    assert "Kx93-mmQz!" in answer.text


def test_both_values_stand_each_with_its_day() -> None:
    clock = FixedClock()
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    soul.talk("the dentist is on Friday at ten")
    clock.advance(days=1)
    soul.talk("the dentist is on Monday at ten")

    told = soul.talk("When is the dentist?").text

    assert "Friday" in told
    assert "Monday" in told
    assert told.index("Monday") < told.index("Friday")
    assert soul.memory.list() == []


def test_a_model_that_answers_is_told_nothing_of_the_notebook() -> None:
    llm = ScriptedLLM("Hi!")
    soul = soul_on(MemoryStore(FixedClock()), llm=llm)

    soul.talk("hello")

    assert "Kept." not in json.dumps([each.text for each in llm.asked[0].messages])
