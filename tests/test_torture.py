"""The short form of the fault runs, and the planted faults that prove they can fail."""

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.tables import each_row
from tests.torture import power

PROJECT = Path(__file__).parent.parent


def torture(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.torture", *arguments],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


@pytest.fixture
def disk_to_cut_off() -> None:
    if why := power.why_not():
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(f"POWER CUTS WERE NOT TESTED: {why}", stacklevel=1)
        pytest.skip(f"POWER CUTS WERE NOT TESTED: {why}")


def test_kills_lose_nothing() -> None:
    done = torture("kills", "--rounds", "20")

    assert done.returncode == 0, done.stdout


def test_kills_are_noticed_without_the_lock() -> None:
    done = torture("kills", "--rounds", "20", "--fault", "no-lock")

    assert done.returncode == 1
    assert "BROKEN" in done.stdout


def test_a_killed_purge_is_finished_and_leaves_no_byte() -> None:
    done = torture("purge", "--rounds", "4")

    assert done.returncode == 0, done.stdout


def test_an_unfinished_purge_is_noticed() -> None:
    done = torture("purge", "--rounds", "2", "--fault", "no-resume")

    assert done.returncode == 1
    assert "still holds it" in done.stdout


def test_talks_that_are_killed_keep_what_was_said_and_learn_it_once() -> None:
    done = torture("talk", "--rounds", "6", "--processes", "2")

    assert done.returncode == 0, done.stdout


def test_a_talk_killed_at_any_step_of_writing_loses_nothing() -> None:
    done = torture("steps", "--rounds", "4")

    assert done.returncode == 0, done.stdout


def test_what_is_said_off_the_record_is_on_no_disk_at_any_step() -> None:
    done = torture("whispers", "--rounds", "2")

    assert done.returncode == 0, done.stdout


def test_what_is_written_down_all_the_same_is_noticed() -> None:
    done = torture("whispers", "--rounds", "1", "--fault", "written-down")

    assert done.returncode == 1
    assert "holds b'perlagris'" in done.stdout


def test_a_torn_line_that_stays_is_noticed() -> None:
    done = torture("steps", "--fault", "no-cut")

    assert done.returncode == 1
    assert "is unfinished" in done.stdout


@pytest.mark.usefixtures("disk_to_cut_off")
def test_power_cuts_lose_nothing() -> None:
    done = torture("power", "--rounds", "4")

    assert done.returncode == 0, done.stdout
    assert "4 power cuts" in done.stdout


@pytest.mark.usefixtures("disk_to_cut_off")
def test_power_cuts_are_noticed_without_the_fsync() -> None:
    done = torture("power", "--rounds", "2", "--fault", "no-fsync")

    assert done.returncode == 1
    assert "BROKEN" in done.stdout


def test_no_interleaving_of_owner_and_processes_loses_or_revives_anything() -> None:
    done = torture("mirror", "--rounds", "25", "--at-once", "2")

    assert done.returncode == 0, done.stdout


# `python -m tests.torture` plants them all; of these seeds one of the first interleavings shows it.
@each_row(("fault", "seed"), [("no-since", 2), ("no-hash", 8)])
def test_interleavings_are_noticed_without_a_safeguard(fault: str, seed: int) -> None:
    done = torture("mirror", "--rounds", "100", "--at-once", "0", "--fault", fault, "--seed", str(seed))

    assert done.returncode == 1, done.stdout
    assert "BROKEN" in done.stdout


def test_a_month_of_nights_that_is_killed_anywhere_ends_as_if_it_was_not() -> None:
    done = torture("month", "--rounds", "2", "--nights", "3")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 months of 3 nights" in done.stdout


def test_a_household_that_is_killed_again_and_again_keeps_all_its_promises() -> None:
    done = torture("household", "--rounds", "4", "--processes", "2")

    assert done.returncode == 0, done.stdout + done.stderr


def test_a_purge_that_leaves_versions_is_noticed() -> None:
    done = torture("household", "--rounds", "2", "--processes", "1", "--fault", "kept-versions")

    assert done.returncode == 1
    assert "which was erased" in done.stdout
