"""A pooler in front of a PostgreSQL server, for tests: PgBouncer, which lends connections by transaction."""

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import pg_servers
from tests.waiting import comes_true

_PORT = 6432
_SETTINGS = """
[databases]
* = host={host} port={port} user={user} pool_size={size}
[pgbouncer]
listen_port = {own}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
ignore_startup_parameters = extra_float_digits
logfile = {folder}/log
pidfile = {folder}/pid
"""


def program() -> str:
    """Return where PgBouncer is; empty if it is not on this machine."""
    return shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin") or ""


@contextlib.contextmanager
def pooled(url: str, *, size: int = 1) -> Iterator[str]:
    """Give the address of a pooler that has *size* connections to the server at an address."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    known = conninfo_to_dict(url)
    with tempfile.TemporaryDirectory(prefix="almario-pool-") as folder:
        settings = Path(folder, "pgbouncer.ini")
        login = str(known.get("user") or "postgres")
        facts = {"host": known["host"], "port": known.get("port") or 5432, "size": size, "user": login}
        settings.write_text(_SETTINGS.format(**facts, own=_PORT, folder=folder))
        user = pg_servers.other_user()
        if user:
            for path in (Path(folder), settings):
                shutil.chown(path, user)
        process = subprocess.Popen([program(), *(["-u", user] if user else []), "-q", str(settings)])
        try:
            assert comes_true(Path(folder, f".s.PGSQL.{_PORT}").exists)
            yield make_conninfo(url, host=folder, port=_PORT, user=login)
        finally:
            process.terminate()
            process.wait()
