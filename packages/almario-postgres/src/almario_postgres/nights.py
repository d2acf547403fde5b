"""The nights of many agents: which are due, and who is at them, wherever they are.

Whoever looks for one passes over those that others are taking at that moment, and has it to itself for a
while. A row of the directory's own says that somebody was here.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from almario.named_tuples import NamedTuple
from almario.ports import ListedAgent, Queue
from almario_postgres.database import Bound

# For so long, whoever was here is taken to be here.
_HERE = timedelta(minutes=3)
_LISTED = "a.number = n.agent AND a.is_made AND a.trashed = ''"
_MISSING = """
    INSERT INTO nights(agent) SELECT a.number FROM agents a
    WHERE a.is_made AND NOT EXISTS (SELECT 1 FROM nights n WHERE n.agent = a.number) ON CONFLICT DO NOTHING"""
_HEARTBEAT = """
    INSERT INTO nights(agent, due, until, holder) VALUES (0, 'infinity', %s, %s)
    ON CONFLICT (agent) DO UPDATE SET until = excluded.until, holder = excluded.holder"""
_NOTICE = """
    WITH written AS MATERIALIZED (
        SELECT n.agent FROM nights n JOIN standings s ON s.agent = n.agent
        WHERE n.agent > 0 AND s.wrote > n.seen AND n.due > %(later)s FOR UPDATE OF n SKIP LOCKED)
    UPDATE nights n SET due = %(later)s FROM written w WHERE n.agent = w.agent"""
# In the order of the index: of all who are due at one hour, only the first is read.
_IN_ORDER = "SELECT set_config('enable_sort', 'off', true)"
_TAKE = f"""
    WITH one AS MATERIALIZED (
        SELECT n.agent FROM nights n WHERE n.due <= %(now)s AND n.until <= %(now)s
        ORDER BY n.due LIMIT 1 FOR UPDATE OF n SKIP LOCKED)
    UPDATE nights n SET holder = %(holder)s, until = %(until)s FROM one WHERE n.agent = one.agent
    RETURNING n.agent, (SELECT a.id FROM agents a WHERE {_LISTED}), n.told"""
_PUT_AWAY = "UPDATE nights SET due = 'infinity', until = '-infinity' WHERE agent = %s AND holder = %s"
_PUT_BACK = """
    UPDATE nights SET holder = '', until = '-infinity', told = %(told)s,
        due = coalesce(%(due)s::timestamptz, 'infinity'),
        seen = %(seen)s, day = %(day)s, tokens = %(tokens)s, cost = %(cost)s
    WHERE agent = %(agent)s AND holder = %(holder)s"""


class Duty(NamedTuple):
    """An agent taken from the queue, and the notes of its last round."""

    agent: ListedAgent
    notes: Mapping[str, Any]


class RoundResult(NamedTuple):
    """How a round left an agent: its notes, when something is *due* next, and what models cost that *day*.

    *seen* is the last write it took into account.
    """

    notes: Mapping[str, Any]
    due: datetime | None
    seen: int
    day: date
    tokens: int = 0
    cost: float = 0.0


class PostgresQueue(Queue):
    """The queue of a home in a database; *holder* is by whom what is taken here was taken."""

    def __init__(self, directory: Bound, holder: str, made: Callable[[int, str], ListedAgent]) -> None:
        self._directory = directory
        self._holder = holder
        self._made = made

    def notice(self, now: datetime, later: datetime) -> None:
        """Let those be due by *later* in which something was written since; somebody is here at *now*."""
        for statement, given in (
            (_HEARTBEAT, (now + _HERE, self._holder)),
            (_MISSING, ()),
            (_NOTICE, {"later": later}),
        ):
            with self._directory.beside() as connection:
                connection.execute(statement.encode(), given)

    def take(self, now: datetime, until: datetime) -> Duty | None:
        """Have an agent to oneself that is due, if there is one, *until* then."""
        given = {"now": now, "until": until, "holder": self._holder}
        while True:
            with self._directory.beside() as connection:
                connection.execute(_IN_ORDER)
                row = connection.execute(_TAKE.encode(), given).fetchone()
                if row and row[1] is None:  # it was removed, and is due when it is brought back
                    connection.execute(_PUT_AWAY, (row[0], self._holder))
                    continue
            return Duty(self._made(row[0], row[1]), row[2]) if row else None

    def keep(self, agents: Collection[ListedAgent], until: datetime) -> None:
        """Have those that one has for longer."""
        statement = "UPDATE nights SET until = %s WHERE agent = ANY(%s) AND holder = %s"
        with self._directory.beside() as connection:
            connection.execute(statement, (until, [agent.number for agent in agents], self._holder))

    def written(self, agent: ListedAgent) -> int:
        """Return the number of the last write in an agent."""
        query = "SELECT wrote FROM standings WHERE agent = %s"
        with self._directory.reading() as connection:
            row = connection.execute(query, (agent.number,)).fetchone()
        return int(row[0]) if row else 0

    def put_back(self, agent: ListedAgent, result: RoundResult) -> None:
        """Leave an agent to others, unless they have it already."""
        from psycopg.types.json import Jsonb  # noqa: PLC0415 - connected, it is loaded

        given = {**result._asdict(), "told": Jsonb(dict(result.notes)), "agent": agent.number}
        with self._directory.beside() as connection:
            connection.execute(_PUT_BACK.encode(), {**given, "holder": self._holder})

    def spent(self, day: date) -> tuple[int, float]:
        query = "SELECT coalesce(sum(tokens), 0), coalesce(sum(cost), 0) FROM nights WHERE day = %s"
        with self._directory.reading() as connection:
            [[tokens, cost]] = connection.execute(query, (day,))
        return int(tokens), float(cost)

    def notes(self, agent: str = "", *, most: int = 200) -> dict[str, Mapping[str, Any]]:
        which = "AND lower(a.id) = lower(%s)" if agent else "AND %s = ''"
        listed = f"SELECT a.id, n.told FROM nights n JOIN agents a ON {_LISTED}"
        query = f"{listed} {which} ORDER BY lower(a.id) LIMIT %s"
        with self._directory.reading() as connection:
            return dict(connection.execute(query.encode(), (agent, most)).fetchall())

    def leave(self) -> None:
        """Be here no more; whoever else is says so soon."""
        statement = "UPDATE nights SET until = '-infinity' WHERE agent = 0 AND holder = %s"
        with self._directory.beside() as connection:
            connection.execute(statement, (self._holder,))

    def is_kept(self, now: datetime) -> bool:
        with self._directory.reading() as connection:
            return bool(
                connection.execute("SELECT 1 FROM nights WHERE agent = 0 AND until > %s", (now,)).fetchone()
            )
