"""`almario soul drift` lists how far the soul has come; `almario soul drift --pin` says from where."""

import json
import re

import pytest

from almario.apps.cli.i18n import width_of
from almario.errors import StoreError
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.testing import FixedClock
from tests.apps.conftest import Run, Terminal

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def write(soul: Soul, text: str, reason: str = "") -> None:
    soul.write(soul.read("SOUL"), text, reason=reason)


@pytest.fixture
def far(soul: Soul, clock: FixedClock) -> Soul:
    """A soul that first came to like trains, and then lost its boundaries."""
    text = soul.read("SOUL").text
    soul.drift.note()
    clock.advance(days=3)
    write(soul, text.replace("I pay attention.", "I pay attention. I like trains."), "it likes trains")
    soul.drift.note()
    clock.advance(days=4)
    write(soul, text.partition("## Boundaries")[0], "a whim")
    return soul


def test_as_json_it_says_what_changed_at_each_step(run: Run, far: Soul) -> None:
    told = json.loads(run("soul", "drift", "--json").out)["timeline"]

    assert [step["reason"] for point in told[1:] for step in point["what"]] == ["it likes trains", "a whim"]


def test_a_folder_that_cannot_be_written_is_measured_all_the_same(
    run: Run, far: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(FolderStore, "record", refuse)

    shown = run("soul", "drift")

    assert "Alma is 0.36" in shown.out
    assert "the disk is full" in shown.err


@pytest.mark.parametrize("language", ["en_US.UTF-8", "es_ES.UTF-8"])
def test_on_a_screen_of_80_columns_no_line_is_longer(
    far: Soul, spawn_at_terminal: Terminal, language: str
) -> None:
    write(far, far.read("SOUL").text + "- More.\n", "a very long reason " * 12)

    shown = spawn_at_terminal("soul", "drift", LC_ALL=language, COLUMNS="80")

    lines = [_STYLE.sub("", line) for line in shown.split("\r\n")]
    assert max(map(width_of, lines)) <= 80
    assert any(line.endswith("…") for line in lines)
    assert "\x1b[31m" in shown
    assert ("away from" in shown) == language.startswith("en")
