"""What is about a day, a number or somebody known is no Core Drive; the rest is judged by others."""

from almario.becoming.rules.motivations import known_names, situational
from almario.domain.messages import catalogue, say
from tests.tables import each_row
from tests.timing import is_done_within

NAMES = known_names(["Yesterday Ana said that she moves to Lisbon.", "name: Bruno"])


@each_row(
    "line",
    [
        "To leave things clearer than I found them.",
        "To tell the truth, also when it is not welcome.",
        "Curiosity before certainty.",
        "Commitment to Excellence",
        "To finish what I start.",
        "Merecer que me confíen lo que alguien preferiría no decir dos veces.",
        "Escuchar hasta entender, y preguntar antes de suponer.",
    ],
)
def test_a_principle_passes(line: str) -> None:
    assert situational(line, NAMES) is None


@each_row(
    ("line", "why"),
    [
        ("To be ready by Friday.", "it speaks of a certain time"),
        ("Terminar el informe esta semana.", "it speaks of a certain time"),
        ("To help with the move on 3 December 2026.", "it speaks of a certain time"),
        ("To keep 20 promises.", 'it has a number or an amount in it: "20"'),
        ("To let Ana decide.", 'it names "ana"'),
        ("To be done on Mon\uff44ay.", "it speaks of a certain time"),
        ("To win in \uff12\uff10 ways.", 'it has a number or an amount in it: "20"'),
    ],
)
def test_what_is_situational_is_told_why_in_both_languages(line: str, why: str) -> None:
    found = situational(line, NAMES)

    assert found is not None
    assert str(found) == why
    assert found.text in catalogue("es")
    assert say("es", found) != why


def test_a_name_is_known_from_the_material_and_only_inside_a_sentence() -> None:
    assert situational("To let Ana decide.") is None
    assert situational("Ana", NAMES) is None


def test_a_word_that_is_also_written_small_is_no_name() -> None:
    assert known_names(["We spoke of Trust and Ana.", "To be worth trust."]) == {"ana"}


def test_the_agents_own_name_is_not_somebody_elses() -> None:
    assert known_names(["They call me Alma Rosa, and Ana."], own="Alma Rosa") == {"ana"}


@each_row("signs", ["@", "@.", "a.", "/", "today ", "the new "])
def test_no_line_takes_long_to_judge(signs: str) -> None:
    assert is_done_within(3, lambda: situational(signs * (2000 // len(signs))))
