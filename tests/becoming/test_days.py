"""The calendar: what each day left behind."""

from datetime import date

import pytest

from almario.soul import Soul
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import by_hand, soul_on

TODAY = date(2026, 11, 14)


@pytest.fixture
def store(clock: FixedClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def lived(store: MemoryStore, clock: FixedClock) -> Soul:
    soul = soul_on(store)
    soul.log("We spoke of the boat.")
    soul.log("It rained.")
    soul.remember("tea: green")
    by_hand(
        store, "memory/HISTORY.md", "# History\n\n- [2026-11-14] About the boat.\n- [2026-11-13] About tea.\n"
    )
    by_hand(store, "memory/reflections/2026-11-14.md", "# Reflections\n\nI was too quick.\n")
    soul.append("cli:main", "user", "Good morning.")
    clock.advance(days=2)
    soul.remember("job: designs bridges")
    return soul


def test_each_day_that_left_anything_is_counted(lived: Soul) -> None:
    found = {str(each.day): each for each in lived.days.between(date(2026, 11, 1), date(2026, 11, 30))}

    assert list(found) == ["2026-11-13", "2026-11-14", "2026-11-16"]
    assert found["2026-11-14"][1:4] == (2, 1, 1)
    assert found["2026-11-14"].learned == {"profile": 1}
    assert found["2026-11-13"].summaries == 1
    assert lived.days.between(date(2026, 11, 15), date(2026, 11, 15)) == []


def test_a_day_tells_all_that_it_left(lived: Soul) -> None:
    day = lived.days.get(TODAY)

    assert [entry.text for entry in day.log] == ["We spoke of the boat.", "It rained."]
    assert day.summaries == ("About the boat.",)
    assert [page.name for page in day.reflections] == ["memory/reflections/2026-11-14.md"]
    assert [memory.key for memory in day.learned] == ["tea"]
    assert not any(lived.days.get(date(2020, 1, 1))[1:])


def test_what_was_noted_that_day_is_told_in_order(store: MemoryStore, lived: Soul, clock: FixedClock) -> None:
    at = clock()
    gone = lived.remember("hat: red").memory
    assert gone is not None
    lived.forget(gone.id)
    by_hand(store, f"memory/{at:%Y-%m-%d}.md", "- [00:10] Early.\n- [23:50] [untrusted] Late.\n")

    noted = lived.days.get(at.date()).noted

    assert [(each.text, each.category) for each in noted] == [
        ("Early.", ""),
        ("job: designs bridges", "profile"),
        ("Late.", ""),
    ]
    assert [each.is_trusted for each in noted] == [True, True, False]
    assert noted[1].memory == lived.memory.list()[-1].id


def test_what_stands_in_the_days_log_is_noted_once(lived: Soul) -> None:
    lived.memory.learn("", "They walked by the harbour.", kind="episode")

    day = lived.days.get()

    assert [memory.kind for memory in day.learned] == ["profile", "episode"]
    assert [each.text for each in day.noted].count("They walked by the harbour.") == 1


def test_what_was_condensed_is_still_the_days(store: MemoryStore, lived: Soul) -> None:
    by_hand(store, "memory/archive/2026-11-14.md", "# Memory Log: 2026-11-14\n\n- [09:00] All of it.\n")

    assert [entry.text for entry in lived.days.get(TODAY).condensed] == ["All of it."]
