"""`almario improve`: what should change is shown, and only a yes changes it."""

import json
from pathlib import Path

import pytest

from almario.apps.cli import i18n
from tests.adapters.llm_servers import Said, openai_events, serving, streaming
from tests.apps.conftest import Run, Terminal

WORDS = "stop apologising, and remember that I hate calls"


def test_each_change_is_shown_and_waits(run: Run) -> None:
    run("init")

    done = run("improve", WORDS)

    assert done.code == 0
    assert "The agent proposes a change to memory: «stop apologising, and" in done.out
    assert "+ behaviour: stop apologising" in done.out
    assert "+ I hate calls" in done.out
    assert done.err.count("Waiting for your answer") == 2
    assert "no model to interpret the words" in done.err
    assert len(json.loads(run("proposals", "--json").out)) == 2
    assert json.loads(run("memory", "list", "--json").out) == []


def test_accept_accepts_all_and_what_was_accepted_can_be_undone(run: Run) -> None:
    run("init")

    done = run("improve", "--accept", "--json", WORDS)

    told = json.loads(done.out)
    assert [proposal["state"] for proposal in told["proposals"]] == ["accepted", "accepted"]
    assert "+- I hate calls" in told["proposals"][1]["diff"]
    assert len(told["told"]) == 1
    assert len(json.loads(run("memory", "list", "--json").out)) == 2
    run("undo")
    assert len(json.loads(run("memory", "list", "--json").out)) == 1


def test_words_may_come_without_quotes_or_from_a_pipe(run: Run) -> None:
    run("init")

    assert "+ behaviour: be terse" in run("improve", "be", "terse").out
    assert "+ behaviour: be kind" in run("improve", "-", stdin="be kind\n").out


@pytest.mark.parametrize("said", ["", "   ", "x" * 100_000])
def test_no_words_and_too_many_are_bad_input(run: Run, said: str) -> None:
    run("init")

    done = run("improve", said)

    assert done.code == 2
    assert done.err.startswith("Error: ")
    assert len(done.err) < 200
    assert run("improve").code == 2


def test_words_that_ask_for_nothing_are_told_so(run: Run) -> None:
    run("init")

    done = run("improve", "how are you?")

    assert done.code == 0
    assert "these words ask for no change; say what should be different" in done.err


def test_at_a_terminal_each_change_is_asked_about(home: Path, run: Run, spawn_at_terminal: Terminal) -> None:
    run("init")

    screen = spawn_at_terminal("improve", WORDS, answers="a\nr\n")

    assert "accepted: memory was changed" in screen
    assert "rejected: memory stays as it is" in screen
    assert [kept["value"] for kept in json.loads(run("memory", "list", "--json").out)] == ["stop apologising"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_commands_that_answer_are_never_cut(
    home: Path, run: Run, spawn_at_terminal: Terminal, language: str
) -> None:
    run("init")

    screen = spawn_at_terminal(
        "improve", "be terse", answers="\n", COLUMNS="60", ALMARIO_LANGUAGE=language, NO_COLOR="1"
    )

    [proposal] = json.loads(run("proposals", "--json").out)
    said = " ".join(screen.split())
    assert f'"almario proposals accept {proposal["id"]}"' in said
    assert f'"almario proposals reject {proposal["id"]}"' in said


def test_at_a_terminal_it_says_who_is_thinking(home: Path, run: Run, spawn_at_terminal: Terminal) -> None:
    run("init")
    nothing = openai_events(Said(['{"changes": [], "memories": [], "left": []}']))
    with serving(streaming(nothing)) as server:
        where = {"ALMARIO_LLM_URL": f"{server.url}/v1", "ALMARIO_LLM_API_KEY": "k"}
        screen = spawn_at_terminal("improve", WORDS, ALMARIO_LLM_MODEL="openai/small", **where)

    assert "openai/small is thinking…" in screen


def test_it_is_said_in_spanish_too(run: Run) -> None:
    run("init", "--language", "es")
    try:
        i18n.use("es")
        done = run("--set", "language=es", "improve", "deja de disculparte y recuerda que odio las llamadas")
    finally:
        i18n.use("en")

    assert "+ conducta: deja de disculparte" in done.out
    assert "En espera de tu respuesta: " in done.err
