"""Hours in words are read as figures are; what only looks like one is none."""

from datetime import UTC, datetime

import pytest

from almario.text.times.clock import first_hour, hours
from almario.text.timewords import undated
from tests.tables import each_row

pytestmark = pytest.mark.light
NOW = datetime(2026, 11, 17, 10, 0, tzinfo=UTC)  # a Tuesday


@each_row(
    "text, words, at",
    [
        ("optician tomorrow at ten", "at ten", "10:00"),
        ("tea with Ivy at half past four", "at half past four", "04:30"),
        ("the ferry goes at quarter to six", "at quarter to six", "05:45"),
        ("call at twenty-five past 2", "at twenty-five past 2", "02:25"),
        ("supper at seven in the evening", "at seven in the evening", "19:00"),
        ("it begins at nine thirty pm", "at nine thirty pm", "21:30"),
        ("lunch at half one", "at half one", "01:30"),
        ("lecture 6 p.m.", "6 p.m.", "18:00"),
        ("we land at midnight", "at midnight", "00:00"),
        ("three o'clock it is", "three o'clock", "03:00"),
        ("choir 19:45", "19:45", "19:45"),
        ("choir thursday 9.15", "9.15", "09:15"),
        ("choir thursday half ten", "half ten", "10:30"),
        ("half 10 tomorrow suits me", "half 10", "10:30"),
        ("choir thursday 10ish", "10ish", "10:00"),
        ("choir at noon on Friday", "at noon", "12:00"),
        ("coro el jueves a eso de las diez", "de las diez", "10:00"),
        ("coro el jueves a mediodía", "a mediodía", "12:00"),
        ("óptica mañana a las diez", "a las diez", "10:00"),
        ("merienda a las nueve y media", "a las nueve y media", "09:30"),
        ("el ferry sale a las seis menos cuarto", "a las seis menos cuarto", "05:45"),
        ("taller a las tres y cuarto de la tarde", "a las tres y cuarto de la tarde", "15:15"),
        ("comemos a la una", "a la una", "01:00"),
        ("vamos a las ocho en punto", "a las ocho en punto", "08:00"),
        ("quedamos al mediodía", "al mediodía", "12:00"),
        ("a las diez mañana", "a las diez", "10:00"),
        ("um halb fünf", "um halb fünf", "04:30"),
        ("alle sei meno un quarto", "alle sei meno un quarto", "05:45"),
        ("às dez e meia", "às dez e meia", "10:30"),
        ("à dix heures et demie", "à dix heures et demie", "10:30"),
    ],
)
def test_an_hour_in_words_is_read(text: str, words: str, at: str) -> None:
    [hour] = hours(text)

    assert (hour.words, f"{hour.at:%H:%M}") == (words, at)


@each_row(
    "text",
    [
        "I looked at three flats",
        "at one point we laughed",
        "I need 10ish eggs",
        "I ate half ten times",
        "she gave a quarter to six kids",
        "he left school at seventeen",
        "we eat at Five Guys",
        "Midnight Express is a film",
        "twelve percent of them",
        "I slept ten hours",
        "10:75 is no hour",
        "saludé a las siete vecinas",
        "a las dos amigas las vi",
        "media docena de huevos",
        "el sol del mediodía",
        "dormí 10 horas",
        "ganamos 3 a 2",
        "it costs 9.15",
    ],
)
def test_what_only_looks_like_an_hour_is_none(text: str) -> None:
    assert hours(text) == []


@each_row(
    "text, at",
    [("call Joe at five", "17:00"), ("call Joe at eight", "08:00"), ("call Joe tonight at eight", "20:00"),
     ("mañana cena a las nueve y media", "21:30"), ("dinner at half seven", "19:30")],
)  # fmt: skip
def test_an_hour_is_of_the_half_of_the_day_that_is_meant(text: str, at: str) -> None:
    assert f"{first_hour(text):%H:%M}" == at


def test_no_plan_says_tomorrow_on_another_day() -> None:
    assert undated("dentist tomorrow at ten", NOW.date()) == "dentist at ten"
    assert undated("mañana, dentista a las diez", NOW.date()) == "dentista a las diez"
    assert undated("turno de mañana, de 8 a 14", NOW.date()) == "turno de mañana, de 8 a 14"
    assert undated("the market on Friday", NOW.date()) == "the market on Friday"
