"""What should bring a memory to mind: found by, never told, gone with the memory."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from almario.domain.audiences import Audience
from almario.errors import SoulError
from almario.ports import Store
from almario.soul import Soul
from almario.testing import FixedClock
from almario_postgres.agent_store import PostgresStore
from almario_postgres.derived import derived_on
from tests.souls import soul_on, store_of

DOG = "Biscuit hides in the bathtub when it thunders"
CUES = ("storm tonight", "fireworks at the harbour", "¿le asusta algo al perro?")
WORDS = {"embedder.name": "none"}


@pytest.fixture(params=["memory", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Store:
    return store_of(request.param, tmp_path / "agent", clock)


def opened(store: Store) -> Soul:
    """Open a soul with its index where its store is."""
    index = derived_on(store.bound) if isinstance(store, PostgresStore) else None
    return soul_on(store, WORDS, index=index)


@pytest.fixture
def soul(store: Store) -> Soul:
    return opened(store)


@pytest.fixture
def reopened(store: Store) -> Callable[[], Soul]:
    return lambda: opened(store)


def told(soul: Soul, message: str) -> list[str]:
    return [hit.text for hit in soul.recall(message, min_score=0.0)]


def cued(soul: Soul, text: str = DOG, *cues: str) -> str:
    memory = soul.remember(text).memory
    assert memory
    soul.memory.change(memory.id, cues=cues or CUES)
    return memory.id


def held(store: Store) -> str:
    return "\n".join(store.read(each.name).raw for each in store.documents.holdings())


def test_a_memory_comes_by_a_cue_that_shares_no_word_with_it(
    soul: Soul, reopened: Callable[[], Soul]
) -> None:
    soul.remember("the spare key is with the neighbour")
    assert told(soul, "somebody has fireworks") == []

    cued(soul)

    [hit] = soul.recall("somebody has fireworks", min_score=0.0, explain=True)
    assert (hit.text, hit.cue) == (DOG, "fireworks at the harbour")
    assert {"cue_words"} <= {name for name, _, _ in hit.reasons}
    assert told(reopened(), "somebody has fireworks") == [DOG]
    assert soul.memory.verify() == []


def test_a_cue_never_outranks_what_says_the_thing_itself(soul: Soul) -> None:
    cued(soul)
    soul.remember("the fireworks at the harbour begin at ten")

    found = told(soul, "when do the fireworks at the harbour begin?")

    assert found[0] == "the fireworks at the harbour begin at ten"


def test_a_cue_is_told_to_nobody(soul: Soul, store: Store) -> None:
    cued(soul)

    assert "bathtub" in soul.prompt("fireworks at the harbour, hurray!").text
    assert "hurray" not in soul.prompt("").text
    assert "storm tonight" not in soul.prompt("fireworks at the harbour").text
    soul.finish()
    assert "storm tonight" not in store.read("MEMORY.md").raw


def test_others_are_told_what_is_shared_and_not_by_which_cue(soul: Soul) -> None:
    soul.memory.change(cued(soul), shared=True)
    others = Audience("telegram:-7", others=("Vera",))

    [hit] = soul.recall("fireworks at the harbour", min_score=0.0, audience=others)

    assert (hit.text, hit.cue) == (DOG, "")


def test_what_was_replaced_lends_its_cues_to_what_took_its_place(soul: Soul) -> None:
    first = cued(soul, "dentist: Dr Brandt", "my tooth hurts")
    second = soul.remember("dentist", "Dr Osei", replaces=first).memory
    assert second

    [hit] = soul.recall("oh no, that tooth hurts", min_score=0.0)

    assert (hit.memory, hit.cue) == (second.id, "my tooth hurts")
    third = soul.remember("dentist", "Dr Lind", replaces=second.id).memory
    assert third
    assert [hit.memory for hit in soul.recall("oh no, that tooth hurts", min_score=0.0)] == [third.id]


def test_what_is_forgotten_takes_its_cues_along_until_it_comes_back(soul: Soul) -> None:
    memory = cued(soul)

    soul.forget(memory)
    assert told(soul, "fireworks at the harbour") == []
    assert soul.memory._writer.derived.cues.count()[0] == 0

    soul.memory.undo()
    assert told(soul, "fireworks at the harbour") == [DOG]


def test_cues_are_no_step_to_undo(soul: Soul) -> None:
    memory = cued(soul)

    soul.memory.undo()

    assert soul.memory.get(memory).state == "retired"
    assert told(soul, "fireworks at the harbour") == []


def test_what_is_purged_takes_its_cues_out_of_everything(soul: Soul, store: Store) -> None:
    memory = cued(soul, DOG, "zephyr at the harbour")
    other = cued(soul, "likes the harbour", "a zephyr at the harbour, " + DOG)

    soul.memory.purge(soul.memory.plan_purge(memory))

    assert soul.memory.why(memory).cues == ()
    assert "zephyr at the harbour" not in held(store).replace("a zephyr at the harbour", "")
    assert "bathtub" not in held(store)
    assert soul.memory.why(other).cues != ()
    assert soul.memory.verify() == []


def test_cues_come_with_an_export_and_go_to_nobody_else(
    soul: Soul, tmp_path: Path, clock: FixedClock
) -> None:
    memory = cued(soul)
    soul.memory.change(memory, shared=True)

    lines = soul.memory.export()
    assert any(json.loads(line).get("cues") == list(CUES) for line in lines)
    assert "storm tonight" not in "".join(soul.memory.export(Audience("telegram:-7", others=("Vera",))))
    other = soul_on(store_of("memory", tmp_path, clock), WORDS)
    other.memory.import_lines(lines)

    assert other.memory.why(memory).cues == CUES
    assert told(other, "fireworks at the harbour") == [DOG]


def test_what_can_be_no_cue_is_refused(soul: Soul) -> None:
    memory = soul.remember(DOG).memory
    assert memory

    with pytest.raises(SoulError, match="at most 6 cues"):
        soul.memory.change(memory.id, cues=list("abcdefg"))
    with pytest.raises(SoulError, match="1 to 100 characters"):
        soul.memory.change(memory.id, cues=["x" * 101])
    soul.memory.change(memory.id, cues=["storm", "Storm!", DOG])
    assert soul.memory.why(memory.id).cues == ("storm",)
    soul.memory.change(memory.id, cues=[])
    assert soul.memory.why(memory.id).cues == ()


def test_a_cue_adds_by_its_meaning_what_the_text_lacks_and_no_more(tmp_path: Path, clock: FixedClock) -> None:
    soul = soul_on(store_of("folder", tmp_path / "agent", clock), {"embedder.name": "local"})
    cued(soul, DOG, "a gale is coming", "Biscuit is hiding in the bath")

    def added(message: str) -> dict[str, float]:
        [hit] = soul.recall(message, min_score=0.0, explain=True)
        return {name: value for name, _, value in hit.reasons}

    assert added("the wind gets stronger by the hour")["cue"] > 0
    assert "cue" not in added("why does Biscuit hide in the bathtub when it thunders?")
