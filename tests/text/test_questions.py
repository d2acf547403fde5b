"""What a question asks for, apart from its words."""

from datetime import date

from almario.text.questions import is_question, is_small_talk, read_question
from tests.tables import each_row

TODAY = date(2026, 11, 15)  # a Sunday


@each_row(
    "text",
    [
        "¿qué hicimos la semana pasada?",
        "what happened on November 7?",
        "que paso ayer?",
        "what was going on in May",
        "qué tengo en diciembre",
    ],
)
def test_a_question_may_name_nothing_but_a_time(text: str) -> None:
    assert read_question(text, TODAY).only_time


@each_row("text", ["how did the race in May go?", "¿quién vino ayer?", "where do I work?"])
def test_a_question_that_names_anything_else_is_about_that(text: str) -> None:
    assert not read_question(text, TODAY).only_time


def test_a_remark_mentions_a_time_and_asks_for_none() -> None:
    remark = read_question("my sister comes for dinner tomorrow", TODAY)

    assert remark.times
    assert not remark.filters


def test_an_accent_makes_a_question_wherever_it_stands() -> None:
    assert is_question("en febrero qué dosis tomaba")
    assert not is_question("en febrero tomaba la dosis que me dieron")


@each_row(
    "text",
    [
        "remind me what my dentist is called",
        "tell me when the wedding is",
        "can you tell me my sister's birthday",
        "tell me everything you know about Ana",
        "decime cuando es la boda",
        "dime el nombre de mi perro",
        "contame de mi viaje",
        "recordame el número de Ana",
        "diz-me quando é o casamento",
        "rappelle-moi le nom du médecin",
        "sag mir, wann die Hochzeit ist",
        "ricordami il nome del medico",
        "結婚式の日を教えて",
    ],
)
def test_an_order_to_tell_what_is_known_is_a_question(text: str) -> None:
    assert is_question(text)


@each_row(
    "text",
    [
        "tell me a joke",
        "remind me to call mum",
        "remind me that I have the dentist on Monday",
        "recordame que tengo turno el lunes",
        "dime un chiste",
        "contame un cuento",
        "raconte-moi une histoire",
        "erzähl mir einen Witz",
        "ricordami di comprare il pane",
        "lembra-me que tenho consulta",
    ],
)
def test_an_order_to_tell_something_new_is_none(text: str) -> None:
    assert not is_question(text)


@each_row("text", ["¿dónde vivía antes?", "where did I use to live previously?", "what did I do in May?"])
def test_what_was_is_asked_for_by_a_word_or_by_a_past_time(text: str) -> None:
    assert read_question(text, TODAY).about_the_past


def test_a_coming_time_asks_for_nothing_that_was() -> None:
    assert not read_question("what do I have next week?", TODAY).about_the_past


@each_row("text", ["how much is the rent", "a qué hora es", "cuando es la boda?", "what date do I start"])
def test_a_figure_is_asked_for(text: str) -> None:
    assert read_question(text, TODAY).amount


def test_what_was_replaced_before_a_time_ended_did_not_hold_then() -> None:
    march = read_question("what did I take in March?", TODAY)

    assert march.holds(date(2026, 2, 6), date(2026, 5, 8))
    assert march.holds(date(2026, 2, 6), None)
    assert not march.holds(date(2026, 2, 6), date(2026, 3, 20))
    assert not march.holds(date(2026, 4, 1), None)


@each_row(
    "text, only_courtesy",
    [
        ("buenas buenas", True),
        ("good morning!", True),
        ("ok, thanks", True),
        ("no, gracias", True),
        ("7", True),
        ("👍", True),
        ("who am I", False),
        ("¿y yo?", False),
        ("thanks, I moved to Lugo", False),
        ("soy enfermera", False),
    ],
)
def test_who_only_greets_thanks_or_agrees_calls_nothing_to_mind(text: str, only_courtesy: bool) -> None:
    assert is_small_talk(text) == only_courtesy
