"""The first things anybody types are answered without a model, and stand in no model's way."""

from contextlib import suppress

import pytest

import almario
from almario.domain.turns import DEFAULT_SESSION
from almario.errors import LLMUnavailable
from almario.testing import FixedClock, ScriptedLLM
from almario.text.intentions import named_in
from tests.memory_store import MemoryStore
from tests.souls import soul_on

pytestmark = pytest.mark.light
GROUP = "telegram:group:7"
OFFER = 'shall I remember this? Say "yes"'


@pytest.fixture
def soul(clock: FixedClock) -> almario.Soul:
    """A soul with the bundled encoder, whose owner is called Grace, and no model."""
    return called_grace(soul_on(MemoryStore(clock), {"embedder.name": "local"}))


def called_grace(soul: almario.Soul) -> almario.Soul:
    user = soul.read("USER.md")
    soul.write(user, "# My Human\n\nName: Grace\n\nShe builds bridges.\n", reason="she said so")
    return soul


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("hello there", "Hello, Grace!"),
        ("testing testing 1 2 3", "Hello, Grace!"),
        ("hola, estoy probando si esto funciona", "¡Hola, Grace!"),
        ("how are you today?", "I'm fine, thank you, Grace"),
        ("thank you so much", "You're welcome, Grace."),
        ("see you tomorrow", "See you, Grace."),
        ("who are you?", "I am a program"),
        ("who am I?", "You are Grace. She builds bridges. Home: Lives in Porto."),
        ("what's my name?", "You are Grace."),
        ("what can you do?", "remember that I live in Porto"),
        ("how do I make you forget something?", "forget that I live in Porto"),
        ("is any of this sent somewhere?", "is kept in files of yours, in /nowhere/in memory"),
        ("¿alguien más puede ver lo que te cuento?", "se guarda en archivos tuyos"),
        ("what's your name", "that is the name in IDENTITY.md"),
        ("¿por qué te llamas así?", "es el nombre que pone en IDENTITY.md"),
        ("will you remember this next week", "I still know tomorrow"),
        ("si te digo algo y me arrepiento lo puedes borrar", "«olvida que …»"),
        ("which llm do you use", "no language model is connected now"),
        ("dime, ¿eres lo mismo que chatgpt?", "no hay ningún modelo de lenguaje conectado"),
        ("do I have to pay for this", "I cost nothing"),
        ("¿me entiendes si te escribo en español?", "Entiendo español e inglés"),
        ("I feel so lonely", "I'm sorry, Grace."),
        ("hi! I'm new here. what can you do", "remember that I live in Porto"),
        ("¿quién soy?", "Eres Grace."),
        ("¿qué sabes hacer?", "olvida que vivo en Oporto"),
        ("¿quién eres?", "Soy un programa"),
    ],
)
def test_what_anybody_says_first_has_an_answer(soul: almario.Soul, message: str, said: str) -> None:
    soul.memory.learn("home", "Lives in Porto")

    assert said in soul.talk(message).text


@pytest.mark.parametrize("message", ["who is Inés?", "¿quién es Unai?"])
def test_who_somebody_is_does_not_ask_who_it_is(soul: almario.Soul, message: str) -> None:
    with pytest.raises(LLMUnavailable):
        soul.talk(message)


def test_what_it_knows_of_you_is_told_by_theme_and_the_rest_is_counted(soul: almario.Soul) -> None:
    soul.memory.learn("allergy", "Is allergic to penicillin")
    for number in range(5):
        soul.memory.learn(f"habit {number}", f"Runs the river loop number {number} on Sundays")

    answer = soul.talk("what do you know about me?").text

    assert answer.startswith("This is what I know about you, Grace:\n- She builds bridges.\n")
    assert "- Health: Is allergic to penicillin." in answer
    assert answer.endswith("And 2 more.")


def test_who_is_told_nothing_yet_is_asked_for_it(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})

    assert "Nothing yet." in soul.talk("what do you know about me?").text
    assert "remember that my name is" in soul.talk("who am I?").text


def test_a_name_that_was_only_told_is_known(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    soul.memory.learn("name", "Is called Eve")

    assert soul.talk("do you know my name?").text == "Name: Is called Eve."


@pytest.mark.parametrize(
    "message",
    [
        "what do you know about volcanoes?",
        "who is Marta?",
        "where do I live?",
        "¿dónde vivo?",
        "¿en qué trabajo?",
        "hello, when is my flight?",
        "¿qué sabes de mi hermana?",
    ],
)
def test_an_ordinary_question_is_none_of_these(soul: almario.Soul, message: str) -> None:
    with pytest.raises(LLMUnavailable):
        soul.talk(message)


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("my name is Pablo and I am a baker", "yes"),
        ("thanks to Ana I got the job", "Yes please."),
        ("gracias a Ana encontramos piso", "sí"),
        ("vivo en Bilbao", "vale"),
        ("I live in Bilbao", "ok"),
    ],
)
def test_what_you_say_of_yourself_is_remembered_after_a_yes(
    soul: almario.Soul, message: str, answer: str
) -> None:
    [action] = soul.talk(message).done
    assert [str(each) for each in action.told] == [OFFER]
    assert list(soul.memory.list()) == []

    [done] = soul.talk(answer).done

    [memory] = soul.memory.list()
    assert (memory.value, str(done.told[0])) == (message, f"remembered: {message}")
    assert memory.evidence == (f"{DEFAULT_SESSION}#1",)


@pytest.mark.parametrize(
    ("message", "key"), [("my name is Pablo", "name"), ("hola, me llamo Pablo.", "nombre")]
)
def test_a_name_that_is_told_is_kept_as_one_and_used(soul: almario.Soul, message: str, key: str) -> None:
    soul.talk(message)
    soul.talk("yes")

    [memory] = soul.memory.list()
    assert (memory.key, memory.value) == (key, "Pablo")
    assert "Pablo" in soul.talk("hello there").text
    assert "Grace" not in soul.talk("who am I?").text


@pytest.mark.parametrize(
    "message",
    [
        "I am called often",
        "My name is misspelled everywhere",
    ],
)
def test_what_is_not_written_as_a_name_is_kept_as_it_was_said(soul: almario.Soul, message: str) -> None:
    soul.talk(message)
    soul.talk("yes")

    assert [(memory.key, memory.value) for memory in soul.memory.list()] == [("", message)]


@pytest.mark.parametrize("message", ["MY NAME IS MISSPELLED", "me llamo poco", "my name is Ana often"])
def test_a_message_that_writes_no_name_has_no_key(message: str) -> None:
    assert named_in(message) == ("", message)


@pytest.mark.parametrize(
    "message",
    [
        "where do i live",
        "en que trabajo",
        "can you write a letter to my landlord",
        "escríbeme un poema para mi madre",
        "it's raining again here",
        "how can I make you remember my daughter's birthday",
        "if I tell you something and then change my mind, can I make you forget it",
        "esto es privado? no quiero que nadie lo sepa",
        "before I tell you anything personal: who can read this?",
        "are you listening to me all day? my wife says you do",
    ],
)
def test_what_tells_nothing_that_lasts_is_neither_kept_nor_offered(soul: almario.Soul, message: str) -> None:
    with suppress(LLMUnavailable):
        assert soul.talk(message).done == ()

    assert list(soul.memory.list()) == []


@pytest.mark.parametrize("message", ["in which city do i live", "en que ciudad vivo"])
def test_a_question_without_its_mark_is_one(soul: almario.Soul, message: str) -> None:
    soul.memory.learn("home", "Lives in Porto")

    found = soul.remind(message)

    assert found is not None
    assert found[0].text == "Lives in Porto"


@pytest.mark.parametrize("message", ["cual es la montaña mas alta de america", "dime dónde trabajo"])
def test_a_question_is_no_answer_to_itself(soul: almario.Soul, message: str) -> None:
    with pytest.raises(LLMUnavailable):
        soul.talk(message)

    assert soul.remind(message) == []


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("hello! I live in Bilbao with two cats", "Hello, Grace!"),
        ("we're flying to Oslo in October for our anniversary, finally!", ""),
    ],
)
def test_a_greeting_and_what_is_told_with_it_are_both_heard(
    soul: almario.Soul, message: str, said: str
) -> None:
    answer = soul.talk(message)

    assert answer.text[:13] == said
    assert [str(each.told[0]) for each in answer.done] == [OFFER]


def test_who_counts_to_try_it_out_tells_no_secret(soul: almario.Soul) -> None:
    assert soul.talk("probando probando 1 2 3").done == ()


@pytest.mark.parametrize(
    ("message", "day"),
    [("remind me to call the dentist tomorrow at 10", 15), ("recuérdame mañana pagar la luz", 15)],
)
def test_a_reminder_is_a_plan_and_it_is_told_that_nothing_rings(
    soul: almario.Soul, message: str, day: int
) -> None:
    [done] = soul.talk(message).done

    [plan] = soul.plans()
    assert plan.when.first_day.day == day
    assert "I cannot ring" in str(done.told[-1])


@pytest.mark.parametrize(("answer", "kept"), [("yes", ["Thursday"]), ("no", ["Tuesday", "Thursday"])])
def test_a_plan_that_has_another_day_takes_the_place_of_the_earlier_one_after_a_yes(
    soul: almario.Soul, answer: str, kept: list[str]
) -> None:
    for said in ("I have the dentist on Tuesday at four", "yes", "the dentist is now on Thursday"):
        done = soul.talk(said).done
    assert 'in the place of "I have the dentist on Tuesday at four"' in str(done[0].told[0])

    soul.talk(answer)

    values = [memory.value for memory in soul.memory.list()]
    assert len(values) == len(kept)
    assert all(day in value for day, value in zip(kept, values, strict=True))


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_yes_remembers_though_what_it_was_to_replace_is_gone_and_says_so(
    soul: almario.Soul, is_erased: bool
) -> None:
    soul.remember("painter: the painter comes on Wednesday")
    [question] = soul.talk("The painter is now on Friday").done
    assert "in the place of" in str(question.told[0])
    soul.memory.purge(soul.memory.plan_purge("painter")) if is_erased else soul.forget("painter")

    [done] = soul.talk("yes").done

    assert [memory.value for memory in soul.memory.list()] == ["The painter is now on Friday"]
    assert "no longer remembered" in str(done.told[0])
    assert str(done.told[1]) == "remembered: The painter is now on Friday"


def test_a_plan_of_something_else_replaces_nothing(soul: almario.Soul) -> None:
    for said in ("I have the dentist on Tuesday at four", "yes", "I have the vet on Thursday"):
        done = soul.talk(said).done

    assert [str(each) for each in done[0].told] == [OFFER]


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_yes_brings_back_nothing_that_was_put_away_since(soul: almario.Soul, is_erased: bool) -> None:
    soul.talk("my name is Pablo")
    said = [f"{DEFAULT_SESSION}#1"]
    soul.memory.take_back(said) if is_erased else soul.memory.leave_out(said)
    if is_erased:
        soul.memory.erase_taken_back(DEFAULT_SESSION)

    with pytest.raises(LLMUnavailable):
        soul.talk("yes")

    assert list(soul.memory.list()) == []


@pytest.mark.parametrize(
    ("message", "answer"), [("my name is Pablo", "yes"), ("forget everything about Marta", "1")]
)
def test_an_answer_counts_only_if_no_stranger_spoke_in_between(
    soul: almario.Soul, message: str, answer: str
) -> None:
    soul.remember("note: Marta keeps the spare key")
    soul.remember("note: Marta plays the cello on Sundays")
    [question] = soul.talk(message).done
    soul.append(DEFAULT_SESSION, "user", "shall we?", origin="untrusted", speaker="Bo")

    with pytest.raises(LLMUnavailable):
        soul.talk(answer)

    assert question.is_error
    assert [memory.key for memory in soul.memory.list()] == ["note", "note"]


def test_after_a_no_or_anything_else_it_is_only_saved(soul: almario.Soul) -> None:
    soul.talk("my name is Pablo")
    [done] = soul.talk("no").done
    assert [str(each) for each in done.told] == ["all right: saved, not remembered"]

    soul.talk("my sister lives in Leeds")
    soul.talk("hello there")
    with pytest.raises(LLMUnavailable):
        soul.talk("yes")

    assert list(soul.memory.list()) == []


def test_among_others_nobody_is_asked_what_to_remember(soul: almario.Soul) -> None:
    soul.append(GROUP, "user", "hi all", origin="untrusted", speaker="Bo")

    with pytest.raises(LLMUnavailable):
        soul.talk("my name is Pablo", GROUP, speaker="Grace")


def test_among_others_nothing_is_told_of_the_owner(soul: almario.Soul) -> None:
    soul.memory.learn("home", "Lives in Porto")
    soul.append(GROUP, "user", "hi all", origin="untrusted", speaker="Bo")

    answer = [
        soul.talk(each, GROUP, speaker="Grace").text for each in ("what do you know about me?", "who am I?")
    ]

    assert set(answer) == {"I would rather tell you that when we are alone."}
    assert "Grace" not in soul.talk("good morning", GROUP, speaker="Grace").text
    with pytest.raises(LLMUnavailable):
        soul.talk("who are you?", GROUP, origin="untrusted", speaker="Bo")


def test_what_may_be_a_secret_is_not_told(soul: almario.Soul) -> None:
    user = soul.read("USER.md")
    soul.write(user, user.text + "\nThe password of the router is hunter2-Zq81.\n", reason="by hand")
    soul.append("cli:main", "user", "remember that the gate code is 3381")

    answer = soul.talk("what do you know about me?").text

    assert "hunter2" not in answer
    assert "3381" not in answer


def test_a_model_answers_itself(clock: FixedClock) -> None:
    llm = ScriptedLLM("You build bridges.", "Hello Pablo.")
    soul = called_grace(soul_on(MemoryStore(clock), {"embedder.name": "local"}, llm))
    soul.memory.learn("home", "Lives in Porto")

    assert soul.talk("what do you know about me?").text == "You build bridges."
    assert soul.talk("my name is Pablo").done == ()
    assert "Lives in Porto" in llm.asked[0].changing


def test_small_talk_does_not_come_to_mind(soul: almario.Soul) -> None:
    for said in ("Hello! Who are you?", "hello there", "yes", "7", "I live in Porto now, by the river"):
        soul.append("cli:main", "user", said)

    found, every = soul.remind("where do I live?"), soul.recall("did I say hello there?", min_score=0.0)

    assert [hit.text for hit in found or ()] == ["I live in Porto now, by the river"]
    assert "hello there" in [hit.text for hit in every[1:]]
