"""One door: writes inside a write join it, and what is asked inside a look is answered from that look."""

from pathlib import Path

import pytest

from almario.adapters.sqlite.memory_table import SqliteShelf
from almario.domain.memories import Memory, Wanted
from almario.domain.turns import Utterance
from almario.errors import Damaged, StoreError
from almario.memory.writer import MemoryWriter
from almario.soul import Soul
from almario.store import files
from tests.waiting import comes_true

HELLO = [Utterance("user", "The ferry leaves at nine.", "owner")]


@pytest.fixture
def locks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every lock that is taken from now on."""
    taken: list[Path] = []
    real = files._try_lock

    def counted(descriptor: int, path: Path) -> bool:
        taken.append(path)
        return real(descriptor, path)

    monkeypatch.setattr(files, "_try_lock", counted)
    return taken


def test_a_write_inside_a_look_leaves_everything_in_step(soul: Soul, locks: list[Path]) -> None:
    with soul.memory.snapshot():
        soul.memory.append("cli:main", HELLO)
        soul.remember("boat: needs paint")
        del locks[:]
        assert "needs paint" in (soul.path / "MEMORY.md").read_text()
        assert [hit.text for hit in soul.recall("When does the ferry leave?")] == [HELLO[0].text]

    assert locks == []


@pytest.mark.folder
def test_what_is_only_said_inside_a_look_is_found_after_it_and_an_edit_before_it_at_once(soul: Soul) -> None:
    question = "When does the ferry leave?"
    soul.recall(question)
    with soul.memory.snapshot():
        soul.memory.append("cli:main", HELLO)
        assert soul.recall(question) == []
    assert [hit.text for hit in soul.recall(question)] == [HELLO[0].text]

    (soul.path / "by-hand.md").write_text("The boat needs paint.\n")
    with soul.memory.snapshot():
        soul.memory.append("cli:main", HELLO)
        assert [hit.text for hit in soul.recall("What does the boat need?")] == ["The boat needs paint."]


def test_an_edit_made_during_a_look_is_taken_in_after_it(soul: Soul) -> None:
    with soul.memory.snapshot():
        assert soul.memory.list() == []
        (soul.path / "MEMORY.md").write_text("## boat\n\n- needs paint\n")
        assert soul.memory.list() == []

    assert [memory.value for memory in soul.memory.list()] == ["needs paint"]


def test_what_is_said_is_kept_when_what_is_derived_is_beyond_reach(
    soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> None:
        raise StoreError("the index is gone")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(MemoryWriter, "follow", broken)
        soul.memory.append("cli:main", HELLO)
        with pytest.raises(StoreError):
            soul.remember("boat: needs paint")

    assert [turn.text for turn in soul.sessions.turns("cli:main")] == [HELLO[0].text]


def test_what_is_asked_inside_a_write_that_fails_is_not_kept_for_later(soul: Soul) -> None:
    with pytest.raises(StoreError), soul.memory.together():
        raise StoreError("a tool broke")

    soul.remember("boat: needs paint")
    assert [memory.value for memory in soul.memory.list()] == ["needs paint"]


@pytest.mark.folder
def test_where_many_ask_memory_md_may_wait_and_shows_everything_in_the_end(soul: Soul) -> None:
    file = soul.path / "MEMORY.md"
    soul.remember("cat: Michi")
    soul.memory.list()
    soul.memory.sync.throttle.render = 3600.0

    soul.remember("dog: Rex")

    assert [hit.text for hit in soul.recall("dog")] == ["Rex"]
    assert ("Michi" in file.read_text(), "Rex" in file.read_text()) == (True, False)
    soul.close()
    assert "Rex" in file.read_text()


@pytest.mark.folder
def test_where_many_write_memory_md_is_rendered_though_nobody_asks(soul: Soul) -> None:
    file = soul.path / "MEMORY.md"
    soul.memory.sync.throttle.render = 0.001

    soul.remember("cat: Michi")

    assert comes_true(lambda: file.exists() and "Michi" in file.read_text())


@pytest.mark.folder
def test_where_many_ask_a_look_holds_until_something_is_written_here(soul: Soul) -> None:
    soul.memory.sync.throttle.hold = 3600.0
    soul.recall("a boat")
    (soul.path / "by-hand.md").write_text("The ferry leaves at nine.\n")

    assert soul.recall("when does the ferry leave?") == []
    soul.memory.append("cli:main", [Utterance("user", "The boat needs paint.", "owner")])
    assert "The ferry leaves at nine." in [hit.text for hit in soul.recall("when does the ferry leave?")]
    assert "The boat needs paint." in [hit.text for hit in soul.recall("what does the boat need?")]


@pytest.mark.folder
def test_a_look_that_a_write_overtook_does_not_hold(soul: Soul) -> None:
    pace = soul.memory.sync.throttle
    pace.hold = 3600.0
    look = pace.begin()

    soul.memory.append("cli:main", HELLO)
    pace.checked(look)

    assert [hit.text for hit in soul.recall("when does the ferry leave?")] == [HELLO[0].text]


@pytest.mark.parametrize("asks", [True, False])
def test_whoever_finds_what_is_derived_damaged_has_it_made_anew(soul: Soul, *, asks: bool) -> None:
    soul.remember("The boat needs paint.")
    soul.close()
    for file in (soul.path / ".index").rglob("*.db"):
        file.write_bytes(b"no index at all " * 1000)

    if not asks:
        soul.remember("The ferry is late.")

    assert "The boat needs paint." in {memory.value for memory in soul.memory.list()}
    assert soul.recall("boat")[0].text == "The boat needs paint."
    assert soul.memory.verify() == []


@pytest.mark.folder
def test_what_is_written_in_a_look_at_what_is_known_shows_and_files_are_left_to_who_asks_next(
    soul: Soul, locks: list[Path]
) -> None:
    soul.recall("a boat")
    (soul.path / "by-hand.md").write_text("The ferry leaves at nine.\n")
    del locks[:]
    with soul.memory.snapshot(fresh=False):
        soul.remember("boat: needs paint")
        assert soul.recall("when does the ferry leave?") == []
        assert [hit.text for hit in soul.recall("What does the boat need?")] == ["needs paint"]

    assert locks == [soul.path / ".lock"]
    assert "needs paint" in (soul.path / "MEMORY.md").read_text()
    assert [hit.text for hit in soul.recall("when does the ferry leave?")] == ["The ferry leaves at nine."]


@pytest.mark.folder
def test_a_file_that_was_read_a_moment_after_it_was_written_is_compared_and_locks_nothing(
    soul: Soul, locks: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (soul.path / "by-hand.md").write_text("The ferry leaves at nine.\n")
    soul.recall("when does the ferry leave?")
    monkeypatch.setattr(files, "RECENT_NS", 0)  # as if two seconds had passed
    del locks[:]

    assert [hit.text for hit in soul.recall("when does the ferry leave?")] == ["The ferry leaves at nine."]
    assert locks == []


@pytest.mark.folder
def test_damage_that_one_of_many_questions_finds_is_mended_by_who_asked_them_all(
    soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    soul.remember("boat: needs paint")
    soul.recall("a boat")
    real, asked = SqliteShelf.select, []

    def damaged_once(shelf: SqliteShelf, wanted: Wanted) -> list[Memory]:
        asked.append(wanted)
        if len(asked) == 1:
            raise Damaged("a page is not what was written")
        return real(shelf, wanted)

    monkeypatch.setattr(SqliteShelf, "select", damaged_once)

    found = soul.memory.sync.in_one_transaction(lambda: [*soul.memory.list(), *soul.memory.list()])

    assert [memory.value for memory in found] == ["needs paint", "needs paint"]
    assert soul.memory.verify() == []
