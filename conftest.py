"""What every test may ask for: a home of its own, a clock that stands still, a soul."""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from functools import cache
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

import almario
from almario.adapters.embedders.local import LocalEmbedder
from almario.ports import Vector
from almario.soul import Soul
from almario.store import files
from almario.store.folder import FolderStore
from almario.testing import FixedClock
from almario.wiring import remembering
from tests import postgres
from tests.apps.conftest import run, spawn  # noqa: F401 - for packages, too
from tests.effort import THOROUGH, examples
from tests.memory_store import MemoryStore
from tests.plugged import Site
from tests.souls import copy_of, soul_on
from tests.tables import Checked

# The examples are always the same ones, but in a thorough run.
settings.register_profile("almario", examples(12), derandomize=not THOROUGH)
settings.load_profile("almario")
# Nor are they drawn from the words of whatever source is loaded, which takes seconds to read.
vars(providers)["_get_local_constants"] = lambda: providers._local_constants

# Where models are found: keys, and what steers the programs and packages that use them.
_MODELS = ("ANTHROPIC_", "OPENAI_", "GROQ_", "OPENROUTER_", "OLLAMA_", "CLAUDE")


_numbers = count(1)
_templates: dict[tuple[object, ...], Path] = {}

# What is loaded while tests are collected stays: looking for garbage would take a sixth of that time.
gc.disable()

# What was compiled is kept, here and by the processes that tests start, or each would compile it all anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


_embed = LocalEmbedder.embed


class _RememberingEmbedder(LocalEmbedder):
    """The bundled embedder of all souls of this process: what each begins with is embedded once."""

    def __init__(self) -> None:
        super().__init__()
        self._vectors: dict[str, Vector] = {}

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        if LocalEmbedder.embed is not _embed:  # a test counts its calls, or gives other vectors
            return super().embed(texts)
        if lacking := [text for text in dict.fromkeys(texts) if text not in self._vectors]:
            self._vectors |= zip(lacking, super().embed(lacking), strict=True)
        return cast("Sequence[Vector]", np.stack([self._vectors[text] for text in texts]) if texts else [])


vars(remembering)["_bundled"] = cache(_RememberingEmbedder)


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of its own, by a number; pytest's looks through all those before it for a name."""
    path = tmp_path_factory.getbasetemp() / str(next(_numbers))
    path.mkdir()
    return path


# What tests need that takes seconds to start or to load: a server of PostgreSQL, the packages of providers.
# The transcripts are one test of half a minute: begun last, the other processes would wait for it.
_DEAR = ("test_transcripts", "postgres", "contracts/", "test_many_servers", "gateway/", "test_llm")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", metavar="SEED", help="run modules, and the tests of each, in another order")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What needs much comes first: of several processes, one begins with it, and the others never need it."""
    if (seed := config.getoption("--shuffle")) is not None:

        def place(item: pytest.Item) -> tuple[str, str]:
            """Return a place by chance; tests of a module stay together, as they share what it made."""
            return _drawn(seed, item.nodeid.partition("::")[0]), _drawn(seed, item.nodeid)

        items.sort(key=place)
    items.sort(key=lambda item: not any(each in item.nodeid for each in _DEAR))


def _drawn(seed: str, name: str) -> str:
    return blake2b(f"{seed} {name}".encode()).hexdigest()


def pytest_collection_finish() -> None:
    """What was loaded stays: no collection of garbage need look at it; and tests leave little."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True)
def own_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No test sees the settings, the locale or the home of whoever runs it."""
    for name in [name for name in os.environ if name.startswith(("ALMARIO_", "LC_", "LANG", *_MODELS))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("ALMARIO_HOME", str(tmp_path / "home"))
    # Who tests meaning asks for it: the model takes a second to load.
    monkeypatch.setenv("ALMARIO_EMBEDDER_NAME", "none")
    # No test finds a model of whoever runs it.
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "none")
    # Who tests the process that stays for hooks starts it.
    monkeypatch.setenv("ALMARIO_HOOKS_RESIDENT_MINUTES", "0")
    # One for all tests, of all processes: unpacking the local embedder takes two seconds.
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    monkeypatch.setenv("ALMARIO_CACHE", str(shared / "cache"))


@pytest.fixture(autouse=True)
def hasty_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No power is cut in this process, so nothing in it waits for the disk."""
    monkeypatch.setattr(files, "sync", lambda descriptor: None)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def furnished(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with an agent, which nobody has opened yet: a copy of one that is made once."""
    copy_of(_furnish, home, tmp_path_factory)
    return home


def _furnish(home: Path) -> None:
    almario.create(home, clock=FixedClock()).close()


@pytest.fixture
def soul(request: pytest.FixtureRequest, clock: FixedClock, tmp_path_factory: pytest.TempPathFactory) -> Soul:
    """A soul in a folder; in a module marked `light`, in memory, but for tests that speak of files."""
    names = {*request.fixturenames, *(mark.name for mark in request.node.iter_markers())}
    if "light" in names and names.isdisjoint({"home", "reopened", "folder"}):
        return soul_on(MemoryStore(clock))
    return _in_folder(request.getfixturevalue("home"), clock, tmp_path_factory)


def _in_folder(home: Path, clock: FixedClock, tmp_path_factory: pytest.TempPathFactory) -> Soul:
    """A starter soul: a copy of one that was made at the same time in the same environment."""
    if home.exists():
        return almario.create(home, clock=clock)
    own = {name: value for name, value in os.environ.items() if name.startswith(("ALMARIO_", "LC_", "LANG"))}
    made_in = (clock(), *sorted(own.items() - {("ALMARIO_HOME", os.environ.get("ALMARIO_HOME"))}))
    if made_in not in _templates:
        _templates[made_in] = tmp_path_factory.mktemp("template") / "home"
        almario.create(_templates[made_in], clock=clock).close()
    shutil.copytree(_templates[made_in], home, ignore=shutil.ignore_patterns("*-shm"))
    return almario.open(home, clock=clock)


@pytest.fixture
def reopened(home: Path, clock: FixedClock) -> Callable[[], Soul]:
    """Open the same soul as another process would."""
    return lambda: almario.open(home, clock=clock)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A folder from which plug-ins are found; what was imported from it is forgotten afterwards."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = tmp_path / "site"
    yield Site(folder)
    for name, module in [*sys.modules.items()]:
        if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> FolderStore:
    root = tmp_path / "agent"
    root.mkdir()
    return FolderStore(root, clock, UTC)


# The run: what its processes share, what it leaves behind, what it has shown.

# A run that is ended early, however that came, leaves no folder: a shell waits for its end.
_SWEEPER = (
    'trap "" HUP INT TERM; read kept || for _ in 1 2 3 4 5 6 7 8 9; do rm -rf "$1" && exit; sleep 1; done'
)
_sweeper: "pytest.StashKey[subprocess.Popen[str]]" = pytest.StashKey()
_last_line = pytest.StashKey[str]()
_folder = pytest.StashKey[Path]()
_is_green = pytest.StashKey[bool]()
# The folder of a run is named after its process. Those of tests stay in it until the run ends: what a test
# left to do in the background may still need its own. A disk in memory is quicker, if there is room.
_FOLDER = f"almario-tests-{os.getuid()}-"
_QUICK = Path("/dev/shm")
_ROOM = 4 << 30


class _Ended:
    """How the run has ended."""

    by_hand = False


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give the run a folder of its own: of those that pytest numbers, one run may take another's away.

    What failed stays there to be looked at, until the next run begins.
    """
    if config.option.basetemp:
        return
    is_quick = os.access(_QUICK, os.W_OK) and shutil.disk_usage(_QUICK).free > _ROOM
    root = Path(os.environ.get("PYTEST_DEBUG_TEMPROOT") or (_QUICK if is_quick else tempfile.gettempdir()))
    for left in root.glob(f"{_FOLDER}*"):
        if not _lives(int(left.name.removeprefix(_FOLDER))):
            shutil.rmtree(left, ignore_errors=True)
    config.stash[_folder] = config.option.basetemp = root / f"{_FOLDER}{os.getpid()}"


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def pytest_sessionstart(session: pytest.Session) -> None:
    base: Path = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    if hasattr(session.config, "workerinput"):
        postgres.Run.folder = base.parent
        return
    postgres.Run.folder = base
    session.config.stash[_sweeper] = subprocess.Popen(
        ["/bin/sh", "-c", _SWEEPER, "sweeper", base], stdin=subprocess.PIPE, text=True, start_new_session=True
    )


def pytest_keyboard_interrupt(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Tell a person who ends the run from pytest, which ends it after a failure (`-x`)."""
    _Ended.by_hand = not isinstance(excinfo.value, pytest.Session.Interrupted)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    postgres.end()
    config = session.config
    if hasattr(
        config, "workeroutput"
    ):  # whoever gave this process its tests is told how many rows it checked
        config.workeroutput["rows"] = Checked.rows
        return
    config.stash[_last_line] = postgres.outcome()
    config.stash[_is_green] = exitstatus == pytest.ExitCode.OK
    config.stash[_sweeper].communicate("" if _Ended.by_hand else "kept\n")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    Checked.rows += getattr(node, "workeroutput", {}).get("rows", 0)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if tests := len(terminalreporter.stats.get("passed", ())):
        terminalreporter.write_line(f"{tests} tests hold, and {Checked.rows} rows of tables were checked")


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Say last which PostgreSQL it was; on the page of a run in CI, too. A green run leaves no folder."""
    if config.stash.get(_is_green, False) and _folder in config.stash:
        shutil.rmtree(config.stash[_folder], ignore_errors=True)
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    if not (line := config.stash.get(_last_line, "")) or reporter is None:
        return
    missed = line.startswith(postgres.NOT_TESTED)
    left_out = sum(postgres.NOT_TESTED in str(each.longrepr) for each in reporter.stats.get("skipped", ()))
    told = f"{line} ({left_out} tests were left out)" if missed else line
    if page := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(page, "a") as summary:
            summary.write(f"{told}\n")
    reporter.write_line(told, yellow=missed, bold=missed)
