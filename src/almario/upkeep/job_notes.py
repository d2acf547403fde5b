"""How the jobs of agents went, as it is noted by whoever does them."""

import threading
from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Any

from almario.domain.records import plain, read
from almario.named_tuples import NamedTuple

# Under this name stands what is done for the home and not for an agent.
HOME = ""


class Tried(NamedTuple):
    """How a job went last, the latest *day* it was done for, and when it is tried *again* after *tries*."""

    at: datetime | None = None
    outcome: str = ""
    why: str = ""
    day: date | None = None
    tries: int = 0
    again: datetime | None = None


class AgentNotes(NamedTuple):
    """The last and the next night of an agent, until when its budget stops it, and how its *jobs* went."""

    last: date | None = None
    next: datetime | None = None
    stopped_until: datetime | None = None
    jobs: dict[str, Tried] = {}  # noqa: RUF012 - nobody writes into it


class JobNotes:
    """What is known of every job of the agents that are looked after."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, AgentNotes] = {}

    def take_over(self, notes: Mapping[str, Any]) -> None:
        """Go on from what was written down: for each place, what `told` said of it."""
        with self._lock:
            self._known |= {place: AgentNotes(jobs=notes_in(entry).jobs) for place, entry in notes.items()}

    def job(self, place: str, name: str) -> Tried:
        """Return how a job went last."""
        with self._lock:
            return self._of(place).jobs.get(name, Tried())

    def failed_at(self, place: str) -> datetime | None:
        """Return when a job of those that wait to be tried again was last tried."""
        with self._lock:
            tries = [tried.at for tried in self._of(place).jobs.values() if tried.tries and tried.at]
        return max(tries, default=None)

    def note(self, place: str, name: str, tried: Tried) -> None:
        with self._lock:
            notes = self._of(place)
            self._known[place] = notes._replace(jobs=notes.jobs | {name: tried})

    def note_nights(
        self, place: str, last: date | None, coming: datetime | None, stopped_until: datetime | None
    ) -> None:
        with self._lock:
            self._known[place] = AgentNotes(last, coming, stopped_until, self._of(place).jobs)

    def forget_pauses(self, place: str) -> None:
        """Let everything that waits be tried at once: something has changed."""
        with self._lock:
            notes = self._of(place)
            jobs = {name: tried._replace(again=None, tries=0) for name, tried in notes.jobs.items()}
            self._known[place] = notes._replace(jobs=jobs)

    def keep_only(self, places: Collection[str]) -> None:
        """Forget the agents that are gone."""
        with self._lock:
            self._known = {place: notes for place, notes in self._known.items() if place in places}

    def of_agent(self, place: str) -> dict[str, Any]:
        """Return what is known of an agent, to be written down."""
        with self._lock:
            return as_told(self._of(place))

    def again(self, place: str) -> datetime | None:
        """Return when the first of those jobs is tried again that wait for it."""
        with self._lock:
            waiting = [tried.again for tried in self._of(place).jobs.values() if tried.again]
        return min(waiting, default=None)

    def save(self) -> None:
        """Write it down, where it outlives the process."""

    def _of(self, place: str) -> AgentNotes:
        return self._known.get(place, AgentNotes())


def as_told(notes: AgentNotes) -> dict[str, Any]:
    """Return notes as they are written down."""
    found: dict[str, Any] = plain(notes, str)
    return found


def notes_in(notes: Any) -> AgentNotes:
    """Return what was written down of an agent; what makes no sense is as if it never was."""
    try:
        return read(AgentNotes, notes)
    except (AttributeError, KeyError, TypeError, ValueError):
        return AgentNotes()
