"""Edits are noticed while they are made, whoever makes them, and whatever becomes of the watcher."""

import contextlib
import logging
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import watchfiles

from almario.domain.documents.document import hash_of
from almario.errors import StoreBusy
from almario.store import replacing
from almario.store.listing import Listing
from almario.store.settings import WatchSettings
from almario.store.watch import Watch, is_watched, reported_by_system, snapshot
from tests.tables import each_row

# What real waiting may take on a busy machine before a test gives up.
LONG = 60
QUICK = WatchSettings(debounce=0.1, patience=1.0, rescan=3600)
Touched = frozenset[str]


class Stage:
    """Plays reports to a watch, one at a time, on a clock that only `wait` moves."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = 0.0
        self.told: list[set[str]] = []
        self.refusal: Exception | None = None
        self.started = 0
        self._steps: queue.Queue[tuple[Touched | OSError | None, threading.Event]] = queue.Queue()

    def reports(self, root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        self.started += 1
        yield frozenset()
        while True:
            step, done = self._steps.get()
            try:
                if isinstance(step, OSError):
                    raise step
                if step is None:
                    return
                yield step
            finally:
                done.set()

    def changed(self, names: frozenset[str]) -> None:
        self.told.append(set(names))
        if self.refusal:
            raise self.refusal

    def touch(self, *names: str) -> None:
        self._play(frozenset(str(self.root / name) for name in names))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self._play(frozenset())

    def edit(self, name: str, text: str = "edited") -> None:
        (self.root / name).write_text(text)
        self.touch(name)

    def end(self) -> None:
        self._steps.put((None, threading.Event()))

    def _play(self, step: Touched | OSError | None) -> None:
        done = threading.Event()
        self._steps.put((step, done))
        assert done.wait(LONG)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "agent"
    for name in ("MEMORY.md", "SOUL.md", "memory/2026-11-14.md", "memory/archive/old.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


@contextlib.contextmanager
def staged(root: Path) -> Iterator[Stage]:
    stage = Stage(Path(os.path.realpath(root)))
    watch = Watch(root, stage.changed, reports=stage.reports, monotonic=lambda: stage.now)
    watch.start()
    try:
        stage.wait(0)
        yield stage
    finally:
        stage.end()
        watch.stop()


@pytest.fixture
def stage(root: Path) -> Iterator[Stage]:
    with staged(root) as stage:
        yield stage


class Ear:
    """Hears what a watch on real time tells."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._heard = threading.Condition()

    def changed(self, names: frozenset[str]) -> None:
        with self._heard:
            self.names |= names
            self._heard.notify_all()

    def hears(self, *names: str) -> bool:
        with self._heard:
            return self._heard.wait_for(lambda: self.names >= set(names), LONG)


# Which files


@each_row(
    "name",
    [
        "MEMORY.md",
        "SOUL.md",
        "agent.toml",
        "memory/2026-11-14.md",
        "memory/snapshots/a-b.md",
        "mis notas/año.md",
        "sessions/main.jsonl",
        "memory/journal/x.md",
    ],
)
def test_what_an_owner_edits_is_watched(name: str) -> None:
    assert is_watched(name)


@each_row(
    "name",
    [
        ".index/words.md",
        ".versions/SOUL.md/abc.md",
        ".git/x.md",
        "journal/000000001.jsonl",
        "journal/cut/x.md",
        "sessions/archive/main.jsonl",
        "other/main.jsonl",
        "main.jsonl",
        "memory/agent.toml",
        "MEMORY.conflict-1a2b3c4d.md",
        "sessions/main.conflict-1a2b3c4d.jsonl",
        ".MEMORY.md.0123456789ab-0123456789ab-01234567.tmp",
        ".MEMORY.md.swp",
        ".#MEMORY.md",
        "#MEMORY.md#",
        "MEMORY.md~",
        "memory/.hidden.md",
        "4913",
        "picture.png",
        ".lock",
    ],
)
def test_what_is_ours_hidden_or_a_copy_is_not_watched(name: str) -> None:
    assert not is_watched(name)


# When


def test_an_edit_is_told_once_when_two_seconds_were_quiet(stage: Stage) -> None:
    stage.edit("MEMORY.md")
    stage.wait(1.9)
    assert stage.told == []

    stage.wait(0.1)
    stage.wait(30)

    assert stage.told == [{"MEMORY.md"}]


def test_every_further_edit_prolongs_the_wait_and_joins_the_call(stage: Stage) -> None:
    stage.edit("MEMORY.md")
    stage.wait(1.5)
    stage.edit("memory/2026-11-14.md")
    stage.wait(1.5)
    assert stage.told == []

    stage.wait(0.5)

    assert stage.told == [{"MEMORY.md", "memory/2026-11-14.md"}]


def test_a_program_that_never_stops_writing_is_told_of_after_ten_seconds(stage: Stage) -> None:
    for turn in range(21):
        stage.edit("MEMORY.md", f"turn {turn}")
        stage.wait(1)

    assert stage.told == [{"MEMORY.md"}, {"MEMORY.md"}]


def test_our_own_bookkeeping_neither_calls_nor_delays(stage: Stage) -> None:
    stage.edit("MEMORY.md")
    stage.wait(1.5)
    stage.touch(".index/words.db-wal", "journal/000000001.jsonl", ".versions/x", ".lock")
    stage.wait(0.5)
    assert stage.told == [{"MEMORY.md"}]

    stage.touch(".index/words.db-wal", "journal/000000001.jsonl")
    stage.wait(5)
    assert len(stage.told) == 1


def test_what_is_not_watched_calls_nobody(stage: Stage) -> None:
    (stage.root / "picture.png").write_text("x")
    stage.touch("picture.png")
    stage.wait(2)

    assert stage.told == []


def test_a_report_is_believed_where_the_stats_show_nothing(stage: Stage) -> None:
    stage.touch("SOUL.md")
    stage.wait(2)

    assert stage.told == [{"SOUL.md"}]


# Folders


def test_a_folder_moved_in_whole_tells_of_all_that_is_in_it(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "notes/deep").mkdir(parents=True)
    for name in ("a.md", "deep/b.md", "c.png"):
        (tmp_path / "notes" / name).write_text("x")
    os.rename(tmp_path / "notes", stage.root / "notes")

    stage.touch("notes")
    stage.wait(2)

    assert stage.told == [{"notes/a.md", "notes/deep/b.md"}]


def test_a_folder_moved_tells_of_both_places_and_one_moved_out_of_what_is_gone(
    stage: Stage, tmp_path: Path
) -> None:
    os.rename(stage.root / "memory", stage.root / "recuerdos")
    stage.touch("memory", "recuerdos")
    stage.wait(2)
    os.rename(stage.root / "recuerdos", tmp_path / "elsewhere")
    stage.touch("recuerdos")
    stage.wait(2)

    gone = {"recuerdos/2026-11-14.md", "recuerdos/archive/old.md"}
    assert stage.told == [gone | {"memory/2026-11-14.md", "memory/archive/old.md"}, gone]


def test_a_folder_behind_a_link_is_watched_where_it_really_lies(root: Path, tmp_path: Path) -> None:
    os.symlink(root, tmp_path / "link")

    with staged(tmp_path / "link") as stage:
        stage.touch("memory/2026-11-14.md")
        stage.wait(2)

    assert stage.told == [{"memory/2026-11-14.md"}]


def test_a_link_that_leads_round_in_circles_is_not_followed(root: Path) -> None:
    os.symlink(root, root / "memory" / "again")
    os.symlink("nowhere", root / "lost.md")

    found = snapshot(root, {}, Listing())

    assert found is not None
    assert set(found) == {"MEMORY.md", "SOUL.md", "memory/2026-11-14.md", "memory/archive/old.md"}


def test_what_lies_in_an_unreadable_folder_does_not_count_as_deleted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(root, {}, Listing())
    assert before is not None
    look = os.scandir

    def refusing(path: Path) -> "contextlib.AbstractContextManager[Iterator[os.DirEntry[str]]]":
        if path.name == "archive":
            raise PermissionError(13, "Permission denied")
        return look(path)

    monkeypatch.setattr(os, "scandir", refusing)

    assert snapshot(root, before, Listing()) == before


# What is not reported


def test_edits_that_the_system_lost_are_found_within_a_minute(stage: Stage) -> None:
    (stage.root / "MEMORY.md").write_text("longer than before")
    (stage.root / "SOUL.md").unlink()
    (stage.root / "new.md").write_text("x")
    stage.wait(59)
    assert stage.told == []

    stage.wait(1)
    stage.wait(2)

    assert stage.told == [{"MEMORY.md", "SOUL.md", "new.md"}]


def test_an_edit_that_hides_behind_its_old_size_and_time_is_found(stage: Stage) -> None:
    path = stage.root / "MEMORY.md"
    old = path.stat()
    path.write_text("m" * old.st_size)
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))

    stage.wait(60)
    stage.wait(2)

    assert stage.told == [{"MEMORY.md"}]


def test_what_was_told_is_not_found_again_by_the_next_look(stage: Stage) -> None:
    stage.edit("MEMORY.md")
    stage.wait(2)
    stage.wait(60)
    stage.wait(60)

    assert stage.told == [{"MEMORY.md"}]


def test_an_edit_made_before_reports_begin_is_noticed(root: Path) -> None:
    ear, edited = Ear(), threading.Event()

    def late(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        edited.wait(LONG)
        while not stopping.wait(0.02):
            yield frozenset()

    with Watch(root, ear.changed, QUICK, reports=late):
        (root / "MEMORY.md").write_text("just after start")
        edited.set()
        assert ear.hears("MEMORY.md")


# When the watcher fails


@pytest.mark.parametrize("ending", [OSError(28, "inotify watch limit reached"), None])
def test_a_watcher_that_dies_is_started_again_and_nothing_is_missed(
    root: Path, ending: OSError | None
) -> None:
    ear, lives = Ear(), []

    def mortal(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        lives.append(1)
        yield frozenset()
        if len(lives) == 1:
            (root / "MEMORY.md").write_text("written as the watcher dies")
            if ending:
                raise ending
            return
        yield frozenset({str(root / "reported.md")})
        while not stopping.wait(0.02):
            yield frozenset()

    with Watch(root, ear.changed, QUICK, reports=mortal):
        assert ear.hears("MEMORY.md", "reported.md")
    assert len(lives) == 2


def test_without_any_watcher_the_files_are_looked_at_again_and_again(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ear, attempts = Ear(), threading.Semaphore(0)

    def dead(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        attempts.release()
        raise OSError(24, "too many open files")
        yield frozenset()

    with caplog.at_level(logging.WARNING), Watch(root, ear.changed, QUICK, reports=dead):
        (root / "MEMORY.md").write_text("first")
        assert ear.hears("MEMORY.md")
        (root / "memory/2026-11-15.md").write_text("second")
        assert ear.hears("memory/2026-11-15.md")
        assert all(attempts.acquire(timeout=LONG) for _ in range(3))
    assert [record.message.count("too many open files") for record in caplog.records] == [1]


def test_looking_again_and_again_waits_for_quiet_too(root: Path) -> None:
    """While nothing more changes, the looks themselves must not put the call off."""
    ear = Ear()
    endless = WatchSettings(debounce=0.2, patience=3600, rescan=3600)

    def dead(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        raise OSError
        yield frozenset()

    with Watch(root, ear.changed, endless, reports=dead):
        (root / "MEMORY.md").write_text("edited")
        assert ear.hears("MEMORY.md")


def test_what_watchfiles_raises_is_survived(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> Generator[set[tuple[int, str]], None, None]:
        raise RuntimeError("error in underlying watcher")
        yield set()

    monkeypatch.setattr("watchfiles.watch", failing)
    ear = Ear()

    with Watch(root, ear.changed, QUICK):
        (root / "MEMORY.md").write_text("edited")
        assert ear.hears("MEMORY.md")


def test_another_folder_in_its_place_is_watched_instead(root: Path, tmp_path: Path) -> None:
    ear, begun, watched = Ear(), threading.Event(), []

    def reports(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        watched.append(os.stat(root).st_ino)
        yield frozenset()
        begun.set()
        while not stopping.wait(0.02):
            yield frozenset()

    shutil.copytree(root, tmp_path / "restored")
    (tmp_path / "restored" / "MEMORY.md").write_text("from a backup")
    with Watch(root, ear.changed, QUICK, reports=reports):
        assert begun.wait(LONG)
        os.rename(root, tmp_path / "aside")
        os.rename(tmp_path / "restored", root)
        assert ear.hears("MEMORY.md")
    assert watched[-1] == os.stat(root).st_ino


def test_a_folder_that_is_away_is_not_a_folder_whose_files_were_deleted(stage: Stage, tmp_path: Path) -> None:
    os.rename(stage.root, tmp_path / "away")
    stage.touch("MEMORY.md", "SOUL.md")
    stage.wait(2)
    stage.wait(60)

    assert stage.told == []


def test_a_folder_that_comes_back_tells_what_changed_meanwhile(root: Path, tmp_path: Path) -> None:
    ear, gone = Ear(), threading.Event()

    def reports(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        if not root.is_dir():
            gone.set()
            raise FileNotFoundError(2, "No such file or directory")
        while not stopping.wait(0.02):
            yield frozenset()

    with Watch(root, ear.changed, QUICK, reports=reports):
        os.rename(root, tmp_path / "away")
        assert gone.wait(LONG)
        (tmp_path / "away" / "SOUL.md").write_text("edited there")
        os.rename(tmp_path / "away", root)
        assert ear.hears("SOUL.md")
    assert ear.names == {"SOUL.md"}


# When the call fails


@pytest.mark.parametrize("refusal", [StoreBusy("busy"), OSError(5, "Input/output error")])
def test_a_call_that_failed_is_made_again_with_the_next_change(
    stage: Stage, refusal: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    stage.refusal = refusal
    stage.edit("MEMORY.md")
    stage.wait(2)
    assert str(refusal) in caplog.text
    stage.refusal = None
    stage.edit("SOUL.md")
    stage.wait(2)

    assert stage.told == [{"MEMORY.md"}, {"MEMORY.md", "SOUL.md"}]
    assert stage.started == 1


def test_a_call_that_failed_is_made_again_within_a_minute_though_nothing_changes(stage: Stage) -> None:
    stage.refusal = StoreBusy("busy")
    stage.edit("MEMORY.md")
    stage.wait(2)
    stage.refusal = None
    stage.wait(30)
    assert len(stage.told) == 1

    stage.wait(30)
    stage.wait(2)
    stage.wait(120)

    assert stage.told == [{"MEMORY.md"}, {"MEMORY.md"}]


# Beginning and end


def test_switched_off_nothing_is_watched(root: Path) -> None:
    before = set(threading.enumerate())

    with Watch(root, print, WatchSettings(enabled=False)):
        assert not set(threading.enumerate()) - before


def test_stop_returns_after_the_call_under_way_and_its_thread_have_ended(root: Path) -> None:
    called, ended = threading.Event(), threading.Event()

    def slow(_: frozenset[str]) -> None:
        called.set()
        ended.wait(0.3)
        ended.set()

    before = set(threading.enumerate())
    watch = Watch(root, slow, QUICK)
    watch.start()
    watch.start()
    assert len(set(threading.enumerate()) - before) == 1
    (root / "MEMORY.md").write_text("edited")
    assert called.wait(LONG)

    watch.stop()

    assert ended.is_set()
    assert not set(threading.enumerate()) - before
    watch.stop()


def test_what_was_untold_when_it_stopped_is_left_to_the_next_opening(root: Path) -> None:
    stage = Stage(Path(os.path.realpath(root)))
    watch = Watch(root, stage.changed, reports=stage.reports, monotonic=lambda: stage.now)
    for name in ("MEMORY.md", "SOUL.md"):
        watch.start()
        stage.edit(name)
        stage.wait(1)
        stage.now += 60
        stage.end()
        watch.stop()
    watch.start()
    stage.wait(60)
    stage.wait(60)
    stage.end()
    watch.stop()

    assert stage.told == []


def test_the_one_who_is_called_may_stop_the_watch_and_it_can_begin_again(root: Path) -> None:
    ear = Ear()

    def once(names: frozenset[str]) -> None:
        watch.stop()
        ear.changed(names)

    watch = Watch(root, once, QUICK)
    for name in ("MEMORY.md", "SOUL.md"):
        watch.start()
        (root / name).write_text("edited")
        assert ear.hears(name)


def test_a_process_that_forgets_to_stop_its_watch_can_still_end(root: Path) -> None:
    code = f"from almario.store.watch import *; Watch(Path({str(root)!r}), print).start()"

    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=LONG).returncode == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_watch_that_a_mistake_of_the_called_ended_can_begin_again(root: Path) -> None:
    ear, mistakes = Ear(), [ZeroDivisionError()]

    def mistaken(names: frozenset[str]) -> None:
        ear.changed(names)
        if mistakes:
            raise mistakes.pop()

    watch = Watch(root, mistaken, QUICK)
    before = set(threading.enumerate())
    watch.start()
    [thread] = set(threading.enumerate()) - before
    (root / "MEMORY.md").write_text("edited")
    assert ear.hears("MEMORY.md")
    thread.join(LONG)

    with watch:
        (root / "SOUL.md").write_text("edited")
        assert ear.hears("SOUL.md")


def test_watchfiles_is_loaded_only_by_who_watches() -> None:
    code = "import sys, almario.config, almario.store.watch; sys.exit('watchfiles' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# With the real thing


def in_place(path: Path) -> None:
    with path.open("r+") as file:
        file.write("edit")


def truncated(path: Path) -> None:
    path.write_text("")
    path.write_text("the whole again")


def renamed_over(path: Path) -> None:
    path.with_name("saved.tmp").write_text("new")
    os.replace(path.with_name("saved.tmp"), path)


def as_vim_does(path: Path) -> None:
    swap, backup = path.with_name(f".{path.name}.swp"), path.with_name(f"{path.name}~")
    swap.write_text("swap")
    path.with_name("4913").touch()
    path.with_name("4913").unlink()
    os.rename(path, backup)
    path.write_text("new")
    backup.unlink()
    swap.unlink()


def by_almario(path: Path) -> None:
    replacing.replace(path, b"ours", expected=hash_of(path.read_bytes()))


@pytest.mark.parametrize(
    "edit",
    [in_place, truncated, renamed_over, as_vim_does, by_almario, Path.unlink],
    ids=lambda edit: edit.__name__,
)
def test_however_a_file_is_saved_it_alone_is_told(root: Path, edit: Callable[[Path], None]) -> None:
    ear = Ear()
    with Watch(root, ear.changed, QUICK):
        edit(root / "MEMORY.md")
        assert ear.hears("MEMORY.md")
    assert ear.names == {"MEMORY.md"}


def test_new_folders_and_folders_moved_in_are_watched_from_then_on(root: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.md").write_text("x")
    ear = Ear()
    with Watch(root, ear.changed, QUICK):
        os.rename(tmp_path / "notes", root / "notes")
        (root / "new/deep").mkdir(parents=True)
        (root / "new/deep/b.md").write_text("x")
        assert ear.hears("notes/a.md", "new/deep/b.md")
        ear.names.clear()
        (root / "notes/a.md").write_text("more")
        (root / "new/deep/b.md").unlink()
        assert ear.hears("notes/a.md", "new/deep/b.md")


def test_a_folder_deleted_and_made_anew_is_reported_on_again(root: Path) -> None:
    ear, lives = Ear(), threading.Semaphore(0)

    def counted(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        for turn, paths in enumerate(reported_by_system(root, stopping)):
            if turn == 0:
                lives.release()
            yield paths

    with Watch(root, ear.changed, QUICK, reports=counted):
        assert lives.acquire(timeout=LONG)
        shutil.rmtree(root)
        root.mkdir()
        (root / "MEMORY.md").write_text("anew")
        assert ear.hears("MEMORY.md")
        assert lives.acquire(timeout=LONG)
        (root / "later.md").write_text("x")
        assert ear.hears("later.md")


def test_a_watch_that_may_take_its_time_seldom_wakes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    begun = threading.Event()

    def watched(*_: object, rust_timeout: int, stop_event: threading.Event, **__: object) -> Iterator[Any]:
        asked.append(rust_timeout)
        begun.set()
        stop_event.wait(LONG)
        yield from ()

    monkeypatch.setattr(watchfiles, "watch", watched)
    with Watch(root, Ear().changed):
        assert begun.wait(LONG)

    assert asked == [500]  # milliseconds


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_a_name_that_is_not_text_does_not_end_the_watch(root: Path) -> None:
    ear = Ear()
    with Watch(root, ear.changed, QUICK):
        Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")).write_text("x")
        assert ear.hears("\udcff.md")
        (root / "MEMORY.md").write_text("more")
        assert ear.hears("MEMORY.md")
