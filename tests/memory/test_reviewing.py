"""What the owner looks through: pages and counts at the store, a memory's life, right and wrong."""

from datetime import UTC, datetime
from typing import Any

import pytest

from almario.domain.memories import EVERY, ORIGINS, STATES, Wanted
from almario.soul import Soul
from almario.testing import FixedClock
from tests.tables import each_row

pytestmark = pytest.mark.light


@pytest.fixture
def life(soul: Soul, clock: FixedClock) -> Soul:
    """Memories of every state, kind and origin, learned on three days."""
    soul.remember("job: designs bridges")
    soul.memory.learn("city", "Lisbon", kind="fact")
    soul.memory.learn("guess", "likes rain", kind="fact", origin="agent")
    soul.memory.learn("rumour", "sells boats", origin="untrusted")
    clock.advance(days=1)
    soul.remember("cat: Michi")
    soul.remember("job: teaches physics", replaces=named(soul, "job"))
    soul.memory.change(named(soul, "city"), ended="2026-11-15")
    soul.forget("cat")
    clock.advance(days=400)
    soul.remember("tea: green")
    return soul


def named(soul: Soul, key: str) -> str:
    [memory] = soul.memory.list(Wanted(keys=(key,)))
    return memory.id


def keys(soul: Soul, **wanted: Any) -> list[str]:
    return [memory.key for memory in soul.memory.list(Wanted(**wanted))]


@each_row(
    ("wanted", "expected"),
    [
        ({}, ["job", "tea"]),
        ({"states": ("expired",)}, ["guess"]),
        ({"states": ("ended",)}, ["city"]),
        ({"states": ("superseded",)}, ["job"]),
        ({"states": ("retired",)}, ["cat"]),
        ({"states": STATES}, ["job", "city", "guess", "cat", "job", "tea"]),
        ({"origins": ("untrusted",), "states": STATES}, ["rumour"]),
        ({"newest": True}, ["tea", "job"]),
        ({"states": STATES, "limit": 2}, ["job", "city"]),
        ({"states": STATES, "limit": 2, "offset": 4}, ["job", "tea"]),
        ({"states": STATES, "newest": True, "limit": 1, "offset": 1}, ["job"]),
        ({"since": datetime(2027, 1, 1, tzinfo=UTC)}, ["tea"]),
        ({"states": STATES, "until": datetime(2026, 11, 15, tzinfo=UTC)}, ["job", "city", "guess"]),
        ({"states": STATES, "unused": True, "kinds": ("fact",)}, ["city", "guess"]),
    ],
)
def test_a_list_is_filtered_ordered_and_cut_at_the_store(
    life: Soul, wanted: dict[str, Any], expected: list[str]
) -> None:
    assert keys(life, **wanted) == expected


def test_counts_are_what_the_lists_have(life: Soul) -> None:
    life.remember("plant: basil")
    life.undo()

    stats = life.memory.stats()

    assert stats.states == {"ended": 1, "expired": 2, "live": 2, "retired": 2, "superseded": 1}
    assert life.memory.count(EVERY) == sum(stats.states.values())
    assert life.memory.indexed() == (stats.passages, stats.without_vector)


def test_counts_follow_the_clock_and_leave_out_what_was_erased(life: Soul, clock: FixedClock) -> None:
    every = [life.memory.count(EVERY), life.memory.count(Wanted(states=STATES))]
    life.memory.purge(life.memory.plan_purge("city"))

    assert [life.memory.count(EVERY), life.memory.count(Wanted(states=STATES))] == [
        each - 1 for each in every
    ]
    for _ in range(5):
        for state in STATES:
            wanted = Wanted(states=(state,), origins=ORIGINS)
            assert life.memory.count(wanted) == len(life.memory.list(wanted)), state
        clock.advance(days=100)


def test_the_state_that_the_store_tells_is_the_one_that_a_memory_has(life: Soul, clock: FixedClock) -> None:
    for _ in range(5):
        for state in STATES:
            found = life.memory.list(EVERY._replace(states=(state,)))
            assert {life.memory.state(memory) for memory in found} <= {state}
        clock.advance(days=100)


def test_what_was_learned_when_is_told_by_the_owners_days(life: Soul) -> None:
    found = {str(each.day): each.kinds for each in life.memory.timeline()}

    assert found["2026-11-14"] == {"fact": 3, "profile": 1}
    assert found["2026-11-15"] == {"profile": 2}
    assert len(found) == 3


def test_a_life_tells_each_step_with_the_line_that_can_be_undone(soul: Soul) -> None:
    memory = soul.remember("job: designs bridges").memory
    assert memory is not None
    soul.remember("job: designs bridges")
    soul.memory.change(memory.id, shared=True)
    soul.memory.change(memory.id, ended="2026-11-14")

    life = soul.memory.why(memory.id).life

    assert [step.deed for step in life] == ["remembered", "renewed", "shared", "ended"]
    assert [step.is_latest for step in life] == [False, False, False, True]
    soul.memory.undo(life[-1].line)
    assert soul.memory.state(soul.memory.get(memory.id)) == "live"


def test_a_memory_leads_to_the_very_turns_it_rests_on(soul: Soul) -> None:
    soul.append("cli:main", "user", "Good morning.")
    turn = soul.append("cli:main", "user", "I design bridges.")
    soul.append("cli:main", "assistant", "Good.")
    memory = soul.memory.learn(
        "job", "designs bridges", evidence=[turn.id, "MEMORY.md", "cli:main#99"]
    ).memory
    assert memory is not None

    assert [(each.id, each.text) for each in soul.memory.why(memory.id).evidence] == [
        (turn.id, "I design bridges.")
    ]


def test_what_the_owner_calls_wrong_is_out_of_use_but_what_was_said_stays(soul: Soul) -> None:
    turn = soul.append("cli:main", "user", "My sister designs bridges.")
    memory = soul.memory.learn("job", "designs bridges", evidence=[turn.id]).memory
    assert memory is not None

    wrong = soul.memory.change(memory.id, right=False)

    assert soul.memory.state(wrong) == "retired"
    assert turn.id not in soul.memory.out_of_mind()
    recorded = soul.memory.why(memory.id).history[-1]
    assert (recorded.verb, recorded.seq) == ("rejected", wrong.seq)
    soul.memory.undo(wrong.seq)
    assert soul.memory.state(soul.memory.get(memory.id)) == "live"


def test_a_corrected_memory_keeps_what_it_corrects_alive(soul: Soul, clock: FixedClock) -> None:
    turn = soul.append("cli:main", "user", "The swim meet is in Mechelen, and Bram brings the timer.")
    memory = soul.memory.learn("meet", "the swim meet is in Mechelen", evidence=(turn.id,)).memory
    assert memory
    soul.memory.change(memory.id, cues=["packing goggles"])
    clock.advance(days=1)

    corrected = soul.memory.change(memory.id, "the swim meet is in Ghent")

    why = soul.memory.why(corrected.id)
    assert (corrected.evidence, why.cues) == ((turn.id,), ("packing goggles",))
    assert why.changed_at == corrected.at
    assert soul.memory.why(memory.id).changed_at is None
    [hit] = [hit for hit in soul.recall("who brings the timer?", min_score=0.0) if hit.turn == turn.id]
    assert hit.since == (("changed", "the swim meet is in Ghent"),)


def test_what_only_the_replaced_value_has_is_told_as_earlier(soul: Soul) -> None:
    first = soul.remember("meet", "the swim meet is in Mechelen").memory
    assert first
    soul.memory.change(first.id, "the swim meet is in Ghent")

    found = [(hit.text, hit.state) for hit in soul.recall("what is it about Mechelen?", min_score=0.0)]
    assert found == [("the swim meet is in Ghent", ""), ("the swim meet is in Mechelen", "earlier")]
    assert [hit.text for hit in soul.recall("where is the swim meet?")] == ["the swim meet is in Ghent"]
