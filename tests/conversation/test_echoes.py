"""What only repeats what was told from memory, and what is news."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from almario.conversation.echoes import echoes
from almario.domain.plain_text import without_spans as without
from tests.tables import each_row

TOLD = [
    "trabajo: diseña puentes de madera en Vigo",
    "mascota: tiene un gato llamado Michi",
    "home: lives in Lugo near the old wall",
    "birthday: 3 May 1984",
    "no come carne",
]


def news(text: str) -> str:
    return " ".join(without(text, echoes(text, TOLD)).split())


@each_row(
    "text",
    [
        "Diseñas puentes de madera en Vigo.",
        "Recuerdo que diseñás puentes de madera en Vigo.",
        "Tienes un gato llamado Michi.",
        "Según mi memoria, tenés un gato que se llama Michi.",
        "You live in Lugo, near the old wall!",
        "I remember that you live near the old wall in Lugo.",
        "Your birthday is 3 May 1984.",
        "Diseñas puentes de madera en Vigo y tienes un gato llamado Michi.",
        "- home: lives in Lugo near the old wall",
        "No comes carne.",
        "You live in Lugo. Your birthday is 3 May 1984.\nNo comes carne",
    ],
)
def test_what_was_told_and_is_said_again_is_an_echo(text: str) -> None:
    assert news(text) == ""


@each_row(
    "text",
    [
        "Diseñas puentes de madera en Lisboa.",
        "Diseñas puentes de madera en Vigo con Marta.",
        "Marta diseña puentes de madera en Vigo.",
        "Tienes un gato llamado Michi y 3 perros.",
        "You do not live in Lugo near the old wall.",
        "Ya no vives en Lugo near the old wall.",
        "Your birthday is 4 May 1984.",
        "Did you sleep well?",
        "Comes carne.",
        "Comes carne con arroz y ajo.",
        "¡Qué bien!",
        "You live in a house with a garden.",
    ],
)
def test_a_sentence_with_something_new_is_no_echo(text: str) -> None:
    assert news(text) == text


def test_only_the_sentences_that_repeat_are_left_out() -> None:
    text = "You live in Lugo near the old wall. Yesterday you bought a boat.\nTienes un gato llamado Michi."

    assert echoes(text, TOLD) == [(0, 35), (65, 94)]
    assert news(text) == "Yesterday you bought a boat."


def test_what_is_denied_elsewhere_in_a_told_text_denies_no_other_part_of_it() -> None:
    told = ["Ana no vino al puerto. Fuimos al faro de noche."]

    assert echoes("Fuimos de noche al faro.", told) == [(0, 24)]


@each_row("text", ["1984", "12", "come carne", "no"])
def test_a_part_of_what_was_told_is_no_echo_if_it_says_something_else(text: str) -> None:
    assert echoes(text, ["no come carne", "desde 2012", "19845"]) == []


def test_three_told_together_are_no_echo() -> None:
    text = "Lugo wall, gato Michi, puentes madera."

    assert echoes(text, ["Lugo wall", "gato Michi", "puentes madera"]) == []
    assert echoes(text, ["Lugo wall gato Michi", "puentes madera"]) == [(0, len(text))]


words = st.sampled_from(
    "Ana vive en Lugo . ! ? \n no 3 3.5 gato Michi the cat lives near , té como \ud83d\ude00 ñ".split(" ")
)
texts = st.text(max_size=60) | st.lists(words, max_size=25).map(" ".join)


@given(texts, st.lists(texts, max_size=4))
def test_spans_are_in_bounds_in_order_and_apart(text: str, told: list[str]) -> None:
    spans = echoes(text, told)

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert len(without(text, spans)) == len(text) - sum(end - start for start, end in spans)
    if not any(each.strip() for each in told):
        assert spans == []


@given(texts, st.lists(texts, max_size=3))
def test_a_text_that_was_told_is_all_echo(text: str, told: list[str]) -> None:
    assert without(text, echoes(text, [*told, text])).strip() == ""
