"""Files are replaced whole, or not at all, and never over somebody else's bytes."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from almario.domain.documents.document import decoded, digest, encoded
from almario.errors import DocumentError, EditConflict, StoreError
from almario.store import files, replacing


def test_a_replaced_file_has_the_new_content_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "SOUL.md"
    path.write_text("old")

    replacing.replace(path, b"new", expected=digest(b"old"))

    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["SOUL.md"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_file_that_changed_since_it_was_read_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool
) -> None:
    path = tmp_path / "SOUL.md"
    path.write_text("the owner's")
    if not can_exchange:
        monkeypatch.setattr(replacing, "swap", lambda one, other: False)

    with pytest.raises(EditConflict):
        replacing.replace(path, b"ours", expected=digest(b"what we read"))

    assert path.read_text() == "the owner's"
    assert os.listdir(tmp_path) == ["SOUL.md"]


def test_an_edit_made_between_reading_and_exchanging_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "SOUL.md"
    path.write_text("read")
    swap = replacing.swap
    edits = ["first edit", "second edit"]

    def with_an_owner_who_saves(one: Path, other: Path) -> bool:
        if edits:
            other.write_text(edits.pop(0))
        return swap(one, other)

    monkeypatch.setattr(replacing, "swap", with_an_owner_who_saves)

    with pytest.raises(EditConflict):
        replacing.replace(path, b"ours", expected=digest(b"read"))

    assert path.read_text() == "second edit"
    [left] = tmp_path.glob(".*.tmp")
    assert left.read_text() == "first edit"


def test_what_the_owner_appends_to_ours_before_it_is_taken_back_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "SOUL.md"
    path.write_text("another edit\n")
    swap = replacing.swap
    appending: list[BinaryIO] = []

    def with_an_owner_who_appends(one: Path, other: Path) -> bool:
        if one.read_text() == "another edit\n":  # ours is in its place
            appending.append(other.open("ab"))
        return swap(one, other)

    monkeypatch.setattr(replacing, "swap", with_an_owner_who_appends)

    with pytest.raises(EditConflict):
        replacing.replace(path, b"ours\n", expected=digest(b"read"))
    appending[0].write(b"and a thought\n")
    appending[0].close()

    assert path.read_text() == "another edit\n"
    [left] = tmp_path.glob(".*.tmp")
    assert left.read_text() == "ours\nand a thought\n"


def test_an_edit_whose_file_is_then_deleted_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "SOUL.md"
    path.write_text("read")
    swap = replacing.swap
    deeds = iter(("save", "delete"))

    def with_an_owner(one: Path, other: Path) -> bool:
        if next(deeds) == "save":
            other.write_text("the owner's")
        else:
            other.unlink()
        return swap(one, other)

    monkeypatch.setattr(replacing, "swap", with_an_owner)

    with pytest.raises(EditConflict):
        replacing.replace(path, b"ours", expected=digest(b"read"))

    assert path.read_text() == "the owner's"


def test_a_file_deleted_meanwhile_is_a_conflict_too(tmp_path: Path) -> None:
    with pytest.raises(EditConflict):
        replacing.replace(tmp_path / "SOUL.md", b"ours", expected=digest(b"read"))

    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("can_link", [True, False])
def test_creating_never_overwrites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_link: bool) -> None:
    def refuse(one: Path, other: Path) -> None:
        raise OSError(1, "Operation not permitted")

    if not can_link:
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "deep" / "new.md"

    replacing.create(path, b"first")
    with pytest.raises(EditConflict):
        replacing.create(path, b"second")

    assert path.read_bytes() == b"first"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_write_that_fails_leaves_the_file_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "SOUL.md"
    path.write_text("old")
    script = f"""
import resource, signal
from pathlib import Path
from almario.errors import StoreError
from almario.domain.documents.document import digest
from almario.store import replacing
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    replacing.replace(Path({str(path)!r}), b"x" * 5000, expected=digest(b"old"))
except StoreError as exc:
    print(exc)
"""

    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert "cannot be written: File too large" in result
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["SOUL.md"]


def test_bytes_that_are_not_utf8_are_refused_with_their_line() -> None:
    with pytest.raises(DocumentError) as caught:
        decoded(b"fine\nalso fine\n caf\xe9\n", "SOUL.md")

    assert str(caught.value) == "SOUL.md line 3: byte 0xe9 is not UTF-8 text; save the file as UTF-8"
    assert (caught.value.path, caught.value.line) == ("SOUL.md", 3)


def test_half_a_character_is_not_stored() -> None:
    with pytest.raises(StoreError, match="not valid Unicode"):
        encoded("\ud83d")


def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "agent"
    root.mkdir()
    (tmp_path / "secret").write_text("x")
    (root / "SOUL.md").symlink_to(tmp_path / "secret")
    (root / "memory").symlink_to(tmp_path)

    for name in ("SOUL.md", "memory/secret", "../secret", "/etc/passwd"):
        with pytest.raises(DocumentError, match="leads out of the agent's folder"):
            files.inside(root, name)


def test_a_link_that_stays_inside_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("x")
    (tmp_path / "SOUL.md").symlink_to("real.md")

    assert files.inside(tmp_path, "SOUL.md") == (tmp_path / "real.md").resolve()


def test_a_name_that_leads_up_and_down_again_is_the_file_itself(tmp_path: Path) -> None:
    assert files.inside(tmp_path, "memory/../SOUL.md") == tmp_path.resolve() / "SOUL.md"


def test_a_pipe_in_a_files_place_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "SOUL.md")

    with pytest.raises(DocumentError, match="not a regular file"):
        files.read_bytes(tmp_path / "SOUL.md")


def test_a_file_is_not_written_into_a_folder_that_took_the_place_of_its_own(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    held = files.identity(home)
    files.overwrite(home / "state", b"first", within=held)

    home.rename(tmp_path / "moved")
    home.mkdir()

    with pytest.raises(FileNotFoundError):
        files.overwrite(home / "state", b"second", within=held)
    assert list(home.iterdir()) == []
    assert (tmp_path / "moved" / "state").read_bytes() == b"first"
