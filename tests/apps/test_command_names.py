"""What a command is called, and where it is looked for."""

import json

import pytest

from almario.apps.cli.command_table import COMMANDS, FIRST, OTHERS
from tests.apps.conftest import Run


@pytest.fixture
def agent(run: Run) -> None:
    run("init", "--language", "en")
    run("remember", "job: designs bridges")


@pytest.mark.usefixtures("agent")
def test_what_is_asked_of_memory_is_done(run: Run) -> None:
    assert run("memory", "export").out == run("export", "--as", "jsonl", "--to", "-").out
    assert "designs bridges" in run("memory", "recall", "what is my job?").out

    gone = run("memory", "forget", "job")

    assert (gone.code, "Forgotten" in gone.out) == (0, True)
    assert "designs bridges" not in run("memory", "list").out + run("memory", "export").out


@pytest.mark.usefixtures("agent")
def test_memories_are_counted_by_kind_and_state_and_at_the_end_of_the_list(run: Run) -> None:
    run("remember", "--key", "oven", "a wood oven")
    run("log", "Ana came by")
    run("forget", "oven")

    counts = run("memory", "stats").out
    assert counts == "Memories: profile 1\nMemories: in use 1, forgotten 1\n"
    assert run("memory").out.endswith("\nMemories: profile 1\n")
    assert json.loads(run("memory", "stats", "--json").out)["kinds"] == {"profile": 1}


@pytest.mark.usefixtures("agent")
def test_a_command_of_none_of_a_group_is_named_where_it_is(run: Run) -> None:
    said = run("memory", "serve")

    assert (said.code, 'there is no "almario memory serve"; it is "almario serve"' in said.err) == (2, True)


def test_every_command_is_told_once_a_dozen_of_them_with_a_line(run: Run) -> None:
    told = [*FIRST, *(name for names in OTHERS.values() for name in names)]
    screen = run("help").out

    assert told == list(COMMANDS)
    assert len(FIRST) == 13
    assert all(line in screen for line in FIRST.values() if len(line) < 60)
    assert "  Upkeep            daemon, backup, config, model, cost\n" in screen
    assert run("--help").out == screen
