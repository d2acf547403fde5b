"""What every test may ask for: a home of its own, a clock that stands still, a soul."""

import os
from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import settings

import almario
from almario.soul import Soul
from almario.store import files
from almario.store.folder import FolderStore
from almario.testing import FixedClock, MemoryStore
from tests.souls import soul_on

# A disk or a neighbour may be slow; in CI the examples are always the same ones.
settings.register_profile("almario", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("almario")

# Where models are found: keys, and what steers the programs and packages that use them.
_MODELS = ("ANTHROPIC_", "OPENAI_", "GROQ_", "OPENROUTER_", "OLLAMA_", "CLAUDE")


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
    # One for all tests: unpacking the local embedder takes two seconds.
    monkeypatch.setenv("ALMARIO_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


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
def soul(request: pytest.FixtureRequest, clock: FixedClock) -> Soul:
    """A soul in a folder; in a module marked `light`, in memory, but for tests that speak of files."""
    names = {*request.fixturenames, *(mark.name for mark in request.node.iter_markers())}
    if "light" in names and names.isdisjoint({"home", "reopened", "folder"}):
        return soul_on(MemoryStore(clock))
    return almario.create(request.getfixturevalue("home"), clock=clock)


@pytest.fixture
def reopened(home: Path, clock: FixedClock) -> Callable[[], Soul]:
    """Open the same soul as another process would."""
    return lambda: almario.open(home, clock=clock)


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> FolderStore:
    root = tmp_path / "agent"
    root.mkdir()
    return FolderStore(root, clock, UTC)
