"""Passages that were read stay at hand as rows of numbers."""

import tracemalloc
from collections.abc import Iterator
from datetime import date, timedelta

import pytest

from almario.domain.columns import Columns
from almario.domain.passages import Passage

pytestmark = pytest.mark.light
DAY = date(2026, 11, 14)


def talk(count: int) -> Iterator[Passage]:
    """Make up what was said, each piece with strings of its own, as they are read from a file."""
    for n in range(count):
        session, role = f"talk:{n // 100}", "".join(("us", "er"))
        day = DAY + timedelta(n // 100)
        yield Passage(
            "", f"sessions/{session}.jsonl", n % 100, "turn", day, "", role, f"{session}#{n}", id=n, length=50
        )


def test_a_passage_at_hand_takes_less_memory_than_the_passage() -> None:
    made, columns = 4_000, Columns()
    read = talk(made)
    tracemalloc.start()
    try:
        for _ in range(made // 100):
            columns.add([next(read) for _ in range(100)])
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        every = list(talk(made))
        taken = tracemalloc.get_traced_memory()[0] - held
    finally:
        tracemalloc.stop()

    assert len(columns) == len(every) == made
    assert held < 0.75 * taken, f"{held // made} bytes for a passage of {taken // made}"
