"""`almario improve`: what should change is shown, and only a yes changes it."""

import json
from pathlib import Path

import pytest

from tests.adapters.llm_servers import Said, openai_events, serving, streaming
from tests.apps.conftest import Run, Terminal

WORDS = "stop apologising. Remember that I hate calls"


def test_at_a_terminal_each_change_is_asked_about(home: Path, run: Run, spawn_at_terminal: Terminal) -> None:
    run("init")

    screen = spawn_at_terminal("improve", WORDS, answers="a\nr\n")

    assert "accepted: memory was changed" in screen
    assert "rejected: memory stays as it is" in screen
    assert [kept["value"] for kept in json.loads(run("memory", "list", "--json").out)] == ["stop apologising"]


@pytest.mark.parametrize(("language", "quotes"), [("en", '""'), ("es", "«»")])
def test_the_commands_that_answer_are_never_cut(
    home: Path, run: Run, spawn_at_terminal: Terminal, language: str, quotes: str
) -> None:
    run("init")

    screen = spawn_at_terminal(
        "improve", "be terse", answers="\n", COLUMNS="60", ALMARIO_LANGUAGE=language, NO_COLOR="1"
    )

    [proposal] = json.loads(run("proposals", "--json").out)
    said = " ".join(screen.split())
    for verb in ("accept", "reject"):
        assert f"{quotes[0]}almario proposals {verb} {proposal['id']}{quotes[1]}" in said


def test_at_a_terminal_it_says_who_is_thinking(home: Path, run: Run, spawn_at_terminal: Terminal) -> None:
    run("init")
    nothing = openai_events(Said(['{"changes": [], "memories": [], "left": []}']))
    with serving(streaming(nothing)) as server:
        where = {"ALMARIO_LLM_URL": f"{server.url}/v1", "ALMARIO_LLM_API_KEY": "k"}
        screen = spawn_at_terminal("improve", WORDS, ALMARIO_LLM_MODEL="openai/small", **where)

    assert "openai/small is thinking…" in screen
