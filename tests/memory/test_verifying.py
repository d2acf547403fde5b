"""Verify: journal, index and files agree, and what does not is named and mended."""

import json
import os
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from shutil import copytree, rmtree

import pytest

import almario
from almario.adapters.sqlite import memory_table
from almario.adapters.sqlite.memory_table import SqliteShelf
from almario.conversation.flush import NO_MODEL
from almario.domain.events import Event, SessionQueued
from almario.domain.memories import Memory, Wanted, applied
from almario.domain.turns import Utterance
from almario.errors import StoreError
from almario.soul import Soul
from almario.store.files import locked
from almario.store.folder import FolderStore
from almario.store.journal import FolderJournal
from almario.testing import FixedClock
from tests.effort import every
from tests.souls import copy_of

Reopener = Callable[[], Soul]


def furnish(home: Path) -> None:
    soul = almario.create(home, clock=FixedClock())
    texts = [f"cosa número {n} {'abcdefghij'[n % 10] * 30}" for n in range(200)]
    facts = [
        {"id": f"{n:012x}", "key": "gusto", "value": text, "kind": "fact"} for n, text in enumerate(texts)
    ]
    soul.memory.import_lines(json.dumps(fact) for fact in facts)
    job = soul.remember("trabajo: gana 100 euros al día").memory
    assert job is not None
    soul.remember("trabajo: gana 200 euros al día", replaces=job.id)
    soul.remember("fuimos al faro", kind="episode")
    soul.close()


@pytest.fixture
def filled(home: Path, clock: FixedClock, tmp_path_factory: pytest.TempPathFactory) -> Soul:
    """A soul that knows a few hundred things, and is closed."""
    copy_of(furnish, home, tmp_path_factory)
    with almario.open(home, clock=clock) as soul:
        return soul


def problems(soul: Soul) -> list[str]:
    return [f"{damage.place} {damage.problem}" for damage in soul.memory.verify()]


def answers(soul: Soul) -> tuple[object, ...]:
    hits = [(hit.text, hit.place) for hit in soul.recall("cosa número 7 faro", limit=10)]
    whys = [soul.memory.why(memory.id) for memory in soul.memory.list(Wanted(keys=("trabajo",)))]
    return soul.memory.export(), hits, soul.memory.stats(), whys


def test_a_row_that_is_not_what_the_journal_says_is_found_and_mended(
    soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = SqliteShelf.note
    soul.remember("boat", "it needs paint")
    soul.visit()
    soul.memory.purge(soul.memory.plan_purge("boat"))

    def forgetful(table: SqliteShelf, name: str, text: str) -> None:
        if name != "visit/last" and not name.startswith("salt/"):
            note(table, name, text.replace("first soul", "x") if name == "version/2" else text)

    with monkeypatch.context() as patched:
        patched.setattr(SqliteShelf, "note", forgetful)
        soul.memory.reindex()

    salt, version, visit = sorted(problems(soul))
    assert salt.startswith(".index row salt/")
    assert version == ".index row version/2 is not what the journal says"
    assert visit == ".index row visit/last is not what the journal says"
    soul.memory.reindex()
    assert problems(soul) == []


def test_a_memory_that_is_not_what_the_journal_says_is_found_and_mended(
    soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    boat = soul.remember("boat", "it needs paint").memory
    assert boat is not None
    with monkeypatch.context() as patched:
        patched.setattr(
            memory_table, "applied", lambda *given, **named: applied(*given, **named)._replace(audience="all")
        )
        soul.memory.reindex()

    assert problems(soul) == [f".index memory {boat.id} is not what the journal says"]
    soul.memory.reindex()
    assert problems(soul) == []


def test_what_a_kill_left_of_a_line_is_cut_off_and_kept_and_no_problem(
    soul: Soul, reopened: Reopener
) -> None:
    for _ in range(2):
        soul.memory.append("cli:main", [Utterance("user", "hola", "owner")])
    soul.memory.record(SessionQueued("cli:main", 0, 1, NO_MODEL))
    FolderStore(soul.path, FixedClock(), UTC).archive_turns("cli:main", 1)
    torn = ["sessions/cli.main.jsonl", "sessions/archive/cli.main.jsonl", "journal/000000001.jsonl"]
    for name in torn:
        with (soul.path / name).open("ab") as file:
            file.write(f"half of {name}".encode())

    assert problems(reopened()) == []
    kept = sorted(path.read_bytes().decode() for path in soul.path.rglob("cut/*"))
    assert kept == sorted(f"half of {name}" for name in torn)


def test_while_another_process_writes_it_can_be_verified(filled: Soul, home: Path, clock: FixedClock) -> None:
    here = almario.open(home, clock=clock, settings={"locks.seconds": 0})

    with locked(filled.path / ".lock", seconds=1):
        assert problems(here) == []


def test_what_others_write_during_each_look_is_no_damage(
    soul: Soul, home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.memory.append("cli:main", [Utterance("user", f"hola {n}", "owner") for n in range(50)])
    soul.remember("trabajo: uno")
    others = almario.open(home, clock=clock)
    looks: list[int] = []
    read = FolderJournal.read

    def read_while_others_write(journal: FolderJournal, *, after: int = 0) -> list[Event]:
        found = read(journal, after=after)
        if not after:
            looks.append(len(looks) + 1)
            others.memory.record(SessionQueued("cli:main", 0, len(looks), NO_MODEL))
            others.remember("trabajo: uno")  # renews it
        return found

    monkeypatch.setattr(FolderJournal, "read", read_while_others_write)

    assert problems(soul) == []
    assert looks


@pytest.mark.parametrize("share", every(2, [0.0, 0.1, 0.5, 0.99]))
def test_a_truncated_index_is_made_anew(filled: Soul, reopened: Reopener, share: float) -> None:
    expected = answers(reopened())
    for path in (filled.path / ".index").rglob("*.db"):
        os.truncate(path, int(path.stat().st_size * share))

    assert answers(reopened()) == expected
    assert problems(reopened()) == []


def test_an_index_that_was_deleted_is_made_anew_and_tells_how_far_it_is(
    filled: Soul, home: Path, clock: FixedClock
) -> None:
    expected = answers(filled)
    rmtree(filled.path / ".index")
    steps: list[tuple[int, int]] = []

    again = almario.open(home, clock=clock, progress=lambda done, total: steps.append((done, total)))

    assert answers(again) == expected
    assert steps
    assert steps[-1][0] == steps[-1][1]


def test_an_old_backup_of_the_index_catches_up(filled: Soul, reopened: Reopener, tmp_path: Path) -> None:
    copytree(filled.path / ".index", tmp_path / "old")
    filled.remember("gusto: lo más nuevo")
    filled.forget("trabajo")
    expected = answers(filled)
    rmtree(filled.path / ".index")
    copytree(tmp_path / "old", filled.path / ".index")

    assert answers(reopened()) == expected


@pytest.mark.parametrize("count", [2, 30])
def test_the_index_of_another_agent_is_thrown_away(
    filled: Soul, home: Path, clock: FixedClock, reopened: Reopener, count: int
) -> None:
    expected = answers(filled)
    other = almario.create(home, "other", clock=clock)
    for n in range(count):
        other.remember(f"ajeno: {n} de otra persona")
    other.close()
    rmtree(filled.path / ".index")
    copytree(other.path / ".index", filled.path / ".index")

    assert answers(reopened()) == expected


def test_a_journal_brought_back_from_a_backup_makes_the_index_go_back(
    filled: Soul, reopened: Reopener, tmp_path: Path
) -> None:
    copytree(filled.path / "journal", tmp_path / "old")
    expected = filled.memory.export()[:-1]  # the last line is the seal
    filled.remember("gusto: lo más nuevo")
    rmtree(filled.path / "journal")
    copytree(tmp_path / "old", filled.path / "journal")

    lines = reopened().memory.export()[:-1]
    assert [line for line in lines if "lo más nuevo" not in line] == expected


def test_what_is_in_the_journal_is_stored_though_the_index_fails(
    soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: SqliteShelf, event: Event, notes: object) -> list[Memory]:
        raise StoreError("{path} cannot be written: {why}", path="index", why="No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(SqliteShelf, "apply", full)
        with pytest.raises(StoreError, match="it is stored, but the index could not be brought up to date"):
            soul.remember("gusto: el té")  # what stands in for the index fails, too

    assert [memory.text for memory in soul.memory.list()] == ["gusto: el té"]


def test_a_fact_that_was_not_stored_is_said_to_be_lost(soul: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: SqliteShelf) -> tuple[int, str]:
        raise StoreError("{path} cannot be written: {why}", path="index", why="No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(SqliteShelf, "position", full)
        with pytest.raises(StoreError, match="it was not kept: index cannot be written: No space left"):
            soul.remember("gusto: el té")

    assert soul.memory.list() == []


def test_a_folder_that_cannot_be_written_can_still_be_asked(filled: Soul, reopened: Reopener) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anything")
    rmtree(filled.path / ".index")
    filled.path.chmod(0o500)
    try:
        assert [hit.text for hit in reopened().recall("faro")] == ["fuimos al faro"]
    finally:
        filled.path.chmod(0o700)
