"""The contents that soul files have had, as files that a person can read, and those of older homes."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from almario.domain.documents.document import digest
from almario.errors import SoulError
from almario.store.folder import FolderStore
from almario.testing import FixedClock

MADRID = ZoneInfo("Europe/Madrid")


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> FolderStore:
    return FolderStore(tmp_path, clock, MADRID)


def write(vault: FolderStore, text: str) -> None:
    vault.write_soul(vault.read("SOUL.md"), text, actor="owner", reason="test")


def kept(vault: FolderStore) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted((vault.root / ".versions/SOUL.md").iterdir())}


def history(vault: FolderStore) -> list[str | None]:
    each = vault.versions.history("SOUL.md")
    return [vault.versions.text("SOUL.md", v.hash) if v.kept and v.hash else None for v in each]


def test_each_content_is_a_file_named_by_its_instant_in_the_owners_zone(
    vault: FolderStore, clock: FixedClock
) -> None:
    clock.now = datetime(2026, 11, 19, 8, 5, 12, 400_000, tzinfo=UTC)
    write(vault, "one")
    clock.advance(days=1)
    write(vault, "two")

    assert kept(vault) == {"2026-11-19T09-05-12.md": "one", "2026-11-20T09-05-12.md": "two"}


def test_two_contents_of_one_second_are_two_files_and_one_that_comes_back_is_the_same(
    vault: FolderStore, clock: FixedClock
) -> None:
    for text in ("one", "two", "three"):
        write(vault, text)
    clock.advance(days=1)
    write(vault, "one")

    stamp = "2026-11-14T14-30-00"
    assert kept(vault) == {f"{stamp}.md": "one", f"{stamp}-2.md": "two", f"{stamp}-3.md": "three"}
    assert history(vault) == ["one", "two", "three", "one"]
    assert vault.versions.check() == []


def test_what_is_only_proposed_says_so_until_it_is_so(vault: FolderStore, clock: FixedClock) -> None:
    with vault.writing() as opened:
        opened.keep_version("SOUL.md", "perhaps")
    assert kept(vault) == {"2026-11-14T14-30-00-proposed.md": "perhaps"}

    clock.advance(hours=1)
    write(vault, "perhaps")

    assert kept(vault) == {"2026-11-14T15-30-00.md": "perhaps"}


def as_before(vault: FolderStore) -> None:
    """Name what is kept as earlier versions did."""
    folder = vault.root / ".versions/SOUL.md"
    for path in [*folder.iterdir()]:
        path.rename(folder / digest(path.read_bytes()))


def test_an_older_home_keeps_its_history_and_gets_names_that_can_be_read(
    vault: FolderStore, clock: FixedClock
) -> None:
    write(vault, "one")
    clock.advance(days=1)
    write(vault, "two")
    as_before(vault)
    with vault.writing() as opened:
        opened.keep_version("SOUL.md", "perhaps")
    proposed = vault.root / ".versions/SOUL.md/2026-11-15T14-30-00-proposed.md"
    os.utime(proposed, (1763000000,) * 2)
    as_before(vault)

    again = FolderStore(vault.root, clock, MADRID)
    assert history(again) == ["one", "two"]
    again.restore("SOUL.md", "1", actor="owner")

    assert kept(again) == {
        "2025-11-13T03-13-20-proposed.md": "perhaps",
        "2026-11-14T14-30-00.md": "one",
        "2026-11-15T14-30-00.md": "two",
    }
    assert history(again) == ["one", "two", "one"]


def test_renaming_that_was_interrupted_goes_on(
    vault: FolderStore, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "one")
    write(vault, "two")
    as_before(vault)
    done = os.rename

    def once(path: Path, free: Path) -> None:
        monkeypatch.setattr(os, "rename", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        done(path, free)

    monkeypatch.setattr(os, "rename", once)
    with pytest.raises(KeyboardInterrupt), FolderStore(vault.root, clock, MADRID).writing():
        pass
    monkeypatch.setattr(os, "rename", done)

    again = FolderStore(vault.root, clock, MADRID)
    assert history(again) == ["one", "two"]
    write(again, "three")
    assert sorted(kept(again).values()) == ["one", "three", "two"]
    assert all(name.startswith("2026-11-14T14-30-00") for name in kept(again))


def test_bytes_that_rotted_under_a_hash_are_damaged_and_stay_there(
    vault: FolderStore, clock: FixedClock
) -> None:
    write(vault, "one")
    write(vault, "two")
    as_before(vault)
    name = digest(b"one")
    (vault.root / ".versions/SOUL.md" / name).write_text("rotten")

    again = FolderStore(vault.root, clock, MADRID)
    with again.writing():
        pass

    assert [damage.place for damage in again.versions.check()] == [f".versions/SOUL.md/{name}"]


def test_a_version_that_the_owner_deleted_is_gone_and_no_damage(vault: FolderStore) -> None:
    write(vault, "one")
    write(vault, "two")
    (vault.root / ".versions/SOUL.md/2026-11-14T14-30-00.md").unlink()

    assert history(vault) == [None, "two"]
    assert vault.versions.check() == []
    with pytest.raises(SoulError, match="no longer kept"):
        vault.restore("SOUL.md", "1", actor="owner")


def test_pruning_takes_the_files_of_what_is_beyond_the_number_or_the_age(
    vault: FolderStore, clock: FixedClock
) -> None:
    for text in "abcde":
        write(vault, text)
        clock.advance(days=10)

    assert vault.prune() == 0
    assert vault.prune(days=25) == 2  # "c" was replaced 20 days ago
    assert vault.prune(keep=2) == 1

    assert sorted(kept(vault).values()) == ["d", "e"]
    assert history(vault) == [None, None, None, "d", "e"]
    clock.now += timedelta(days=400)
    assert vault.prune(keep=1, days=1) == 1
    assert vault.prune(keep=1, days=1) == 0
    assert [*kept(vault).values()] == ["e"]
