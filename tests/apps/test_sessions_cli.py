"""`almario sessions`, and what the doctor says of them."""

import json
from datetime import UTC

import pytest

from almario.adapters.llm.failures import silent
from almario.conversation.flush import NO_MODEL
from almario.domain.events import SessionQueued
from almario.domain.messages import sentence_of
from almario.domain.turns import Utterance
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.testing import FixedClock
from tests.apps.conftest import Run

MAIN = "cli:main"


@pytest.fixture
def spoken(soul: Soul, clock: FixedClock) -> Soul:
    words = [Utterance(("user", "assistant")[n % 2], f"word {n + 1}", "owner") for n in range(24)]
    soul.memory.append(MAIN, [*words, Utterance("user", "\x1b[2Jboo", "untrusted", "Eve")])
    FolderStore(soul.path, clock, UTC).record(SessionQueued(MAIN, 0, 25, NO_MODEL), actor="almario")
    return soul


def test_a_session_is_shown_with_its_last_turns_or_all(spoken: Soul, run: Run) -> None:
    last = run("sessions", "show", MAIN).out

    assert "word 24" in last
    assert "word 5\n" not in last
    assert "Eve [untrusted]\n  [2Jboo" in last
    assert "word 5\n" in run("sessions", "show", MAIN, "--all").out
    assert json.loads(run("sessions", "show", MAIN, "--json").out)[-1]["id"] == "cli:main#25"


def test_why_something_waits_is_said_in_spanish_too(spoken: Soul, clock: FixedClock, spawn: Run) -> None:
    queued = SessionQueued(MAIN, 0, 25, sentence_of(silent("m", 120)))
    FolderStore(spoken.path, clock, UTC).record(queued, actor="almario")

    assert "m estuvo 120 segundos en silencio" in spawn("sessions", ALMARIO_LANGUAGE="es").out


def test_why_several_sessions_wait_is_said_once(spoken: Soul, clock: FixedClock, run: Run) -> None:
    spoken.memory.append("cli:two", [Utterance("user", "hello", "owner")])
    FolderStore(spoken.path, clock, UTC).record(SessionQueued("cli:two", 0, 1, NO_MODEL), actor="almario")

    assert run("sessions").out.count("no model") == 1
    assert "\nSessions waiting to be learned from: 2 (no model)\n" in run("sessions").out


def test_the_doctor_ends_with_1_when_a_message_has_no_outcome(
    soul: Soul, clock: FixedClock, run: Run
) -> None:
    soul.memory.append(MAIN, [Utterance("user", "hello", "owner")])
    FolderStore(soul.path, clock, UTC).archive_turns(MAIN, 1)

    done = run("doctor")

    assert done.code == 1
    assert "nobody learned from or queued: 1 to 1" in done.out
