"""The face of the library is what its page says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import almario
from almario import errors, plugins

DOCS = Path(__file__).parent.parent / "docs"
PAGE, PLUGINS_PAGE = DOCS / "python.md", DOCS / "plugins.md"


def test_the_top_is_small_and_is_what_the_docs_list() -> None:
    listed = re.findall(r"^\| `almario\.(\w+)", PAGE.read_text(), re.MULTILINE)

    assert sorted(listed) == sorted(almario.__all__)
    assert len(almario.__all__) <= 20


def test_every_error_and_every_name_for_plug_ins_is_documented() -> None:
    raised = [name for name, value in vars(errors).items() if isinstance(value, type) and name != "Any"]

    assert [name for name in raised if f"`{name}`" not in PAGE.read_text()] == []
    page = PLUGINS_PAGE.read_text()
    assert [name for name in plugins.__all__ if not re.search(rf"\b{name}\b", page)] == []


def test_every_public_name_is_there() -> None:
    assert all(getattr(almario, name) for name in almario.__all__)
    assert all(getattr(plugins, name) for name in plugins.__all__)
    with pytest.raises(AttributeError):
        almario.nothing_of_the_kind  # noqa: B018 - it is looked for
    with pytest.raises(AttributeError):
        plugins.nothing_of_the_kind  # noqa: B018 - the same


def test_whoever_checks_types_is_told_ours() -> None:
    assert (Path(almario.__file__).parent / "py.typed").exists()


def test_importing_almario_loads_nothing_else() -> None:
    code = "import sys, almario; print([m for m in sys.modules if m.startswith('almario.')])"

    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


def test_who_does_not_talk_loads_nothing_for_it(tmp_path: Path) -> None:
    almario.create(tmp_path)
    code = (
        "import sys, almario; soul = almario.open(sys.argv[1]); soul.remember('cat: Michi'); soul.close();"
        "print([m for m in sys.modules if m.startswith(('almario.conversation.', 'almario.becoming.'))])"
    )

    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == "['almario.becoming.settings', 'almario.conversation.settings']\n"


def test_who_looks_at_goals_and_proposals_loads_nothing_that_talks(tmp_path: Path) -> None:
    almario.create(tmp_path)
    code = (
        "import sys, almario; soul = almario.open(sys.argv[1]); soul.goals.list(); soul.proposals.list();"
        "print([m for m in sys.modules if m.startswith('almario.conversation.')])"
    )

    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == "['almario.conversation.settings']\n"


def test_what_programs_written_against_0_1_use_is_still_there() -> None:
    assert almario.SoulError is almario.errors.SoulError
    assert almario.Incoming("s", "hello").text == "hello"
    assert callable(almario.Soul.answer)
