"""Without a model, second thoughts and "and Thursday?" do what they mean after what was said before."""

import pytest

from tests.conversation.unaided import a_soul, talked, values
from tests.tables import each_row

pytestmark = pytest.mark.light
AUNT = "my aunt lives in Hull"


@each_row(
    "words", ["actually, scrap that last one", "scratch that", "undo that", "borra eso último", "deshazlo"]
)
def test_a_sure_word_takes_back_what_was_just_remembered_unasked(words: str) -> None:
    soul = a_soul()
    talked(soul, "remember that I like plums", AUNT, words)

    assert values(soul) == ["I like plums"]


@each_row("words", ["no", "no, forget it", "scrap that last one", "quita lo último", "undo that"])
@pytest.mark.parametrize("order", ["remember that I hate pears", "remind me to buy pears on Friday"])
def test_what_was_ordered_last_is_taken_back_as_what_was_told(words: str, order: str) -> None:
    soul = a_soul()
    talked(soul, "remember that I like plums", order)
    assert len(values(soul)) == 2
    talked(soul, words)

    assert values(soul) == ["I like plums"]


@each_row("words", ["no, thanks", "no, gracias", "don't forget it", "que no se te olvide", "no, that's all"])
def test_what_was_ordered_is_not_taken_back_by_what_is_no_plain_no(words: str) -> None:
    soul = a_soul()
    answer = talked(soul, "remember that I hate pears", words)

    assert values(soul) == ["I hate pears"]
    assert "I hate pears" not in answer


@each_row("words", ["scrap that last one", "quita lo último"])
def test_what_is_further_back_is_asked_about_first(words: str) -> None:
    soul = a_soul()
    talked(soul, "remember that I like plums", "remember that I hate pears", "thanks")
    assert "I hate pears" in talked(soul, words)
    assert len(values(soul)) == 2

    talked(soul, "yes")
    assert values(soul) == ["I like plums"]


@each_row("words", ["forget it", "keep that last one", "what was that last one?", "undo the knot"])
def test_what_may_mean_something_else_asks_for_nothing(words: str) -> None:
    soul = a_soul()
    talked(soul, AUNT, "thanks")

    assert "forget" not in talked(soul, words)
    assert values(soul) == [AUNT]


@each_row(
    "told, correction",
    [("the vet is on Monday at nine", "no, the vet is on Tuesday"), (AUNT, "forget the aunt thing")],
)
def test_undo_while_a_question_waits_answers_that_question(told: str, correction: str) -> None:
    soul = a_soul()
    talked(soul, told, "yes", correction)

    assert "nothing was changed" in talked(soul, "undo that")
    talked(soul, "yes")
    assert values(soul) == [told]


def test_undo_after_what_may_replace_something_takes_back_the_new() -> None:
    soul = a_soul()
    talked(soul, "I work at Tesco", "I work at Aldi now", "undo that", "yes")

    assert values(soul) == ["I work at Tesco"]


@each_row(
    "told, correction, kept",
    [
        ("my aunt Katja lives in Kiel", "*Katya", "my aunt Katya lives in Kiel"),
        ("my sister mave is a vet", "*maeve, with an e in it", "my sister maeve is a vet"),
        ("mi jefa se llama Rossa", "Rosa*", "mi jefa se llama Rosa"),
        ("my boss is called Marianne", "sorry, its Marianna with an a", "my boss is called Marianna"),
        ("my cousin Rhona lives in Perth", "no, Rona", "my cousin Rona lives in Perth"),
        ("my cousin Rhona lives in Perth", "no, Fiona", "my cousin Fiona lives in Perth"),
        ("mi vecina se llama Adela", "no, Amelia", "mi vecina se llama Amelia"),
        ("our anniversary is on 9 June", "I meant July", "our anniversary is on 9 July"),
        ("Rubén cumple años el 4 de abril", "quería decir mayo", "Rubén cumple años el 4 de mayo"),
        ("tomo enalapril", "losartán, que siempre los confundo", "tomo losartán"),
        ("la boda es el 23 de mayo", "perdón, el 24, que me he colao", "la boda es el 24 de mayo"),
        ("the dentist is on Friday at 10", "half 10 not 10", "the dentist is on Friday at half 10"),
        ("la feria es el martes a las 17:00", "*miércoles", "la feria es el miércoles a las 17:00"),
        (
            "the plumber comes on wednesday at 8",
            "ugh sorry, he's just texted, it's thursday now, same time",
            "the plumber comes on thursday at 8",
        ),
    ],
)
def test_a_word_or_a_clause_puts_right_what_was_told_after_a_yes(
    told: str, correction: str, kept: str
) -> None:
    soul = a_soul()
    talked(soul, told, correction)
    assert values(soul) == [told]

    talked(soul, "yes")
    assert values(soul) == [kept]


def test_a_day_that_is_put_right_is_the_day_that_is_planned() -> None:
    soul = a_soul()
    talked(soul, "our anniversary is on 9 June", "I meant July", "yes")

    assert [memory.dated for memory in soul.memory.list()] == ["XXXX-07-09"]


@each_row("words", ["no, Fiona", "*Ronah"])
def test_a_bare_word_that_puts_nothing_right_after_all_is_not_kept(words: str) -> None:
    soul = a_soul()
    talked(soul, "my cousin Rhona lives in Perth", words, "no")

    assert values(soul) == ["my cousin Rhona lives in Perth"]


@each_row("words", ["no, thanks", "oh, nice", "* one of these", "sorry, I'm late", "No. Great"])
def test_what_puts_nothing_right_asks_nothing(words: str) -> None:
    soul = a_soul()

    assert "instead of" not in talked(soul, "my niece Greta lives in Perth", "yes", words)


@each_row(
    "told, asked, found",
    [
        (
            ["choir on thursday at 20:00", "football on sunday at 10:00"],
            ["what's on thursday?", "and sunday?"],
            "football",
        ),
        (
            ["choir on thursday at 20:00", "football on sunday at 10:00"],
            ["what's on friday?", "and sunday?", "and thursday"],
            "choir",
        ),
        (
            ["el viernes tengo yoga a las 18:30", "el martes tengo coro a las 20:00"],
            ["¿qué tengo el viernes?", "¿y el martes?"],
            "coro",
        ),
        (["I drive a Skoda and my wife drives a Fiat"], ["what does my wife drive?", "and me?"], "Skoda"),
        (["I'm a plumber", "my sister is a vet"], ["what does my sister do?", "and me?"], "plumber"),
        (["soy enfermera", "mi hermano Beto es taxista"], ["¿a qué se dedica Beto?", "¿y yo?"], "nfermera"),
        (["Tom was born on 3 May", "Ana was born on 8 June"], ["when was Tom born?", "and Ana?"], "8 June"),
        (
            ["mi padre trabaja en Correos", "mi hermana trabaja en Iberia"],
            ["¿dónde trabaja mi padre?", "¿y mi hermana?"],
            "Iberia",
        ),
    ],
)
def test_a_few_words_ask_again_what_was_asked_before(told: list[str], asked: list[str], found: str) -> None:
    soul = a_soul()
    talked(soul, *told)
    known = values(soul)

    assert found in talked(soul, *asked)
    assert values(soul) == known


@each_row(
    "language, said, answer",
    [
        ("es", ["I live in Leeds", "cancel physio"], "I find no such plan"),
        ("en", ["cancel physio"], "I find no such plan"),
        ("en", ["vivo en Leeds y trabajo en Hull", "ok"], "recuerdo"),
        ("en", ["cancela fisio"], "no encuentro ese plan"),
    ],
)
def test_a_few_words_are_answered_in_the_language_of_the_chat(
    language: str, said: list[str], answer: str
) -> None:
    assert answer in talked(a_soul(language), *said)


@each_row(
    "message, kept",
    [
        (
            "Apunta que la ITV caduca en marzo y recuérdame llamar al taller el viernes",
            ["la ITV caduca en marzo", "Llamar al taller el viernes"],
        ),
        (
            "remember my shoe size is 41 and remind me to ring the vet on Friday",
            ["my shoe size is 41", "Ring the vet on Friday"],
        ),
        (
            "the boiler code is in the blue folder. note: the spare fuses are in the garage",
            ["the boiler code is in the blue folder.", "the spare fuses are in the garage"],
        ),
    ],
)
def test_two_orders_in_a_sentence_and_a_note_after_another_are_each_kept(
    message: str, kept: list[str]
) -> None:
    soul = a_soul()
    talked(soul, message)

    assert values(soul) == kept


@each_row(
    "told, answers",
    [
        (AUNT, ["no"]),
        ("I go to PureGym on Canal Street, remember it", ["no"]),
        ("remember that I like tea", ["scrap that last one"]),
    ],
)
def test_what_was_taken_back_does_not_return_with_a_message_that_comes_again(
    told: str, answers: list[str]
) -> None:
    soul = a_soul()
    for _ in range(2):
        soul.talk(told, ref="1")
    assert len(values(soul)) == 1
    talked(soul, *answers)

    soul.talk(told, ref="1")
    assert values(soul) == []


@each_row(
    "plan, off",
    [
        ("site visit in Leeds on Friday at 2pm", "site visit's off, client bottled it"),
        ("Gig in Hebden on Saturday 28th, doors 7:30", "cancel the gig, the singer is ill"),
    ],
)
def test_a_plan_is_off_with_its_hour_after_a_yes(plan: str, off: str) -> None:
    soul = a_soul()
    talked(soul, plan, off)
    assert len(soul.plans()) == 1

    talked(soul, "yeah bin it")
    assert soul.plans() == []


def test_a_yes_may_name_which_of_several_is_to_be_forgotten_and_a_no_may_be_thought_better_of() -> None:
    soul = a_soul()
    talked(soul, "remember that my pet dog is Lucho", "remember that my pet canary is Pavarotti")
    talked(soul, "forget my pet", "yes, just the canary")
    assert "Pavarotti" not in " ".join(values(soul))

    talked(soul, AUNT, "no", "hang on, actually do keep that, about my aunt")
    assert AUNT in values(soul)


def test_what_was_undone_does_not_return_either() -> None:
    soul = a_soul()
    soul.talk("remember that I like tea", ref="1")
    soul.undo()
    talked(soul, "thanks")

    soul.talk("remember that I like tea", ref="1")
    assert values(soul) == []
