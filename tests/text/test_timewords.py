"""Times named in questions and in what is told."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from almario.text.times.grammar import easter
from almario.text.times.lexicon import lexicon
from almario.text.timewords import spans
from tests.tables import each_row

TODAY = date(2026, 11, 15)  # a Sunday


def _days(text: str, today: date = TODAY) -> list[str]:
    found = ((span.first.isoformat(), span.last.isoformat()) for span in spans(text, today))
    return [first if first == last else f"{first}..{last}" for first, last in found]


@each_row(
    ("text", "days"),
    [
        ("¿Qué hice ayer?", "2026-11-14"),
        ("anteayer", "2026-11-13"),
        ("last week", "2026-11-02..2026-11-08"),
        ("this week", "2026-11-09..2026-11-15"),
        ("la semana que viene", "2026-11-16..2026-11-22"),
        ("the week before last", "2026-10-26..2026-11-01"),
        ("el mes pasado", "2026-10-01..2026-10-31"),
        ("this month", "2026-11-01..2026-11-30"),
        ("el año pasado", "2025-01-01..2025-12-31"),
        ("the weekend", "2026-11-14..2026-11-15"),
        ("el finde pasado", "2026-11-07..2026-11-08"),
        ("last quarter", "2026-07-01..2026-09-30"),
        ("the last three months", "2026-08-15..2026-11-15"),
        ("en los próximos 3 días", "2026-11-15..2026-11-18"),
        ("hace tres días", "2026-11-12"),
        ("two weeks ago", "2026-10-29..2026-11-04"),
        ("hace dos meses", "2026-08-31..2026-09-30"),
        ("a year ago", "2025-10-01..2025-12-30"),
        ("dentro de dos meses", "2026-12-31..2027-01-30"),
        ("in three weeks", "2026-12-03..2026-12-09"),
        ("vor zwei Wochen", "2026-10-29..2026-11-04"),
        ("il y a trois jours", "2026-11-12"),
        ("3日前", "2026-11-12"),
    ],
)
def test_a_time_is_counted_from_today(text: str, days: str) -> None:
    assert _days(text) == [days]
    assert spans(text, TODAY)[0].relative


@each_row(
    ("text", "days"),
    [
        ("on 2021-05-03", "2021-05-03"),
        ("2021-05", "2021-05-01..2021-05-31"),
        ("24.12.2025", "2025-12-24"),
        ("Isaac is in year 5 in March 2025", "2025-03-01..2025-03-31"),
        ("el grupo 5 en marzo de 2025", "2025-03-01..2025-03-31"),
        ("Gruppe 5 im März 2025", "2025-03-01..2025-03-31"),
        ("classe 5 in marzo 2025", "2025-03-01..2025-03-31"),
        ("na sala 5 em março de 2025", "2025-03-01..2025-03-31"),
        ("el 3 de mayo de 2021", "2021-05-03"),
        ("on May 3rd, 2021", "2021-05-03"),
        ("the 3rd of May 2021", "2021-05-03"),
        ("Thursday, March 5, 2026", "2026-03-05"),
        ("am 3. Mai 2024", "2024-05-03"),
        ("2024年5月3日", "2024-05-03"),
        ("en marzo de 2023", "2023-03-01..2023-03-31"),
        ("in 2021", "2021-01-01..2021-12-31"),
        ("los años 80", "1980-01-01..1989-12-31"),
        ("the nineties", "1990-01-01..1999-12-31"),
        ("Q3 2025", "2025-07-01..2025-09-30"),
        ("el verano de 2019", "2019-06-01..2019-08-31"),
        ("winter 2020", "2020-12-01..2021-02-28"),
        ("Navidad de 2023", "2023-12-24..2023-12-26"),
        ("Easter 2026", "2026-04-03..2026-04-06"),
        ("Semana Santa de 2026", "2026-03-29..2026-04-05"),
    ],
)
def test_a_date_is_the_same_from_any_day(text: str, days: str) -> None:
    assert _days(text) == [days] == _days(text, date(1999, 1, 31))
    assert not spans(text, TODAY)[0].relative


@each_row(
    ("text", "days"),
    [
        ("15-22 August", "2026-08-15..2026-08-22"),
        ("del 3 al 7 de agosto", "2026-08-03..2026-08-07"),
        ("del 28 de abril al 3 de mayo", "2026-04-28..2026-05-03"),
        ("between the 1st and the 10th", "2026-11-01..2026-11-10"),
        ("entre marzo y mayo", "2026-03-01..2026-05-31"),
        ("from October to January 2024", "2023-10-01..2024-01-31"),
        ("de 2019 a 2021", "2019-01-01..2021-12-31"),
        ("del lunes al miércoles", "2026-11-09..2026-11-11"),
        ("desde marzo hasta hoy", "2026-03-01..2026-11-15"),
    ],
)
def test_a_range_goes_from_the_first_day_of_one_time_to_the_last_of_another(text: str, days: str) -> None:
    assert _days(text) == [days]


@each_row(
    ("text", "days"),
    [
        ("since March", "2026-03-01..2026-11-15"),
        ("desde mañana", "2026-11-16"),
        ("hasta abril", "0001-01-01..2026-04-30"),
        ("before 2015", "0001-01-01..2014-12-31"),
        ("después del 15 de mayo", "2026-05-16..9999-12-31"),
        ("around May 20", "2026-05-17..2026-05-23"),
        ("por mayo", "2026-04-21..2026-06-10"),
        ("early 2024", "2024-01-01..2024-04-30"),
        ("a mediados de mayo", "2026-05-11..2026-05-20"),
        ("at the end of last week", "2026-11-06..2026-11-08"),
        ("by the end of May", "0001-01-01..2026-05-31"),
        ("the first week of May", "2026-05-01..2026-05-07"),
        ("la última semana de octubre", "2026-10-25..2026-10-31"),
        ("the last Friday of October", "2026-10-30"),
        ("el lunes de la semana pasada", "2026-11-02"),
        ("the last two weeks of June", "2026-06-17..2026-06-30"),
        ("la segunda quincena de julio", "2026-07-16..2026-07-31"),
        ("the first half of 2024", "2024-01-01..2024-06-30"),
        ("el quince de mayo", "2026-05-15"),
        ("in the last month", "2026-10-15..2026-11-15"),
        ("el fin de semana del 3 de mayo", "2026-05-02..2026-05-03"),
        ("the late 90s", "1996-08-31..1999-12-31"),
        ("the week of May 6", "2026-05-04..2026-05-10"),
        ("two days before Easter 2026", "2026-04-01"),
    ],
)
def test_words_before_a_time_say_which_of_its_days_are_meant(text: str, days: str) -> None:
    assert _days(text) == [days]


@each_row(
    ("text", "days"),
    [
        ("¿con quién cené el jueves?", ["2026-11-12"]),
        ("nos vemos el jueves", ["2026-11-19"]),
        ("lo necesito para el jueves", ["2026-11-19"]),
        ("del lunes al jueves tengo curso", ["2026-11-16..2026-11-19"]),
        ("quiero las fotos de marzo", ["2026-03-01..2026-03-31"]),
        ("no tengo noticias desde marzo", ["2026-03-01..2026-11-15"]),
        ("quedamos el jueves a las 8", ["2026-11-19"]),
        ("this Thursday", ["2026-11-12", "2026-11-19"]),
        ("el domingo comimos juntos", ["2026-11-08"]),
        ("el 7 pagué el alquiler", ["2026-11-07"]),
        ("el 7 tengo examen", ["2026-12-07"]),
        ("in December we went to Rome", ["2025-12-01..2025-12-31"]),
        ("we will go to Rome in December", ["2026-12-01..2026-12-31"]),
        ("in December Ana is in Rome", ["2025-12-01..2025-12-31", "2026-12-01..2026-12-31"]),
        ("in March Ana is in Rome", ["2026-03-01..2026-03-31"]),
        ("el 20 de diciembre nació Leo", ["2025-12-20"]),
        ("el 20 de diciembre iremos a Roma", ["2026-12-20"]),
        ("last March", ["2026-03-01..2026-03-31"]),
        ("in November", ["2026-11-01..2026-11-30"]),
        ("last November", ["2025-11-01..2025-11-30"]),
        ("el próximo verano", ["2027-06-01..2027-08-31"]),
    ],
)
def test_what_is_said_tells_the_past_from_the_future(text: str, days: list[str]) -> None:
    assert _days(text) == days


def test_another_sentence_does_not_tell_the_tense() -> None:
    assert _days("We will see. In December we went to Rome.") == ["2025-12-01..2025-12-31"]


def test_a_day_that_may_be_read_both_ways_is_both() -> None:
    assert _days("3/5/2026") == ["2026-05-03", "2026-03-05"]
    assert _days("13/5/2026") == ["2026-05-13"]


def test_every_time_of_a_text_is_read() -> None:
    assert _days("in 2024 and 2025, or yesterday") == [
        "2024-01-01..2024-12-31", "2025-01-01..2025-12-31", "2026-11-14",
    ]  # fmt: skip


@each_row(
    "text",
    [
        "May I march?", "this may be wrong", "it may last a week", "what do I do on Saturdays", "los lunes",
        "de lunes a viernes", "every Monday", "31 de febrero", "99 años", "a weak link", "", "el mar",
        "calle 9 de Julio", "avenida 18 de Julio 1234", "on May Street", "confío en Julio", "with April",
        "Vi a Domingo", "read 1984", "room 2024", "en 2000 pesos", "el 7 de copas", "el 20% de los casos",
        "on the 2nd floor", "a las 8 de la mañana", "una mañana de sol", "quarter past two", "IP 10.0.0.1",
        "the fall of Rome", "Ana Reyes", "j'ai été malade", "set 3 alarms", "en una semana perdí un kilo",
        "one of April's friends", "in his 80s", "me gusta el otoño", "hoy en día", "the next day", "covid19",
        "on weekends I sleep", "3/4 of a cup",
    ],
)  # fmt: skip
def test_names_numbers_and_habits_are_no_times(text: str) -> None:
    assert _days(text) == []


def test_the_words_are_those_of_the_text() -> None:
    text = "Y a finales del MES PASADO, ¿qué?"
    [span] = spans(text, TODAY)

    assert span.words == "finales del MES PASADO"


def test_an_accent_may_be_missing_or_written_apart() -> None:
    assert _days("el proximo sabado") == _days("el próximo sábado") == ["2026-11-21"]


def test_easter_is_computed() -> None:
    assert [easter(year).isoformat() for year in (1961, 2000, 2024, 2038)] == [
        "1961-04-02", "2000-04-23", "2024-03-31", "2038-04-25",
    ]  # fmt: skip


def test_a_text_is_read_to_an_end() -> None:
    assert spans("x " * 10_000 + "ayer", TODAY) == []


_WORDS = st.sampled_from(
    [
        *(word for word in lexicon().words),
        *("_".join(phrase).replace("_", " ") for rows in lexicon().phrases.values() for phrase, _ in rows),
        *"3 31 7th 90s 2024 9999 1000 3/5 29/2 2024-02-30 31/12/9999 01/01/0001 0001-01-01 Q4".split(),
        *", . - – ? %".split(),
    ]
)


@given(st.lists(_WORDS, max_size=12), st.dates() | st.sampled_from([date.min, date.max, date(2024, 2, 29)]))
def test_any_words_on_any_day_can_be_read(words: list[str], today: date) -> None:
    text = " ".join(words)

    for span in spans(text, today):
        assert span.first <= span.last
        assert span.words in text


@given(st.text(), st.dates())
def test_any_text_can_be_read(text: str, today: date) -> None:
    assert all(span.first <= span.last for span in spans(text, today))


def test_a_mark_without_a_letter_is_no_word() -> None:
    assert [span.words for span in spans("\u0301 ayer \ufe0f", date(2026, 11, 15))] == ["ayer"]
