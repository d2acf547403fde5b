"""What a forgetting message says besides, whose word a change is, and models that judge badly."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

import almario
from almario.conversation.file_reading import turns_in_mind
from almario.domain.talk import Ask
from almario.domain.turns import Turn
from almario.errors import SoulError
from almario.memory.rules.admission import Proposed
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.tables import each_row

pytestmark = pytest.mark.light


@each_row(
    ("message", "besides"),
    [
        ("Forget what I said about the boiler. We moved to Cadiz.", ["We moved to Cadiz."]),
        ("Olvidá lo que te dije de la caldera. Nos mudamos a Cádiz.", ["Nos mudamos a Cádiz."]),
        ("Forget my boiler. The boiler was never ours.", []),
        ("We moved to Cadiz.", []),
    ],
)
def test_of_an_order_to_forget_stays_what_it_says_besides(message: str, besides: list[str]) -> None:
    turn = Turn("cli:main", 1, datetime(2026, 11, 14, tzinfo=UTC), "user", "", message, "owner")

    assert [each.text for each in turns_in_mind([turn], {turn.id})] == besides


@pytest.mark.folder
def test_what_is_said_beside_an_order_to_forget_is_learned_and_what_was_forgotten_is_not_told_again(
    soul: Soul, clock: FixedClock
) -> None:
    boiler = soul.remember("boiler: it leaks at night").memory
    assert boiler
    llm = ScriptedLLM("The boiler leaks at night, I know.", "Done: no more of the leaks.", "Sleep well.")
    soul = almario.open(soul.path.parents[1], clock=clock, llm=llm)
    soul.talk("How is the boiler?")
    soul.talk(f"Forget {boiler.id[:8]}. We moved to Cadiz.")
    soul.talk("Good night.")

    window = " ".join(turn.text for turn in soul.sessions.window("cli:main").turns)
    assert "We moved to Cadiz." in window
    assert "leaks" not in window


@pytest.mark.parametrize("verdict", ["same", "part of", "contradicts"])
def test_whatever_a_model_says_of_everything_one_undo_takes_it_back(
    soul: Soul, clock: FixedClock, verdict: str
) -> None:
    for text in ("likes long walks", "likes walking far", "walks a lot", "is fond of hiking and walks"):
        soul.memory.learn("walks", text)
        clock.advance(days=1)
    before = {memory.id: (memory.value, memory.state) for memory in soul.memory.list()}

    def judge(ask: Ask) -> str:
        pairs = [json.loads(line) for line in ask.messages[0].text.splitlines()]
        newer = [max(pair["a"], pair["b"], key=lambda each: str(each["told"]))["id"] for pair in pairs]
        said = [
            {"pair": pair["pair"], "verdict": verdict, "keep": keep, "since": ""}
            for pair, keep in zip(pairs, newer, strict=True)
        ]
        return json.dumps({"pairs": said})

    done = soul.memory.consolidate(ScriptedLLM(judge))
    assert done.changed
    soul.memory.undo()

    assert {memory.id: (memory.value, memory.state) for memory in soul.memory.list()} == before


def test_a_change_says_what_is_new_in_the_owners_words_and_the_rest_in_those_that_were_known(
    soul: Soul,
) -> None:
    memory = soul.remember("school: Leo goes to the Elm school from Monday to Wednesday").memory
    assert memory
    soul.append("cli:main", "user", "Leo goes four days now, until Thursday.")
    wanted = {"id": memory.id, "fact": "Leo goes to the Elm school four days, from Monday to Thursday"}

    done = soul.tools.call("update_memory", wanted, session="cli:main")

    assert "Changed:" in done.text
    assert [each.value for each in soul.memory.list()] == [wanted["fact"]]


@pytest.mark.parametrize("act", ["ends", "replaces"])
@pytest.mark.parametrize("kind", ["fact", "episode"])
def test_what_has_nothing_to_do_with_what_was_asked_for_neither_ends_nor_replaces_it(
    soul: Soul, act: Any, kind: Any
) -> None:
    job = soul.remember("job: works at the harbour").memory
    assert job
    apple = Proposed("", "ate a green apple", kind, "auto", act=act, of=job.id)

    soul.memory.admit(apple, actor="agent")

    assert soul.memory.get(job.id).is_live


@pytest.mark.folder
def test_a_plan_written_by_hand_is_one_and_stays_one_when_its_day_is_changed(soul: Soul) -> None:
    soul.remember("The trip to Rome is on 20 December 2026")
    soul.memory.settle()
    file = soul.path / "MEMORY.md"
    file.write_text(file.read_text().replace("20 December", "22 December"))

    assert [str(plan.when) for plan in soul.memory.plans()] == ["2026-12-22"]


def test_only_what_is_in_use_is_replaced_and_what_is_known_already_may_do_it(soul: Soul) -> None:
    vigo, lugo = (soul.remember(f"home: lives in {city}").memory for city in ("Vigo", "Lugo"))
    assert vigo
    assert lugo

    soul.remember("home: lives in Lugo", replaces=vigo.id)

    assert soul.memory.get(vigo.id).by == lugo.id
    with pytest.raises(SoulError, match="out of use"):
        soul.remember("home: lives in Cadiz", replaces=vigo.id)
