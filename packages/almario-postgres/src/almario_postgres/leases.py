"""Background jobs that one process at a time does for an agent.

A lease has a number, the fence, which grows with each holder, and it runs out unless it is renewed; the
server's clock alone decides. What is written under a lease is kept only while its fence is the highest:
whoever was paused for too long cannot write over whoever took the job on.
"""

import contextlib
import os
import threading
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any

from almario.domain.logs import Log
from almario.errors import StoreBusy, StoreError
from almario.ports import Job
from almario_postgres.database import Bound

if TYPE_CHECKING:
    from psycopg import Connection

log = Log(__name__)

# So many seconds a lease lasts, unless it is renewed; who waits for one asks that often.
LASTS, _AGAIN = 30.0, 0.1


class Leases:
    """The leases of one agent that this process holds."""

    def __init__(self, bound: Bound, *, lasts: float = LASTS) -> None:
        self._bound = bound
        self._lasts = lasts
        self._here = threading.local()

    @contextlib.contextmanager
    def held(self, job: Job, *, seconds: float = 0) -> Iterator[bool]:
        """Have a job to oneself, waiting for *seconds* if another has it; say whether one has it."""
        holder, end = os.urandom(8).hex(), monotonic() + seconds
        fence = self._taken(job, holder)
        while fence is None and monotonic() < end:
            threading.Event().wait(min(_AGAIN, seconds))
            fence = self._taken(job, holder)
        if fence is None:
            yield False
            return
        done = threading.Event()
        renewing = threading.Thread(
            target=self._renew, args=(job, fence, done), name="almario-lease", daemon=True
        )
        renewing.start()
        try:
            with self._own(job, fence):
                yield True
        finally:
            done.set()
            renewing.join()
            with contextlib.suppress(StoreError):  # then it runs out
                self._set(job, fence, "'-infinity'")

    def check(self, connection: "Connection") -> None:
        """Raise StoreBusy if somebody else has taken on a job that this thread is doing.

        Nobody takes it on before the transaction ends.
        """
        if not (own := self._fences()):
            return
        query = "SELECT job, fence FROM leases WHERE agent = %s AND job = ANY(%s) FOR SHARE"
        rows: list[Any] = connection.execute(query, (self._bound.agent, list(own))).fetchall()
        if lost := own.items() - {(job, fence) for job, fence in rows}:
            sentence = 'another process has taken over "{job}", so nothing was written here'
            raise StoreBusy(sentence, job=min(lost)[0])

    def _fences(self) -> dict[str, int]:
        found: dict[str, int] = getattr(self._here, "fences", {})
        return found

    @contextlib.contextmanager
    def _own(self, job: Job, fence: int) -> Iterator[None]:
        before = self._fences()
        self._here.fences = {**before, job: fence}
        try:
            yield
        finally:
            self._here.fences = before

    def _taken(self, job: Job, holder: str) -> int | None:
        statement = (
            "INSERT INTO leases(agent, job, holder, fence, until)"
            " VALUES (%s, %s, %s, 1, clock_timestamp() + make_interval(secs => %s))"
            " ON CONFLICT (agent, job) DO UPDATE"
            " SET holder = excluded.holder, fence = leases.fence + 1, until = excluded.until"
            " WHERE leases.until < clock_timestamp() RETURNING fence"
        )
        with contextlib.suppress(StoreBusy), self._bound.beside() as connection:
            given = (self._bound.agent, job, holder, self._lasts)
            row = connection.execute(statement, given).fetchone()
            return int(row[0]) if row else None
        return None

    def _renew(self, job: Job, fence: int, done: threading.Event) -> None:
        until = f"clock_timestamp() + make_interval(secs => {self._lasts:f})"
        while not done.wait(self._lasts / 3):
            try:
                if not self._set(job, fence, until):
                    return
            except StoreError as exc:
                log.warning("the lease of %s could not be renewed: %s", job, exc)

    def _set(self, job: Job, fence: int, until: str) -> bool:
        statement = f"UPDATE leases SET until = {until} WHERE agent = %s AND job = %s AND fence = %s"
        with self._bound.beside() as connection:
            return connection.execute(statement.encode(), (self._bound.agent, job, fence)).rowcount == 1
