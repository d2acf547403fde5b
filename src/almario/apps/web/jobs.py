"""Background jobs that a program asked for: their progress and results.

It is known while this server runs; what it did is in the journal.
"""

import os
import threading
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Depends, Request

from almario.apps.daemon.bounds import Turns
from almario.apps.web.problems import named, wrong
from almario.apps.web.shapes import record
from almario.apps.web.until_erased import UntilErased
from almario.domain.messages import NOTHING
from almario.errors import AlmarioError, NotFound, StoreBusy

# So much that has ended is remembered, so much is under way at once, and so much waits.
_MOST_KNOWN, _MOST_AT_ONCE, _MOST_WAITING = 200, 4, 100

JobState = Literal["waiting", "running", "done", "failed"]
# Reports progress: the current step, how much is done, and of how much.
Report = Callable[[str, int, int], None]
JOB = record(
    "Job", id=str, agent=str, work=str, state=JobState, step=str, done=int, total=int, begun=datetime,
    ended=datetime | None, result=Any, detail=str, error=str,
)  # fmt: skip


class WebJob:
    """A piece of work; *agent* is empty if it is about the home.

    *detail* says why it failed, *error* which of our errors that is.
    """

    def __init__(self, agent: str, work: str, about: str, begun: datetime, held: UntilErased[Any]) -> None:
        self.id = os.urandom(6).hex()
        self.agent = agent
        self.work, self.about = work, about
        self.state: JobState = "waiting"
        self.step, self.done, self.total = "", 0, 0
        self.begun = begun
        self.ended: datetime | None = None
        self.held = held
        self.detail, self.error = NOTHING, ""

    @property
    def result(self) -> Any:
        return self.held.value

    @property
    def shown(self) -> dict[str, Any]:
        """What a program is shown of it."""
        return {name: getattr(self, name) for name in JOB.__annotations__}

    @property
    def is_open(self) -> bool:
        return self.state in ("waiting", "running")

    def report(self, step: str, done: int = 0, total: int = 0) -> None:
        """Note how far it is."""
        self.step, self.done, self.total = step, done, total


class WebJobs:
    """Runs background jobs, a few at once; the same job is not started twice.

    *erased* returns an agent's latest erasure.
    """

    def __init__(self, clock: Callable[[], datetime], erased: Callable[[str], int] = lambda _: 0) -> None:
        self._clock = clock
        self._erased = erased
        self._jobs: dict[str, WebJob] = {}
        self._turns = Turns(_MOST_AT_ONCE, _MOST_WAITING)
        self._lock = threading.Lock()

    def begin(self, agent: str, work: str, run: Callable[[Report], Any], about: str = "") -> WebJob:
        """Start a job, or return the same one already running, *about* the same session.

        StoreBusy if too many wait.
        """
        with self._lock:
            for job in self._jobs.values():
                if job.is_open and (job.agent, job.work, job.about) == (agent, work, about):
                    return job
            held = UntilErased[Any](partial(self._erased, agent))
            job = WebJob(agent, work, about, self._clock(), held)
            if not self._turns.add(job.id, partial(self._run, job, run)):
                raise StoreBusy("too many jobs are waiting; try again when some have ended")
            self._jobs[job.id] = job
            for old in [each.id for each in self._jobs.values() if not each.is_open][:-_MOST_KNOWN]:
                del self._jobs[old]
        return job

    def of(self, agent: str) -> list[WebJob]:
        """Return an agent's jobs, or the home's, latest first."""
        with self._lock:
            return [job for job in reversed(self._jobs.values()) if job.agent == agent]

    def get(self, agent: str, wanted: str) -> WebJob:
        """Return some work for an agent, or for the home; NotFound if there is none with that id."""
        found = self._jobs.get(wanted)
        if found is None or found.agent != agent:
            raise NotFound("there is no job {id}", id=wanted)
        return found

    def _run(self, job: WebJob, run: Callable[[Report], Any]) -> None:
        state: JobState = "failed"
        job.state = "running"
        try:
            job.held.hold(partial(run, job.report))
            state = "done"
        except AlmarioError as exc:
            job.detail, job.error = wrong(exc), named(exc)["error"]
        finally:
            job.ended, job.state = self._clock(), state


def labour_of(request: Request) -> WebJobs:
    """Return the work of the server that is asked."""
    found: WebJobs = request.app.state.jobs
    return found


Work = Annotated[WebJobs, Depends(labour_of)]
