"""`almario exam`: what recall knows of what was told."""

import json

import pytest

from tests.apps.conftest import Run


@pytest.fixture
def told(run: Run) -> Run:
    run("init", "--language", "en")
    run("remember", "Inés's birthday: 14 May")
    run("remember", "The key of the boathouse hangs behind the third oil can")
    return run


def test_an_exam_says_what_is_known_how_it_was_asked_and_of_which_memory(told: Run) -> None:
    [key] = [each for each in json.loads(told("memory", "list", "--json").out) if "oil can" in each["value"]]
    shown = told("exam").out

    assert "Exam of " in shown
    assert "made by rule." in shown
    assert "Recall: knows it 2, rightly nothing 1 (100%)" in shown
    [line] = [each for each in shown.splitlines() if key["id"][:8] in each]
    assert "a part of it" in line


def test_what_is_missed_is_shown_with_what_was_expected_and_what_to_do(told: Run) -> None:
    shown = told("--set", "search.min_score=1", "exam").out

    assert "missed 1" in shown
    assert "   expected: 14 May\n   came first: nothing" in shown
    assert 'then "almario exam --again"' in shown


def test_programs_get_the_questions_as_json_and_mistakes_a_sentence(told: Run) -> None:
    assert len(json.loads(told("exam", "--json").out)["questions"]) == 3
    for wrong in (["--questions", "0"], ["--since", "someday"], ["--ask"], ["--since", "2999-01-01"]):
        done = told("exam", *wrong)
        assert (done.code, done.out) == (2, "")
        assert "Error: " in done.err
