"""The servers that tests of PostgreSQL use: named if one works, left out loudly if not, never left behind."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import postgres
from tests.waiting import comes_true

_ROOT = Path(__file__).parents[1]
# One test that uses a database; it may then wait until it is ended.
_TESTS = """
import os, threading
from pathlib import Path
from tests.postgres import database_url

def test_of_a_database(tmp_path_factory):
    database_url()
    if ready := os.environ.get("READY"):
        Path(ready).write_text(f"{os.getpid()} {tmp_path_factory.getbasetemp()}")
        threading.Event().wait()

def test_of_something_else():
    if "READY" in os.environ:  # the run is still going when it is ended
        threading.Event().wait()
"""


@pytest.fixture
def temp() -> Iterator[Path]:
    """Where a run makes what it needs; a socket's path is short."""
    with tempfile.TemporaryDirectory(prefix="run-") as made:
        Path(made).chmod(0o755)
        folder = Path(made, "t")
        folder.mkdir()
        folder.chmod(0o777)
        yield folder


@pytest.fixture
def working() -> Path:
    """The programs of a server that works here."""
    postgres.server_url()
    programs = Path(postgres.choice().programs)
    if not programs.is_dir():
        pytest.skip("the server is named by its address")
    return programs


Begin = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def begin(tmp_path: Path, temp: Path) -> Iterator[Begin]:
    """Begin a run of tests, with the servers that are named."""
    tests = tmp_path / "test_held.py"
    tests.write_text(_TESTS)
    runs = ExitStack()

    def begin(named: str, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider"]
        run = subprocess.Popen(
            [*command, "--rootdir", _ROOT, "-c", _ROOT / "pyproject.toml", *arguments, tests],
            cwd=_ROOT,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
                **environment,
                "ALMARIO_TEST_POSTGRES": named,
                "TMPDIR": str(temp),
                "PYTEST_DEBUG_TEMPROOT": str(temp),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        runs.enter_context(run)
        runs.callback(run.kill)
        return run

    with runs:
        yield begin


def ends_well(run: "subprocess.Popen[str]") -> list[str]:
    output, _ = run.communicate()
    assert run.returncode == 0, output
    return output.splitlines()


def test_a_server_that_works_is_used_and_named_last(
    begin: Begin, working: Path, temp: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page"

    result = ends_well(begin(str(working), "-n1", GITHUB_STEP_SUMMARY=str(page)))

    assert "2 passed" in result[-2]
    assert result[-1].startswith("Tested with PostgreSQL ")
    assert "pgvector" in result[-1]
    assert page.read_text().splitlines() == result[-1:]
    assert list(temp.glob("almario-pg-*")) == []


def test_tests_are_left_out_loudly_where_there_is_no_server(begin: Begin) -> None:
    result = ends_well(begin("none"))

    assert "1 passed, 1 skipped" in result[-2]
    assert result[-1].startswith("NOT TESTED: PostgreSQL. There is none on this machine. Remedy: install")


def test_a_server_that_is_named_must_work(begin: Begin) -> None:
    run = begin("postgresql://nobody@localhost:1/none?connect_timeout=5")
    output, _ = run.communicate()

    assert run.returncode == 1
    assert "connection failed" in output


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_early_leaves_nothing_behind(
    how: signal.Signals, begin: Begin, working: Path, temp: Path
) -> None:
    ready = temp / "ready"
    run = begin(str(working), "-n1", READY=str(ready))
    assert comes_true(lambda: ready.exists() and ready.read_text())
    worker, folder = ready.read_text().split()
    [server] = temp.glob("almario-pg-*")
    postmaster = int((server / "data" / "postmaster.pid").read_text().split()[0])

    if how == signal.SIGTERM:  # a worker has been killed before; another takes its place
        os.kill(int(worker), signal.SIGKILL)
        assert comes_true(lambda: not server.exists() and not is_alive(postmaster))
    if how == signal.SIGINT:  # as Ctrl-C does it
        os.killpg(run.pid, how)
    else:
        os.kill(run.pid, how)

    assert comes_true(lambda: run.poll() is not None)
    assert comes_true(lambda: not is_alive(postmaster))
    assert comes_true(lambda: not list(temp.glob("almario-pg-*")))
    assert comes_true(lambda: not Path(folder).parent.exists())


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
