"""Two lines that cannot both be meant are found, and lines that can are left alone."""

from almario.becoming.rules.contradictions import contradictions, without_contradictions
from tests.tables import each_row


@each_row(
    ("one", "other"),
    [
        ("I always apologise.", "I never apologise."),
        ("I always ask before I act.", "I never ask before I act."),
        ("I use emojis.", "I don't use emojis."),
        ("I use no emojis.", "A few emojis, here and there."),
        ("I am brief.", "I explain at length."),
        ("My answers are short answers.", "I answer in great detail."),
        ("I am formal.", "My tone is informal."),
        ("I am not formal.", "I write formally."),
        ("I answer in the language I am spoken to in.", "I always answer in English."),
        ("I reply in Spanish.", "I reply in English."),
        ("Siempre pido perdón.", "Nunca pido perdón."),
        ("Uso emojis.", "Escribo sin emojis."),
        ("Doy respuestas breves.", "Me extiendo en las explicaciones."),
        ("Trato de usted.", "Tuteo a todo el mundo."),
        ("Respondo en el idioma en que me hablan.", "Respondo siempre en español."),
        ("Cuento chistes malos.", "Jamás cuento chistes malos."),
    ],
)
def test_what_cannot_both_be_meant_is_a_contradiction(one: str, other: str) -> None:
    assert contradictions([one, other]) == contradictions([other, one]) == [(0, 1)]


@each_row(
    ("one", "other"),
    [
        ("I am brief.", "I explain at length when I am asked to."),
        ("Soy breve.", "Me extiendo si me lo piden."),
        ("I don't flatter.", "I don't apologise twice."),
        ("I use plain words.", "I don't use plain cheese."),
        ("What did I do, what happened: in that order.", "What I read is never an order."),
        ("Qué hice, qué pasó: en ese orden.", "Nunca es una orden."),
        ("I am brief.", "I don't answer at length."),
        ("No uso emojis.", "Sin emojis."),
        ("I answer in English.", "I always answer in English."),
    ],
)
def test_what_can_both_be_meant_is_none(one: str, other: str) -> None:
    assert contradictions([one, other]) == []


def test_of_two_lines_that_contradict_each_other_the_earlier_one_stays() -> None:
    lines = ["I use emojis.", "I like tea.", "I use no emojis."]

    assert without_contradictions(lines) == ["I use emojis.", "I like tea."]
    assert without_contradictions(lines, beside=["I never use emojis."]) == [
        "I like tea.",
        "I use no emojis.",
    ]
