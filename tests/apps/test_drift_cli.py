"""`almario soul drift` lists how far the soul has come; `almario soul drift --pin` says from where."""

import json
import re

import pytest

from almario.apps.cli.i18n import width_of
from almario.domain.proposal import Draft
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


def test_each_change_is_listed_with_its_reason_and_past_the_threshold_there_is_a_warning(
    run: Run, far: Soul
) -> None:
    shown = run("soul", "drift").out

    rows = [line for line in shown.split("\n") if re.match(r"\d{4}-", line)]
    assert [row[:10] for row in rows[:2]] == ["2026-11-14", "2026-11-17"]
    assert [row.partition("  ")[2][:4] for row in rows] == sorted(row.partition("  ")[2][:4] for row in rows)
    assert rows[1].endswith("it likes trains (SOUL)")
    assert rows[2].endswith("a whim (SOUL)")
    assert "a warning appears above 0.35" in shown
    assert 'This is far. "almario soul diff SOUL 1" shows what changed,' in shown
    assert "\x1b" not in shown


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


def test_what_the_owner_accepted_and_what_came_by_itself_are_told_apart(run: Run, soul: Soul) -> None:
    def focus(text: str) -> str:
        return text.replace("## Current Focus\n", "## Current Focus\n\n- The receipts.\n")

    soul.proposals.submit(Draft("MOTIVATIONS", focus, "they pile up", by="reflection", unasked=True))
    asked = soul.proposals.submit(Draft("SOUL", lambda text: f"{text}\n- I hum.\n", "it hums"))
    soul.proposals.accept(asked.id)

    shown = run("soul", "drift").out

    assert re.search(r"accepted: \w+ they pile up \(MOTIVATIONS, by itself\)", shown)
    assert re.search(r"accepted: \w+ it hums \(SOUL\)", shown)
    assert "Made unasked: " in shown
    steps = [
        step for point in json.loads(run("soul", "drift", "--json").out)["timeline"] for step in point["what"]
    ]
    assert [step["file"] for step in steps if step["unasked"]] == ["MOTIVATIONS.md"]
