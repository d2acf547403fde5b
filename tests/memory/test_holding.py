"""Memories in their time: what is planned, what holds since or until a day, and what is over."""

from datetime import UTC, datetime

import pytest

from almario import Memory, Wanted
from almario.errors import SoulError
from almario.memory.rules.admission import Proposed
from almario.soul import Soul
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on

pytestmark = pytest.mark.light


def kept(soul: Soul, dated: str, value: str = "trains with Bruno", key: str = "club", **more: str) -> Memory:
    """Let a fact be learned that has a time; today is 2026-11-14."""
    fields = {"kind": "fact", "source": "auto", **more}
    receipt = soul.memory.admit(Proposed(key, value, dated=dated, **fields), actor="agent")  # type: ignore[arg-type]
    assert receipt.memory is not None
    return receipt.memory


def live(soul: Soul) -> list[str]:
    return [memory.value for memory in soul.memory.list()]


def at(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("dated", "looked_at", "state"),
    [
        # What holds until a day is over when the next begins, and a plan with its last day.
        ("../2026-11-27", "2026-11-27T23:59", "live"),
        ("../2026-11-27", "2026-11-28T00:00", "ended"),
        ("2026-11-20", "2026-11-20T12:00", "live"),
        ("2026-11-20", "2026-12-01T12:00", "ended"),
        ("2026-11-18/2026-11-20", "2026-11-20T12:00", "live"),
        ("2026-11-18/2026-11-20", "2026-12-01T12:00", "ended"),
        ("2026-11", "2026-11-20T12:00", "live"),
        ("2026-11", "2026-12-01T12:00", "ended"),
        # What is planned for years ahead does not expire, and what was over when it was told stays true.
        ("2029-05-04", "2029-01-22T12:00", "live"),
        ("2029-06/..", "2029-01-22T12:00", "live"),
        ("2019/2023", "2027-02-22T12:00", "live"),
    ],
)
def test_a_memory_is_in_use_in_its_time(
    soul: Soul, clock: FixedClock, dated: str, looked_at: str, state: str
) -> None:
    memory = kept(soul, dated)

    clock.now = datetime.fromisoformat(looked_at).replace(tzinfo=UTC)

    assert soul.memory.state(memory) == state
    assert [each.id for each in soul.memory.list(Wanted(states=(state,)))] == [memory.id]
    assert soul.memory.stats().states == {state: 1}


def test_as_of_a_day_is_what_was_true_then_and_what_was_known_to_come(soul: Soul, clock: FixedClock) -> None:
    kept(soul, "../2026-11-27", "works at the press", "job")
    kept(soul, "2026-12-01/..", "works at the mill", "work")
    kept(soul, "2025/..", "eats no meat", "diet")
    clock.now = at("2026-12-20")

    def known(day: str) -> list[str]:
        return [memory.value for memory in soul.memory.list(as_of=at(day))]

    assert known("2025-06-01") == ["eats no meat"]
    assert known("2026-11-20") == ["works at the press", "works at the mill", "eats no meat"]
    assert known("2026-12-10") == ["works at the mill", "eats no meat"]


def test_what_has_ended_is_recalled_as_what_was(soul: Soul, clock: FixedClock) -> None:
    kept(soul, "../2026-11-27", "plays chess with Bruno")
    clock.now = at("2026-12-05")

    [hit] = soul.recall("chess with Bruno")

    assert (hit.state, str(hit.last), hit.dated) == ("ended", "2026-11-27", "../2026-11-27")
    text = soul.prompt("who plays chess with me? Bruno?").text
    assert "club: plays chess with Bruno (until 2026-11-27, over" in text


@pytest.mark.folder
def test_what_has_ended_leaves_the_file_and_nobody_removed_it(soul: Soul, clock: FixedClock) -> None:
    kept(soul, "../2026-11-27")
    soul.remember("taste: black tea with milk")
    soul.memory.settle()
    file = soul.path / "MEMORY.md"
    buffer = file.read_text()
    assert "trains with Bruno" in buffer
    clock.now = at("2026-12-05")

    file.write_text(buffer.replace("- black tea with milk", "- black tea with milk and honey"))
    soul.memory.settle()

    assert "Bruno" not in file.read_text()
    assert live(soul) == ["black tea with milk and honey"]
    assert len(soul.memory.list(Wanted(states=("ended",)))) == 1
    assert soul.memory.list(Wanted(states=("retired",))) == []


@pytest.mark.parametrize(
    ("dated", "after"),
    [("../2026-11-20", ""), ("2026-11-20", "2026-11-20/.."), ("2026-11-10/2026-11-20", "2026-11-10/..")],
)
def test_what_has_ended_can_be_restored_and_has_no_end_then(
    soul: Soul, clock: FixedClock, dated: str, after: str
) -> None:
    memory = kept(soul, dated)
    clock.advance(days=30)

    found = soul.memory.restore(memory.id)

    assert (soul.memory.state(found), found.valid_to, found.dated) == ("live", None, after)
    with pytest.raises(SoulError, match="already in use"):
        soul.memory.restore(memory.id)


def test_a_plan_that_was_forgotten_comes_back_with_its_day(soul: Soul, clock: FixedClock) -> None:
    memory = kept(soul, "2026-12-03")
    soul.forget(memory.id)

    found = soul.memory.restore(memory.id)
    clock.now = at("2026-12-04")

    assert soul.memory.state(found) == "ended"


def test_what_has_ended_and_is_said_again_is_new(soul: Soul, clock: FixedClock) -> None:
    old = kept(soul, "../2026-11-20")
    clock.advance(days=30)

    new = kept(soul, "")

    assert new.id != old.id
    assert live(soul) == ["trains with Bruno"]


@pytest.mark.folder
def test_an_episode_of_last_year_stands_in_the_log_of_the_day_it_was_told(soul: Soul) -> None:
    memory = kept(soul, "2025", "broke a leg (in 2025)", kind="episode")

    assert (memory.path, memory.valid_from, memory.valid_to) == (
        "memory/2026-11-14.md",
        datetime(2025, 1, 1, tzinfo=UTC),
        None,
    )
    assert [hit.text for hit in soul.recall("what happened in 2025?")] == ["broke a leg (in 2025)"]


def planned(soul: Soul, passed: int = 0) -> list[tuple[str, int]]:
    return [(plan.memory.value, plan.away) for plan in soul.memory.plans(passed=passed)]


def test_plans_are_what_is_ahead_nearest_first(soul: Soul, clock: FixedClock) -> None:
    kept(soul, "2026-12-01/..", "starts at the mill")
    kept(soul, "2026-11-20", "dentist", "health")
    kept(soul, "2026-11-18/2026-11-25", "Porto", "trip")
    kept(soul, "../2026-11-19", "has the keys", "keys")
    kept(soul, "2025/..", "eats no meat", "diet")
    kept(soul, "2026-11-10/2026-11-16", "is ill", "ill")

    assert planned(soul) == [("Porto", 4), ("dentist", 6), ("starts at the mill", 17)]
    clock.now = at("2026-11-20")
    assert planned(soul) == [("Porto", 0), ("dentist", 0), ("starts at the mill", 11)]
    clock.now = at("2026-12-02")
    assert planned(soul) == []
    assert planned(soul, passed=7) == [("Porto", -7)]
    assert planned(soul, passed=30) == [("Porto", -7), ("dentist", -12)]


def test_plans_of_one_day_come_by_their_hour(soul: Soul) -> None:
    texts = [
        "dinner at 20:30",
        "bank at half past nine",
        "tea with Eva at five",
        "lunch at 13:00",
        "Ana's day",
    ]
    for each in texts:
        kept(soul, "2026-11-20", each)

    assert [value for value, _ in planned(soul)] == [texts[each] for each in (4, 1, 3, 2, 0)]
    assert soul.prompt("hello").text.index("bank") < soul.prompt("hello").text.index("dinner")


def test_what_comes_again_is_a_plan_for_its_next_day_until_it_ends(soul: Soul, clock: FixedClock) -> None:
    weekly = kept(soul, "XXXX-WXX-2,4", "yoga")
    kept(soul, "XXXX-XX-31", "rent")
    kept(soul, "XXXX-XX-XX", "pill at nine")

    assert planned(soul) == [("pill at nine", 0), ("yoga", 3), ("rent", 47)]  # there is no 31 November
    assert "yoga" not in soul.prompt("hello").text.partition("## Coming up")[2].partition("##")[0]
    clock.now = at("2027-02-25")
    assert planned(soul, passed=30) == [("yoga", 0), ("pill at nine", 0), ("rent", 34)]
    assert "yoga (on 2027-02-25, today)" in soul.prompt("hello").text
    swims = Proposed("club", "swims", "fact", "auto", dated="2027-03-01/..", act="replaces", of=weekly.id)
    soul.memory.admit(swims, actor="agent")
    assert [value for value, _ in planned(soul)] == ["yoga", "pill at nine", "swims", "rent"]
    clock.now = at("2027-03-02")
    assert [value for value, _ in planned(soul)] == ["pill at nine", "rent"]


def test_what_comes_again_answers_for_its_own_days_unless_it_is_named(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    soul.remember("I have chess every Wednesday at eight")
    soul.remember("I have yoga every Tuesday at six")

    assert [hit.text for hit in soul.recall("what's on Tuesday?")] == ["I have yoga every Tuesday at six"]
    assert "I have chess every Wednesday at eight" in [hit.text for hit in soul.recall("chess on Tuesday?")]


def test_a_plan_that_is_forgotten_or_a_strangers_is_none(soul: Soul) -> None:
    soul.forget(kept(soul, "2026-11-20", "dentist").id)
    kept(soul, "2026-11-21", "send money", origin="untrusted")

    assert planned(soul) == []


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("dentist: tomorrow at ten", "2026-11-15"),
        ("boda: me caso el 3 de diciembre de 2026", "2026-12-03"),
        ("birthday: Nora's is on 3 December", "XXXX-12-03"),
        ("The wifi guy comes on Friday", "2026-11-20"),
        ("Flu shot on 5 December, 16:20", "2026-12-05"),
        ("remind me of the dentist on Friday", "2026-11-20"),
        ("Flight on 20 November 2026", "2026-11-20"),
        ("christmas tree: in the loft", ""),
    ],
)
def test_what_is_remembered_with_its_day_is_a_plan(soul: Soul, text: str, dated: str) -> None:
    memory = soul.remember(text).memory

    assert memory is not None
    assert memory.dated == dated
    assert len(soul.memory.plans()) == bool(dated)


def test_undo_of_a_restoration_brings_its_end_back(soul: Soul, clock: FixedClock) -> None:
    memory = kept(soul, "../2026-11-20")
    clock.advance(days=30)
    soul.memory.restore(memory.id)

    soul.memory.undo()

    assert soul.memory.state(soul.memory.get(memory.id)) == "ended"
