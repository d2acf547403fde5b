"""What a newcomer meets: questions that can be skipped, help, settings, dates in words, and warnings."""

import json
import shutil
from io import StringIO
from pathlib import Path
from threading import Thread

import click
import pytest

import almario
from almario.adapters.embedders.local import UNPACKING, LocalEmbedder
from almario.apps.cli import i18n, spoken_language
from almario.apps.cli.birth.newcomer import parted
from almario.apps.cli.printing import ProgressBar, warned
from almario.domain.logs import Log
from almario.domain.messages import Sentence
from almario.memory.settings import EmbedderSettings
from almario.wiring.remembering import unpack_meanwhile
from tests.adapters.unpacked import unpack_no_more
from tests.apps.conftest import Run, Terminal
from tests.tables import each_row


def test_the_questions_can_be_skipped_at_once(spawn_at_terminal: Terminal, home: Path) -> None:
    screen = spawn_at_terminal("meet", answers="👩‍🚀\n\x04", LANG="es_ES.UTF-8", COLUMNS="60")

    assert "¿Cómo se llamará tu agente?" in screen
    assert "¿Cómo te llamas?" not in screen
    identity = (home / "agents/default/IDENTITY.md").read_text()
    assert identity.startswith("# Identidad\n\nnombre: Alma\nemoji: 👩‍🚀\n")
    assert max(map(len, screen.split("\r\n")[:3])) <= 60


def test_whoever_says_what_they_are_called_is_called_so(spawn_at_terminal: Terminal, home: Path) -> None:
    spawn_at_terminal("meet", answers="Alma\n\nmy name is Paul\n", LANG="en_US.UTF-8")

    assert "\nName: Paul\n" in (home / "agents/default/USER.md").read_text()


def test_a_command_is_named_as_it_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / ".venv/bin/almario"
    own.parent.mkdir(parents=True)
    own.touch(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(own)])

    for path, called in (("/nowhere", ".venv/bin/almario"), (str(own.parent), "almario")):
        monkeypatch.setenv("PATH", path)
        i18n.program.cache_clear()
        assert i18n._('there is no agent; "almario init" creates one').endswith(
            f'"{called} init" creates one'
        )
    i18n.program.cache_clear()


@each_row(
    ("typed", "name", "emoji"),
    [
        ("Finny", "Finny", ""),
        ("Finny 🤖", "Finny", "🤖"),
        ("🤖Finny", "Finny", "🤖"),
        ("José Ñandú 🇪🇸", "José Ñandú", "🇪🇸"),
        ("小白 ❤️", "小白", "❤️"),
        ("👍🏽", "", "👍🏽"),
        ("Mr. X-2 (old) ^_^", "Mr. X-2 (old) ^_^", ""),
        ("Ana\u200b", "Ana\u200b", ""),
    ],
)
def test_whatever_emoji_is_typed_with_the_name_is_taken(typed: str, name: str, emoji: str) -> None:
    assert parted(typed) == (name, emoji)


def test_commands_speak_the_language_of_the_first_agent(run: Run, home: Path) -> None:
    assert "Prueba ahora:" in run("init", "--language", "es").out
    run("init", "--agent", "work", "--language", "en")

    assert spoken_language(["--home", str(home)]) == "es"


def test_commands_speak_the_language_that_was_set(run: Run, home: Path) -> None:
    run("config", "set", "language", "en")
    run("init", "--language", "es")

    assert spoken_language(["--home", str(home)]) == "en"


def test_help_is_what_the_option_shows(run: Run) -> None:
    assert run("help").out == run("--help").out
    assert run("help", "memory", "why").out == run("memory", "why", "--help").out
    assert run("help", "recall", "the", "cat").out == run("recall", "--help").out
    wrong = run("help", "gaols")
    assert (wrong.code, "Did you mean 'goals'?" in wrong.err) == (2, True)


def test_a_setting_is_written_for_all_or_for_one(run: Run, home: Path) -> None:
    run("init")
    (home / "almario.toml").write_text("# mine\n[prompt]\nrecent_days = 3 # enough\n")

    assert (
        run("config", "set", "prompt.recent_days", "5").out
        == "prompt.recent_days is 5 (from almario.toml).\n"
    )
    assert run("config", "set", "prompt.humanizer", "yes").code == 0
    assert (
        home / "almario.toml"
    ).read_text() == "# mine\n[prompt]\nrecent_days = 5 # enough\nhumanizer = true\n"
    assert "from agent.toml" in run("config", "set", "prompt.recent_days", "7", "--agent", "default").out
    assert (
        json.loads(run("config", "get", "prompt.recent_days", "--json").out)["prompt.recent_days"]["value"]
        == 7
    )
    assert run("config", "unset", "prompt.recent_days", "--agent", "default").out.startswith(
        "prompt.recent_days is 5"
    )


def test_a_setting_that_does_nothing_any_more_can_be_taken_out(run: Run, home: Path) -> None:
    run("init")
    (home / "almario.toml").write_text("[llm]\nretries = 5\nmodel = 'none'\n")

    assert run("config", "unset", "llm.retries").out == "llm.retries is no longer there.\n"

    assert (home / "almario.toml").read_text() == "[llm]\nmodel = 'none'\n"


def test_a_setting_that_another_overrides_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("init")
    monkeypatch.setenv("ALMARIO_PROMPT_RECENT_DAYS", "4")

    result = run("config", "set", "prompt.recent_days", "5")

    assert result.out == "prompt.recent_days is 4 (from ALMARIO_PROMPT_RECENT_DAYS).\n"
    assert result.err == "· ALMARIO_PROMPT_RECENT_DAYS overrides almario.toml; change it there\n"


@each_row(
    ("arguments", "said"),
    [
        (
            ["set", "prompt.recent_days", "x"],
            "prompt.recent_days must be a whole number from 0 to 366, not 'x'",
        ),
        (["set", "prompt.recnt_days", "3"], "did you mean prompt.recent_days?"),
        (["unset", "nonsense"], "nonsense is not a setting"),
        (["set", "agent", "nobody"], 'there is no agent "nobody"'),
        (["set", "agent", "default", "--agent", "default"], "agent.toml: agent belongs in almario.toml"),
        (["set", "timezone", "Mars"], "timezone must be a time zone such as Europe/Madrid"),
        (["set", "language", "es", "--agent", "nobody"], 'there is no agent "nobody"'),
    ],
)
def test_a_setting_that_will_not_do_changes_no_file(
    run: Run, home: Path, arguments: list[str], said: str
) -> None:
    run("init")
    before = (home / "agents/default/agent.toml").read_bytes()

    answer = run("config", *arguments)

    assert (answer.code, said in answer.err) == (2, True), answer.err
    assert not (home / "almario.toml").exists()
    assert (home / "agents/default/agent.toml").read_bytes() == before


def test_the_default_agent_is_chosen(run: Run, home: Path) -> None:
    run("init")
    run("init", "--agent", "work")

    assert run("config", "set", "agent", "WORK").out == "work is used when no agent is named.\n"
    assert run("prompt").out.startswith("Your name is Work.")
    assert run("config", "set", "agent", "nobody").code == 2


def test_an_unknown_variable_is_told_once_and_stops_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALMARIO_FOO", "1")  # the ALMARIO_ that they share makes no likeness
    monkeypatch.setenv("ALMARIO_LANGAGE", "es")

    result = run("meet")

    assert result.code == 0
    assert result.err.splitlines() == [
        "· the environment variable ALMARIO_FOO is not a setting, and is ignored",
        "· the environment variable ALMARIO_LANGAGE is not a setting; did you mean ALMARIO_LANGUAGE?",
    ]


@each_row(
    ("day", "told"),
    [
        ("today", "Nothing is noted yet today.\n"),
        ("tomorrow", 'That day is still to come. "almario plans" shows what is planned.\n'),
    ],
)
def test_a_day_that_has_not_passed_is_not_told_as_an_empty_one(run: Run, day: str, told: str) -> None:
    run("init")

    assert run("log", day).out == told


@each_row("day", ["yesterday", "ayer", "the day before yesterday", "lunes", "3 November", "14/11/2026"])
def test_a_day_can_be_said_in_words(run: Run, day: str) -> None:
    run("init")

    assert run("log", day).out == "Nothing was noted that day.\n"
    assert run("memory", "list", "--as-of", day).code == 0
    assert run("recall", "x", "--since", day).code == 0


def test_a_time_of_several_days_has_a_first_and_a_last_one(run: Run) -> None:
    run("init")

    assert run("recall", "x", "--since", "last week", "--until", "last week").code == 0
    assert run("recall", "x", "--since", "today", "--until", "last week").code == 2
    assert run("log", "2026-13-45").code == 2
    result = run("log", "last week")
    assert (result.code, '"last week" is more than one day; try 2026-11-14' in result.err) == (2, True)


def test_what_is_told_and_refused_wraps_between_words(spawn_at_terminal: Terminal, home: Path) -> None:
    almario.create(home).close()

    screen = spawn_at_terminal(
        "agents", "remove", "default", COLUMNS="40", ALMARIO_NONSENSE_AND_MORE="1", NO_COLOR="1"
    )

    lines = screen.replace(str(home), "").split("\r\n")
    assert "· the environment variable" in lines
    assert [line for line in lines if len(line) > 70] == []


def test_the_first_who_asks_by_meaning_is_told_that_the_model_is_unpacked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack_no_more(monkeypatch)
    for _ in range(2):
        with warned():
            LocalEmbedder(tmp_path / "cache").embed(["cat"])

    assert capsys.readouterr().err == "· Unpacking the search model (80 MB), once\n"
    shutil.rmtree(tmp_path / "cache")


def test_the_model_is_unpacked_while_other_things_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack_no_more(monkeypatch)
    monkeypatch.setenv("ALMARIO_CACHE", str(tmp_path))

    assert unpack_meanwhile(EmbedderSettings(name="none")) is None
    assert unpack_meanwhile(EmbedderSettings()) == UNPACKING
    LocalEmbedder().embed(["whoever comes now waits for what is left"])
    assert unpack_meanwhile(EmbedderSettings()) is None
    shutil.rmtree(tmp_path)


class _Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@each_row("label", ["Packing", "Unpacking a model, only this once", "x" * 59])
def test_a_progress_bar_fits_in_its_line(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("COLUMNS", "80")

    with ProgressBar(label) as bar:
        for step in range(5):
            bar(step, 4)

    assert "100%" in screen.getvalue()
    assert max(map(len, click.unstyle(screen.getvalue()).replace("\n", "\r").split("\r"))) <= 80


def test_work_in_the_background_draws_no_bar_across_what_is_typed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def work() -> None:
        Log("almario.test").info(Sentence("Copying"), extra={"steps": (0, 4)})

    with warned():
        thread = Thread(target=work)
        thread.start()
        thread.join()
        assert capsys.readouterr().err == ""
        work()
        assert capsys.readouterr().err == "· Copying\n"


def test_the_settings_fit_a_terminal_with_each_value_in_its_row(spawn_at_terminal: Terminal) -> None:
    screen = spawn_at_terminal("config", COLUMNS="80", NO_COLOR="1").split("\r\n")

    assert [line.split() for line in screen[:2]] == [
        ["Setting", "From", "Value"],
        ["language", "default", '"auto"'],
    ]
    assert [line for line in screen if len(line) > 80 and "://" not in line] == []  # an address stays whole
