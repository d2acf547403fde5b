"""The tables in PostgreSQL, and the rules that keep one agent's rows together and apart from all others."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import almario_postgres
from almario.domain.plain_text import regex
from almario.errors import SchemaTooNew, StoreError
from almario_postgres import migrating
from almario_postgres.database import Server
from almario_postgres.survey import survey
from tests import postgres
from tests.tables import each_row

ADAPTER = Path(almario_postgres.__file__).parent
# Asked across agents, by who looks after all of them: which there are, the home's papers, the nights' queue.
OF_THE_HOME = {"agents", "nights", "papers", "secret", "standings", "steps"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server(postgres.home_url())
    yield server
    server.close()


# The steps.


def test_steps_are_done_once_by_whoever_comes_first(server: Server) -> None:
    with server.as_owner() as one:
        assert migrating.migrate(one) == []
        assert migrating.step_of(one) == migrating.steps()[-1].number
    assert [step.number for step in migrating.steps()] == sorted({step.number for step in migrating.steps()})


def test_two_who_migrate_at_once_do_it_once() -> None:
    import threading

    server = Server(postgres.database_url())
    done: list[int] = []

    def migrate() -> None:
        with server.as_owner() as connection:
            done.append(len(migrating.migrate(connection)))

    both = [threading.Thread(target=migrate) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()

    assert sorted(done) == [0, len(migrating.steps())]


def test_tables_of_another_version_are_refused(server: Server) -> None:
    other = Server(server.url)
    change = "UPDATE almario.steps SET number = number + %s WHERE number = %s"
    last = migrating.steps()[-1].number
    with server.as_owner() as owner:
        owner.execute(change, (1, last))
        with pytest.raises(SchemaTooNew, match="upgrade this one"):
            other.proof(1)
        with pytest.raises(SchemaTooNew, match="upgrade this one"):
            migrating.migrate(owner)
        owner.execute(change, (-1, last + 1))
        owner.execute("DELETE FROM almario.steps WHERE number = %s", (last,))
        with pytest.raises(StoreError, match="almario store migrate"):
            other.proof(1)
        owner.execute("INSERT INTO almario.steps(number, name) VALUES (%s, 'x')", (last,))


# What the tables must be like, so that they can be divided among machines by agent.


def test_every_table_with_an_agent_is_guarded(server: Server) -> None:
    assert survey(server).unguarded == ()


def test_every_key_begins_with_the_agent(server: Server) -> None:
    query = (
        "SELECT whole.relname, idx.relname, pg_get_indexdef(idx.oid, 1, true) FROM pg_index"
        " JOIN pg_class idx ON idx.oid = indexrelid JOIN pg_class whole ON whole.oid = indrelid"
        " WHERE whole.relnamespace = 'almario'::regnamespace AND indisunique AND NOT whole.relispartition"
    )
    with server.as_owner() as connection:
        keys = connection.execute(query).fetchall()

    assert len(keys) > 10
    assert [(table, key) for table, key, first in keys if first != "agent" and table not in OF_THE_HOME] == []


def test_every_table_is_divided_by_the_agent(server: Server) -> None:
    query = (
        "SELECT relname, pg_get_partkeydef(oid) FROM pg_class WHERE relnamespace = 'almario'::regnamespace"
        " AND relkind IN ('r', 'p') AND NOT relispartition"
    )
    with server.as_owner() as connection:
        parted = dict(connection.execute(query).fetchall())

    whole = {name for name, key in parted.items() if key is None}
    assert whole == {"agents", "secret", "steps"}
    assert {key for name, key in parted.items() if name not in whole} == {"HASH (agent)"}


def test_the_application_may_neither_make_nor_drop_nor_own_anything(server: Server) -> None:
    asks = (
        "SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication, rolcanlogin"
        " FROM pg_roles WHERE rolname = 'almario_app'",
        "SELECT has_schema_privilege('almario_app', 'almario', 'CREATE'),"
        " has_schema_privilege('almario_app', 'public', 'CREATE'),"
        " bool_or(has_table_privilege('almario_app', oid, 'TRUNCATE, TRIGGER, REFERENCES')),"
        " bool_or(relowner = 'almario_app'::regrole),"
        " bool_or(relispartition AND has_table_privilege('almario_app', oid, 'SELECT'))"
        " FROM pg_class WHERE relnamespace = 'almario'::regnamespace AND relkind IN ('r', 'p')",
    )
    with server.as_owner() as connection:
        for ask in asks:
            [row] = connection.execute(ask.encode()).fetchall()
            assert not any(row)


# What the statements must be like, for the same reason.

_VERB = regex(r"\b(?:SELECT|UPDATE|DELETE|INSERT|JOIN)\b")
_INNER = regex(r"\(([^()]*)\)")
_SUBQUERY = regex(r"\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b")
# One table or several, each perhaps with a name of its own; keywords are in capitals.
_NAMED = r"(?:almario\.)?[a-z_]+(?: (?:AS )?[a-z]+)?"
_OF_TABLES = regex(rf"\b(?:FROM|JOIN|UPDATE|INTO) ({_NAMED}(?:, {_NAMED})*)")


def statements() -> list[tuple[str, str]]:
    """Return every text in the adapter that is SQL, with its place, and every statement of the steps."""
    in_code = [
        (f"{path.name}:{line}", text)
        for path in sorted(ADAPTER.glob("*.py"))
        for line, text in texts(ast.parse(path.read_text()))
    ]
    in_steps = [
        (step.name, text)
        for step in migrating.steps()
        for text in regex(r"--[^\n]*").sub("", step.sql).split(";")
    ]
    return [(place, " ".join(text.split())) for place, text in in_code + in_steps if _VERB.search(text)]


def texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the texts in a program; what is filled in is a question mark."""
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "?" for part in node.values]
        yield node.lineno, "".join(map(str, parts))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    else:
        for inner in ast.iter_child_nodes(node):
            yield from texts(inner)


def queries_in(text: str) -> Iterator[str]:
    """Yield a statement without the queries inside it, and each of these without those inside it."""
    while found := _INNER.search(text):
        if is_query := bool(_SUBQUERY.match(found[1])):
            yield from found[1].split("UNION")
        text = f"{text[: found.start()]}{'?' if is_query else ' ' + found[1]}{text[found.end() :]}"
    yield from text.split("UNION")


def without_agent(text: str) -> list[str]:
    """Return the queries in a statement that do not say of each table which agent is meant."""
    sql = "".join(step.sql for step in migrating.steps())
    of_agents = set(regex(r"CREATE TABLE ([a-z_]+)\(").findall(sql)) - OF_THE_HOME
    wrong = []
    for query in queries_in(text):
        named = [each.split()[0] for names in _OF_TABLES.findall(query) for each in names.split(", ")]
        tables = [name for name in named if name.removeprefix("almario.") in of_agents]
        said = len(regex(r"\bagent\b").findall(query))
        if len(tables) > said and "WHERE ?" not in query:  # what is filled in begins with it
            wrong.append(query)
    return wrong


@each_row(("place", "text"), statements())
def test_every_statement_says_which_agent_is_meant(place: str, text: str) -> None:
    assert without_agent(text) == [], place


@each_row(
    "text",
    [
        "SELECT * FROM journal",
        "SELECT * FROM documents JOIN lines USING (name) WHERE documents.agent = 1",
        "UPDATE turns SET line = '' WHERE n = 1",
        "DELETE FROM almario.leases",
        "WITH own AS (SELECT * FROM turns WHERE agent = 1) SELECT * FROM own, sessions",
    ],
)
def test_a_statement_that_does_not_is_found(text: str) -> None:
    assert without_agent(text)
