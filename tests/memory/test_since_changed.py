"""What was replaced or ended since is marked where it was told: in turns, in summaries, through all doors."""

from datetime import UTC, datetime

import pytest

import almario
from almario.domain.memories import Wanted
from almario.domain.model import Hit
from almario.domain.vocabulary import hit_state
from almario.memory.lessons import Lesson
from almario.memory.rules.admission import Proposed
from almario.soul import Soul
from almario.testing import FixedClock

pytestmark = pytest.mark.light

THURSDAY = "the plumber comes on Thursday 19 at half past nine"
FRIDAY = "the plumber comes on Friday 20"
BOTH = f"{THURSDAY}. The bathroom is a swamp until then, and Rosa is learning to drive a tram!"


def heard(soul: Soul, clock: FixedClock, day: int, text: str, *values: str, summary: str = "") -> None:
    """Let the owner say something on a day of November, and the agent learn from it."""
    clock.now = datetime(2026, 11, day, 9, tzinfo=UTC)
    [turn] = soul.memory.append("cli:main", [almario.Utterance("user", text, "owner")])
    taught = [
        Proposed(value.split()[1], value, "fact", "auto", "owner", (turn.id,), clock.now, act="replaces")
        for value in values
    ]
    taught += [Proposed("", summary, "summary", "auto", "agent", (turn.id,), clock.now)] if summary else []
    assert soul.memory.take_lesson(Lesson("cli:main", turn.n - 1, turn.n, tuple(taught), summary))


def said(soul: Soul, question: str = "the swamp in the bathroom") -> Hit:
    """Return what was said on the first day, as it comes to mind."""
    return next(hit for hit in soul.recall(question, min_score=0.0) if "swamp" in hit.text)


def test_what_was_said_is_marked_with_what_holds_now_of_it(soul: Soul, clock: FixedClock) -> None:
    heard(soul, clock, 16, BOTH, THURSDAY, "our Rosa is learning to drive a tram")
    assert said(soul).since == ()

    heard(soul, clock, 17, "they rang, it is Friday 20 now", FRIDAY)
    heard(soul, clock, 18, "and again: Monday 23", "the plumber comes on Monday 23")

    hit = said(soul)
    assert hit.since == (("changed", "the plumber comes on Monday 23"),)
    assert str(hit_state(hit)) == "since changed: the plumber comes on Monday 23"
    for text in (
        soul.prompt("what did I say of the swamp in the bathroom?", session="cli:new").text,
        soul.tools.call("memory_search", {"query": "the swamp in the bathroom"}, session="cli:new").text,
    ):
        [line] = [line for line in text.splitlines() if "swamp" in line]
        assert "since changed: the plumber comes on Monday 23" in line


def test_a_summary_keeps_no_turn_in_use_that_told_nothing_but_what_was_replaced(
    soul: Soul, clock: FixedClock
) -> None:
    told = f"{THURSDAY}, and the bathroom is a swamp"
    heard(soul, clock, 16, told, THURSDAY, summary="They spoke of a swamp.")
    heard(soul, clock, 17, "they rang, it is Friday 20 now", FRIDAY)

    assert told not in [hit.text for hit in soul.recall("when does the plumber come?", min_score=0.0)]


def test_a_summary_is_marked_if_it_tells_what_was_replaced(soul: Soul, clock: FixedClock) -> None:
    summary = "The plumber is due on Thursday 19, for the swamp in the bathroom."
    heard(soul, clock, 16, THURSDAY, THURSDAY, summary=summary)
    heard(soul, clock, 17, FRIDAY, FRIDAY)
    both = Proposed(
        "", f"Not {THURSDAY}: {FRIDAY}.", "summary", "auto", "agent", ("cli:main#1", "cli:main#2")
    )
    soul.memory.admit(both, actor="agent")

    found = {hit.text: hit.since for hit in soul.recall("when does the plumber come?", min_score=0.0)}

    assert found[summary] == (("changed", FRIDAY),)
    assert found[both.value] == ()


def test_what_took_the_place_of_two_things_is_told_once(soul: Soul, clock: FixedClock) -> None:
    tram = "our Rosa is learning to drive a tram"
    heard(soul, clock, 16, BOTH, THURSDAY, "on Thursday 19 comes the plumber", tram)
    one, other, _ = soul.memory.list(Wanted(kinds=("fact",)))
    clock.now = datetime(2026, 11, 17, 9, tzinfo=UTC)
    now = Proposed("plumber", FRIDAY, "fact", "auto", "owner", act="replaces", of=one.id, also=(other.id,))
    soul.memory.admit(now, actor="agent")

    assert said(soul).since == (("changed", FRIDAY),)


def test_what_the_owner_ended_is_over_where_it_was_told(soul: Soul, clock: FixedClock) -> None:
    heard(soul, clock, 16, BOTH, THURSDAY, "our Rosa is learning to drive a tram")
    [tram] = [memory for memory in soul.memory.list() if "tram" in memory.value]
    clock.now = datetime(2026, 11, 18, 9, tzinfo=UTC)
    soul.memory.change(tram.id, ended="2026-11-17")

    assert said(soul).since == (("over", "our Rosa is learning to drive a tram"),)


def test_what_merely_passed_or_became_one_with_another_is_no_change(soul: Soul, clock: FixedClock) -> None:
    tram = "our Rosa is learning to drive a tram"
    heard(soul, clock, 16, BOTH, tram, summary=f"They spoke of a swamp, and that {tram}.")
    [known] = soul.memory.list(Wanted(kinds=("fact",)))
    plan = Proposed("plumber", THURSDAY, "fact", "auto", "owner", known.evidence, dated="2026-11-19")
    soul.memory.admit(plan, actor="agent")
    clock.now = datetime(2026, 11, 21, 9, tzinfo=UTC)
    more = Proposed("Rosa", f"{tram} of line 28 in Porto", "fact", "auto", act="renews", of=known.id)
    assert soul.memory.admit(more, actor="agent").replaced

    [summary] = soul.recall("the swamp", min_score=0.0, scope=almario.Scope(kinds=("summary",)))
    assert (summary.since, said(soul).since) == ((), ())
