"""Looking after agents that are too many for one process: those that are due are taken from a queue.

What is due for an agent, and when it is tried again, is as in every round; here it is only opened when
something may be.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from almario.errors import AlmarioError
from almario.ports import Clock, ListedAgent
from almario.upkeep.agent_jobs import QUIET, TendedAgent, failed
from almario.upkeep.job_notes import JobNotes
from almario.upkeep.logbook import Logbook
from almario.upkeep.rules.costs import Spent
from almario.upkeep.scheduler import Rounds
from almario.upkeep.schedules import next_night
from almario_postgres.nights import Duty, PostgresQueue, RoundResult

# For so long one has an agent to oneself, unless one goes on having it.
_OWN = timedelta(minutes=5)
_AGAIN = timedelta(minutes=1)


class QueueRounds:
    """Takes agents from a queue until none is due, several at once, and does what is due for each."""

    def __init__(
        self,
        queue: PostgresQueue,
        opener: Callable[[ListedAgent], TendedAgent],
        logbook: Logbook,
        clock: Clock,
        *,
        workers: int = 4,
    ) -> None:
        self._queue = queue
        self._opener = opener
        self._logbook = logbook
        self._clock = clock
        self._workers = workers
        self._lock = threading.Lock()
        self._under_way: dict[ListedAgent, Rounds] = {}
        self._stopping = threading.Event()

    def make(self, *, whole: bool = False) -> None:
        """Look after whoever is due; it ends when nobody is, or when it is stopped."""
        try:
            self._queue.notice(self._clock(), self._clock() + QUIET)
        except AlmarioError as exc:
            self._logbook.add("failed", job="list", why=failed(exc).why)
            return
        threads = [
            threading.Thread(target=self._work, name="almario-night", daemon=True)
            for _ in range(self._workers)
        ]
        with self._kept():
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def stop(self) -> None:
        """Take no other agent, and begin no other job."""
        self._stopping.set()
        with self._lock:
            for rounds in self._under_way.values():
                rounds.stop()

    def renew(self) -> None:
        """Do nothing: each agent is opened anew whenever something is due."""

    def close(self) -> None:
        """Be here no more; no agent stays open."""
        with suppress(AlmarioError):
            self._queue.leave()

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                duty = self._queue.take(self._clock(), self._clock() + _OWN)
                if duty is None:
                    return
                self._do_round(duty)
            except AlmarioError as exc:
                self._logbook.add("failed", job="list", why=failed(exc).why)
                return

    def _do_round(self, duty: Duty) -> None:
        place, notes = duty.agent.id, JobNotes()
        notes.take_over({place: duty.notes})
        found: list[TendedAgent] = []

        def opened() -> TendedAgent:
            found.append(self._opener(duty.agent))
            return found[0]

        rounds = Rounds(lambda: {place: opened}, notes, self._logbook, self._clock)
        with self._lock:
            self._under_way[duty.agent] = rounds
        try:
            if not self._stopping.is_set():
                rounds.make(whole=True)
            seen = self._queue.written(duty.agent)
            due, spent = self._due(notes, place, found), found[0].spent() if found else Spent()
        finally:
            rounds.close()
            with self._lock:
                del self._under_way[duty.agent]
        zone = found[0].zone if found else None
        day = self._clock().astimezone(zone).date()
        result = RoundResult(notes.of_agent(place), due, seen, day, spent.tokens, spent.cost)
        self._queue.put_back(duty.agent, result)

    def _due(self, notes: JobNotes, place: str, found: list[TendedAgent]) -> datetime | None:
        """Return when something is due next: a night, what is tried again, or what there is to learn from."""
        now = self._clock()
        if self._stopping.is_set() or not found:
            return notes.again(place) or now + _AGAIN
        kept = found[0]
        again = notes.again(place)
        coming = [again, next_night(kept.schedule, kept.zone, now, None)]
        coming += [now + QUIET] if kept.has_more() and again is None else []
        return min((max(each, now + _AGAIN) for each in coming if each), default=None)

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Go on having what is under way, and noticing what is new, for as long as it takes."""
        is_over = threading.Event()

        def go_on() -> None:
            while not is_over.wait(_OWN.total_seconds() / 5):
                with self._lock:
                    agents = list(self._under_way)
                try:
                    self._queue.notice(self._clock(), self._clock() + QUIET)
                    self._queue.keep(agents, self._clock() + _OWN)
                except AlmarioError as exc:
                    self._logbook.add("failed", job="list", why=failed(exc).why)

        thread = threading.Thread(target=go_on, name="almario-keeping", daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()
