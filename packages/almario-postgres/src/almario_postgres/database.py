"""One agent's door to the database: transactions that see it alone, and writes whose end is known."""

import contextlib
import os
import threading
from collections.abc import Hashable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

from almario.domain.messages import Sentence, sentence_of
from almario.errors import AgentNotFound, StoreBusy, StoreError, StoreUnavailable
from almario.named_tuples import NamedTuple
from almario_postgres.pool import Connections, PoolLimits, is_lost

__all__ = ["CHANNEL", "DIRECTORY", "AgentState", "Bound", "Moment", "PoolLimits", "Server"]

if TYPE_CHECKING:
    from psycopg import Error

    from almario_postgres.dialling import Connection

# Bound to this, a connection sees which agents there are.
DIRECTORY = 0
# What changed is told here; by what word an agent is named there, only who has the key can tell.
CHANNEL = "almario"
# A write has a mark of so many bytes, and its agent knows those of so many writes.
_MARK, _MARKS = 8, 32
# So many things that were found are held at most.
_KNOWN = 1000
# Who waited for the lock in vain waits so many times shorter the next time.
_SHORTER = 50
# What was found in one moment.
Moment = dict[Hashable, Any]
_STATE = f"wrote, substring(marks for {_MARK}), substring(marks from {_MARK + 1} for {_MARK}), owes"
GONE = "{place} has no agent {number} any more: it was removed, or moved to another place"
_WRONG_KEY = (
    'the key in ALMARIO_STORE_KEY is not that of {place}; "almario store --key", run by the owner of the'
    " tables, shows it"
)
_UNKNOWN = "{place} was lost in the middle of a change, and it is not known whether that was kept: {why}"


class AgentState(NamedTuple):
    """Where an agent stands: how many writes there were, by what the last is known, what is still to do.

    In a write, it is that write's; *before* is the one before it. *owes* is the first line of the journal
    whose text is not in its document yet.
    """

    wrote: int
    mark: bytes
    before: bytes
    owes: int


class Server(Connections):
    """A database with the agents of a home."""

    def bound(self, agent: int) -> "Bound":
        """Return the door to one agent."""
        return Bound(self, agent)

    def word_for(self, agent: int) -> str:
        """Return how an agent is named where changes are told: who has no key learns nothing from it."""
        return self.signed(f"{CHANNEL} {agent}")[:16]


class Bound:
    """One agent's door: each transaction sees and changes what is this agent's, and nothing else."""

    def __init__(self, server: Server, agent: int) -> None:
        self.server = server
        self.agent = agent
        self._here = threading.local()
        self._waited_in_vain = False
        # The latest write that was seen here, and what was found by then.
        self._latest: tuple[AgentState, Moment] = (AgentState(0, b"", b"", 0), {})

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
        return self._saved(inner)

    @contextlib.contextmanager
    def beside(self) -> Iterator["Connection"]:
        """Give a connection for one short step that waits for no write, and is part of none."""
        with self.server.connected(self.agent, lambda each: self._begin(each, "BEGIN")) as connection:
            yield connection
            _ended(connection)

    @property
    def is_writing(self) -> bool:
        """Whether this thread has a write open."""
        return self._inner() is not None and bool(self._here.writes)

    @property
    def state(self) -> AgentState:
        """Where the agent stands, for who reads or writes."""
        found: AgentState = self._here.state
        return found

    @property
    def wrote(self) -> int:
        """The number of the write that is open, or of the last that is seen."""
        return self.state.wrote

    @property
    def moment(self) -> Moment:
        """What was found in the moment that is open, and holds while no other write comes.

        Who writes may change it, but not the values in it: others may have them. What fails is taken back.
        """
        found: Moment = self._here.moment
        if len(found) > _KNOWN:
            found.clear()
        return found

    def tell(self) -> None:
        """Have those who listen told of the write that is open, once it is kept."""
        self._here.tells = True

    @contextlib.contextmanager
    def _reading(self) -> Iterator["Connection"]:
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
        found = f"SELECT {_STATE} FROM standings WHERE agent = {self.agent}"
        stand = partial(self._stand, begin=begin, found=found)
        connected = self.server.connected(self.agent, stand, lambda: "COMMIT")
        with connected as connection, self._used(connection, writes=False):
            state, (latest, moment) = self.state, self._latest
            self._here.moment = moment if state.mark == latest.mark else {}
            if state.wrote >= latest.wrote:
                self._latest = (state, self._here.moment)
            yield connection

    @contextlib.contextmanager
    def _writing(self) -> Iterator["Connection"]:
        mark, lost = os.urandom(_MARK), None
        found = (
            f"SET LOCAL lock_timeout = {self._patience};"
            f"UPDATE standings SET wrote = wrote + 1,"
            f" marks = substring('\\x{mark.hex()}'::bytea || marks for {_MARK * _MARKS})"
            f" WHERE agent = {self.agent} AND NOT is_gone RETURNING {_STATE}"  # its lock is the agent's
        )
        stand = partial(self._stand, begin="BEGIN", found=found)
        opened = self.server.connected(self.agent, stand, self._telling)
        with self._waiting(opened) as connection:
            self._here.tells = False
            with self._used(connection, writes=True):
                state, (latest, moment) = self.state, self._latest
                self._here.moment = dict(moment) if state.before == latest.mark else {}
                yield connection
                moment = self._here.moment
            lost = _lost_at_the_end(connection)
        if lost is not None:
            self._find_out(mark, lost)
        self._latest = (state, moment)

    @contextlib.contextmanager
    def _saved(self, connection: "Connection") -> Iterator["Connection"]:
        with contextlib.ExitStack() as undo, connection.transaction():  # a savepoint, as one is open
            undo.callback(setattr, self._here, "moment", dict(self.moment))
            yield connection
            undo.pop_all()

    def _begin(self, connection: "Connection", begin: str, then: str = "") -> Any:
        """Begin a transaction as this agent; return the first row of what is asked *then*."""
        if connection.is_pooled:
            connection.execute(begin.encode(), prepare=False)
            self.server.bind_within(connection, self.agent)
            return _last_row(connection, then) if then else None
        return _last_row(connection, f"{begin};{then}")

    def _stand(self, connection: "Connection", begin: str, found: str) -> None:
        row = self._begin(connection, begin, found)
        if row is None:
            self._check_key(connection)
            raise AgentNotFound(GONE, place=self.server.place, number=self.agent)
        self._here.state = AgentState(*row)

    def _check_key(self, connection: "Connection") -> None:
        """Raise StoreError if nothing is seen because the connection could not prove that it may."""
        row = connection.execute("SELECT almario.me()").fetchone()
        if row and row[0] is None:
            raise StoreError(_WRONG_KEY, place=self.server.place)

    def _find_out(self, mark: bytes, lost: Exception) -> None:
        """Raise an error unless a write is kept whose end was not heard of.

        Whoever still has the agent's lock may be about to keep it, so that is waited for; and what is
        seen then is as safe as this step, which is acknowledged as a write is.
        """
        standing = (
            f"SET LOCAL lock_timeout = {self._patience};"
            f"SELECT wrote, marks FROM standings WHERE agent = {self.agent} FOR UPDATE"
        )
        found: list[Any] = []
        try:
            look = partial(self._begin, begin="BEGIN", then=standing)
            with self.server.connected(self.agent, lambda each: found.append(look(each))) as connection:
                _ended(connection)
        except StoreError as exc:
            raise StoreUnavailable(_UNKNOWN, place=self.server.place, why=sentence_of(exc)) from lost
        wrote, marks = found[-1] or (0, b"")
        later = wrote - self._here.state.wrote
        if later >= _MARKS:
            why = Sentence("too many others came after it")
            raise StoreUnavailable(_UNKNOWN, place=self.server.place, why=why) from lost
        if later < 0 or marks[later * _MARK : (later + 1) * _MARK] != mark:
            raise self.server.error(lost) from lost

    def _telling(self) -> str:
        if not self._here.tells:
            return ""
        word = self.server.word_for(self.agent)
        return f"BEGIN; SET LOCAL synchronous_commit = off; NOTIFY {CHANNEL}, '{word}'; COMMIT"

    @contextlib.contextmanager
    def _waiting(self, opened: AbstractContextManager["Connection"]) -> Iterator["Connection"]:
        """Open a connection that waits for the lock, and keep in mind whether that was in vain."""
        with contextlib.ExitStack() as held:
            try:
                connection = held.enter_context(opened)
            except StoreBusy:
                self._waited_in_vain = True
                raise
            self._waited_in_vain = False
            yield connection

    @property
    def _patience(self) -> int:
        seconds = self.server.limits.lock_seconds / (_SHORTER if self._waited_in_vain else 1)
        return int(seconds * 1000) or 1

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


def _last_row(connection: "Connection", statements: str) -> Any:
    """Do several statements in one step, and return the first row of the last of them."""
    cursor = connection.execute(statements.encode(), prepare=False)
    while cursor.nextset():
        pass
    return cursor.fetchone() if cursor.description else None


def _ended(connection: "Connection") -> None:
    """Keep what was done; an error if it is not kept."""
    if (lost := _lost_at_the_end(connection)) is not None:
        raise lost


def _lost_at_the_end(connection: "Connection") -> "Error | None":
    """Keep what was done; return why nobody knows whether it is kept, if so."""
    import psycopg  # noqa: PLC0415 - connected, it is loaded

    warned: list[str] = []
    connection.add_notice_handler(hear := lambda notice: warned.append(notice.message_primary or ""))
    try:
        done = connection.execute("COMMIT", prepare=False).statusmessage
    except psycopg.Error as exc:
        if is_lost(exc):
            return exc
        raise
    finally:
        connection.remove_notice_handler(hear)
    if done != "COMMIT":  # a statement had failed, and whoever called it went on
        raise psycopg.InternalError("a statement of this change had failed")
    # Kept here, and no standby has said that it has it.
    return psycopg.OperationalError(warned[0]) if warned else None
