"""The short form of the fault runs in which chance has a part; `make torture` runs it, the suite does not."""

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from proofs.torture import clusters, power

PROJECT = Path(__file__).parent.parent.parent


def torture(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "proofs.torture", *arguments],
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


def test_talks_that_are_killed_keep_what_was_said_and_learn_it_once() -> None:
    done = torture("talk", "--rounds", "6", "--processes", "2")

    assert done.returncode == 0, done.stdout


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


def test_interleavings_with_both_processes_at_work_at_once_lose_and_revive_nothing() -> None:
    done = torture("mirror", "--rounds", "5", "--at-once", "5")

    assert done.returncode == 0, done.stdout


def test_months_that_are_killed_anywhere_end_as_if_they_were_not() -> None:
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


@pytest.fixture
def servers_to_stop() -> None:
    if why := clusters.why_not():
        pytest.skip(f"POSTGRESQL WAS NOT TESTED: {why}")


@pytest.mark.usefixtures("servers_to_stop")
@pytest.mark.parametrize(("run", "rounds"), [("pg-kills", 10), ("pg-stops", 3), ("pg-standby", 1)])
def test_clients_and_servers_of_postgresql_that_are_lost_lose_nothing(run: str, rounds: int) -> None:
    done = torture(run, "--rounds", str(rounds))

    assert done.returncode == 0, done.stdout


@pytest.mark.usefixtures("servers_to_stop")
def test_what_a_hasty_postgresql_loses_is_noticed() -> None:
    done = torture("pg-stops", "--rounds", "3", "--fault", "pg-hasty")

    assert done.returncode == 1
    assert "BROKEN" in done.stdout
