"""What a coding agent is told as a session begins."""

import pytest

from almario.domain.places import WORK
from almario.domain.plain_text import estimate_tokens
from almario.domain.turns import session_key
from almario.soul import Soul
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on

pytestmark = pytest.mark.light

BOAT, HOUSE = "boat-1234", "house-1234"
FACT = "The hull of the boat takes two coats of varnish."
RULE = "Always answer me in British English."


@pytest.fixture
def soul(clock: FixedClock) -> Soul:
    return opened(clock)


def opened(clock: FixedClock, **settings: str) -> Soul:
    return soul_on(MemoryStore(clock), {"embedder.name": "none", **settings})


def lived(soul: Soul, name: str, *messages: str, project: str = BOAT) -> str:
    """Let a session begin and be told things; return what it began with."""
    session = session_key("claude-code", name, project=project)
    begun = soul.companion.begin(session)
    for message in messages:
        soul.companion.hear(session, message)
        soul.companion.answer(session, "All right.")
    soul.companion.end(session)
    return begun


def test_a_start_takes_300_tokens_whatever_was_said_and_asked_for(soul: Soul) -> None:
    for n in range(40):
        soul.remember(f"the plank number {n} of the deck is made of oak and lies on the left", place=WORK)
    lived(soul, "s0", *(f"The rib number {n} of the boat was bent again by the yard." for n in range(20)))

    told = lived(soul, "s1")

    assert "plank" in told
    assert estimate_tokens(told) <= 300


def test_what_was_said_here_last_is_told_and_steps_back_after_three_of_five_starts(soul: Soul) -> None:
    lived(soul, "s0", FACT, "sand the deck")

    starts = [lived(soul, f"s{n}") for n in range(1, 7)]

    assert "sand the deck" in starts[0]
    assert [FACT in each for each in starts] == [True, True, True, False, False, False]
    assert FACT not in lived(soul, "h1", project=HOUSE)


def test_what_a_start_told_still_comes_with_the_message_that_calls_for_it(soul: Soul) -> None:
    lived(soul, "s0", FACT)
    assert FACT in lived(soul, "s1")

    session = session_key("claude-code", "s1", project=BOAT)

    assert FACT in soul.companion.hear(session, "How many coats of varnish does the hull take?")


def test_what_seems_to_be_wanted_each_time_is_told_at_every_start_in_all_projects(soul: Soul) -> None:
    lived(soul, "s0", RULE)

    assert all(RULE in lived(soul, f"s{n}") for n in range(1, 8))
    assert RULE in lived(soul, "h1", project=HOUSE)


def test_what_the_owner_said_of_themselves_waits_to_be_called_for(soul: Soul) -> None:
    lived(soul, "s0", "I owe my brother money since the divorce.")

    assert "brother" not in lived(soul, "s1")


def test_what_was_off_the_record_is_in_no_start(soul: Soul) -> None:
    lived(soul, "s0", "The mast of the boat is eleven metres long, off the record.")

    assert "eleven" not in lived(soul, "s1")


def test_the_soul_is_told_whole_where_the_owner_wants_it(clock: FixedClock) -> None:
    assert "## Boundaries" not in lived(opened(clock), "s0")
    assert "## Boundaries" in lived(opened(clock, **{"hooks.soul": "whole"}), "s0")
