"""A program written for a Soul sees the same on every store."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.contracts.test_client import LESSON, MISTAKES, PROGRAMS, AnySoul, following, outcome
from tests.souls import soul_on, store_of
from tests.tables import each_row

# Where each store has its own count or places: lines of the journal, and the files that a text stands in.
OF_THE_STORE = re.compile(r"\b(seq|line|last is)(?:'?[:=]| ) ?\d+|\bplaces=\([^)]*\)")

# What each program comes to in a folder, which is asked once for all stores.
IN_A_FOLDER: dict[Callable[[AnySoul], Any], str] = {}
EVERY = [each for each in (*PROGRAMS, *MISTAKES) if each is not following]


@pytest.fixture(params=["memory", "postgres"])
def souls(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> list[Soul]:
    """The same soul in a folder and on another store."""

    def opened(kind: str) -> Soul:
        model = ScriptedLLM(lambda ask: LESSON if ask.schema else "Good evening, Ana.")
        never = {"flush.threshold": 1000}  # nothing is learned in the background
        return soul_on(store_of(kind, tmp_path / kind, clock), never, llm=model)

    return [opened("folder"), opened(request.param)]


@each_row("program", EVERY, ids=lambda program: program.__name__)
def test_a_program_sees_the_same_on_every_store(souls: list[Soul], program: Callable[[AnySoul], Any]) -> None:
    folder, other = souls
    if program not in IN_A_FOLDER:
        IN_A_FOLDER[program] = OF_THE_STORE.sub("", outcome(program, folder))

    assert OF_THE_STORE.sub("", outcome(program, other)) == IN_A_FOLDER[program]
