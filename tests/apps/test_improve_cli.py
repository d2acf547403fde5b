"""`almario improve`: what should change is shown, and only a yes changes it."""

import json
from pathlib import Path

import pytest

from tests.adapters.llm_servers import Said, openai_events, serving, streaming
from tests.apps.conftest import Run, Terminal

WORDS = "stop apologising, and remember that I hate calls"


def test_accept_accepts_all_and_what_was_accepted_can_be_undone(run: Run) -> None:
    run("init")

    done = run("improve", "--accept", "--json", WORDS)

    answer = json.loads(done.out)
    assert [proposal["state"] for proposal in answer["proposals"]] == ["accepted", "accepted"]
    assert "+- I hate calls" in answer["proposals"][1]["diff"]
    assert len(answer["told"]) == 1
    assert len(json.loads(run("memory", "list", "--json").out)) == 2
    run("undo")
    assert len(json.loads(run("memory", "list", "--json").out)) == 1


@pytest.mark.parametrize("said", ["", "   ", "x" * 100_000])
def test_no_words_and_too_many_are_bad_input(run: Run, said: str) -> None:
    run("init")

    done = run("improve", said)

    assert done.code == 2
    assert done.err.startswith("Error: ")
    assert len(done.err) < 200
    assert run("improve").code == 2


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
