"""One agent's rows, and what is known of them without asking again.

Each write has a mark of its own, so whoever sees the same mark sees the same rows: what was read by then
is still true. A write goes on from what was known before it, and what it leaves is known after it.
"""

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from almario.adapters.postgres.database import Bound
from almario.named_tuples import NamedTuple
from almario.ports import Tail

if TYPE_CHECKING:
    from psycopg import Connection

# Of documents, only so many are held, and none that is longer.
_TEXTS, _LONG = 100, 100_000


class Session(NamedTuple):
    """A session: its last turn, the last one in the archive, and the write that changed it."""

    last: int = 0
    archived: int = 0
    changed: int = 0


class Moment:
    """What is known of an agent as one write left it; None is not known."""

    def __init__(self, mark: bytes) -> None:
        self.mark = mark
        self.tail: Tail | None = None
        self.notes: dict[str, int] | None = None
        self.sessions: dict[str, Session] | None = None
        self.texts: dict[str, bytes | None] = {}

    def copy(self, mark: bytes) -> "Moment":
        """Return the same for a write that goes on from here."""
        new = Moment(mark)
        new.tail = self.tail
        new.notes = None if self.notes is None else dict(self.notes)
        new.sessions = None if self.sessions is None else dict(self.sessions)
        new.texts = dict(self.texts)
        return new

    def hold(self, name: str, content: bytes | None) -> None:
        """Know a document's content from here on."""
        if len(self.texts) >= _TEXTS:
            self.texts.clear()
        if content is None or len(content) <= _LONG:
            self.texts[name] = content


class AgentRows:
    """Asks for one agent's rows; every statement names the agent first."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._latest = Moment(b"")
        self._here = threading.local()

    @property
    def is_writing(self) -> bool:
        """Whether this thread has a write of this store open."""
        return self._open() is not None

    @property
    def wrote(self) -> int:
        """The number of the write that is open."""
        return self._bound.wrote

    @property
    def owes(self) -> int:
        """The first line whose text was not in its document when what is open was begun; 0 if none."""
        return self._bound.standing.owes

    def select(self, query: str, *given: object) -> list[Any]:
        """Return the rows that a query finds; its first place is the agent's."""
        with self._bound.reading() as connection:
            return connection.execute(query.encode(), (self._bound.agent, *given), binary=True).fetchall()

    def do(self, statement: str, *given: object) -> None:
        """Change rows in the write that is open; the first place is the agent's."""
        with self._bound.reading() as connection:
            connection.execute(statement.encode(), (self._bound.agent, *given))

    def do_each(self, statement: str, each: Sequence[tuple[object, ...]]) -> None:
        """Change rows in the write that is open, once for each of these values."""
        with self._bound.reading() as connection, connection.cursor() as cursor:
            cursor.executemany(statement.encode(), [(self._bound.agent, *given) for given in each])

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Send what is changed inside without waiting for each answer; nothing may be asked there."""
        with self._bound.reading() as connection, connection.pipeline():
            yield

    @contextlib.contextmanager
    def beside(self) -> Iterator["Connection"]:
        """Give a connection for a step of its own; inside a write of this thread, the write's."""
        with self._bound.reading() if self._bound.is_writing else self._bound.beside() as connection:
            yield connection

    @property
    def agent(self) -> int:
        return self._bound.agent

    @property
    def place(self) -> str:
        """The database that they are in, as a person is told."""
        return self._bound.server.place

    @contextlib.contextmanager
    def moment(self) -> Iterator[Moment]:
        """Give what is known of what is open, or of what is there now."""
        with self._bound.reading():
            yield self._open() or self._seen()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Open a write, or a step of the one that is open; what fails leaves nothing known behind."""
        outer, is_all = self._open(), not self._bound.is_writing
        with self._bound.writing():
            moment = outer or self._begun()
            before = moment.copy(moment.mark) if outer else None
            self._here.moment = moment
            with contextlib.ExitStack() as undo:
                undo.callback(setattr, self._here, "moment", before)
                yield
                undo.pop_all()
            if outer is None:
                self._here.moment = None
        if is_all:
            self._latest = moment

    def note_owed(self, seq: int) -> None:
        """Say that from a line on, texts are not in their documents yet; 0 if all are."""
        with self._bound.reading() as connection:
            statement = "UPDATE standings SET owes = %s WHERE agent = %s"
            connection.execute(statement, (seq, self._bound.agent))

    def changed(self) -> None:
        """Have those who watch told of the write that is open."""
        self._bound.tell()

    def _open(self) -> Moment | None:
        return getattr(self._here, "moment", None) if self._bound.is_writing else None

    def _begun(self) -> Moment:
        standing, latest = self._bound.standing, self._latest
        return latest.copy(standing.mark) if latest.mark == standing.before else Moment(standing.mark)

    def _seen(self) -> Moment:
        if self._bound.is_writing:  # somebody else's, who may have changed anything
            return Moment(b"")
        mark, latest = self._bound.standing.mark, self._latest
        if latest.mark != mark:
            latest = self._latest = Moment(mark)
        return latest
