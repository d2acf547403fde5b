"""Every order of a message is done, every fact besides is kept, and no part is passed over in silence."""

import pytest

import almario
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light


def soul_knowing(*known: str) -> almario.Soul:
    """Return a soul without a model that remembers something, on a Saturday."""
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    for each in known:
        soul.remember(each)
    return soul


def values(soul: almario.Soul) -> list[str]:
    return [memory.value for memory in soul.memory.list()]


def shown(answer: almario.Answer) -> str:
    return "\n".join([answer.text, *(str(each) for action in answer.done for each in action.told)])


@each_row(
    "message, ordered, besides",
    [
        ("Remember that Ida hates figs. Also remember Jon plays chess. And I have a train on Friday at 9",
         ["Ida hates figs", "Jon plays chess"], "I have a train on Friday at 9"),
        ("I live in Hull now. Remember that my landlord is called Piet.",
         ["my landlord is called Piet"], "I live in Hull now."),
        ("Recuerda que Ida odia los higos. Y tengo un tren el viernes a las 9",
         ["Ida odia los higos"], "tengo un tren el viernes a las 9"),
    ],
)  # fmt: skip
def test_all_orders_are_done_and_what_is_told_besides_is_kept_unless_the_owner_says_no(
    message: str, ordered: list[str], besides: str
) -> None:
    soul = soul_knowing()

    answer = soul.talk(message)

    assert values(soul) == [*ordered, besides]
    assert besides in str(answer.done[-1].told[0])

    soul.talk("no")
    assert values(soul) == ordered


@each_row(
    "message, besides",
    [
        ("Remember that I park on level 3. When is the vet?", "· the vet is on Monday at 9"),
        ("Remember that I park on level 3. It's raining here.", "saved, but not remembered: "),
        ("Remember that I park on level 3. Thanks!", "remembered: I park on level 3"),
        ("Remember that I park on level 3. Cancel the vet.", "instead of"),
        ("Forget my old desk. Remember that I park on level 3.", "forgotten: my old desk was by the door"),
    ],
)
def test_each_part_of_a_message_has_an_answer(message: str, besides: str) -> None:
    soul = soul_knowing("the vet is on Monday at 9", "my old desk was by the door")

    assert besides in shown(soul.talk(message))
    assert "I park on level 3" in values(soul)


def test_two_unclear_orders_to_forget_are_asked_about_one_at_a_time() -> None:
    known = ("my red bike is at home", "my blue bike is at work", "my red car is new", "my old car is sold")
    soul = soul_knowing(*known)

    asked = shown(soul.talk("Forget about my bike. Forget about my car."))
    soul.talk("1")

    assert "one at a time" in asked
    assert [each for each in known if each not in values(soul)] == [
        next(each for each in known if f"1. {each}" in asked)
    ]
    assert "bike" in next(each for each in known if each not in values(soul))


@each_row(
    "plan, order",
    [
        ("lunch with Ida on Monday at 14:00", "cancel the lunch with Ida"),
        ("haircut on Tuesday at 14:00", "cancel the haircut on Tuesday"),
        ("lunch with Ida on Monday at 14:00", "please call off my lunch with Ida"),
        ("comida con Ida el lunes a las 14:00", "cancela la comida con Ida"),
        ("clase de yoga el lunes", "anula la clase de yoga, por favor"),
    ],
)
def test_a_plan_is_cancelled_by_an_order_after_a_yes(plan: str, order: str) -> None:
    soul = soul_knowing(plan, "the vet is on Tuesday")

    assert plan in shown(soul.talk(order))
    assert plan in values(soul)

    soul.talk("yes")
    assert plan not in values(soul)
    assert [each.memory.value for each in soul.plans()] == ["the vet is on Tuesday"]


@each_row("order", ["cancel the opera", "cancela la ópera"])
def test_of_no_plan_none_is_cancelled_and_that_is_told(order: str) -> None:
    soul = soul_knowing("the vet is on Tuesday", "the vet is on Friday")

    assert shown(soul.talk(order)).strip().startswith(("I find no such plan", "no encuentro ese plan"))
    assert soul.talk("yes").done == ()
    assert len(values(soul)) == 2


@each_row(
    "order, meant",
    [
        ("forget that Ida likes tea", "Ida likes tea"),
        ("forget that Ida owes me 20 euros for the tea", "Ida owes me 20 euros for the tea"),
        ("olvida que a Ida le gusta el té", "a Ida le gusta el té"),
    ],
)
def test_who_says_the_very_words_of_a_memory_means_that_one(order: str, meant: str) -> None:
    soul = soul_knowing("lunch with Ida on Monday", "Ida lives in Hull, and likes tea", meant)

    soul.talk(order)
    soul.talk("yes")

    assert values(soul) == ["lunch with Ida on Monday", "Ida lives in Hull, and likes tea"]


@each_row(
    "order, told",
    [
        ("delete everything", "nothing was deleted"),
        ("please erase all you know about me", "nothing was deleted"),
        ("bórralo todo", "no he borrado nada"),
        ("borra toda tu memoria", "no he borrado nada"),
    ],
)
def test_who_wants_all_deleted_hears_that_nothing_was_and_how_to_do_it(order: str, told: str) -> None:
    soul = soul_knowing("Ida likes tea")

    assert told in shown(soul.talk(order))
    again = shown(soul.talk("yes"))

    assert "nothing was deleted" in again or told in again
    assert str(soul.path) in again
    assert values(soul) == ["Ida likes tea"]


@each_row("message", ["off the record: I am leaving my job", "between us, I want to sell the house"])
def test_what_is_told_off_the_record_is_confirmed_and_not_refused(message: str) -> None:
    answer = soul_knowing().talk(message)

    assert "off the record: none of this is written down" in shown(answer)
    assert "can't do that" not in answer.text


@each_row("order", ["cancel my gym membership", "write a letter to the gym about my membership"])
def test_an_order_is_no_answer_to_a_question(order: str) -> None:
    soul = soul_knowing()
    soul.talk(order)

    assert order not in shown(soul.talk("what do you know about my gym membership?"))


@each_row("message", ["show my notes", "what do you have on me", "enséñame mis notas"])
def test_the_owner_s_notes_are_shown(message: str) -> None:
    assert "my bike is green" in soul_knowing("my bike is green").talk(message).text.lower()


@each_row(
    "message, kept",
    [
        ("take a note: the key is under the mat", "the key is under the mat"),
        ("take note: the key is under the mat", "the key is under the mat"),
        ("make a note that the boiler is from 2019", "the boiler is from 2019"),
        ("toma nota: la llave está bajo el felpudo", "la llave está bajo el felpudo"),
    ],
)
def test_a_note_is_taken(message: str, kept: str) -> None:
    soul = soul_knowing()

    soul.talk(message)

    assert values(soul) == [kept]


@each_row("message", ["Remember: 4821", "Take a note: sunflower7", "Remember that hunter2!Xq"])
def test_the_notice_and_the_memory_agree_on_what_may_be_a_secret(message: str) -> None:
    soul = soul_knowing()

    notices = shown(soul.talk(message)).count("may be a secret: ")

    [memory] = soul.memory.list()
    assert notices == ("[withheld" in memory.value)


def test_what_puts_right_what_was_told_just_before_takes_its_place() -> None:
    soul = soul_knowing()
    for said in ("my sister lives in Leeds", "sorry, York, not Leeds", "yes", "yes"):
        soul.talk(said)

    assert values(soul) == ["my sister lives in York"]


def test_once_something_else_was_asked_a_late_yes_takes_nothing() -> None:
    soul = soul_knowing("my bike is at home", "my bike is red")
    for said in ("Forget about my bike", "hello there"):
        soul.talk(said)

    assert soul.talk("yes").done == ()
    assert values(soul) == ["my bike is at home", "my bike is red"]


def test_what_is_off_the_record_is_not_kept_either() -> None:
    soul = soul_knowing()
    talked(soul, "Off the record: my sister lives in Leeds", "yes")

    assert values(soul) == []


def talked(soul: almario.Soul, *messages: str) -> str:
    return [shown(soul.talk(each)) for each in messages][-1]


@each_row(
    "answer, is_kept",
    [
        ("yeah save it", True),
        ("sí, cámbialo", True),
        ("bueno si, guárdalo", True),
        ("go ahead", True),
        ("keep it please", True),
        ("sounds good, thank you", True),
        ("sí, que luego se me olvida", True),
        ("no thanks", False),
        ("no hace falta", True),
        ("nah leave it", True),
        ("forget it", False),
        ("I'd rather you didn't", True),
        ("quita, quita", True),
        ("yes, the bread is good there", True),
        ("yes?", True),
    ],
)
def test_a_yes_and_a_no_may_have_a_few_more_words(answer: str, is_kept: bool) -> None:
    soul = soul_knowing()
    shown_then = talked(soul, "my sister lives in Leeds", answer)

    assert values(soul) == ["my sister lives in Leeds"] * is_kept
    # What may be a no is asked about.
    is_unsure = answer in ("no hace falta", "nah leave it", "I'd rather you didn't", "quita, quita")
    assert is_unsure == ("forget this" in shown_then or "olvidara esto" in shown_then)


@each_row(
    "answer, left",
    [
        ("both", []),
        ("los dos", []),
        ("the bank one", ["call the garage"]),
        ("el segundo", 1),
        ("all but the bank one", 2),
        ("not the bank", 2),
        ("the call", 2),
        ("keep the bank one", 2),
        ("the bank is closed", 2),
        ("sure, save it", 2),
    ],
)
def test_which_to_forget_is_said_by_its_words_or_nothing_is(answer: str, left: list[str] | int) -> None:
    soul = soul_knowing("call the bank", "call the garage")
    talked(soul, "forget the call", answer)

    assert left in (values(soul), len(values(soul)))


@each_row(
    "answer, is_gone",
    [
        ("yes delete it", True),
        ("sí, bórralo", True),
        ("forget it", False),
        ("yes, keep it", False),
        ("ok?", False),
        ("sounds good to me", False),
        ("me parece bien", False),
    ],
)
def test_only_a_sure_yes_forgets(answer: str, is_gone: bool) -> None:
    soul = soul_knowing("my bike is red")
    talked(soul, "forget the bike", answer)

    assert (values(soul) == []) == is_gone


def test_who_thinks_better_of_a_no_says_what_to_do() -> None:
    soul = soul_knowing()
    talked(soul, "my sister lives in Leeds", "no thanks", "well yes, save it")

    assert values(soul) == ["my sister lives in Leeds"]


@each_row(
    "told, correction, kept",
    [
        (
            "going to the cinema on friday at 8",
            "oh wait no, its at 9 not 8",
            "going to the cinema on friday at 9",
        ),
        ("the meeting with Graham is on thursday", "no, it's Friday", "the meeting with Graham is on Friday"),
        ("recuérdame llamar a Ana a las 6", "mejor a las 7", "Llamar a Ana a las 7"),
        (
            "cada lunes tengo futbol a las 8",
            "cambialo a los miercoles",
            "cada miercoles tengo futbol a las 8",
        ),
        (
            "mi hijo estudia en Salamanca",
            "perdon, en Valladolid, no en Salamanca",
            "mi hijo estudia en Valladolid",
        ),
    ],
)
def test_what_was_told_just_before_is_put_right(told: str, correction: str, kept: str) -> None:
    soul = soul_knowing()
    talked(soul, told, "yes, save it", correction, "yes")

    assert values(soul) == [kept]


def test_what_went_with_a_forgotten_fact_is_told() -> None:
    soul = soul_knowing("my boss is called Karen and my desk mate is Luis")

    assert 'this went with it: "my desk mate is Luis"' in talked(soul, "forget that my boss is Karen")
    assert '"I play tennis"' in talked(soul_knowing("I play tennis and I like tea"), "forget that I like tea")
    assert values(soul) == []


def test_of_several_plans_in_a_sentence_only_one_is_cancelled() -> None:
    soul = soul_knowing("tomorrow I have a meeting at 9, dentist at 11")
    talked(soul, "cancel the meeting", "yes")

    assert values(soul) == ["dentist at 11"]


@each_row("order, choice", [("cancel the vet", "the second"), ("cancel the vet", "the Friday one")])
def test_of_several_plans_it_is_asked_which_is_cancelled(order: str, choice: str) -> None:
    soul = soul_knowing("the vet is on Tuesday", "the vet is on Friday")

    assert "the vet is on Friday" in shown(soul.talk(order))
    assert len(values(soul)) == 2

    soul.talk(choice)
    assert values(soul) == ["the vet is on Tuesday"]


@each_row(
    "said, no, question, word",
    [
        ("my car is a blue Seat", "no thanks", "what car do I have?", "Seat"),
        ("mi gato se llama Bigotes", "no, gracias", "¿cómo se llama mi gato?", "Bigotes"),
    ],
)
def test_what_the_owner_declines_is_not_told_in_that_chat_until_they_think_better_of_it(
    said: str, no: str, question: str, word: str
) -> None:
    soul = soul_knowing()
    assert word not in talked(soul, said, no, question)

    talked(soul, f"remember that {said}")
    assert word in talked(soul, question)


def test_a_note_is_confirmed_in_its_language() -> None:
    assert "remembered: " in talked(soul_knowing(), "note: locker code 7719")
