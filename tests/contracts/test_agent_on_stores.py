"""An agent remembers, forgets, talks, changes and reflects alike on every store."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from almario.memory.purge import Purge
from almario.ports import Store
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.becoming.reflecting import TEA, lines, noticing, reflection_of
from tests.conversation.test_flush import GOOD, SESSION, flush_of, talked
from tests.killed import Killed
from tests.souls import by_hand, is_all_or_nothing, soul_on, store_of

CANARY = "a canary called Zephyrine"


@pytest.fixture(params=["folder", "memory", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Store:
    return store_of(request.param, tmp_path / "agent", clock)


@pytest.fixture
def soul(store: Store) -> Soul:
    return soul_on(store)


@pytest.fixture
def reopened(store: Store) -> Callable[[], Soul]:
    return lambda: soul_on(store)


def facts(soul: Soul) -> list[str]:
    return sorted(memory.text for memory in soul.memory.list())


def held(store: Store) -> str:
    """Return all text that a store holds."""
    return "\n".join(f"{each.name}\n{store.read(each.name).raw}" for each in store.documents.holdings())


# The ledger.


def test_what_is_remembered_is_found_by_whoever_opens_the_store_next(
    soul: Soul, reopened: Callable[[], Soul]
) -> None:
    soul.remember("pet: a cat called Misu")

    again = reopened()

    assert facts(again) == ["pet: a cat called Misu"]
    assert [hit.text for hit in again.recall("what is the cat called?")] == ["a cat called Misu"]
    assert again.memory.verify() == []


# The mirror.


def test_memories_become_lines_and_lines_become_memories(store: Store, soul: Soul) -> None:
    soul.remember("city: Cádiz")
    soul.remember("pet: a cat")
    soul.close()
    shown = store.read("MEMORY.md").text
    assert "## city\n\n- Cádiz\n" in shown

    by_hand(store, "MEMORY.md", shown.replace("- Cádiz", "- Lima").replace("- a cat", "- a cat\n- a dog"))

    assert facts(soul) == ["city: Lima", "pet: a cat", "pet: a dog"]
    assert {memory.origin for memory in soul.memory.list()} == {"owner"}


def test_a_line_that_is_gone_is_forgotten_and_prose_stays(store: Store, soul: Soul) -> None:
    soul.remember("city: Cádiz")
    soul.remember("pet: a cat")
    soul.close()
    by_hand(store, "MEMORY.md", "Mine.\n\n" + store.read("MEMORY.md").text.replace("- a cat\n", ""))

    assert facts(soul) == ["city: Cádiz"]
    soul.remember("work: boats")
    soul.close()
    assert store.read("MEMORY.md").text.startswith("Mine.\n\n")
    assert "- boats" in store.read("MEMORY.md").text


def test_much_that_is_gone_at_once_is_asked_about(store: Store, soul: Soul) -> None:
    for n in range(8):
        soul.remember(f"thing {n}: number {n}")
    soul.close()
    whole = store.read("MEMORY.md").text
    by_hand(store, "MEMORY.md", whole[whole.index("<!-- almario") :])

    assert len(facts(soul)) == 8
    [told] = [str(each) for each in soul.memory.settle() if "at once" in str(each)]
    kept = next(word for word in told.split() if word.startswith("MEMORY.conflict-")).rstrip(";")
    soul.memory.accept(kept)

    assert facts(soul) == []
    assert store.read(kept).content is None


def test_an_episode_follows_its_line(store: Store, soul: Soul) -> None:
    for text in ("Ana came by with Bruno", "it rained"):
        soul.remember(text, kind="episode")
    log = store.documents.names("memory")[0]
    before = store.read(log).text
    by_hand(store, log, before.replace("Bruno", "Bruna").replace("- [13:30] it rained\n", ""))

    assert [memory.value for memory in soul.memory.list()] == ["Ana came by with Bruna"]
    assert soul.memory.verify() == []
    soul.forget("Bruna")
    assert "Bruna" not in store.read(log).text


# Purging.


def killed(*_: object) -> None:
    raise Killed


def test_what_is_purged_is_held_nowhere(store: Store, soul: Soul, reopened: Callable[[], Soul]) -> None:
    soul.append(SESSION, "user", f"I have {CANARY}.")
    soul.remember(f"pet: {CANARY}")
    soul.remember(f"{CANARY} died", kind="episode")
    soul.write(soul.read("SOUL"), f"# Soul\n\nI miss {CANARY}.\n")
    soul.write(soul.read("SOUL"), "# Soul\n\nI miss somebody.\n")
    soul.end_session(SESSION, clear=True)
    soul.close()
    assert held(store).count(CANARY) > 5

    soul.memory.purge(soul.memory.plan_purge("Zephyrine"))
    soul.close()

    assert "Zephyrine" not in held(store)
    assert facts(reopened()) == []
    assert soul.memory.verify() == []
    assert soul.memory.learn("pet", CANARY).memory is None


def test_a_purge_that_was_begun_is_finished_by_the_next_who_writes(
    store: Store, soul: Soul, reopened: Callable[[], Soul], monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.remember(f"pet: {CANARY}")
    soul.close()
    plan = soul.memory.plan_purge("Zephyrine")
    with monkeypatch.context() as patched:
        patched.setattr(Purge, "_clean_versions", killed)
        with pytest.raises(Killed):
            soul.memory.purge(plan)
    assert CANARY in held(store)

    if is_all_or_nothing(store):  # it was not begun, and can be again
        assert facts(reopened()) == [f"pet: {CANARY}"]
        soul.memory.purge(soul.memory.plan_purge("Zephyrine"))
    reopened().close()

    assert CANARY not in held(store)


# Sessions.


def test_two_processes_do_not_learn_from_a_session_at_once(
    store: Store, soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("almario.conversation.flush._PATIENCE", 0.01)
    talked(soul)
    model = ScriptedLLM(GOOD)

    with store.lease("flush"):
        [busy] = flush_of(soul, model).flush(SESSION)

    assert busy[:4] == (SESSION, 0, 5, "busy")
    assert model.asked == []
    assert soul.memory.session(SESSION).why == ""


# Nights.


def test_only_one_process_reflects_at_a_time(store: Store, soul: Soul) -> None:
    soul.remember("likes: tea")

    llm = noticing(TEA)
    with store.lease("reflect"):
        done = reflection_of(soul, llm).run()

    assert str(done.why) == "the agent is already reflecting, in another process"
    assert (done.id, llm.asked, lines(soul)) == ("", [], [])


def test_nights_end_with_everything_accounted_for(
    store: Store, reopened: Callable[[], Soul], clock: FixedClock
) -> None:
    for day in range(3):
        soul = reopened()
        soul.remember(f"day {day}: Ana spoke of number {day}")
        soul.log(f"Ana came by, day {day}")
        reflection_of(soul, noticing(TEA)).run()
        soul.close()
        clock.advance(days=1)

    soul = reopened()
    assert soul.memory.verify() == []
    assert len(store.documents.names("memory/reflections")) == 3
    assert len(facts(soul)) == 3
    assert soul.check() == []
    assert clock.now - store.journal.read()[0].at == timedelta(days=3)
