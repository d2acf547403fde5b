"""The commands for looking back: undo, flights, and what is right or wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.soul import Soul
from almario.testing import ScriptedLLM
from tests.apps.conftest import Run

Json = Callable[..., Any]


@pytest.fixture(autouse=True)
def agent(run: Run) -> None:
    run("init", "--language", "en")


@pytest.fixture
def answer(run: Run) -> Json:
    def read(*arguments: str) -> Any:
        result = run(*arguments, "--json")
        assert result.code == 0, result.err
        return json.loads(result.out)

    return read


@pytest.fixture
def soul(home: Path) -> Soul:
    return almario.open(home, llm=ScriptedLLM(*["Doctor Paz."] * 3))


def test_a_file_and_a_no_are_taken_back_by_their_lines(run: Run, soul: Soul) -> None:
    before = soul.read("SOUL.md")
    soul.write(before, "# Soul\n\nI am brief.\n")
    assert "SOUL.md is as it was before." in run("undo", str(soul.line_of("SOUL.md"))).out
    made = soul.proposals.propose("SOUL", before.text + "\n- I am brief.\n", reason="shorter")
    soul.proposals.accept(made.id)
    undone = run("undo", str(soul.line_of("SOUL.md"))).out
    assert undone == f"SOUL.md is as it was before.\nProposal {made.id} is undone.\n"
    assert "accepted, then undone" in run("proposals", "--all").out
    made = soul.proposals.propose("SOUL", before.text + "\n- I am brief.\n", reason="shorter")
    soul.proposals.reject(made.id)

    result = run("undo", str(soul.line_of(made.id)))

    assert f"Proposal {made.id} waits for your answer again." in result.out
    assert soul.read("SOUL.md").text == before.text
    assert run("undo", "1").code == 2


def test_a_flight_is_listed_and_shown(run: Run, answer: Json, soul: Soul) -> None:
    soul.remember("dentist: the dentist is Doctor Paz", kind="fact")
    turn = soul.talk("Who is my dentist?").turns[-1].id
    soul.close()

    assert turn in run("flight").out
    shown = run("flight", turn, "--text").out
    assert "Who is my dentist?" in shown
    assert "## Relevant to the Message" in shown
    assert "The answer drew on:" in shown
    assert answer("flight", turn)["used"] == answer("flight")[0]["used"]
    assert run("flight", "cli:main#99").code == 2
