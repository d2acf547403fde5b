"""The face of the library is what its page says."""

import re
import subprocess
import sys
from pathlib import Path

import almario
from almario import errors

PAGE = Path(__file__).parent.parent / "docs" / "python.md"


def test_all_is_what_the_docs_list() -> None:
    listed = re.findall(r"^\| `(?:almario\.)?(\w+)", PAGE.read_text(), re.MULTILINE)

    assert sorted(listed) == sorted(almario.__all__)


def test_every_public_name_is_there() -> None:
    assert all(getattr(almario, name) for name in almario.__all__)


def test_every_error_can_be_caught_by_name() -> None:
    raised = {name for name, value in vars(errors).items() if isinstance(value, type) and name != "Any"}

    assert raised <= set(almario.__all__)


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
    own = "['almario.becoming.settings', 'almario.conversation.settings', 'almario.becoming.soul_files']\n"
    assert done.stdout == own


def test_who_looks_at_goals_and_proposals_loads_nothing_that_talks_or_measures(tmp_path: Path) -> None:
    almario.create(tmp_path)
    code = (
        "import sys, almario; soul = almario.open(sys.argv[1]); soul.goals.all(); soul.proposals.list();"
        "print([m for m in sys.modules if m.startswith(('almario.conversation.', 'almario.becoming.drift'))])"
    )

    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == "['almario.conversation.settings']\n"
