"""Noticing edits of a vault's files while they are made, in processes that run for long.

The files are looked at every few seconds: their names, times and sizes. So it needs nothing of the system,
and an edit on a network folder is noticed as any other.
"""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from almario.domain.logs import Log
from almario.errors import AlmarioError
from almario.store import files
from almario.store.listing import Listing
from almario.store.settings import WatchSettings

log = Log(__name__)

# What Almario alone writes.
_OURS = ("journal", "costs")
# A program that writes again and again is told of after so many seconds, and a call that failed made again.
_PATIENCE, _AGAIN = 10.0, 60.0
# Of a folder with very many files, looking takes at most this part of the time.
_SHARE = 0.01

Seen = dict[str, files.Status | None]


class Watch:
    """Calls *changed* soon after `start`, and a little after anyone changed what is in a folder.

    Calls come from one thread, one after the other. One that raised an AlmarioError or OSError is made again;
    any other error ends the watch as it would end a program, and `start` begins anew. While the folder itself
    is away nobody is called: that is no edit of its files.
    """

    def __init__(
        self,
        root: Path,
        changed: Callable[[], object],
        settings: WatchSettings | None = None,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._changed = changed
        self._settings = settings or WatchSettings()
        self._monotonic = monotonic
        self._listing = Listing()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        # What was seen last, and when somebody was last called; since when that differs, or a call is owed.
        self._last: Seen | None = None
        self._told: Seen | None = None
        self._since: float | None = None
        self._owed_at: float | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin; every edit made after this returns is noticed. Switched off by setting, it does nothing."""
        is_running = self._thread is not None and self._thread.is_alive() and not self._stopping.is_set()
        if is_running or not self._settings.enabled:
            return
        self._join()
        self._stopping = threading.Event()
        self._told = None
        self._thread = threading.Thread(
            target=self._run, args=(self._stopping,), name="almario-watch", daemon=True
        )
        self._thread.start()

    def stop(self, *, wait: bool = True) -> None:
        """End, after a call under way has returned; what was not told yet is not told any more.

        Who has several to stop tells them all first, without a *wait*.
        """
        self._stopping.set()
        if wait:
            self._join()

    def look(self) -> None:
        """Look once, and call if what has changed is as it was at the last look, or changes for too long."""
        if not os.path.isdir(self._root):
            return
        now, found = self._monotonic(), self._marks()
        is_owed = self._owed_at is not None and now >= self._owed_at
        if found == self._told and not is_owed:
            self._since = None
        else:
            self._since = now if self._since is None else self._since
            if self._told is None or is_owed or found == self._last or now >= self._since + _PATIENCE:
                # What changes from here on is another change.
                self._told, self._since, self._owed_at = found, None, None
                try:
                    self._changed()
                except (AlmarioError, OSError) as exc:
                    log.warning("edits in %s could not be read yet: %s", self._root, exc)
                    self._owed_at = now + _AGAIN
        self._last = found

    def _join(self) -> None:
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self, stopping: threading.Event) -> None:
        while not stopping.is_set():
            begun = time.thread_time()
            self.look()
            stopping.wait(max(self._settings.debounce, (time.thread_time() - begun) / _SHARE))

    def _marks(self) -> Seen:
        paths = self._listing.walk(self._root, _matters, lambda *_: None)
        return {path: files.status(self._root / path) for path in paths if _matters(path)}


def _matters(path: str) -> bool:
    """Return whether a path inside a vault is one whose edits matter, or a folder of such."""
    return not path.rpartition("/")[2].startswith(".") and path.partition("/")[0] not in _OURS
