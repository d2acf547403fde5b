"""Noticing edits of a vault's files while they are made, in processes that run for long.

What the system reports only says *when* to look; what changed is found by
comparing the files' stats with those seen before. So a report that was lost, a
folder moved in whole or a watcher that died costs a delay and no edit.
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
from almario.errors import AlmarioError, StoreError
from almario.store.files import Status, identity, status
from almario.store.listing import Listing
from almario.store.settings import WatchSettings

log = Log(__name__)

# What comes from the system is asked for that often, in seconds: each time wakes the process, so it is
# as seldom as the time that edits are left alone anyway allows.
_SOONEST, _LATEST = 0.05, 0.25
# The least pause between two looks while nothing is reported, in seconds.
_PAUSE = 0.05

# Yields the absolute paths that were touched, an empty set now and then, and its
# first set only once it misses nothing any more. Ends or raises OSError when it cannot go on.
Reports = Callable[[Path, threading.Event], Generator[frozenset[str], None, None]]
Snapshot = dict[str, Status]


def is_watched(name: str) -> bool:
    """Say whether a file of that path inside a vault is one whose edits matter.

    Those are the Markdown files, the transcripts and agent.toml; not what is
    hidden, ours to write alone, or kept beside a file because of a conflict.
    """
    *folders, last = name.split("/")
    if _is_passed_over(name) or ".conflict-" in last:
        return False
    return (
        last.endswith(".md") or (folders == ["sessions"] and last.endswith(".jsonl")) or name == "agent.toml"
    )


def _is_passed_over(name: str) -> bool:
    """Say whether nothing at or below that path matters."""
    parts = name.split("/")
    return parts[0] == "journal" or any(part.startswith(".") for part in parts)


class Watch:
    """Calls *changed* with the names of files in a folder, a little after anyone changed them.

    Names are paths inside the folder, with `/`; a file that is gone is named too,
    and so is one that this very process wrote: whoever is called compares contents.
    Calls come from one thread, one after the other. Names whose call raised an
    AlmarioError or OSError are told again with the next change or rescan; any other
    error ends the watch as it would end a program, and `start` begins anew. While
    the folder itself is away nothing is told: that is no edit of its files.
    """

    def __init__(
        self,
        root: Path,
        changed: Callable[[frozenset[str]], object],
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
        self._listing = Listing()
        self._seen: Snapshot = {}
        self._untold: set[str] = set()
        self._touched: tuple[float, float] | None = None  # when the first and the last untold change came
        self._looked: float | None = None  # None: a look is owed

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
        self._seen = snapshot(self._root, {}, self._listing) or {}
        self._untold = set()
        self._touched = self._looked = None
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
            why = self._listen(stopping)
            if stopping.is_set():
                return
            if not was_down:
                log.warning(
                    "%s is checked every %.3g s until changes are reported: %s", self._root, pause, why
                )
            was_down = self._looked is None  # it never got as far as one report
            self._looked = None
            self._attend(frozenset())
            self._looked = None
            stopping.wait(pause)

    def _listen(self, stopping: threading.Event) -> str:
        """Attend to what is reported for as long as it goes well; return why that ended."""
        root = Path(os.path.realpath(self._root))
        folder = identity(root)
        try:
            with contextlib.closing(self._reports(root, stopping)) as reports:
                for paths in reports:
                    if stopping.is_set():
                        break
                    self._attend(_name(path, root) for path in paths)
                    if identity(self._root) != folder:
                        return "another folder is in its place"
        except OSError as exc:
            return str(exc)
        return "reports ended"

    def _attend(self, names: Iterable[str]) -> None:
        """Take note of what was touched, look if that is due, and tell what has come to rest."""
        noted = [name for name in names if not _is_passed_over(name)]
        self._untold.update(filter(is_watched, noted))
        if noted:  # also a folder's name, which may stand for all that is in it
            self._touch()
        now = self._monotonic()
        if self._looked is None or now >= self._looked + self._settings.rescan:
            is_news = self._look()
            if is_news or (self._untold and self._touched is None):  # the latter: told once, in vain
                self._touch()
        if self._touched is None:
            return
        first, last = self._touched
        if now >= min(last + self._settings.debounce, first + self._settings.patience):
            self._look()  # before the files are read, so that what changes from here on is another change
            self._tell()

    def _touch(self) -> None:
        now = self._monotonic()
        self._touched = (self._touched[0] if self._touched else now, now)

    def _look(self) -> bool:
        """Note the names of what differs from what was seen before; say whether anything does."""
        self._looked = self._monotonic()
        found = snapshot(self._root, self._seen, self._listing)
        if found is None or found == self._seen:
            return False
        self._untold.update(name for name, _ in found.items() ^ self._seen.items())
        self._seen = found
        return True

    def _tell(self) -> None:
        self._touched = None
        names = frozenset(self._untold)
        if not names or not os.path.isdir(self._root):
            return
        try:
            self._changed(names)
        except (AlmarioError, OSError) as exc:
            log.warning("edits in %s could not be read yet: %s", self._root, exc)
        else:
            self._untold -= names


def snapshot(root: Path, before: Snapshot, listing: Listing) -> Snapshot | None:
    """Return the stats of a folder's watched files, or None if there is no folder.

    What lies in a folder that cannot be read is taken to be as it was *before*.
    """
    if not os.path.isdir(root):
        return None
    found: Snapshot = {}

    def refused(place: str, why: StoreError) -> None:
        log.debug("%s", why)
        found.update((name, stats) for name, stats in before.items() if name.startswith(place))

    for name in listing.walk(root, lambda path: not _is_passed_over(path), refused):
        if is_watched(name) and (there := status(root / name)) and os.path.isfile(root / name):
            found[name] = there
    return found


def _name(path: str, root: Path) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


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
