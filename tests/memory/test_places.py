"""Where a memory belongs: in the project it was told in, to all work, or at home."""

import json
from pathlib import Path

import pytest

from almario.domain.memories import applied
from almario.domain.places import HOME, WORK, place_of
from almario.domain.turns import Utterance, session_key
from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import FixedClock
from tests.tables import each_row

pytestmark = pytest.mark.light

BOAT = session_key("claude-code", "s1", project="boat-1")
BOAT_TOO = session_key("codex", "s2", project="boat-1")
HOUSE = session_key("claude-code", "s3", project="house-2")
CHAT = "cli:main"

SAID_IN = [
    ((BOAT,), "boat-1"),
    ((BOAT, BOAT_TOO), "boat-1"),
    ((BOAT, HOUSE), WORK),
    ((CHAT,), HOME),
    ((BOAT, CHAT), HOME),
    ((), HOME),
]


@each_row(("sessions", "place"), SAID_IN)
def test_what_rests_on_turns_belongs_where_all_of_them_were_said(
    soul: Soul, *, sessions: tuple[str, ...], place: str
) -> None:
    turns = [soul.append(session, "user", "The build takes an hour.") for session in sessions]

    learned = soul.memory.learn("build", f"takes an hour: {sessions}", evidence=[turn.id for turn in turns])

    assert learned.memory is not None
    assert learned.memory.place == place
    assert place_of(turn.id for turn in turns) == place


def test_what_rests_on_an_answer_that_was_given_from_home_is_of_home(soul: Soul) -> None:
    pay = soul.remember("The pay is 61,400 a year").memory
    assert pay is not None
    asked = Utterance("user", "What do I earn?", "owner", more={"told": [pay.id]})
    question, answer = soul.memory.append(BOAT, [asked, Utterance("assistant", "You earn 61,400.", "agent")])

    learned = soul.memory.learn("pay", "earns 61,400", evidence=(question.id, answer.id)).memory

    assert learned is not None
    assert learned.place == HOME


PLACED = [(WORK, WORK), ("boat-1", "boat-1"), ("", HOME), (None, HOME)]


@each_row(("place", "kept"), PLACED)
def test_the_owner_says_where_a_memory_belongs(soul: Soul, *, place: str | None, kept: str) -> None:
    memory = soul.remember("commits are in the imperative", place=place).memory

    assert memory is not None
    assert soul.memory.get(memory.id).place == kept


def test_what_is_no_project_is_refused(soul: Soul) -> None:
    with pytest.raises(SoulError, match="not the name of a project"):
        soul.remember("commits are in the imperative", place="my boat")


def test_a_memory_is_moved_and_an_undo_brings_it_back(soul: Soul) -> None:
    memory = soul.remember("commits are in the imperative").memory
    assert memory is not None

    assert soul.memory.change(memory.id, place=WORK).place == WORK
    soul.undo()

    assert soul.memory.get(memory.id).place == HOME


def test_another_text_stays_where_the_first_was(soul: Soul) -> None:
    memory = soul.remember("commits are in the imperative", place=WORK).memory
    assert memory is not None

    assert soul.memory.change(memory.id, "commits are in the past tense").place == WORK


AGAIN = [
    (CHAT, BOAT, "boat-1"),
    (BOAT, CHAT, "boat-1"),
    (BOAT, HOUSE, WORK),
    (BOAT, BOAT_TOO, "boat-1"),
]


@each_row(("first", "then", "place"), AGAIN)
def test_what_the_owner_wants_remembered_in_two_places_is_told_in_both(
    soul: Soul, *, first: str, then: str, place: str
) -> None:
    for session in (first, then):
        turn = soul.append(session, "user", "Remember that tests are run with -x")
        receipt = soul.memory.remember(f"tests are run with -x, {first} {then}", evidence=(turn.id,))

    assert receipt.memory is not None
    assert receipt.memory.place == place


def test_what_is_edited_by_hand_stays_where_it_was_and_a_new_line_is_of_home(soul: Soul, home: Path) -> None:
    soul.remember("commits are in the imperative", place=WORK)
    soul.finish()
    document = soul.read("MEMORY.md")
    text = document.text.replace("in the imperative", "in the past tense") + "\n- Hugo has a dog\n"
    (home / "agents/default/MEMORY.md").write_text(text)

    places = {memory.value: memory.place for memory in soul.memory.list()}

    assert places == {"commits are in the past tense": WORK, "Hugo has a dog": HOME}


def test_an_older_journal_says_where_by_the_turns_that_a_memory_rests_on(clock: FixedClock) -> None:
    fields = {
        "key": "",
        "value": "tests are run with -x",
        "kind": "fact",
        "source": "auto",
        "origin": "owner",
    }
    for turns, place in (([f"{BOAT}#1"], "boat-1"), ([f"{CHAT}#1"], HOME), ([], HOME)):
        line = json.loads(json.dumps({"id": "a1", "set": fields, "evidence": turns}))
        assert applied(None, line, seq=1, at=clock()).place == place
