"""`almario cost`: what is shown of the account."""

import json
from functools import partial
from pathlib import Path

import pytest

import almario
from almario import wiring
from almario.apps.cli import common
from almario.domain.talk import Usage
from almario.soul import Soul
from almario.testing import FixedClock
from tests.apps.conftest import Run


@pytest.fixture
def spender(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Soul:
    """An agent whose models have cost something, on a day that stands still."""
    run("init", "--language", "en")
    clock = FixedClock()
    soul = almario.open(home, clock=clock, settings={"llm.prices": "a/* = 3, 15"})
    clock.advance(days=-40)
    soul.costs.add("chat", "a/x", Usage(7, 7))
    clock.advance(days=37)
    soul.costs.add("chat", "a/x", Usage(1_000_000, 20_000, 40))
    clock.advance(days=3)
    soul.costs.add("flush", "b/y", Usage(100, 20))
    soul.costs.add("flush", "a/x", Usage(1000, 20))
    monkeypatch.setattr(common, "open_soul", partial(wiring.open_soul, clock=clock))
    return soul


def test_the_last_days_one_by_one(spender: Soul, run: Run) -> None:
    lines = run("cost", "--days", "4").out.splitlines()

    assert [line.split("  ")[0] for line in lines[:4]] == ["When", "2026-11-11", "2026-11-14", "together"]
    assert run("cost", "--days", "0").code == 2


def test_json_has_the_same_numbers_and_the_budget(spender: Soul, run: Run) -> None:
    shown = json.loads(run("--set", "llm.daily_tokens=1000", "cost", "--json").out)

    assert shown["today"]["told"] == 1100
    assert shown["total"]["calls"] == 3
    assert list(shown["days"]) == ["2026-11-11", "2026-11-14"]
    assert set(shown["jobs"]) == {"chat", "flush"}
    assert set(shown["models"]) == {"a/x", "b/y"}
    assert shown["budget"] == {"daily_tokens": 1000, "daily_cost": 0.0, "is_over": True}
