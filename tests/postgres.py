"""A PostgreSQL server for tests: one that was tried first, and does what the tables need.

ALMARIO_TEST_POSTGRES may name a server by its address, the folder of the programs to use, or "none";
otherwise the programs are those of a wheel or of this machine. With ALMARIO_TEST_POOLER=1, what is tested
reaches the server through PgBouncer, which lends its connections by transaction.
"""

import fcntl
import functools
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from almario_postgres import migrating
from almario_postgres.database import DIRECTORY, Server
from tests import pg_pooler, pg_servers
from tests.pg_servers import Choice

NOT_TESTED = "NOT TESTED: PostgreSQL"
_REMEDY = (
    "Remedy: install PostgreSQL 14 or newer with pgvector 0.7 or newer (apt install postgresql-17-pgvector,"
    " brew install postgresql@17 pgvector), or name a server in ALMARIO_TEST_POSTGRES"
)
# Of a login that may use the tables.
_PASSWORD = "not-a-secret"


class Run:
    """What the processes of a run share: a folder, where they tell each other which server works."""

    folder = Path()
    named = os.environ.get("ALMARIO_TEST_POSTGRES", "")
    is_pooled = bool(os.environ.get("ALMARIO_TEST_POOLER"))
    # What ends with this process.
    undone = ExitStack()
    # The server that this process has started.
    server: pg_servers.Started | None = None


def choice() -> Choice:
    """Return which server works: tried once in a run, by whichever process needs it first."""
    told = Run.folder / "postgres.json"
    with open(Run.folder / "postgres.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            told.write_text(json.dumps(_chosen()))
    programs, version, why = json.loads(told.read_text())
    return Choice(programs, version, tuple(why))


def outcome() -> str:
    """Return in a line which server was tested with, or why none was; empty if no test asked for one."""
    if not (Run.folder / "postgres.json").exists():
        return ""
    programs, version, why = choice()
    if programs:
        return f"Tested with {version} ({pg_servers.shown(Path(programs))})"
    found = f"None that was found works: {'; '.join(why)}" if why else "There is none on this machine"
    return f"{NOT_TESTED}. {found}. {_REMEDY}"


def _chosen() -> Choice:
    if _is_address(Run.named):
        return Choice(Run.named.rpartition("@")[2], pg_servers.tried(Run.named), ())
    if Run.named == "none":
        return Choice("", "", ())
    found, Run.server = pg_servers.begun([Path(Run.named)] if Run.named else pg_servers.found())
    return found


def _is_address(named: str) -> bool:
    return "=" in named or "://" in named


@functools.cache
def server_url() -> str:
    """Return the address of a server on which databases can be made; skip the test if there is none."""
    working = choice()
    if not working.programs:
        pytest.skip(f"{NOT_TESTED}: the last line says why")
    if _is_address(Run.named):
        return Run.named
    Run.server = Run.server or pg_servers.started(Path(working.programs))
    return Run.server[1]


@contextmanager
def untouched_server() -> Iterator[str]:
    """Give the address of a server that no test has used; skip the test if there is none."""
    server_url()
    if _is_address(Run.named):
        pytest.skip("the server that is named by its address has been used before")
    with pg_servers.running(Path(choice().programs)) as url:
        yield url


def end() -> None:
    """End the server of this process, if there is one."""
    Run.undone.close()
    if Run.server:
        pg_servers.ended(Run.server[0])
        Run.server = None


def database_url(template: str = "") -> str:
    """Return the address of a new database, empty or with all that is in another."""
    import psycopg
    from psycopg.conninfo import make_conninfo

    url, name = server_url(), f"almario_{uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} {template and f'TEMPLATE {template}'}".encode())
    return make_conninfo(url, dbname=name)


@functools.cache
def _template() -> str:
    """Return the name of a database with its tables that nobody uses: a copy of it is made soon."""
    from psycopg.conninfo import conninfo_to_dict

    url = database_url()
    with Server(url).as_owner() as connection:
        migrating.migrate(connection)
    return str(conninfo_to_dict(url)["dbname"])


def migrated_url() -> str:
    """Return the address of a new database with its tables."""
    url = database_url(_template())
    return Run.undone.enter_context(pg_pooler.pooled(url, size=4)) if Run.is_pooled else url


@functools.cache
def _home() -> str:
    return as_in_settings(migrated_url())


def home_url() -> str:
    """Return the address of an empty home, as it stands in settings: one, for one test after another."""
    url = _home()
    with Server(url).as_owner() as connection:
        for table in ("agents", "nights", "papers", "documents", "standings WHERE agent <> 0"):
            connection.execute(f"DELETE FROM almario.{table}".encode())
    return url


def as_in_settings(address: str) -> str:
    """Return an address as it stands in settings."""
    from urllib.parse import urlencode

    from psycopg.conninfo import conninfo_to_dict

    found = {name: str(value) for name, value in conninfo_to_dict(address).items()}
    return f"postgres:///{found.pop('dbname')}?{urlencode(found)}"


@functools.cache
def migrated() -> Server:
    """Return a database with its tables, which the tests of a process share: each has its own agents."""
    return Server(migrated_url())


def new_agent(server: Server) -> int:
    """Make an empty agent and return its number."""
    with server.bound(DIRECTORY).writing() as connection:
        row = connection.execute(
            "INSERT INTO agents(id, is_made) VALUES (%s, true) RETURNING number", (f"a-{uuid4().hex}",)
        ).fetchone()
        assert row
        connection.execute("INSERT INTO standings(agent) VALUES (%s)", (row[0],))
        return int(row[0])


def login_url(server: Server) -> str:
    """Return the address of a database for a login that owns nothing, and may use the tables."""
    from psycopg.conninfo import make_conninfo

    login = "almario_test_login"
    with server.as_owner() as connection:
        connection.execute("SELECT pg_advisory_lock(1)")  # several processes of tests may do so at once
        known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (login,)).fetchone()
        how = f"LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE INHERIT PASSWORD '{_PASSWORD}'"
        connection.execute(f"{'ALTER' if known else 'CREATE'} ROLE {login} {how}".encode())
        if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (migrating.ROLE,)).fetchone():
            connection.execute(f"GRANT {migrating.ROLE} TO {login}".encode())
    return make_conninfo(server.url, user=login, password=_PASSWORD)
