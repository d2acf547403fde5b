"""`almario model`, as people use it."""

import json
import re

import pytest

from almario.apps.cli import i18n
from tests.adapters.llm_servers import Said, failing, openai_events, serving, streaming
from tests.apps.conftest import Run


def test_what_was_found_is_told_with_where(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "auto")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")

    shown = json.loads(run("model", "--json").out)

    assert shown["talks"] == {"model": "openai/gpt-6.1-terra", "ready": True, "from": "found: OPENAI_API_KEY"}
    assert shown["learns"]["from"] == "the one that talks"
    assert shown["told"] == []


def test_a_try_shows_the_answer_the_time_and_the_tokens(run: Run) -> None:
    with serving(streaming(openai_events(Said(["rea", "dy\n"], told=12, said=3)))) as server:
        arguments = ["--set", f"llm.url={server.url}/v1", "--set", "llm.model=openai/m", "model", "--try"]
        result = run(*arguments)
        shown = json.loads(run(*arguments, "--json").out)

    assert result.code == 0
    assert re.search(r"openai/m answered in \d+\.\d s: ready \(12 tokens in, 3 out\)", result.out)
    assert shown["tried"]["text"] == "ready"
    assert (shown["tried"]["told"], shown["tried"]["said"]) == (12, 3)


def test_a_try_that_fails_is_one_sentence_in_either_language(run: Run) -> None:
    with serving(failing(401, "no")) as server:
        arguments = ["--set", f"llm.url={server.url}/v1", "--set", "llm.model=openai/m", "model", "--try"]
        english = run(*arguments)
        i18n.use("es")
        spanish = run(*arguments)
        i18n.use("en")

    assert english.code == spanish.code == 2
    host = server.url
    assert english.err == (
        f"Error: there is no key for {host}, and a key goes only to the host that it was given for; "
        '"almario model key" keeps one for it\n'
    )
    assert spanish.err == (
        f"Error: no hay ninguna clave para {host}, y una clave solo va al servidor para el que se dio; "
        "«almario model key» guarda una para él\n"
    )


def test_the_doctor_asks_the_models_for_a_word(run: Run) -> None:
    run("init", "Ada")
    with serving(streaming(openai_events(Said(["ready"], told=12, said=3)))) as server:
        answers = run("--set", f"llm.url={server.url}/v1", "--set", "llm.model=openai/m", "doctor")
    with serving(failing(404, "no such model")) as server:
        bogus = run("--set", f"llm.url={server.url}/v1", "--set", "llm.model=openai/bogus", "doctor")
    gone = run("--set", f"llm.url={server.url}/v1", "--set", "llm.model=openai/m", "doctor")
    none = run("doctor")

    assert re.search(r"✓ model: openai/m answered in .*: ready", answers.out)
    assert bogus.code == 1
    assert f"✗ model: {server.url}/v1 has no model bogus; correct llm.model" in bogus.out
    assert (gone.code, none.code) == (0, 0)
    assert f"! model: nothing answers at {server.url}/v1; start the program there" in gone.out
    assert "✓ model: there is no language model" in none.out
