"""The database's file: private, quick, shared between threads and processes, replaceable at any time."""

import contextlib
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from almario.adapters.sqlite.database import Database
from almario.errors import Damaged, StoreError

NAME = "index-2.db"


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = Database(tmp_path / ".index", NAME)
    database.set("seq", "1")
    return database


def run(script: str, *arguments: object, prefix: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run a script in another process, where `database` is the one in the folder given first."""
    opening = (
        "import sys\nfrom pathlib import Path\nfrom almario.adapters.sqlite.database import Database\n"
        f"database = Database(Path(sys.argv[1]), {NAME!r})\n"
    )
    command = [*prefix, sys.executable, "-c", opening + script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=120)


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = Database(tmp_path / ".index", NAME)
        with database.writing():
            database.set("a", "b")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / ".index").iterdir()}
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / ".index").stat().st_mode) == 0o700
    assert modes == {NAME: 0o600, f"{NAME}-wal": 0o600, f"{NAME}-shm": 0o600}


def test_a_new_file_takes_the_place_of_older_ones_and_leaves_the_rest(tmp_path: Path) -> None:
    for name in ("index-1.db", "index-1.db-wal", f"{NAME}-wal", f"{NAME}.new", "weights.bin"):
        (tmp_path / name).write_bytes(b"old")

    Database(tmp_path, NAME).set("a", "b")

    assert {path.name for path in tmp_path.iterdir()} == {NAME, f"{NAME}-wal", f"{NAME}-shm", "weights.bin"}


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_what_is_written_together_is_kept_together_or_not_at_all(tmp_path: Path, kind: str) -> None:
    database = Database(tmp_path if kind == "file" else None, NAME)
    database.require("CREATE TABLE mine(x)")
    database.set("seq", "1")
    with contextlib.suppress(ZeroDivisionError), database.writing() as connection:
        database.set("seq", "2")
        connection.execute("INSERT INTO mine VALUES (1)")
        _ = 1 / 0

    assert database.get("seq") == "1"
    with database.writing() as connection, database.writing():
        database.set("seq", "3")
        connection.execute("INSERT INTO mine VALUES (2)")
        assert database.get("seq") == "3"
    assert database.get("seq") == "3"
    with database.reading() as connection:
        assert connection.execute("SELECT x FROM mine").fetchall() == [(2,)]


def test_a_reading_sees_one_state_to_its_end(database: Database, tmp_path: Path) -> None:
    other = Database(tmp_path / ".index", NAME)
    with database.reading():
        assert database.get("seq") == "1"
        other.set("seq", "2")
        assert database.get("seq") == "1"
    assert database.get("seq") == "2"


def test_what_earlier_versions_kept_beside_the_file_is_gone_with_its_words(tmp_path: Path) -> None:
    for name in ("past", "cues"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index-12.db").write_text("what was forgotten")
    Database(tmp_path, NAME).set("a", "b")
    assert not [path for path in tmp_path.rglob("*") if path.name != NAME and not path.match(f"{NAME}-*")]


def test_a_write_inside_a_read_is_a_mistake(database: Database) -> None:
    with database.reading(), pytest.raises(RuntimeError), database.writing():
        pass


def test_whoever_reads_or_writes_ends_that_before_the_file_is_made_anew(database: Database) -> None:
    for use in (database.reading, database.writing):
        with use(), pytest.raises(Damaged):
            database.discard()
    assert database.get("seq") == "1"


def test_threads_read_while_one_writes(database: Database) -> None:
    seen: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            with database.reading():
                first, second = database.get("seq"), database.get("seq")
            seen.append(int(first or 0) - int(second or 0))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(2, 80):
        database.set("seq", str(number))
    done.set()
    for thread in threads:
        thread.join()

    assert set(seen) == {0}
    assert database.get("seq") == "79"


def test_a_database_in_memory_is_one_for_all_threads(tmp_path: Path) -> None:
    database = Database(None, NAME)
    database.set("seq", "0")

    def count() -> None:
        for _ in range(50):
            with database.writing():
                database.set("seq", str(int(database.get("seq") or 0) + 1))

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert database.get("seq") == "150"
    database.close()
    assert database.get("seq") == "150"
    database.discard()
    assert database.get("seq") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_fork_opens_the_file_for_itself(database: Database) -> None:
    with database.reading() as mine:
        pass
    child = os.fork()
    if not child:
        try:
            with database.reading() as own:
                pass
            database.set("seq", "2")
            os._exit(0 if own is not mine and database.get("seq") == "2" else 1)
        finally:  # whatever happens, this is not another run of the tests
            os._exit(1)

    assert os.waitpid(child, 0)[1] == 0
    assert database.get("seq") == "2"
    database.set("seq", "3")
    assert database.problems() == []


def syncs(script: str, folder: Path) -> list[str]:
    """Return in which order a script waits for the log and the file, and empties the log."""
    strace = shutil.which("strace")
    if not strace:
        pytest.skip("strace is not installed")
    traced = "trace=fsync,fdatasync,sync,msync,ftruncate"
    ran = run(script, folder, prefix=(strace, "-f", "-y", "-e", traced))
    assert ran.returncode == 0, ran.stderr
    calls = [line for line in ran.stderr.splitlines() if NAME in line and "-shm" not in line]
    named = [call.partition("(")[0] + (" log" if "-wal" in call else " file") for call in calls]
    return [call.replace("fdatasync", "fsync") for call in named if call != "ftruncate file"]


def test_a_commit_waits_for_no_disk(database: Database, tmp_path: Path) -> None:
    assert syncs("for n in range(50): database.set('seq', str(n))", tmp_path / ".index") == []


def test_the_log_is_on_the_disk_before_the_file_changes_and_the_file_before_the_log_is_emptied(
    database: Database, tmp_path: Path
) -> None:
    script = "database.set('seq', '2'); assert database.checkpoint(); database.set('seq', '3')"

    seen = syncs(script, tmp_path / ".index")

    assert seen == ["fsync log", "fsync file", "ftruncate log"]


def test_the_log_stays_short(database: Database, tmp_path: Path) -> None:
    log = tmp_path / ".index" / f"{NAME}-wal"
    longest = 0
    for number in range(40):
        database.set(f"key {number}", "x" * 200_000)
        longest = max(longest, log.stat().st_size)

    assert 1_000_000 < longest < 5_000_000


def test_what_was_read_stays_at_hand_however_much_this_process_writes(database: Database) -> None:
    """SQLite would move the log into the file by itself, which looks as if another had replaced it."""
    ages = set()
    for number in range(60):
        database.set(f"key {number}", "x" * 100_000)
        with database.reading():
            state = database.state()
            assert state
            ages.add(state.age)

    assert len(ages) == 1


def test_a_reader_that_holds_on_delays_only_the_checkpoint(database: Database, tmp_path: Path) -> None:
    other = Database(tmp_path / ".index", NAME)
    log = tmp_path / ".index" / f"{NAME}-wal"
    with other.reading():
        other.get("seq")
        for number in range(30):
            database.set("seq", str(number) * 200_000)
        assert log.stat().st_size > 5_000_000
        assert other.get("seq") == "1"
    assert other.get("seq") == "29" * 200_000
    assert database.checkpoint()
    assert log.stat().st_size == 0
    assert database.get("seq") == "29" * 200_000


def test_a_file_that_is_missing_is_damage_to_readers_and_made_anew_by_writers(database: Database) -> None:
    assert database.path
    database.path.unlink()

    with pytest.raises(Damaged):
        database.get("seq")
    assert not database.path.exists()
    database.set("other", "x")

    assert database.get("seq") is None
    assert database.get("other") == "x"


def test_one_process_discards_while_another_has_it_open(database: Database, tmp_path: Path) -> None:
    other = Database(tmp_path / ".index", NAME)
    with other.reading():
        assert other.get("seq") == "1"
        database.discard()
        database.set("seq", "new")
        assert other.get("seq") == "1"
    assert other.get("seq") == "new"
    database.set("seq", "newer")
    other.close()

    assert Database(tmp_path / ".index", NAME).get("seq") == "newer"
    assert database.problems() == []


def test_a_connection_to_a_file_that_was_discarded_meanwhile_is_not_used_again(database: Database) -> None:
    reads, discarded = threading.Event(), threading.Event()

    def read() -> None:
        with database.reading():
            reads.set()
            discarded.wait(60)

    thread = threading.Thread(target=read)
    thread.start()
    assert reads.wait(60)
    database.discard()
    database.set("seq", "new")
    discarded.set()
    thread.join()

    with database.reading():
        first = database.get("seq")
        other = threading.Thread(target=lambda: seen.append(database.get("seq")))
        seen: list[str | None] = []
        other.start()
        other.join()
    assert [first, *seen] == ["new", "new"]


def test_closing_leaves_the_log_where_it_is(database: Database, tmp_path: Path) -> None:
    assert database.path
    database.checkpoint()
    before = database.path.read_bytes()

    database.set("seq", "2")
    database.close()

    assert database.path.read_bytes() == before
    assert run("print(database.get('seq'))", tmp_path / ".index").stdout == "2\n"


def replaced(path: Path, content: bytes) -> None:
    path.with_name("restored").write_bytes(content)
    path.with_name("restored").rename(path)


def written_over(path: Path, content: bytes) -> None:
    path.write_bytes(content)


@pytest.mark.parametrize("restore", [replaced, written_over])
def test_an_older_copy_put_in_place_is_seen_at_once(
    database: Database, restore: Callable[[Path, bytes], None]
) -> None:
    assert database.path
    database.checkpoint()
    older = database.path.read_bytes()
    for number in range(2, 40):
        database.set("seq", str(number))
        database.set(f"more {number}", "x" * 500)
    assert database.get("seq") == "39"
    database.checkpoint()

    restore(database.path, older)

    assert database.get("seq") == "1"
    assert database.get("more 2") is None


@pytest.mark.parametrize("restore", [replaced, written_over])
def test_an_older_copy_is_not_mixed_with_a_newer_log(
    database: Database, tmp_path: Path, restore: Callable[[Path, bytes], None]
) -> None:
    assert database.path
    database.checkpoint()
    older = database.path.read_bytes()
    database.set("seq", "2")
    database.checkpoint()
    database.set("other", "3")
    assert Database(tmp_path / ".index", NAME).get("seq") == "2"

    restore(database.path, older)

    for each in (database, Database(tmp_path / ".index", NAME)):
        with pytest.raises(Damaged, match="older than the log"):
            each.get("seq")


def test_a_folder_that_cannot_be_made_is_refused_in_our_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(StoreError) as refused:
        Database(tmp_path / "file" / ".index", NAME).set("a", "b")

    assert not isinstance(refused.value, Damaged)


def test_what_goes_wrong_in_a_write_of_somebody_else_is_not_blamed_on_the_index(
    database: Database, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError), database.writing():
        (tmp_path / "missing.md").read_bytes()


def test_a_full_disk_is_refused_in_our_words_and_keeps_what_was_there(
    database: Database, tmp_path: Path
) -> None:
    script = """
import resource, signal
from almario.errors import Damaged, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, resource.RLIM_INFINITY))
try:
    with database.writing():
        for n in range(400):
            database.set(f"key {n}", "x" * 1000)
except Damaged:
    print("damaged")
except StoreError as exc:
    print("refused")
print(database.get("seq"))
"""
    ran = run(script, tmp_path / ".index")

    assert ran.stdout == "refused\n1\n", ran.stderr
    assert database.get("key 1") is None
    assert database.problems() == []


def test_no_room_for_another_page_is_refused_and_not_damage(database: Database) -> None:
    with pytest.raises(StoreError) as refused:
        fill_up(database)

    assert not isinstance(refused.value, Damaged)
    assert database.get("seq") == "1"


def fill_up(database: Database) -> None:
    with database.writing() as connection:
        connection.pragma("max_page_count", 10)
        for number in range(400):
            database.set(f"key {number}", "x" * 1000)


def test_whoever_reads_while_the_first_words_are_written_finds_nothing_and_no_damage(tmp_path: Path) -> None:
    writer, reader = (Database(tmp_path, "index.db") for _ in range(2))
    for database in (writer, reader):
        database.require("CREATE TABLE IF NOT EXISTS things(name TEXT)")

    with writer.writing() as connection:
        connection.execute("INSERT INTO things VALUES ('tea')")
        with reader.reading() as beside:
            assert beside.execute("SELECT * FROM things").fetchall() == []
        assert reader.get("anything") is None
