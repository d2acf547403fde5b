"""A connection bound to one agent sees not one byte of another, whatever SQL runs in it."""

import contextlib
from collections.abc import Iterator
from datetime import UTC
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from almario.domain.documents.document import encoded
from almario.domain.turns import Utterance
from almario.testing import FixedClock
from almario_postgres.agent_store import PostgresStore
from almario_postgres.database import PoolLimits, Server
from almario_postgres.survey import key_of
from sql_of_every_kind import READS, WRITES
from tests import postgres
from tests.tables import each_row

if TYPE_CHECKING:
    from psycopg import Connection

# It stands in every table of the other agent.
CANARY = "Zephyrine"
_TABLES = (
    "SELECT relname FROM pg_class WHERE relnamespace = 'almario'::regnamespace"
    " AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1"
)
# All that says who may do what with the tables.
_RULES = (
    "SELECT relname, relowner, relacl::text, relrowsecurity, relforcerowsecurity FROM pg_class"
    " WHERE relnamespace = 'almario'::regnamespace",
    "SELECT polname, polrelid, pg_get_expr(polqual, polrelid) FROM pg_policy",
    "SELECT proname, prosrc, proowner FROM pg_proc WHERE pronamespace = 'almario'::regnamespace",
    "SELECT rolname, rolsuper, rolbypassrls, rolconfig FROM pg_roles",
    "SELECT * FROM almario.secret",
    "SELECT * FROM almario.steps",
)


class House:
    """A database with two agents, ours and another's, and a login that may only use the tables."""

    def __init__(self) -> None:
        self.owner = Server(postgres.home_url())
        key = bytes.fromhex(key_of(self.owner))
        self.login = Server(postgres.login_url(self.owner), PoolLimits(connections=1), key=key)
        self.ours, self.theirs = postgres.new_agent(self.owner), postgres.new_agent(self.owner)
        for number, word in ((self.ours, "ours"), (self.theirs, CANARY)):
            furnish(PostgresStore(self.owner.bound(number), FixedClock(), UTC), word)
            with self.owner.as_owner() as connection:
                fill(connection, number, word)
                connection.execute("ANALYZE")
        self.facts = self._facts()

    def told(self, statement: str) -> str:
        """Return all that is heard of a statement in a connection of the plain login, bound to our agent."""
        for place, value in self.facts.items():
            statement = statement.replace(f"{{{place}}}", str(value))
        with contextlib.closing(psycopg.connect(self.login.url, autocommit=True)) as connection:
            connection.execute(
                "SELECT set_config('almario.agent', %s, false), set_config('almario.proof', %s, false),"
                " set_config('search_path', 'almario, public, pg_temp', false)",
                (str(self.ours), self.login.proof(self.ours)),
            )
            return heard_of(connection, statement)

    def state(self) -> list[list[str]]:
        """Return every row of the other agent, and every rule of the tables."""
        with self.owner.as_owner() as connection:
            found = [sorted(map(str, connection.execute(query))) for query in _RULES]
            for (table,) in connection.execute(_TABLES).fetchall():
                own = "number" if table == "agents" else "agent"
                if table not in ("steps", "secret"):
                    query = f"SELECT x::text FROM almario.{table} AS x WHERE {own} = %s".encode()
                    found.append(sorted(map(str, connection.execute(query, (self.theirs,)))))
        return found

    def close(self) -> None:
        self.login.close()
        self.owner.close()

    def _facts(self) -> dict[str, Any]:
        query = (
            "SELECT id, (SELECT tableoid::regclass::text FROM almario.journal WHERE agent = number LIMIT 1)"
            " FROM almario.agents WHERE number = %s"
        )
        with self.owner.as_owner() as connection:
            row = connection.execute(query, (self.theirs,)).fetchone()
        assert row
        return {
            "theirs": self.theirs,
            "their_id": row[0],
            "part": row[1].rpartition("_")[2],
            "proof": self.login.proof(self.ours),
            "empty": sha256(sha256(str(self.theirs).encode()).digest()).hexdigest(),
        }


def furnish(store: PostgresStore, word: str) -> None:
    """Have a store keep something with a word of every kind."""
    store.write_soul(store.read("SOUL.md"), f"# {word}\n", actor="owner", reason=word)
    store.add_to_log(word, actor="owner")
    store.append_turns(f"cli:{word}", [Utterance("user", word, "untrusted", word)])
    store.documents.add_line("costs/x.jsonl", encoded(f"{word}\n"))
    with store.lease("flush"):
        pass


def fill(connection: "Connection", number: int, word: str) -> None:
    """Put a row with a word into every table that has none of an agent."""
    for (table,) in connection.execute(_TABLES).fetchall():
        query = (
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
        )
        columns = connection.execute(query, (f"almario.{table}",)).fetchall()
        if "agent" not in dict(columns) or table == "papers":  # which are the home's
            continue
        values = [number if name == "agent" else made(kind, word) for name, kind in columns]
        names, places = ", ".join(name for name, _ in columns), ", ".join("%s" for _ in columns)
        there = connection.execute(f"SELECT 1 FROM almario.{table} WHERE agent = %s".encode(), (number,))
        if there.fetchone() is None:
            connection.execute(f"INSERT INTO almario.{table}({names}) VALUES ({places})".encode(), values)


def made(kind: str, word: str) -> object:
    """Return a value of a type of the database, with a word in it if it is a text."""
    texts: dict[str, object] = {
        "text": word,
        "bytea": word.encode(),
        "text[]": [word],
        "jsonb": f'"{word}"',
        "boolean": True,
        "date": "2026-11-14",
        "timestamp with time zone": "2026-11-14",
    }
    if kind.endswith("halfvec"):
        return "[1,2,3]"
    return texts.get(kind, [1] if kind.endswith("[]") else 1)


def heard_of(connection: "Connection", statement: str) -> str:
    """Do a statement, and return all that is heard of it: rows, errors, notices."""
    heard: list[str] = []
    connection.add_notice_handler(lambda said: heard.append(f"{said.message_primary} {said.message_detail}"))
    try:
        if statement.startswith("COPY") and "STDOUT" in statement:
            with connection.cursor().copy(statement.encode()) as copied:
                heard += [bytes(piece).decode() for piece in copied]
            return "\n".join(heard)
        cursor = connection.execute(f"BEGIN; {statement}; COMMIT".encode())
        while True:
            heard += [str(row) for row in cursor] if cursor.description else []
            if not cursor.nextset():
                return "\n".join(heard)
    except psycopg.Error as exc:
        diag = exc.diag
        return "\n".join([*heard, f"{exc} {diag.message_detail} {diag.message_hint} {diag.context}"])


def of_theirs(heard: str) -> bool:
    """Return whether something of the other agent is heard, also as bytes or as a hint that it is there."""
    signs = (CANARY, CANARY.encode().hex(), "already exists", "duplicate key")
    return any(sign.lower() in heard.lower() for sign in signs)


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    with contextlib.closing(House()) as made:
        yield made


@each_row("kind", READS)
def test_nothing_of_another_agent_is_heard(house: House, kind: str) -> None:
    assert not of_theirs(house.told(READS[kind]))


def test_nothing_of_another_agent_nor_any_rule_is_changed(house: House) -> None:
    before = house.state()

    heard = {kind: house.told(statement) for kind, statement in WRITES.items()}

    assert [kind for kind, told in heard.items() if of_theirs(told)] == []
    assert house.state() == before


def test_our_own_is_seen_and_the_owner_of_the_tables_sees_all(house: House) -> None:
    own = "SELECT convert_from(content, 'UTF8') FROM versions"
    assert "# ours" in house.told(own)
    with house.owner.as_owner() as connection:
        assert of_theirs(heard_of(connection, own.replace("versions", "almario.versions")))


# By some of these, and by most others, a table without its guard is found.
SEEING = ("by number", "an aggregate", "COPY of a query", "a part of a table", "the key")


@each_row(
    "fault",
    [
        "ALTER TABLE almario.documents DISABLE ROW LEVEL SECURITY",
        "ALTER POLICY own ON almario.turns USING (true)",
        "GRANT SELECT ON ALL TABLES IN SCHEMA almario TO almario_app",
    ],
)
def test_a_table_without_its_guard_is_found(house: House, fault: str) -> None:
    repair = (
        "ALTER TABLE almario.documents ENABLE ROW LEVEL SECURITY;"
        "ALTER POLICY own ON almario.turns USING (agent = (SELECT almario.me()));"
    )
    with house.owner.as_owner() as connection:
        granted = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'almario'::regnamespace"
            " AND (relispartition OR relname = 'secret') AND relkind = 'r'"
        ).fetchall()
        connection.execute(fault.encode())
        try:
            found = [kind for kind in SEEING if of_theirs(house.told(READS[kind]))]
        finally:
            taken = "".join(f"REVOKE SELECT ON almario.{name} FROM almario_app;" for (name,) in granted)
            connection.execute((repair + taken).encode())

    assert found


# What one agent leaves in a connection that another uses next.


LEFT = {
    "a table that shadows": "CREATE TEMP TABLE documents AS SELECT * FROM almario.documents",
    "a path of ours": "SET search_path = pg_temp, almario",
    "a statement of ours under another's name": "DEALLOCATE ALL; PREPARE _pg3_0 AS SELECT 1;"
    " PREPARE _pg3_1 AS SELECT set_config('almario.kept', 'x', false)",
    "a cursor": "DECLARE kept CURSOR WITH HOLD FOR SELECT * FROM documents",
    "a setting": "SET almario.kept = 'x'; SET statement_timeout = 1; SET bytea_output = 'escape'",
    "a lock": "SELECT pg_advisory_lock(7)",
    "an ear": "LISTEN almario",
}


@each_row("kind", LEFT)
def test_nothing_that_one_agent_left_in_a_connection_is_there_for_the_next(house: House, kind: str) -> None:
    theirs = PostgresStore(house.login.bound(house.theirs), FixedClock(), UTC)
    before = theirs.read("SOUL.md")
    with house.login.bound(house.ours).writing() as connection:
        for statement in LEFT[kind].split("; "):
            connection.execute(statement.encode())

    for _ in range(4):  # as often as it takes to have a statement prepared
        theirs.documents.marks()
        theirs.edit("USER.md", f"{CANARY}\n" if theirs.read("USER.md").content != b"x" else "x")
        assert theirs.read("SOUL.md") == before
    with house.login.bound(house.ours).reading() as connection:
        shown = connection.execute(
            "SELECT coalesce(current_setting('almario.kept', true), ''), current_setting('search_path'),"
            " (SELECT count(*) FROM pg_cursors WHERE is_holdable),"
            " (SELECT count(*) FROM pg_listening_channels()),"
            " (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()),"
            " to_regclass('pg_temp.documents')"
        ).fetchone()
    assert shown == ((shown and shown[0]) or "", "almario, public, pg_temp", 0, 0, 0, None)
    assert shown[0] in (None, "")


def test_the_proof_of_another_agent_is_shown_nowhere(house: House) -> None:
    proof = house.owner.proof(house.theirs)
    other = Server(house.login.url, key=bytes.fromhex(key_of(house.owner)))
    with contextlib.closing(other), other.bound(house.theirs).writing() as connection:
        connection.execute("SELECT 1")
        seen = house.told("SELECT query FROM pg_stat_activity; SELECT * FROM pg_prepared_statements")
    assert "UPDATE standings" in seen or "SELECT 1" in seen
    assert proof not in seen


def test_who_listens_hears_that_something_changed_but_not_of_whom(house: House) -> None:
    with contextlib.closing(psycopg.connect(house.login.url, autocommit=True)) as connection:
        connection.execute("LISTEN almario")
        PostgresStore(house.owner.bound(house.theirs), FixedClock(), UTC).edit("MEMORY.md", "x\n")
        [told] = connection.notifies(timeout=60, stop_after=1)

    assert told.payload == house.owner.word_for(house.theirs)
    assert str(house.theirs) != told.payload
