"""`almario genesis`, with a model and without, at a terminal and in a script."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from almario.errors import LLMUnavailable
from almario.ports import Models
from almario.testing import ScriptedLLM
from tests.apps.conftest import Run
from tests.becoming.test_genesis import said

Scripted = Callable[..., ScriptedLLM]
GENESIS = ("genesis", "Clío", "--description", "seca", "--language", "es")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Give every birth a model that says these lines."""

    def script(*lines: object) -> ScriptedLLM:
        llm = ScriptedLLM(*lines)  # type: ignore[arg-type]
        monkeypatch.setattr("almario.wiring.birth.models", lambda *_: Models(llm, llm))
        return llm

    return script


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("almario.apps.cli.birth.genesis_command.at_terminal", lambda: True)


def soul_of(home: Path, agent: str) -> str:
    return (home / "agents" / agent / "SOUL.md").read_text()


def test_a_model_drafts_and_refines_in_a_script(run: Run, home: Path, scripted: Scripted) -> None:
    llm = scripted(said(), said(vibe="más seca"))

    made = run(*GENESIS, "--refine", "más seca, menos emojis", "--json")

    assert json.loads(made.out)["id"] == "clio"
    assert "carácter: más seca" in (home / "agents/clio/IDENTITY.md").read_text()
    assert "más seca, menos emojis" in llm.asked[1].messages[0].text


def test_a_model_that_fails_makes_nothing(run: Run, home: Path, scripted: Scripted) -> None:
    scripted(LLMUnavailable("it is away", passes=True))

    refused = run("genesis", "Clío", "--description", "seca")

    assert (refused.code, refused.err) == (2, "Error: it is away\n")
    assert not (home / "agents").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["Clío"], 'there is already an agent "clio"'),
        (["Ana", "--agent", "CLIO"], 'there is already an agent "clio"'),
        (["Ana", "--agent", "../ana"], "cannot be an agent's id"),
        (["x" * 80], "cannot be an agent's id"),
    ],
)
def test_an_id_that_cannot_be_had_is_refused_before_a_model_is_asked(
    run: Run, scripted: Scripted, words: list[str], why: str
) -> None:
    run("genesis", "Clio", "--archetype", "maker")
    llm = scripted(said())

    refused = run("genesis", *words, "--description", "seca")

    assert refused.code == 2
    assert why in refused.err
    assert llm.asked == []


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_it_is_changed_in_words_until_the_owner_says_yes(
    run: Run, home: Path, scripted: Scripted
) -> None:
    llm = scripted(
        said(), said(vibe="más seca"), LLMUnavailable("it is away", passes=True), said(vibe="arena")
    )

    made = run(*GENESIS, stdin="más seca\notra cosa\n\ncomo la arena\nsí\n")

    assert made.code == 0
    assert "it is away" in made.err
    assert len(llm.asked) == 4
    assert '"vibe": "más seca"' in llm.asked[3].system  # the failure in between changed nothing
    assert "carácter: arena" in (home / "agents/clio/IDENTITY.md").read_text()


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_no_makes_nothing(run: Run, home: Path, scripted: Scripted) -> None:
    scripted(said())

    assert "Nothing was created." in run("genesis", "Clío", "--description", "seca", stdin="no\n").out
    assert "Nothing was created." in run("genesis", "Clío", "--archetype", "maker", stdin="no\n").out
    assert not (home / "agents").exists()


def test_another_soul_for_an_agent_is_asked_about_first(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("init", "--language", "en")
    replace = ("--agent", "default", "genesis", "Clio", "--archetype", "maker", "--replace")

    refused = run(*replace)
    assert (refused.code, refused.err) == (
        2,
        "Error: nothing was changed: there is nobody to ask; add --yes\n",
    )
    with monkeypatch.context() as patch:
        for module in ("birth.genesis_command", "common"):
            patch.setattr(f"almario.apps.cli.{module}.at_terminal", lambda: True)
        result = run(*replace, stdin="y\nn\n")
    assert "Replace the soul of default?" in result.out
    assert "I pay attention." in soul_of(home, "default")

    assert run(*replace, "--yes").code == 0

    assert "I like things that work" in soul_of(home, "default")
    assert run("soul", "restore", "SOUL", "1").code == 0
    assert "I pay attention." in soul_of(home, "default")
