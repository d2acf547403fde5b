"""While another program holds the index, or there is no room for it: it is only derived, so all goes on."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import apsw
import pytest

import almario
from almario.soul import Soul
from almario.wiring import remembering

FOLLOWS = "MEMORY.md and the index follow later"
How = Literal["for writing", "whole"]


@contextlib.contextmanager
def held(soul: Soul, how: How) -> Iterator[None]:
    """Hold an agent's index as another program may."""
    soul.close()  # nothing is open in it
    [path] = (soul.path / ".index").glob("*.db")
    with contextlib.closing(apsw.Connection(str(path))) as other:
        if how == "whole":
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE; UPDATE meta SET value = value")
        yield


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for the one that holds it."""
    monkeypatch.setattr(remembering, "_PATIENCE", 0.01)


@pytest.fixture
def kept(home: Path) -> Soul:
    soul = almario.create(home)
    soul.remember("boat: the Gaviota lies in Cádiz")
    return soul


@pytest.mark.parametrize("how", ["for writing", "whole"])
def test_what_is_remembered_while_the_index_is_held_is_a_success_that_says_what_follows(
    kept: Soul, how: How
) -> None:
    with held(kept, how):
        first = kept.remember("tea: green in the morning")
        again = kept.remember("tea: green in the morning")

        assert (first.outcome, again.outcome) == ("new", "renewed")
        assert all(str(receipt.told[-1]).startswith(FOLLOWS) for receipt in (first, again))
        kept.close()

    assert [memory.text for memory in kept.memory.list()].count("tea: green in the morning") == 1
    assert kept.memory.verify() == []
    assert (kept.path / "MEMORY.md").read_text().count("green in the morning") == 1
    assert next(iter(kept.recall("green tea"))).text == "green in the morning"


def test_a_question_while_the_index_is_held_is_answered_from_the_journal_and_says_so(kept: Soul) -> None:
    with held(kept, "whole"):
        found = kept.recall("where is the boat?")

        assert [hit.text for hit in found] == ["the Gaviota lies in Cádiz"]
        assert "only what is in the journal was looked at" in str(kept.memory.finish()[0])


def test_what_is_erased_for_good_while_the_index_is_held_is_in_no_file_of_it(kept: Soul) -> None:
    with held(kept, "for writing"):
        kept.memory.purge(kept.memory.plan_purge("boat"))
        kept.close()

        assert not [
            path for path in kept.path.rglob("*") if path.is_file() and b"Gaviota" in path.read_bytes()
        ]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of 4 MB with blocks of 1 KiB, as small ones have."""
    if os.geteuid() or sys.platform != "linux" or not shutil.which("mkfs.ext4"):
        pytest.skip("only root mounts a disk")
    disk, folder = tmp_path / "disk", tmp_path / "mounted"
    disk.write_bytes(bytes(4 << 20))
    folder.mkdir()
    subprocess.run(["mkfs.ext4", "-q", "-b", "1024", "-O", "^has_journal", disk], check=True)
    if subprocess.run(["mount", "-o", "loop", disk, folder], check=False, capture_output=True).returncode:
        pytest.skip("this machine mounts no file")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def test_an_index_on_a_small_disk_is_used_where_sqlite_cannot_be_taught(small_disk: Path) -> None:
    uses = (
        "import sys; sys.modules['ctypes'] = None\n"
        "from pathlib import Path; from almario.adapters.sqlite.database import Database\n"
        "Database(Path(sys.argv[1]), 'index-1.db').set('a', 'b')"
    )
    done = subprocess.run([sys.executable, "-c", uses, str(small_disk)], check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_ends_no_process_that_opens_the_index(small_disk: Path) -> None:
    uses = (
        "import sys; from pathlib import Path; from almario.adapters.sqlite.database import Database\n"
        "from almario.errors import StoreError\n"
        "database = Database(Path(sys.argv[1]), 'index-1.db')\n"
        "try: database.set('a', 'b'); print('set')\n"
        "except StoreError as exc: print('refused')"
    )

    def used() -> tuple[int, str]:
        command = [sys.executable, "-c", uses, str(small_disk)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        return done.returncode, done.stdout.strip()

    assert used() == (0, "set")
    with (small_disk / "full").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(1024)):
            pass
    assert used() == (0, "refused")
