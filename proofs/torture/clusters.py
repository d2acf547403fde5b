"""PostgreSQL servers that a fault run may stop, copy and promote, each with a folder of its own."""

import atexit
import contextlib
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests import pg_servers
from tests.pg_servers import Choice

# A server that comes back has its log to go through first.
_PATIENCE = 120
_SETTINGS = """
listen_addresses = ''
max_connections = 60
shared_buffers = 32MB
wal_keep_size = 64MB
max_wal_size = 64MB
min_wal_size = 32MB
"""


def why_not() -> str:
    """Return why there are no servers here; empty if there are."""
    return "" if _choice().programs else "; ".join(_choice().why) or "there is no PostgreSQL on this machine"


@functools.cache
def _choice() -> Choice:
    return pg_servers.chosen(pg_servers.found())


@functools.cache
def _programs() -> Path:
    """Return where `pg_ctl` and the others are, for whom the servers run as."""
    programs = Path(_choice().programs)
    if not pg_servers.other_user():
        return programs
    copied = tempfile.TemporaryDirectory(prefix="almario-pg-")
    atexit.register(copied.cleanup)
    Path(copied.name).chmod(0o755)
    return pg_servers.readable(programs, Path(copied.name))


class Cluster:
    """One server; its socket lies beside its files."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="almario-pg-"))
        self.data = self.folder / "data"
        if user := pg_servers.other_user():
            shutil.chown(self.folder, user)

    @property
    def url(self) -> str:
        return f"host={self.folder} user=postgres dbname=postgres"

    def make(self) -> None:
        """Make it, with nothing in it."""
        self._do("initdb", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-sync", "-D", str(self.data))
        with open(self.data / "postgresql.conf", "a") as settings:
            settings.write(_SETTINGS)

    def copy(self, other: "Cluster") -> None:
        """Make it a standby of another one, and let both have what is acknowledged."""
        self._do("pg_basebackup", "-R", "-c", "fast", "-X", "stream", "-d", other.url, "-D", str(self.data))
        self.start()

    def start(self) -> None:
        options = f"-k {self.folder}"
        log = str(self.folder / "log")
        self._do(
            "pg_ctl", "start", "-w", "-t", str(_PATIENCE), "-l", log, "-o", options, "-D", str(self.data)
        )

    def stop(self) -> None:
        """Stop it as a power cut would: nothing is written any more."""
        self._do("pg_ctl", "stop", "-m", "immediate", "-w", "-D", str(self.data))

    def come_back(self) -> None:
        """Start it again if it has ended, or wait until it is there."""
        with contextlib.suppress(RuntimeError):
            self.stop()
        self.start()

    def dump_into(self, database: str) -> None:
        """Restore a backup of what is in it now into another of its databases."""
        dump = str(self.folder / "dump")
        self._do("pg_dump", "-Fc", "-f", dump, "-d", self.url)
        self._do("pg_restore", "-d", self.url.replace("dbname=postgres", f"dbname={database}"), dump)

    def promote(self) -> None:
        """Make a standby the server that is written to."""
        self._do("pg_ctl", "promote", "-w", "-t", str(_PATIENCE), "-D", str(self.data))

    def erase(self) -> None:
        """Delete the files of a server that is stopped, as if its machine were lost."""
        shutil.rmtree(self.data)

    def remove(self) -> None:
        """End it for good."""
        if (self.data / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)

    def say(self, statement: str) -> None:
        """Do a statement as the administrator."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())

    def _do(self, program: str, *arguments: str) -> None:
        with open(self.folder / "said", "w+") as said:  # a pipe would wait for the server's end
            command = [str(_programs() / program), *arguments]
            done = subprocess.run(
                command,
                cwd=self.folder,
                stdout=said,
                stderr=said,
                check=False,
                user=pg_servers.other_user(),
                timeout=300,
            )
            if done.returncode:
                said.seek(0)
                raise RuntimeError(f"{program}: {said.read()}")
