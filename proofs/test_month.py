"""Whole months of nights, in which every zone changes its clock; the suite has a few of them."""

from datetime import date
from pathlib import Path

import pytest

from tests.upkeep.test_month import AUTUMN, NIGHTS, SPRING, ZONES, reflected, restarted


@pytest.mark.parametrize("first", [SPRING, AUTUMN])
@pytest.mark.parametrize("seed", range(1, 6))
def test_who_is_restarted_at_any_time_still_has_thirty_nights(first: date, seed: int, tmp_path: Path) -> None:
    restarted(first, seed, tmp_path)


def test_of_a_month_of_real_reflections_none_comes_twice_and_none_is_missing(tmp_path: Path) -> None:
    reflected(SPRING, NIGHTS, ZONES, tmp_path)
