"""What is said off the record: it is heard while it is talked about, and written nowhere.

Its words are in the memory of this process alone, so that a session's end, a
kill and a power cut do the same: they are gone. What was said before the
owner wanted it so is erased from every file.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from almario.conversation.rules.confidences import goes_on
from almario.domain.forgotten import Forgotten
from almario.domain.turns import OFF, Said, Turn
from almario.memory.facade import Memories
from almario.ports import Clock, Transcripts
from almario.text.wishes import THIS, off_record_in

# An exchange has no more turns, with all its tools.
_FAR = 200
# For so long what follows may still be about it.
_SOON = timedelta(minutes=15)


class Discretion:
    """Knows what of each session is off the record, and keeps what is said there accordingly."""

    def __init__(self, memory: Memories, transcripts: Transcripts, clock: Clock) -> None:
        self._memory = memory
        self._transcripts = transcripts
        self._clock = clock
        # The sessions whose present exchange is off the record, and those that are until it is taken back.
        self._exchange: set[str] = set()
        self._until_on: set[str] = set()
        # By session and number, the turns with their words.
        self._whispered: dict[str, dict[int, Turn]] = {}

    def is_off(self, session: str) -> bool:
        """Say whether what is said in a session now is off the record."""
        return session in self._exchange or session in self._until_on

    def listen(self, session: str, message: str) -> str:
        """Hear in an owner's message whether it is off the record; return `this`, `previous` or nothing."""
        heard = off_record_in(message)
        if heard or self._goes_on(session, message):
            self._exchange.add(session)
        else:
            self._exchange.discard(session)
        return heard or (THIS if self.is_off(session) else "")

    def switch(self, session: str, *, off: bool) -> None:
        """Let all that follows in a session be off the record, or on it again."""
        if off:
            self._until_on.add(session)
        else:
            self._until_on.discard(session)
            self._exchange.discard(session)

    def keep(self, session: str, said: Sequence[Said]) -> Sequence[Turn]:
        """Keep what was said; off the record, only that somebody spoke, and the words for this process."""
        off = self.is_off(session)
        turns = self._memory.append(session, [each._replace(off=off) for each in said])
        if off:
            self._whispered.setdefault(session, {}).update({turn.n: turn for turn in turns})
        return turns

    def heard_again(self, session: str, turns: Sequence[Turn], text: str) -> Sequence[Turn]:
        """Return a message that comes again as it was kept; off the record, with its words as they come."""
        if not turns[-1].is_off:
            return turns
        self._exchange.add(session)
        whispered = turns[-1]._replace(text=text)
        self._whispered.setdefault(session, {})[whispered.n] = whispered
        return [*turns[:-1], whispered]

    def take_back(self, session: str, *, heard: bool) -> Forgotten | None:
        """Take the latest exchange off the record; return what goes, or None if there is none.

        It is not told, learned or searched from now on, and erased when the session ends. The words of one
        that goes on are still *heard*.
        """
        turns = last_exchange(self._transcripts.read(session, last=_FAR))
        out = self._memory.out_of_mind()
        written = [turn for turn in turns if not turn.is_off and turn.id not in out]
        whispered = self._whispered.setdefault(session, {})
        for turn in turns if not heard else ():
            whispered.pop(turn.n, None)
        if heard:
            self._exchange.add(session)
            whispered.update({turn.n: turn._replace(more={**turn.more, OFF: True}) for turn in written})
        return self._memory.take_back([turn.id for turn in written]) if written else None

    def heard(self, turns: Sequence[Turn]) -> Iterator[Turn]:
        """Yield turns with their words; those that only another process heard are left out."""
        for turn in turns:
            known = self._whispered.get(turn.session, {}).get(turn.n) if turn.is_off else turn
            if known:
                yield known

    def end(self, session: str) -> None:
        """Forget the words: the session has ended."""
        self._whispered.pop(session, None)
        self._exchange.discard(session)
        self._memory.erase_taken_back()

    def overheard(self, session: str) -> None:
        """Somebody else speaks: what follows is on the record again, unless that was switched off."""
        self._exchange.discard(session)

    def _goes_on(self, session: str, message: str) -> bool:
        """Say whether a message goes on with what was said off the record a moment ago."""
        if session not in self._exchange:
            return False
        told = list(self._whispered.get(session, {}).values())
        is_soon = bool(told) and self._clock() - told[-1].at < _SOON
        return is_soon and goes_on(message, [turn.text for turn in told if turn.role == "user"])


def last_exchange(turns: Sequence[Turn]) -> list[Turn]:
    """Return the latest message of the owner, what was pasted with it, and what the agent answered."""
    starts = [place for place, turn in enumerate(turns) if turn.role == "user" and turn.origin == "owner"]
    if not starts:
        return []
    start = starts[-1]
    answers = [turn for turn in turns[start:] if turn.role != "user" or turn.origin == "owner"]
    while start and turns[start - 1].role == "user" and not turns[start - 1].speaker:
        if turns[start - 1].origin == "owner":
            break
        start -= 1
    return [*turns[start : starts[-1]], *answers]
