"""When what was learned happened, or holds: as a model gave it, checked against the words."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from almario.domain.memories import split_fact
from almario.domain.validity import next_time, read
from almario.memory.rules.dating import dated_episode, dated_fact
from almario.text.tongues import likelier_in
from tests.effort import every
from tests.memory.rules.told_times import AGAIN, CLAUSES, COUNTED, FACTS, PLANS, TALES, YEARLY
from tests.tables import each_row

TOLD = date(2026, 11, 2)  # a Monday


@each_row(
    ("given_time", "value", "dated"),
    [
        # Until, since, and from one day to another are in the words.
        ("2026-11-27", "Trabaja en la imprenta hasta el 27 de noviembre", "../2026-11-27"),
        ("2027-04-02", "Teaches at the mill school until 2 April", "../2027-04-02"),
        ("2027-05-03", "Garde le chien jusqu'au 3 mai", "../2027-05-03"),
        ("2026-10-12", "Takes the bus since 12 October 2026", "2026-10-12/.."),
        ("2027-04-20", "Teaches at the mill school from 20 April", "2027-04-20/.."),
        ("2026-11-14", "Expone del 14 al 28 de noviembre", "2026-11-14/2026-11-28"),
        ("2027-08-20", "Is in Porto from 20 to 27 August", "2027-08-20/2027-08-27"),
        # A day that both name is meant, whatever else the words name; also if it is today.
        ("2026-11-20", "Tiene función de otoño el viernes 20 de noviembre de 2026", "2026-11-20"),
        ("2026-11-02", "Vega come en el cole hoy", "2026-11-02"),
        # So is what begins then.
        ("2026-12-01", "Empieza en la imprenta el 1 de diciembre", "2026-12-01/.."),
        ("2027-05-04", "Starts at the mill", "2027-05-04/.."),
        ("2027-04", "La renta sube a 700 en abril", "2027-04/.."),
        ("2027-01", "Le loyer passe à 700 euros en janvier", "2027-01/.."),
        # A day ahead is a plan; one that has come is when it began.
        ("2026-12-03", "Se casa", "2026-12-03"),
        ("2027", "Quiere mudarse", "2027"),
        ("2026-12-03", "Gets married on 3 December", "2026-12-03"),
        ("2025", "Dejó de fumar", "2025/.."),
        # One day that was given and has been stands.
        ("2026-10-09", "Sold the boat on 9 October", "2026-10-09"),
        ("2026-10-31", "The party was a success", "2026-10-31"),
        # An open time stands as it is.
        ("2025/..", "No fuma", "2025/.."),
        ("../2026-12", "Has the keys", "../2026-12"),
        ("2026-12-03/2026-12-05", "Is in Lima", "2026-12-03/2026-12-05"),
        # A model that must give a day gives the first; the words know better.
        ("2026-03-01", "Vive en Lima desde marzo de 2026", "2026-03/.."),
        ("2025-01-01", "Stopped smoking in 2025", "2025/.."),
        ("2026-03-16", "Vive en Lima desde marzo", "2026-03-16/.."),
        ("2026-10", "Sold the boat on 9 October", "2026-10-09"),
        # What contradicts the words gives way to them.
        ("2026-11-02", "Trabaja en la imprenta hasta el 27 de noviembre de 2026", "../2026-11-27"),
        ("2026-12-13", "Se casa el 3 de diciembre", "2026-12-03"),
        ("2026-11-02", "Renunció ayer", "2026-11-01/.."),
        ("2026-11-02", "Was ill last year", "2025"),
        # A day that comes later in the words is that of something else, and the year of a make is no time.
        ("2026-10-25", "The trip is off: with the operation moved to 27 November 2026", "2026-10-25"),
        ("2026-10-25", "Sold the 2014 van", "2026-10-25"),
        ("", "Su coche es un Seat León de 2011", ""),
        ("", "Her van is a 2014 Berlingo", ""),
        # What was done by today goes on.
        ("2026-11-02", "The story went in by 2 November 2026", "2026-11-02"),
        # A birthday that is kept on one day is a plan; the day of birth comes every year.
        ("2026-11-14", "Celebra el cumpleaños de Hugo el sábado 14 de noviembre de 2026", "2026-11-14"),
        ("1980-05-14", "Nació el 14 de mayo de 1980", "XXXX-05-14"),
        ("2027-05-14", "Cumple años el 14 de mayo", "XXXX-05-14"),
        # The day of the turn says nothing by itself.
        ("2026-11-02", "Tiene una gata", ""),
        # Without a time, the words alone.
        ("", "No fuma desde 2025", "2025/.."),
        ("soon", "Rents the flat until June 2027", "../2027-06"),
        ("", "Va a Lima del 11 al 20 de enero de 2027", "2027-01-11/2027-01-20"),
        ("", "Got married last year", "2025"),
        ("", "Gets married on 3 December 2026", "2026-12-03"),
        ("", "Quit sugar two years ago", "2024/..~"),
        # A birthday comes every year, and "mañana" may be a morning.
        ("", "Su hija cumple años el 14 de mayo", "XXXX-05-14"),
        ("", "Trabaja en el turno de mañana", ""),
        ("", "Trabaja mañana y tarde", ""),
        ("", "Corre a media mañana", ""),
        ("", "Cena con Luis mañana", "2026-11-03"),
        ("", "Mañana cena con Luis", "2026-11-03"),
        ("", "Weighs 70 kg; in January 2026 it was 74", ""),
        # A day of every year that a model gives holds, unless the words name another, or a day of one year.
        ("XXXX-10-19", "Plants garlic", "XXXX-10-19"),
        ("XXXX-12-03", "Celebra la fiesta del barco el 3 de diciembre", "XXXX-12-03"),
        ("XXXX-12-03", "Has the dentist on 4 December", "2026-12-04"),
        ("XXXX-11-03", "Has the dentist tomorrow", "2026-11-03"),
        ("XXXX-10-19", "Sails on 19 October 2027", "2027-10-19"),
        ("XXXX-13-40", "Plants garlic", ""),
        ("2026-02-30", "Tiene una gata", ""),
        ("", "Tiene una gata", ""),
    ],
)
def test_a_fact_has_the_time_that_is_meant(given_time: str, value: str, dated: str) -> None:
    assert dated_fact(given_time, value, TOLD) == dated


@each_row(
    ("given_time", "text", "said", "dated"),
    [
        ("2025", "Fue a urgencias", "El año pasado fui a urgencias", "2025"),
        ("2026-11-02", "Fue a urgencias", "El año pasado fui a urgencias", "2025"),
        ("", "Went to the emergency room", "Last year I went to the emergency room", "2025"),
        ("2026-03", "Chocó", "choqué en marzo", "2026-03"),
        ("", "Chocó en marzo", "", "2026-03"),
        ("2026-11-02", "Corrió", "Ayer corrí", "2026-11-01"),
        ("2026-10-31", "Corrió", "Ayer corrí", "2026-10-31"),
        ("2026-10-30", "Corrió ayer", "", "2026-11-01"),
        ("2026-11-02", "Corrió", "Corrí", ""),
        # The next 28th that is a Saturday is ahead.
        ("2026-11-02", "Decidió que el sábado 28 hacen la mudanza", "", ""),
        ("junk", "Corrió", "Corrí", ""),
        ("2026-12-03", "Se casa", "El 3 de diciembre me caso", "2026-12-03"),
        # Whether that was or will be, nothing tells.
        ("2026-11-02", "Se casa", "El 3 de diciembre me caso", ""),
        ("2025/..", "Se mudó", "", "2025"),
        ("2026-11-02", "The van, a 2014 Berlingo, failed its MOT", "", ""),
        ("2026-10-30", "The van, a 2014 Berlingo, failed its MOT", "", "2026-10-30"),
    ],
)
def test_an_episode_has_the_time_that_is_meant(given_time: str, text: str, said: str, dated: str) -> None:
    assert dated_episode(given_time, text, [said], TOLD) == dated


@each_row(("told", "text", "dated"), [*FACTS, *PLANS, *COUNTED, *CLAUSES, *AGAIN, *YEARLY])
def test_a_fact_speaks_of_what_comes_unless_it_says_otherwise(told: str, text: str, dated: str) -> None:
    key, value = split_fact(text)

    assert dated_fact("", value, date.fromisoformat(told), key=key) == dated


# What people say before or after a fact, which says nothing of its day.
BESIDE = {
    "en": (
        ("Hey! ", ""),
        ("", ". I don't like it."),
        ("", ". She was nice about it."),
        ("No idea why. ", ""),
        ("", ", don't let me forget"),
        ("- ", "!"),
    ),
    "es": (
        ("¡Hola! ", ""),
        ("", ". No me gusta nada."),
        ("", ". Fue muy amable."),
        ("Ni idea de por qué. ", ""),
        ("", ", no me lo dejes olvidar"),
        ("¡", "!"),
    ),
}


@each_row(
    ("told", "text", "lead", "tail"),
    every(
        5,
        [
            (told, text, lead, tail)
            for told, text, _ in [*FACTS, *PLANS, *AGAIN, *YEARLY]
            for lead, tail in BESIDE[likelier_in(text, "en", ("en", "es"))]
        ],
    ),
)
def test_what_is_said_beside_a_fact_changes_nothing_of_its_day(
    told: str, text: str, lead: str, tail: str
) -> None:
    (key, value), day = split_fact(text), date.fromisoformat(told)
    beside = f"{lead}{value.rstrip('.')}{tail}"

    assert dated_fact("", beside, day, key=key) == dated_fact("", value, day, key=key)


@each_row(("told", "text", "dated"), TALES)
def test_a_tale_speaks_of_what_has_been(told: str, text: str, dated: str) -> None:
    assert dated_episode("", text, [text], date.fromisoformat(told)) == dated


@given(st.text(max_size=30), st.text(max_size=60))
def test_whatever_is_given_the_time_can_be_read(given_time: str, value: str) -> None:
    for dated in (dated_fact(given_time, value, TOLD), dated_episode(given_time, value, [value], TOLD)):
        assert not dated or read(dated) or next_time(dated, TOLD)
