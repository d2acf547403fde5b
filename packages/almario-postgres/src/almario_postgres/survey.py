"""What a database with agents is like: which server, which tables, how much is in them, and who asks."""

from typing import TYPE_CHECKING, Any

from almario.errors import StoreError
from almario.named_tuples import NamedTuple
from almario_postgres import migrating
from almario_postgres.database import DIRECTORY, Server
from almario_postgres.migrating import ROLE, SCHEMA

if TYPE_CHECKING:
    from psycopg import Connection

# The parts of a table count as the table; how many rows there are is the server's estimate.
_TABLES = """
SELECT whole.relname, sum(greatest(stat.n_live_tup, 0))::bigint, sum(pg_total_relation_size(part.oid))::bigint
FROM pg_class whole JOIN pg_namespace room ON room.oid = whole.relnamespace
CROSS JOIN LATERAL (SELECT relid AS oid FROM pg_partition_tree(whole.oid) WHERE isleaf
    UNION SELECT whole.oid WHERE whole.relkind = 'r') part
LEFT JOIN pg_stat_all_tables stat ON stat.relid = part.oid
WHERE room.nspname = %s AND whole.relkind IN ('r', 'p') AND NOT whole.relispartition
GROUP BY whole.relname ORDER BY 3 DESC, 1
"""
# What has rows of several agents and would show them to who may see one.
_UNGUARDED = """
SELECT DISTINCT each.relname FROM pg_class each JOIN pg_namespace room ON room.oid = each.relnamespace
JOIN pg_attribute field ON field.attrelid = each.oid AND field.attname = 'agent' AND NOT field.attisdropped
WHERE room.nspname = %s AND each.relkind IN ('r', 'p')
AND NOT (each.relispartition AND NOT has_table_privilege(%s, each.oid, 'SELECT'))
AND NOT (each.relrowsecurity AND each.relforcerowsecurity
    AND EXISTS (SELECT FROM pg_policy WHERE polrelid = each.oid))
ORDER BY 1
"""


class TableSize(NamedTuple):
    """A table: about how many rows it has, and how many bytes on the disk."""

    name: str
    rows: int
    bytes: int


class Survey(NamedTuple):
    """What a database with agents is like; *step* is the last one that was done to its tables, of *steps*.

    *unguarded* are the tables that do not keep one agent's rows from another.
    """

    place: str
    server: str
    vector: str
    login: str
    is_owner: bool
    step: int
    steps: int
    agents: int
    tables: tuple[TableSize, ...]
    unguarded: tuple[str, ...]


def survey(server: Server) -> Survey:
    """Look at a database; its tables need not be there yet."""
    with server.as_owner() as connection:
        step, latest = migrating.step_of(connection), migrating.steps()[-1].number
        version, login = _row(connection, "SELECT current_setting('server_version'), current_user")
        vector = _row(connection, "SELECT max(extversion) FROM pg_extension WHERE extname = 'vector'")[0]
        tables = [TableSize(*row) for row in connection.execute(_TABLES, (SCHEMA,)).fetchall()]
        unguarded = [name for (name,) in connection.execute(_UNGUARDED, (SCHEMA, ROLE))] if step else []
        is_owner = bool(step) and _may_see_key(connection)
    counted = step == latest and (is_owner or server.has_key)
    agents = _agents(server) if counted else 0
    found = (server.place, version, vector or "", login, is_owner, step, latest, agents)
    return Survey(*found, tuple(tables), tuple(unguarded))


def key_of(server: Server) -> str:
    """Return what proves to the tables that a process may use any agent; only their owner may see it."""
    with server.as_owner() as connection:
        if not migrating.step_of(connection):
            raise StoreError('the database lacks some of its tables; run "almario store migrate"')
        if not _may_see_key(connection):
            sentence = "only the owner of the tables may see the key; {place} does not log in as that"
            raise StoreError(sentence, place=server.place)
        return bytes(_row(connection, "SELECT value FROM almario.secret")[0]).hex()


def _may_see_key(connection: "Connection") -> bool:
    return bool(_row(connection, f"SELECT has_table_privilege('{SCHEMA}.secret', 'SELECT')")[0])


def _agents(server: Server) -> int:
    with server.bound(DIRECTORY).reading() as connection:
        return int(_row(connection, "SELECT count(*) FROM agents WHERE is_made AND trashed = ''")[0])


def _row(connection: "Connection", query: str) -> Any:
    return connection.execute(query.encode()).fetchone()
