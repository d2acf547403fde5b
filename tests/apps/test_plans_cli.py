"""`almario plans`, and the time of a memory wherever it is shown."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.apps.conftest import Run
from tests.waiting import where_it_is_noon

NOW, NOON = datetime.now(UTC), where_it_is_noon()
TOMORROW = NOW.date() + timedelta(days=1)
LATER = NOW.date() + timedelta(days=40)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is noon where the owner is, so that no day ends within a test."""
    monkeypatch.setenv("ALMARIO_TIMEZONE", NOON)


def test_what_is_coming_up_is_listed(run: Run) -> None:
    run("init")
    assert run("plans").out.startswith("Nothing coming up.")
    run("remember", f"trip: to Porto on {LATER}")
    run("remember", f"dentist: Dr. Paz, {TOMORROW}")
    run("remember", "club: trains since 2025")

    first, second = run("plans").out.splitlines()[1:]

    assert f"{TOMORROW:%A}, {TOMORROW.day} {TOMORROW:%B %Y}" in first
    assert "tomorrow" in first
    assert "in 40 days" in second
    assert "to Porto" in second
    told = json.loads(run("plans", "--json").out)
    assert [(plan["memory"]["key"], plan["when"]["first"]) for plan in told] == [
        ("dentist", str(TOMORROW)),
        ("trip", str(LATER)),
    ]
    assert run("plans", "--all").out == run("plans").out


def test_it_is_said_in_spanish(run: Run, spawn: Run) -> None:
    run("init")
    run("remember", f"dentista: el doctor Paz, {TOMORROW}")

    shown = spawn("plans", ALMARIO_LANGUAGE="es").out

    assert "mañana" in shown
    assert f", {TOMORROW.day} de " in shown


def test_a_memory_is_shown_with_its_time(run: Run) -> None:
    run("init")
    run("remember", "club: trains since March 2025")
    run("remember", f"keys: has them until {LATER}")

    assert "since March 2025" in run("memory", "why", "club").out
    assert "Time: since March 2025." in run("memory", "why", "club").out
    head, first, second = run("memory", "list").out.splitlines()
    assert head.split()[:4] == ["ID", "Since", "Until", "Kind"]
    assert first.split()[1:3] == ["2025-03", "profile"]
    assert str(LATER) in second
    assert run("memory", "list", "--state", "ended").out == "Nothing matches.\n"
