"""The examples, as modules."""

import importlib.util
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from tests.plugged import PROJECT

Example = Callable[[str], ModuleType]


@pytest.fixture
def example() -> Iterator[Example]:
    """Load an example by its name."""
    loaded: list[str] = []

    def load(name: str) -> ModuleType:
        found = importlib.util.spec_from_file_location(name, PROJECT / "examples" / f"{name}.py")
        assert found
        assert found.loader
        module = importlib.util.module_from_spec(found)
        sys.modules[name] = module
        loaded.append(name)
        found.loader.exec_module(module)
        return module

    yield load
    for name in loaded:
        del sys.modules[name]
