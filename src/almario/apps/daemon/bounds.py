"""What keeps a process that serves within bounds: so many at once, fairly, few threads, an end in time."""

import ctypes
import os
import sys
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue

# So many seconds after it was told to end, a process has, whatever is under way.
END = 4.0
# As glibc calls them: M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD.
_SPARING = {-8: 1, -3: 1 << 17, -1: 1 << 17}
# Seconds after which a thread lets others compute.
_SWITCH = 0.0005

Work = Callable[[], object]


class Room:
    """Holds so many at once; nobody takes up more of it than stays free for others."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = Counter[Hashable]()
        self._lock = threading.Lock()

    def enter(self, whose: Hashable) -> bool:
        """Let one in, and say whether there was room; whoever was let in leaves once."""
        with self._lock:
            is_free = self._held[whose] < self._most - self._held.total()
            self._held[whose] += is_free
            return is_free

    def leave(self, whose: Hashable) -> None:
        with self._lock:
            self._held[whose] -= 1
            self._held += Counter()  # who holds nothing is not remembered

    @property
    def count(self) -> int:
        """How many are in."""
        return self._held.total()


class Turns:
    """Does work in a few threads: of each name one piece at a time, in its order; names take turns."""

    def __init__(self, threads: int, most: int) -> None:
        """At *most* so many pieces wait or are under way, shared out as in a `Room`."""
        self._room = Room(most)
        self._free = threads
        self._changed = threading.Condition()
        self._waiting = defaultdict[str, deque[Work]](deque)
        self._following: dict[str, Work] = {}
        # Whose turn comes, and of whom something is under way.
        self._next = deque[str]()
        self._at_work = set[str]()
        self._is_over = False

    @property
    def count(self) -> int:
        """How many pieces wait or are under way, but for what only follows."""
        return self._room.count

    def add(self, name: str, work: Work) -> bool:
        """Have something done soon; False if too much waits already."""
        with self._changed:
            if self._is_over or not self._room.enter(name):
                return False
            self._waiting[name].append(work)
            self._queue(name)
            return True

    def follow(self, name: str, work: Work) -> None:
        """Have something done for which nobody waits, once nothing else waits of that name."""
        with self._changed:
            if not self._is_over:
                self._following[name] = work
                self._queue(name)

    def end(self, seconds: float) -> bool:
        """Begin nothing more, and wait so long for what is under way; say whether all of it is over."""
        with self._changed:
            self._is_over = True
            return self._changed.wait_for(lambda: not self._at_work, seconds)

    def _queue(self, name: str) -> None:
        if name not in self._at_work and name not in self._next:
            self._next.append(name)
        self._begin()

    def _begin(self) -> None:
        while self._next and self._free and not self._is_over:
            name = self._next.popleft()
            is_waited_for = bool(self._waiting[name])
            work = self._waiting[name].popleft() if is_waited_for else self._following.pop(name)
            self._free -= 1
            self._at_work.add(name)
            threading.Thread(target=self._do, args=(name, work, is_waited_for), daemon=True).start()

    def _do(self, name: str, work: Work, is_waited_for: bool) -> None:
        try:
            work()
        finally:
            with self._changed:
                self._free += 1
                self._at_work.remove(name)
                if is_waited_for:
                    self._room.leave(name)
                if self._waiting[name] or name in self._following:
                    self._queue(name)
                else:
                    del self._waiting[name]
                    self._begin()
                self._changed.notify_all()


@contextmanager
def bounded() -> Iterator[Callable[[], None]]:
    """Let this process spare memory, and whoever hears calls have their turn soon, however others compute.

    Give what a signal calls: soon after, the process is over, whatever is under way. Nothing is lost: what
    was acknowledged is on the disk.
    """
    spare_memory()
    sys.setswitchinterval(_SWITCH)
    before = {*threading.enumerate()}
    heard = SimpleQueue[None]()  # which a signal may put into at any moment
    is_over = threading.Event()

    def watch() -> None:
        heard.get()
        if not is_over.wait(END):
            os._exit(0)

    threading.Thread(target=watch, name="almario-end", daemon=True).start()
    try:
        yield lambda: heard.put(None)
    finally:
        # Python waits for these, however long they take.
        left = [each for each in threading.enumerate() if each not in before and not each.daemon]
        if not left:
            is_over.set()


def spare_memory() -> None:
    """Have all threads take memory from one place, and give back what is large: else each keeps its own.

    A process that stays and searches by meaning holds a third less so.
    """
    with suppress(OSError, AttributeError):  # only glibc knows it
        for option, value in _SPARING.items():
            ctypes.CDLL(None).mallopt(option, value)
