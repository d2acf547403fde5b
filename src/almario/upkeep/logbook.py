"""The logs of a home: what was done unseen and how it went, a line of JSON each.

The daemon's has not a word of anybody's in it; that of the hooks tells what failed, and why.
"""

import contextlib
import json
import logging
import os
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from almario.domain.messages import Sentence
from almario.domain.plain_text import regex
from almario.named_tuples import NamedTuple
from almario.ports import Clock
from almario.store import files
from almario.upkeep.agent_jobs import failed

DAEMON, HOOKS = "daemon", "hooks"
_OLDER = regex(r"(\w+)\.([1-9][0-9]{0,8})\.jsonl")
_PLACES = regex(r"%[-+ #0]*[0-9.]*[a-z]")


class LogbookEntry(NamedTuple):
    """One line: *agent* is empty for what is done for the home, *job* for what the daemon says of itself."""

    at: datetime
    level: str
    agent: str
    job: str
    outcome: str
    seconds: float = 0.0
    why: Sentence | None = None
    until: datetime | None = None


class Logbook:
    """Keeps the log in *folder*, and shows each line to *show* as it is written.

    It begins a new one past the *longest* size in bytes, and keeps so many *older* ones.
    """

    def __init__(
        self,
        folder: Path,
        clock: Clock,
        *,
        longest: int = 1_000_000,
        older: int = 5,
        show: Callable[[LogbookEntry], None] | None = None,
        name: str = DAEMON,
    ) -> None:
        self._name = name
        self._folder = folder
        self._home = files.identity(folder.parent)
        self._clock = clock
        self._longest, self._most = longest, older
        self._show = show
        self._lock = threading.Lock()

    def add(
        self,
        outcome: str,
        *,
        agent: str = "",
        job: str = "",
        seconds: float = 0.0,
        why: Sentence | None = None,
        until: datetime | None = None,
    ) -> None:
        """Add a line; a disk that refuses it stops nothing."""
        level = "warning" if outcome in ("failed", "warned") else "info"
        entry = LogbookEntry(self._clock(), level, agent, job, outcome, round(seconds, 3), why, until)
        with self._lock, contextlib.suppress(OSError):
            # A home that is gone is not made anew, and one that was put in its place is none of ours.
            if not self._folder.is_dir() and files.identity(self._folder.parent) == self._home:
                os.mkdir(self._folder, 0o700)
            self._rotate()
            files.append_line(self._folder / f"{self._name}.jsonl", _encoded(entry))
        if self._show:
            self._show(entry)

    def _rotate(self) -> None:
        """Begin a new log if the present one is long; of the older ones the newest are kept."""
        log, most = self._folder / f"{self._name}.jsonl", self._most
        if not log.is_file() or log.stat().st_size < self._longest:
            return
        older = (_OLDER.fullmatch(name) for name in os.listdir(self._folder))
        numbers = sorted(int(found[2]) for found in older if found and found[1] == self._name)
        for number in reversed(numbers):
            if number >= most:
                os.unlink(self._older(number))
            else:
                os.rename(self._older(number), self._older(number + 1))
        if most:
            os.rename(log, self._older(1))
        else:
            os.unlink(log)

    def _older(self, number: int) -> Path:
        return self._folder / f"{self._name}.{number}.jsonl"


def last_line(log: Path) -> dict[str, str]:
    """Return the last line of a log, or nothing."""
    try:
        lines = log.read_bytes().splitlines()
        return dict(json.loads(lines[-1])) if lines else {}
    except (OSError, ValueError, TypeError):
        return {}


@contextlib.contextmanager
def overheard(logbook: Logbook) -> Iterator[None]:
    """Take into the log what modules warn of and what ends a thread, and let none of it go elsewhere."""
    handler, root, before = _Warnings(logbook), logging.getLogger(), threading.excepthook

    def fell(args: threading.ExceptHookArgs) -> None:
        if isinstance(args.exc_value, Exception):
            name = args.thread.name if args.thread else ""
            logbook.add("failed", job=name, why=failed(args.exc_value).why)

    root.addHandler(handler)
    threading.excepthook = fell
    try:
        yield
    finally:
        threading.excepthook = before
        root.removeHandler(handler)


class _Warnings(logging.Handler):
    """Enters warnings without what was filled in, which may be anybody's words."""

    def __init__(self, logbook: Logbook) -> None:
        super().__init__(logging.WARNING)
        self._logbook = logbook

    def emit(self, record: logging.LogRecord) -> None:
        is_ours = record.name.startswith("almario.")
        why = Sentence(_PLACES.sub("…", str(record.msg))) if is_ours else None
        self._logbook.add("warned", job=record.name.removeprefix("almario."), why=why)


def _encoded(entry: LogbookEntry) -> bytes:
    fields = entry._asdict() | {"at": entry.at.isoformat(), "why": str(entry.why or "")}
    fields["until"] = entry.until.isoformat() if entry.until else None
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"
