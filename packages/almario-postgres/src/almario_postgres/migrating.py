"""The tables in PostgreSQL: numbered steps that only go forward, one process at a time."""

import contextlib
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from almario.errors import SchemaTooNew, StoreError
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from psycopg import Connection

SCHEMA = "almario"
# Whoever the application logs in as is a member of this role, or becomes it.
ROLE = "almario_app"
# By which two who migrate at once know each other.
_LOCK = 0x616C6D6172696F
# What the steps are written in.
_OLDEST, _OLDEST_VECTOR = 140_000, (0, 7)
# From here on a member of a role need not be allowed to become it.
_WITH_SET = 160_000
_NEWER = "the tables were made by a newer Almario (step {found}; this one knows {known}); upgrade this one"


class MigrationStep(NamedTuple):
    """One step: its number, its name and what it does."""

    number: int
    name: str
    sql: str


def steps() -> list[MigrationStep]:
    """Return all steps that this version knows, in order."""
    return sorted(_read())


def _read() -> Iterator[MigrationStep]:
    for file in files(__package__).joinpath("migrations").iterdir():
        number, _, name = file.name.removesuffix(".sql").partition("_")
        if file.name.endswith(".sql"):
            yield MigrationStep(int(number), name, file.read_text("utf-8"))


def step_of(connection: "Connection") -> int:
    """Return the last step that was done; 0 if none was."""
    found = connection.execute("SELECT to_regclass('almario.steps')").fetchone()
    if not found or found[0] is None:
        return 0
    row = connection.execute("SELECT coalesce(max(number), 0) FROM almario.steps").fetchone()
    return int(row[0]) if row else 0


def migrate(connection: "Connection") -> list[MigrationStep]:
    """Do the steps that are missing, all or none, and return them; *connection* is the owner's."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        _need_server(connection)
        before, known = step_of(connection), steps()
        if before > known[-1].number:
            raise SchemaTooNew(_NEWER, found=before, known=known[-1].number)
        missing = [step for step in known if step.number > before]
        if missing and not before:
            _begin(connection)
        for step in missing:
            connection.execute(f"SET LOCAL search_path = {SCHEMA}, public")
            connection.execute(step.sql.encode())
            row = (step.number, step.name)
            connection.execute("INSERT INTO almario.steps(number, name) VALUES (%s, %s)", row)
    return missing


def check(connection: "Connection") -> None:
    """Refuse tables that are older or newer than this version needs."""
    found, known = step_of(connection), steps()[-1].number
    if found > known:
        raise SchemaTooNew(_NEWER, found=found, known=known)
    if found < known:
        sentence = 'the database lacks some of its tables; run "almario store migrate"'
        raise StoreError(sentence)


def _need_server(connection: "Connection") -> None:
    """Refuse a server that cannot keep the tables."""
    row = connection.execute(
        "SELECT current_setting('server_version'), current_setting('server_version_num')::int,"
        " (SELECT default_version FROM pg_available_extensions WHERE name = 'vector')"
    ).fetchone()
    version, number, vector = row or ("", 0, None)
    if number < _OLDEST:
        sentence = "this is PostgreSQL {version}; Almario needs 14 or newer"
        raise StoreError(sentence, version=version)
    if vector is None or tuple(map(int, vector.split(".")[:2])) < _OLDEST_VECTOR:
        sentence = "the server needs pgvector 0.7 or newer, and has {version}; install it there first"
        raise StoreError(sentence, version=vector or "none")


def _begin(connection: "Connection") -> None:
    from psycopg import errors  # noqa: PLC0415 - connected, it is loaded

    for statement in _of_administrators(connection):
        with contextlib.suppress(errors.InsufficientPrivilege), connection.transaction():
            connection.execute(statement.encode())
    if refused := _of_administrators(connection):
        sentence = (
            "this login may not make all that the tables need; let an administrator run in the database"
            ' {database}: {statements}; and then run "almario store migrate" again'
        )
        raise StoreError(sentence, database=connection.info.dbname, statements="; ".join(refused))
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
    connection.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {ROLE}")
    connection.execute(
        f"CREATE TABLE {SCHEMA}.steps("
        "number int PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())"
    )
    connection.execute(f"GRANT SELECT ON {SCHEMA}.steps TO {ROLE}")


def _of_administrators(connection: "Connection") -> list[str]:
    """Return what is still to do that the plain owner of a database may not be allowed to do."""
    vector, role, may_be, login, database, may_create = connection.execute(
        "SELECT (SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'),"
        " (SELECT oid FROM pg_roles WHERE rolname = %s), (SELECT pg_has_role(oid, %s) FROM pg_roles"
        " WHERE rolname = %s), quote_ident(current_user), quote_ident(current_database()),"
        " has_database_privilege(current_database(), 'CREATE')",
        (ROLE, "SET" if connection.info.server_version >= _WITH_SET else "MEMBER", ROLE),
    ).fetchone() or (None, None, None, "", "", False)
    wanted = [] if may_create else [f"GRANT CREATE ON DATABASE {database} TO {login}"]
    if vector is None:
        wanted.append("CREATE EXTENSION vector SCHEMA public")
    elif vector not in (SCHEMA, "public"):
        wanted.append("ALTER EXTENSION vector SET SCHEMA public")
    if role is None:
        wanted.append(f"CREATE ROLE {ROLE} NOLOGIN ROLE {login}")
    elif not may_be:
        wanted.append(f"GRANT {ROLE} TO {login}")
    return wanted
