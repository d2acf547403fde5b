"""Hours in words are read as figures are; what only looks like one is none."""

from datetime import UTC, datetime

import pytest

from almario.text.intentions import day_of_hour, reminder_in, undated
from almario.text.times.clock import first_hour, hours
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
    "text, words, day",
    [
        ("remind me at 22:30 to lock the door", "Lock the door at 22:30", "2026-11-17"),
        ("remind me at nine to ring Joe", "Ring Joe at nine", "2026-11-17"),  # in the evening
        ("remind me at 9:00 to ring Joe", "Ring Joe at 9:00", "2026-11-18"),  # that is over today
        ("remind me tomorrow at noon to eat", "Eat at noon", "2026-11-18"),
        ("on 20 November remind me to pay", "Pay on 20 November", "2026-11-20"),
        ("remember to buy milk tomorrow", "Buy milk", "2026-11-18"),
        ("remind me every Monday to sweep at 8", "Sweep at 8 every Monday", "XXXX-WXX-1"),
        ("recuérdame los lunes regar", "Regar los lunes", "XXXX-WXX-1"),
        ("remind me on the first of each month to pay", "Pay on the first of each month", "XXXX-XX-01"),
        ("recuérdame a las seis y media regar", "Regar a las seis y media", "2026-11-17"),
        ("recuérdame mañana a las 9 que llame", "Llame a las 9", "2026-11-18"),
        ("ponme un recordatorio a medianoche para salir", "Salir a medianoche", "2026-11-18"),
        ("remind me why I called", "", ""),
        ("you remind me of Ana at ten", "", ""),
        ("la canción me recuerda a los viernes", "", ""),
    ],
)
def test_a_reminder_reads_as_a_sentence_and_knows_its_day(text: str, words: str, day: str) -> None:
    assert reminder_in(text, NOW) == (words, day)


@each_row(
    "text, day",
    [
        ("the dentist at 17:00", "2026-11-17"),
        ("a las cinco tengo reunión", "2026-11-17"),
        ("I have a call at 8 am", "2026-11-18"),
        ("tengo reunión el viernes a las cinco", ""),
        ("I have yoga every Tuesday at seven", ""),
        ("I get up at seven", ""),
        ("la tienda cierra a las ocho", ""),
        ("I arrived at seven", ""),
        ("Tuesday is choir, 7pm", ""),
        ("exam on 30 February at ten", ""),
    ],
)
def test_an_hour_without_a_day_is_of_the_next_day_that_has_it(text: str, day: str) -> None:
    assert day_of_hour(text, NOW) == day


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
