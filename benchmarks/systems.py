"""Almario as a memory system for the retrieval harness (see `benchmarks.retrieval`).

Everything goes the way an agent's own conversations go: sessions become
transcripts, transcripts are indexed, questions are recalled. Only the public
API is used, with the settings that everyone gets.
"""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import almario
from almario.testing import FixedClock
from benchmarks.measuring import size_of

WORDS_ONLY = {"embedder.name": "none"}
_ROLES = ("user", "assistant")
_CONVERSATIONS = almario.Scope(sources=("session",))


class Turn(Protocol):
    """What the harness calls a turn."""

    @property
    def id(self) -> str: ...
    @property
    def speaker(self) -> str: ...
    @property
    def text(self) -> str: ...


class Session(Protocol):
    """What the harness calls a session; its date may be empty."""

    @property
    def id(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def turns(self) -> Sequence[Turn]: ...


class Conversations:
    """One agent that has had the conversations it is given."""

    def __init__(self, settings: Mapping[str, Any] | None = None) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="almario-bench-"))
        self._clock = FixedClock()
        self._soul = almario.create(self._home, settings=settings, clock=self._clock)
        self._turns: dict[str, str] = {}

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Write each session's transcript, then index and embed them all."""
        dates = [day for session in sessions if (day := _instant(session.date))]
        if dates:
            self._clock.now = max(dates) + timedelta(days=1)
        for session in sessions:
            said = self._soul.memory.append(session.id, [_said(turn, session.date) for turn in session.turns])
            self._turns |= {ours.id: turn.id for ours, turn in zip(said, session.turns, strict=True)}
        self._soul.memory.reindex()

    def search(self, query: str, k: int, now: str | None = None) -> list[str]:
        """Return the data set's ids of the best turns; the agent's today is *now*."""
        self._clock.now = _instant(now or "") or self._clock.now
        return [self._turns[hit.turn] for hit in self._soul.recall(query, limit=k, scope=_CONVERSATIONS)]

    def size_on_disk(self) -> int:
        """Return the bytes of what is derived; the transcripts are the conversation itself."""
        return size_of(self._soul.path / ".index")

    def close(self) -> None:
        self._soul.close()
        shutil.rmtree(self._home)


def default() -> Conversations:
    """Words and meaning, as everyone gets it."""
    return Conversations()


def words_only() -> Conversations:
    """No embedder."""
    return Conversations(WORDS_ONLY)


def _said(turn: Turn, date: str) -> almario.Said:
    is_role = turn.speaker.lower() in _ROLES
    return almario.Said(
        role=turn.speaker.lower() if is_role else "user",
        speaker="" if is_role else turn.speaker,
        text=turn.text,
        origin="agent" if turn.speaker.lower() == "assistant" else "owner",
        at=_instant(date),
    )


def _instant(date: str) -> datetime | None:
    return datetime.fromisoformat(date).replace(tzinfo=UTC) if date else None
