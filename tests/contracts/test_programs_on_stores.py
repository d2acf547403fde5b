"""A program written for a Soul sees the same in PostgreSQL as in a folder."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.contracts.test_client import EVERY, LESSON, AnySoul, following, outcome
from tests.souls import soul_on, store_of
from tests.tables import each_row

# Where each store has its own count or places: lines of the journal, and the files that a text stands in.
OF_THE_STORE = re.compile(r"\b(seq|line|last is|undo)(?:'?[:=]| ) ?\d+|\bplaces=\([^)]*\)")


@pytest.fixture
def souls(tmp_path: Path, clock: FixedClock) -> list[Soul]:
    """The same soul on both stores."""

    def opened(kind: str) -> Soul:
        model = ScriptedLLM(lambda ask: LESSON if ask.schema else "Good evening, Ana.")
        never = {"flush.threshold": 1000}  # nothing is learned in the background
        return soul_on(store_of(kind, tmp_path / kind, clock), never, llm=model)

    return [opened("folder"), opened("postgres")]


@each_row("program", [each for each in EVERY if each is not following], ids=lambda program: program.__name__)
def test_a_program_sees_the_same_on_every_store(souls: list[Soul], program: Callable[[AnySoul], Any]) -> None:
    folder, postgres = (OF_THE_STORE.sub("", outcome(program, soul)) for soul in souls)

    assert postgres == folder
