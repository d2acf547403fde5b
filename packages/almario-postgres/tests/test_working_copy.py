"""Files that are given out are merged when they come back: nothing is overwritten and nothing is lost."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.domain.events import SoulEdited
from almario.errors import SoulError
from almario.soul import Soul
from almario.testing import FixedClock
from almario_postgres.copy_rules import conflict_name, conflict_of, is_given_out, resolved
from almario_postgres.working_copy import CheckedIn, WorkingCopy, check_out, label_of
from tests.effort import examples
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row


@pytest.fixture
def store(clock: FixedClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def soul(store: MemoryStore) -> Soul:
    soul = soul_on(store)
    soul.remember("pet: a cat")
    soul.remember("city: Cádiz")
    soul.log("Ana came by")
    soul.append("cli:main", "user", "Hello")
    soul.costs  # noqa: B018 - a part of its own
    soul.finish()
    return soul


@pytest.fixture
def folder(tmp_path: Path, store: MemoryStore, soul: Soul) -> Path:
    check_out(tmp_path / "copy", store, "default")
    return tmp_path / "copy"


def check_in(folder: Path, store: MemoryStore, soul: Soul, *, removes: bool = False) -> CheckedIn:
    copy = WorkingCopy(folder, store)
    with store.writing() as write:
        copy.enter(write, removes=removes)
    soul.memory.settle()
    return copy.refresh()


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_the_files_to_edit_are_given_out_and_nothing_else(folder: Path, store: MemoryStore) -> None:
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    visible = {name for name in names if not name.startswith(".")}

    assert {"SOUL.md", "MEMORY.md", "memory/2026-11-14.md", "agent.toml"} <= visible
    assert all(folder.joinpath(name).read_bytes() == store.read(name).content for name in visible)
    assert not any(name.startswith(("sessions", "journal", "costs")) for name in visible)
    assert label_of(folder) == ("default", store.place)
    with pytest.raises(SoulError, match="not an empty folder"):
        check_out(folder, store, "default")
    with pytest.raises(SoulError, match="is no working copy"):
        label_of(folder.parent)


def test_edits_are_entered_as_the_owners(folder: Path, store: MemoryStore, soul: Soul) -> None:
    (folder / "SOUL.md").write_text("# Soul\n\nDry.\n")
    change(folder / "MEMORY.md", "- Cádiz", "- Lima")
    (folder / "notes").mkdir()
    (folder / "notes" / "new.md").write_text("Ana has a boat.\n")
    (folder / "USER.md").unlink()

    done = check_in(folder, store, soul)

    assert done.is_settled
    assert done.files["SOUL.md"] == "entered"
    assert done.files["USER.md"] == "removed"
    edits = [event for event in store.journal.read() if isinstance(event.body, SoulEdited)]
    assert [(event.actor, event.body.file) for event in edits if isinstance(event.body, SoulEdited)] == [
        ("owner", "SOUL.md"),
        ("owner", "USER.md"),
    ]
    assert store.versions.text("SOUL.md", soul.history("SOUL")[-1].hash or "") == "# Soul\n\nDry.\n"
    assert sorted(memory.text for memory in soul.memory.list()) == ["city: Lima", "pet: a cat"]
    assert store.read("notes/new.md").text == "Ana has a boat.\n"
    assert store.read("USER.md").content is None
    assert check_in(folder, store, soul).files == {}


def test_what_was_changed_elsewhere_is_refreshed_here(folder: Path, store: MemoryStore, soul: Soul) -> None:
    soul.write(soul.read("SOUL"), "# Soul\n\nWet.\n")
    soul.remember("boat: two masts")
    soul.finish()
    store.edit("USER.md", None)

    done = check_in(folder, store, soul)

    assert done.files == {"SOUL.md": "refreshed", "MEMORY.md": "refreshed", "USER.md": "gone"}
    assert (folder / "SOUL.md").read_text() == "# Soul\n\nWet.\n"
    assert "two masts" in (folder / "MEMORY.md").read_text()
    assert not (folder / "USER.md").exists()


def test_edits_in_both_places_that_do_not_touch_become_one(
    folder: Path, store: MemoryStore, soul: Soul
) -> None:
    soul.write(soul.read("SOUL"), soul.read("SOUL").text + "\nI sing.\n")
    (folder / "SOUL.md").write_text("<!-- mine -->\n" + (folder / "SOUL.md").read_text())

    assert check_in(folder, store, soul).files == {"SOUL.md": "merged"}

    assert store.read("SOUL.md").text.startswith("<!-- mine -->\n")
    assert store.read("SOUL.md").text.endswith("\nI sing.\n")
    assert (folder / "SOUL.md").read_text() == store.read("SOUL.md").text


def test_edits_that_touch_are_kept_side_by_side_until_they_are_merged(
    folder: Path, store: MemoryStore, soul: Soul
) -> None:
    soul.write(soul.read("SOUL"), "# Soul\n\nWet.\n")
    (folder / "SOUL.md").write_text("# Soul\n\nDry.\n")

    done = check_in(folder, store, soul)

    assert done.files == {"SOUL.md": "conflict"}
    assert not done.is_settled
    [beside] = folder.glob("SOUL.conflict-*.md")
    assert beside.read_text() == "# Soul\n\nWet.\n" == store.read("SOUL.md").text
    assert (folder / "SOUL.md").read_text() == "# Soul\n\nDry.\n"
    assert check_in(folder, store, soul).files == {"SOUL.md": "waiting"}

    (folder / "SOUL.md").write_text("# Soul\n\nDamp.\n")
    beside.unlink()
    assert check_in(folder, store, soul).files == {"SOUL.md": "entered"}
    assert store.read("SOUL.md").text == "# Soul\n\nDamp.\n"
    assert not any("conflict" in each.name for each in store.documents.holdings())


def test_what_is_gone_in_one_place_and_changed_in_the_other_is_not_lost(
    folder: Path, store: MemoryStore, soul: Soul
) -> None:
    soul.write(soul.read("SOUL"), "# Soul\n\nWet.\n")
    store.edit("USER.md", None)
    (folder / "SOUL.md").unlink()
    (folder / "USER.md").write_text("A hammer.\n")

    done = check_in(folder, store, soul)

    assert done.files == {"SOUL.md": "revived", "USER.md": "kept"}
    assert not done.is_settled
    assert (folder / "SOUL.md").read_text() == "# Soul\n\nWet.\n"
    assert check_in(folder, store, soul).files == {"USER.md": "entered"}
    assert store.read("USER.md").text == "A hammer.\n"


def test_memory_that_was_learned_meanwhile_outlives_an_old_copy(
    folder: Path, store: MemoryStore, soul: Soul
) -> None:
    soul.remember("city: Lisbon")
    soul.remember("pet: a dog")
    soul.finish()
    change(folder / "MEMORY.md", "- a cat", "- a cat called Misu")

    assert check_in(folder, store, soul).is_settled

    facts = sorted(memory.text for memory in soul.memory.list())
    assert facts == ["city: Cádiz", "city: Lisbon", "pet: a cat called Misu", "pet: a dog"]
    assert "Misu" in (folder / "MEMORY.md").read_text()


def test_much_that_is_gone_at_once_is_asked_about(folder: Path, store: MemoryStore, soul: Soul) -> None:
    for n in range(8):
        soul.remember(f"thing {n}: number {n}")
    soul.finish()
    check_in(folder, store, soul)
    text = (folder / "MEMORY.md").read_text()
    (folder / "MEMORY.md").write_text(text[text.index("<!-- almario") :])
    check_in(folder, store, soul)
    assert len(soul.memory.list()) == 10
    assert "number 7" in (folder / "MEMORY.md").read_text()

    before = store.journal.tail()
    for path in folder.glob("*.md"):
        path.unlink()
    with pytest.raises(SoulError, match="files are missing here"):
        check_in(folder, store, soul)
    assert store.journal.tail() == before

    check_in(folder, store, soul, removes=True)
    assert store.read("SOUL.md").content is None


def test_what_is_saved_at_the_last_moment_is_not_overwritten(
    folder: Path, store: MemoryStore, soul: Soul
) -> None:
    soul.write(soul.read("SOUL"), "# Soul\n\nWet.\n")
    copy = WorkingCopy(folder, store)
    with store.writing() as write:
        copy.enter(write)
    (folder / "SOUL.md").write_text("# Soul\n\nJust now.\n")

    assert "was changed by someone else" in str(copy.refresh().told[0])

    assert (folder / "SOUL.md").read_text() == "# Soul\n\nJust now.\n"
    assert check_in(folder, store, soul).files == {"SOUL.md": "conflict"}


def test_what_would_happen_is_shown_and_nothing_is_changed(
    folder: Path, store: MemoryStore, soul: Soul
) -> None:
    (folder / "SOUL.md").write_text("# Soul\n\nDry.\n")
    before = store.journal.tail()

    assert WorkingCopy(folder, store).plan() == {"SOUL.md": "entered"}

    assert store.journal.tail() == before


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d"]), max_size=6).map(
    lambda each: "".join(each).encode()
)
CONTENTS = st.none() | LINES | st.just(b"\xff\n")


@examples(60)
@given(CONTENTS, CONTENTS, CONTENTS)
def test_no_change_is_overruled(base: bytes | None, mine: bytes | None, theirs: bytes | None) -> None:
    fate, content = resolved("SOUL.md", base, mine, theirs)

    if len({base, mine, theirs}) == 3:
        assert fate in ("merged", "conflict", "revived", "kept")
    if fate in ("entered", "removed"):
        assert (theirs, content) == (base, mine)
    if fate in ("refreshed", "gone"):
        assert (mine, content) == (base, theirs)
    if fate == "merged":
        # Killed before the folder followed, it comes to the same again, or asks.
        again = resolved("SOUL.md", base, mine, content)
        assert again.fate == "conflict" or again.content == content


@each_row(
    ("name", "is_one"),
    [
        ("SOUL.md", True),
        ("memory/2026-11-14.md", True),
        ("agent.toml", True),
        ("notes/list.txt", True),
        ("sessions/cli.main.jsonl", False),
        ("journal/cut/1", False),
        ("costs/2026-11.jsonl", False),
        ("flights/2026-11-14.jsonl", False),
        (".git/config", False),
        ("SOUL.conflict-12345678.md", False),
        ("SOUL.md~", False),
        (".SOUL.md.swp", False),
    ],
)
def test_what_is_given_out(name: str, is_one: bool) -> None:
    assert is_given_out(name) is is_one


@each_row("name", ["SOUL.md", "memory/a.b.md", "plain", "a/.x/plain", "x.conflict-12345678.md"])
def test_a_conflict_copy_tells_whose_it_is(name: str) -> None:
    assert conflict_of(conflict_name(name, b"x")) == name
