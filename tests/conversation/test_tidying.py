"""Tidying up behind a conversation: what fails waits where it can be seen, and succeeds later."""

import json
from pathlib import Path

import pytest

import almario
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests import bad_replies
from tests.souls import copy_of

FACTS = ("pets: has a cat called Michi", "animals: has a cat called Michi at home", "food: likes plum soup")


@pytest.fixture
def model() -> ScriptedLLM:
    return ScriptedLLM("")


def furnish(home: Path) -> None:
    with almario.create(home, clock=FixedClock()) as soul:
        for fact in FACTS:
            soul.remember(fact)


@pytest.fixture
def soul(home: Path, clock: FixedClock, model: ScriptedLLM, tmp_path_factory: pytest.TempPathFactory) -> Soul:
    copy_of(furnish, home, tmp_path_factory)
    return almario.open(home, clock=clock, llm=model)


def different(pairs: int) -> str:
    verdict = {"verdict": "different", "keep": "", "since": ""}
    return json.dumps({"pairs": [verdict | {"pair": number} for number in range(1, pairs + 1)]})


@pytest.mark.parametrize("name", bad_replies.ids[::8])
def test_what_a_model_spoils_waits_with_its_reason_until_it_recovers(
    soul: Soul, model: ScriptedLLM, name: str
) -> None:
    before = [memory.text for memory in soul.memory.list()]
    model.lines = [bad_replies.BAD_REPLIES[name]]

    soul.tidying.run()

    assert list(soul.tidying.waiting()) == ["consolidation"]
    assert [memory.text for memory in soul.memory.list()] == before

    model.lines = [different(3)]
    soul.tidying.run()

    assert soul.tidying.waiting() == {}


def test_the_same_failure_is_entered_once(soul: Soul, model: ScriptedLLM) -> None:
    model.lines = ["no"]
    soul.tidying.run()
    journal = (soul.path / "journal" / "000000001.jsonl").read_text()

    soul.tidying.run()

    assert (soul.path / "journal" / "000000001.jsonl").read_text() == journal


def test_what_waits_is_known_to_another_process_and_after_a_rebuild(
    soul: Soul, model: ScriptedLLM, home: Path, clock: FixedClock
) -> None:
    model.lines = ["no"]
    soul.tidying.run()
    why = soul.tidying.waiting()["consolidation"]

    soul.memory.reindex()

    assert almario.open(home, clock=clock).tidying.waiting() == {"consolidation": why}
