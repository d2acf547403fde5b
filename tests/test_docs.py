"""The docs are true: every command and setting is in them, and every example runs as shown."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from almario.apps.cli import i18n, root
from almario.apps.cli.command_table import COMMANDS
from almario.apps.cli.plugged import names_in
from almario.domain.messages import catalogue
from tests import reference
from tests.forking import forks
from tests.reference import commands
from tests.tables import each_row

PROJECT = Path(__file__).parent.parent
PAGES = [
    PROJECT / "README.md",
    PROJECT / "README.es.md",
    PROJECT / "CONTRIBUTING.md",
    PROJECT / "examples" / "README.md",
    *sorted((PROJECT / "docs").rglob("*.md")),
    *sorted((PROJECT / "packages").glob("*/README.md")),
]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def test_the_page_of_commands_says_what_their_help_says() -> None:
    page = reference.COMMANDS.read_text()

    assert page == reference.commands_page(page)  # else: make reference
    assert "## `almario recall QUESTION...`" in page


def test_the_table_of_settings_is_that_of_the_code() -> None:
    page = reference.SETTINGS.read_text()

    assert page == reference.settings_page(page)  # else: make reference
    assert "| `timezone` |" in page


def test_the_table_of_verbs_is_that_of_the_code() -> None:
    page = reference.CLIENT.read_text()

    assert page == reference.client_page(page)  # else: make reference
    assert "| `.memory` | `list " in page


def examples() -> Iterator[tuple[str, str]]:
    """Yield every example of the help with its language, in both."""
    for _, command in commands(root()):
        for line in (command.help or "").partition("Examples:")[2].splitlines():
            said = line.strip()
            if said:
                yield from (("en", said), ("es", catalogue("es").get(said, said)))


@each_row(("language", "example"), sorted(set(examples())))
def test_every_example_of_the_help_is_a_command_that_can_be_given(
    monkeypatch: pytest.MonkeyPatch, *, language: str, example: str
) -> None:
    monkeypatch.setattr(i18n, "_language", language)
    [given] = re.findall(r"\balmario (?:[^|>#)\"]|\"[^\"]*\")*|\balmario$", example)
    words = re.sub(r" --set \S+", "", given).split(" ", 1)[1:]
    rest = shlex.split(" ".join(words))
    command: click.Command = root()
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        found = command.get_command(click.Context(command), rest.pop(0))
        assert found is not None
        command = found
    command.make_context("almario", rest)


def test_the_value_of_an_option_has_a_name_that_people_use() -> None:
    options = [(path, command, option) for path, command in commands(root()) for option in command.params]
    named = [f"{path} {each.make_metavar(click.Context(command))}" for path, command, each in options]

    assert [name for name in named if "RANGE" in name or "%" in name] == []


def test_every_command_is_in_the_list_of_commands() -> None:
    found = [path.split()[1] for path, _ in commands(root()) if path.count(" ") == 1]

    assert found == [*COMMANDS, *names_in()]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "console")], ids=lambda page: page.name
)
def test_every_command_in_the_docs_runs_and_prints_what_they_show(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ALMARIO_HOME", str(tmp_path / ".almario"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    for block in blocks(page, "console"):
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            code, output = done(command)
            wanted = re.search(r"# exit (\d)$", command)
            assert code == (int(wanted[1]) if wanted else 0), output
            assert matches(output, expected), f"$ {command}\n{output}\n--- the page says\n{expected}"


# What can be run in this process: a plain command, or one that is told something by programs of the shell.
PLAIN = re.compile(r"(?:(?P<telling>(?:echo|printf) [^|<>&;$`(]*) \| )?(?P<command>almario [^|<>&;$`(~]*)")


def done(command: str) -> tuple[int, str]:
    """Return how a line of the shell ends and what it prints."""
    if plain := PLAIN.fullmatch(command):
        told = in_the_shell(plain["telling"])[1] if plain["telling"] else ""
        result = CliRunner().invoke(root(), shlex.split(plain["command"], comments=True)[1:], input=told)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.output
    return in_the_shell(command)


def in_the_shell(command: str) -> tuple[int, str]:
    shell = subprocess.run(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return shell.returncode, shell.stdout


def matches(output: str, expected: str) -> bool:
    """Compare line by line; `…` stands for any text, and alone on a line for any lines."""
    pattern = ""
    for line in expected.strip("\n").split("\n"):
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("…")) + r"[ ]*\n"
    return re.fullmatch(pattern, output.strip("\n") + "\n") is not None


# Before the examples of a client: a server for them, with a model.
SERVED = f"""
import os, sys
sys.path.insert(0, {str(PROJECT)!r})
from pathlib import Path
import almario
from almario.testing import ScriptedLLM
from tests.apps.served import serving
almario.create().close()
_server = serving(Path(os.environ["ALMARIO_HOME"]), ScriptedLLM("Good evening, Ana."))
_server.__enter__()
"""


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name
)
def test_every_python_example_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "\n".join([SERVED] * (page.name == "client.md") + blocks(page, "python"))
    monkeypatch.chdir(tmp_path)
    environment = {**os.environ, "HOME": str(tmp_path), "ALMARIO_HOME": str(tmp_path / ".almario")}
    screen = tmp_path / "screen"
    screen.touch()
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), str(screen))
    for _ in range(2 if page.name == "README.md" else 1):  # whoever tries them again has a home already
        ended = forks().run((code,), environment, streams, module="-c")
        assert ended == 0, screen.read_text()


def test_every_make_target_the_docs_name_is_there() -> None:
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"`?make ([a-z]+)`", page.read_text())}

    assert named <= targets


@each_row("page", PAGES, ids=lambda page: page.name)
def test_no_page_begins_two_paragraphs_alike(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    openings = [
        line[:60] for line in prose.splitlines() if len(line) > 60 and not line.startswith(("|", "Options: "))
    ]

    assert sorted(openings) == sorted(set(openings))


def test_every_link_between_pages_leads_somewhere() -> None:
    dead = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert dead == []


def test_every_page_is_in_the_index() -> None:
    index = PROJECT / "docs/README.md"
    linked = {(index.parent / target).resolve() for target in re.findall(r"\]\(([^)#]+)", index.read_text())}

    assert [page.name for page in (PROJECT / "docs").rglob("*.md") if page not in linked | {index}] == []


def test_every_link_into_a_page_leads_to_a_heading_of_it() -> None:
    dead = [
        f"{page.name}: {target}#{anchor}"
        for page in PAGES
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", page.read_text())
        if anchor not in anchors((page.parent / target).read_text() if target else page.read_text())
    ]
    assert dead == []


def anchors(text: str) -> set[str]:
    """Return what the headings of a page are linked by."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
