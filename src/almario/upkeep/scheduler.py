"""The rounds: every minute, for each agent and then for the home, whatever is due is done.

What fails is tried again after a while, and holds up nothing else.
"""

import threading
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from time import monotonic as monotonic_time
from typing import Protocol

from almario.becoming.rules.reflections import NIGHT
from almario.domain.messages import Sentence
from almario.ports import Clock
from almario.upkeep.agent_jobs import NOTHING, Ended, Job, TendedAgent, failed
from almario.upkeep.job_notes import HOME, JobNotes, Tried
from almario.upkeep.logbook import Logbook
from almario.upkeep.schedules import due_night, next_day, next_night

OVER_BUDGET = Sentence("the budget for today is used up")
_STOPPED = Ended("waits", OVER_BUDGET)
# After the first failure, the second, …; and then always the last.
_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
# Whoever is to wait for longer was told so by a clock that was wrong.
_LONGEST_PAUSE = timedelta(hours=26)
# So far ahead a day can be that was done in another zone; one further ahead was never done.
_TRAVEL = timedelta(days=1)

# After so long without a night nothing is erased in the first: it may be that the clock has leapt.
_LEAP = timedelta(days=35)
# A model that takes so many seconds to fail may do so to everybody.
_LONG = 30.0

# Each agent's id, or HOME, and what opens it.
Openers = Mapping[str, Callable[[], TendedAgent]]


class RoundsOf(Protocol):
    """Looks after the agents of a home, round by round; `Rounds` does for those in folders."""

    def make(self, *, whole: bool = False) -> None: ...
    def renew(self) -> None: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


class Rounds:
    """Keeps open what *openers* names, and does its jobs."""

    def __init__(
        self,
        openers: Callable[[], Openers],
        notes: JobNotes,
        logbook: Logbook,
        clock: Clock,
        *,
        monotonic: Callable[[], float] = monotonic_time,
    ) -> None:
        self._openers = openers
        self._notes = notes
        self._logbook = logbook
        self._clock = clock
        self._monotonic = monotonic
        self._known: Openers = {}
        self._open: dict[str, TendedAgent] = {}
        self._is_held_up = False
        self._stopping = threading.Event()
        self._renewing = threading.Event()

    def make(self, *, whole: bool = False) -> None:
        """Do once whatever is due; between two jobs it can be stopped.

        When a model has held up a round, no other is asked in it unless it is to be *whole*; those whose
        turn that was are the first in the next.
        """
        if self._renewing.is_set():
            self._renewing.clear()
            for place in list(self._open):
                self._close(place)
                self._notes.forget_pauses(place)
        self._note(HOME, "list", self._ended(self._check_home))
        self._is_held_up = False
        for place in sorted(self._known, key=self._turn):
            if not self._stopping.is_set():
                self._keep(place, self._known[place], whole=whole)
        self._notes.save()

    def stop(self) -> None:
        """Begin no other job."""
        self._stopping.set()

    def renew(self) -> None:
        """Open everything anew at the next round, and let what waits be tried."""
        self._renewing.set()

    def close(self) -> None:
        """Close what is open."""
        for kept in self._open.values():
            kept.leave()
        for place in list(self._open):
            self._close(place)

    def _check_home(self) -> None:
        """See who is there; while that cannot be seen, who was there is."""
        self._known = self._openers()
        for place in [place for place in self._open if place not in self._known]:
            self._close(place)
        self._notes.keep_only(self._known)

    def _turn(self, place: str) -> tuple[bool, float]:
        failed = self._notes.failed_at(place)
        return place == HOME, failed.timestamp() if failed else 0.0

    def _keep(self, place: str, opener: Callable[[], TendedAgent], *, whole: bool) -> None:
        self._note(place, "open", self._ended(lambda: self._opened(place, opener)))
        if kept := self._open.get(place):
            self._note_nights(place, kept)
            for job in kept.jobs:
                is_put_off = job.thinks and self._is_held_up and not whole
                if not self._stopping.is_set() and not is_put_off:
                    self._do_if_due(place, kept, job)
            self._note_nights(place, kept)
            self._note(place, "rest", self._ended(kept.rest))

    def _opened(self, place: str, opener: Callable[[], TendedAgent]) -> None:
        if place in self._open and not self._open[place].is_current():
            self._close(place)
            self._notes.forget_pauses(place)
        if place not in self._open:
            self._open[place] = opener()

    def _close(self, place: str) -> None:
        self._note(place, "close", self._ended(self._open.pop(place).close))

    def _do_if_due(self, place: str, kept: TendedAgent, job: Job) -> None:
        now, before = self._clock(), self._notes.job(place, job.name)
        if before.again and now < before.again <= now + _LONGEST_PAUSE:
            return
        day: date | None = now.astimezone(kept.zone).date()
        if job.nightly:
            last = self._believed(before.day, kept)
            day = due_night(kept.schedule, kept.zone, now, last, since=kept.since)
        if day:
            self._do(place, kept, job, day)

    def _do(self, place: str, kept: TendedAgent, job: Job, day: date) -> None:
        begun = self._monotonic()
        ended = self._ended(lambda: self._done(place, kept, job, day))
        seconds, until = self._monotonic() - begun, None
        self._is_held_up |= job.thinks and ended.outcome in ("failed", "waits") and seconds >= _LONG
        if job.thinks and ended.outcome in ("failed", "waits"):
            ended = self._ended(lambda: _STOPPED if kept.is_over() else ended)
        if ended == _STOPPED:
            until = next_day(kept.zone, self._clock())
        elif job.nightly and ended.outcome in ("done", "nothing"):
            self._notes.note(place, job.name, self._notes.job(place, job.name)._replace(day=day))
        self._note(place, job.name, ended, until=until, seconds=seconds)
        if job.nightly:
            self._notes.save()

    def _done(self, place: str, kept: TendedAgent, job: Job, day: date) -> Ended:
        """Do a job, unless another has done it for that day or there is no budget for it."""
        if job.erases:
            last = self._believed(self._notes.job(place, job.name).day, kept)
            if last is None or day - last > _LEAP:
                return NOTHING
        if job.done and (last := self._believed(job.done(), kept)) and last >= day:
            return NOTHING
        if job.thinks and kept.is_over():
            return _STOPPED
        return job.run(day)

    def _believed(self, last: date | None, kept: TendedAgent) -> date | None:
        """Return the latest day that is done, unless only a wrong clock can have said so."""
        today = self._clock().astimezone(kept.zone).date()
        return last if last and last <= today + _TRAVEL else None

    def _ended(self, step: Callable[[], Ended | None]) -> Ended:
        """Return how a step went; one that does not say so had nothing to tell."""
        try:
            return step() or NOTHING
        except Exception as exc:  # noqa: BLE001 - whatever a job fails by, it stops no other job and no other agent
            return failed(exc)

    def _note(
        self, place: str, name: str, ended: Ended, *, until: datetime | None = None, seconds: float = 0.0
    ) -> None:
        """Note how a job went, and say so if it went otherwise than before."""
        before, now, why = self._notes.job(place, name), self._clock(), str(ended.why or "")
        is_well = ended.outcome in ("done", "nothing")
        if is_well:
            tried = before._replace(at=now, outcome="done", why=why, tries=0, again=None)
        else:
            again = until or now + _PAUSES[min(before.tries, len(_PAUSES) - 1)]
            tried = Tried(now, ended.outcome, why, before.day, before.tries + 1, again)
        if ended.outcome != "nothing" or before.tries:
            self._notes.note(place, name, tried)
        is_news = (tried.outcome, why) != (before.outcome, before.why)
        if ended.outcome == "done" or (is_news and (before.tries or not is_well)):
            self._logbook.add(
                tried.outcome, agent=place, job=name, seconds=seconds, why=ended.why, until=until
            )

    def _note_nights(self, place: str, kept: TendedAgent) -> None:
        jobs = [self._notes.job(place, job.name) for job in kept.jobs]
        stopped = [tried.again for tried in jobs if tried.why == str(OVER_BUDGET) and tried.again]
        last = self._believed(self._notes.job(place, NIGHT).day, kept)
        coming = None
        if any(job.name == NIGHT for job in kept.jobs):
            coming = next_night(kept.schedule, kept.zone, self._clock(), last)
        self._notes.note_nights(place, last, coming, max(stopped, default=None))
