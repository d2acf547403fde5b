"""Noticing edits of a vault's files while they are made, in processes that run for long.

What the system reports only says *when* to look: whoever is called compares the files with what it knows of
them. So a report that was lost, a folder moved in whole or a watcher that died costs a delay and no edit.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Generator, Iterable
from functools import partial
from pathlib import Path
from typing import Self

from almario.domain.logs import Log
from almario.errors import AlmarioError
from almario.store.files import identity
from almario.store.settings import WatchSettings

log = Log(__name__)

# What comes from the system is asked for that often, in seconds: each time wakes the process, so it is
# as seldom as the time that edits are left alone anyway allows.
_SOONEST, _LATEST = 0.05, 0.25
# The least pause between two looks while nothing is reported, in seconds.
_PAUSE = 0.05
# What Almario alone writes.
_OURS = ("journal", "costs", "flights", "relearned")

# Yields the absolute paths that were touched, an empty set now and then, and its
# first set only once it misses nothing any more. Ends or raises OSError when it cannot go on.
Reports = Callable[[Path, threading.Event], Generator[frozenset[str], None, None]]


class Watch:
    """Calls *changed* a little after anyone changed what is in a folder, and every now and then.

    Calls come from one thread, one after the other, the first soon after `start`. One that raised an
    AlmarioError or OSError is made again with the next change or rescan; any other error ends the watch as it
    would end a program, and `start` begins anew. While the folder itself is away nobody is called: that is no
    edit of its files.
    """

    def __init__(
        self,
        root: Path,
        changed: Callable[[], object],
        settings: WatchSettings | None = None,
        *,
        reports: Reports | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._changed = changed
        self._settings = settings or WatchSettings()
        wake = min(max(self._settings.debounce / 8, _SOONEST), _LATEST)
        self._reports = reports or partial(reported_by_system, wake=wake)
        self._monotonic = monotonic
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        # When the first and the last change came that nobody was called for, and when somebody last was.
        self._touched: tuple[float, float] | None = None
        self._called = 0.0

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
        self._touched = None
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

    def _join(self) -> None:
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self, stopping: threading.Event) -> None:
        pause = max(self._settings.debounce / 2, _PAUSE)
        was_down = False
        while not stopping.is_set():
            was_heard, why = self._listen(stopping)
            if stopping.is_set():
                return
            if not was_down:
                log.warning(
                    "%s is checked every %.3g s until changes are reported: %s",
                    self._root,
                    self._settings.debounce,
                    why,
                )
            was_down = not was_heard
            self._owe()
            self._attend(())
            stopping.wait(pause)

    def _listen(self, stopping: threading.Event) -> tuple[bool, str]:
        """Attend to what is reported for as long as it goes well; say whether anything was, and why it ended.

        What was changed before the first report is owed.
        """
        root = Path(os.path.realpath(self._root))
        folder, was_heard = identity(root), False
        try:
            with contextlib.closing(self._reports(root, stopping)) as reports:
                for paths in reports:
                    if stopping.is_set():
                        break
                    if not was_heard:
                        self._owe()
                    was_heard = True
                    self._attend(os.path.relpath(path, root) for path in paths)
                    if identity(self._root) != folder:
                        return was_heard, "another folder is in its place"
        except OSError as exc:
            return was_heard, str(exc)
        return was_heard, "reports ended"

    def _attend(self, names: Iterable[str]) -> None:
        """Take note of what was touched, and call if it has come to rest, or nobody was called for long."""
        now = self._monotonic()
        if any(map(_matters, names)):
            self._touched = (self._touched[0] if self._touched else now, now)
        elif now >= self._called + self._settings.rescan:
            self._owe()
        if self._touched is None:
            return
        first, last = self._touched
        if now >= min(last + self._settings.debounce, first + self._settings.patience):
            self._call()

    def _owe(self) -> None:
        now = self._monotonic()
        self._touched = self._touched or (now, now)

    def _call(self) -> None:
        # First, so that what changes from here on is another change.
        self._touched, self._called = None, self._monotonic()
        if not os.path.isdir(self._root):
            return
        try:
            self._changed()
        except (AlmarioError, OSError) as exc:
            log.warning("edits in %s could not be read yet: %s", self._root, exc)


def _matters(name: str) -> bool:
    """Return whether a path inside a vault is one whose edits matter, or a folder of such."""
    parts = name.split(os.sep)
    return parts[0] not in _OURS and not any(part.startswith(".") for part in parts)


def reported_by_system(
    root: Path, stopping: threading.Event, *, wake: float = _SOONEST
) -> Generator[frozenset[str], None, None]:
    """Yield the paths below *root* that the system reports as touched, until the folder is removed.

    They are asked for every *wake* seconds; after two times without any, an empty set is yielded.
    """
    # 60 ms that only a process which watches has to spend.
    from watchfiles import Change, watch  # noqa: PLC0415 - see above

    step = round(wake * 1000)
    batches = watch(
        root,
        watch_filter=None,
        debounce=2 * step,
        step=step,
        stop_event=stopping,
        rust_timeout=2 * step,
        yield_on_timeout=True,
        ignore_permission_denied=True,
    )
    try:
        with contextlib.closing(batches):
            for changes in batches:
                yield frozenset(path for _, path in changes)
                # The watch goes with the folder, and a new one of the same name may get the same inode.
                if (Change.deleted, str(root)) in changes:
                    return
    except RuntimeError as exc:  # watchfiles' word for whatever the system refuses
        raise OSError(str(exc)) from exc
