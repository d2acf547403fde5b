"""What was said lately in a project, session by session: what the next session there may begin with."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from almario.domain.turns import Turn, is_owners, named_in, own_words
from almario.named_tuples import NamedTuple
from almario.ports import Transcripts
from almario.text.questions import is_question, is_small_talk
from almario.text.timewords import tells

# Of a session so many turns are looked at; so many sessions are kept at hand.
_MOST, _KEPT = 40, 200
_NEVER = datetime.min.replace(tzinfo=UTC)
# Names on a turn what the model was told as a session began, though nothing called for it.
UNCALLED = "uncalled"


class Session(NamedTuple):
    """What of a session may matter in the next ones: what the owner *said* there, and their *last* message.

    *told* names what it began with, uncalled, and *used* what its answers drew on.
    """

    at: datetime
    said: tuple[Turn, ...]
    last: Turn | None
    told: frozenset[str]
    used: frozenset[str]


class Lately:
    """Knows the latest sessions of one agent, each read again only once something was said there."""

    def __init__(self, transcripts: Transcripts) -> None:
        self._transcripts = transcripts
        # Of each session, the mark under which it was read, and when it ended, or what it was.
        self._ends: Mapping[str, tuple[object, datetime]] = {}
        self._read: Mapping[str, tuple[object, Session]] = {}

    def sessions(
        self, wanted: Callable[[str], bool], most: int | None = None, since: datetime = _NEVER
    ) -> list[Session]:
        """Return the sessions that are wanted, the latest first."""
        marks = {key: mark for key, mark in self._transcripts.marks().items() if wanted(key)}
        ends = {key: self._end(key, mark) for key, mark in marks.items()}
        latest = sorted((key for key, at in ends.items() if at > since), key=ends.__getitem__, reverse=True)
        found = {key: self._session(key, marks[key]) for key in latest[:most]}
        self._ends = {**self._ends, **{key: (marks[key], at) for key, at in ends.items()}}
        self._read = dict(
            [*self._read.items(), *((key, (marks[key], each)) for key, each in found.items())][-_KEPT:]
        )
        return list(found.values())

    def _end(self, key: str, mark: object) -> datetime:
        known = self._ends.get(key)
        if known and known[0] == mark:
            return known[1]
        return next((turn.at for turn in self._transcripts.read(key, last=1)), _NEVER)

    def _session(self, key: str, mark: object) -> Session:
        known = self._read.get(key)
        if known and known[0] == mark:
            return known[1]
        turns = self._transcripts.read(key, last=_MOST)
        own = [turn for turn in turns if turn.role == "user" and is_owners(turn) and not turn.is_off]
        return Session(
            turns[-1].at if turns else _NEVER,
            tuple(turn for turn in own if states(turn)),
            own[-1] if own else None,
            frozenset(named_in(turns, UNCALLED)),
            frozenset(named_in(turns, "used")),
        )


def states(turn: Turn) -> bool:
    """Return whether the owner tells something in a turn."""
    text = own_words(turn)
    return is_owners(turn) and tells(text) and not is_question(text) and not is_small_talk(text)
