"""What the owner has said lately, wherever it was captured: other programs' models are held to it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from almario.conversation.origins import owners_words
from almario.conversation.tool_calls import Context
from almario.domain.turns import Turn
from almario.memory.facade import Memories
from almario.memory.rules.provenance import stands_in
from almario.ports import Clock, Transcripts

# How long the owner's words still count, and the last of them as what is being answered.
_LATELY = timedelta(days=1)
_PRESENT = timedelta(minutes=30)
# The most turns examined per session.
_FAR = 100
# A longer message was pasted, and each call would have to wait until it is read.
_LONGEST = 100_000


class Captured:
    """Knows the owner's latest messages of all sessions."""

    def __init__(self, transcripts: Transcripts, memory: Memories, clock: Clock) -> None:
        self._transcripts = transcripts
        self._memory = memory
        self._clock = clock
        # Of each session, the mark under which it was read, and what the owner said in it.
        self._known: dict[str, tuple[object, list[Turn]]] = {}

    def lately(self) -> list[Turn]:
        """Return the owner's messages of the last day, newest first."""
        since, marks = self._clock() - _LATELY, self._transcripts.marks()
        read = {
            session: known
            if (known := self._known.get(session)) and known[0] == mark
            else (mark, self._of_owner(session, since))
            for session, mark in marks.items()
        }
        self._known = read  # one assignment: threads see the old or the new
        turns = [turn for _, each in read.values() for turn in each if turn.at >= since]
        return sorted(turns, key=lambda turn: turn.at, reverse=True)

    def context(self, words: Sequence[str]) -> Context:
        """Return whose words these are held to: the message in which they stand, or the present one.

        What is said off the record at present lets nothing be kept.
        """
        turns, out = self.lately(), self._memory.out_of_mind()
        latest = turns[0] if turns and self._clock() - turns[0].at < _PRESENT else None
        known = [turn for turn in turns if turn is latest or turn.id not in out]
        matching = (
            turn for turn in known if any(stands_in(each, owners_words(turn.text).own) for each in words)
        )
        if meant := next(matching, latest):
            own, quoted = owners_words(meant.text)
            seen = frozenset(turn.id for turn in (meant, latest) if turn)
            return Context(
                meant.session,
                own,
                "agent",
                (meant.id,),
                seen=seen,
                off=bool(latest and (latest.is_off or latest.id in out)),
                quoted=quoted,
            )
        return Context(lowest="agent")

    def _of_owner(self, session: str, since: datetime) -> list[Turn]:
        if not any(turn.at >= since for turn in self._transcripts.read(session, last=1)):
            return []
        turns = self._transcripts.read(session, last=_FAR)
        owners = [
            turn for turn in turns if turn.role == "user" and turn.origin == "owner" and turn.at >= since
        ]
        return [turn for turn in owners if len(turn.text) <= _LONGEST]
