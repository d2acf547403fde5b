"""A backup holds everything, is whole or is none, and comes back without touching what is there."""

import errno
import gzip
import io
import json
import os
import re
import tarfile
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import almario
from almario import wiring
from almario.domain.memories import Wanted
from almario.domain.messages import Sentence
from almario.errors import AlmarioError, Damaged, SoulError, StoreBusy, StoreError
from almario.ports import ListedAgent
from almario.soul import Soul
from almario.store.files import locked
from almario.store.home import FolderHome
from almario.testing import FixedClock
from almario.upkeep import backup as backup_module
from almario.upkeep.backup import Backups
from tests.tables import each_row


@pytest.fixture
def backups(soul: Soul, home: Path, clock: FixedClock) -> Backups:
    soul.remember("gata: Nube")
    soul.append("cli:main", "user", "Mañana voy a Lugo")
    return wiring.backups(home, clock=clock)


def content_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".index" not in path.parts and not path.name.endswith(".lock")
    }


def rewritten(path: Path, change: Callable[[tarfile.TarInfo], bytes | None]) -> None:
    """Rewrite an archive member by member, as somebody who knows the format would."""
    with tarfile.open(path) as archive:
        members = [(member, (archive.extractfile(member) or io.BytesIO()).read()) for member in archive]
    with tarfile.open(path, "w:gz") as archive:
        for member, content in members:
            new = change(member)
            member.size = member.size if new is None else len(new)
            archive.addfile(member, io.BytesIO(content if new is None else new))


def test_what_is_restored_is_what_was_there(backups: Backups, home: Path, tmp_path: Path) -> None:
    before = content_below(home)

    made = backups.make()
    backups.restore(made.path, tmp_path / "again")

    assert content_below(tmp_path / "again") == before
    soul = almario.open(tmp_path / "again")
    assert [memory.text for memory in soul.memory.list(Wanted())] == ["gata: Nube"]
    assert soul.memory.verify() == []


def test_what_can_be_made_again_is_left_out(backups: Backups) -> None:
    with tarfile.open(backups.make().path) as archive:
        names = archive.getnames()

    assert "agents/default/SOUL.md" in names
    assert not [name for name in names if ".index" in name or name.endswith(".lock")]


def test_only_the_owner_can_read_a_backup(backups: Backups) -> None:
    assert backups.make().path.stat().st_mode & 0o777 == 0o600


def test_an_agent_elsewhere_comes_back_into_the_home_and_no_setting_leads_out_of_it(
    backups: Backups, home: Path, tmp_path: Path
) -> None:
    almario.create(home, "lejos", path=str(tmp_path / "lejos"))

    backups.restore(backups.make().path, tmp_path / "again")

    [agent] = [agent for agent in wiring.listed_agents(tmp_path / "again") if agent.id == "lejos"]
    assert agent.path == tmp_path / "again" / "agents" / "lejos"


def test_settings_that_cannot_be_read_are_set_aside(backups: Backups, home: Path, tmp_path: Path) -> None:
    almario.create(home, "lejos", path=str(tmp_path / "lejos"))
    made = backups.make()
    rewritten(made.path, lambda member: b"agents = {" if member.name == "almario.toml" else None)

    told = backups.restore(made.path, tmp_path / "again")

    assert "set aside as almario.toml.from-backup" in str(told[0])
    assert [agent.id for agent in wiring.listed_agents(tmp_path / "again")] == ["default", "lejos"]


def test_a_removed_agent_can_be_brought_back_from_a_backup(
    backups: Backups, home: Path, clock: FixedClock, tmp_path: Path
) -> None:
    wiring.open_home(home, clock=clock).home.remove("default")

    backups.restore(backups.make().path, tmp_path / "again")

    restored = wiring.open_home(tmp_path / "again", clock=clock).home
    assert restored.bring_back("default").path.is_dir()


def test_an_agent_whose_folder_cannot_be_used_is_told_and_the_others_are_kept(
    backups: Backups, home: Path, tmp_path: Path
) -> None:
    stray = tmp_path / "stray"
    stray.write_text("this is no folder")
    (home / "almario.toml").write_text(f'[agents.berta]\npath = "{stray}"\n')

    made = backups.make()

    assert [str(each) for each in made.told] == [f"{stray} is not in the backup: Not a directory"]
    backups.restore(made.path, tmp_path / "new")
    assert (tmp_path / "new" / "agents" / "default" / "SOUL.md").is_file()


def test_restoring_overwrites_nothing(backups: Backups, tmp_path: Path) -> None:
    made = backups.make()
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine.txt").write_text("mine")

    with pytest.raises(SoulError, match="not an empty folder"):
        backups.restore(made.path, tmp_path / "taken")

    assert os.listdir(tmp_path / "taken") == ["mine.txt"]


def test_a_link_leads_to_the_folder_that_it_names(backups: Backups, tmp_path: Path) -> None:
    made = backups.make()
    (tmp_path / "empty").mkdir()
    for name, folder in (("one", tmp_path / "empty"), ("two", tmp_path / "new")):
        (tmp_path / name).symlink_to(folder)

        backups.restore(made.path, tmp_path / name)

        assert (folder / "agents" / "default" / "SOUL.md").is_file()


def _with_a_wrong_byte(archive: bytes, at: int) -> bytes:
    """Change a byte from *at* on; some say the same in another way, such as where to copy zeros from."""
    changed = bytearray(archive)
    changed[at] ^= 0x41
    with suppress(OSError, EOFError, zlib.error):
        if gzip.decompress(changed) == gzip.decompress(archive):
            return _with_a_wrong_byte(archive, at + 1)
    return bytes(changed)


@each_row("place", [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_an_archive_with_a_wrong_byte_or_cut_is_refused_and_leaves_nothing(
    backups: Backups, tmp_path: Path, place: float
) -> None:
    path = backups.make().path
    whole = path.read_bytes()
    at = int(len(whole) * place)

    for damaged in (whole[:at], _with_a_wrong_byte(whole, at)):
        path.write_bytes(damaged)
        with pytest.raises(Damaged, match="not a whole backup"):
            backups.restore(path, tmp_path / "again")
        assert not [*tmp_path.glob("again"), *tmp_path.glob(".again*")]


OUTSIDE = ("../evil", "/tmp/evil-of-almario", "agents/../../evil")


def named(name: str, **headers: str) -> Callable[[tarfile.TarInfo], bytes | None]:
    def forge(member: tarfile.TarInfo) -> bytes | None:
        if member.name.endswith("SOUL.md"):
            member.name, member.pax_headers = name, headers
        return None

    return forge


def linked(member: tarfile.TarInfo) -> bytes | None:
    if not member.name.endswith("SOUL.md"):
        return None
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return b""


FORGED: list[tuple[Callable[[tarfile.TarInfo], bytes | None], str]] = [
    *((named(name), ".") for name in OUTSIDE),
    (named("almario.md", mtime="nan"), "not a whole backup"),
    (named("almario.md", mtime="inf"), "not a whole backup"),
    (named("a/" * 2000 + "b"), "."),
    (linked, "is no file"),
]


def test_an_archive_that_was_forged_is_refused_and_leaves_nothing(backups: Backups, tmp_path: Path) -> None:
    made, folder = backups.make().path, tmp_path / "a"
    whole = made.read_bytes()
    folder.mkdir()

    @each_row("forge, why", FORGED)
    def refused(forge: Callable[[tarfile.TarInfo], bytes | None], why: str) -> None:
        made.write_bytes(whole)
        rewritten(made, forge)
        with pytest.raises(AlmarioError, match=why):
            backups.restore(made, folder / "again")
        assert [*folder.iterdir(), *tmp_path.rglob("evil*")] == []
        assert not Path(OUTSIDE[1]).exists()

    refused()


def as_before(path: Path, **marks: object) -> None:
    """Make an archive one of an earlier version, which began with a list of its files."""
    with tarfile.open(path) as archive:
        members = [(member, (archive.extractfile(member) or io.BytesIO()).read()) for member in archive]
    head = tarfile.TarInfo("almario-backup.json")
    listed = {member.name: "0" * 64 for member, _ in members}
    content = json.dumps({"v": 1, "at": "2026-11-14T13:30:00.000Z", **marks, "files": listed}).encode()
    head.size = len(content)
    with tarfile.open(path, "w:gz") as archive:
        for member, own in [(head, content), *members]:
            archive.addfile(member, io.BytesIO(own))


def test_a_plain_archive_of_an_earlier_version_is_restored(
    backups: Backups, home: Path, tmp_path: Path
) -> None:
    before, path = content_below(home), backups.make().path
    as_before(path)

    assert backups.check(path) == []
    backups.restore(path, tmp_path / "again")

    assert content_below(tmp_path / "again") == before


def test_one_that_an_earlier_version_locked_is_named_with_how_it_is_opened(
    backups: Backups, tmp_path: Path
) -> None:
    backups.folder.mkdir()
    path = backups.folder / "almario-20261113T033000Z.tar.gz.age"
    path.write_bytes(b"age-encryption.org/v1\n-> X25519 abc\n")
    (backups.folder / "backup-key.age").write_text("-----BEGIN AGE ENCRYPTED FILE-----\n")
    key, plain = backups.folder / "backup-key.age", path.with_suffix("")

    assert [each.path for each in backups.all()] == [path]
    for act in (backups.check, partial(backups.restore, to=tmp_path / "again")):
        with pytest.raises(SoulError, match=re.escape(f'"age -d -i {key} {path} > {plain}"')):
            act(path)
    assert not (tmp_path / "again").exists()


def test_nothing_plain_is_put_beside_locked_ones_unless_they_are_older_than_a_plain_one(
    backups: Backups, clock: FixedClock
) -> None:
    backups.folder.mkdir()
    path = backups.folder / "almario-20261113T033000Z.incomplete.tar.gz.age"
    path.write_bytes(b"age-encryption.org/v1\n")

    with pytest.raises(SoulError, match=r"are locked, and new ones would not be; .* age -r KEY > FILE"):
        backups.make()

    assert os.listdir(backups.folder) == [path.name]
    path.rename(backups.folder.parent / path.name)
    assert not backups.make().is_locked


def test_an_archive_that_is_written_out_is_as_any_other_and_none_is_kept(
    backups: Backups, home: Path, tmp_path: Path
) -> None:
    before, out = content_below(home), io.BytesIO()

    assert backups.write(out) == []

    assert [each for each in backups.folder.iterdir() if each.name != ".lock"] == []
    (tmp_path / "out.tar.gz").write_bytes(out.getvalue())
    backups.restore(tmp_path / "out.tar.gz", tmp_path / "again")
    assert content_below(tmp_path / "again") == before


def test_a_restore_that_fails_leaves_nothing_beside_its_place(
    backups: Backups, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = backups.make().path

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a").mkdir()
    with monkeypatch.context() as patched:
        patched.setattr(os, "utime", full)
        with pytest.raises(StoreError):
            backups.restore(made, tmp_path / "a" / "again")

    assert list((tmp_path / "a").iterdir()) == []


def test_an_archive_that_cannot_be_restored_is_not_kept(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, to: Path) -> None:
        raise Damaged("{path} is not a whole backup: {why}", path=str(path), why="a bad disk")

    monkeypatch.setattr(backup_module, "_unpack", fail)

    with pytest.raises(Damaged):
        backups.make()

    assert backups.all() == []
    assert sorted(os.listdir(backups.folder)) == [".lock"]


def test_damage_in_a_journal_is_told_and_backed_up_as_it_is(backups: Backups, soul: Soul) -> None:
    [journal] = (soul.path / "journal").glob("*.jsonl")
    lines = journal.read_bytes().split(b"\n")
    lines[1] = lines[1].replace(b'"actor"', b'"acter"')
    journal.write_bytes(b"\n".join(lines))

    made = backups.make()

    assert len(made.told) == 1
    assert "default/journal/000000001.jsonl:2" in str(made.told[0])


def test_a_backup_made_while_others_write_holds_a_state_that_was(
    backups: Backups, home: Path, clock: FixedClock, tmp_path: Path
) -> None:
    ended = threading.Event()

    def write() -> None:
        mine = almario.open(home, clock=clock)
        count = 0
        while not ended.is_set():
            count += 1
            mine.append("cli:main", "user", f"message {count}")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        paths = [backups.make().path for _ in range(5)]
    finally:
        ended.set()
        writer.join()

    for number, path in enumerate(paths):
        assert backups.check(path) == []
        backups.restore(path, tmp_path / f"again{number}")
        turns = almario.open(tmp_path / f"again{number}").sessions.turns("cli:main", last=0)
        assert [turn.n for turn in turns] == list(range(1, len(turns) + 1))


def test_an_agent_is_packed_while_nobody_can_write_in_it(
    backups: Backups, soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, tried = backup_module._add_folder, list[Path]()

    def added(folder: Path, *given: Any, **more: Any) -> list[Sentence]:
        if folder == soul.path:
            tried.append(folder)
            with pytest.raises(StoreBusy), locked(folder / ".lock", seconds=0):
                pass
        return add(folder, *given, **more)

    monkeypatch.setattr(backup_module, "_add_folder", added)

    backups.make()

    assert tried == [soul.path]


def test_only_the_newest_are_kept_and_nothing_else_is_touched(
    home: Path, soul: Soul, clock: FixedClock
) -> None:
    backups = wiring.backups(home, settings={"backup.keep": 2}, clock=clock)
    made = []
    for _ in range(4):
        made.append(backups.make().path)
        clock.advance(days=1)
    (backups.folder / "almario-mine.tar.gz").write_text("mine")

    removed = backups.rotate()

    assert removed == [made[1], made[0]]
    assert [backup.path for backup in backups.all()] == [made[3], made[2]]
    assert (backups.folder / "almario-mine.tar.gz").is_file()


def test_while_an_agent_is_missing_the_last_backup_that_has_it_is_kept(
    home: Path, soul: Soul, clock: FixedClock, tmp_path: Path
) -> None:
    wiring.open_home(home).home.create("berta", lambda folder: None, path=str(tmp_path / "disk"))
    backups = wiring.backups(home, settings={"backup.keep": 2}, clock=clock)

    def made() -> Path:
        clock.advance(days=1)
        path = backups.make().path
        backups.rotate()
        return path

    made()
    last = made()
    os.rename(tmp_path / "disk", tmp_path / "unplugged")
    without = [made() for _ in range(4)]
    assert [each.path for each in backups.all()] == [without[3], without[2], last]
    assert [".incomplete." in each.path.name for each in backups.all()] == [True, True, False]

    os.rename(tmp_path / "unplugged", tmp_path / "disk")

    assert [made(), without[3]] == [each.path for each in backups.all()]


def test_an_earlier_one_that_is_not_complete_is_known_by_its_list(
    home: Path, soul: Soul, clock: FixedClock
) -> None:
    backups = wiring.backups(home, settings={"backup.keep": 1}, clock=clock)
    made = []
    for marks in ({}, {"complete": False}):
        clock.advance(days=1)
        made.append(backups.make().path)
        as_before(made[-1], **marks)

    assert backups.rotate() == []
    assert [each.path for each in backups.all()] == made[::-1]


def test_what_a_killed_run_left_is_removed(backups: Backups) -> None:
    left = backups.folder / ".making-abcd" / "home"
    left.mkdir(parents=True)

    backups.make()

    assert not left.exists()


def test_two_at_once_are_one(backups: Backups) -> None:
    backups.make()
    with locked(backups.folder / ".lock", seconds=0), pytest.raises(StoreBusy):
        backups.make()


def test_a_backup_of_a_home_holds_no_backups(backups: Backups, tmp_path: Path) -> None:
    backups.make()

    backups.restore(backups.make().path, tmp_path / "again")

    assert not (tmp_path / "again" / "backups").exists()


def test_what_has_no_content_or_no_end_is_left_out(backups: Backups, soul: Soul, tmp_path: Path) -> None:
    os.mkfifo(soul.path / "pipe")
    for link, target in {"a": "b", "b": "a", "nowhere": "gone", "up": "..", "to-pipe": "pipe"}.items():
        (soul.path / link).symlink_to(target)

    made = backups.make()
    backups.restore(made.path, tmp_path / "again")

    assert [str(each) for each in made.told] == [
        f"{soul.path}/up is not in the backup: it is a link to a folder"
    ]
    left = {"a", "b", "nowhere", "up", "pipe", "to-pipe"}
    assert not left & set(os.listdir(tmp_path / "again" / "agents" / soul.id))


@pytest.mark.parametrize("is_folder", [False, True])
def test_what_cannot_be_read_is_told_and_the_rest_is_kept(
    backups: Backups, soul: Soul, monkeypatch: pytest.MonkeyPatch, is_folder: bool
) -> None:
    stray = soul.path / "stray"
    stray.mkdir() if is_folder else stray.write_text("mine")
    opening, scanning = os.open, os.scandir

    def allowed(path: Any) -> Any:
        if path == stray:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return path

    monkeypatch.setattr(os, "open", lambda path, *rest, **more: opening(allowed(path), *rest, **more))
    monkeypatch.setattr(os, "scandir", lambda path=".": scanning(allowed(path)))

    made = backups.make()

    assert [str(each) for each in made.told] == [f"{stray} is not in the backup: Permission denied"]
    assert backups.check(made.path) == []


def test_a_disk_that_is_full_is_no_reason_to_leave_something_out(
    backups: Backups, soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tarfile.TarFile, "addfile", full)

    with pytest.raises(StoreError, match="cannot be written: No space left"):
        backups.make()
    assert backups.all() == []


def test_names_of_any_bytes_come_back(backups: Backups, soul: Soul, tmp_path: Path) -> None:
    names = [b"caf\xe9.md", b"two\nlines.md", "\N{DOG} ñ.md".encode(), b"x" * 255]
    for name in names:
        Path(os.fsdecode(os.fsencode(soul.path) + b"/" + name)).write_bytes(name)

    backups.restore(backups.make().path, tmp_path / "again")

    folder = os.fsencode(tmp_path / "again" / "agents" / soul.id)
    assert {name for name in os.listdir(folder) if name in names} == set(names)


def test_backups_in_an_agents_folder_are_no_part_of_it(home: Path, soul: Soul, tmp_path: Path) -> None:
    backups = wiring.backups(home, settings={"backup.folder": str(soul.path / "kept")})
    backups.make()

    backups.restore(backups.make().path, tmp_path / "again")

    assert not (tmp_path / "again" / "agents" / soul.id / "kept").exists()


def test_a_folder_without_a_root_is_meant_from_the_home(
    home: Path, soul: Soul, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert wiring.backups(home, settings={"backup.folder": "safe"}).folder == home / "safe"


def test_what_only_looks_like_a_backup_is_none(backups: Backups) -> None:
    made = backups.make()
    for name in ("almario-20261399T000000Z.tar.gz", "almario-２０２６1115T033000Z.tar.gz"):
        (backups.folder / name).write_text("mine")

    assert [backup.path for backup in backups.all()] == [made.path]


def test_a_clock_that_was_wrong_makes_no_later_backup_go(home: Path, soul: Soul, clock: FixedClock) -> None:
    backups = wiring.backups(home, settings={"backup.keep": 2}, clock=clock)
    clock.advance(days=10_000)
    ahead = [backups.make().path, backups.make().path]
    clock.advance(days=-10_000)

    right = backups.make().path

    assert backups.rotate() == [ahead[0]]
    assert backups.find() == right


def test_nothing_is_restored_among_the_agents(backups: Backups, home: Path, soul: Soul) -> None:
    made = backups.make()
    for place in (home / "agents" / "new", soul.path / "new", home / "trash" / "ana.20261114T133000Z"):
        with pytest.raises(SoulError, match="overlaps with"):
            backups.restore(made.path, place)
        assert not place.exists()


def test_a_file_in_the_trash_is_no_agent(backups: Backups, home: Path) -> None:
    (home / "trash").mkdir()
    (home / "trash" / "ana.20260101T000000Z").write_text("mine")

    assert backups.make().told == ()


def test_an_agent_that_is_brought_back_while_the_others_are_listed_is_seen(
    backups: Backups, home: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = FolderHome(home, clock)
    almario.create(home, "ana", clock=clock).close()
    here.remove("ana")
    coming = threading.Thread(target=here.bring_back, args=("ana",))
    agents = FolderHome.agents

    def slowly(self: FolderHome) -> list[ListedAgent]:
        found = agents(self)
        if threading.current_thread() is not coming and not coming.ident:
            coming.start()
            coming.join(0.2)
        return found

    monkeypatch.setattr(FolderHome, "agents", slowly)
    made = backups.make()
    coming.join()

    with tarfile.open(made.path) as archive:
        is_there = any("/ana" in f"/{name}" for name in archive.getnames())
    assert is_there or made.told
