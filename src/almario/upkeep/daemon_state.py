"""How the daemon stands: `daemon.json` in the home, which it writes and `almario daemon status` reads."""

import contextlib
import json
import threading
from collections.abc import Collection
from datetime import date, datetime
from pathlib import Path
from typing import Any

from almario.domain.documents.daily import Log
from almario.errors import StoreError
from almario.named_tuples import NamedTuple
from almario.ports import Clock
from almario.store import files
from almario.store.files import locked_if_free

log = Log(__name__)

FILE, LOCK = "daemon.json", ".daemon.lock"
# Under this name stands what is done for the home and not for an agent.
HOME = ""
_INSTANTS = ("started", "stopped", "heartbeat", "since", "next", "stopped_until")


class Tried(NamedTuple):
    """How a job went last, the latest *day* it was done for, and when it is tried *again* after *tries*."""

    at: datetime | None = None
    outcome: str = ""
    why: str = ""
    day: date | None = None
    tries: int = 0
    again: datetime | None = None


class Nights(NamedTuple):
    """The last and the next night of an agent, and until when it is stopped by its budget."""

    last: date | None = None
    next: datetime | None = None
    stopped_until: datetime | None = None


class Standing:
    """What is known of every job; it outlives the process, so that none is done twice or tried too often."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._home = files.identity(folder)
        self._path = folder / FILE
        self._clock = clock
        self._lock = threading.Lock()
        self._process: dict[str, Any] = {}
        self._jobs: dict[str, dict[str, Tried]] = {}
        self._nights: dict[str, Nights] = {}
        self._is_refused = False
        self.since = clock()

    def begin(self, pid: int) -> None:
        """Take over what the process before left; *pid* is the one that works now."""
        found = read(self._path.parent)
        with self._lock:
            # A clock that was ahead when all began would let nothing be due.
            self.since = min(_instant(found.get("since")) or self._clock(), self._clock())
            self._process = {"pid": pid, "started": self._clock(), "stopped": None}
            for place, entry in {**found.get("agents", {}), HOME: found.get("home", {})}.items():
                self._jobs[place] = {name: _tried(one) for name, one in entry.get("jobs", {}).items()}
        self.save()

    def end(self) -> None:
        """Note that the process has stopped as it was told to."""
        with self._lock:
            self._process |= {"pid": None, "stopped": self._clock()}
        self.save()

    def job(self, place: str, name: str) -> Tried:
        """Return how a job went last."""
        with self._lock:
            return self._jobs.get(place, {}).get(name, Tried())

    def failed_at(self, place: str) -> datetime | None:
        """Return when a job of those that wait to be tried again was last tried."""
        with self._lock:
            tries = [tried.at for tried in self._jobs.get(place, {}).values() if tried.tries and tried.at]
        return max(tries, default=None)

    def note(self, place: str, name: str, tried: Tried) -> None:
        with self._lock:
            self._jobs.setdefault(place, {})[name] = tried

    def note_nights(self, place: str, nights: Nights) -> None:
        with self._lock:
            self._nights[place] = nights

    def forget_pauses(self, place: str) -> None:
        """Let everything that waits be tried at once: something has changed."""
        with self._lock:
            jobs = self._jobs.get(place, {})
            self._jobs[place] = {name: tried._replace(again=None, tries=0) for name, tried in jobs.items()}

    def keep_only(self, places: Collection[str]) -> None:
        """Forget the agents that are gone."""
        with self._lock:
            for known in (self._jobs, self._nights):
                for place in [place for place in known if place not in places]:
                    del known[place]

    def save(self) -> None:
        """Write it down, with the present as the heartbeat."""
        with self._lock:
            agents = sorted({*self._jobs, *self._nights} - {HOME})
            told = {
                **self._process,
                "heartbeat": self._clock(),
                "since": self.since,
                "home": {"jobs": self._jobs_of(HOME)},
                "agents": {
                    place: {**self._nights.get(place, Nights())._asdict(), "jobs": self._jobs_of(place)}
                    for place in agents
                },
            }
            content = json.dumps(told, ensure_ascii=False, indent=1, default=_plain).encode() + b"\n"
            try:
                files.overwrite(self._path, content, within=self._home)
                self._is_refused = False
            except FileNotFoundError:  # the home is gone, or another is in its place
                return
            except OSError as exc:  # a full disk must not end what is done without it
                if not self._is_refused:
                    log.warning("the state of the daemon could not be saved: %s", exc)
                self._is_refused = True

    def _jobs_of(self, place: str) -> dict[str, Any]:
        return {name: _said(tried) for name, tried in sorted(self._jobs.get(place, {}).items())}


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
        found = _mapping(json.loads(files.read_bytes(home / FILE) or b"{}"))
    except (ValueError, RecursionError, StoreError):
        return {}
    if not found:
        return {}
    agents = {name: _place(entry) for name, entry in _mapping(found.get("agents")).items()}
    return {**_dated(found), "home": _place(found.get("home")), "agents": agents}


def _place(entry: Any) -> dict[str, Any]:
    jobs = {name: _said(_tried(one)) for name, one in _mapping(_mapping(entry).get("jobs")).items()}
    return {**_dated(_mapping(entry)), "jobs": jobs}


def _dated(found: dict[str, Any]) -> dict[str, Any]:
    """Return the same with nothing where an instant or a day should be and is not."""
    wrong = [name for name in _INSTANTS if name in found and not _instant(found[name])]
    wrong += ["last"] if "last" in found and not _day(found["last"]) else []
    return found | dict.fromkeys(wrong)


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _said(tried: Tried) -> dict[str, Any]:
    return {
        name: _plain(value) if isinstance(value, date) else value for name, value in tried._asdict().items()
    }


def _tried(entry: Any) -> Tried:
    """Return what was written down of a job; what makes no sense is as if it never was."""
    found = _mapping(entry)
    tries = found.get("tries")
    return Tried(
        _instant(found.get("at")),
        str(found.get("outcome", "")),
        str(found.get("why", "")),
        _day(found.get("day")),
        tries if isinstance(tries, int) and tries > 0 else 0,
        _instant(found.get("again")),
    )


def _day(text: Any) -> date | None:
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError):
        return None


def _instant(text: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return found if found.utcoffset() is not None else None


def _plain(value: date | datetime) -> str:
    return value.isoformat()
