"""`almario memory tidy`, with a model that says what it is told to."""

import json
from pathlib import Path
from typing import Any

import pytest

from almario.conversation.tidying import Tidying
from almario.ports import LLM
from almario.testing import ScriptedLLM
from tests.apps.conftest import Run

MAKE = Tidying.__init__


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, run: Run) -> ScriptedLLM:
    run("init", "--language", "en")
    llm = ScriptedLLM("nonsense")
    use(monkeypatch, llm)
    return llm


def use(monkeypatch: pytest.MonkeyPatch, llm: LLM | None) -> None:
    monkeypatch.setattr(Tidying, "__init__", lambda self, a, b, c, _: MAKE(self, a, b, c, lambda _: llm))


def remember(run: Run, *texts: str) -> list[dict[str, Any]]:
    for text in texts:
        run("remember", text)
    found: list[dict[str, Any]] = json.loads(run("memory", "list", "--json").out)
    return found


FACTS = (
    "pet: a yellow canary",
    "sport: swims a lot",
    "food: lentils",
    "music: boleros",
    "trade: designs steel bridges",
    "occupation: engineer, designs steel bridges",
)


def test_what_took_the_place_of_what_is_shown_and_how_to_take_it_back(run: Run, model: ScriptedLLM) -> None:
    run("config", "set", "memory.cues", "never")
    run("config", "set", "memory.portrait", "false")
    newest = remember(run, *FACTS)[-1]
    verdict = {"pair": 1, "verdict": "same", "keep": newest["id"], "since": ""}
    model.lines[:] = [json.dumps({"pairs": [verdict]})]

    result = run("memory", "tidy")

    assert result.code == 0, result.err
    assert "trade: designs steel bridges  (replaced)" in result.out
    assert "→ " + newest["id"][:8] in result.out
    undo = result.out.split('"almario ')[1].split('"')[0]
    assert "trade: designs steel bridges" in run(*undo.split()).out
    assert run("memory", "tidy").out == "Nothing was tidied.\n"
    assert "compared with others" in run("memory", "why", newest["id"]).out


def test_a_model_that_fails_changes_nothing_and_says_so(run: Run, model: ScriptedLLM) -> None:
    before = remember(run, *FACTS)

    assert run("memory", "tidy").code == 2
    assert json.loads(run("memory", "tidy", "--json").out)["changed"] == []
    assert json.loads(run("memory", "list", "--json").out) == before


def test_without_a_model_it_says_so_and_every_line_stays(
    run: Run, model: ScriptedLLM, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    use(monkeypatch, None)
    log = home / "agents/default/memory/2020-01-02.md"
    log.parent.mkdir(exist_ok=True)
    log.write_text("- [10:00] Same.\n" * 20)

    result = run("memory", "tidy")

    assert (result.code, "no language model" in result.err) == (2, True)
    assert log.read_text() == "- [10:00] Same.\n" * 20


CUES = json.dumps({"facts": [{"fact": 1, "cues": ["birdsong at dawn", "¿quién canta en la jaula?"]}]})


def test_cues_are_written_shown_and_found_by(run: Run, model: ScriptedLLM) -> None:
    remember(run, FACTS[0])
    model.lines[:] = [CUES]

    result = run("memory", "tidy")

    assert result.out == "Cues written for: 1.\n"
    assert "birdsong at dawn" in run("memory", "why", "pet").out
    assert "by its cue: 'birdsong at dawn'" in run("recall", "so much birdsong", "--explain").out
    assert "birdsong" not in run("prompt", "hello").out
