"""The files of a folder are looked at again only where something may have changed."""

import os
import time
from datetime import UTC
from pathlib import Path

import pytest

from almario.domain.turns import Utterance
from almario.store import files
from almario.store.folder import FolderStore
from almario.store.listing import Listing
from almario.testing import FixedClock


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be as old as it must be to be known by its time."""
    monkeypatch.setattr(files, "RECENT_NS", -1)


@pytest.mark.usefixtures("settled")
def test_what_another_process_says_in_a_known_session_is_seen_at_once(vault: FolderStore) -> None:
    other = FolderStore(vault.root, FixedClock(), UTC)
    vault.append_turns("s:1", [Utterance("user", "one", "owner")])
    before = vault.documents.marks()
    assert vault.documents.marks() == before

    other.append_turns("s:1", [Utterance("user", "two", "owner")])

    assert vault.documents.marks() != before


def test_a_mark_is_unsure_only_for_a_moment(tmp_path: Path) -> None:
    clock = FixedClock()
    (tmp_path / "NOTES.md").write_text("Be kind.\n")
    at = int(clock().timestamp() * 1e9)
    os.utime(tmp_path / "NOTES.md", ns=(at, at))
    documents = FolderStore(tmp_path, clock, UTC).documents

    just_written = documents.marks()["NOTES.md"]
    clock.advance(seconds=5)
    later = documents.marks()["NOTES.md"]
    (tmp_path / "NOTES.md").unlink()

    assert (just_written.is_sure, later.is_sure, documents.marks()) == (False, True, {})


@pytest.mark.usefixtures("settled")
def test_a_session_that_another_process_begins_is_listed_at_once(vault: FolderStore) -> None:
    other = FolderStore(vault.root, FixedClock(), UTC)
    vault.append_turns("s:1", [Utterance("user", "one", "owner")])
    assert vault.transcripts.sessions() == ["s:1"]

    other.append_turns("s:2", [Utterance("user", "two", "owner")])

    assert vault.transcripts.sessions() == ["s:1", "s:2"]


@pytest.mark.usefixtures("settled")
def test_an_edit_of_the_same_length_is_read(vault: FolderStore) -> None:
    path = vault.root / "SOUL.md"
    path.write_text("Be kind.\n")
    assert vault.read("SOUL.md").text == "Be kind.\n"

    path.write_text("Be bold.\n")

    assert vault.read("SOUL.md").text == "Be bold.\n"


@pytest.mark.parametrize(("age", "is_read_again"), [(0, True), (60 * 10**9, False)])
def test_what_can_change_and_keep_its_time_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: int, *, is_read_again: bool
) -> None:
    then = time.time_ns() - age
    monkeypatch.setattr(files, "status_of", lambda found: files.Status(1, 1, then, then, 3))
    contents, listing = files.Contents(), Listing()
    (tmp_path / "a.md").write_text("one")
    assert (contents.read(tmp_path / "a.md"), listing.names(str(tmp_path))) == (b"one", ["a.md"])

    (tmp_path / "a.md").write_text("two")
    (tmp_path / "b.md").write_text("new")

    assert (contents.read(tmp_path / "a.md") == b"two") == is_read_again
    assert (listing.names(str(tmp_path)) == ["a.md", "b.md"]) == is_read_again
