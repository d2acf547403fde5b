"""What was only supposed is told as a guess until somebody confirms it; what proved wrong gives way."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from almario.domain.memories import Wanted
from almario.domain.turns import Role
from almario.memory.rules.admission import is_guess
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import soul_on

pytestmark = pytest.mark.light

SUPPOSED = "The boiler leaks because of a worn valve"


def learning(*answers: Mapping[str, Any], clock: FixedClock | None = None) -> tuple[Soul, ScriptedLLM]:
    """Return a soul whose model learns these facts, session by session."""
    replies = [json.dumps({"facts": [], "episodes": [], "summary": "", **each}) for each in answers]
    model = ScriptedLLM(*replies)
    chosen = {"flush.threshold": 999, "consolidation.enabled": False}
    clock = clock or FixedClock(datetime(2026, 5, 4, 9, tzinfo=UTC))
    return soul_on(MemoryStore(clock), chosen, model), model


def held(soul: Soul, session: str, *said: tuple[Role, str]) -> None:
    """Hold a session, and learn from it."""
    for role, text in said:
        soul.append(session, role, text, origin="owner" if role == "user" else "agent")
    soul.flush(session)


def fact(value: str, *turns: int, key: str = "boiler", **more: Any) -> dict[str, Any]:
    return {"turns": list(turns), "key": key, "value": value, **more}


def told(soul: Soul, message: str = "why does the boiler leak?") -> str:
    lines = [line for line in soul.prompt(message, session="cli:asked").text.splitlines() if "valve" in line]
    return "\n".join(line for line in lines if line.startswith("- boiler"))


ASKED: tuple[Role, str] = ("user", "The boiler leaks a little, in the cellar")
GUESSED: tuple[Role, str] = ("assistant", "I suppose that the boiler leaks because of a worn valve.")


def test_what_only_the_agent_supposed_is_told_as_a_guess() -> None:
    soul, _ = learning({"facts": [fact(SUPPOSED, 2)]})

    held(soul, "cli:1", ASKED, GUESSED)

    assert "a guess" in told(soul)


def test_what_the_owner_supposed_is_told_as_a_guess_if_the_model_says_so() -> None:
    soul, _ = learning({"facts": [fact(SUPPOSED, 1, guess=True)]}, {"facts": []})

    held(soul, "cli:1", ("user", "I bet the boiler leaks because of a worn valve"))

    assert "a guess" in told(soul)


@pytest.mark.parametrize("act", ["", "renews k1"])
def test_it_is_none_once_the_owner_confirms_it(act: str) -> None:
    soul, model = learning({"facts": [fact(SUPPOSED, 2)]}, {"facts": [fact(SUPPOSED, 1, known=act)]})
    held(soul, "cli:1", ASKED, GUESSED)

    held(soul, "cli:2", ("user", "The plumber was here: the boiler leaks because of a worn valve"))

    assert "k1 boiler: The boiler leaks because of a worn valve (a guess)" in model.asked[-1].changing
    assert SUPPOSED in told(soul)
    assert "a guess" not in told(soul)


def test_it_is_none_once_the_owner_supposes_it_in_another_session_too() -> None:
    guess = fact(SUPPOSED, 1, guess=True)
    soul, _ = learning({"facts": [guess]}, {"facts": [guess]}, {"facts": [guess]})
    held(soul, "cli:1", ("user", "I bet the boiler leaks because of a worn valve"))
    held(soul, "cli:1", ("user", "Still: I bet the boiler leaks because of a worn valve"))
    assert "a guess" in told(soul)

    held(soul, "cli:2", ("user", "Looks again as if the boiler leaks because of a worn valve"))

    assert "a guess" not in told(soul)


def test_what_proved_wrong_gives_way_to_what_held_in_the_end() -> None:
    cause = "The boiler leaks because of a cracked pipe, not because of a valve"
    soul, _ = learning({"facts": [fact(SUPPOSED, 2)]}, {"facts": [fact(cause, 1, known="replaces k1")]})
    held(soul, "cli:1", ASKED, GUESSED)

    held(soul, "cli:1", ("user", "The boiler leaks because of a cracked pipe, not because of a valve"))

    assert [memory.value for memory in soul.memory.list(Wanted(kinds=("fact",)))] == [cause]


def test_a_corrected_date_takes_the_place_of_the_old_one_with_what_still_holds() -> None:
    first = fact("His cousin Julian's wedding is on 7 June in Ronda", 1, key="wedding")
    mended = fact("His cousin Julian's wedding is on 14 June in Ronda", 1, key="wedding", known="replaces k1")
    soul, _ = learning({"facts": [first]}, {"facts": [mended]})
    held(soul, "cli:1", ("user", "My cousin Julian's wedding is on 7 June, down in Ronda"))

    held(soul, "cli:2", ("user", "I had it wrong, it's on 14 June"))

    [memory] = soul.memory.list()
    assert memory.value == mended["value"]
    assert not is_guess(memory)


def test_what_the_agent_promised_for_a_day_is_a_plan() -> None:
    promised = fact("I will ask you about the insurance on 11 May", 2, key="insurance", when="2026-05-11")
    soul, _ = learning({"facts": [promised]})

    held(soul, "cli:1", ("user", "The insurance again!"), ("assistant", "I will ask you on Monday, 11 May."))

    assert [str(plan.when) for plan in soul.memory.plans()] == ["2026-05-11"]


def test_what_the_agent_promised_is_for_its_day_whatever_begins_then() -> None:
    promised = fact("I will ask on 11 May if the boiler starts", 2, when="2026-05-11")
    soul, _ = learning({"facts": [promised]})

    held(
        soul,
        "cli:1",
        ("user", "The boiler again!"),
        ("assistant", "I will ask on 11 May if the boiler starts."),
    )

    assert [memory.dated for memory in soul.memory.list()] == ["2026-05-11"]


@pytest.mark.parametrize(
    ("turn", "more", "doubt"),
    [(1, {}, ""), (1, {"guess": True}, "a guess, "), (2, {}, "I said so, ")],
)
def test_a_plan_that_was_only_supposed_is_told_as_such(turn: int, more: dict[str, Any], doubt: str) -> None:
    strike = fact("The valve is shipped on 11 May", turn, key="valve", when="2026-05-11", **more)
    soul, _ = learning({"facts": [strike]})

    held(soul, "cli:1", ("user", "The valve is shipped on 11 May"), ("assistant", "On 11 May, I suppose."))

    [line] = [line for line in soul.prompt("", session="cli:asked").text.splitlines() if "valve" in line]
    assert line == f"- valve: The valve is shipped on 11 May ({doubt}on 2026-05-11, in 7 days)"


@pytest.mark.parametrize(("known", "is_known"), [("ends k1", True), ("replaces k1", False)])
def test_what_is_to_end_on_a_day_ahead_holds_until_that_day_is_over(known: str, is_known: bool) -> None:
    clock, home = FixedClock(datetime(2026, 5, 4, 9, tzinfo=UTC)), "Her father lives alone in Teruel"
    leaving = fact("Her father leaves Teruel on 28 May", 1, key="father", when="2026-05-28", known=known)
    soul, _ = learning({"facts": [fact(home, 1, key="father")]}, {"facts": [leaving]}, clock=clock)
    held(soul, "cli:1", ("user", "My father lives alone in Teruel"))

    held(soul, "cli:2", ("user", "My father leaves Teruel on 28 May"))

    assert (home in [memory.value for memory in soul.memory.list()]) is is_known
    clock.advance(days=24)
    assert (home in [memory.value for memory in soul.memory.list()]) is is_known
    clock.advance(days=1)
    assert home not in [memory.value for memory in soul.memory.list()]


@pytest.mark.parametrize(
    ("when", "value", "first"),
    [
        ("XXXX-WXX-2", "Vega has her swimming lesson every Tuesday at 18:30", "2026-05-05"),
        ("XXXX-WXX-2", "Vega has her swimming lesson", "2026-05-05"),
        ("XXXX-XX-09", "Pays the rent of the swimming pool on the 9th of each month", "2026-05-09"),
    ],
)
def test_what_a_model_says_comes_again_is_a_plan_for_its_next_time(when: str, value: str, first: str) -> None:
    soul, _ = learning({"facts": [fact(value, 1, key="swimming", when=when)]})

    held(soul, "cli:1", ("user", value))

    assert [str(plan.when) for plan in soul.memory.plans()] == [first]


@pytest.mark.parametrize(
    ("said", "value", "act", "left"),
    [
        ("the dentist is off", "The dentist is off", "ends k1", "prefers uv over pip"),
        ("actually poetry, not uv", "Uses poetry", "replaces k2", "Goes there on 8 May"),
        ("eso del viernes no va", "Lo del viernes no va", "ends k1", "prefers uv over pip"),
        ("ahora uso poetry", "Usa poetry", "replaces k2", "Goes there on 8 May"),
    ],
)
def test_what_passes_in_talk_changes_the_memory_that_the_model_names_whatever_its_words(
    said: str, value: str, act: str, left: str
) -> None:
    known = {"appointment": "Goes there on 8 May", "packages": "prefers uv over pip"}
    soul, model = learning({"facts": [fact(value, 1, key="new", known=act)]})
    for key, each in known.items():
        soul.memory.learn(key, each, origin="owner")

    held(soul, "cli:1", ("user", said), ("assistant", "Fine."))

    assert "k1 appointment: Goes there on 8 May" in model.asked[0].changing
    assert [each.value for each in soul.memory.list() if each.kind == "fact"] == [left, value]
    soul.undo()
    assert [each.value for each in soul.memory.list()] == [*known.values()]


def test_what_is_learned_of_coding_and_nothing_else_is_of_every_project() -> None:
    imperative = {**fact("Commits are written in the imperative", 1, key="commits"), "work": True}
    rule = {"turns": [1], "value": "Always commit in the imperative", "work": True}
    home = fact("Has a cat called Michi", 3, key="cat")
    soul, _ = learning({"facts": [imperative, home], "instructions": [rule]})

    said: tuple[Role, str] = ("user", "Always commit in the imperative, all my commits are written so")
    held(soul, "telegram:1", said, ("assistant", "Fine."), ("user", "My cat is called Michi"))

    places = {memory.key: memory.place for memory in soul.memory.list() if memory.kind != "summary"}
    assert places == {"commits": "work", "behaviour": "work", "cat": ""}
