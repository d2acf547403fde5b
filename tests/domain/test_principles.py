"""What is about a day, a task or somebody is no Core Drive."""

import time
from collections.abc import Sequence

import pytest

from almario.domain.messages import catalogue, say
from almario.domain.principles import known_names, situational
from tests.domain import later_drives, more_drives
from tests.domain.drives import (
    NAMES_FROM,
    SITUATIONAL,
    UNIVERSAL,
    UNSEEN_SITUATIONAL,
    UNSEEN_UNIVERSAL,
)

NAMES = known_names(NAMES_FROM)


def called_situational(lines: Sequence[str]) -> float:
    return sum(situational(line, NAMES) is not None for line in lines) / len(lines)


@pytest.mark.parametrize("line", UNIVERSAL)
def test_a_principle_passes(line: str) -> None:
    assert situational(line, NAMES) is None


@pytest.mark.parametrize("line", SITUATIONAL)
def test_what_is_situational_is_told_why_in_both_languages(line: str) -> None:
    why = situational(line, NAMES)

    assert why is not None
    assert why.text in catalogue("es")
    assert str(why.facts["words"]) in say("es", why)


def test_of_lines_it_was_not_tuned_on_it_calls_no_principle_situational_and_finds_most_others() -> None:
    assert called_situational(UNSEEN_UNIVERSAL) == 0
    assert called_situational(UNSEEN_SITUATIONAL) >= 0.75


def test_of_later_lists_it_finds_what_words_tell_and_calls_next_to_no_principle_situational() -> None:
    assert called_situational(more_drives.UNIVERSAL) <= 2 / 80
    assert called_situational(more_drives.SITUATIONAL) >= 0.8
    assert called_situational(later_drives.UNIVERSAL) == 0
    assert called_situational(later_drives.SITUATIONAL) >= 0.5
    assert called_situational(later_drives.UNSEEN_UNIVERSAL) == 0
    assert called_situational(later_drives.UNSEEN_SITUATIONAL) >= 0.48


def test_a_name_is_known_from_the_material_and_only_inside_a_sentence() -> None:
    assert situational("To let Ana decide.") is None
    assert str(situational("To let Ana decide.", NAMES)) == 'it names "ana"'
    assert situational("Ana", NAMES) is None


@pytest.mark.parametrize(
    "line",
    ["To stay close to Irene.", "Cuidar lo que dijo Bruno de Irene.", "Irene's peace of mind, and Irene's."],
)
def test_a_capital_where_names_stand_is_a_name(line: str) -> None:
    assert str(situational(line)) == 'it names "irene"'
    assert situational(line, own="Irene Paz") is None


@pytest.mark.parametrize(
    "line",
    [
        "Commitment to Excellence",
        "Grounded in Truth, patient with people",
        "To say what one may expect from AI",
        "Honesty: Say it",
        "To foster Trust and Transparency",
    ],
)
def test_not_every_capital_is_a_name(line: str) -> None:
    assert situational(line) is None


def test_the_new_one_is_a_certain_one_and_a_new_one_is_any() -> None:
    assert (
        str(situational("Hacer sitio a los nuevos vecinos."))
        == 'it is about one occasion: "los nuevos vecinos"'
    )
    assert situational("To welcome the new and a new idea.") is None
    assert situational("Abrirme a lo nuevo y a una idea nueva.") is None


def test_a_word_that_is_also_written_small_is_no_name() -> None:
    assert known_names(["We spoke of Trust and Ana.", "To be worth trust."]) == {"ana"}


def test_the_agents_own_name_is_not_somebody_elses() -> None:
    assert known_names(["They call me Alma Rosa, and Ana."], own="Alma Rosa") == {"ana"}


@pytest.mark.parametrize(
    "line", ["To be done on Mon\uff44ay.", "To win in \uff12\uff10\uff12\uff16.", "TODAY I OBEY"]
)
def test_other_shapes_of_letters_and_digits_hide_nothing(line: str) -> None:
    assert situational(line) is not None


@pytest.mark.parametrize("signs", ["@", "@.", "a@", "a.", "/", "today ", "the new "])
def test_no_line_takes_long_to_judge(signs: str) -> None:
    began = time.process_time()

    situational(signs * (2000 // len(signs)))

    assert time.process_time() - began < 3


def test_a_mark_that_chooses_a_shape_hides_no_word() -> None:
    assert str(situational("to be done by fri\ufe0fday")) == 'it speaks of a certain time: "friday"'
