"""Work in the background that a program asked for: what it is, how far it has come, and its result.

What was asked for is written down in the home, `jobs.json`, so that a server that starts can tell what became
of it: its results are not, because they have people's words in them.
"""

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, get_args

from almario.apps.web.problems import named, wrong
from almario.apps.web.shapes import record, shown
from almario.domain.messages import NOTHING, Sentence
from almario.errors import AlmarioError
from almario.wiring.daemon_parts import identity
from almario.wiring.souls import overwrite

FILE = "jobs.json"
# So much is remembered, and for so long; and so much is under way at once.
_MOST_KNOWN, _KNOWN_FOR, _MOST_AT_ONCE = 200, timedelta(days=7), 4
_WRITTEN = ("id", "agent", "work", "state", "done", "total", "begun", "ended", "detail", "error")
JobState = Literal["waiting", "running", "done", "failed", "interrupted"]
# Is told how far work is: what it does now, how much is done, and of how much.
Report = Callable[[str, int, int], None]
JOB = record(
    "Job", id=str, agent=str, work=str, state=JobState, step=str, done=int, total=int, begun=datetime,
    ended=datetime | None, result=Any, detail=str, error=str,
)  # fmt: skip


class Job:
    """A piece of work; *agent* is empty if it is about the home.

    *detail* says why it failed, *error* which of our errors that is.
    """

    def __init__(self, agent: str, work: str, begun: datetime) -> None:
        self.id = os.urandom(6).hex()
        self.agent = agent
        self.work = work
        self.state: JobState = "waiting"
        self.step, self.done, self.total = "", 0, 0
        self.begun = begun
        self.ended: datetime | None = None
        self.result: Any = None
        self.detail, self.error = NOTHING, ""

    @property
    def is_open(self) -> bool:
        return self.state in ("waiting", "running")

    def report(self, step: str, done: int = 0, total: int = 0) -> None:
        """Note how far it is."""
        self.step, self.done, self.total = step, done, total


class Labour:
    """Does what it is asked for, a few pieces at once; the same is not begun twice."""

    def __init__(self, clock: Callable[[], datetime], home: Path) -> None:
        self._clock = clock
        self._home, self._path = identity(home), home / FILE
        self._jobs = {job.id: job for job in self._left_behind()}
        self._turns = threading.BoundedSemaphore(_MOST_AT_ONCE)
        self._lock = threading.Lock()

    def begin(self, agent: str, work: str, run: Callable[[Report], Any]) -> Job:
        """Begin some work, or return the same that is under way."""
        with self._lock:
            for job in self._jobs.values():
                if job.is_open and (job.agent, job.work) == (agent, work):
                    return job
            job = Job(agent, work, self._clock())
            self._jobs[job.id] = job
            for old in [each.id for each in self._jobs.values() if not each.is_open][:-_MOST_KNOWN]:
                del self._jobs[old]
            self._save()
        threading.Thread(target=self._run, args=(job, run), name=f"almario-{work}", daemon=True).start()
        return job

    def of(self, agent: str) -> list[Job]:
        """Return the work for an agent, or for the home, the latest first."""
        return [job for job in reversed(list(self._jobs.values())) if job.agent == agent]

    def _run(self, job: Job, run: Callable[[Report], Any]) -> None:
        with self._turns:
            job.state = "running"
            try:
                job.result = run(job.report)
                job.state = "done"
            except AlmarioError as exc:
                job.detail, job.error = wrong(exc), named(exc)["error"]
            finally:
                job.ended = self._clock()
                job.state = "done" if job.state == "done" else "failed"
                with self._lock:
                    self._save()

    def _left_behind(self) -> Iterator[Job]:
        """Yield the work of the servers before this one; what was under way was interrupted."""
        for entry in self._written():
            if _is_alive(entry):
                continue
            job = _read(entry)
            if job is None or job.begun < self._clock() - _KNOWN_FOR:
                continue
            if job.is_open:
                job.state = "interrupted"
                sentence = "the server stopped while this was under way; what it had finished is kept"
                job.detail = Sentence(sentence)
            yield job

    def _save(self) -> None:
        """Write all work down beside that of another server; a disk that refuses it stops nothing."""
        own = [{**_noted(job), "pid": os.getpid()} for job in self._jobs.values()]
        content = json.dumps([*filter(_is_alive, self._written()), *own], ensure_ascii=False, indent=1)
        with contextlib.suppress(OSError):
            overwrite(self._path, content.encode() + b"\n", within=self._home)

    def _written(self) -> list[dict[str, Any]]:
        try:
            found = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return []
        return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _is_alive(entry: dict[str, Any]) -> bool:
    """Say whether another server, which still runs, does this work."""
    pid = entry.get("pid")
    if not isinstance(pid, int) or pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except (OSError, OverflowError):
        return False
    return pid > 0


def _noted(job: Job) -> dict[str, Any]:
    noted: dict[str, Any] = shown({name: getattr(job, name) for name in _WRITTEN})
    return noted | {"detail": job.detail.kept}


def _read(entry: dict[str, Any]) -> Job | None:
    """Return work as it was written down; None if it makes no sense."""
    try:
        begun, ended = datetime.fromisoformat(entry["begun"]), entry["ended"]
        job = Job(str(entry["agent"]), str(entry["work"]), begun)
        job.id, job.state, job.detail = str(entry["id"]), entry["state"], Sentence.read(entry["detail"])
        job.done, job.total, job.error = int(entry["done"]), int(entry["total"]), str(entry.get("error", ""))
        job.ended = datetime.fromisoformat(ended) if ended else None
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return job if job.state in get_args(JobState) and begun.tzinfo else None
