"""Two souls that hold the same answer the same; where one differs, that is found."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from almario import config, wiring
from almario.domain.talk import Usage
from almario.memory.writer import Derived
from almario.ports import Store
from almario.soul import Soul
from almario.testing import FixedClock, WordEmbedder
from almario.wiring.parts import AgentParts
from almario.wiring.remembering import derived
from almario_postgres import likeness, moving
from almario_postgres.likeness import differences
from tests.memory_store import MemoryKey, MemoryStore
from tests.souls import NOWHERE, by_hand, soul_on
from tests.tables import each_row


@pytest.fixture
def lived(clock: FixedClock) -> MemoryStore:
    store = MemoryStore(clock)
    with soul_on(store) as soul:
        soul.remember("pet: a cat called Misu")
        soul.remember("city: Cádiz")
        soul.remember("boat: the Zephyrine, with two masts")
        soul.forget("Cádiz")
        soul.append("cli:main", "user", "Where are the boats of Cádiz?")
        soul.append("cli:main", "assistant", "In the harbour.")
        soul.log("Ana came by")
        soul.goals.add("learn to sail")
        soul.write(soul.read("SOUL"), "# Soul\n\nCalm.\n")
        soul.write(soul.read("SOUL"), "# Soul\n\nCalm and dry.\n")
        soul.proposals.propose("SOUL", "# Soul\n\nCalm, dry and kind.\n", reason="she said so")
        soul.costs.add("chat", "a/model", Usage(10, 5))
    return store


def copied(store: Store, clock: FixedClock) -> MemoryStore:
    target = MemoryStore(clock)
    moving.copy(store, target)
    with moving.finished(store, target):
        pass
    return target


def soul_in(store: Store, index: Derived | None = None) -> Soul:
    made = index or derived(None)
    chosen = config.load(NOWHERE)
    return wiring.soul_of(
        "default", AgentParts(store, chosen, lambda: made, MemoryKey, embedder=WordEmbedder())
    )


def test_a_copy_answers_the_same_by_words_and_by_meaning(lived: MemoryStore, clock: FixedClock) -> None:
    one, other = soul_in(lived), soul_in(copied(lived, clock))

    assert differences(one, other) == []
    assert [hit.how for hit in other.recall("a cat called Misu")] != []


def _edit(name: str, old: str, new: str) -> Callable[[Soul, MemoryStore], None]:
    def plant(soul: Soul, store: MemoryStore) -> None:
        text = store.read(name).text
        assert old in text
        by_hand(store, name, text.replace(old, new))

    return plant


def _version(soul: Soul, store: MemoryStore) -> None:
    [kept] = [each for each in store.root.glob(".versions/**/*") if each.is_file() and _is_calm(each)]
    kept.unlink()


def _is_calm(version: Path) -> bool:
    return version.read_bytes().endswith(b"Calm.\n")


PLANTED: dict[str, Callable[[Soul, MemoryStore], object]] = {
    "memories": lambda soul, _: soul.remember("pet: a dog"),
    "changes": lambda soul, _: soul.forget("Misu"),
    "SOUL.md 2": _version,
    "soul files": _edit("SOUL.md", "dry", "wet"),
    "prompt conversation": _edit("SOUL.md", "dry", "wet"),
    "proposals": lambda soul, _: soul.proposals.reject(soul.proposals.list()[0].id),
    "session cli:main": lambda soul, _: soul.append("cli:main", "user", "And those of Lisbon?"),
    "goals": _edit("GOALS.md", "learn to sail", "learn to swim"),
    "costs": lambda soul, _: soul.costs.add("chat", "a/model", Usage(10, 5)),
    "day 2026-11-14": _edit("memory/2026-11-14.md", "Ana", "Bo"),
    "journal": lambda soul, _: soul.visit(),
}


@pytest.fixture
def one(lived: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> Soul:
    monkeypatch.setattr(likeness, "_QUESTIONS", 2)
    soul = soul_in(lived)
    assert soul.today == date(2026, 11, 14)
    return soul


@each_row("name", PLANTED)
def test_what_is_planted_is_found(lived: MemoryStore, one: Soul, clock: FixedClock, name: str) -> None:
    target = copied(lived, clock)
    soul = soul_in(target)
    assert not one.memory.settle()
    PLANTED[name](soul, target)
    soul.close()

    assert name in differences(one, soul, by_meaning=False)


def test_an_index_that_finds_otherwise_is_found_out(lived: MemoryStore, clock: FixedClock) -> None:
    target, index = copied(lived, clock), derived(None)
    soul = soul_in(target, index)
    soul.memory.settle()
    with index.writing():
        for source in index.live.sources():
            if source.startswith("sessions"):
                index.live.put(source, index.live.sources()[source], [])

    found = differences(soul_in(lived), soul)

    assert any(each.startswith("recall words") for each in found)
    assert any(each.startswith("recall by meaning") for each in found)


def test_of_two_that_tie_either_may_be_told(
    lived: MemoryStore, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = soul_in(lived), soul_in(copied(lived, clock))
    boat, cat = one.recall("boat Zephyrine masts cat Misu", limit=2, min_score=0.0)[:2]

    def told(mine: float, theirs: float) -> list[str]:
        hits = {id(one): boat._replace(score=mine), id(other): cat._replace(score=theirs)}
        monkeypatch.setattr(Soul, "recall", lambda soul, *_, **__: [hits[id(soul)]])
        return differences(one, other, by_meaning=False)

    assert told(0.5, 0.5001) == []
    assert told(0.5, 0.4) != []
