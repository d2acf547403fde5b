"""How the daemon stands: `daemon.json` in the home, which it writes and `almario daemon status` reads."""

import contextlib
import json
from pathlib import Path
from typing import Any

from almario.domain.logs import Log
from almario.errors import StoreError
from almario.ports import Clock
from almario.store import files
from almario.store.files import locked_if_free
from almario.upkeep.job_notes import HOME, JobNotes, dated, instant_in, mapping_in, place_in, plain

log = Log(__name__)

FILE, LOCK = "daemon.json", ".daemon.lock"


class DaemonStanding(JobNotes):
    """What is known of every job; it outlives the process, so that none is done twice or tried too often."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        super().__init__()
        self._home = files.identity(folder)
        self._path = folder / FILE
        self._clock = clock
        self._process: dict[str, Any] = {}
        self._is_refused = False
        self.since = clock()

    def begin(self, pid: int) -> None:
        """Take over what the process before left; *pid* is the one that works now."""
        found = read(self._path.parent)
        with self._lock:
            # A clock that was ahead when all began would let nothing be due.
            self.since = min(instant_in(found.get("since")) or self._clock(), self._clock())
            self._process = {"pid": pid, "started": self._clock(), "stopped": None}
        self.take_over({**found.get("agents", {}), HOME: found.get("home", {})})
        self.save()

    def end(self) -> None:
        """Note that the process has stopped as it was told to."""
        with self._lock:
            self._process |= {"pid": None, "stopped": self._clock()}
        self.save()

    def save(self) -> None:
        """Write it down, with the present as the heartbeat."""
        with self._lock:
            agents = sorted({*self._jobs, *self._nights} - {HOME})
            told = {
                **self._process,
                "heartbeat": self._clock(),
                "since": self.since,
                "home": {"jobs": self._jobs_of(HOME)},
                "agents": {place: self._told(place) for place in agents},
            }
            content = json.dumps(told, ensure_ascii=False, indent=1, default=plain).encode() + b"\n"
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
    """Say whether a daemon keeps a home."""
    if not (home / LOCK).exists():
        return False
    with leading(home) as is_free:
        return not is_free


def read(home: Path) -> dict[str, Any]:
    """Return what the daemon of a home last wrote down, without what makes no sense.

    It is empty if it never did, or if that cannot be read.
    """
    try:
        found = mapping_in(json.loads(files.read_bytes(home / FILE) or b"{}"))
    except (ValueError, RecursionError, StoreError):
        return {}
    if not found:
        return {}
    agents = {name: place_in(entry) for name, entry in mapping_in(found.get("agents")).items()}
    return {**dated(found), "home": place_in(found.get("home")), "agents": agents}
