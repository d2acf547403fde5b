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

EVERY = [each for each in (*PROGRAMS, *MISTAKES) if each is not following]


@pytest.fixture
def souls(tmp_path: Path, clock: FixedClock) -> list[Soul]:
    """The same soul in a folder and in a database."""
    never = {"flush.threshold": 1000}  # nothing is learned in the background
    models = [ScriptedLLM(lambda ask: LESSON if ask.schema else "Good evening, Ana.") for _ in range(2)]
    stores = [store_of(kind, tmp_path / kind, clock) for kind in ("folder", "postgres")]
    return [soul_on(store, never, llm=model) for store, model in zip(stores, models, strict=True)]


@each_row("program", EVERY, ids=lambda program: program.__name__)
def test_a_program_sees_the_same_on_every_store(souls: list[Soul], program: Callable[[AnySoul], Any]) -> None:
    in_folder, in_database = (OF_THE_STORE.sub("", outcome(program, soul)) for soul in souls)

    assert in_database == in_folder
