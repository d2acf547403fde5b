"""How the jobs of agents went, as it is noted by whoever does them."""

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
    """What is known of every job of the agents that are looked after.

    One thread notes; what others see meanwhile is whole, because each note makes a new mapping.
    """

    def __init__(self) -> None:
        self._known: dict[str, AgentNotes] = {}

    def take_over(self, notes: Mapping[str, Any]) -> None:
        """Go on from what was written down: for each place, what `told` said of it."""
        known = {place: AgentNotes(jobs=notes_in(entry).jobs) for place, entry in notes.items()}
        self._known = self._known | known

    def job(self, place: str, name: str) -> Tried:
        """Return how a job went last."""
        return self._of(place).jobs.get(name, Tried())

    def failed_at(self, place: str) -> datetime | None:
        """Return when a job of those that wait to be tried again was last tried."""
        jobs = self._of(place).jobs.values()
        return max((tried.at for tried in jobs if tried.tries and tried.at), default=None)

    def note(self, place: str, name: str, tried: Tried) -> None:
        self._set(place, self._of(place)._replace(jobs=self._of(place).jobs | {name: tried}))

    def note_nights(
        self, place: str, last: date | None, coming: datetime | None, stopped_until: datetime | None
    ) -> None:
        self._set(place, AgentNotes(last, coming, stopped_until, self._of(place).jobs))

    def forget_pauses(self, place: str) -> None:
        """Let everything that waits be tried at once: something has changed."""
        notes = self._of(place)
        jobs = {name: tried._replace(again=None, tries=0) for name, tried in notes.jobs.items()}
        self._set(place, notes._replace(jobs=jobs))

    def keep_only(self, places: Collection[str]) -> None:
        """Forget the agents that are gone."""
        self._known = {place: notes for place, notes in self._known.items() if place in places}

    def of_agent(self, place: str) -> dict[str, Any]:
        """Return what is known of an agent, to be written down."""
        return as_told(self._of(place))

    def again(self, place: str) -> datetime | None:
        """Return when the first of those jobs is tried again that wait for it."""
        return min((tried.again for tried in self._of(place).jobs.values() if tried.again), default=None)

    def save(self) -> None:
        """Write it down, where it outlives the process."""

    def _of(self, place: str) -> AgentNotes:
        return self._known.get(place, AgentNotes())

    def _set(self, place: str, notes: AgentNotes) -> None:
        self._known = self._known | {place: notes}


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
