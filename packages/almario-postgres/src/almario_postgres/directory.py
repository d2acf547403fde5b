"""A home in PostgreSQL: the directory of its agents, which all machines share, and its papers.

An agent is known by its number, which never changes; its id is a word in the directory. One that is being
made, or was removed, is out of the way of others with its id.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from almario.errors import AgentNotFound, SoulError, StoreError
from almario.ports import AgentMark, Clock, Home, ListedAgent, OwnSettings, Papers, Trashed, check_id
from almario_postgres.database import DIRECTORY, Bound, Server
from almario_postgres.nights import PostgresQueue

if TYPE_CHECKING:
    from psycopg import Connection

_OWN_FILE = "agent.toml"
# So many agents are named to whoever asks for one that is not there.
_NAMED = 50
# Whether nobody can write in an agent.
_CLOSE = "UPDATE standings SET is_gone = %s WHERE agent = %s"
_UNFINISHED, _ARRIVING = "unfinished-", "arriving"


class PostgresHome(Home):
    """All agents in one database; *renamed* is told when an id becomes another, or None."""

    queue: PostgresQueue

    def __init__(
        self, server: Server, clock: Clock, renamed: Callable[[str, str | None], None] = lambda *_: None
    ) -> None:
        self.server = server
        self.place = server.place
        self._clock = clock
        self._renamed = renamed
        self._directory = server.bound(DIRECTORY)
        self.papers = PostgresPapers(self._directory)
        self.queue = PostgresQueue(self._directory, os.urandom(8).hex(), self._agent)

    def agents(self, *, most: int | None = None) -> list[ListedAgent]:
        return self._listed("ORDER BY lower(id) LIMIT %s", most)

    def agent(self, wanted: str, among: Sequence[ListedAgent] | None = None) -> ListedAgent:
        if found := self._named(wanted):
            return found
        ids = [agent.id for agent in self.agents(most=_NAMED)]
        raise self.unknown(wanted, [*ids, "…"] if len(ids) == _NAMED else ids)

    def check_free(self, new: str) -> None:
        check_id(new)
        if found := self._named(new):
            sentence = 'there is already an agent "{id}", in {path}; choose another id'
            raise SoulError(sentence, id=found.id, path=self.place)

    def create(
        self, new: str, furnish: Callable[[ListedAgent], None], *, path: str | None = None
    ) -> ListedAgent:
        if path is not None:
            sentence = "a folder of its own is for agents in folders; these are kept in {place}"
            raise SoulError(sentence, place=self.place)
        self.check_free(new)
        number = self._begun(new, _UNFINISHED + os.urandom(8).hex())
        with contextlib.ExitStack() as undo:
            undo.callback(self._erase, number)  # a number that nobody knows harms nobody if that fails
            furnish(self._agent(number, new))
            with self._directory.writing() as connection:
                self.check_free(new)
                done = "UPDATE agents SET trashed = '', is_made = true WHERE number = %s"
                connection.execute(done, (number,))
                self._be_due(connection, number)
            undo.pop_all()
        return self._agent(number, new)

    def rename(self, old: str, new: str) -> ListedAgent:
        check_id(new)
        with self._directory.writing() as connection:
            agent = self.agent(old)
            if new.lower() != agent.id.lower():
                self.check_free(new)
            connection.execute("UPDATE agents SET id = %s WHERE number = %s", (new, agent.number))
        self._renamed(agent.id, new)
        return self._agent(agent.number, new)

    def arriving(self, new: str) -> ListedAgent:
        self.check_free(new)
        query = "SELECT number FROM agents WHERE lower(id) = lower(%s) AND trashed = %s AND NOT is_made"
        with self._directory.writing() as connection:
            row = connection.execute(query, (new, _ARRIVING)).fetchone()
            return self._agent(row[0] if row else self._begun(new, _ARRIVING), new)

    def arrived(self, agent: ListedAgent) -> ListedAgent:
        with self._directory.writing() as connection:
            self.check_free(agent.id)
            done = "UPDATE agents SET id = %s, trashed = '', is_made = true WHERE number = %s"
            connection.execute(done, (agent.id, agent.number))
            self._be_due(connection, agent.number)
        return agent

    def remove(self, wanted: str, *, is_leaving: bool = False) -> ListedAgent:
        with self._directory.writing() as connection:
            agent = self.agent(wanted)
            taken = {item.at for item in self.trash() if item.id.lower() == agent.id.lower()}
            first = stamp = f"{self._clock():%Y%m%dT%H%M%SZ}"
            count = 1
            while stamp in taken:
                count += 1
                stamp = f"{first}-{count}"
            trashing = "UPDATE agents SET trashed = %s WHERE number = %s"
            connection.execute(trashing, (stamp, agent.number))
            if not is_leaving:  # or whoever moves it away closes it
                connection.execute(_CLOSE, (True, agent.number))
        if not is_leaving:
            self._renamed(agent.id, None)
        return agent

    def trash(self) -> list[Trashed]:
        query = "SELECT id, trashed FROM agents WHERE is_made AND trashed <> '' ORDER BY 2 DESC, 1 DESC"
        with self._directory.reading() as connection:
            return [Trashed(name, self.place, at) for name, at in connection.execute(query)]

    def bring_back(self, wanted: str, *, new: str | None = None) -> ListedAgent:
        with self._directory.writing() as connection:
            named = (item for item in self.trash() if wanted.lower() in (item.id.lower(), item.name.lower()))
            if (found := next(named, None)) is None:
                raise AgentNotFound('the trash has no "{id}"; "almario agents --trash" lists it', id=wanted)
            self.check_free(new or found.id)
            back = "UPDATE agents SET trashed = '', id = %s WHERE (id, trashed) = (%s, %s) RETURNING number"
            [[number]] = connection.execute(back, (new or found.id, found.id, found.at))
            connection.execute(_CLOSE, (False, number))
            self._be_due(connection, number)
        return self._agent(number, new or found.id)

    def own_settings(self, agent: ListedAgent) -> OwnSettings:
        query = "SELECT content FROM documents WHERE (agent, name) = (%s, %s)"
        with self.server.bound(agent.number).reading() as connection:
            row = connection.execute(query, (agent.number, _OWN_FILE)).fetchone()
        return OwnSettings(f"{agent.id}/{_OWN_FILE}", bytes(row[0]) if row else None)

    def mark(self, agent: ListedAgent) -> AgentMark:
        query = (
            "SELECT a.id, d.changed FROM agents a LEFT JOIN documents d ON (d.agent, d.name) = (a.number, %s)"
            " WHERE a.number = %s AND a.trashed = ''"
        )
        with self.server.bound(agent.number).reading() as connection:
            row = connection.execute(query, (_OWN_FILE, agent.number)).fetchone()
        return AgentMark((agent.number, row[0]), row[1]) if row else AgentMark(None, None)

    def _begun(self, new: str, mark: str) -> int:
        """Enter an agent that nobody sees yet."""
        begin = "INSERT INTO agents(id, trashed) VALUES (%s, %s) RETURNING number"
        with self._directory.writing() as connection:
            [[number]] = connection.execute(begin, (new, mark))
            connection.execute("INSERT INTO standings(agent) VALUES (%s)", (number,))
        return int(number)

    def _be_due(self, connection: "Connection", number: int) -> None:
        """Let whoever looks after agents look at this one."""
        statement = (
            "INSERT INTO nights(agent, due) VALUES (%s, %s)"
            " ON CONFLICT (agent) DO UPDATE SET due = excluded.due, until = '-infinity'"
        )
        connection.execute(statement, (number, self._clock()))

    def _erase(self, number: int) -> None:
        query = (
            "SELECT c.relname FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid"
            " WHERE c.relnamespace = 'almario'::regnamespace AND c.relkind IN ('r', 'p')"
            " AND NOT c.relispartition AND t.attname = 'agent'"
        )
        with contextlib.suppress(StoreError), self.server.bound(number).writing() as connection:
            for [table] in connection.execute(query).fetchall():
                if table not in ("standings", "papers"):
                    connection.execute(f"DELETE FROM {table} WHERE agent = {number:d}".encode())
        with contextlib.suppress(StoreError), self._directory.writing() as connection:
            connection.execute("DELETE FROM standings WHERE agent = %s", (number,))
            connection.execute("DELETE FROM agents WHERE number = %s AND NOT is_made", (number,))

    def _named(self, wanted: str) -> ListedAgent | None:
        return next(iter(self._listed("AND lower(id) = lower(%s)", wanted)), None)

    def _listed(self, which: str, *given: Any) -> list[ListedAgent]:
        query = f"SELECT number, id FROM agents WHERE is_made AND trashed = '' {which}"
        with self._directory.reading() as connection:
            return [self._agent(number, name) for number, name in connection.execute(query.encode(), given)]

    def _agent(self, number: int, name: str) -> ListedAgent:
        return ListedAgent(name, f"{self.place} ({name})", number=number)


class PostgresPapers(Papers):
    """The papers of a home, in the directory's own rows."""

    is_shared = True

    def __init__(self, directory: Bound) -> None:
        self._directory = directory

    def read(self, name: str) -> bytes | None:
        found = self._field("content", name)
        return None if found is None else bytes(found)

    def mark(self, name: str) -> object:
        return self._field("changed", name)

    def write(self, name: str, content: bytes) -> None:
        query = (
            "INSERT INTO papers(agent, name, content, changed) VALUES (0, %s, %s, 1)"
            " ON CONFLICT (agent, name)"
            " DO UPDATE SET content = excluded.content, changed = papers.changed + 1"
        )
        with self._directory.writing() as connection:
            connection.execute(query, (name, content))

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        with self._directory.writing():
            yield

    def _field(self, field: str, name: str) -> Any:
        query = f"SELECT {field} FROM papers WHERE agent = 0 AND name = %s"
        with self._directory.reading() as connection:
            row = connection.execute(query.encode(), (name,)).fetchone()
        return row[0] if row else None
