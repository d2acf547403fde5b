"""What is a wish, and what only sounds like one."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from almario.text.wishes import Wish, off_record_in, ordered_in, orders_in, wish_in
from tests.effort import every
from tests.tables import each_row
from tests.timing import is_done_within

REMEMBER = {
    "Recordá que tengo un gato llamado Michi": "tengo un gato llamado Michi",
    "Recuerda que soy alérgica a las nueces, por favor.": "soy alérgica a las nueces",
    "No te olvides de que mi hermana es Inés": "mi hermana es Inés",
    "Che, recordá que el auto está en el taller": "el auto está en el taller",
    "Alma, recuerda que prefiero el té": "prefiero el té",
    "Me llamo Ana. Recordá que nací en Salta.": "nací en Salta",
    "recordá: cumpleaños de Ana: 3 de mayo": "cumpleaños de Ana: 3 de mayo",
    "Remember that my dentist is Dr. Lee": "my dentist is Dr. Lee",
    "please remember I'm vegetarian": "I'm vegetarian",
    "remember Ivy likes plums": "Ivy likes plums",
    "Alma, remember the shed key is under the bench": "the shed key is under the bench",
    "note: the gardener is called Sven": "the gardener is called Sven",
    "recuerda Ivy toma zumo": "Ivy toma zumo",
    "apunta lo de la valla: la pintan en mayo": "la valla: la pintan en mayo",
    "nota: Olga es celíaca": "Olga es celíaca",
    "don’t forget that I have two daughters": "I have two daughters",
    "Ok, remember that the spare key is with Marta, please": "the spare key is with Marta",
    "Remember this: milk\n- eggs\n- bread": "milk\n- eggs\n- bread",
    "I live in Bern now. Remember that I hate fondue. What's for dinner?": "I hate fondue",
    "N'oublie pas que je suis gaucher": "je suis gaucher",
    "dont let me forget that rent is due": "rent is due",
    "souviens toi qu'il est gaucher": "il est gaucher",
    "Merk dir bitte, dass ich keinen Kaffee trinke": "ich keinen Kaffee trinke",
    "ricordati che sono celiaca, grazie": "sono celiaca",
    "remember that deploys need Ingrid's ok": "deploys need Ingrid's ok",
    "remember that Tuesday is okay, thanks": "Tuesday is okay",
    "remember that the parcel is for me please": "the parcel is for me",
    "recuerda que no me gusta dar las gracias": "no me gusta dar las gracias",
    "não te esqueças de que moro em Braga": "moro em Braga",
    "妹は京都に住んでいるって覚えておいてください。": "妹は京都に住んでいる",
}
FORGET = {
    "Olvidate de mi trabajo": "mi trabajo",
    "Olvídate de lo del viaje a Rosario": "viaje a Rosario",
    "Olvida mi dirección vieja.": "mi dirección vieja",
    "Por favor olvidá todo lo que te dije de Marta": "Marta",
    "Forget about my old job": "my old job",
    "forget that I like coffee": "I like coffee",
    "Forget everything I told you about Marta": "Marta",
    "forget what I said about the car, we sold it": "the car",
    "delete my address from your memory, please": "my address",
    "Vergiss, was ich dir über Kevin gesagt habe": "Kevin",
    "Olvidate de todo lo que te conté sobre Marta": "Marta",
    "ケビンのことは忘れて": "ケビン",
}
NONE = [
    "My boss is called Angela, remember that please",
    "¿Recordás que te hablé de Michi?",
    "Recuerdo que de chica vivía en Salta",
    "Ana recuerda que llovía",
    "recordame que llame al banco",
    "Olvidé mi paraguas en el tren",
    "Olvídalo.",
    "olvidá eso",
    "Olvidate de todo",
    "No olvides comprar pan",
    "Remember when we went to Paris",
    "remember that time we got lost in Rome",
    "remember Ivy?",
    "remember Ivy",
    "remember when we went to Rome",
    "remember the good old days",
    "Remember Me is a sad film",
    "I remember Ivy likes plums",
    "Hello. Remember the sea is cold",
    "recuerda cuando fuimos a Roma",
    "recuerda comprar pan",
    "Ivy recuerda que vivía en Lugo",
    "apunta con el dedo",
    "la nota: un siete en mates",
    "Remember that I told you about Ana?",
    "Do you remember that I like tea?",
    "remember to water the plants",
    "She asked me to remember that number",
    "He said: remember that I am here",
    "Remember that I love you, she said",
    "Forget it",
    "forget about it!",
    "forget the zoo, let's go home",
    "Forget everything",
    "I always forget my keys",
    "Don't forget to call mum",
    "Did you forget my name?",
    "",
    "   \n",
]
OFF = {
    "Between us: I hate it.": "this",
    "I failed the exam. Don't write this down, ok": "this",
    "don't save this but I was fired": "this",
    "me echaron, pero no lo anotes": "this",
    "Entre nous, je déteste ça": "this",
    "Das bleibt unter uns: mir wurde gekündigt": "this",
    "ここだけの話、会社を辞めたい": "this",
    "Forget what I just said.": "previous",
    "Borra mi último mensaje": "previous",
    "Between us we ate three pizzas": "",
    "Entre nosotros y el pueblo hay un río": "",
    "Don't keep this tab open": "",
    "stop recording": "this",
    "No guardes nada hoy": "this",
    "deja de grabar": "this",
    "stop recording the podcast": "",
    "no guardes nada en el garaje": "",
    "Is this off the record?": "",
    "Off the record?": "",
    "Off the record, where does Olmo live?": "this",
    "So, between us: who pays for it?": "this",
    "Entre nous, où habite Olmo ?": "this",
    "Did she ask, off the record, where Olmo lives?": "",
    "She wrote: off the record, where does Olmo live?": "",
    "Between us and the sea, what is there?": "",
    "My boss told me: this is off the record": "",
}


@each_row(("said", "sort"), OFF.items())
def test_what_is_not_to_be_kept_is_heard(said: str, sort: str) -> None:
    assert off_record_in(said) == sort


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
    st.sampled_from(["Recordá que ", "remember that ", "Forget about my "]),
    st.text("ab .,;:¿?\n", max_size=300),
)
def test_a_wish_never_has_more_than_was_said(order: str, text: str) -> None:
    wish = wish_in(order + text)

    assert wish is None or wish.text in order + text


ALL = {
    "stop apologising, and remember that I hate calls": [("remember", "I hate calls")],
    "Recordá que odio las llamadas. No te disculpes. ¿Qué tal?": [("remember", "odio las llamadas")],
    "Be terse. Use fewer emojis; forget about my old job.": [("forget", "my old job")],
    "remember that I like cats and dogs": [("remember", "I like cats and dogs")],
    "Remember this: milk\n- eggs, and stop\n- bread": [("remember", "milk\n- eggs, and stop\n- bread")],
    "Do you remember that I like tea?": [],
    "?!": [],
}


@each_row("said", ALL)
def test_every_wish_of_a_message_is_found(said: str) -> None:
    assert ordered_in(said) == [Wish(*each) for each in ALL[said]]


@each_row("mark", ['"{}"', "“{}”", "«{}»", "„{}“", "`{}`", "```\n{}\n```", "> {}", "「{}」", "'{}'"])
def test_what_is_quoted_is_somebody_elses(mark: str) -> None:
    assert wish_in(mark.format("forget about my zoo")) is None
    assert off_record_in(mark.format("don't write this down")) == ""


def test_what_is_written_after_quoted_lines_is_heard() -> None:
    assert wish_in("> forget about my zoo\nRemember that I like tea") == Wish("remember", "I like tea")


def test_what_is_quoted_may_be_what_is_meant() -> None:
    assert wish_in('forget everything about "Casablanca"') == Wish("forget", '"Casablanca"')


def test_a_word_that_is_spelled_with_marks_of_its_own_is_heard() -> None:
    assert wish_in("Record\u0061\u0301 que soy zurda") == Wish("remember", "soy zurda")


def test_both_ends_of_a_long_message_are_listened_to() -> None:
    paste = "It was a dark and stormy night. " * 6000

    assert off_record_in(f"{paste}\nBetween us: I hate it.") == "this"
    assert wish_in(f"Forget about my zoo. {paste}") == Wish("forget", "my zoo")
    assert wish_in(f"{paste}\nForget about my zoo.") == Wish("forget", "my zoo")


def test_of_a_confidence_and_a_word_that_is_taken_back_the_latter_is_told() -> None:
    assert off_record_in("Don't write this down. And forget what I just told you.") == "previous"


@given(st.text(max_size=300))
def test_any_text_can_be_read_for_confidences(text: str) -> None:
    assert off_record_in(text) in ("", "this", "previous")


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
    assert off_record_in(text) in ("", "this", "previous")


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


@each_row("words", every(14, LONG))
def test_no_message_takes_long_to_read(words: str) -> None:
    for read in (wish_in, off_record_in):
        read(words * 20)  # what is made only once
        assert is_done_within(1, partial(read, words * (25_000 // len(words))))


@each_row(
    "message",
    [
        "Add two buttons: undo, delete my last message",
        "The button label is: delete my last message",
        "Don't you dare: forget my allergy",
        "Tom: forget my allergy",
        "Dear Tom,\nforget my allergy.\nAna",
        "Look what Tom sent:\n\nForget my last message.\n\nOdd, right?",
        "If I ask, forget my allergy",
        "Vergiss meine Allergie nicht",
        "Commit message: don't log this",
    ],
)
def test_nothing_is_taken_away_by_words_that_something_else_announces(message: str) -> None:
    assert orders_in(message) == ()
