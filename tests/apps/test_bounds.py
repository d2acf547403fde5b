"""A process that serves: so many at once, shared out fairly, in few threads; it ends when it is told to."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from almario.apps.daemon.bounds import Room, Turns
from tests.waiting import PATIENCE, comes_true


class Pieces:
    """Pieces of work that wait until they are let go, and what was done in which order."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.done: list[str] = []
        self.go_on = threading.Event()

    def __call__(self, name: str) -> Callable[[], None]:
        def work() -> None:
            self.begun.append(name)
            self.go_on.wait(PATIENCE)
            self.done.append(name)

        return work


@pytest.fixture
def pieces() -> Iterator[Pieces]:
    pieces = Pieces()
    yield pieces
    pieces.go_on.set()


def test_nobody_takes_up_more_of_a_room_than_stays_free_for_others() -> None:
    room = Room(12)

    assert [room.enter("A") for _ in range(12)].count(True) == 6
    assert [room.enter("B") for _ in range(12)].count(True) == 3
    assert room.enter("C")
    room.leave("A")
    assert (room.enter("A"), room.count) == (False, 9)


def test_of_one_name_one_thing_is_done_at_a_time_and_another_name_does_not_wait(pieces: Pieces) -> None:
    turns = Turns(threads=4, most=16)
    for number in range(3):
        assert turns.add("A", pieces(f"A{number}"))
    assert turns.add("B", pieces("B"))

    assert comes_true(lambda: sorted(pieces.begun) == ["A0", "B"])
    pieces.go_on.set()
    assert comes_true(lambda: not turns.count)
    assert [each for each in pieces.done if each != "B"] == ["A0", "A1", "A2"]


def test_names_take_turns_where_there_are_fewer_threads(pieces: Pieces) -> None:
    turns = Turns(threads=1, most=32)
    for each in ("A0", "A1", "A2", "B0", "C0"):
        assert turns.add(each[0], pieces(each))

    assert comes_true(lambda: pieces.begun == ["A0"])
    pieces.go_on.set()
    assert comes_true(lambda: not turns.count)
    assert pieces.done == ["A0", "B0", "C0", "A1", "A2"]


def test_what_there_is_no_room_for_is_refused_at_once(pieces: Pieces) -> None:
    turns = Turns(threads=4, most=8)

    assert [turns.add("A", pieces("A")) for _ in range(8)] == [True] * 4 + [False] * 4
    assert turns.add("B", pieces("B"))
    pieces.go_on.set()
    assert comes_true(lambda: turns.add("A", pieces("A")))


def test_what_nobody_waits_for_is_done_when_nothing_else_waits(pieces: Pieces) -> None:
    turns = Turns(threads=1, most=8)
    turns.add("A", pieces("A0"))
    turns.follow("A", pieces("once"))
    turns.follow("A", pieces("after"))
    turns.add("A", pieces("A1"))
    pieces.go_on.set()

    assert comes_true(lambda: len(pieces.done) == 3)
    assert pieces.done == ["A0", "A1", "after"]


def test_what_fails_holds_up_nothing(pieces: Pieces, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    turns = Turns(threads=1, most=8)
    pieces.go_on.set()
    turns.add("A", sys.exit)
    turns.add("A", pieces("A"))

    assert comes_true(lambda: pieces.done == ["A"] and failed)


def test_the_end_begins_nothing_more_and_waits_no_longer_than_it_may(pieces: Pieces) -> None:
    turns = Turns(threads=1, most=8)
    turns.add("A", pieces("A0"))
    turns.add("A", pieces("A1"))
    assert comes_true(lambda: pieces.begun == ["A0"])

    assert not turns.end(0)
    assert not turns.add("A", pieces("A2"))
    pieces.go_on.set()
    assert turns.end(PATIENCE)
    assert pieces.done == ["A0"]


STUCK = """
import signal, sys, threading
from almario.apps.daemon import bounds
bounds.END = 0.1
with bounds.bounded() as end:
    signal.signal(signal.SIGTERM, lambda *_: end())
    threading.Thread(target=threading.Event().wait).start()
    print("stuck", flush=True)
    if len(sys.argv) > 1:
        threading.Event().wait()
    signal.raise_signal(signal.SIGTERM)
"""


@pytest.mark.parametrize("where", [[], ["in the main thread"]])
def test_a_process_that_was_told_to_end_does_whatever_is_under_way(where: list[str]) -> None:
    command = [sys.executable, "-c", STUCK, *where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "stuck\n"
        process.terminate()
        assert process.wait(PATIENCE) == 0
