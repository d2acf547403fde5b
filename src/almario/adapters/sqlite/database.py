"""One SQLite file of things derived from the vault: quick, private, and never trusted blindly.

Nothing in it is the only copy, so a commit waits for no disk: it goes to a log
beside the file, and from there into the file when the log has grown. Every
page has a checksum, so what a disk or a hand did to it is `Damaged` and not
an answer.
"""

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from almario.adapters.sqlite.opening import (
    Identity,
    connect,
    create,
    damaged,
    handling,
    identity,
    log_size,
    named,
    remove,
    settle,
    stamp,
)
from almario.adapters.sqlite.rows_held import Key, RowsState, Touched
from almario.errors import Damaged

if TYPE_CHECKING:
    from apsw import Connection

_META = "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
_WRITE = "BEGIN IMMEDIATE"
# A longer log would slow down the next one to open the file.
_LOG_BYTES = 4 * 1024 * 1024
# Who waited in vain for another program waits so many times shorter until the file is free.
_AGAIN = 20
# The state of what stands in for the file is older than any of the file: nothing of it is kept at hand.
_ASIDE = -2
# Connections that a fork carried into a child may be neither used nor closed there.
_inherited: list["Connection"] = []


class Database:
    """A file in *folder*, or a database in memory if there is none.

    Readers may be many and see each commit at once; who writes holds the
    agent's lock. A file that is missing is `Damaged` for a reader and made
    anew by the next `writing`. Another program that holds the file is waited
    for *seconds*; a thread that cannot use it at all may go on in memory.
    """

    def __init__(self, folder: Path | None, name: str, *, seconds: float = 1.0) -> None:
        self.path = folder / name if folder else None
        self._seconds = seconds
        self._waited_in_vain = False
        self._schema = [_META]
        self._lock = threading.RLock()
        self._idle: list[Connection] = []
        # Which file the idle connections belong to, and how often that was another one.
        self._seen: Identity | None = None
        self._age = 0
        self._pid = os.getpid()
        self._here = threading.local()
        # What stands in for the file, for the threads that are aside, one after the other.
        self._stand_in: Connection | None = None
        self._aside = threading.RLock()
        self.touched = Touched()

    def __str__(self) -> str:
        return str(self.path) if self.path else ":memory:"

    def require(self, *statements: str) -> None:
        """Have these statements run when the file is made."""
        self._schema += statements

    def reading(self) -> contextlib.AbstractContextManager["Connection"]:
        """Give a connection that sees one state; inside another use by this thread, the same one."""
        inner = self._inner()
        return self._taken("BEGIN") if inner is None else contextlib.nullcontext(inner)

    @contextlib.contextmanager
    def writing(self) -> Iterator["Connection"]:
        """Give a connection whose changes are kept together at the end, or not at all."""
        if (inner := self._inner()) is not None:
            if not self._here.writes:
                raise RuntimeError("a write cannot begin inside a read")
            with named(str(self)):
                yield inner
            return
        with self._taken(_WRITE) as connection:
            self._here.writes = True
            number = stamp(None if self._is_aside else self.path, connection)
            yield connection
            if not self._is_aside:
                self.touched.note(RowsState(self._here.age, number), self._here.touched)
        if self.path and not self._is_aside and log_size(self.path) > _LOG_BYTES:
            with self._taken() as connection:
                self._settle(connection, wait_ms=0)

    def touch(self, keys: Iterable[Key]) -> None:
        """Say which rows the write that is open adds, changes or deletes."""
        self._here.touched.update(keys)

    @property
    def moment(self) -> dict[Any, Any]:
        """What the read that is open has found out, for the rest of it; nothing stays in a write."""
        return {} if self._here.writes else self._here.moment

    def state(self) -> RowsState | None:
        """Return what the read that is open sees; None in a write, which nobody else sees yet."""
        if self._here.writes:
            return None
        moment = self._here.moment
        if "state" not in moment:
            moment["state"] = RowsState(self._here.age, int(self._here.connection.pragma("user_version")))
        return moment["state"]  # type: ignore[no-any-return]

    def rows(self, query: str, given: Sequence[Any] = ()) -> list[Any]:
        """Return what one statement finds, which sees one state by itself."""
        inner = self._inner()
        with self._taken() if inner is None else contextlib.nullcontext(inner) as connection:
            return connection.execute(query, given).fetchall()

    def get(self, key: str) -> str | None:
        """Return what was set under *key*."""
        found = self.rows("SELECT value FROM meta WHERE key = ?", (key,))
        return found[0][0] if found else None

    def set(self, key: str, value: str) -> None:
        """Keep a small text, in the transaction that is open."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def checkpoint(self) -> bool:
        """Leave no commit and no deleted word outside the file itself; False if a reader holds on."""
        if self._inner() is not None:
            raise RuntimeError("a checkpoint cannot begin inside a read or a write")
        with self._taken() as connection:
            return self._settle(connection, wait_ms=self._wait_ms())

    def close(self) -> None:
        """Let go of the file; the next use opens it again. What is in memory stays."""
        with self._lock:
            if self.path:
                self._forget()

    def discard(self) -> None:
        """Delete the file, or what is in memory; the next write begins with nothing.

        Inside a read or a write of this thread it is `Damaged`: whoever began that ends it first.
        """
        if self._inner() is not None:
            raise damaged(str(self), "it cannot be made anew now")
        self._here.aside = 0  # what is made anew may be the file
        with self._lock, handling(str(self)):
            self._forget()
            if self.path:
                remove(self.path)

    def step_aside(self) -> bool:
        """Let this thread use a database in memory until `come_back`; False in a read or a write.

        It is empty at first, and stays for the next time until the file can be written again.
        """
        if self.path is None or self._inner() is not None:
            return False
        self._here.aside = self._times_aside + 1
        return True

    def come_back(self) -> None:
        """Let this thread use the file again."""
        self._here.aside = max(0, self._times_aside - 1)

    def problems(self) -> list[str]:
        """Read every page, and say what is wrong."""
        # A connection that knew the words before another changed them would call them damaged.
        self.close()
        try:
            with self.reading() as connection:
                lines = [str(line) for (line,) in connection.execute("PRAGMA integrity_check")]
        except Damaged as exc:
            return [str(exc)]
        return [] if lines == ["ok"] else lines

    def _inner(self) -> "Connection | None":
        found: Connection | None = getattr(self._here, "connection", None)
        return found if self._pid == os.getpid() else None

    @property
    def _is_aside(self) -> bool:
        return self._times_aside > 0

    @property
    def _times_aside(self) -> int:
        return getattr(self._here, "aside", 0)

    def _wait_ms(self) -> int:
        return round(1000 * self._seconds / (_AGAIN if self._waited_in_vain else 1))

    @contextlib.contextmanager
    def _taken(self, begin: str = "") -> Iterator["Connection"]:
        """Take a connection for this thread; what fails is rolled back, and its connection not used again."""
        import apsw  # noqa: PLC0415 - 5 ms, and only for commands that look into the index

        whole, connection = False, None
        # There is only one connection to a database in memory, so it is used by one thread at a time.
        alone = self._lock if self.path is None else self._aside if self._is_aside else None
        with alone or contextlib.nullcontext():
            try:
                connection, age = self._take(make=begin == _WRITE)
                self._here.connection, self._here.writes, self._here.age = connection, False, age
                self._here.moment, self._here.touched = {}, set()
                if begin:
                    connection.execute(begin)
                yield connection
                if begin == _WRITE:
                    _commit(connection)
                    self._do_without_stand_in()
                elif begin:
                    connection.execute("COMMIT")
                whole, self._waited_in_vain = True, False
            except (apsw.Error, UnicodeDecodeError) as exc:
                self._waited_in_vain = isinstance(exc, apsw.BusyError)
                with named(str(self)):  # not before: there are hundreds of reads for a message
                    raise
            finally:
                self._here.connection = None
                if connection:
                    self._give_back(connection, whole=whole)

    def _give_back(self, connection: "Connection", *, whole: bool) -> None:
        if not whole:
            _roll_back(connection)
        if self._is_aside:
            return
        with self._lock:
            if self.path is None or (whole and self._here.age == self._age):
                self._idle.append(connection)
            else:
                connection.close()

    def _take(self, *, make: bool) -> tuple["Connection", int]:
        if self._is_aside:
            self._stand_in = self._stand_in or connect(None, self._schema)
            return self._stand_in, _ASIDE
        if self._pid != os.getpid():
            self._leave_to_parent()
        try:
            with self._lock:
                if self.path and ((now := identity(self.path)) is None or now != self._seen):
                    self._forget()
                    if now is None:
                        if not make:
                            raise damaged(str(self), "there is no file")
                        create(self.path, self._schema)
                    self._seen = identity(self.path)
                connection = self._idle.pop() if self._idle else connect(self.path, self._schema)
                connection.set_busy_timeout(self._wait_ms())
                return connection, self._age
        except OSError:
            with handling(str(self)):
                raise

    def _do_without_stand_in(self) -> None:
        """Let go of what stood in for the file, which could be written just now."""
        if self._stand_in and not self._is_aside:
            with self._aside:
                self._stand_in.close()
                self._stand_in = None

    def _forget(self) -> None:
        for connection in self._idle:
            connection.close()
        self._idle.clear()
        self._seen = None
        self._age += 1

    def _leave_to_parent(self) -> None:
        _inherited.extend(self._idle)
        self._idle = []
        self._lock, self._aside = threading.RLock(), threading.RLock()
        self._here = threading.local()
        self._seen = self._stand_in = None
        self._pid = os.getpid()

    def _settle(self, connection: "Connection", *, wait_ms: int) -> bool:
        settled = settle(connection, wait_ms=wait_ms)
        connection.set_busy_timeout(self._wait_ms())
        with self._lock:
            if self.path and self._seen and (now := identity(self.path)) and now[:2] == self._seen[:2]:
                self._seen = now
        return settled


def _commit(connection: "Connection") -> None:  # proofs/torture cuts the power before and after
    connection.execute("COMMIT")


def _roll_back(connection: "Connection") -> None:
    import apsw  # noqa: PLC0415 - already loaded

    with contextlib.suppress(apsw.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
