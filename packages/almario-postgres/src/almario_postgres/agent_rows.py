"""One agent's rows, and what is known of them without asking again.

Each write has a mark of its own, so whoever sees the same mark sees the same rows: what was read by then
is still true (`Bound.moment`).
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from almario.named_tuples import NamedTuple
from almario_postgres.database import Bound, Moment

if TYPE_CHECKING:
    from psycopg import Connection


class RowSession(NamedTuple):
    """A session: its last turn, the last one in the archive, and the write that changed it."""

    last: int = 0
    archived: int = 0
    changed: int = 0


class AgentRows:
    """Asks for one agent's rows; every statement names the agent first."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound

    @property
    def wrote(self) -> int:
        """The number of the write that is open."""
        return self._bound.wrote

    @property
    def owes(self) -> int:
        """The first line whose text was not in its document when what is open was begun; 0 if none."""
        return self._bound.state.owes

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
            yield self._bound.moment

    def note_owed(self, seq: int) -> None:
        """Say that from a line on, texts are not in their documents yet; 0 if all are."""
        with self._bound.reading() as connection:
            statement = "UPDATE standings SET owes = %s WHERE agent = %s"
            connection.execute(statement, (seq, self._bound.agent))

    def changed(self) -> None:
        """Have those who watch told of the write that is open."""
        self._bound.tell()
