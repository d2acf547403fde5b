"""What is said in all sessions of an agent, as it is said, for whoever looks on."""

from datetime import datetime

from almario.domain.turns import Turn
from almario.ports import Transcripts

# Whoever was away for longer than so many turns of a session reads its transcript.
_MOST = 500


class Following:
    """Tells the turns of every session from an instant on, or from now on: each once."""

    def __init__(self, transcripts: Transcripts, since: datetime | None = None) -> None:
        """*since* is when the last turn was said that is known: it is told again, with its like."""
        self._transcripts = transcripts
        self._marks = dict(transcripts.marks()) if since is None else {}
        self._known = {session: transcripts.last_number(session) for session in self._marks}
        self._since = since

    def news(self) -> list[Turn]:
        """Return what was said since this was last asked, in order."""
        marks = dict(self._transcripts.marks())
        changed = [session for session, mark in marks.items() if self._marks.get(session) != mark]
        self._marks = marks
        found = [turn for session in changed for turn in self._new(session)]
        return sorted(found, key=lambda turn: (turn.at, turn.session, turn.n))

    def _new(self, session: str) -> list[Turn]:
        if session in self._known or self._since is None:
            turns = self._transcripts.read(session, after=self._known.get(session, 0))
        else:
            latest = self._transcripts.read(session, last=1)
            is_old = not latest or latest[0].at < self._since
            read = latest if is_old else self._transcripts.read(session, last=_MOST)
            turns = [turn for turn in read if turn.at >= self._since]
            self._known[session] = read[-1].n if read else 0
        if turns:
            self._known[session] = turns[-1].n
        return turns
