"""`almario reflect` for programs; the model is scripted."""

import json

import pytest

from almario.testing import ScriptedLLM
from almario.wiring.parts import AgentParts
from tests.apps.conftest import Run
from tests.becoming.reflecting import thinking


def test_as_json_it_says_all(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("init", "--language", "en")
    run("remember", "likes: a cup of tea with Ana, who came here")
    llm = ScriptedLLM(thinking)
    monkeypatch.setattr(AgentParts, "learner", lambda self, job: llm)

    answer = json.loads(run("reflect", "--json").out)

    assert [finding["dimension"] for finding in answer["findings"]] == ["people"]
    assert {proposal["file"] for proposal in answer["applied"]["proposals"]} == {"MOTIVATIONS.md"}
    assert answer["design"]["entry"] == "Ana came, and I offered nothing."
