"""The daemon's state: `daemon.json` in the home, which it writes and `almario daemon status` reads."""

import contextlib
import json
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

from almario.domain import records
from almario.domain.logs import Log
from almario.domain.records import plain
from almario.errors import StoreError
from almario.named_tuples import NamedTuple
from almario.ports import Clock
from almario.store import files
from almario.store.files import locked_if_free
from almario.upkeep.job_notes import HOME, AgentNotes, JobNotes, as_told, notes_in

log = Log(__name__)

FILE, LOCK = "daemon.json", ".daemon.lock"


class DaemonProcess(NamedTuple):
    """The daemon's process, if one works: from when to when, its last heartbeat, and *since* when any did."""

    pid: int | None = None
    started: datetime | None = None
    stopped: datetime | None = None
    heartbeat: datetime | None = None
    since: datetime | None = None


class DaemonState(JobNotes):
    """What is known of every job; it outlives the process, so that none is done twice or tried too often."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        super().__init__()
        self._home = files.identity(folder)
        self._path = folder / FILE
        self._clock = clock
        self._process = DaemonProcess(since=clock())
        self._is_refused = False
        self._lock = threading.Lock()

    @property
    def since(self) -> datetime | None:
        """When a daemon first worked for this home."""
        return self._process.since

    def begin(self, pid: int) -> None:
        """Take over what the process before left; *pid* is the one that works now."""
        process, state = _written(self._path.parent)
        now = self._clock()
        # A clock that was ahead when all began would let nothing be due.
        self._process = DaemonProcess(pid, now, since=min(process.since or now, now))
        self.take_over(state)
        self.save()

    def end(self) -> None:
        """Note that the process has stopped as it was told to."""
        self._process = self._process._replace(pid=None, stopped=self._clock())
        self.save()

    def save(self) -> None:
        """Write it down, with the present as the heartbeat."""
        with self._lock:
            agents = {place: as_told(notes) for place, notes in sorted(self._known.items())}
            home = agents.pop(HOME, as_told(AgentNotes()))
            process = self._process._replace(heartbeat=self._clock())
            state = {**plain(process, str), "home": home, "agents": agents}
            content = json.dumps(state, ensure_ascii=False, indent=1).encode() + b"\n"
            try:
                files.overwrite(self._path, content, within=self._home)
                self._is_refused = False
            except FileNotFoundError:  # the home is gone, or another is in its place
                return
            except OSError as exc:  # a full disk must not end what is done without it
                if not self._is_refused:
                    log.warning("the state of the daemon could not be saved: %s", exc)
                self._is_refused = True


def leading(home: Path) -> contextlib.AbstractContextManager[bool]:
    """Be the one daemon of a home, and say whether one is."""
    return locked_if_free(home / LOCK)


def is_led(home: Path) -> bool:
    """Return whether a daemon keeps a home."""
    if not (home / LOCK).exists():
        return False
    with leading(home) as is_free:
        return not is_free


def read(home: Path) -> dict[str, Any]:
    """Return what the daemon of a home last wrote down; nothing if it never did, or that makes no sense."""
    process, state = _written(home)
    if not state:
        return {}
    agents = {name: as_told(notes_in(entry)) for name, entry in state.items()}
    return {**plain(process, str), "home": agents.pop(HOME), "agents": agents}


def _written(home: Path) -> tuple[DaemonProcess, dict[str, Any]]:
    try:
        found = json.loads(files.read_bytes(home / FILE) or b"{}")
        process = records.read(DaemonProcess, found)
        if found and all(at.tzinfo for at in process[1:] if isinstance(at, datetime)):
            return process, {**found.get("agents", {}), HOME: found.get("home", {})}
    except (AttributeError, TypeError, ValueError, RecursionError, StoreError):
        pass
    return DaemonProcess(), {}
