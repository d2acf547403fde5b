"""How the jobs of agents went, as it is noted by whoever does them."""

import threading
from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Any

from almario.named_tuples import NamedTuple

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


class JobNotes:
    """What is known of every job of the agents that are looked after."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[str, dict[str, Tried]] = {}
        self._nights: dict[str, Nights] = {}

    def take_over(self, told: Mapping[str, Any]) -> None:
        """Go on from what was written down: for each place, what `told` said of it."""
        with self._lock:
            for place, entry in told.items():
                self._jobs[place] = {name: tried_in(one) for name, one in entry.get("jobs", {}).items()}

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

    def told(self, place: str) -> dict[str, Any]:
        """Return what is known of an agent, to be written down."""
        with self._lock:
            found = self._told(place)
        return {name: plain(value) if isinstance(value, date) else value for name, value in found.items()}

    def again(self, place: str) -> datetime | None:
        """Return when the first of those jobs is tried again that wait for it."""
        with self._lock:
            waiting = [tried.again for tried in self._jobs.get(place, {}).values() if tried.again]
        return min(waiting, default=None)

    def save(self) -> None:
        """Write it down, where it outlives the process."""

    def _told(self, place: str) -> dict[str, Any]:
        nights = self._nights.get(place, Nights())._asdict()
        return {**nights, "jobs": self._jobs_of(place)}

    def _jobs_of(self, place: str) -> dict[str, Any]:
        return {name: _said(tried) for name, tried in sorted(self._jobs.get(place, {}).items())}


def place_in(entry: Any) -> dict[str, Any]:
    """Return what was written down of an agent, without what makes no sense."""
    jobs = {name: _said(tried_in(one)) for name, one in mapping_in(mapping_in(entry).get("jobs")).items()}
    return {**dated(mapping_in(entry)), "jobs": jobs}


def dated(found: dict[str, Any]) -> dict[str, Any]:
    """Return the same with nothing where an instant or a day should be and is not."""
    wrong = [name for name in _INSTANTS if name in found and not instant_in(found[name])]
    wrong += ["last"] if "last" in found and not _day(found["last"]) else []
    return found | dict.fromkeys(wrong)


def mapping_in(value: Any) -> dict[str, Any]:
    """Return a mapping that was written down; nothing if it is none."""
    return value if isinstance(value, dict) else {}


def _said(tried: Tried) -> dict[str, Any]:
    return {
        name: plain(value) if isinstance(value, date) else value for name, value in tried._asdict().items()
    }


def tried_in(entry: Any) -> Tried:
    """Return what was written down of a job; what makes no sense is as if it never was."""
    found = mapping_in(entry)
    tries = found.get("tries")
    return Tried(
        instant_in(found.get("at")),
        str(found.get("outcome", "")),
        str(found.get("why", "")),
        _day(found.get("day")),
        tries if isinstance(tries, int) and tries > 0 else 0,
        instant_in(found.get("again")),
    )


def _day(text: Any) -> date | None:
    try:
        return date.fromisoformat(text)
    except (TypeError, ValueError):
        return None


def instant_in(text: Any) -> datetime | None:
    """Return an instant that was written down, or None."""
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return found if found.utcoffset() is not None else None


def plain(value: date | datetime) -> str:
    """Return a day or an instant as it is written down."""
    return value.isoformat()
