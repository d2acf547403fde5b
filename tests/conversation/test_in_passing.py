"""What the owner says in passing to a coding agent, where no model learns from it."""

import json

import pytest

from almario.domain.turns import session_key
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

OFFICE = session_key("claude-code", "s1", project="office-1")
OFFICE_TOO = session_key("claude-code", "s2", project="office-1")
GARDEN = session_key("claude-code", "s3", project="garden-2")

OF_ONESELF = "I'm on crutches until the end of the month."
OF_THE_WORK = "The weekly invoices are sent by Ottilie, on Mondays."
ASIDE = f"Rename the second argument. {OF_ONESELF} Does it still compile?"


@pytest.fixture
def soul(clock: FixedClock) -> Soul:
    """A soul that was told two things between requests, and whose model of meaning is loaded."""
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    for said in (ASIDE, OF_THE_WORK, "Split the parser in two."):
        soul.companion.hear(OFFICE, said)
        soul.companion.answer(OFFICE, "Done.")
    return soul


def test_a_session_begins_with_what_was_said_in_passing_and_not_with_what_was_ordered(soul: Soul) -> None:
    told = soul.companion.begin(OFFICE_TOO)

    assert OF_ONESELF in told
    assert OF_THE_WORK in told
    assert not any(each in told for each in ("Rename", "compile", "Split", "Done."))


def test_in_another_project_it_begins_with_what_the_owner_said_of_themselves_alone(soul: Soul) -> None:
    told = soul.companion.begin(GARDEN)

    assert OF_ONESELF in told
    assert "Ottilie" not in told


NUTS = "Remember that I am allergic to hazelnuts."


def test_in_another_project_it_begins_with_that_also_once_it_was_learned(clock: FixedClock) -> None:
    dog = "My dog Bruno is afraid of thunder."
    value = "The dog Bruno is afraid of thunder"
    lesson = {
        "facts": [{"turns": [1], "key": "dog", "value": value, "kind": "fact"}],
        "episodes": [],
        "instructions": [],
        "summary": "Invoices were spoken of.",
    }
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"}, ScriptedLLM(json.dumps(lesson)))
    for said in (dog, OF_THE_WORK):
        soul.append(OFFICE, "user", said)
        soul.append(OFFICE, "assistant", "Done.")
    soul.flush(OFFICE)
    elsewhere = soul.companion.begin(GARDEN)
    here = soul.companion.begin(OFFICE_TOO)

    assert dog in elsewhere
    assert "Ottilie" not in elsewhere
    assert here.count("Bruno is afraid of thunder") == 1
    heard = soul.companion.hear(GARDEN, "There's a storm coming tonight. Is my dog afraid?")
    assert "Bruno" not in heard  # it was told already


def test_what_was_learned_and_is_told_everywhere_is_not_quoted_besides(clock: FixedClock) -> None:
    lesson = {
        "facts": [{"turns": [1], "key": "home", "value": "Lives in York", "kind": "profile"}],
        "episodes": [],
        "instructions": [],
        "summary": "Where they live.",
    }
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"}, ScriptedLLM(json.dumps(lesson)))
    soul.append(OFFICE, "user", "I live in York with my two cats.")
    soul.append(OFFICE, "assistant", "Done.")
    soul.flush(OFFICE)

    assert soul.companion.begin(GARDEN).count("York") == 1


def test_what_was_remembered_from_a_message_of_which_the_rest_is_quoted_comes_all_the_same(
    clock: FixedClock,
) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    soul.companion.hear(OFFICE, f"My dog Bruno is afraid of thunder. My back hurts since Monday. {NUTS}")
    soul.companion.answer(OFFICE, "Done.")
    begun = soul.companion.begin(OFFICE_TOO)

    heard = soul.companion.hear(OFFICE_TOO, "Order lunch for me: am I allergic to hazelnuts?")

    assert "hazelnuts" in begun + heard


def test_what_is_old_or_forgotten_or_heard_by_others_is_not_told_at_the_start(
    soul: Soul, clock: FixedClock
) -> None:
    [turn] = [turn for turn in soul.sessions.turns(OFFICE) if turn.text == OF_THE_WORK]
    soul.memory.take_back([turn.id])
    assert "Ottilie" not in soul.companion.begin(OFFICE_TOO)

    soul.append(GARDEN, "user", "Hello!", origin="untrusted", speaker="Pepe")
    assert "crutches" not in soul.companion.begin(GARDEN)

    clock.advance(days=15)
    assert "crutches" not in soul.companion.begin(session_key("codex", "s4", project="office-1"))


def test_what_a_session_began_with_is_not_told_again_with_a_message(soul: Soul) -> None:
    message = "They want me to walk over to the other building for lunch."

    assert OF_ONESELF in soul.companion.hear(OFFICE_TOO, message)
    begun = session_key("claude-code", "s5", project="office-1")
    soul.companion.begin(begun)
    assert OF_ONESELF not in soul.companion.hear(begun, message)


def test_with_a_message_comes_the_sentence_and_not_the_rest_of_what_was_said(soul: Soul) -> None:
    heard = soul.companion.hear(GARDEN, "They want me to walk over to the other building for lunch.")

    assert OF_ONESELF in heard
    assert "Rename" not in heard


def test_what_was_told_takes_no_room_from_what_was_not(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local", "auto_recall.limit": 1})
    aches = [OF_ONESELF, "My left knee was operated on in spring.", "I get out of breath on the stairs."]
    for ache in aches:
        soul.companion.hear(OFFICE, ache)
        soul.companion.answer(OFFICE, "Done.")

    told = [
        soul.companion.hear(OFFICE_TOO, f"They want me to walk over to {there} for lunch.")
        for there in ("the other building", "the harbour", "the market")
    ]

    assert all(ache in "".join(told) for ache in aches)


def test_a_message_that_calls_for_more_brings_more_than_one_that_hardly_does(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local", "auto_recall.limit": 5})
    for n, street in enumerate(("Mill", "Oak", "Hill", "Well", "Bay", "King", "Park", "Lake", "Moor", "Fox")):
        soul.companion.hear(OFFICE, f"My cousin number {n} lives in {street} Street.")
        soul.companion.answer(OFFICE, "Done.")

    hardly, much = (
        soul.companion.hear(session_key("claude-code", text, project="office-1"), text).count("\n- ")
        for text in ("make it faster", "I'm walking home, my feet hurt.")
    )

    assert hardly < 5 < much <= 10


@each_row(
    "message", ["rename the loop variable", "why does the type checker complain here?", "pon un docstring"]
)
def test_a_message_about_nothing_but_the_code_in_sight_brings_nothing(
    clock: FixedClock, *, message: str
) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    soul.companion.hear(OFFICE, OF_ONESELF)
    soul.companion.hear(OFFICE, OF_THE_WORK)

    assert soul.companion.hear(OFFICE_TOO, message) == ""


TRACE = "\n".join(
    f'  File "/app/tasks.py", line {n}\n    raise Lost("host {n} closed the connection")' for n in range(99)
)


@each_row(
    "message",
    [
        f"here is what it says:\n{TRACE}\nit happens every night",
        "the map's token is pk.eyJ1IjoiYW5hLXRpZGUiLCJhIjoiY2x4In0.Qm7xW2sZ9kLp4TnVb8RcYg",
    ],
)
def test_what_was_pasted_or_was_a_secret_is_not_told_as_said_in_passing(
    clock: FixedClock, *, message: str
) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "local"})
    soul.companion.hear(OFFICE, message)

    told = soul.companion.begin(OFFICE_TOO)

    assert not any(each in told for each in ("closed the connection", "token"))


def test_what_a_memory_tells_is_not_told_once_more_as_said_in_passing(soul: Soul) -> None:
    soul.companion.hear(OFFICE, f"Remember that {OF_ONESELF}")

    assert soul.companion.begin(OFFICE_TOO).count("on crutches until") == 1


def test_who_denies_what_a_memory_tells_says_something_else(soul: Soul) -> None:
    soul.remember("I'm vegetarian")
    soul.companion.hear(OFFICE, "I'm not vegetarian any more.")

    assert "not vegetarian any more" in soul.companion.begin(OFFICE_TOO)


def test_of_a_long_message_that_is_told_which_tells_something(soul: Soul) -> None:
    work = " ".join(f"Rename the function number {n} in the module." for n in range(120))
    soul.companion.hear(OFFICE, f"{OF_ONESELF}. {work}")

    assert "on crutches until" in soul.companion.begin(OFFICE_TOO)


def test_of_a_long_message_no_more_is_told_than_of_a_short_one(soul: Soul) -> None:
    said = "\n\n".join(
        f"The office on floor {n} is rented by the neighbours since spring." for n in range(200)
    )
    soul.companion.hear(OFFICE, said)

    assert soul.companion.begin(OFFICE_TOO).count("rented by the neighbours") == 2


GUESS = "The checkout test is flaky. I think it's the cache that isn't cleared between tests."
REFUTED = "hm, it fails with the cache switched off too."
CAUSE = "Then the cache isn't the cause: the query has no ORDER BY."


@pytest.fixture
def misled(soul: Soul) -> Soul:
    """A soul that heard a cause which was none."""
    for said, answer in ((GUESS, "That's plausible."), (REFUTED, CAUSE), ("Pin the linter.", "Pinned.")):
        soul.companion.hear(OFFICE, said)
        soul.companion.answer(OFFICE, answer)
    return soul


def test_a_cause_that_was_none_comes_with_what_was_said_since_and_what_was_answered_to_that(
    misled: Soul,
) -> None:
    since = f"since said: {REFUTED} → (I said) {CAUSE})"

    begun = misled.companion.begin(OFFICE_TOO)
    assert since in begun
    assert begun.count(REFUTED) == 1
    heard = misled.companion.hear(
        session_key("codex", "s6", project="office-1"), "The checkout test fails again. What was it?"
    )
    assert since in heard
    assert "Pin" not in heard


MAP = [
    ("The map is white on Safari. why?", "The address of the tiles is http."),
    ("no, the address is https", "Then the canvas is too large."),
    ("Pin the linter.", "Pinned."),
]


@each_row("is_learned", [False, True])
def test_so_it_does_without_a_model_of_meaning_and_after_it_was_learned_from(
    clock: FixedClock, *, is_learned: bool
) -> None:
    learned = {"facts": [], "episodes": [], "instructions": [], "summary": "A linter was pinned."}
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"}, ScriptedLLM(json.dumps(learned)))
    for message, answer in MAP:
        soul.companion.hear(OFFICE, message)
        soul.companion.answer(OFFICE, answer)
    if is_learned:
        soul.flush(OFFICE)

    since = "since said: no, the address is https → (I said) Then the canvas is too large.)"
    assert since in soul.companion.hear(OFFICE_TOO, "Why was the map white on Safari?")


def test_what_was_said_since_is_not_told_if_it_was_taken_back_or_in_another_project(misled: Soul) -> None:
    misled.companion.hear(OFFICE, OF_ONESELF)
    misled.companion.hear(OFFICE, "No, the invoices say until December.")

    told = misled.companion.begin(GARDEN)
    assert OF_ONESELF in told
    assert "invoices" not in told

    [refuted] = [turn for turn in misled.sessions.turns(OFFICE) if turn.text == REFUTED]
    misled.memory.take_back([refuted.id])
    told = misled.companion.begin(OFFICE_TOO)
    assert "I think it's the cache" in told
    assert "ORDER BY" not in told


def test_what_was_under_way_comes_back_without_what_is_withheld(soul: Soul) -> None:
    soul.companion.hear(OFFICE, "The gate code is 3381.")

    told = soul.companion.resume(OFFICE)

    assert "The gate code is [withheld:password]" in told
    assert "3381" not in told
