"""`almario reflect` as people use it; the model is scripted."""

import json
from collections.abc import Callable

import pytest

from almario.testing import ScriptedLLM
from almario.wiring.parts import AgentParts
from tests.apps.conftest import Run, Said
from tests.becoming.reflecting import thinking


@pytest.fixture
def reflect(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Run `almario reflect` for an agent that has lived a day, with a scripted model."""
    run("init", "--language", "en")
    run("remember", "likes: a cup of tea with Ana, who came here")
    llm = ScriptedLLM(thinking)
    monkeypatch.setattr(AgentParts, "learner", lambda self, job: llm)
    return lambda *arguments: run("reflect", *arguments)


def test_what_did_not_fit_is_counted(reflect: Callable[..., Said], run: Run) -> None:
    for number in range(6):
        run("log", f"{number} " + "x" * 400)

    result = run("--set", "reflection.max_chars=1000", "reflect")

    assert "· 4 older ones did not fit; reflection.max_chars sets the limit\n" in result.err


def test_the_first_day_of_all_is_one_in_every_zone(reflect: Callable[..., Said], run: Run) -> None:
    assert run("--set", "timezone=Asia/Tokyo", "reflect", "--since", "0001-01-01").code == 0


def test_as_json_it_says_all(reflect: Callable[..., Said]) -> None:
    answer = json.loads(reflect("--json").out)

    assert [finding["dimension"] for finding in answer["findings"]] == ["people"]
    assert {proposal["file"] for proposal in answer["applied"]["proposals"]} == {"MOTIVATIONS.md"}
    assert answer["design"]["entry"] == "Ana came, and I offered nothing."
