"""Connections to PostgreSQL: few, never waited for without end, and each bound to one agent at a time.

Whoever can have any SQL done in a connection could leave something there for the next who uses it: so
nothing that one agent's transactions left is there when it is bound to another. What binds it is given as a
parameter: the texts of statements are shown to every connection of the same login.
"""

import contextlib
import os
import selectors
import threading
import weakref
from collections.abc import Callable, Iterator
from hashlib import sha256
from time import monotonic, sleep
from typing import TYPE_CHECKING

from almario.domain.plain_text import without_password
from almario.errors import StoreBusy, StoreError, StoreUnavailable
from almario.named_tuples import NamedTuple
from almario_postgres import migrating
from almario_postgres.migrating import ROLE, SCHEMA

if TYPE_CHECKING:
    from psycopg import Connection

# Not to be put off by a server that is being replaced, a first try is repeated after so many seconds.
_AGAIN = 0.2
# All that a session can keep from one transaction to another, but the role, which is set anew.
_CLEAN = (
    "RESET ALL; CLOSE ALL; UNLISTEN *; DISCARD TEMP; DEALLOCATE ALL;"
    "SELECT pg_catalog.pg_advisory_unlock_all()"
)


class PoolLimits(NamedTuple):
    """How many connections there may be, and for how long each thing is waited for."""

    connections: int = 8
    connect_seconds: float = 10.0
    lock_seconds: float = 10.0
    statement_seconds: float = 60.0
    # Whether a write is acknowledged only when it is on the disk.
    is_durable: bool = True


class Connections:
    """A bounded number of connections to a database with the agents of a home."""

    def __init__(self, url: str, limits: PoolLimits | None = None, *, key: bytes | None = None) -> None:
        """*key* proves that this process may bind a connection to any agent; the owner's need none."""
        self.url = url
        self.place = without_password(url)
        self.limits = limits or PoolLimits()
        self._key = key
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Have no connection yet: so it is in the child of a fork, too."""
        self._places = threading.BoundedSemaphore(self.limits.connections)
        # Each with the agent that it is bound to.
        self._idle: list[tuple[Connection, int]] = []
        weakref.finalize(self, _close, self._idle, os.getpid())
        self._lock = threading.Lock()
        self._pid = os.getpid()

    @contextlib.contextmanager
    def as_owner(self) -> Iterator["Connection"]:
        """Give a connection as whoever the address names, who makes the tables."""
        with self._translated(), contextlib.closing(self._dialled()) as connection:
            yield connection

    @contextlib.contextmanager
    def connected(
        self,
        agent: int,
        begin: "Callable[[Connection], object]" = lambda connection: None,
        end: Callable[[], str] = str,
    ) -> Iterator["Connection"]:
        """Lend a connection bound to an agent on which *begin* was done; one that failed is not used again.

        Connecting and *begin* are tried again while the server cannot be reached, until the time is over.
        *end* is sent if all went well, and nobody waits for an answer.
        """
        if self._pid != os.getpid():
            self._begin_anew()
        if not self._places.acquire(timeout=self.limits.lock_seconds):
            sentence = "all {count} connections to {place} are in use; try again, or set postgres.connections"
            raise StoreBusy(sentence, count=self.limits.connections, place=self.place)
        try:
            with self._translated():
                connection = self._begun(agent, begin)
                with contextlib.ExitStack() as undo:
                    undo.callback(connection.close)
                    yield connection
                    self._give_back(connection, agent, end())
                    undo.pop_all()
        finally:
            self._places.release()

    def proof(self, agent: int) -> str:
        """Return what binds a connection to an agent."""
        return self.signed(str(agent))

    def signed(self, text: str) -> str:
        """Return what only who has the key can make of a text."""
        if self._key is None:
            with self.connected(0):  # the first connection learns it
                pass
        key = self._key or b""
        return sha256(key + sha256(key + text.encode()).digest()).hexdigest()

    @property
    def has_key(self) -> bool:
        """Whether this process can prove that it may use any agent."""
        return self._key is not None

    def close(self) -> None:
        """Let go of the connections that nobody uses; the next use opens others."""
        with self._lock:
            _close(self._idle, self._pid)

    def _begun(self, agent: int, begin: "Callable[[Connection], object]") -> "Connection":
        import psycopg  # noqa: PLC0415 - connected, it is loaded

        end = monotonic() + self.limits.connect_seconds
        while True:
            try:
                with contextlib.ExitStack() as undo:
                    connection, last = self._taken(agent)
                    undo.callback(connection.close)
                    if last != agent:
                        self._bind(connection, agent)
                    begin(connection)
                    undo.pop_all()
                return connection
            except psycopg.Error as exc:
                if not is_lost(exc) or monotonic() > end:
                    raise
            self.close()  # the others are lost, too
            sleep(_AGAIN)

    def _taken(self, agent: int) -> "tuple[Connection, int | None]":
        """Take a connection out, rather one that is bound to the agent; return to whom it is bound."""
        with self._lock:
            bound = [place for place, (_, last) in enumerate(self._idle) if last == agent]
            found = self._idle.pop(bound[-1] if bound else 0) if self._idle else None
        with contextlib.ExitStack() as undo:
            connection, last = found or (self._dialled(), None)
            undo.callback(connection.close)
            if found:
                _hear_out(connection, self.limits.connect_seconds)
            else:
                migrating.check(connection)
                self._learn_key(connection)
            undo.pop_all()
        return connection, last

    def _dialled(self) -> "Connection":
        import psycopg  # noqa: PLC0415 - it is loaded: see `_translated`

        seconds = max(1, int(self.limits.connect_seconds))
        return psycopg.connect(self.url, autocommit=True, connect_timeout=seconds, prepare_threshold=2)

    def _learn_key(self, connection: "Connection") -> None:
        if self._key is not None:
            return
        may = connection.execute(f"SELECT has_table_privilege('{SCHEMA}.secret', 'SELECT')").fetchone()
        if not may or not may[0]:
            sentence = (
                "{place} wants a key from whoever logs in so; set ALMARIO_STORE_KEY"
                ' ("almario store --key", run by the owner of the tables, shows it)'
            )
            raise StoreError(sentence, place=self.place)
        row = connection.execute("SELECT value FROM almario.secret").fetchone()
        self._key = bytes(row[0]) if row else b""

    def _bind(self, connection: "Connection", agent: int) -> None:
        """Leave nothing of the agent before, go on as the application, and see another agent."""
        limits = self.limits
        patience = int(limits.statement_seconds * 1000)
        settings = (
            f"SET ROLE {ROLE}; SET search_path = {SCHEMA}, public, pg_temp;"
            f"SET statement_timeout = {patience}; SET idle_in_transaction_session_timeout = {patience};"
            f"SET synchronous_commit = {'on' if limits.is_durable else 'off'}"
        )
        connection.execute(f"{_CLEAN}; {settings}".encode(), prepare=False)
        binding = "SELECT set_config('almario.agent', %s, false), set_config('almario.proof', %s, false)"
        connection.execute(binding, (str(agent), self.proof(agent)), prepare=False)

    def _give_back(self, connection: "Connection", agent: int, end: str) -> None:
        from psycopg.pq import TransactionStatus  # noqa: PLC0415 - connected, it is loaded

        if end and not connection.closed:
            connection.pgconn.send_query(end.encode())
            connection.pgconn.flush()
        status = connection.info.transaction_status
        if not connection.closed and status == (TransactionStatus.ACTIVE if end else TransactionStatus.IDLE):
            with self._lock:
                self._idle.append((connection, agent))
        else:
            connection.close()

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise this project's errors for those of the server and of the network."""
        import psycopg  # noqa: PLC0415 - 60 ms, and only who connects needs it

        try:
            yield
        except psycopg.Error as exc:
            raise self.error(exc) from exc

    def error(self, exc: Exception) -> StoreError:
        """Return this project's error for one of the server or of the network."""
        from psycopg import errors  # noqa: PLC0415 - it is loaded: it raised

        why = str(exc).strip().partition("\n")[0]
        if isinstance(exc, errors.LockNotAvailable):
            sentence = (
                "{path} has been held by another process for {seconds:g} seconds; try again when it is done"
            )
            return StoreBusy(sentence, path=self.place, seconds=self.limits.lock_seconds)
        if isinstance(exc, errors.QueryCanceled):
            sentence = "{place} took longer than {seconds:g} seconds; try again when it has less to do"
            return StoreBusy(sentence, place=self.place, seconds=self.limits.statement_seconds)
        if is_lost(exc):
            return StoreUnavailable("{place} cannot be reached: {why}", place=self.place, why=why)
        return StoreError("{place} refused: {why}", place=self.place, why=why)


def _close(idle: "list[tuple[Connection, int]]", pid: int) -> None:
    """Close connections that nobody uses; those that a fork carried into a child are its parent's."""
    while idle and pid == os.getpid():
        idle.pop()[0].close()


def _hear_out(connection: "Connection", seconds: float) -> None:
    """Take in the answer to what was sent last; other threads go on meanwhile."""
    import psycopg  # noqa: PLC0415 - connected, it is loaded

    wire, end = connection.pgconn, monotonic() + seconds
    with selectors.DefaultSelector() as waiting:
        waiting.register(wire.socket, selectors.EVENT_READ)
        while True:
            while wire.is_busy():
                if not waiting.select(max(0.0, end - monotonic())):
                    raise psycopg.OperationalError("there was no answer")
                wire.consume_input()
            if wire.get_result() is None:
                return


def is_lost(exc: Exception) -> bool:
    """Return whether an error means that the server is gone, or is another one than it was."""
    from psycopg import InterfaceError, OperationalError, errors  # noqa: PLC0415 - it is loaded: it raised

    refused = (errors.LockNotAvailable, errors.QueryCanceled, errors.DiskFull, errors.InvalidPassword)
    if isinstance(exc, errors.ReadOnlySqlTransaction):
        return True
    return isinstance(exc, OperationalError | InterfaceError) and not isinstance(exc, refused)
