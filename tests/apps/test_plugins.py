"""What other packages bring is found, used where it is named, and blamed by name when it is broken."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from click.shell_completion import ShellComplete

import almario
from almario import config
from almario.apps.cli import root
from almario.becoming.exploring import Exploration
from almario.domain.talk import Reply, ToolCall
from almario.entry_points import Group
from almario.errors import ConfigError, LLMUnavailable
from almario.soul import Soul
from almario.testing import ScriptedLLM
from almario.wiring import models
from almario.wiring.souls import Souls
from tests.apps.conftest import Run
from tests.plugged import EXAMPLES, PROJECT, Site, entry_points

GROUPS: tuple[Group, ...] = ("llms", "embedders", "tools", "commands", "importers")
# Fails in every way that a package can: by not being there, when it is loaded, and when it is used.
BROKEN = {
    "almario.llms": {"lost": "nowhere_to_be_found:model", "hasty": "hasty:make", "late": "late:Late"},
    "almario.embedders": {"lost": "nowhere_to_be_found:model", "late": "late:Late"},
    "almario.tools": {"lost": "nowhere_to_be_found:tools", "late": "late:tools"},
    "almario.commands": {"lost": "nowhere_to_be_found:command", "late": "late:command", "odd": "late:name"},
    "almario.importers": {"lost": "nowhere_to_be_found:read", "late": "late:read"},
    "almario.explorers": {"lost": "nowhere_to_be_found:make", "late": "late:explorer"},
    "almario.doors": {"lost": "nowhere_to_be_found:door", "late": "late:explorer", "mute": "late:nothing"},
    "almario.settings": {"lost": "nowhere_to_be_found:Settings", "odd": "late:name"},
}
LATE = """
import click

name = "no command"

class Late:
    model = "late/1"
    def __init__(self, model, settings): pass
    def is_available(self): return True
    def reply(self, ask, hear=None): raise KeyError("later")
    def embed(self, texts): raise KeyError("later")

def tools(tools): raise KeyError("later")
def read(content): yield from [1 / 0]
def explorer(given): raise KeyError("later")
def nothing(given): return None

@click.command()
def command(): raise KeyError("later")
"""


@pytest.fixture
def broken(site: Site) -> Site:
    site.put("almario-broken", BROKEN, late=LATE, hasty="raise SystemError('not here')")
    return site


# Each of the examples


def test_there_is_an_example_for_each_group() -> None:
    brought = [group for each in sorted(EXAMPLES.iterdir()) for group in entry_points(each)]

    assert sorted(brought) == sorted(f"almario.{group}" for group in GROUPS)


def test_a_language_model_of_a_plug_in_talks(site: Site, run: Run, soul: Soul) -> None:
    site.put_example("almario-parrot")

    assert run("--set", "llm.model=parrot/loud", "say", "good evening").out == "GOOD EVENING\n"
    with almario.open(settings={"llm.model": "parrot"}) as talking:
        assert talking.models.talk.model == "parrot/plain"  # type: ignore[union-attr]


def test_an_embedder_of_a_plug_in_finds(site: Site, run: Run, soul: Soul) -> None:
    site.put_example("almario-trigrams")
    soul.remember("the lighthouse keeper")
    given = ("--set", "embedder.name=trigrams/64", "--set", "search.min_score=0")

    [hit] = json.loads(run(*given, "recall", "lighthousekeepers", "--json").out)

    assert (hit["text"], hit["how"]) == ("the lighthouse keeper", "vector")
    with pytest.raises(ConfigError, match=r"must be local, openai, none, or"):
        almario.open(settings={"embedder.name": "trigram"})


def test_the_tools_of_a_plug_in_are_the_models(site: Site, soul: Soul) -> None:
    site.put_example("almario-dice")
    llm = ScriptedLLM(Reply("", (ToolCall("1", "roll_dice", {"dice": 2}),)), "A good throw.")

    with almario.open(llm=llm) as talking:
        answer = talking.talk("Roll the dice!")
        group = [spec.name for spec in talking.tools.specs("collaboration")]
    with almario.open(settings={"tools.plugins": False}) as without:
        names = [spec.name for spec in without.tools.specs()]

    assert (answer.text, answer.done[0].is_error) == ("A good throw.", False)
    assert "roll_dice" in group
    assert "roll_dice" not in names


def test_a_command_of_a_plug_in_is_listed_and_run_for_the_agent_that_is_meant(
    site: Site, run: Run, home: Path
) -> None:
    site.put_example("almario-diary")
    almario.create(home, "finny").log("We walked to the lighthouse.")
    almario.create(home, "other")

    assert re.search(r"almario-diary +diary\n", run("--help").out)
    assert "almario_diary" not in sys.modules
    assert "the lighthouse" in run("--agent", "finny", "diary", "read").out
    assert run("--agent", "other", "diary", "count").out == "0\n"
    refused = run("--agent", "nobody", "diary", "count")
    assert (refused.code, "nobody" in refused.err) == (2, True)


def test_another_programs_export_is_imported_once_and_is_nobodys_word(
    site: Site, run: Run, soul: Soul, tmp_path: Path
) -> None:
    site.put_example("almario-csv")
    rows = tmp_path / "notes.csv"
    rows.write_text("text,key,since\ndesigns bridges,job,2020-03-01\nlikes trains,,\n")

    assert "memories 2. Already here: 0." in run("import", str(rows), "--from", "csv", "--yes").out
    assert "memories 0. Already here: 2." in run("import", str(rows), "--from", "csv", "--yes").out
    with almario.open() as reopened:
        found = {each.text: each for each in reopened.memory.list()}
    assert {each.origin for each in found.values()} == {"imported"}
    assert found["job: designs bridges"].valid_from.year == 2020
    rows.write_text("one,two\n1,2\n")
    refused = run("import", str(rows), "--from", "csv")
    assert (refused.code, 'no column "text"' in refused.err) == (2, True)
    unknown = run("import", str(rows), "--from", "cvs")
    assert (unknown.code, "did you mean csv?" in unknown.err) == (2, True)


PEBBLE = """
from almario.importing.arrivals import Kind
from almario.plugins import Note, Sentence

def fits(source):
    return source.entries[0].start().startswith(b"pebble/")

def read(source):
    yield from (Note(entry.text().removeprefix("pebble/").strip()) for entry in source.entries)

KIND = Kind("pebble", Sentence("a pebble"), fits, read)
"""


def test_a_plug_in_knows_its_own_exports_whatever_is_broken_beside_it(
    broken: Site, run: Run, soul: Soul, tmp_path: Path
) -> None:
    points = {"almario.importers": {"pebble": "pebble:KIND"}}
    broken.put("almario-pebble", points, pebble=PEBBLE)
    (tmp_path / "note.md").write_text("pebble/likes trains\n")
    (tmp_path / "x").write_text("?")

    assert "memories 1. Already here: 0." in run("import", str(tmp_path / "note.md"), "--yes").out
    refused = run("import", str(tmp_path / "x"), "--yes")
    assert (refused.code, refused.err.count("\n"), "almario-broken is broken" in refused.err) == (2, 1, True)


# What is broken


def test_a_broken_plug_in_stops_nothing_else(broken: Site, run: Run, home: Path, soul: Soul) -> None:
    home.joinpath("almario.toml").write_text("[lost]\nsecret = 1\n[odd]\nx = 2\n")

    for line in ("--help", "remember x is y", "recall x", "goals", "prompt", "config", "memory list"):
        result = run(*line.split())
        assert result.code == 0, line
        assert "Traceback" not in result.out + result.err


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("lost", "ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("late", "KeyError: 'later'"),
        ("odd", "AttributeError: 'str' object has no attribute 'invoke'"),
        ("--set llm.model=lost say hello", "ModuleNotFoundError"),
        ("--set llm.model=hasty/x say hello", "SystemError: not here"),
        ("--set llm.model=late say hello", "KeyError: 'later'"),
        ("--set embedder.name=lost recall x", "ModuleNotFoundError"),
        ("import {file} --from lost", "ModuleNotFoundError"),
        ("import {file} --from late", "ZeroDivisionError"),
    ],
)
def test_what_is_broken_is_one_sentence_that_names_the_package(
    broken: Site, run: Run, soul: Soul, line: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "notes").write_text("x")
    result = run(*(str(tmp_path / "notes") if word == "{file}" else word for word in line.split()))

    assert result.code == 2
    [*_, sentence] = result.err.splitlines()
    assert "almario-broken is broken: its plug-in " in sentence
    assert why in sentence


def test_whoever_presses_tab_gets_the_commands_that_work(broken: Site) -> None:
    command = root()
    found = ShellComplete(command, {}, "almario", "_ALMARIO_COMPLETE").get_completions([], "l")

    assert [item.value for item in found] == ["log", "login", "logout", "late"]


def test_a_tool_that_cannot_be_loaded_is_told_and_the_conversation_goes_on(
    broken: Site, run: Run, soul: Soul, site: Site
) -> None:
    site.put_example("almario-parrot")

    result = run("--set", "llm.model=parrot", "say", "hello")

    assert (result.code, result.out) == (0, "hello\n")
    assert result.err.count("a plug-in was left out: almario-broken is broken") == 2


def test_a_model_that_breaks_is_one_that_does_not_answer_and_what_was_said_is_kept(
    broken: Site, soul: Soul
) -> None:
    with almario.open(settings={"llm.model": "late"}) as talking:
        with pytest.raises(LLMUnavailable, match=r"almario-broken is broken"):
            talking.talk("hello")
        assert [turn.text for turn in talking.sessions.turns("cli:main")] == ["hello"]


@pytest.mark.usefixtures("broken")
def test_a_door_that_breaks_stays_shut_and_the_others_open(
    furnished: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from almario.apps.web.app import doors

    served = doors(Souls(furnished))

    assert [door for door in served if door.problem]  # the gateway, which is another package's
    assert len([line for line in caplog.messages if "almario-broken is broken" in line]) == 3


@pytest.mark.parametrize(("name", "is_told"), [("lost", False), ("late", False), ("hasty", True)])
def test_an_explorer_that_breaks_finds_nothing_and_the_reflection_goes_on(
    site: Site, name: str, is_told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    code = f"{LATE}\nclass Hasty:\n    def __init__(self, given): pass\n    def explore(self, asked): 1 / 0\n"
    points = {**BROKEN["almario.explorers"], "hasty": "late:Hasty"}
    site.put("almario-broken", {"almario.explorers": points}, late=code)
    settings = cast("config.Settings", SimpleNamespace(**{name: "its settings"}))

    found = models.explorer(settings, Exploration(ScriptedLLM(), None, "en", str, lambda: str))

    assert (found is not None) == is_told
    notices = found.explore(["why?"]).told if found else caplog.messages
    assert "almario-broken is broken" in str(notices)


@pytest.mark.parametrize("answer", ["'text'", "None", "Reply(None)", "Reply('', (('call',),))"])
def test_a_model_that_answers_with_anything_else_is_blamed(site: Site, soul: Soul, answer: str) -> None:
    code = f"{LATE}\nfrom almario.plugins import Reply\nLate.reply = lambda self, ask, hear=None: {answer}\n"
    site.put("almario-broken", {"almario.llms": {"odd": "late:Late"}}, late=code)

    with (
        almario.open(settings={"llm.model": "odd"}) as talking,
        pytest.raises(LLMUnavailable, match=r"almario-broken is broken: .* did not return a Reply"),
    ):
        talking.talk("hello")


@pytest.mark.parametrize("vectors", ["None", "[]", "['abc'] * len(texts)", "[[float('nan')]] * len(texts)"])
def test_an_embedder_whose_vectors_are_none_leaves_the_search_by_words(
    site: Site, run: Run, soul: Soul, vectors: str
) -> None:
    code = f"{LATE}\nLate.embed = lambda self, texts: {vectors}\n"
    site.put("almario-broken", {"almario.embedders": {"odd": "late:Late"}}, late=code)
    soul.remember("cat: Michi")

    result = run("--set", "embedder.name=odd", "recall", "cat")

    assert "Michi" in result.out
    assert 'its plug-in "odd" failed' in result.err


def test_a_plug_in_that_ends_the_process_ends_no_command(site: Site, run: Run, soul: Soul) -> None:
    code = "import click, sys\n@click.command()\ndef command(): sys.exit(3)\ndef leave(*_): sys.exit(0)\n"
    points = {
        "almario.settings": {"leaver": "leaver:leave"},
        "almario.commands": {"leave": "leaving:command", "well": "leaver:command"},
    }
    site.put("almario-leaver", points, leaver=code, leaving="import sys\nsys.exit(0)")

    shown = run("config", "get", "llm.model")

    assert "llm.model" in shown.out
    assert "almario-leaver is broken" in shown.err
    assert "almario-leaver is broken" in run("leave").err
    assert run("well").code == 3  # how its own command ends is its own affair


def test_of_two_packages_with_the_same_plug_in_neither_is_taken(site: Site, run: Run, soul: Soul) -> None:
    site.put_example("almario-diary")
    site.put("almario-journal", {"almario.commands": {"diary": "almario_diary:diary"}})

    result = run("diary", "count")

    assert result.code == 2
    assert 'both almario-diary and almario-journal provide a plug-in called "diary"' in result.err


def test_a_command_of_ours_is_never_replaced(site: Site, run: Run, soul: Soul) -> None:
    site.put("almario-thief", {"almario.commands": {"remember": "thief:command"}})

    assert run("remember", "cat: Michi").code == 0
    assert "almario-thief" not in run("--help").out


# Settings of their own


def test_a_plug_in_has_settings_of_its_own(site: Site, home: Path, run: Run, soul: Soul) -> None:
    code = "from almario.plugins import Section, option\n\nclass Own(Section):\n"
    code += "    size: int = option(3, 'Size.', low=1, high=9)\n"
    site.put("almario-sized", {"almario.settings": {"sized": "sized:Own"}}, sized=code)

    assert "sized.size" in run("config").out
    assert run("config", "sized").out.split()[-3:] == ["sized.size", "default", "3"]
    assert run("--set", "sized.size=4", "config", "sized").out.split()[-2:] == ["argument", "4"]
    assert run("config", "set", "sized.size", "5").code == 0
    assert "size = 5" in home.joinpath("almario.toml").read_text()
    found = config.load(home, environment={})
    assert found.settings.sized.size == 5  # type: ignore[attr-defined]
    assert found.settings == config.load(home, environment={"ALMARIO_SIZED_SIZE": "5"}).settings
    home.joinpath("almario.toml").write_text("[sized]\nsize = 50\n")
    with pytest.raises(ConfigError, match=r"sized.size must be a whole number from 1 to 9, not 50"):
        config.load(home, environment={})
    home.joinpath("almario.toml").write_text("[sized]\nsise = 5\n")
    with pytest.raises(ConfigError, match=r"sized.sise is not a setting; did you mean sized.size"):
        config.load(home, environment={})


# Quick


def test_looking_for_plug_ins_loads_nothing(site: Site) -> None:
    code = (
        "import sys; from almario.entry_points import installed; print('card' in installed('importers'));"
        "print([name for name in sys.modules if name.startswith(('almario_', 'importlib.metadata'))])"
    )
    site.put_example("almario-dice")
    environment = {**os.environ, "PYTHONPATH": f"{site.folder}:{PROJECT / 'src'}"}

    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )

    assert done.stdout == "True\n[]\n"
