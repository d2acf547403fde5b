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
