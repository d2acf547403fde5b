"""A command of the version before does what it did, or says what is typed now."""

import click
import pytest

from almario.apps.cli import COMMANDS, FIRST, OTHERS, root
from almario.apps.cli.old_words import OLD
from tests.apps.conftest import Run
from tests.tables import each_row


@each_row("old", sorted(OLD))
def test_every_old_word_is_gone_and_its_line_is_one_that_can_be_typed(old: str) -> None:
    assert found(old.split()) is None
    assert found(OLD[old].line.split()) is not None


def found(words: list[str]) -> click.Command | None:
    """Return the command that these words name, before its options."""
    command: click.Command = root()
    for word in words:
        if word.startswith("-") or not isinstance(command, click.Group) or word.isupper():
            break
        inner = command.get_command(click.Context(command), word)
        if inner is None:
            return None
        command = inner
    return command


@pytest.fixture
def agent(run: Run) -> None:
    run("init", "--language", "en")
    run("remember", "job: designs bridges")


@pytest.mark.usefixtures("agent")
def test_an_old_word_that_means_the_same_does_it_and_names_the_new_one(run: Run) -> None:
    result = run("memory", "undo")

    assert (result.code, result.err) == (0, '· "almario memory undo" is now "almario undo"\n')
    assert result.out.startswith("Undone.")
    assert run("export", "--as", "jsonl", "--to", "-").out == run("memory", "export").out
    assert (
        run("memory", "as-of", "today", "--json").out
        == run("memory", "list", "--as-of", "today", "--json").out
    )
    run("soul", "lock", "SOUL", "Boundaries")
    assert run("soul", "unlock", "SOUL", "Boundaries").out == '"Boundaries" is unlocked.\n'
    assert run("daemon", "run", "--once").code == 0


@pytest.mark.usefixtures("agent")
def test_an_old_word_that_means_something_else_is_refused_in_one_sentence(run: Run) -> None:
    gone = run("memory", "show", "job")

    assert (gone.code, gone.out) == (2, "")
    assert gone.err == 'Error: "almario memory show" is gone; use "almario memory why ID"\n'


def test_every_command_is_told_once_a_dozen_of_them_with_a_line(run: Run) -> None:
    told = [*FIRST, *(name for names in OTHERS.values() for name in names)]
    screen = run("help").out

    assert told == list(COMMANDS)
    assert len(FIRST) == 13
    assert all(line in screen for line in FIRST.values() if len(line) < 60)
    assert "  Upkeep            daemon, backup, config, model, cost\n" in screen
    assert run("--help").out == screen
