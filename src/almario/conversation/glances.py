"""Transcripts at a glance: each is read again only when something was said there since."""

from collections.abc import Mapping
from datetime import datetime

from almario.domain.model import IMPORTED
from almario.domain.turns import messages
from almario.named_tuples import NamedTuple
from almario.ports import Transcripts


class Glance(NamedTuple):
    """What a transcript holds: its last number, from when to when, and how many messages are *waiting*."""

    turns: int
    first: datetime | None
    last: datetime | None
    waiting: int
    archived: int


class Glances:
    """Looks at the transcripts of one agent."""

    def __init__(self, transcripts: Transcripts) -> None:
        self._transcripts = transcripts
        # By session: the mark of its transcript and the turn it was learned up to, as it was looked at.
        self._held: dict[str, tuple[object, int, Glance]] = {}

    def all(self, learned: Mapping[str, int]) -> Mapping[str, Glance]:
        """Look at every session; *learned* says up to which turn each was learned from."""
        before, now = self._held, dict[str, tuple[object, int, Glance]]()
        for session, mark in sorted(self._transcripts.marks().items()):
            upto = learned.get(session, 0)
            held = before.get(session)
            is_same = held is not None and held[:2] == (mark, upto)
            now[session] = held if held and is_same else (mark, upto, self.one(session, upto))
        self._held = now
        return {session: glance for session, (_, _, glance) in now.items()}

    def one(self, session: str, learned: int, among: Transcripts | None = None) -> Glance:
        """Look at one session, *among* others than all."""
        among = among or self._transcripts
        first, read = among.first(session), among.read
        # An export has its conversations in any order.
        is_whole = session.startswith(IMPORTED)
        lasts = read(session, after=0 if is_whole else max(learned - 1, 0)) or read(session, last=1)
        times = (
            [turn.at for turn in lasts] if is_whole else [turn.at for turn in (first, *lasts[-1:]) if turn]
        )
        return Glance(
            len(lasts) if is_whole else lasts[-1].n if lasts else 0,
            min(times, default=None),
            max(times, default=None),
            len(messages([turn for turn in lasts if turn.n > learned])),
            self._transcripts.archived(session),
        )
