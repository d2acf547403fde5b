"""What is about a day, a task or somebody is no Core Drive."""

from collections.abc import Sequence

import pytest

from almario.domain.messages import catalogue, say
from almario.domain.principles import known_names, situational
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
    assert called_situational(UNSEEN_SITUATIONAL) >= 0.7


def test_a_name_is_known_from_the_material_and_only_inside_a_sentence() -> None:
    assert situational("To make things easy for Ana.") is None
    assert str(situational("To make things easy for Ana.", NAMES)) == 'it names "ana"'
    assert situational("Ana", NAMES) is None


def test_a_word_that_is_also_written_small_is_no_name() -> None:
    assert known_names(["We spoke of Trust and Ana.", "To be worth trust."]) == {"ana"}


def test_the_agents_own_name_is_not_somebody_elses() -> None:
    assert known_names(["They call me Alma Rosa, and Ana."], own="Alma Rosa") == {"ana"}


@pytest.mark.parametrize(
    "line", ["To be done on Mon\uff44ay.", "To win in \uff12\uff10\uff12\uff16.", "TODAY I OBEY"]
)
def test_other_shapes_of_letters_and_digits_hide_nothing(line: str) -> None:
    assert situational(line) is not None
