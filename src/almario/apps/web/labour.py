"""Work in the background that a program asked for: what it is, how far it has come, and its result.

What was asked for is written down in the home, `jobs.json`, so that a server that starts can tell what became
of it. Its results have people's words in them: only where several servers share a home are they written down,
and taken out when nobody is likely to ask any more.
"""

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Literal, get_args

from almario.apps.web.problems import named, wrong
from almario.apps.web.shapes import record, shown
from almario.domain.messages import NOTHING, Sentence
from almario.errors import AlmarioError
from almario.wiring.souls import Papers

FILE = "jobs.json"
# So much is remembered, and for so long; and so much is under way at once.
_MOST_KNOWN, _KNOWN_FOR, _MOST_AT_ONCE = 200, timedelta(days=7), 4
# Where others are told: after so long without a word a server is gone, so long they may ask for a result, and
# so many seconds pass before they are told again how far work is.
_BEAT, _RESULT_FOR, _TOLD = timedelta(seconds=60), timedelta(minutes=15), 1.0
_WRITTEN = ("id", "agent", "work", "state", "done", "total", "begun", "ended", "detail", "error")
JobState = Literal["waiting", "running", "done", "failed", "interrupted"]
# Is told how far work is: what it does now, how much is done, and of how much.
Report = Callable[[str, int, int], None]
JOB = record(
    "Job", id=str, agent=str, work=str, state=JobState, step=str, done=int, total=int, begun=datetime,
    ended=datetime | None, result=Any, detail=str, error=str,
)  # fmt: skip


class WebJob:
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
    """Does what it is asked for, a few pieces at once; the same is not begun twice.

    Where several servers share a home's papers, each knows of the work of all, and what came of it.
    """

    def __init__(self, clock: Callable[[], datetime], papers: Papers) -> None:
        self._clock = clock
        self._papers = papers
        self._name = os.urandom(6).hex()
        self._jobs = {} if papers.is_shared else {job.id: job for job in self._left_behind()}
        self._turns = threading.BoundedSemaphore(_MOST_AT_ONCE)
        self._lock = threading.Lock()
        self._saved = monotonic()
        self._is_beating_here = False

    def begin(self, agent: str, work: str, run: Callable[[Report], Any]) -> WebJob:
        """Begin some work, or return the same that is under way."""
        with self._lock, self._changing():
            for job in (*self._jobs.values(), *self._of_others()):
                if job.is_open and (job.agent, job.work) == (agent, work):
                    return job
            job = WebJob(agent, work, self._clock())
            self._jobs[job.id] = job
            for old in [each.id for each in self._jobs.values() if not each.is_open][:-_MOST_KNOWN]:
                del self._jobs[old]
            self._save()
            if self._papers.is_shared and not self._is_beating_here:
                self._is_beating_here = True
                threading.Thread(target=self._beat, name="almario-beat", daemon=True).start()
        threading.Thread(target=self._run, args=(job, run), name=f"almario-{work}", daemon=True).start()
        return job

    def of(self, agent: str) -> list[WebJob]:
        """Return the work for an agent, or for the home, the latest first."""
        every = [*self._of_others(), *self._jobs.values()]
        if self._papers.is_shared:
            every.sort(key=lambda job: job.begun)
        return [job for job in reversed(every) if job.agent == agent]

    def _run(self, job: WebJob, run: Callable[[Report], Any]) -> None:
        def report(step: str, done: int = 0, total: int = 0) -> None:
            job.report(step, done, total)
            if self._papers.is_shared and monotonic() - self._saved > _TOLD:
                self._note()

        with self._turns:
            job.state = "running"
            try:
                job.result = run(report)
                job.state = "done"
            except AlmarioError as exc:
                job.detail, job.error = wrong(exc), named(exc)["error"]
            finally:
                job.ended = self._clock()
                job.state = "done" if job.state == "done" else "failed"
                self._note()

    def _beat(self) -> None:
        """Let other servers know that work is under way here, until there is none, and no result is told."""
        is_beating = True
        while is_beating:
            threading.Event().wait(_BEAT.total_seconds() / 3)
            with self._lock:
                oldest = self._clock() - _RESULT_FOR
                told = (job.is_open or (job.ended or oldest) > oldest for job in self._jobs.values())
                is_beating = self._is_beating_here = any(told)
            self._note()

    def _note(self) -> None:
        with self._lock:
            self._saved = monotonic()
            with contextlib.suppress(AlmarioError), self._changing():
                self._save()

    def _changing(self) -> AbstractContextManager[None]:
        """Hold the papers that others change, too; a folder's are one process's, or a little old."""
        return self._papers.changing() if self._papers.is_shared else contextlib.nullcontext()

    def _of_others(self) -> Iterator[WebJob]:
        """Yield the work of the servers that share the papers; of one that is gone, it was interrupted."""
        if self._papers.is_shared:
            found = [entry for entry in self._written() if entry.get("server") != self._name]
            yield from self._known(found, self._is_beating)

    def _left_behind(self) -> Iterator[WebJob]:
        """Yield the work of the servers before this one; what was under way was interrupted."""
        yield from self._known([each for each in self._written() if not _is_alive(each)], lambda _: False)

    def _known(
        self, entries: list[dict[str, Any]], is_alive: Callable[[dict[str, Any]], bool]
    ) -> Iterator[WebJob]:
        for entry in entries:
            job = _read(entry)
            if job is None or job.begun < self._clock() - _KNOWN_FOR:
                continue
            if job.is_open and not is_alive(entry):
                job.state = "interrupted"
                sentence = "the server stopped while this was under way; what it had finished is kept"
                job.detail = Sentence(sentence)
            yield job

    def _is_beating(self, entry: dict[str, Any]) -> bool:
        try:
            return datetime.fromisoformat(entry["beat"]) > self._clock() - _BEAT
        except (KeyError, TypeError, ValueError):
            return False

    def _save(self) -> None:
        """Write all work down beside that of other servers; a disk that refuses it stops nothing."""
        if self._papers.is_shared:
            others = [entry for entry in self._written() if entry.get("server") != self._name]
            own = [self._shared(job) for job in self._jobs.values()]
            written = [each for each in map(self._aged, [*others, *own]) if each][-_MOST_KNOWN:]
        else:
            own = [{**_noted(job), "pid": os.getpid()} for job in self._jobs.values()]
            written = [*filter(_is_alive, self._written()), *own]
        with contextlib.suppress(AlmarioError):
            self._papers.write(FILE, json.dumps(written, ensure_ascii=False, indent=1).encode() + b"\n")

    def _shared(self, job: WebJob) -> dict[str, Any]:
        sign = {"server": self._name, "beat": self._clock().isoformat()}
        return {**_noted(job), **sign, "step": job.step, "result": shown(job.result)}

    def _aged(self, entry: dict[str, Any]) -> dict[str, Any] | None:
        """Return work as others are told of it now, its result only for a while; None if it is long over."""
        job, now = _read(entry), self._clock()
        if job is None or job.begun < now - _KNOWN_FOR:
            return None
        is_over = job.ended is not None and job.ended < now - _RESULT_FOR
        return {**entry, "result": None} if is_over else entry

    def _written(self) -> list[dict[str, Any]]:
        try:
            found = json.loads(self._papers.read(FILE) or b"")
        except (AlmarioError, ValueError, RecursionError):
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


def _noted(job: WebJob) -> dict[str, Any]:
    noted: dict[str, Any] = shown({name: getattr(job, name) for name in _WRITTEN})
    return noted | {"detail": job.detail.kept}


def _read(entry: dict[str, Any]) -> WebJob | None:
    """Return work as it was written down; None if it makes no sense."""
    try:
        begun, ended = datetime.fromisoformat(entry["begun"]), entry["ended"]
        job = WebJob(str(entry["agent"]), str(entry["work"]), begun)
        job.id, job.state, job.detail = str(entry["id"]), entry["state"], Sentence.read(entry["detail"])
        job.done, job.total, job.error = int(entry["done"]), int(entry["total"]), str(entry.get("error", ""))
        job.step, job.result = str(entry.get("step", "")), entry.get("result")
        job.ended = datetime.fromisoformat(ended) if ended else None
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return job if job.state in get_args(JobState) and begun.tzinfo else None
