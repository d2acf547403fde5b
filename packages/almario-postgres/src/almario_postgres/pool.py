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

from almario.domain.messages import Sentence
from almario.errors import StoreBusy, StoreError, StoreUnavailable
from almario.named_tuples import NamedTuple
from almario_postgres import migrating
from almario_postgres.address import read_address
from almario_postgres.migrating import ROLE, SCHEMA
from almario_postgres.silences import Silences

if TYPE_CHECKING:
    from almario_postgres.dialling import Connection

# Not to be put off by a server that is being replaced, a first try is repeated after so many seconds.
_AGAIN = 0.2
# However short the patience, one try to connect may take so many seconds; and an answer may take so much
# longer than the connection.
_GRACE = 0.5
# A server that did not let us in is tried again only after so many seconds: some lock those out who ask too
# often.
_LATELY = 10.0
# What a server says of a login, by its code.
_WRONG_PASSWORD, _NO_DATABASE = "28P01", "3D000"
# A statement is prepared when it was sent so often.
_PREPARED = 2
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

    @property
    def silent_seconds(self) -> float:
        """For how long an answer is waited for while nothing comes."""
        return max(self.connect_seconds, self.lock_seconds) + _GRACE


class Connections:
    """A bounded number of connections to a database with the agents of a home."""

    def __init__(self, url: str, limits: PoolLimits | None = None, *, key: bytes | None = None) -> None:
        """*key* proves that this process may bind a connection to any agent; the owner's need none."""
        self.url = url
        self.address = read_address(url)
        self.place = self.address.place
        self.limits = limits or PoolLimits()
        self._key = key
        self._silences = Silences()
        self._refusal: tuple[float, Exception | None] = (float("-inf"), None)
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
    def as_owner(self, *, patience: float | None = None) -> Iterator["Connection"]:
        """Give a connection as whoever the address names, who makes the tables.

        What takes the server long is waited for with *patience*, in seconds.
        """
        with self._translated(), contextlib.closing(self._dialled(self._end())) as connection:
            connection.patience = patience or connection.patience
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

        from almario_postgres.dialling import Silent  # noqa: PLC0415 - only who connects

        end = self._end()
        while True:
            try:
                with contextlib.ExitStack() as undo:
                    connection, last = self._taken(agent, end)
                    undo.callback(connection.close)
                    if last != agent and not connection.is_pooled:
                        self._bind(connection, agent)
                    begin(connection)
                    undo.pop_all()
                return connection
            except psycopg.Error as exc:
                if not is_lost(exc) or isinstance(exc, Silent) or monotonic() > end:
                    raise
            self.close()  # the others are lost, too
            sleep(_AGAIN)

    def _end(self) -> float:
        """Return until when a connection is tried for that is asked for now."""
        return monotonic() + self.limits.connect_seconds

    def _taken(self, agent: int, end: float) -> "tuple[Connection, int | None]":
        """Take a connection out, rather one that is bound to the agent; return to whom it is bound."""
        with self._lock:
            bound = [place for place, (_, last) in enumerate(self._idle) if last == agent]
            found = self._idle.pop(bound[-1] if bound else 0) if self._idle else None
        with contextlib.ExitStack() as undo:
            connection, last = found or (self._dialled(end), None)
            undo.callback(connection.close)
            if found:
                self._hear_out(connection)
            else:
                migrating.check(connection)
                self._learn_key(connection)
            undo.pop_all()
        return connection, last

    def _dialled(self, end: float) -> "Connection":
        from psycopg import OperationalError  # noqa: PLC0415 - as above

        from almario_postgres.dialling import Silent, dial, is_refused  # noqa: PLC0415 - only who connects

        when, refusal = self._refusal
        if refusal and monotonic() - when < _LATELY:
            raise refusal.with_traceback(None)
        if not (left := self._silences.left(self.limits.silent_seconds)):
            raise Silent
        try:
            connection = dial(self.address, min(max(end, monotonic() + _GRACE), monotonic() + left))
            connection.patience = left
            pid = connection.execute("SELECT pg_backend_pid()").fetchone()
        except OperationalError as exc:
            if isinstance(exc, Silent):
                self._note_silence()
            if is_refused(exc):
                self._refusal = monotonic(), exc
            raise
        self._silences.note_answer()
        connection.when_silent, connection.patience = self._note_silence, self.limits.silent_seconds
        # Whoever lends one connection after the other to us keeps their numbers to itself.
        connection.is_pooled = pid != (connection.info.backend_pid,)
        connection.prepare_threshold = None if connection.is_pooled else _PREPARED
        return connection

    def _note_silence(self) -> None:
        self._silences.note_silence()
        self.close()  # the others are lost, too

    def _hear_out(self, connection: "Connection") -> None:
        """Take in the answer to what was sent last; other threads go on meanwhile."""
        from almario_postgres.dialling import Silent  # noqa: PLC0415 - as above

        wire, end = connection.pgconn, monotonic() + connection.patience
        with selectors.DefaultSelector() as waiting:
            waiting.register(wire.socket, selectors.EVENT_READ)
            while True:
                while wire.is_busy():
                    if not waiting.select(max(0.0, end - monotonic())):
                        self._note_silence()
                        raise Silent
                    wire.consume_input()
                if wire.get_result() is None:
                    return

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
        connection.execute(_CLEAN.encode(), prepare=False)
        self.bind_within(connection, agent, is_local=False)

    def bind_within(self, connection: "Connection", agent: int, *, is_local: bool = True) -> None:
        """Be the application, and see one agent; *is_local*, until the transaction ends."""
        limits = self.limits
        patience = str(int(limits.statement_seconds * 1000))
        settings = {
            "role": ROLE,
            "search_path": f"{SCHEMA}, public, pg_temp",
            "statement_timeout": patience,
            "idle_in_transaction_session_timeout": patience,
            "synchronous_commit": "on" if limits.is_durable else "off",
            "almario.agent": str(agent),
            "almario.proof": self.proof(agent),
        }
        each = ", ".join(f"set_config('{name}', %s, {is_local})" for name in settings)
        connection.execute(f"SELECT {each}".encode(), list(settings.values()), prepare=False)

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

        from almario_postgres.dialling import is_refused  # noqa: PLC0415 - as above

        why = str(exc).strip().partition("\n")[0]
        if isinstance(exc, errors.LockNotAvailable):
            sentence = (
                "{path} has been held by another process for {seconds:g} seconds; try again when it is done"
            )
            return StoreBusy(sentence, path=self.place, seconds=self.limits.lock_seconds)
        if isinstance(exc, errors.QueryCanceled):
            sentence = "{place} took longer than {seconds:g} seconds; try again when it has less to do"
            return StoreBusy(sentence, place=self.place, seconds=self.limits.statement_seconds)
        if is_refused(exc):
            return StoreUnavailable(
                "{place} does not let us in: {why}", place=self.place, why=self._refused(exc)
            )
        if is_lost(exc):
            return StoreUnavailable("{place} cannot be reached: {why}", place=self.place, why=why)
        return StoreError("{place} refused: {why}", place=self.place, why=why)

    def _refused(self, exc: Exception) -> Sentence:
        """Say in our words why a server does not let us in: what it says itself may quote the address."""
        user, name = (self.address.parameters.get(each, "") for each in ("user", "dbname"))
        code = getattr(exc, "sqlstate", "")
        if code == _WRONG_PASSWORD:
            return Sentence("the password is wrong, or there is none")
        if code == _NO_DATABASE:
            return Sentence('it has no database "{name}"', name=name or user)
        return Sentence("its pg_hba.conf has no place for this login, or there is no such login")


def _close(idle: "list[tuple[Connection, int]]", pid: int) -> None:
    """Close connections that nobody uses; those that a fork carried into a child are its parent's."""
    while idle and pid == os.getpid():
        idle.pop()[0].close()


def is_lost(exc: Exception) -> bool:
    """Return whether an error means that the server is gone, or is another one than it was."""
    from psycopg import InterfaceError, OperationalError, errors  # noqa: PLC0415 - it is loaded: it raised

    from almario_postgres.dialling import is_refused  # noqa: PLC0415 - as above

    if isinstance(exc, errors.ReadOnlySqlTransaction):
        return True
    refused = isinstance(exc, errors.LockNotAvailable | errors.QueryCanceled | errors.DiskFull)
    return isinstance(exc, OperationalError | InterfaceError) and not refused and not is_refused(exc)
