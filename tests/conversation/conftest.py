"""A soul that talks by a script."""

from collections.abc import Callable
from pathlib import Path

import pytest

import almario
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM


@pytest.fixture
def talking(furnished: Path, clock: FixedClock) -> Callable[..., Soul]:
    """Make a soul whose model says these lines; nothing is learned beside it unless asked."""

    def make(*lines: object, **settings: object) -> Soul:
        quiet = {"flush.enabled": False} | {name.replace("__", "."): each for name, each in settings.items()}
        llm = ScriptedLLM(*lines)  # type: ignore[arg-type]
        soul = almario.open(furnished, clock=clock, llm=llm, settings=quiet)
        soul.script = llm  # type: ignore[attr-defined]
        return soul

    return make
