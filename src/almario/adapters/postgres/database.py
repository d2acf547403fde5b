"""Connections to PostgreSQL: few, bound to one agent at a time, and never waited for without end."""

import contextlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from almario.adapters.postgres import migrating
from almario.adapters.postgres.migrating import ROLE, SCHEMA
from almario.errors import MissingExtra, StoreBusy, StoreError, StoreUnavailable
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from psycopg import Connection

# Bound to this, a connection sees which agents there are.
DIRECTORY = 0
# Not to be put off by a server that is being replaced, a first try is repeated after so many seconds.
_AGAIN = 0.2
_PASSWORDS = (
    re.compile(r"(?<=://)([^/@:]*:)[^/@]*(?=@)"),
    re.compile(r"(\bpassword\s*=\s*)('(?:[^'\\\\]|\\\\.)*'|[^\s&]*)"),
)


class Limits(NamedTuple):
    """How many connections there may be, and for how long each thing is waited for."""

    connections: int = 8
    connect_seconds: float = 10.0
    lock_seconds: float = 10.0
    statement_seconds: float = 60.0
    # Whether a write is acknowledged only when it is on the disk.
    is_durable: bool = True


def shown(url: str) -> str:
    """Return an address without its password."""
    for password in _PASSWORDS:
        url = password.sub(r"\1***", url)
    return url


class Server:
    """A database with the agents of a home, and a bounded number of connections to it."""

    def __init__(self, url: str, limits: Limits | None = None, *, key: bytes | None = None) -> None:
        """*key* proves that this process may bind a connection to any agent; the owner's need none."""
        self.url = url
        self.place = shown(url)
        self.limits = limits or Limits()
        self._key = key
        self._places = threading.BoundedSemaphore(self.limits.connections)
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def bound(self, agent: int) -> "Bound":
        """Return the door to one agent."""
        return Bound(self, agent)

    def proof(self, agent: int) -> str:
        """Return what binds a connection to an agent."""
        if self._key is None:
            with self.connected():  # the first connection learns it
                pass
        key = self._key or b""
        return sha256(key + sha256(key + str(agent).encode()).digest()).hexdigest()

    @contextlib.contextmanager
    def as_owner(self) -> Iterator["Connection"]:
        """Give a connection as whoever the address names, who makes the tables."""
        with self._translated(), contextlib.closing(self._dialled()) as connection:
            yield connection

    @contextlib.contextmanager
    def connected(self, begin: "Callable[[Connection], object] | None" = None) -> Iterator["Connection"]:
        """Lend a connection on which *begin* was done; one that failed is not used again.

        Connecting and *begin* are tried again while the server cannot be reached, until the time is over.
        """
        if not self._places.acquire(timeout=self.limits.lock_seconds):
            sentence = "all {count} connections to {place} are in use; try again, or set postgres.connections"
            raise StoreBusy(sentence, count=self.limits.connections, place=self.place)
        try:
            with self._translated():
                connection = self._begun(begin or (lambda connection: None))
                try:
                    yield connection
                finally:
                    self._give_back(connection)
        finally:
            self._places.release()

    def close(self) -> None:
        """Let go of the connections that nobody uses; the next use opens others."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _begun(self, begin: "Callable[[Connection], object]") -> "Connection":
        import psycopg  # noqa: PLC0415 - connected, it is loaded

        end = monotonic() + self.limits.connect_seconds
        while True:
            connection = None
            try:
                connection = self._taken()
                begin(connection)
                return connection
            except psycopg.Error as exc:
                if connection is not None:
                    connection.close()
                if not _is_lost(exc) or monotonic() > end:
                    raise
                self.close()  # the others are lost, too
                sleep(_AGAIN)

    def _taken(self) -> "Connection":
        if self._pid != os.getpid():  # a child of a fork has no connection of its own yet
            self._idle, self._lock, self._pid = [], threading.Lock(), os.getpid()
        with self._lock:
            if self._idle:
                return self._idle.pop()
        with contextlib.ExitStack() as undo:
            connection = self._dialled()
            undo.callback(connection.close)
            migrating.check(connection)
            self._enter(connection)
            undo.pop_all()
        return connection

    def _dialled(self) -> "Connection":
        import psycopg  # noqa: PLC0415 - it is loaded: see `_translated`

        seconds = max(1, int(self.limits.connect_seconds))
        return psycopg.connect(self.url, autocommit=True, connect_timeout=seconds, prepare_threshold=2)

    def _enter(self, connection: "Connection") -> None:
        """Learn the key if this is the owner's connection, and go on as the application."""
        if self._key is None:
            may = connection.execute(f"SELECT has_table_privilege('{SCHEMA}.secret', 'SELECT')").fetchone()
            if not may or not may[0]:
                sentence = (
                    "{place} wants a key from whoever logs in so; set ALMARIO_STORE_KEY"
                    ' ("almario store key", run by the owner of the tables, shows it)'
                )
                raise StoreError(sentence, place=self.place)
            row = connection.execute("SELECT value FROM almario.secret").fetchone()
            self._key = bytes(row[0]) if row else b""
        limits = self.limits
        patience = int(limits.statement_seconds * 1000)
        connection.execute(
            f"SET ROLE {ROLE}; SET search_path = {SCHEMA}, public; SET statement_timeout = {patience};"
            f"SET idle_in_transaction_session_timeout = {patience};"
            f"SET synchronous_commit = {'on' if limits.is_durable else 'off'}".encode()
        )

    def _give_back(self, connection: "Connection") -> None:
        from psycopg.pq import TransactionStatus  # noqa: PLC0415 - connected, it is loaded

        if not connection.closed and connection.info.transaction_status == TransactionStatus.IDLE:
            with self._lock:
                self._idle.append(connection)
        else:
            connection.close()

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise this project's errors for those of the server and of the network."""
        try:
            import psycopg  # noqa: PLC0415 - 60 ms, and only who uses PostgreSQL needs it
        except ImportError as exc:
            raise MissingExtra("psycopg is not installed; run: pip install 'almario[postgres]'") from exc
        try:
            yield
        except psycopg.Error as exc:
            raise self._error(exc) from exc

    def _error(self, exc: Exception) -> StoreError:
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
        if _is_lost(exc):
            return StoreUnavailable("{place} cannot be reached: {why}", place=self.place, why=why)
        return StoreError("{place} refused: {why}", place=self.place, why=why)


class Bound:
    """One agent's door: each transaction sees and changes what is this agent's, and nothing else."""

    def __init__(self, server: Server, agent: int) -> None:
        self.server = server
        self.agent = agent
        self._here = threading.local()

    def reading(self) -> contextlib.AbstractContextManager["Connection"]:
        """Give a connection that sees one moment; inside another use by this thread, the same one."""
        inner = self._inner()
        return self._reading() if inner is None else contextlib.nullcontext(inner)

    def writing(self) -> contextlib.AbstractContextManager["Connection"]:
        """Give a connection whose changes are kept together at the end, or not at all.

        Nobody else writes in this agent meanwhile. Inside another write of this thread, what fails is
        taken back to here.
        """
        inner = self._inner()
        if inner is None:
            return self._writing()
        if not self._here.writes:
            raise RuntimeError("a write cannot begin inside a read")
        return _saved(inner)

    @property
    def is_writing(self) -> bool:
        """Whether this thread has a write open."""
        return self._inner() is not None and bool(self._here.writes)

    @property
    def wrote(self) -> int:
        """The number of the write that is open."""
        return int(self._here.wrote)

    @contextlib.contextmanager
    def _reading(self) -> Iterator["Connection"]:
        begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; {self._binding()}".encode()
        with self.server.connected(lambda each: each.execute(begin)) as connection:
            with self._used(connection, writes=False):
                yield connection
            connection.execute("COMMIT")

    @contextlib.contextmanager
    def _writing(self) -> Iterator["Connection"]:
        mark = os.urandom(8).hex()
        wait = int(self.server.limits.lock_seconds * 1000) or 1
        begin = (
            f"BEGIN; {self._binding()}; SET LOCAL lock_timeout = {wait};"
            f"UPDATE standings SET wrote = wrote + 1, mark = '{mark}'"
            f" WHERE agent = {self.agent} RETURNING wrote"  # its lock is the agent's
        ).encode()
        found: list[Any] = []

        def open_write(connection: "Connection") -> None:
            cursor = connection.execute(begin)
            while cursor.nextset():
                pass
            found[:] = cursor.fetchall()

        with self.server.connected(open_write) as connection:
            if not found:
                raise StoreError("{place} has no agent with the number {number}", **self._facts())
            self._here.wrote = found[0][0]
            with self._used(connection, writes=True):
                yield connection
            self._commit(connection, mark)

    def _commit(self, connection: "Connection", mark: str) -> None:
        """Commit; if the connection is lost on the way, find out whether it came to that."""
        import psycopg  # noqa: PLC0415 - connected, it is loaded

        try:
            connection.execute("COMMIT")
        except psycopg.Error as exc:
            if not _is_lost(exc) or not self._is_committed(mark):
                raise

    def _is_committed(self, mark: str) -> bool:
        """Say whether a write is in the database; False if nobody can tell."""
        query, given = "SELECT wrote, mark FROM standings WHERE agent = %s", (self.agent,)
        with contextlib.suppress(StoreError), self._reading() as connection:
            row = connection.execute(query, given).fetchone()
            return row is not None and tuple(row) == (self._here.wrote, mark)
        return False

    def _binding(self) -> str:
        proof = self.server.proof(self.agent)
        settings = (("agent", self.agent), ("proof", proof))
        return "; ".join(f"SET LOCAL almario.{name} = '{value}'" for name, value in settings)

    @contextlib.contextmanager
    def _used(self, connection: "Connection", *, writes: bool) -> Iterator[None]:
        self._here.connection, self._here.writes, self._here.pid = connection, writes, os.getpid()
        try:
            yield
        finally:
            self._here.connection = None

    def _inner(self) -> "Connection | None":
        found: Connection | None = getattr(self._here, "connection", None)
        return found if found is not None and self._here.pid == os.getpid() else None

    def _facts(self) -> dict[str, Any]:
        return {"place": self.server.place, "number": self.agent}


@contextlib.contextmanager
def _saved(connection: "Connection") -> Iterator["Connection"]:
    with connection.transaction():  # a savepoint, as one is open
        yield connection


def _is_lost(exc: Exception) -> bool:
    """Say whether an error means that the server is gone, or is another one than it was."""
    from psycopg import InterfaceError, OperationalError, errors  # noqa: PLC0415 - it is loaded: it raised

    refused = (errors.LockNotAvailable, errors.QueryCanceled, errors.DiskFull, errors.InvalidPassword)
    if isinstance(exc, errors.ReadOnlySqlTransaction):
        return True
    return isinstance(exc, OperationalError | InterfaceError) and not isinstance(exc, refused)
