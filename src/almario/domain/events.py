"""The journal's lines, as typed values.

A line says what happened, with ids that refer to other lines, to memories and
to turns. A reason is a `Sentence` of ours with its facts, and what somebody
said is a `Text`: neither is ever read back for what it means. A line of a type
that this version does not know is kept and passed on as `Unknown`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypedDict

from almario.domain.audiences import Hears
from almario.domain.memories import Change
from almario.domain.messages import Sentence
from almario.domain.records import Ref, Text
from almario.domain.soul_events import SOUL_TYPES, SoulBody, SoulChanged

VERSION = 1

# Who did what a line says.
Actor = Literal["owner", "agent", "almario"]
# What was done with memories.
Verb = Literal[
    "remembered",
    "learned",
    "renewed",
    "linked",
    "trusted",
    "amended",
    "edited",
    "imported",
    "consolidated",
    "accepted",
    "shared",
    "unshared",
    "restored",
    "undone",
    "forgotten",
    "taken back",
]
# Why a session begins anew.
Reset = Literal["daily", "idle", "ended", "cleared", "manual", "new", "compacted"]
# What was learned from turns.
Learning = Literal["extracted", "empty"]


class Filing(NamedTuple):
    """Text that a line owes to a file: the *nth* of its kind there; *title* begins the file if it is new."""

    path: Ref
    text: Text
    title: Text = ""
    nth: int = 1


class AgentCreated(NamedTuple):
    """An agent's folder was made."""

    name: Ref
    language: Ref


class DayLogged(NamedTuple):
    """An entry for the daily log of *day*, which *zone* decided."""

    day: Ref
    zone: Ref


class JournalMended(NamedTuple):
    """Unreadable lines of *file* went to `journal/cut/`; *lost* are the seqs they may have had."""

    file: Ref
    lost: tuple[int, ...]


# The turns of a session that a line has learned from: those after `from`, up to `to`.
Flush = TypedDict(
    "Flush",
    {
        "session": Ref,
        "from": int,
        "to": int,
        "outcome": Learning,
        "summary": Text,
    },
)


class MemoriesChanged(NamedTuple):
    """Memories were made, changed or retired; *of* is the line that an undo takes back.

    With *flush*, they were learned from a session, which has been learned from that far. *judged* names
    the pairs of memories that were compared, and need not be again. *out* are the turns, and the lines of
    files, that go out of mind with what is forgotten.
    """

    verb: Verb
    changes: tuple[Change, ...]
    of: int = 0
    flush: Flush | None = None
    judged: tuple[Ref, ...] = ()
    out: tuple[Ref, ...] = ()


class SessionQueued(NamedTuple):
    """The turns of a session after *from_*, up to *to*, could not be learned from yet."""

    session: Ref
    from_: int
    to: int
    why: Sentence


class SessionReset(NamedTuple):
    """A session begins anew after its turn number *after*."""

    session: Ref
    after: int
    why: Reset


class HearingChanged(NamedTuple):
    """The owner said what those present in a *session* may hear, or one *speaker* of its chat."""

    session: Ref
    speaker: Ref
    hears: Hears


class JobTried(NamedTuple):
    """Background work was tried and waits, and *why*; without a reason, it waits no more."""

    job: Ref
    why: Sentence


class PurgeBegun(NamedTuple):
    """What is being erased, by id; *hashes* (salted) keep it from being learned again.

    With *off*, the turns were said off the record.
    """

    ids: tuple[Ref, ...]
    turns: tuple[Ref, ...]
    salt: Ref
    hashes: tuple[Ref, ...]
    off: bool = False


class PurgeDone(NamedTuple):
    """The purge that line *of* began has erased everything it names."""

    of: int


class Filed(NamedTuple):
    """Says only that all earlier lines have reached their files."""


class Unknown(NamedTuple):
    """A line of another version; *content* is what it says."""

    type: str
    content: dict[str, Any]


# What is entered beside what it is about, and changes no file and no memory.
Occurrence = SessionQueued | SessionReset | HearingChanged | JobTried
Body = (
    AgentCreated
    | DayLogged
    | JournalMended
    | MemoriesChanged
    | Occurrence
    | SoulBody
    | PurgeBegun
    | PurgeDone
    | Filed
    | Unknown
)
KNOWN: Mapping[str, type[Any]] = {
    "agent.created": AgentCreated,
    "log.added": DayLogged,
    "journal.mended": JournalMended,
    "memory.changed": MemoriesChanged,
    "session.queued": SessionQueued,
    "session.reset": SessionReset,
    "hearing.changed": HearingChanged,
    "job.tried": JobTried,
    "purge.begun": PurgeBegun,
    "purge.done": PurgeDone,
    "filed": Filed,
    **SOUL_TYPES,
}
_TYPES = {body: name for name, body in KNOWN.items()}


class Event(NamedTuple):
    """One line of the journal. Order is by *seq* alone; *at* only informs."""

    seq: int
    id: str
    at: datetime
    host: str
    actor: Actor
    body: Body
    filed: int
    filings: tuple[Filing, ...] = ()
    version: int = VERSION

    @property
    def type(self) -> str:
        return self.body.type if isinstance(self.body, Unknown) else _TYPES[type(self.body)]

    @property
    def owes(self) -> bool:
        """Whether a file still has to be written after this line."""
        return bool(self.filings) or isinstance(self.body, SoulChanged)
