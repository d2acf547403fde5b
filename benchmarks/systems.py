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
from almario.domain.turns import Role
from almario.testing import FixedClock
from benchmarks.measuring import size_of

WORDS_ONLY = {"embedder.name": "none"}
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}
CONVERSATIONS = almario.Scope(sources=("session",))


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
        self.soul = almario.create(self._home, settings=settings, clock=self._clock)
        self.turns: dict[str, str] = {}

    def ingest(self, sessions: Sequence[Session]) -> None:
        """Write each session's transcript, then index and embed them all."""
        dates = [day for session in sessions if (day := instant(session.date))]
        if dates:
            self._clock.now = max(dates) + timedelta(days=1)
        for session in sessions:
            said = self.soul.memory.append(session.id, [_said(turn, session.date) for turn in session.turns])
            self.turns |= {ours.id: turn.id for ours, turn in zip(said, session.turns, strict=True)}
        self.soul.memory.reindex()

    def search(self, query: str, k: int, now: str | None = None) -> list[list[str]]:
        """Return the data set's ids of the best turns, each with the answer to it; today is *now*."""
        self.today(now)
        hits = self.soul.recall(query, limit=k, min_score=0.0, scope=CONVERSATIONS)
        return [
            [self.turns[turn] for turn in (hit.turn, *hit.evidence) if turn in self.turns] for hit in hits
        ]

    def today(self, now: str | None) -> None:
        """Let it be *now*, if that is known."""
        self._clock.now = instant(now or "") or self._clock.now

    def size_on_disk(self) -> int:
        """Return the bytes of what is derived; the transcripts are the conversation itself."""
        return size_of(self.soul.path / ".index")

    def close(self) -> None:
        self.soul.close()
        shutil.rmtree(self._home)


def default() -> Conversations:
    """Words and meaning, as everyone gets it."""
    return Conversations()


def words_only() -> Conversations:
    """No embedder."""
    return Conversations(WORDS_ONLY)


def _said(turn: Turn, date: str) -> almario.Utterance:
    role = _ROLES.get(turn.speaker.lower())
    return almario.Utterance(
        role=role or "user",
        speaker="" if role else turn.speaker,
        text=turn.text,
        origin="agent" if turn.speaker.lower() == "assistant" else "owner",
        at=instant(date),
    )


def instant(date: str) -> datetime | None:
    return datetime.fromisoformat(date).replace(tzinfo=UTC) if date else None
