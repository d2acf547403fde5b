"""The short form of the fault runs, and the planted faults that prove they can fail."""

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.torture import power

PROJECT = Path(__file__).parent.parent


def torture(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.torture", *arguments],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def disk_to_cut_off() -> None:
    if why := power.why_not():
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn(f"POWER CUTS WERE NOT TESTED: {why}", stacklevel=1)
        pytest.skip(f"POWER CUTS WERE NOT TESTED: {why}")


def test_kills_lose_nothing() -> None:
    done = torture("kills", "--rounds", "30")

    assert done.returncode == 0, done.stdout


def test_kills_are_noticed_without_the_lock() -> None:
    done = torture("kills", "--rounds", "20", "--fault", "no-lock")

    assert done.returncode == 1
    assert "BROKEN" in done.stdout


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
