"""What was said since of a thing, and not learned from yet, stands before it; both with their days."""

from itertools import pairwise

import pytest

from almario import Utterance
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.conversation.test_others_words import GROUP, said
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light
TRIP = "trip: goes to Lugo with Vera from 20 to 23 November"
OFF = "the Lugo trip is off, Vera is ill"
NOTHING = '{"facts": [], "episodes": [], "instructions": [], "summary": ""}'


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def talking(clock: FixedClock) -> Soul:
    """A soul that was told something, and then the opposite in another session."""
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"}, ScriptedLLM(NOTHING))
    soul.remember(TRIP)
    soul.memory.learn("packages", "uv in every project")
    soul.remember("cat: Momo")
    clock.advance(days=1)
    for text in (OFF, "we take poetry, not uv"):
        soul.memory.append(
            "telegram:5", [Utterance("user", text, "owner"), Utterance("assistant", "Oh.", "agent")]
        )
    clock.advance(minutes=2)
    return soul


def lines(soul: Soul, message: str) -> list[str]:
    return [line for line in soul.prompt(message, session="cli:main").text.splitlines() if line[:2] == "- "]


@each_row(
    ("message", "newer", "older"),
    [
        ("Hello there", f"- owner: {OFF} (2026-11-15)", f"- {TRIP} (2026-11-20 to 2026-11-23, in 5 days)"),
        ("When do I go to Lugo?", f"- owner: {OFF}", f"- {TRIP}"),
        (
            "Hello there",
            "- owner: we take poetry, not uv (2026-11-15)",
            "- packages: uv in every project (told 2026-11-14)",
        ),
        ("What are packages installed with?", "- owner: we take poetry, not uv", "- packages: uv in every"),
    ],
)
def test_until_it_is_learned_both_are_told_the_newer_first(
    talking: Soul, message: str, newer: str, older: str
) -> None:
    told = lines(talking, message)

    [place] = [n for n, line in enumerate(told) if line.startswith(older)]
    assert told[place - 1].startswith(newer)
    assert sum(newer in line for line in told) == 1


def test_what_was_learned_from_or_said_long_ago_or_has_nothing_to_do_with_it_does_not_stand_there(
    talking: Soul, clock: FixedClock
) -> None:
    assert not any("Momo" in after and "owner" in before for before, after in _pairs(talking))
    clock.advance(days=2)
    assert not any("is off" in line for line in lines(talking, "Hello there"))
    talking.memory.append("telegram:5", [Utterance("user", OFF, "owner")])
    assert any("is off" in line for line in lines(talking, "Hello there"))

    talking.flush("telegram:5")

    assert not any("is off" in line for line in lines(talking, "Hello there"))


def _pairs(soul: Soul) -> list[tuple[str, str]]:
    told = lines(soul, "Hello there")
    return list(pairwise(told))


def test_of_what_one_person_said_the_newest_comes_first_and_the_older_is_marked(
    talking: Soul, clock: FixedClock
) -> None:
    said(talking, "Tom", "The choir rehearses on Mondays in the hall")
    said(talking, "Priya", "The choir has sung on Mondays for years")
    clock.advance(days=3)
    said(talking, "Tom", "The choir rehearses on Thursdays now")

    told = [line for line in lines(talking, "When does the choir rehearse?") if GROUP in line]

    newer, older = (
        next(line for line in told if day in line)
        for day in ("Thursdays", "Tom, in telegram:-100200, 2026-11-15")
    )
    assert newer.startswith("- Tom,")
    assert older.startswith("- told earlier: Tom,")
    assert not any(line.startswith("- told earlier: Priya") for line in told)
