"""The fault runs that come out the same each time, and the planted faults that prove they can fail.

Those with several processes at once, kills at a moment or power cuts are in `proofs/torture/random_runs.py`.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.forking import forks
from tests.tables import each_row

Torture = Callable[..., tuple[int, str]]


@pytest.fixture
def torture(tmp_path: Path) -> Torture:
    """Do `python -m proofs.torture` in a process of its own; return its exit code and what it said."""
    said = tmp_path / "said"
    said.touch()

    def do(*arguments: str) -> tuple[int, str]:
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), str(said))
        code = forks().run(arguments, dict(os.environ), streams, module="proofs.torture")
        return code, said.read_text()

    return do


def test_a_talk_killed_at_any_step_of_writing_loses_nothing(torture: Torture) -> None:
    code, output = torture("steps", "--rounds", "3")

    assert code == 0, output


def test_a_torn_line_that_stays_is_noticed(torture: Torture) -> None:
    code, output = torture("steps", "--fault", "no-cut")

    assert code == 1
    assert "is unfinished" in output


def test_what_is_said_off_the_record_is_on_no_disk_at_any_step(torture: Torture) -> None:
    code, output = torture("whispers", "--rounds", "2")

    assert code == 0, output


def test_what_is_written_down_all_the_same_is_noticed(torture: Torture) -> None:
    code, output = torture("whispers", "--rounds", "1", "--fault", "written-down")

    assert code == 1
    assert "holds b'perlagris'" in output


def test_an_unfinished_purge_is_noticed(torture: Torture) -> None:
    code, output = torture("purge", "--rounds", "1", "--fault", "no-resume")

    assert code == 1
    assert "still holds it" in output


def test_no_interleaving_of_owner_and_processes_loses_or_revives_anything(torture: Torture) -> None:
    code, output = torture("mirror", "--rounds", "12", "--at-once", "0")

    assert code == 0, output


# `python -m proofs.torture` plants them all; of these seeds one of the first interleavings shows it.
@each_row(("fault", "seed"), [("no-since", 2), ("no-hash", 8)])
def test_interleavings_are_noticed_without_a_safeguard(torture: Torture, fault: str, seed: int) -> None:
    code, output = torture(
        "mirror", "--rounds", "100", "--at-once", "0", "--fault", fault, "--seed", str(seed)
    )

    assert code == 1, output
    assert "BROKEN" in output


def test_a_month_of_nights_that_is_killed_anywhere_ends_as_if_it_was_not(torture: Torture) -> None:
    code, output = torture("month", "--rounds", "1", "--nights", "2")

    assert code == 0, output
    assert "1 months of 2 nights" in output
