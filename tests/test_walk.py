"""A remember, a turn and a hook's message look at the folder once at most, and load only what they need."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.walk import LISTINGS, LOCKS, LOOKS, READS, TAILS, Walk, message, notebook_turn, remember, turn


@pytest.mark.parametrize(
    ("walk", "looks", "locks"), [(remember, 0, 1), (turn, 1, 2), (notebook_turn, 1, 1), (message, 1, 1)]
)
def test_at_most_one_look_at_the_folder_and_one_lock_a_write(
    walk: Callable[[Path], Walk], looks: int, locks: int, tmp_path: Path
) -> None:
    counted = walk(tmp_path / "home").figures()

    assert counted.get(LOOKS, 0) == looks
    assert counted[LOCKS] == locks
    assert counted.get(TAILS, 0) <= 3
    assert counted[LISTINGS] <= 6
    assert counted[READS] <= 25


@pytest.mark.parametrize(
    ("command", "needed", "spared"),
    [
        ("goals", "becoming.goals", ("memory.facade", "adapters.sqlite", "text.redaction")),
        (
            "prompt",
            "conversation.prompting",
            ("memory.recall", "text.wishes", "domain.soul_events", "languages"),
        ),
        (
            "remember The boat needs paint.",
            "memory.admission",
            ("memory.recall", "memory.rules.page_file", "text.times.reader", "languages", "Spanish"),
        ),
    ],
)
def test_a_command_loads_what_it_needs(
    command: str, needed: str, spared: tuple[str, ...], tmp_path: Path
) -> None:
    code = (
        "import os, pathlib, sys, almario; almario.create(sys.argv[1]).close()\n"
        # Files of the last two seconds are read once more: whether these are would depend on the machine.
        "for file in pathlib.Path(sys.argv[1]).rglob('*.md'): os.utime(file, (0, 0))\n"
        "with almario.open(sys.argv[1]) as soul: soul.prompt()\n"
        "for name in [each for each in sys.modules if each.startswith('almario')]: del sys.modules[name]\n"
        "from almario.apps.cli import root\n"
        "root().main(['--home', sys.argv[1], *sys.argv[2:]], standalone_mode=False)\n"
        "from almario.domain.messages import catalogue\n"
        "from almario.language import language\n"
        "if language.cache_info().currsize: print('almario.languages', file=sys.stderr)\n"
        "if catalogue.cache_info().currsize > 1: print('almario.Spanish', file=sys.stderr)\n"
        "print(*(each for each in sys.modules if each.startswith('almario.')), file=sys.stderr)"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path / "home"), *command.split(" ", 1)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)

    loaded = done.stderr.split()
    assert f"almario.{needed}" in loaded
    read = [name for name in spared if f"almario.{name}" in loaded]
    assert read == []
