"""A name of the version before still works in Python, says what it is called now, and is told elsewhere."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import almario
from almario import Soul
from almario.client import connect
from almario.former_names import FORMER, name_now
from almario.testing import FixedClock
from almario.verb_table import scopes
from tests.apps.served import Served


def goals(soul: Any) -> None:
    soul.goals.add("Learn to sail")
    soul.goals.start("sail")
    soul.goals.note("sail", "One knot")
    soul.goals.reprioritise("sail", "low")
    soul.goals.complete("sail", outcome="Went well")
    assert soul.goals.find("sail").outcome == "Went well"
    soul.goals.reopen("sail", priority="high")
    assert [(goal.done, goal.priority, goal.notes) for goal in soul.goals.all() if "sail" in goal.text] == [
        (False, "high", ("One knot",))
    ]
    soul.goals.drop("sail")
    assert not [goal for goal in soul.goals.list() if "sail" in goal.text]


def changing_a_memory(soul: Any) -> None:
    boat, oar = (soul.remember(each).memory.id for each in ("boat: called Gaviota", "oar: broken"))
    boat = soul.update(boat, "called Alba", when="2025/..").id
    assert soul.memory.share(boat).audience
    assert not soul.memory.share(boat, shared=False).audience
    assert soul.memory.cue(boat, ["storm tonight"]) == ("storm tonight",)
    assert soul.memory.confirm(boat).value == "called Alba"
    assert soul.memory.reject(oar).state == "retired"


def looking_at_memories(soul: Any) -> None:
    [turn] = soul.memory.append("cli:main", [almario.Utterance("user", "I sail.", "owner")])
    known = soul.memory.remember("sails on 2031-05-01", evidence=[turn.id]).memory
    assert [each.text for each in soul.memory.evidence(known)] == ["I sail."]
    assert [step.deed for step in soul.memory.life(known.id)] == ["remembered"]
    assert soul.memory.cues(known.id) == ()
    assert known.id in [each.id for each in soul.memory.as_of(known.at, believed=True)]
    assert [each.id for each in soul.memory.named("sails")] == [known.id]
    assert not soul.memory.plan_purge_expired(30).memories
    assert [plan.memory.id for plan in soul.plans(passed=7)] == [known.id]


def looking_at_the_soul(soul: Any) -> None:
    soul.log("We went to sea.")
    document = soul.read("SOUL")
    soul.write(document, document.text + "\nI sail.\n")
    assert soul.version("SOUL", "1") == document.text
    assert [entry.text for entry in soul.log_of()] == ["We went to sea."]
    soul.remember("sister: Her sister Inés is a vet in Lisbon")
    assert soul.page("Inés") == soul.portrait("Inés")
    assert soul.line_of("SOUL.md") == soul.undoable("SOUL.md") > 0
    assert len(soul.memory.forget("sister")) == 1
    assert soul.clear() == []
    assert soul.sessions.all() == soul.sessions.list()
    assert not soul.costs.is_over()
    assert (soul.reflection.last_night(), soul.reflection.last_entry()) == (None, ("", ""))


PROGRAMS: list[Callable[[Any], None]] = [looking_at_the_soul, goals, changing_a_memory, looking_at_memories]


def test_each_former_name_does_what_it_did_and_says_its_new_one(soul: Soul) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for program in PROGRAMS:
            program(soul)

    told = {str(each.message).partition(";")[0] for each in warned if each.category is DeprecationWarning}
    assert told == {f"{former} is {name_now(former)} now" for former in FORMER}


def test_the_new_names_are_verbs_or_public_in_python_alone(soul: Any) -> None:
    assert not FORMER.keys() & scopes().keys()
    for former in FORMER:
        part, _, name = name_now(former).rpartition(".")
        assert hasattr(getattr(soul, part) if part else soul, name), former


def test_what_was_never_a_name_is_none(soul: Any) -> None:
    with pytest.raises(AttributeError, match="'Goals' object has no attribute 'everything'"):
        soul.goals.everything()


def test_what_is_wrong_inside_a_property_is_told_as_it_is(
    soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soul, "_vault", object())

    with pytest.raises(AttributeError, match="'object' object has no attribute 'zone'"):
        _ = soul.zone


def test_a_server_tells_the_new_name(home: Path, clock: FixedClock) -> None:
    almario.create(home, clock=clock).close()

    answer = Served(home, clock).post("/do/goals.all", {}, status=404)

    assert answer["detail"] == 'the verb "goals.all" is called "goals.list" now'


def test_a_client_tells_the_new_name() -> None:
    there: Any = connect("http://127.0.0.1:1", "token")

    with there, pytest.raises(AttributeError, match=r"has no 'goals\.all'; it is called 'goals\.list' now"):
        there.goals.all()
