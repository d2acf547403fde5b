"""`almario proposals`: seeing what would change, and answering."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from almario.soul import Soul
from almario.testing import FixedClock
from tests.apps.conftest import Run, Terminal


@pytest.fixture
def clock() -> FixedClock:
    """Stand still now: for the commands it is today, and what is proposed expires."""
    return FixedClock(datetime.now(UTC))


@pytest.fixture
def proposed(soul: Soul) -> Callable[..., str]:
    """Propose another line for SOUL.md; return the proposal's id."""

    def propose(line: str = "I like trains.", **more: Any) -> str:
        text = soul.read("SOUL").text + f"\n{line}\n"
        return soul.proposals.propose("SOUL", text, reason="They suit me", **more).id

    return propose


def test_an_editor_opens_what_is_proposed(
    soul: Soul, proposed: Callable[..., str], spawn_at_terminal: Terminal, tmp_path: Path
) -> None:
    wanted = proposed()
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/trains/slow trains/' \"$1\"\n")
    editor.chmod(0o700)

    screen = spawn_at_terminal("proposals", "edit", wanted, answers="y\n", EDITOR=str(editor), VISUAL="")

    assert "+I like slow trains." in screen
    assert "was accepted: SOUL.md was changed." in screen
    assert soul.read("SOUL").text.endswith("\nI like slow trains.\n")


def test_no_sign_of_a_diff_can_hide_another(run: Run, proposed: Callable[..., str]) -> None:
    shown = run("proposals", "show", proposed("kind\x1b[2K\u202edlrow")).out

    assert "\x1b" not in shown
    assert "+kind<U+001B>[2K<U+202E>dlrow" in shown


def test_at_a_terminal_no_word_of_the_reason_is_broken(
    spawn_at_terminal: Terminal, proposed: Callable[..., str]
) -> None:
    one = proposed()

    listed = spawn_at_terminal("proposals", COLUMNS="70")

    assert f"{one}  SOUL.md" in listed
    assert "\r\n    They suit me\r\n" in listed
