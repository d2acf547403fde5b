"""Edits are noticed while they are made, whoever makes them, and whatever becomes of the watcher."""

import contextlib
import logging
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from almario.domain.documents.document import hash_of
from almario.errors import StoreBusy
from almario.store import replacing
from almario.store.settings import WatchSettings
from almario.store.watch import Watch, reported_by_system
from tests.waiting import comes_true

# What real waiting may take on a busy machine before a test gives up.
LONG = 60
QUICK = WatchSettings(debounce=0.02, patience=1.0, rescan=3600)
Touched = frozenset[str]


class Stage:
    """Plays reports to a watch, one at a time, on a clock that only `wait` moves; counts the calls."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = 0.0
        self.calls = 0
        self.refusal: Exception | None = None
        self.started = 0
        self._steps: queue.Queue[tuple[Touched | None, threading.Event]] = queue.Queue()

    def reports(self, root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        self.started += 1
        yield frozenset()
        while True:
            step, done = self._steps.get()
            try:
                if step is None:
                    return
                yield step
            finally:
                done.set()

    def changed(self) -> None:
        self.calls += 1
        if self.refusal:
            raise self.refusal

    def touch(self, *names: str) -> None:
        self._play(frozenset(str(self.root / name) for name in names))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self._play(frozenset())

    def end(self) -> None:
        self._steps.put((None, threading.Event()))

    def _play(self, step: Touched | None) -> None:
        done = threading.Event()
        self._steps.put((step, done))
        assert done.wait(LONG)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "agent"
    for name in ("MEMORY.md", "SOUL.md", "memory/2026-11-14.md"):
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
        stage.wait(2)
        assert stage.calls == 1  # for what was changed before anything could be reported
        stage.calls = 0
        yield stage
    finally:
        stage.end()
        watch.stop()


@pytest.fixture
def stage(root: Path) -> Iterator[Stage]:
    with staged(root) as stage:
        yield stage


class Ear:
    """Whoever a watch on real time calls: reads the files."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen: dict[str, str] = {}
        self._heard = threading.Condition()

    def changed(self) -> None:
        texts = {path.name: path.read_text() for path in self._root.rglob("*.md")}
        with self._heard:
            self._seen = texts
            self._heard.notify_all()

    def hears(self, name: str, text: str | None) -> bool:
        with self._heard:
            return self._heard.wait_for(lambda: bool(self._seen) and self._seen.get(name) == text, LONG)


# When


def test_somebody_is_called_once_when_two_seconds_were_quiet(stage: Stage) -> None:
    stage.touch("MEMORY.md")
    stage.wait(1.9)
    assert stage.calls == 0

    stage.wait(0.1)
    stage.wait(30)

    assert stage.calls == 1


def test_every_further_edit_prolongs_the_wait_and_joins_the_call(stage: Stage) -> None:
    stage.touch("MEMORY.md")
    stage.wait(1.5)
    stage.touch("memory/2026-11-14.md")
    stage.wait(1.5)
    assert stage.calls == 0

    stage.wait(0.5)

    assert stage.calls == 1


def test_a_program_that_never_stops_writing_is_told_of_after_ten_seconds(stage: Stage) -> None:
    for _ in range(21):
        stage.touch("MEMORY.md")
        stage.wait(1)

    assert stage.calls == 2


def test_our_own_bookkeeping_neither_calls_nor_delays(stage: Stage) -> None:
    ours = (".index/words.db-wal", "journal/000000001.jsonl", "costs/2026-11.jsonl", ".versions/x", ".lock")
    stage.touch("MEMORY.md")
    stage.wait(1.5)
    stage.touch(*ours)
    stage.wait(0.5)
    assert stage.calls == 1

    stage.touch(*ours)
    stage.wait(5)
    assert stage.calls == 1


def test_a_folder_behind_a_link_is_watched_where_it_really_lies(root: Path, tmp_path: Path) -> None:
    os.symlink(root, tmp_path / "link")

    with staged(tmp_path / "link") as stage:
        stage.touch("memory/2026-11-14.md")
        stage.wait(2)

    assert stage.calls == 1


def test_edits_that_the_system_lost_are_looked_for_within_a_minute(stage: Stage) -> None:
    stage.wait(59)
    assert stage.calls == 0

    stage.wait(1)
    stage.wait(2)

    assert stage.calls == 1


def test_an_edit_made_before_reports_begin_is_noticed(root: Path) -> None:
    ear, edited = Ear(root), threading.Event()

    def late(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        edited.wait(LONG)
        while not stopping.wait(0.02):
            yield frozenset()

    with Watch(root, ear.changed, QUICK, reports=late):
        (root / "MEMORY.md").write_text("just after start")
        edited.set()
        assert ear.hears("MEMORY.md", "just after start")


# When the watcher fails


@pytest.mark.parametrize("ending", [OSError(28, "inotify watch limit reached"), None])
def test_a_watcher_that_dies_is_started_again_and_nothing_is_missed(
    root: Path, ending: OSError | None
) -> None:
    ear, lives = Ear(root), []

    def mortal(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        lives.append(1)
        yield frozenset()
        if len(lives) == 1:
            (root / "MEMORY.md").write_text("written as the watcher dies")
            if ending:
                raise ending
            return
        while not stopping.wait(0.02):
            yield frozenset()

    with Watch(root, ear.changed, QUICK, reports=mortal):
        assert ear.hears("MEMORY.md", "written as the watcher dies")
    assert len(lives) == 2


def test_without_any_watcher_the_files_are_looked_at_again_and_again(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ear, attempts = Ear(root), threading.Semaphore(0)
    endless = WatchSettings(debounce=0.1, patience=3600, rescan=3600)

    def dead(root: Path, stopping: threading.Event) -> Generator[Touched, None, None]:
        attempts.release()
        raise OSError(24, "too many open files")
        yield frozenset()

    with caplog.at_level(logging.WARNING), Watch(root, ear.changed, endless, reports=dead):
        for text in ("first", "second"):
            (root / "MEMORY.md").write_text(text)
            assert ear.hears("MEMORY.md", text)
        assert all(attempts.acquire(timeout=LONG) for _ in range(3))
    assert [record.message.count("too many open files") for record in caplog.records] == [1]


def test_what_watchfiles_raises_is_survived(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> Generator[set[tuple[int, str]], None, None]:
        raise RuntimeError("error in underlying watcher")
        yield set()

    monkeypatch.setattr("watchfiles.watch", failing)
    ear = Ear(root)

    with Watch(root, ear.changed, QUICK):
        (root / "MEMORY.md").write_text("edited")
        assert ear.hears("MEMORY.md", "edited")


def test_another_folder_in_its_place_is_watched_instead(root: Path, tmp_path: Path) -> None:
    ear, begun, watched = Ear(root), threading.Event(), []

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
        assert ear.hears("MEMORY.md", "from a backup")
        assert comes_true(lambda: watched[-1] == os.stat(root).st_ino)


def test_while_the_folder_is_away_nobody_is_called(stage: Stage, tmp_path: Path) -> None:
    os.rename(stage.root, tmp_path / "away")
    stage.touch("MEMORY.md", "SOUL.md")
    stage.wait(2)
    stage.wait(60)
    stage.wait(2)

    assert stage.calls == 0


# When the call fails


@pytest.mark.parametrize("refusal", [StoreBusy("busy"), OSError(5, "Input/output error")])
def test_a_call_that_failed_is_made_again_within_a_minute_though_nothing_changes(
    stage: Stage, refusal: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    stage.refusal = refusal
    stage.touch("MEMORY.md")
    stage.wait(2)
    assert str(refusal) in caplog.text
    stage.refusal = None
    stage.wait(30)
    assert stage.calls == 1

    stage.wait(30)
    stage.wait(2)

    assert stage.calls == 2
    assert stage.started == 1


# Beginning and end


def test_switched_off_nothing_is_watched(root: Path) -> None:
    before = set(threading.enumerate())

    with Watch(root, print, WatchSettings(enabled=False)):
        assert not set(threading.enumerate()) - before


def test_stop_returns_after_the_call_under_way_and_its_thread_have_ended(root: Path) -> None:
    called, ended = threading.Event(), threading.Event()

    def slow() -> None:
        called.set()
        ended.wait(0.05)
        ended.set()

    before = set(threading.enumerate())
    watch = Watch(root, slow, QUICK)
    watch.start()
    watch.start()
    assert len(set(threading.enumerate()) - before) == 1
    assert called.wait(LONG)

    watch.stop()

    assert ended.is_set()
    assert not set(threading.enumerate()) - before
    watch.stop()


def test_the_one_who_is_called_may_stop_the_watch_and_it_can_begin_again(root: Path) -> None:
    ear = Ear(root)

    def once() -> None:
        watch.stop()
        ear.changed()

    watch = Watch(root, once, QUICK)
    for text in ("first", "second"):
        (root / "MEMORY.md").write_text(text)
        watch.start()
        assert ear.hears("MEMORY.md", text)


def test_a_process_that_forgets_to_stop_its_watch_can_still_end(root: Path) -> None:
    code = f"from almario.store.watch import *; Watch(Path({str(root)!r}), print).start()"

    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=LONG).returncode == 0


# With the real thing


def in_place(path: Path) -> None:
    with path.open("r+") as file:
        file.write("edit")


def renamed_over(path: Path) -> None:
    path.with_name("saved.tmp").write_text("new")
    os.replace(path.with_name("saved.tmp"), path)


def as_vim_does(path: Path) -> None:
    swap, backup = path.with_name(f".{path.name}.swp"), path.with_name(f"{path.name}~")
    swap.write_text("swap")
    os.rename(path, backup)
    path.write_text("new")
    backup.unlink()
    swap.unlink()


def by_almario(path: Path) -> None:
    replacing.replace(path, b"ours", expected=hash_of(path.read_bytes()))


def test_however_a_file_is_saved_it_is_noticed(root: Path) -> None:
    ear, path = Ear(root), root / "MEMORY.md"
    with Watch(root, ear.changed, QUICK):
        assert ear.hears("MEMORY.md", "MEMORY.md")
        for edit in (in_place, renamed_over, as_vim_does, by_almario, Path.unlink):
            edit(path)
            assert ear.hears("MEMORY.md", path.read_text() if path.exists() else None), edit.__name__


def test_new_folders_and_folders_moved_in_are_watched_from_then_on(root: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.md").write_text("x")
    ear = Ear(root)
    with Watch(root, ear.changed, QUICK):
        assert ear.hears("MEMORY.md", "MEMORY.md")
        os.rename(tmp_path / "notes", root / "notes")
        assert ear.hears("a.md", "x")
        (root / "new/deep").mkdir(parents=True)
        (root / "new/deep/b.md").write_text("x")
        assert ear.hears("b.md", "x")
        (root / "notes/a.md").write_text("more")
        assert ear.hears("a.md", "more")
        (root / "new/deep/b.md").unlink()
        assert ear.hears("b.md", None)


def test_a_folder_deleted_and_made_anew_is_reported_on_again(root: Path) -> None:
    ear, lives = Ear(root), threading.Semaphore(0)

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
        assert ear.hears("MEMORY.md", "anew")
        assert lives.acquire(timeout=LONG)
        (root / "later.md").write_text("x")
        assert ear.hears("later.md", "x")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_a_name_that_is_not_text_does_not_end_the_watch(root: Path) -> None:
    ear = Ear(root)
    with Watch(root, ear.changed, QUICK):
        Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")).write_text("x")
        assert ear.hears("\udcff.md", "x")
        (root / "MEMORY.md").write_text("more")
        assert ear.hears("MEMORY.md", "more")
