"""`almario genesis` and `soul show --check`, with a model and without, at a terminal and in a script."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from almario.errors import LLMUnavailable
from almario.ports import Models
from almario.testing import ScriptedLLM
from tests.apps.conftest import Run
from tests.becoming.test_genesis import said
from tests.tables import each_row

Scripted = Callable[..., ScriptedLLM]
GENESIS = ("genesis", "Clío", "--description", "seca", "--language", "es")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Give every birth a model that says these lines."""

    def script(*lines: object) -> ScriptedLLM:
        llm = ScriptedLLM(*lines)  # type: ignore[arg-type]
        monkeypatch.setattr("almario.wiring.birth.models", lambda settings: Models(llm, llm))
        return llm

    return script


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("almario.apps.cli.birth.genesis_command.at_terminal", lambda: True)


def soul_of(home: Path, agent: str) -> str:
    return (home / "agents" / agent / "SOUL.md").read_text()


def test_archetypes_are_listed_in_the_language_of_the_screen_or_the_one_wished(run: Run) -> None:
    assert "archivist  archivist  Keeps what matters" in run("genesis", "--archetypes").out
    assert "archivist  archivista" in run("genesis", "--archetypes", "--language", "es").out
    assert len(json.loads(run("genesis", "--archetypes", "--json").out)) == 8


def test_archetypes_make_an_agent_without_a_model_or_a_question(run: Run, home: Path) -> None:
    made = run("genesis", "Clio", "--archetype", "maker, duda", "--language", "en", "--owner", "Ana")

    assert made.code == 0
    assert "── SOUL.md" in made.out
    assert "Worth a look" not in made.out
    assert "Clio · practical and precise; sharp and fair" in made.out
    assert "I like things that work" in soul_of(home, "clio")
    assert "Name: Ana" in (home / "agents/clio/USER.md").read_text()
    assert "genesis" in run("soul", "history", "SOUL").out


def test_it_can_be_shown_without_being_made(run: Run, home: Path) -> None:
    shown = run("genesis", "Clio", "--archetype", "maker", "--dry-run")

    assert "Nothing was created." in shown.out
    assert not (home / "agents").exists()
    made = json.loads(run("genesis", "Clio", "--archetype", "maker", "--dry-run", "--json").out)
    assert (made["id"], made["name"], made["remarks"]) == (None, "Clio", [])
    assert set(made["files"]) == {"IDENTITY.md", "SOUL.md", "MOTIVATIONS.md", "GOALS.md", "USER.md"}


@each_row(
    ("line", "why"),
    [
        ("genesis Clio", "say who it should be"),
        ("genesis Clio --description dry", 'needs none: "almario genesis --archetypes" lists them'),
        ("genesis Clio --archetype maker --refine drier", "or take an archetype"),
        ("genesis Clio --archetype makker", 'did you mean "maker"?'),
        ("genesis Clio --archetype maker --replace", "with --agent"),
        ("--agent nobody genesis Clio --archetype maker --replace", "there is no agent"),
        ("genesis Clio --archetype maker --language fr", "'fr' is not one of"),
        ("--agent no/way genesis Clio --archetype maker", "cannot be an agent's id"),
    ],
)
def test_bad_input_is_one_sentence_and_makes_nothing(line: str, why: str, run: Run, home: Path) -> None:
    refused = run(*line.split())

    assert refused.code == 2
    assert why in refused.err
    assert "Traceback" not in refused.err
    assert not (home / "agents").exists() or not list((home / "agents").iterdir())


def test_a_model_drafts_and_refines_in_a_script(run: Run, home: Path, scripted: Scripted) -> None:
    llm = scripted(said(), said(vibe="más seca"))

    made = run(*GENESIS, "--refine", "más seca, menos emojis", "--json")

    assert json.loads(made.out)["id"] == "clio"
    assert "vibra: más seca" in (home / "agents/clio/IDENTITY.md").read_text()
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


def test_what_is_wrong_with_a_draught_is_shown_beside_it(run: Run, scripted: Scripted) -> None:
    scripted(said(style=["Uso emojis.", "Frases cortas.", "Hola, soy {name}."]))

    shown = run("genesis", "Clío", "--description", "seca", "--dry-run").out

    assert "Worth a look:\nSOUL.md:" in shown
    assert '"{name}" is template text' in shown


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
    assert "vibra: arena" in (home / "agents/clio/IDENTITY.md").read_text()


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_no_makes_nothing(run: Run, home: Path, scripted: Scripted) -> None:
    scripted(said())

    assert "Nothing was created." in run("genesis", "Clío", "--description", "seca", stdin="no\n").out
    assert "Nothing was created." in run("genesis", "Clío", "--archetype", "maker", stdin="no\n").out
    assert not (home / "agents").exists()


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_too_it_has_to_be_said_who_it_should_be(run: Run, home: Path) -> None:
    refused = run("genesis", "Clio")

    assert (refused.code, "--archetype (needs none)" in refused.err) == (2, True)
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
        patch.setattr("almario.apps.cli.birth.genesis_command.at_terminal", lambda: True)
        asked = run(*replace, stdin="y\nn\n")
    assert "Replace the soul of default?" in asked.out
    assert "I pay attention." in soul_of(home, "default")

    assert run(*replace, "--yes").code == 0

    assert "I like things that work" in soul_of(home, "default")
    assert run("soul", "restore", "SOUL", "1").code == 0
    assert "I pay attention." in soul_of(home, "default")


def test_lint_says_that_nothing_is_wrong(run: Run) -> None:
    run("init")

    clean = run("soul", "show", "--check")

    assert (clean.code, clean.out) == (0, "Nothing is wrong.\n")
    assert json.loads(run("soul", "show", "--check", "--json").out) == []


def test_lint_ends_with_one_if_something_is(run: Run) -> None:
    run("init")
    run("soul", "edit", "USER", "--from", "-", stdin="# Me\n\nMy name is [your name].\n")

    found = run("soul", "show", "--check")

    assert found.code == 1
    assert found.out == 'USER.md:3  template text  "[your name]" is template text\n'
    assert run("soul", "show", "--check", "SOUL").code == 0
    [remark] = json.loads(run("soul", "show", "--check", "user", "--json").out)
    assert remark == {
        "file": "USER.md",
        "line": 3,
        "kind": "template",
        "what": '"[your name]" is template text',
    }


def test_lint_keeps_to_the_budgets_in_the_settings(run: Run) -> None:
    run("init", "--language", "en")

    assert "SOUL.md  too long" in run("--set", "prompt.soul_tokens=100", "soul", "show", "--check").out


def test_an_agent_that_is_there_is_refused_before_a_model_is_asked(run: Run, scripted: Scripted) -> None:
    run("genesis", "Clio", "--archetype", "maker")
    llm = scripted(said())

    again = run("genesis", "Clío", "--description", "dry")

    assert (again.code, 'there is already an agent "clio"' in again.err) == (2, True)
    assert "choose another id" in again.err
    assert llm.asked == []


def test_what_to_try_next_names_an_agent_that_is_not_meant_otherwise(run: Run) -> None:
    assert "almario chat" in run("init").out
    assert "almario --agent clio chat" in run("genesis", "Clio", "--archetype", "maker").out


def test_the_lint_knows_the_soul_files(run: Run) -> None:
    run("init")

    wrong = run("soul", "show", "--check", "nothing")

    assert (wrong.code, "nothing is not a soul file" in wrong.err) == (2, True)


def test_an_example_that_nobody_is_is_told_also_without_a_model(home: Path, run: Run) -> None:
    run("init")

    refused = run("genesis", "Zoe", "--archetype", "maker", "--like", "nobody")

    assert (refused.code, refused.out) == (2, "")
    assert "nobody" in refused.err
