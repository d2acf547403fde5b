"""What is a wish, and what only sounds like one."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from almario.text.wishes import Wish, off_record_in, wish_in, wishes_in
from tests.tables import each_row
from tests.timing import is_done_within

REMEMBER = {
    "Recordá que tengo un gato llamado Michi": "tengo un gato llamado Michi",
    "recorda que trabajo de noche.": "trabajo de noche",
    "Recuerda que soy alérgica a las nueces, por favor.": "soy alérgica a las nueces",
    "Recuerde que mi esposa se llama Rosa": "mi esposa se llama Rosa",
    "Acordate de que mañana viajo a Rosario": "mañana viajo a Rosario",
    "acordate que odio el cilantro": "odio el cilantro",
    "Acuérdate de que vivo en Berna": "vivo en Berna",
    "Acuérdese de que el portón no cierra": "el portón no cierra",
    "No olvides que los martes no trabajo": "los martes no trabajo",
    "No te olvides de que mi hermana es Inés": "mi hermana es Inés",
    "Por favor, recordá que mi talle es 42": "mi talle es 42",
    "Che, recordá que el auto está en el taller": "el auto está en el taller",
    "Alma, recuerda que prefiero el té": "prefiero el té",
    "Quiero que recuerdes que no como carne": "no como carne",
    "Me llamo Ana. Recordá que nací en Salta.": "nací en Salta",
    "Recordá que la doctora es la Dra. Paz. ¿Qué hora es?": "la doctora es la Dra. Paz",
    "recordá: cumpleaños de Ana: 3 de mayo": "cumpleaños de Ana: 3 de mayo",
    "Remember that my dentist is Dr. Lee": "my dentist is Dr. Lee",
    "remember that I take my coffee black.": "I take my coffee black",
    "Please remember that I moved to Porto": "I moved to Porto",
    "please remember I'm vegetarian": "I'm vegetarian",
    "Remember my birthday is on May 3": "my birthday is on May 3",
    "Remember, I'm allergic to nuts": "I'm allergic to nuts",
    "Don't forget that the rent is due on Mondays!": "the rent is due on Mondays",
    "don’t forget I have two daughters": "I have two daughters",
    "Ok, remember that the spare key is with Marta, please": "the spare key is with Marta",
    "I want you to remember that I work nights": "I work nights",
    "Hi! Remember that we say tea, not dinner.": "we say tea, not dinner",
    "Remember this: milk\n- eggs\n- bread": "milk\n- eggs\n- bread",
    "I live in Bern now. Remember that I hate fondue. What's for dinner?": "I hate fondue",
}
FORGET = {
    "Olvidate de mi trabajo": "mi trabajo",
    "Olvídate de lo del viaje a Rosario": "viaje a Rosario",
    "olvidá que tengo un gato": "tengo un gato",
    "Olvida mi dirección vieja.": "mi dirección vieja",
    "Olvide lo que dije sobre el portón": "el portón",
    "Olvídese de mi teléfono": "mi teléfono",
    "Por favor olvidá todo lo que te dije de Marta": "Marta",
    "Quiero que olvides mi dieta": "mi dieta",
    "Forget about my old job": "my old job",
    "forget that I like coffee": "I like coffee",
    "Please forget my address": "my address",
    "Forget everything I told you about Marta": "Marta",
    "forget what I said about the car": "the car",
    "I want you to forget my diet, please": "my diet",
}
NONE = [
    "¿Recordás que te hablé de Michi?",
    "¿Te acordás de que viajé a Rosario?",
    "Recordás que ayer llovió",
    "Recuerdo que de chica vivía en Salta",
    "No recuerdo que me lo hayas dicho",
    "Ana recuerda que llovía",
    "recordame que llame al banco",
    "Quiero recordar que no estoy sola",
    "Olvidé mi paraguas en el tren",
    "Olvide mi paraguas en el tren",
    "Me olvidé de Ana",
    "olvidalo",
    "Olvídalo.",
    "olvidá eso",
    "Olvidate de todo",
    "¿Olvidaste mi nombre?",
    "No olvides comprar pan",
    "Remember when we went to Paris?",
    "Remember when we went to Paris",
    "remember that time we got lost in Rome",
    "Remember that I told you about Ana?",
    "Do you remember that I like tea?",
    "I can't remember that",
    "I don't remember that my aunt was there",
    "Remember me?",
    "remember to water the plants",
    "She asked me to remember that number",
    "What do you remember about me",
    "Forget it",
    "forget about it!",
    "Forget that.",
    "Forget everything",
    "I always forget my keys",
    "Don't forget to call mum",
    "Did you forget my name?",
    "A song I like is Remember That Night",
    "",
    "   \n",
]


@each_row(("said", "text"), REMEMBER.items())
def test_what_is_to_be_remembered_is_taken_from_the_order(said: str, text: str) -> None:
    assert wish_in(said) == Wish("remember", text)


@each_row(("said", "text"), FORGET.items())
def test_what_is_to_be_forgotten_is_named_without_the_order(said: str, text: str) -> None:
    assert wish_in(said) == Wish("forget", text)


@each_row("said", NONE)
def test_what_only_sounds_like_an_order_is_none(said: str) -> None:
    assert wish_in(said) is None


@given(st.text(max_size=200))
def test_any_text_can_be_read_for_wishes(text: str) -> None:
    wish = wish_in(text)

    assert wish is None or wish.text


@given(
    st.sampled_from(["Recordá que ", "remember that ", "Forget about "]), st.text("ab .,;:¿?\n", max_size=300)
)
def test_a_wish_never_has_more_than_was_said(order: str, text: str) -> None:
    wish = wish_in(order + text)

    assert wish is None or wish.text in text


ALL = {
    "stop apologising, and remember that I hate calls": [
        ("behave", "stop apologising"),
        ("remember", "I hate calls"),
    ],
    "Recordá que odio las llamadas, y no te disculpes. ¿Qué tal?": [
        ("remember", "odio las llamadas"),
        ("behave", "no te disculpes"),
    ],
    "Be terse. Use fewer emojis; forget about my old job.": [
        ("behave", "Be terse"),
        ("behave", "Use fewer emojis"),
        ("forget", "my old job"),
    ],
    "No me llames los lunes, y nunca los martes": [("behave", "No me llames los lunes, y nunca los martes")],
    "remember that I like cats and dogs": [("remember", "I like cats and dogs")],
    "Remember this: milk\n- eggs, and stop\n- bread": [("remember", "milk\n- eggs, and stop\n- bread")],
    "Do you remember that I like tea?": [],
    "?!": [],
}


@each_row("said", ALL)
def test_every_wish_of_a_message_is_found(said: str) -> None:
    assert wishes_in(said) == [Wish(*each) for each in ALL[said]]


@given(st.text(max_size=200))
def test_any_text_can_be_read_for_all_its_wishes(text: str) -> None:
    assert all(wish.text for wish in wishes_in(text))


def test_a_behaviour_after_something_to_be_forgotten_is_found() -> None:
    assert wishes_in("forget about my old job; stop apologising") == [
        Wish("forget", "my old job"),
        Wish("behave", "stop apologising"),
    ]


def test_what_stands_after_a_comma_is_no_part_of_what_is_forgotten() -> None:
    assert wish_in("forget the flat in Lugo, we sold it") == Wish("forget", "the flat in Lugo")


@each_row("mark", ['"{}"', "“{}”", "«{}»", "„{}“", "`{}`", "```\n{}\n```", "> {}", "「{}」", "'{}'"])
def test_what_is_quoted_is_somebody_elses(mark: str) -> None:
    assert wish_in(mark.format("forget about the zoo")) is None
    assert off_record_in(mark.format("don't write this down")) == ""


def test_what_is_written_after_quoted_lines_is_heard() -> None:
    assert wish_in("> forget about the zoo\nRemember that I like tea") == Wish("remember", "I like tea")


def test_what_is_meant_is_told_as_it_was_written() -> None:
    assert wish_in("xfa acordate d q a mi viejo no le gusta q hable, vale?") is None
    assert wish_in("Xfa acordate d q mi viejo odia q HABLE d fútbol") == Wish(
        "remember", "mi viejo odia q HABLE d fútbol"
    )


def test_what_is_quoted_may_be_what_is_meant() -> None:
    assert wish_in('forget about "Casablanca"') == Wish("forget", '"Casablanca"')


def test_a_word_that_is_spelled_with_marks_of_its_own_is_heard() -> None:
    assert wish_in("Record\u0061\u0301 que soy zurda") == Wish("remember", "soy zurda")


def test_both_ends_of_a_long_message_are_listened_to() -> None:
    paste = "It was a dark and stormy night. " * 6000

    assert off_record_in(f"{paste}\nBetween us: I hate it.") == "this"
    assert wish_in(f"Forget about the zoo. {paste}") == Wish("forget", "the zoo")
    assert wish_in(f"{paste}\nForget about the zoo.") == Wish("forget", "the zoo")


def test_of_a_confidence_and_a_word_that_is_taken_back_the_latter_is_told() -> None:
    assert off_record_in("Don't write this down. And forget what I just told you.") == "previous"


@given(st.text(max_size=300))
def test_any_text_can_be_read_for_confidences(text: str) -> None:
    assert off_record_in(text) in ("", "this", "perhaps", "previous")


@given(
    st.lists(
        st.sampled_from(
            """forget what I just said about don't write this down between us , . : ? not no lo que te dije
            olvida guardes esto vergiss was ich gesagt habe ne note pas ça ce que je viens de dire non
            annotare quello che não guardes o 忘れて メモ しないで please remember that
            everything you know of your memory""".split()
        ),
        max_size=40,
    )
)
def test_any_order_of_the_words_of_orders_can_be_read(words: list[str]) -> None:
    text = " ".join(words)
    wish = wish_in(text)

    assert wish is None or wish.text in text
    assert off_record_in(text) in ("", "this", "perhaps", "previous")


LONG = [
    "A. ",
    "remember ",
    "Forget everything you ",
    "a, and ",
    "¿",
    '"',
    "'a ",
    "(",
    "\n",
    "please ",
    "not this ",
    "don't write ",
    "what I just ",
    "no lo ",
    "lo que te dije ",
    "was ich ",
    "忘れて",
    "メモ",
    "forget, ",
    "q ",
    "remeber ",
    "noooo ",
    "take this out of ",
    "all you know about ",
]


@each_row("words", LONG)
def test_no_message_takes_long_to_read(words: str) -> None:
    for read in (wish_in, wishes_in, off_record_in):
        read(words * 20)  # what is made only once
        assert is_done_within(1, partial(read, words * (25_000 // len(words))))
