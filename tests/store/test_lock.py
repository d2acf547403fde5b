"""One writer at a time, between threads and between processes."""

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from almario.errors import AgentNotFound, StoreBusy
from almario.store.files import locked


def test_a_lock_that_is_held_is_waited_for_only_until_the_deadline(tmp_path: Path) -> None:
    path = tmp_path / ".lock"

    with (
        locked(path, seconds=1),
        pytest.raises(StoreBusy, match="held by another"),
        locked(path, seconds=0.01),
    ):
        pass


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(50):
            with locked(tmp_path / ".lock", seconds=30):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(most) == 200
    assert max(most) == 1


def test_a_killed_holder_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    code = f"""
from pathlib import Path
from almario.store.files import locked
with locked(Path({str(path)!r}), seconds=1):
    print("held", flush=True)
    input()
"""
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    holder.kill()
    holder.communicate()

    with locked(path, seconds=5):
        pass


def test_the_lock_is_not_handed_to_a_program_that_is_started(tmp_path: Path) -> None:
    with locked(tmp_path / ".lock", seconds=1):
        descriptors = [int(name) for name in os.listdir("/proc/self/fd") if int(name) > 2]
        ours = [d for d in descriptors if os.path.realpath(f"/proc/self/fd/{d}").endswith(".lock")]

        assert ours
        assert all(fcntl.fcntl(descriptor, fcntl.F_GETFD) & fcntl.FD_CLOEXEC for descriptor in ours)


def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(AgentNotFound), locked(tmp_path / "gone" / ".lock", seconds=1):
        pass

    assert not (tmp_path / "gone").exists()


def test_a_folder_that_was_moved_while_we_waited_is_not_written(tmp_path: Path) -> None:
    folder = tmp_path / "agent"
    folder.mkdir()
    said: list[str] = []

    def wait() -> None:
        try:
            with locked(folder / ".lock", seconds=30):
                said.append("locked")
        except AgentNotFound:
            said.append("gone")

    with locked(folder / ".lock", seconds=1):
        waiter = threading.Thread(target=wait)
        waiter.start()
        while not _waits(folder):
            pass
        folder.rename(tmp_path / "trash")
    waiter.join()

    assert said == ["gone"]
    assert not folder.exists()


def _waits(folder: Path) -> bool:
    """Return whether a second descriptor of the lock is open."""
    links = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
    return links.count(str(folder / ".lock")) > 1
