"""Every message is learned from, judged empty, or waits with a reason; a gap is found."""

from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest

from almario.conversation.flush import NO_MODEL
from almario.domain.events import MemoriesChanged, SessionQueued
from almario.domain.turns import Utterance
from almario.soul import Soul
from almario.store.folder import FolderStore
from almario.testing import FixedClock

MAIN = "cli:main"
Reopener = Callable[[], Soul]


@pytest.fixture
def agent(soul: Soul, clock: FixedClock) -> FolderStore:
    soul.memory.append(
        MAIN, [Utterance(("user", "assistant")[n % 2], f"word {n}", "owner") for n in range(24)]
    )
    return FolderStore(soul.path, clock, UTC)


def flush(agent: FolderStore, after: int, to: int, outcome: str = "extracted") -> None:
    body = {"session": MAIN, "from": after, "to": to, "outcome": outcome, "summary": ""}
    agent.record(MemoriesChanged("learned", (), flush=body), actor="agent")  # type: ignore[arg-type]


def problems(soul: Soul) -> list[str]:
    return [f"{each.place} {each.problem}" for each in soul.memory.verify()]


def without(soul: Soul, words: bytes) -> None:
    """Take the first line with these words out of the journal."""
    [path] = (soul.path / "journal").glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    lines.remove(next(line for line in lines if words in line))
    path.write_bytes(b"".join(lines))


def test_every_message_is_counted_once(soul: Soul, agent: FolderStore) -> None:
    soul.memory.append(MAIN, [Utterance("tool", "result", "untrusted")])
    flush(agent, 0, 20)
    flush(agent, 20, 22, "empty")
    agent.record(SessionQueued(MAIN, 22, 25, NO_MODEL), actor="almario")

    assert soul.memory.outcomes() == [(MAIN, 24, 20, 2, 2, "no model", 0, 0, 0)]
    assert problems(soul) == []


@pytest.mark.parametrize("taken", [b'"from":0', b'"from":8'])
def test_a_flush_that_is_missing_is_found(
    soul: Soul, reopened: Reopener, agent: FolderStore, taken: bytes
) -> None:
    for after in (0, 8, 16):
        flush(agent, after, after + 8)
    assert problems(soul) == []
    without(soul, taken)

    first = int(taken.rpartition(b":")[2]) + 1
    assert f"sessions/cli.main.jsonl has turns without an outcome: {first} to {first + 7}" in problems(
        reopened()
    )


def test_a_missing_line_that_was_mended_is_counted_and_no_gap(
    soul: Soul, reopened: Reopener, agent: FolderStore
) -> None:
    for after in (0, 8, 16):
        flush(agent, after, after + 8)
    [path] = (soul.path / "journal").glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"from":8', b'"from":9'))
    agent.mend_journal()

    assert problems(reopened()) == []
    assert reopened().memory.outcomes() == [(MAIN, 24, 16, 0, 0, "", 8, 0, 0)]


def test_turns_learned_from_twice_are_found(soul: Soul, agent: FolderStore) -> None:
    flush(agent, 0, 8)
    flush(agent, 5, 10)

    assert problems(soul) == ["sessions/cli.main.jsonl was learned from twice: turns 6 to 8"]


def test_archived_turns_need_a_line_that_tells_why_they_wait(
    soul: Soul, reopened: Reopener, agent: FolderStore
) -> None:
    flush(agent, 0, 4)
    agent.record(SessionQueued(MAIN, 4, 20, NO_MODEL), actor="almario")
    agent.archive_turns(MAIN, 12)
    assert problems(soul) == []
    without(soul, b"session.queued")

    said = "sessions/cli.main.jsonl has turns in the archive that nobody learned from or queued: 5 to 12"
    assert said in problems(reopened())


def test_a_transcript_that_ends_before_what_was_learned_is_found(soul: Soul, agent: FolderStore) -> None:
    flush(agent, 0, 24)
    path = Path(soul.path / "sessions" / "cli.main.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-3]))

    assert problems(soul) == ["sessions/cli.main.jsonl ends at turn 21, but was learned from up to 24"]
    path.unlink()
    assert problems(soul) == ["sessions/cli.main.jsonl ends at turn 0, but was learned from up to 24"]


def test_a_damaged_last_turn_is_no_turn_too_few(soul: Soul, agent: FolderStore) -> None:
    flush(agent, 0, 24)
    path = Path(soul.path / "sessions" / "cli.main.jsonl")
    path.write_bytes(path.read_bytes().replace(b"word 23", b"wort 23"))

    assert problems(soul) == ["sessions/cli.main.jsonl:24 is not a line that Almario wrote"]
