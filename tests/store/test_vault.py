"""A soul file is written whole, keeps every content it had, and never over an edit by hand."""

import os
import threading
from datetime import UTC, date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from almario.domain.documents.document import Document, digest
from almario.domain.events import DayLogged, Filing, SoulChanged, SoulEdited
from almario.domain.messages import Sentence
from almario.errors import Damaged, DocumentError, EditConflict, StoreError
from almario.store import files, replacing
from almario.store.folder import FolderStore
from almario.store.journal import Appender
from almario.testing import FixedClock
from tests.killed import Killed


def write(vault: FolderStore, text: str, name: str = "SOUL.md") -> None:
    vault.write_soul(vault.read(name), text, actor="owner", reason="test")


def edit_by_hand(vault: FolderStore, text: str, name: str = "SOUL.md") -> None:
    (vault.root / name).write_text(text)


def told(vault: FolderStore, name: str = "SOUL.md") -> list[tuple[str, str]]:
    return [(version.actor, version.reason) for version in vault.versions.history(name)]


def test_an_edit_in_the_last_moment_is_kept_and_entered(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "one")
    swap = replacing.swap

    def with_an_owner_who_saves(one: Path, other: Path) -> bool:
        if other.name == "SOUL.md" and "two" not in other.read_text():
            other.write_text("the owner's")
        return swap(one, other)

    with monkeypatch.context() as patches:
        patches.setattr(replacing, "swap", with_an_owner_who_saves)
        with pytest.raises(EditConflict):
            write(vault, "ours")

    assert vault.read("SOUL.md").text == "the owner's"
    assert told(vault)[-1] == ("owner", "edited by hand")
    assert vault.settle() == []
    assert len(told(vault)) == 3


def test_a_file_deleted_by_hand_is_entered_and_can_be_restored(vault: FolderStore) -> None:
    write(vault, "one")
    (vault.root / "SOUL.md").unlink()

    vault.settle()
    vault.restore("SOUL.md", "1", actor="owner")

    assert vault.read("SOUL.md").text == "one"
    assert [reason for _, reason in told(vault)] == ["test", "deleted by hand", "version restored: 1"]


def test_an_owner_who_puts_the_old_text_back_is_not_overruled(vault: FolderStore) -> None:
    write(vault, "one")
    write(vault, "two")
    edit_by_hand(vault, "one")

    vault.settle()

    assert vault.read("SOUL.md").text == "one"
    assert told(vault)[-1] == ("owner", "edited by hand")


def test_a_write_killed_before_the_exchange_is_finished_at_the_next_opening(vault: FolderStore) -> None:
    write(vault, "one")
    before = vault.read("SOUL.md").hash
    kept = vault.versions.put("SOUL.md", b"two")
    with vault.writing() as appender:
        appender.append(SoulChanged("SOUL.md", before, kept, Sentence.own("test")), actor="owner")

    again = FolderStore(vault.root, FixedClock(), UTC)
    again.settle()

    assert again.read("SOUL.md").text == "two"
    assert told(again) == [("owner", "test"), ("owner", "test")]


def test_a_write_killed_after_the_exchange_is_done(vault: FolderStore) -> None:
    kept = vault.versions.put("SOUL.md", b"two")
    with vault.writing() as appender:
        appender.append(SoulChanged("SOUL.md", None, kept, Sentence.own("test")), actor="owner")
    edit_by_hand(vault, "two")

    vault.settle()
    edit_by_hand(vault, "three")
    vault.settle()

    assert [type(event.body) for event in vault.journal.select("soul.")] == [SoulEdited, SoulChanged]


def test_a_log_line_killed_before_its_file_is_filed_once(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise Killed

    vault.add_to_log("first", actor="owner")
    with monkeypatch.context() as patches:
        patches.setattr(vault._recovery, "file", die)
        with pytest.raises(Killed):
            vault.add_to_log("second", actor="owner")

    FolderStore(vault.root, FixedClock(), UTC).settle()
    FolderStore(vault.root, FixedClock(), UTC).settle()

    assert (
        vault.log_of(date(2026, 11, 14)).text
        == "# Memory Log: 2026-11-14\n\n- [13:30] first\n- [13:30] second\n"
    )


def test_a_log_line_is_not_taken_for_a_longer_one(vault: FolderStore) -> None:
    path = vault.root / "memory/2026-11-14.md"
    path.parent.mkdir()
    path.write_text("- [13:30] call Ana\n  about the cat\n")
    filing = Filing("memory/2026-11-14.md", "- [13:30] call Ana\n")
    with vault.writing() as appender:
        appender.append(DayLogged("2026-11-14", "UTC"), actor="owner", filings=(filing,))

    FolderStore(vault.root, FixedClock(), UTC).settle()

    assert path.read_text() == "- [13:30] call Ana\n  about the cat\n- [13:30] call Ana\n"


def test_a_log_line_killed_after_its_file_is_not_filed_twice(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(self: Appender) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patches:
        patches.setattr(Appender, "mark_filed", die)
        with pytest.raises(KeyboardInterrupt):
            vault.add_to_log("first", actor="owner")

    FolderStore(vault.root, FixedClock(), UTC).settle()

    assert vault.log_of(date(2026, 11, 14)).text.count("first") == 1


def test_the_owners_zone_decides_the_day(tmp_path: Path) -> None:
    clock = FixedClock()
    clock.advance(hours=12)  # 01:30 on the 15th in UTC
    days = {}
    for zone in ("America/Bogota", "Asia/Tokyo"):
        root = tmp_path / zone.replace("/", "-")
        root.mkdir()
        FolderStore(root, clock, ZoneInfo(zone)).add_to_log("x", actor="owner")
        [path] = (root / "memory").iterdir()
        days[zone] = (path.name, path.read_text().splitlines()[-1])

    assert days == {
        "America/Bogota": ("2026-11-14.md", "- [20:30] x"),
        "Asia/Tokyo": ("2026-11-15.md", "- [10:30] x"),
    }


def test_a_log_the_owner_edits_at_the_same_time_keeps_both(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.add_to_log("ours", actor="owner")
    path = vault.root / "memory/2026-11-14.md"
    replace = replacing.replace
    saves = ["- [13:31] the owner's\n"]

    def with_an_owner_who_saves(target: Path, content: bytes, *, expected: str | None) -> None:
        if saves:
            path.write_text(path.read_text() + saves.pop())
        replace(target, content, expected=expected)

    monkeypatch.setattr(replacing, "replace", with_an_owner_who_saves)
    vault.add_to_log("ours again", actor="owner")

    lines = path.read_text().splitlines()[2:]
    assert lines == ["- [13:30] ours", "- [13:31] the owner's", "- [13:30] ours again"]


def test_an_owners_log_that_is_not_utf8_is_added_to_byte_for_byte(vault: FolderStore) -> None:
    path = vault.root / "memory/2026-11-14.md"
    path.parent.mkdir()
    path.write_bytes(b"caf\xe9")

    vault.add_to_log("ours", actor="owner")

    assert path.read_bytes() == b"caf\xe9\n- [13:30] ours\n"


def stray(vault: FolderStore, content: str, *, ours: str, expected: str) -> None:
    """Leave what a writer that was killed just after its exchange leaves."""
    marks = "-".join(digest(text.encode())[:12] for text in (ours, expected))
    (vault.root / f".SOUL.md.{marks}-01234567.tmp").write_text(content)


@pytest.mark.parametrize("edit", ["the owner's words", "one", "", "one\ntwo\nthree\nfour"])
def test_an_edit_set_aside_by_a_killed_writer_is_kept_and_told(vault: FolderStore, edit: str) -> None:
    write(vault, "one\ntwo\nthree\n")
    write(vault, "one\ntwo\nthree\nours\n")
    stray(vault, edit, ours="one\ntwo\nthree\nours\n", expected="one\ntwo\nthree\n")

    [sentence] = vault.settle()

    [kept] = vault.root.glob("SOUL.conflict-*.md")
    assert kept.read_text() == edit
    assert kept.name in str(sentence)


@pytest.mark.parametrize("content", ["old\n", "new\n"])
def test_a_killed_writers_own_copy_is_cleared_away(vault: FolderStore, content: str) -> None:
    write(vault, "old\n")
    write(vault, "new\n")
    stray(vault, content, ours="new\n", expected="old\n")

    assert vault.settle() == []
    assert not list(vault.root.glob(".*.tmp"))


def test_an_unfinished_copy_of_a_killed_writer_is_cleared_away(vault: FolderStore) -> None:
    write(vault, "old\n")
    stray(vault, "ne", ours="new\n", expected="old\n")
    [copy] = vault.root.glob(".*.tmp")
    copy.rename(f"{copy}.part")

    assert vault.settle() == []
    assert not list(vault.root.glob(".*.tmp*"))


def test_a_killed_writers_copy_goes_when_its_text_is_erased(vault: FolderStore) -> None:
    write(vault, "old\n")
    write(vault, "new\n")
    stray(vault, "old\n", ours="new\n", expected="old\n")

    with vault.writing() as open_write:
        for each in vault.documents.holdings():
            if each.holder == "document":
                open_write.rewrite(each, lambda text: text)

    assert not list(vault.root.glob(".*.tmp"))


def test_a_save_in_progress_is_not_lost(vault: FolderStore) -> None:
    write(vault, "one")
    with (vault.root / "SOUL.md").open("a") as editor:
        with pytest.raises(EditConflict, match="is being written by another program"):
            write(vault, "ours")
        editor.write(" and the owner's")

    assert vault.read("SOUL.md").text == "one and the owner's"


def test_a_write_that_fails_for_want_of_space_is_not_carried_out_later(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "one")

    def no_space(descriptor: int, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patches:
        patches.setattr(files, "write_all", no_space)
        with pytest.raises(StoreError, match="No space left"):
            write(vault, "two")
    FolderStore(vault.root, FixedClock(), UTC).settle()

    assert vault.read("SOUL.md").text == "one"


def refuse_soul_md(patches: pytest.MonkeyPatch) -> None:
    """Let the system refuse to replace SOUL.md, as it does for one that is mounted or immutable."""
    put = replacing._put

    def busy(copy: Path, path: Path, *rest: Any) -> None:
        if path.name == "SOUL.md":
            raise files.unwritable(path, OSError(16, "Device or resource busy"))
        put(copy, path, *rest)

    patches.setattr(replacing, "_put", busy)


def test_a_file_that_cannot_be_finished_blocks_nothing_else(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "one")
    kept = vault.versions.put("SOUL.md", b"two")
    with vault.writing() as appender:
        appender.append(
            SoulChanged("SOUL.md", vault.read("SOUL.md").hash, kept, Sentence.own("killed")), actor="owner"
        )
    refuse_soul_md(monkeypatch)

    assert vault.add_to_log("work goes on", actor="owner") == []
    assert vault.log_of(date(2026, 11, 14)).text.endswith("work goes on\n")


def test_what_a_change_owes_is_paid_even_if_the_change_could_not_be_made_durable_at_once(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "old goal\n", "GOALS.md")
    swap = replacing._swap

    def swap_and_fail(*args: Any) -> None:
        swap(*args)
        raise OSError(5, "Input/output error")

    owed = Filing("memory/archive/goals.md", "old goal\n")
    with monkeypatch.context() as patches:
        patches.setattr(replacing, "_swap", swap_and_fail)
        with pytest.raises(StoreError, match="Input/output"):
            vault.write_soul(vault.read("GOALS.md"), "", actor="owner", reason="x", owed=owed)
    vault.settle()

    assert vault.read("GOALS.md").text == ""
    assert vault.read("memory/archive/goals.md").text == "old goal\n"


def test_a_write_is_done_even_if_the_last_formalities_fail(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("no space left")

    with monkeypatch.context() as patches:
        patches.setattr(Appender, "mark_filed", fail)
        assert vault.add_to_log("kept", actor="owner") == []
    vault.settle()

    assert vault.log_of(date(2026, 11, 14)).text.count("kept") == 1


def test_the_same_words_in_the_same_minute_are_two_lines(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("not now")

    vault.add_to_log("drank water", actor="owner")
    with monkeypatch.context() as patches:
        patches.setattr(vault._recovery, "file", fail)
        assert "will be added later" in str(vault.add_to_log("drank water", actor="owner")[0])
    FolderStore(vault.root, FixedClock(), UTC).settle()

    assert vault.log_of(date(2026, 11, 14)).text.count("drank water") == 2


def test_a_log_that_cannot_be_written_now_gets_its_line_later(vault: FolderStore) -> None:
    (vault.root / "memory").mkdir()
    (vault.root / "memory/2026-11-14.md").mkdir()

    [sentence] = vault.add_to_log("first", actor="owner")
    (vault.root / "memory/2026-11-14.md").rmdir()
    vault.settle()

    assert "the text is safe and will be added later" in str(sentence)
    assert vault.log_of(date(2026, 11, 14)).text.count("first") == 1


def test_a_refused_write_owes_nothing(vault: FolderStore, monkeypatch: pytest.MonkeyPatch) -> None:
    write(vault, "old goal\n", "GOALS.md")

    def conflict(*_: object) -> bool:
        raise EditConflict("{path} was changed", path="GOALS.md")

    with monkeypatch.context() as patches:
        patches.setattr(replacing, "_swap", conflict)
        owed = Filing("memory/archive/goals.md", "old goal\n")
        with pytest.raises(EditConflict):
            vault.write_soul(vault.read("GOALS.md"), "", actor="owner", reason="x", owed=owed)
    vault.settle()

    assert vault.read("memory/archive/goals.md").content is None
    assert vault.read("GOALS.md").text == "old goal\n"


def test_a_line_that_comes_while_the_journal_is_read_is_counted_once(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "one")
    assert len(told(vault)) == 1
    other = FolderStore(vault.root, FixedClock(), UTC)
    tail = vault.journal.tail

    def tail_and_then_a_line() -> object:
        found = tail()
        monkeypatch.setattr(vault.journal, "tail", tail)
        write(other, "two")
        return found

    monkeypatch.setattr(vault.journal, "tail", tail_and_then_a_line)
    told(vault)

    assert len(told(vault)) == 2
    assert len(told(vault)) == 2


def test_threads_that_read_and_write_enter_no_false_edits(vault: FolderStore) -> None:
    write(vault, "one")

    def work(name: str) -> None:
        for count in range(15):
            write(vault, f"{name} {count}", name)
            vault.settle()

    names = ("USER.md", "AGENTS.md", "TOOLS.md")
    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [len(told(vault, name)) for name in names] == [15, 15, 15]
    assert {actor for name in names for actor in told(vault, name)} == {("owner", "test")}


def test_any_bytes_can_be_restored(vault: FolderStore) -> None:
    (vault.root / "SOUL.md").write_bytes(b"\xff\xfe\r\n")
    vault.settle()
    vault.write_soul(vault.read("SOUL.md"), "new", actor="owner", reason="x")

    vault.restore("SOUL.md", "1", actor="owner")

    assert (vault.root / "SOUL.md").read_bytes() == b"\xff\xfe\r\n"


def test_a_kept_version_whose_bytes_rotted_is_damaged(vault: FolderStore) -> None:
    write(vault, "one")
    write(vault, "two")
    path = vault.root / ".versions/SOUL.md/2026-11-14T13-30-00.md"
    assert path.read_text() == "one"
    path.write_text("rotten")

    with pytest.raises(Damaged):
        vault.restore("SOUL.md", "1", actor="owner")
    assert [damage.place for damage in vault.versions.check()] == [".versions/SOUL.md/2026-11-14T13-30-00.md"]

    assert vault.read("SOUL.md").text == "two"


@pytest.mark.parametrize("name", ["journal", "sessions", "memory", ".versions"])
def test_a_folder_of_ours_that_leads_elsewhere_is_refused(
    vault: FolderStore, tmp_path: Path, name: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (vault.root / name).symlink_to(tmp_path / "elsewhere")

    for use in (vault.settle, lambda: write(vault, "words")):
        with pytest.raises(DocumentError, match=f"{name} is a link to .*elsewhere"):
            use()

    assert os.listdir(tmp_path / "elsewhere") == []


def test_with_versions_off_nothing_is_kept_and_a_write_still_compares(tmp_path: Path) -> None:
    vault = FolderStore(tmp_path, FixedClock(), UTC, keeps_versions=False)

    write(vault, "one")
    with pytest.raises(EditConflict):
        vault.write_soul(Document("SOUL.md", None), "two", actor="owner", reason="x")

    assert vault.read("SOUL.md").text == "one"
    assert not (tmp_path / ".versions").exists()
    assert list(vault.journal.select("soul.")) == []


def test_a_folder_that_cannot_be_written_can_be_read(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit_by_hand(vault, "by hand")

    def refuse(path: Path, *, seconds: float) -> None:
        raise files.unwritable(path, PermissionError(13, "Permission denied"))

    monkeypatch.setattr("almario.store.folder.locked", refuse)

    assert [str(sentence) for sentence in vault.settle()] == [
        f"the folder was left as it is: {vault.root}/.lock cannot be written: Permission denied"
    ]
    assert vault.journal.read() == []


def test_a_journal_that_cannot_be_read_does_not_stop_reading(
    vault: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, "one")

    def refuse(path: Path) -> None:
        raise files.unreadable(path, PermissionError(13, "Permission denied"))

    monkeypatch.setattr("almario.store.journal.lines_backward", refuse)

    again = FolderStore(vault.root, FixedClock(), UTC)
    assert "Permission denied" in str(again.settle()[0])
    assert again.read("SOUL.md").text == "one"


def test_a_soul_file_that_leads_out_is_refused_and_does_not_stop_the_others(vault: FolderStore) -> None:
    (vault.root / "SOUL.md").symlink_to("/etc/hostname")
    edit_by_hand(vault, "name: X", "IDENTITY.md")

    vault.settle()

    assert told(vault, "IDENTITY.md") == [("owner", "edited by hand")]
    with pytest.raises(DocumentError):
        vault.read("SOUL.md")
    with pytest.raises(DocumentError):
        vault.write_soul(Document("SOUL.md", None), "x", actor="owner", reason="x")


def test_what_can_never_be_filed_is_set_aside_and_told_once(vault: FolderStore) -> None:
    filing = Filing("memory/2026-11-14.md", "- [13:30] owed\n")
    with vault.writing() as appender:
        appender.append(DayLogged("2026-11-14", "UTC"), actor="owner", filings=(filing,))
    (vault.root / "memory").mkdir()
    (vault.root / filing.path).symlink_to("/nowhere")

    [sentence] = vault.settle()

    assert "what it lacks is in unfiled.md" in str(sentence)
    assert vault.read("unfiled.md").text == "- [13:30] owed\n"
    assert vault.settle() == []
    write(vault, "other work goes on")


def test_a_journal_brought_back_from_a_backup_is_believed(vault: FolderStore) -> None:
    write(vault, "one")
    [path] = vault.journal.files()
    backup = path.read_bytes()
    write(vault, "two")
    path.write_bytes(backup)

    vault.settle()

    assert vault.read("SOUL.md").text == "two"
    assert told(vault) == [("owner", "test"), ("owner", "edited by hand")]
