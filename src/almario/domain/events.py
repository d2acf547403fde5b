"""The journal's lines, as typed values.

A line of a type that this version does not know is kept and passed on as `Unknown`.
"""

from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from almario.domain.memories import Change

VERSION = 1


class Filing(NamedTuple):
    """Text that a line owes to a file: the *nth* of its kind there; *title* begins the file if it is new."""

    path: str
    text: str
    title: str = ""
    nth: int = 1


class AgentCreated(NamedTuple):
    """An agent's folder was made."""

    name: str
    language: str


class SoulChanged(NamedTuple):
    """Almario is about to write a soul file; *from_* and *to* are content hashes."""

    file: str
    from_: str | None
    to: str
    reason: str


class SoulEdited(NamedTuple):
    """The owner changed a soul file by hand; None is an absent file."""

    file: str
    from_: str | None
    to: str | None


class DayLogged(NamedTuple):
    """An entry for the daily log of *day*, which *zone* decided."""

    day: str
    zone: str


class JournalMended(NamedTuple):
    """Unreadable lines of *file* went to `journal/cut/`; *lost* are the seqs they may have had."""

    file: str
    lost: tuple[int, ...]


# The turns of a session that a line has learned from: those after `from`, up to `to`. `outcome` is
# `extracted` or `empty`.
Flush = TypedDict("Flush", {"session": str, "from": int, "to": int, "outcome": str, "summary": str})


class MemoriesChanged(NamedTuple):
    """Memories were made, changed or retired; *verb* says why, *of* is the line that an undo takes back.

    With *flush*, they were learned from a session, which has been learned from that far. *judged* names
    the pairs of memories that were compared, and need not be again. *out* are the turns, and the lines of
    files, that go out of mind with what is forgotten.
    """

    verb: str
    changes: tuple[Change, ...]
    of: int = 0
    flush: Flush | None = None
    judged: tuple[str, ...] = ()
    out: tuple[str, ...] = ()


class SessionQueued(NamedTuple):
    """The turns of a session after *from_*, up to *to*, could not be learned from yet."""

    session: str
    from_: int
    to: int
    why: str


class SessionReset(NamedTuple):
    """A session begins anew after its turn number *after*."""

    session: str
    after: int
    why: str


class HearingChanged(NamedTuple):
    """The owner said what those present in a *session* may hear, or one *speaker* of its chat.

    *hears* is `all`, `shared`, or empty: as if nothing had been said.
    """

    session: str
    speaker: str
    hears: str


class JobTried(NamedTuple):
    """Background work was tried and waits, and *why*; without a reason, it waits no more."""

    job: str
    why: str


class ProposalMade(NamedTuple):
    """A change waits for consent: to a soul *file*, or to memories (*changes*).

    *from_* and *to* are content hashes of the file; the contents are kept as versions. *judged* names the
    pairs of memories whose comparison led to the changes. *drift* is how far it would take the soul from
    its baseline, *until* the instant at which it expires, *by* what made it (`reflection 2026-11-14-1`,
    `improve`). With *why*, it breaks a rule and was refused as it was made.
    """

    id: str
    file: str
    from_: str | None
    to: str
    reason: str
    evidence: tuple[str, ...]
    origin: str
    changes: tuple[Change, ...] = ()
    judged: tuple[str, ...] = ()
    drift: dict[str, Any] | None = None
    until: str = ""
    by: str = ""
    why: str = ""


class ProposalAnswered(NamedTuple):
    """A proposal was `accepted`, `rejected`, is `stale` (the file has changed since), or has `expired`."""

    id: str
    answer: str
    why: str


class SoulPinned(NamedTuple):
    """The owner made the soul as it is now the one that drift is measured against; *files* are hashes."""

    files: dict[str, str]


class ProbesMade(NamedTuple):
    """The questions by which a soul's answers are compared, each as `{"text": …}`."""

    questions: tuple[dict[str, str], ...]


class ProbesAnswered(NamedTuple):
    """What *model* answers as a soul, each as `{"text": …}`; *files* are hashes of what it was told."""

    files: dict[str, str]
    model: str
    answers: tuple[dict[str, str], ...]


class DriftMeasured(NamedTuple):
    """How far the soul whose files have these hashes is from the baseline; *drift* as `Drift.said`."""

    files: dict[str, str]
    drift: dict[str, Any]


class ReflectionBegun(NamedTuple):
    """The agent begins to examine what came after *since*, up to *upto*, both instants in UTC.

    *day* is the owner's day that it is for, which *zone* decided; *trigger* is `night` or `owner`.
    """

    id: str
    day: str
    zone: str
    trigger: str
    since: str
    upto: str


class ReflectionStep(NamedTuple):
    """What a phase of a reflection brought; texts in *result* stand under `text`, `reason` or `why`."""

    id: str
    phase: str
    result: dict[str, Any]


class ReflectionEnded(NamedTuple):
    """A reflection is `done`, or was `abandoned`, and *why*."""

    id: str
    outcome: str
    why: str = ""


class PurgeBegun(NamedTuple):
    """What is being erased, by id; *hashes* (salted) keep it from being learned again.

    With *off*, the turns were said off the record.
    """

    ids: tuple[str, ...]
    turns: tuple[str, ...]
    salt: str
    hashes: tuple[str, ...]
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
    | SoulChanged
    | SoulEdited
    | DayLogged
    | JournalMended
    | MemoriesChanged
    | SessionQueued
    | SessionReset
    | HearingChanged
    | JobTried
    | ProposalMade
    | ProposalAnswered
    | SoulPinned
    | ProbesMade
    | ProbesAnswered
    | DriftMeasured
    | ReflectionBegun
    | ReflectionStep
    | ReflectionEnded
    | PurgeBegun
    | PurgeDone
    | Filed
    | Unknown
)
KNOWN: dict[str, type[Any]] = {
    "agent.created": AgentCreated,
    "soul.changed": SoulChanged,
    "soul.edited": SoulEdited,
    "log.added": DayLogged,
    "journal.mended": JournalMended,
    "memory.changed": MemoriesChanged,
    "session.queued": SessionQueued,
    "session.reset": SessionReset,
    "hearing.changed": HearingChanged,
    "job.tried": JobTried,
    "proposal.made": ProposalMade,
    "proposal.answered": ProposalAnswered,
    "soul.pinned": SoulPinned,
    "soul.probed": ProbesMade,
    "soul.answered": ProbesAnswered,
    "soul.measured": DriftMeasured,
    "reflection.begun": ReflectionBegun,
    "reflection.step": ReflectionStep,
    "reflection.ended": ReflectionEnded,
    "purge.begun": PurgeBegun,
    "purge.done": PurgeDone,
    "filed": Filed,
}
_TYPES = {body: name for name, body in KNOWN.items()}


class Event(NamedTuple):
    """One line of the journal. Order is by *seq* alone; *at* only informs."""

    seq: int
    id: str
    at: datetime
    host: str
    actor: str
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
