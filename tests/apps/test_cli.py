"""The commands as people use them, with good input and bad."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.__main__ import main
from almario.apps import cli
from almario.soul import Soul
from almario.store import replacing
from almario.store.folder import FolderStore
from almario.testing import FixedClock
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


def test_init_takes_flags_and_refuses_to_do_it_twice(run: Run, home: Path) -> None:
    made = run(
        "init", "--name", "Finny", "--emoji", "🤖", "--vibe", "warm", "--owner", "Ana", "--language", "en"
    )
    assert made.code == 0
    assert "🤖 Finny · warm" in made.out
    assert "Name: Ana" in (home / "agents/default/USER.md").read_text()

    again = run("init")

    assert again.code == 2
    assert (
        again.err
        == f'Error: there is already an agent "default", in {home}/agents/default; choose another id\n'
    )


def test_init_takes_a_name_without_a_flag_too(run: Run, home: Path) -> None:
    two = run("init", "Finny", "--name", "Luz", "--yes")
    assert (two.code, two.err) == (2, "Error: it can have one name only: Finny or Luz\n")
    assert not home.exists()

    assert "Finny" in run("init", "Finny", "--language", "en", "--yes").out


def test_a_file_where_the_index_belongs_gets_a_sentence_that_mends_it(run: Run, home: Path) -> None:
    run("init", "--language", "en")
    index = home / "agents" / "default" / ".index"
    shutil.rmtree(index, ignore_errors=True)
    index.write_text("")

    for command in (["remember", "cat: Michi"], ["recall", "cat"]):
        said = run(*command)
        assert (said.code, len(said.err.splitlines())) == (2, 1)
        assert f"{index} is a file where a folder belongs; delete it, and the index is rebuilt" in said.err
    index.unlink()
    assert run("remember", "cat: Michi").code == 0


def test_a_starter_soul_has_its_sections_in_both_languages(run: Run, home: Path) -> None:
    run("init", "--language", "en")
    run("agents", "new", "luz", "--language", "es")

    headings = {
        "default": ("## Personality Foundation", "## Communication Style", "## Boundaries"),
        "luz": ("## Personalidad", "## Forma de hablar", "## Límites"),
    }
    for agent, wanted in headings.items():
        text = (home / "agents" / agent / "SOUL.md").read_text()
        assert [line for line in text.splitlines() if line.startswith("## ")] == list(wanted)
        assert "{" not in text
    assert "Presto atención." in (home / "agents/luz/SOUL.md").read_text()


def test_agents_are_listed_made_renamed_removed_and_brought_back(run: Run, home: Path) -> None:
    assert run("agents").out == 'No agent yet; "almario init" creates one.\n'
    run("init")
    run("agents", "new", "work", "--name", "Finny")
    run("agents", "rename", "work", "office")

    listed = json.loads(run("agents", "--json").out)
    assert [(row["id"], row["name"], row["default"]) for row in listed] == [
        ("default", "Alma", True),
        ("office", "Finny", False),
    ]
    removed = run("agents", "remove", "office")
    assert '"almario agents restore office" brings it back' in removed.out
    assert "office" in run("agents", "--trash").out
    assert run("agents", "restore", "office").code == 0
    assert run("--agent", "office", "soul", "show", "IDENTITY").out.count("Finny") == 1


def test_an_agent_can_live_in_any_folder(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "my notes" / "soul"

    run("agents", "new", "far", "--path", str(place))

    assert (place / "SOUL.md").exists()
    assert f'agents.far.path = "{place}"' in run("config").out
    assert run("prompt", "--agent", "far").out.startswith("Your name is Far.")
    assert "is untouched" in run("agents", "remove", "far").out
    assert (place / "SOUL.md").exists()
    (place / "SOUL.md").write_text("mine")
    run("agents", "new", "far", "--path", str(place))
    assert (place / "SOUL.md").read_text() == "mine"


def test_which_agent_is_meant(run: Run, home: Path) -> None:
    run("agents", "new", "a")
    run("agents", "new", "b")

    several = run("prompt")
    assert several.code == 2
    assert "there are several agents (a, b); name one with --agent" in several.err
    assert run("prompt", "--agent", "A").out.startswith("Your name is A.")
    (home / "almario.toml").write_text('agent = "b"\n')
    assert run("prompt").out.startswith("Your name is B.")
    assert run("--set", "agent=a", "prompt").out.startswith("Your name is A.")


def test_an_edit_in_an_editor_changes_the_next_prompt_and_is_in_the_history(run: Run, home: Path) -> None:
    run("init")
    path = home / "agents/default/SOUL.md"
    path.write_text(path.read_text() + "\nI like trains.\n")

    assert "I like trains." in run("prompt").out
    newest = json.loads(run("soul", "history", "soul", "--json").out)[-1]
    assert (newest["number"], newest["actor"], newest["reason"]) == (2, "owner", "edited by hand")
    assert "+I like trains." in run("soul", "diff", "SOUL").out


def test_a_version_can_be_shown_compared_and_restored(run: Run, home: Path) -> None:
    run("init")
    first = (home / "agents/default/SOUL.md").read_text()
    for text in ("two\n", "three\n"):
        assert run("soul", "edit", "SOUL.md", "--from", "-", "--reason", "practice", stdin=text).code == 0

    assert run("soul", "show", "SOUL").out == "three\n"
    assert run("soul", "show", "SOUL", "--version", "2").out == "two\n"
    assert run("soul", "diff", "SOUL", "2", "3").out.splitlines()[-2:] == ["-two", "+three"]
    assert run("soul", "restore", "SOUL", "1").out == "SOUL.md is version 1 again.\n"
    assert (home / "agents/default/SOUL.md").read_text() == first
    reasons = [row["reason"] for row in json.loads(run("soul", "history", "SOUL", "--json").out)]
    assert reasons == ["first soul", "practice", "practice", "version restored: 1"]


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


def test_goals_from_beginning_to_end(run: Run) -> None:
    run("init")
    run("goals", "add", "Learn to cook rice", "--priority", "high")
    run("goals", "start", "rice")
    run("goals", "edit", "rice", "--note", "Two parts water", "--priority", "low")

    goal = json.loads(run("goals", "--json").out)[2]
    assert (goal["text"], goal["priority"], goal["status"], goal["notes"]) == (
        "Learn to cook rice",
        "low",
        "in progress",
        ["Two parts water"],
    )
    done = run("goals", "complete", "rice", "--outcome", "It was good")
    assert "✅ Learn to cook rice" in done.out
    assert "rice" not in run("prompt").out
    run("goals", "edit", "rice", "--reopen")
    run("goals", "drop", "rice")
    assert "rice" not in run("goals").out
    assert "goal dropped: Learn to cook rice" in run("soul", "history", "GOALS").out
    run("soul", "restore", "GOALS", "2")
    assert "rice" in run("goals").out


def test_goals_asks_about_one_without_movement(run: Run, home: Path) -> None:
    almario.create(home, clock=FixedClock(datetime(2026, 1, 2, tzinfo=UTC)))
    run("goals", "edit", "1", "--note", "One step")

    shown = run("goals").out

    assert shown.count("still wanted?") == 1
    assert re.search(r"no movement in \d+ days: still wanted\?", shown.splitlines()[-1])
    first, second = json.loads(run("goals", "--json").out)
    assert (first["stale_since"], second["stale_since"]) == (None, "2026-01-02")


def test_older_completed_goals_move_to_the_archive(run: Run, home: Path) -> None:
    run("init")
    for number in range(13):
        run("goals", "add", f"goal number {number:02d}")
        run("goals", "complete", f"goal number {number:02d}")

    agent = home / "agents/default"
    kept, moved = (agent / "GOALS.md").read_text(), (agent / "memory/archive/goals.md").read_text()
    assert kept.count("[x]") == 10
    assert [number for number in range(13) if f"number {number:02d}" in moved] == [0, 1, 2]


def test_the_log_is_written_and_shown(run: Run) -> None:
    run("init")

    assert run("log").out == "Nothing is written yet today.\n"
    assert run("log", "We met today.").out.endswith("  We met today.\n")
    assert "We met today." in run("prompt").out
    assert run("log", "--day", "2020-01-01").out == "Nothing was written that day.\n"


def test_a_line_that_is_nothing_but_a_secret_is_refused(run: Run) -> None:
    run("init")

    said = run("log", "4111 1111 1111 1111")

    assert said.code == 2
    assert "only a secret (card)" in said.err
    assert run("log").out == "Nothing is written yet today.\n"
    assert run("log", "cancel 4111 1111 1111 1111").out.endswith("  cancel [redacted:card]\n")


def test_explain_shows_all_ten_sections(run: Run) -> None:
    run("init")

    rows = run("prompt", "--explain").out.splitlines()[1:11]
    data = json.loads(run("prompt", "--json", "--mode", "autonomous").out)

    assert [row.split()[0] for row in rows] == [str(number) for number in range(1, 11)]
    assert [s["name"] for s in data["sections"]][2:4] == ["goals", "motivations"]
    assert data["tokens"] > 0


def test_config_says_where_each_value_came_from(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("init")
    (home / "almario.toml").write_text("[prompt]\nrecent_days = 3\n")
    monkeypatch.setenv("ALMARIO_FLUSH_THRESHOLD", "7")

    values = json.loads(run("--set", "prompt.humanizer=yes", "config", "--json").out)

    assert values["prompt.recent_days"] == {"value": 3, "from": "almario.toml"}
    assert values["flush.threshold"] == {"value": 7, "from": "ALMARIO_FLUSH_THRESHOLD"}
    assert values["prompt.humanizer"] == {"value": True, "from": "argument"}
    assert values["language"] == {"value": "en", "from": "agent.toml"}
    assert values["versions.keep"] == {"value": 10, "from": "default"}
    assert json.loads(run("config", "--schema").out)["properties"]["prompt"]


def test_with_every_feature_off_the_rest_works(run: Run, home: Path) -> None:
    run("init")
    features = ("soul", "search", "auto_recall", "flush", "versions", "watch", "consolidation", "reflection")
    off = "".join(f"[{feature}]\nenabled = false\n" for feature in features)
    (home / "almario.toml").write_text(
        off + '[embedder]\nname = "none"\n[sessions]\nindex = false\nindex_on_start = false\n'
    )
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


def test_options_may_stand_anywhere_in_the_line(run: Run, home: Path, tmp_path: Path) -> None:
    run("init")
    run("agents", "new", "finny")
    run("goals", "--agent", "finny", "add", "for finny")
    run("agents", "--home", str(tmp_path / "other"), "new", "x")

    assert "for finny" in run("goals", "--agent", "finny").out
    assert "for finny" not in run("--agent", "default", "goals").out
    assert (tmp_path / "other/agents/x").is_dir()
    assert json.loads(run("goals", "--json", "start", "1").out)


def test_meet_shows_an_agent_even_if_none_is_the_default(run: Run) -> None:
    run("agents", "new", "b")
    run("agents", "new", "a")

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
    write, count = FolderStore.write_soul, iter(range(2))

    def die_at_the_third(self: FolderStore, *args: Any, **kwargs: Any) -> None:
        if next(count, None) is None:
            raise KeyboardInterrupt
        write(self, *args, **kwargs)

    with monkeypatch.context() as patches:
        patches.setattr(FolderStore, "write_soul", die_at_the_third)
        assert run("agents", "new", "far", "--path", str(place)).code == 1
    assert "far" not in run("agents").out

    run("agents", "new", "far", "--path", str(place))

    assert sorted(path.name for path in place.glob("*.md")) == [
        "GOALS.md",
        "IDENTITY.md",
        "MOTIVATIONS.md",
        "SOUL.md",
        "USER.md",
    ]


def test_making_an_agent_again_after_a_kill_inside_a_write_just_works(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patches:
        patches.setattr(replacing, "_put", die_for("SOUL.md", die))
        assert run("agents", "new", "far", "--path", str(tmp_path / "far")).code == 1

    again = run("agents", "new", "far", "--path", str(tmp_path / "far"))

    assert again.code == 0, again.err
    assert (tmp_path / "far/USER.md").exists()


def die_for(name: str, die: Callable[..., None]) -> Callable[..., None]:
    """Put every file in its place but one."""
    put = replacing._put
    return lambda copy, path, *rest: die() if path.name == name else put(copy, path, *rest)


BAD = [
    (["soul", "show", "--version", "1"], "Say which file you want a version of."),
    (["goals", "start", "9" * 5000], "no goal is"),
    (["soul", "restore", "SOUL", "9" * 5000], "has no version"),
    (["--home", "~nosuchuser/x", "prompt"], "names a home folder that is unknown on this machine"),
    (
        ["agents", "new", "far", "--path", "~nosuchuser/x"],
        "names a home folder that is unknown on this machine",
    ),
    (["--set", "nonsense=1", "init"], "nonsense is not a setting"),
    (["soul", "show", "NOPE"], "NOPE is not a soul file; there are IDENTITY.md, SOUL.md"),
    (["soul", "show", "TOOLS"], 'there is no TOOLS.md; "almario soul edit TOOLS.md" creates one'),
    (["soul", "restore", "SOUL", "99"], 'SOUL.md has no version "99"'),
    (["soul", "restore", "SOUL", "zzzz"], 'SOUL.md has no version "zzzz"'),
    (["soul", "edit", "SOUL"], "there is no terminal for an editor"),
    (["soul", "edit", "SOUL", "--from", "/nowhere/x"], "/nowhere/x"),
    (["goals", "complete", "99"], 'no goal is "99"'),
    (["goals", "complete", ""], 'no goal is ""'),
    (["goals", "add", "  "], "a goal or a note needs words"),
    (["goals", "edit", "1", "--note", " "], "a goal or a note needs words"),
    (["goals", "add", "x", "--priority", "huge"], "'huge' is not one of 'high', 'medium', 'low'"),
    (["log", " "], "the log needs words"),
    (["log", "--day", "the other day"], '"the other day" is not a date I understand; try 2026-11-14'),
    (["log", "x", "--day", "2020-01-01"], "leave out --day"),
    (["prompt", "--mode", "dream"], "'dream' is not one of"),
    (["prompt", "--agent", "nobody"], 'there is no agent "nobody"'),
    (["prompt", "--agent", "../../etc"], 'there is no agent "../../etc"'),
    (["config", "nope"], "nope is not a setting"),
    (["--set", "prompt.mode=dream", "prompt"], "prompt.mode must be one of conversation"),
    (["--set", "prompt.mode", "prompt"], "write key=value"),
    (["agents", "new", "a/b"], "cannot be an agent's id"),
    (["agents", "new", "DEFAULT"], 'there is already an agent "default"'),
    (["agents", "remove", "nobody"], 'there is no agent "nobody"'),
    (["agents", "restore", "nobody"], 'the trash has no "nobody"'),
    (["init", "--name", "two\nlines", "--agent", "b"], "the name must be one line"),
    (["gaols"], "No such command 'gaols'"),
    (["goals", "--jsn"], "No such option"),
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


def test_a_mistyped_command_is_answered_with_the_nearest(run: Run) -> None:
    assert "Did you mean 'goals'?" in run("gols").err


def test_spanish_from_the_locale_the_environment_and_the_settings(spawn: Run, home: Path) -> None:
    assert "Uso: " in spawn("--help", LANG="es_ES.UTF-8").out
    assert "Uso: " in spawn("--help", ALMARIO_LANGUAGE="es").out
    home.mkdir()
    (home / "almario.toml").write_text('language = "es"\n')
    assert "Uso: " in spawn("--help").out
    assert "Uso: " in spawn("--help", LANG="en_US.UTF-8", ALMARIO_HOME="/nowhere", ALMARIO_LANGUAGE="es").out
    assert "Usage: " in spawn("--help", ALMARIO_LANGUAGE="en").out


@each_row(
    "group", ["agents", "backup", "config", "daemon", "goals", "memory", "proposals", "sessions", "soul"]
)
def test_a_list_of_commands_says_in_whole_what_each_does(run: Run, spawn: Run, group: str) -> None:
    for said in (run(group, "--help"), spawn(group, "--help", ALMARIO_LANGUAGE="es")):
        listed = said.out.split("\n\n")[-1].splitlines()

        assert len(listed) > 2
        assert [line for line in listed if line.endswith("...")] == []


def test_a_newcomer_who_speaks_spanish_meets_a_spanish_agent(spawn: Run, home: Path) -> None:
    card = spawn("meet", LANG="es_AR.UTF-8")

    assert "Prueba ahora:" in card.out
    assert "Presto atención." in (home / "agents/default/SOUL.md").read_text()
    wrong = spawn("goals", "complete", "99", LANG="es_AR.UTF-8")
    assert wrong.code == 2
    assert wrong.err.startswith("Error: ningún objetivo")


def test_colours_only_at_a_terminal_and_never_with_no_color(spawn: Run, spawn_at_terminal: Terminal) -> None:
    spawn("init")

    assert "\x1b[" not in spawn("meet").out
    assert "\x1b[" in spawn_at_terminal("meet")
    assert "\x1b[" not in spawn_at_terminal("meet", NO_COLOR="1")


def test_init_asks_a_few_questions_at_a_terminal(spawn_at_terminal: Terminal, home: Path) -> None:
    screen = spawn_at_terminal("init", answers="Finny 🤖\nwarm and brief\nAna\n")

    assert "What should your agent be called?" in screen
    assert (home / "agents/default/IDENTITY.md").read_text() == (
        "# Identity\n\nname: Finny\nemoji: 🤖\nvibe: warm and brief\n"
    )
    assert "Name: Ana" in (home / "agents/default/USER.md").read_text()


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
    spawn_at_terminal("init", answers="Finny\nAna\n<\nwarm\nAna\n")

    assert "vibe: warm" in (home / "agents/default/IDENTITY.md").read_text()
    assert "Name: Ana" in (home / "agents/default/USER.md").read_text()


def test_a_spanish_word_for_a_command_says_which_it_is(run: Run) -> None:
    said = run("olvidar", "x")

    assert said.code == 2
    assert 'there is no "almario olvidar"; it is "almario forget"' in said.err


def test_a_session_that_is_not_there_is_refused(run: Run) -> None:
    run("init", "--yes")

    told = [run(name, "--session", "nope") for name in ("flush", "prompt", "flight")]

    assert [(said.code, 'there is no session "nope"' in said.err) for said in told] == [(2, True)] * 3
    assert run("chat", "--session", "", stdin="hi\n").code == 2
    assert "the journal has no line 99999" in run("news", "--line", "99999").err
