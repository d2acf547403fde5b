"""Edits are noticed while they are made, whoever makes them and however."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from almario.domain.documents.document import hash_of
from almario.errors import StoreBusy
from almario.store import replacing
from almario.store.settings import WatchSettings
from almario.store.watch import Watch

# What real waiting may take on a busy machine before a test gives up.
LONG = 60
QUICK = WatchSettings(debounce=0.02)


class Stage:
    """Looks at a folder every two seconds, on a clock of its own; counts the calls."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = 0.0
        self.calls = 0
        self.refusal: Exception | None = None
        self._watch = Watch(root, self.changed, monotonic=lambda: self.now)
        self._watch.look()
        assert self.calls == 1  # for what was changed before anybody looked
        self.calls = 0

    def changed(self) -> None:
        self.calls += 1
        if self.refusal:
            raise self.refusal

    def touch(self, *names: str) -> None:
        for name in names:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            with (self.root / name).open("a") as file:
                file.write("more")

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 2)):
            self.now += 2
            self._watch.look()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "agent"
    for name in ("MEMORY.md", "SOUL.md", "memory/2026-11-14.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


@pytest.fixture
def stage(root: Path) -> Stage:
    return Stage(root)


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
    stage.wait(2)
    assert stage.calls == 0

    stage.wait(30)

    assert stage.calls == 1


def test_every_further_edit_prolongs_the_wait_and_joins_the_call(stage: Stage) -> None:
    for name in ("MEMORY.md", "memory/2026-11-14.md"):
        stage.touch(name)
        stage.wait(2)
    assert stage.calls == 0

    stage.wait(2)

    assert stage.calls == 1


def test_a_program_that_never_stops_writing_is_told_of_after_ten_seconds(stage: Stage) -> None:
    for _ in range(12):
        stage.touch("MEMORY.md")
        stage.wait(2)

    assert stage.calls == 2


def test_our_own_bookkeeping_neither_calls_nor_delays(stage: Stage) -> None:
    ours = (".index/words.db-wal", "journal/000000001.jsonl", "costs/2026-11.jsonl", ".versions/x", ".lock")
    stage.touch("MEMORY.md")
    stage.wait(2)
    stage.touch(*ours)
    stage.wait(2)
    assert stage.calls == 1

    stage.touch(*ours)
    stage.wait(6)
    assert stage.calls == 1


def test_a_folder_behind_a_link_is_watched_where_it_really_lies(root: Path, tmp_path: Path) -> None:
    os.symlink(root, tmp_path / "link")
    stage = Stage(tmp_path / "link")

    stage.touch("memory/2026-11-14.md")
    stage.wait(4)

    assert stage.calls == 1


def test_an_edit_made_during_a_call_is_another(root: Path) -> None:
    calls: list[str] = []

    def edits_once() -> None:
        if not calls:
            (root / "SOUL.md").write_text("edited meanwhile")
        calls.append((root / "SOUL.md").read_text())

    watch = Watch(root, edits_once)
    for _ in range(5):
        watch.look()

    assert calls == ["edited meanwhile"] * 2


def test_while_the_folder_is_away_nobody_is_called_and_when_it_is_back_it_is_looked_at(
    stage: Stage, tmp_path: Path
) -> None:
    os.rename(stage.root, tmp_path / "away")
    stage.wait(60)
    assert stage.calls == 0

    (tmp_path / "away" / "SOUL.md").write_text("edited there")
    os.rename(tmp_path / "away", stage.root)
    stage.wait(4)

    assert stage.calls == 1


# When the call fails


@pytest.mark.parametrize("refusal", [StoreBusy("busy"), OSError(5, "Input/output error")])
def test_a_call_that_failed_is_made_again_within_a_minute_though_nothing_changes(
    stage: Stage, refusal: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    stage.refusal = refusal
    stage.touch("MEMORY.md")
    stage.wait(4)
    assert str(refusal) in caplog.text
    stage.refusal = None
    stage.wait(30)
    assert stage.calls == 1

    stage.wait(60)

    assert stage.calls == 2


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


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_watch_that_a_mistake_of_the_called_ended_can_begin_again(root: Path) -> None:
    ear, mistakes, is_seen = Ear(root), [ZeroDivisionError()], threading.Event()

    def mistaken() -> None:
        if mistakes:
            is_seen.wait(LONG)
            raise mistakes.pop()
        ear.changed()

    watch = Watch(root, mistaken, QUICK)
    before = set(threading.enumerate())
    watch.start()
    [thread] = set(threading.enumerate()) - before
    is_seen.set()
    thread.join(LONG)

    with watch:
        (root / "SOUL.md").write_text("edited")
        assert ear.hears("SOUL.md", "edited")


# However it is saved


def in_place(path: Path) -> None:
    with path.open("r+") as file:
        file.write("edit")


def renamed_over(path: Path) -> None:
    path.with_name("saved.tmp").write_text("new")
    os.replace(path.with_name("saved.tmp"), path)


def as_vim_does(path: Path) -> None:
    backup = path.with_name(f"{path.name}~")
    os.rename(path, backup)
    path.write_text("new")
    backup.unlink()


def by_almario(path: Path) -> None:
    replacing.replace(path, b"ours", expected=hash_of(path.read_bytes()))


def in_a_new_folder(path: Path) -> None:
    (path.parent / "new/deep").mkdir(parents=True)
    (path.parent / "new/deep/b.md").write_text("x")


def in_a_folder_moved_in(path: Path) -> None:
    moved = path.parent.with_name("moved")
    moved.mkdir()
    (moved / "a.md").write_text("x")
    os.rename(moved, path.parent / "notes")


def by_a_name_that_is_not_text(path: Path) -> None:
    Path(os.fsdecode(os.fsencode(path.parent) + b"/\xff.md")).write_text("x")


EDITS = (in_place, renamed_over, as_vim_does, by_almario, in_a_new_folder, in_a_folder_moved_in, Path.unlink)


def test_however_a_file_is_saved_it_is_noticed(stage: Stage) -> None:
    for edit in (*EDITS, *((by_a_name_that_is_not_text,) if sys.platform == "linux" else ())):
        stage.calls = 0
        edit(stage.root / "MEMORY.md")
        stage.wait(4)
        assert stage.calls == 1, edit.__name__
