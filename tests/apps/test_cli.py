"""The commands as people use them, with good input and bad."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from almario.__main__ import main
from almario.apps import cli
from almario.soul import Soul
from almario.store.folder import FolderWrite
from tests.apps.conftest import Run, Said, Terminal
from tests.tables import each_row


def test_meet_makes_the_first_agent_and_shows_it_without_a_terminal(run: Run, home: Path) -> None:
    first = run("meet")
    again = run("meet")

    assert first.code == again.code == 0
    assert "Alma" in first.out
    assert "Try next:" in first.out
    assert first.out == again.out
    assert (home / "agents/default/SOUL.md").exists()


def test_a_file_where_the_index_belongs_hinders_nothing_and_the_sentence_mends_it(
    run: Run, home: Path
) -> None:
    run("init", "--language", "en")
    index = home / "agents" / "default" / ".index"
    shutil.rmtree(index, ignore_errors=True)
    index.write_text("")

    for command in (["remember", "cat: Michi"], ["recall", "cat"]):
        result = run(*command)
        assert result.code == 0
        assert f"{index} is a file where a folder belongs; delete it, and the index is rebuilt" in result.err
        assert "Michi" in result.out
    index.unlink()
    assert "Already known" in run("remember", "cat: Michi").out


def test_a_starter_soul_has_its_sections_in_both_languages(run: Run, home: Path) -> None:
    run("init", "--language", "en")
    run("init", "--agent", "luz", "--language", "es")

    headings = {
        "default": ("## Personality Foundation", "## Communication Style", "## Boundaries"),
        "luz": ("## Personalidad", "## Forma de hablar", "## Límites"),
    }
    for agent, wanted in headings.items():
        text = (home / "agents" / agent / "SOUL.md").read_text()
        assert [line for line in text.splitlines() if line.startswith("## ")] == list(wanted)
        assert "{" not in text
    assert "Presto atención." in (home / "agents/luz/SOUL.md").read_text()


def test_edit_opens_the_owners_editor(
    spawn_at_terminal: Terminal, run: Run, home: Path, tmp_path: Path
) -> None:
    run("init")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "from the editor" > "$1"\n')
    editor.chmod(0o755)

    screen = spawn_at_terminal("soul", "edit", "SOUL", EDITOR=str(editor))

    assert "SOUL.md was changed." in screen
    assert (home / "agents/default/SOUL.md").read_text() == "from the editor\n"
    assert "edited by hand" in run("soul", "history", "SOUL").out


def test_explain_shows_all_ten_sections(run: Run) -> None:
    run("init")

    rows = run("prompt", "--explain").out.splitlines()[1:11]
    data = json.loads(run("prompt", "--json", "--mode", "autonomous").out)

    assert [row.split()[0] for row in rows] == [str(number) for number in range(1, 11)]
    assert [s["name"] for s in data["sections"]][2:4] == ["goals", "motivations"]
    assert data["tokens"] > 0


def test_with_every_feature_off_the_rest_works(run: Run, home: Path) -> None:
    run("init")
    features = ("soul", "search", "auto_recall", "flush", "versions", "watch", "consolidation", "reflection")
    off = "".join(f"[{feature}]\nenabled = false\n" for feature in features)
    (home / "almario.toml").write_text(off + '[embedder]\nname = "none"\n[sessions]\nindex = false\n')
    kept = sorted(str(path) for path in (home / "agents/default/.versions").rglob("*"))

    for command in (
        "meet",
        "agents",
        "soul show",
        "goals",
        "goals add x",
        "log y",
        "prompt --explain",
        "config",
        "doctor",
    ):
        assert run(*command.split()).code == 0, command
    assert run("soul", "edit", "USER", "--from", "-", stdin="Ana\n").code == 0
    assert sorted(str(path) for path in (home / "agents/default/.versions").rglob("*")) == kept
    assert "versions are switched off; set versions.enabled = true" in run("soul", "history", "SOUL").err
    (home / "almario.toml").unlink()
    assert "edited by hand" in run("soul", "history", "USER").out


def test_the_doctor_ends_with_1_when_something_failed(run: Run, home: Path) -> None:
    run("init")
    assert run("doctor").code == 0
    [journal] = (home / "agents/default/journal").glob("*.jsonl")
    journal.write_bytes(b"garbage\n" + journal.read_bytes())

    assert run("doctor").code == 1
    assert run("doctor", "--mend").code == 0
    assert run("doctor").code == 0


def test_the_doctor_ends_with_1_when_a_message_has_no_outcome(soul: Soul, run: Run) -> None:
    soul.append("cli:main", "user", "hello")
    soul._vault.archive_turns("cli:main", 1)

    done = run("doctor")

    assert done.code == 1
    assert "nobody learned from or queued: 1 to 1" in done.out


def test_meet_shows_an_agent_even_if_none_is_the_default(run: Run) -> None:
    run("init", "--agent", "b")
    run("init", "--agent", "a")

    assert " A · " in run("meet").out


def test_listing_agents_touches_nothing(run: Run, home: Path) -> None:
    run("init")
    memory = home / "agents/default/memory"
    memory.mkdir()
    (memory / ".x.md.000000000000-new-00000000.tmp").write_text("left by a killed process")

    run("agents")

    assert (memory / ".x.md.000000000000-new-00000000.tmp").exists()


def test_completion_is_silent_about_a_broken_home(spawn: Run, home: Path) -> None:
    spawn("init")
    (home / "almario.toml").write_text("nope = [")

    words = {
        "_ALMARIO_COMPLETE": "bash_complete",
        "COMP_WORDS": "almario prompt --agent d",
        "COMP_CWORD": "3",
    }
    assert spawn(**words) == Said(0, "\n", "")


def test_a_terminal_without_emoji_is_not_an_error(spawn: Run) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    card = subprocess.run(
        [sys.executable, "-m", "almario", "meet"], env=environment, capture_output=True, check=False
    )

    assert card.returncode == 0, card.stderr
    assert b"Alma" in card.stdout


@pytest.mark.parametrize(
    ("command", "code"), [("init", 0), ("soul edit SOUL", 2), ("soul edit SOUL --from -", 2)]
)
def test_a_closed_standard_input_is_no_terminal(run: Run, spawn: Run, command: str, code: int) -> None:
    if code:
        run("init")

    done = spawn(*command.split(), stdin=None)

    assert done.code == code, done.err
    assert "Traceback" not in done.err


def test_init_stays_unfinished_rather_than_half_done_and_can_be_done_again(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "far"
    write, count = FolderWrite.change_soul, iter(range(2))

    def die_at_the_third(self: FolderWrite, *args: Any, **kwargs: Any) -> None:
        if next(count, None) is None:
            raise KeyboardInterrupt
        write(self, *args, **kwargs)

    with monkeypatch.context() as patches:
        patches.setattr(FolderWrite, "change_soul", die_at_the_third)
        assert run("init", "--agent", "far", "--path", str(place)).code == 1
    assert "far" not in run("agents").out

    run("init", "--agent", "far", "--path", str(place))

    assert sorted(path.name for path in place.glob("*.md")) == [
        "GOALS.md",
        "IDENTITY.md",
        "MOTIVATIONS.md",
        "SOUL.md",
        "USER.md",
    ]


BAD = [
    (["goals", "start", "9" * 5000], "no goal is"),
    (["soul", "restore", "SOUL", "9" * 5000], "has no version"),
    (["init", "--name", "two\nlines", "--agent", "b"], "the name must be one line"),
]


@each_row(("arguments", "said"), BAD)
def test_bad_input_gets_one_sentence_and_exit_code_2(run: Run, arguments: list[str], said: str) -> None:
    run("init")

    answer = run(*arguments)

    assert answer.code == 2
    assert said in answer.err
    assert "Traceback" not in answer.err


def test_a_home_that_cannot_be_made_is_told_in_one_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    answer = run("init", "--home", str(tmp_path / "file" / "home"))

    assert answer.code == 2
    assert "Not a directory" in answer.err


def test_bytes_that_are_no_text_are_refused_on_the_command_line(spawn: Run, home: Path) -> None:
    spawn("init")

    done = spawn("log", os.fsdecode(b"caf\xe9"))

    assert done.code == 2
    assert "not valid Unicode" in done.err
    assert not (home / "agents/default/memory").exists()
    for words in (
        ["--home", os.fsdecode(b"caf\xe9"), "meet"],
        ["init", "--agent", "b", "--path", os.fsdecode(b"caf\xe9")],
    ):
        refused = spawn(*words)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert "not valid Unicode" in refused.err


def test_spanish_from_the_locale_the_environment_and_the_settings(spawn: Run, home: Path) -> None:
    assert "Uso: " in spawn("--help", LANG="es_ES.UTF-8").out
    assert "Uso: " in spawn("--help", ALMARIO_LANGUAGE="es").out
    home.mkdir()
    (home / "almario.toml").write_text('language = "es"\n')
    assert "Uso: " in spawn("--help").out
    assert "Uso: " in spawn("--help", LANG="en_US.UTF-8", ALMARIO_HOME="/nowhere", ALMARIO_LANGUAGE="es").out
    assert "Usage: " in spawn("--help", ALMARIO_LANGUAGE="en").out


@each_row("group", "agents backup config daemon goals memory model proposals sessions soul".split())
def test_a_list_of_commands_says_in_whole_what_each_does(run: Run, spawn: Run, group: str) -> None:
    for said in (run(group, "--help"), spawn(group, "--help", ALMARIO_LANGUAGE="es")):
        listed = said.out.split("\n\n")[-1].splitlines()

        assert len(listed) > 2
        assert [line for line in listed if line.endswith("...")] == []


def test_colours_only_at_a_terminal_and_never_with_no_color(spawn: Run, spawn_at_terminal: Terminal) -> None:
    spawn("init")

    assert "\x1b[" not in spawn("meet").out
    assert "\x1b[" in spawn_at_terminal("meet")
    assert "\x1b[" not in spawn_at_terminal("meet", NO_COLOR="1")


@each_row("shell", ["bash", "zsh", "fish"])
def test_shells_get_their_completion(spawn: Run, shell: str) -> None:
    assert "_ALMARIO_COMPLETE" in spawn("completion", shell).out


def test_completion_knows_commands_files_and_agents(spawn: Run) -> None:
    spawn("init")

    def completed(words: str) -> str:
        return spawn(
            _ALMARIO_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(words.count(" "))
        ).out

    assert "prompt" in completed("almario pro")
    assert "SOUL.md" in completed("almario soul show S")
    assert "default" in completed("almario prompt --agent d")


def test_a_refusal_is_one_short_line_whatever_was_given(run: Run, soul: Soul) -> None:
    refused = run("proposals", "show", "a\n\x1b[2J" + "x" * 100_000)

    assert refused.code == 2
    assert refused.err.startswith('Error: there is no proposal "a<U+000A><U+001B>[2Jxxx')
    assert refused.err.endswith('…"; "almario proposals" lists them\n')
    assert len(refused.err) < 700


def test_interrupted_while_it_is_loaded_it_shows_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "main", interrupted)

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 1


def test_the_first_questions_can_be_gone_back_in(spawn_at_terminal: Terminal, home: Path) -> None:
    spawn_at_terminal("init", answers="who are you?\nFinny\nAna\n<\nwarm\nAna\n")

    assert "vibe: warm" in (home / "agents/default/IDENTITY.md").read_text()
    assert "Name: Ana" in (home / "agents/default/USER.md").read_text()


def test_whoever_answers_no_to_what_their_name_is_is_not_called_so(
    spawn_at_terminal: Terminal, home: Path
) -> None:
    spawn_at_terminal("init", answers="Finny\nwarm\nno\n")

    assert "Name: no" not in (home / "agents/default/USER.md").read_text()


def test_a_spanish_word_for_a_command_says_which_it_is(run: Run) -> None:
    result = run("olvidar", "x")

    assert result.code == 2
    assert 'there is no "almario olvidar"; it is "almario forget"' in result.err


def test_a_session_that_is_not_there_is_refused(run: Run) -> None:
    run("init", "--yes")

    told = [run(name, "--session", "nope") for name in ("flush", "prompt")]

    assert [(said.code, 'there is no session "nope"' in said.err) for said in told] == [(2, True)] * 2
    assert run("chat", "--session", "", stdin="hi\n").code == 2
