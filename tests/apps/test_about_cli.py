"""`almario about`: what the agent knows about its owner, and about somebody."""

import json

import pytest

from tests.apps.conftest import Run


@pytest.fixture
def known(run: Run) -> Run:
    run("init", "--language", "en")
    run("remember", "home: a flat by the river")
    run("remember", "sister: Her sister Inés is a vet")
    return run


def test_what_it_knows_about_you_is_shown_by_theme_with_evidence(known: Run) -> None:
    shown = known("about", "me").out

    assert "You\n  Home: a flat by the river.  " in shown
    assert "People\n  Her sister Inés is a vet.  " in shown
    assert '"almario about NAME": Inés' in shown


def test_somebody_has_a_page_which_says_since_when_and_from_whom(known: Run) -> None:
    shown = known("about", "inés").out

    assert shown.startswith("Inés\n\n  Her sister Inés is a vet.  ")
    assert "told by: you 1" in shown


def test_programs_get_the_same_as_json(known: Run) -> None:
    page = json.loads(known("about", "--json").out)

    assert [part["theme"] for part in page["parts"]] == ["you", "people"]
    assert len(page["sentences"][0]["evidence"]) == 1


def test_a_stranger_has_no_page(known: Run) -> None:
    done = known("about", "Bruno")

    assert done.code == 2
    assert 'nothing is known of "Bruno"' in done.err
