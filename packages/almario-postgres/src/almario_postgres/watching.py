"""Telling of changes in PostgreSQL, whoever made them and wherever.

The server only says *when* to look, in words that name an agent to who has the key; what changed is found
by comparing. So what was not heard costs a delay and no change: everybody looks now and then anyway.
"""

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from almario.domain.logs import Log
from almario.errors import AlmarioError, StoreError
from almario_postgres.database import CHANNEL, Server

if TYPE_CHECKING:
    from almario_postgres.dialling import Connection

log = Log(__name__)

# So many seconds pass until who has heard nothing looks anyway.
POLL = 5.0
# So many, where nothing is heard at all.
_LOOK = 1.0
# The listener looks that often whether it is still wanted.
_WAKE = 0.5


class ChangeListener:
    """One connection of a process, which wakes those who wait for changes of an agent."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._waiting: dict[str, list[threading.Event]] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def add(self, word: str, wake: threading.Event) -> None:
        """Wake somebody whenever a word is heard."""
        with self._lock:
            self._waiting.setdefault(word, []).append(wake)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="almario-listen", daemon=True)
                self._thread.start()

    def remove(self, word: str, wake: threading.Event) -> None:
        """Wake them no more."""
        with self._lock:
            self._waiting[word].remove(wake)
            if not self._waiting[word]:
                del self._waiting[word]

    def _run(self) -> None:
        pause = 0.0  # who was heard before is called again at once
        while self._goes_on():
            try:
                with self._server.as_owner() as connection:
                    if not connection.is_pooled:
                        connection.execute(f"LISTEN {CHANNEL}")
                        pause = 0.0
                        self._wake()  # what came before is not heard
                        self._listen(connection)
                        continue
                self._look()
            except StoreError as exc:
                if pause and self._goes_on():
                    log.warning("changes are not reported, and looked for every %g s: %s", POLL, exc)
                threading.Event().wait(pause)
                pause = POLL

    def _listen(self, connection: "Connection") -> None:
        while self._goes_on():
            for notice in connection.notifies(timeout=_WAKE):
                self._wake(notice.payload)

    def _look(self) -> None:
        """Let everybody look again and again: whose connection a pooler lends to others hears nothing."""
        while self._goes_on():
            self._wake()
            threading.Event().wait(_LOOK)

    def _wake(self, word: str | None = None) -> None:
        with self._lock:
            for wake in [
                each for name, some in self._waiting.items() if word in (None, name) for each in some
            ]:
                wake.set()

    def _goes_on(self) -> bool:
        with self._lock:
            if not self._waiting:
                self._thread = None
            return bool(self._waiting)


_listeners: WeakKeyDictionary[Server, ChangeListener] = WeakKeyDictionary()


def listener_of(server: Server) -> ChangeListener:
    """Return the one listener of a server's connections."""
    return _listeners.setdefault(server, ChangeListener(server))


class PostgresWatch:
    """Calls *changed* when anything has, from a thread of its own, one call after the other."""

    def __init__(
        self,
        listener: ChangeListener,
        word: str,
        marks: Callable[[], Mapping[str, object]],
        changed: Callable[[], object],
    ) -> None:
        self._listener = listener
        self._word = word
        self._marks = marks
        self._changed = changed
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._seen: Mapping[str, object] = {}

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def start(self) -> None:
        if self._thread is not None and self._thread.is_alive() and not self._stopping.is_set():
            return
        self.stop()
        self._stopping, self._wake = threading.Event(), threading.Event()
        self._seen = self._marks()
        self._listener.add(self._word, self._wake)
        self._thread = threading.Thread(
            target=self._run, args=(self._wake, self._stopping), name="almario-watch", daemon=True
        )
        self._thread.start()

    def stop(self, *, wait: bool = True) -> None:
        """End, after a call under way has returned."""
        self._stopping.set()
        self._wake.set()
        if wait and self._thread not in (None, threading.current_thread()):
            self._thread.join()

    def _run(self, wake: threading.Event, stopping: threading.Event) -> None:
        try:
            while not stopping.is_set():
                wake.wait(POLL)
                wake.clear()
                if not stopping.is_set():
                    self._tell()
        finally:
            self._listener.remove(self._word, wake)

    def _tell(self) -> None:
        try:
            now = self._marks()
            if now != self._seen:
                self._changed()
            self._seen = now
        except (AlmarioError, OSError) as exc:
            log.warning("what changed could not be read yet: %s", exc)
