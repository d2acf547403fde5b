"""What is told and what is not: always for one of three reasons, whoever asks."""

import pytest

from almario.domain.audiences import Audience
from almario.domain.model import BELOW, KEPT_OUT, NO_ROOM, Query, Scope
from almario.domain.turns import session_key
from almario.memory.telling import Listener
from almario.soul import Soul
from tests.tables import each_row

pytestmark = pytest.mark.light

HARBOUR = "the harbour is closed on Mondays"
GUESTS = Audience("telegram:42", ("Tom",))


def fate(soul: Soul, memory: str, asked: str, audience: Audience = Audience()) -> str:  # noqa: B008
    return soul.memory.why(memory, asked, audience).fate


def kept(soul: Soul, text: str) -> str:
    memory = soul.remember(text).memory
    assert memory
    return memory.id


def test_what_fits_best_is_told(soul: Soul) -> None:
    assert fate(soul, kept(soul, HARBOUR), "when is the harbour closed?") == "told"


def test_what_has_little_to_do_with_a_question_is_below_the_floor(soul: Soul) -> None:
    name = kept(soul, HARBOUR)

    assert fate(soul, name, "what does my aunt cook?") == BELOW


def test_where_more_likely_things_come_first_there_is_no_room(soul: Soul) -> None:
    names = [kept(soul, f"harbour pilot {n} is called Pilot{n}") for n in range(8)]

    fates = [fate(soul, name, "harbour pilot") for name in names]

    assert sorted({*fates}) == [NO_ROOM, "told"]
    assert fates.count("told") == Listener().room


def test_what_was_forgotten_may_not_be_told(soul: Soul) -> None:
    name = kept(soul, HARBOUR)
    soul.forget(name)

    assert fate(soul, name, "when is the harbour closed?") == KEPT_OUT


def test_what_the_owner_keeps_to_themselves_may_not_be_told_to_others(soul: Soul) -> None:
    name = kept(soul, HARBOUR)

    assert fate(soul, name, "when is the harbour closed?", GUESTS) == KEPT_OUT


def test_nothing_that_was_looked_at_is_neither_told_nor_left_out_for_a_reason(soul: Soul) -> None:
    names = {kept(soul, f"boat {n} lies at pier {n}") for n in range(12)}

    found = soul.memory.recall(Query("where does boat 3 lie?", explain=True), Listener(room=4))

    told = {hit.memory for hit in found}
    assert told | {each.name for each in found.left_out} == names
    assert {each.why for each in found.left_out} <= {BELOW, NO_ROOM}
    assert (len(told), found.kept_out) == (4, 0)


def test_what_may_not_be_told_is_counted_and_not_named(soul: Soul) -> None:
    name = kept(soul, HARBOUR)
    soul.forget(name)

    found = soul.recall("when is the harbour closed?", explain=True)

    assert found.kept_out >= 1
    assert name not in {each.name for each in found.left_out}
    assert soul.recall("when is the harbour closed?").left_out == ()


@each_row("has_asked, comes", [(True, 0), (False, 1)])
def test_what_was_noted_comes_with_a_message_by_its_rank_and_on_a_question_only_if_it_is_likely(
    soul: Soul, has_asked: bool, comes: int
) -> None:
    soul.remember("the blue kayak hangs in the shed")

    hits = soul.memory.recall(
        Query("Where does the blue ladder stand?"), Listener(floor=0.99, has_asked=has_asked)
    )

    assert len(hits) == comes


def test_what_was_told_there_before_takes_no_room(soul: Soul) -> None:
    names = [kept(soul, f"harbour pilot {n} is called Pilot{n}") for n in range(3)]

    found = soul.memory.recall(Query("harbour pilot"), Listener(room=1, heard=names[:2]))

    assert [hit.memory for hit in found] == names[2:]


def test_a_coding_agent_is_told_at_most_as_much_as_there_is_room_for(soul: Soul) -> None:
    session = session_key("claude-code", "s1", project="boat-1")
    for n in range(9):
        soul.append(session, "user", f"The hull test number {n} is called hull_{n}.")
    agents = Listener(soul.audience(session), 5, has_asked=False)

    assert len(soul.memory.recall(Query("run the hull test"), agents)) == 5


def test_what_a_coding_agent_is_told_with_a_message_can_be_asked_for(soul: Soul) -> None:
    soul.remember("salary: 61,400 a year")
    coding = Scope(project="boat-1")

    told = soul.recall(
        "rename the salary column of the accounts table", scope=coding, unasked=True, explain=True
    )

    assert (list(told), told.kept_out) == ([], 1)


def test_where_nothing_is_likely_who_asks_is_told_the_nearest_as_unsure(soul: Soul) -> None:
    for n in range(12):
        soul.append("cli:main", "user", f"the market of town number {n} sells fish and cheese")
    asked = "which market sells tulips, carrots, onions, garlic and honey"

    assert soul.recall(asked, min_score=0.02) == []
    [nearest] = soul.recall(asked)
    assert (nearest.certainty, "the market" in nearest.text) == ("maybe", True)
    assert soul.recall("photographs of grandfather") == []
