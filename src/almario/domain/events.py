"""The journal's lines, as typed values.

A line says what happened, with ids that refer to other lines, to memories and
to turns. A reason is a `Sentence` of ours with its facts, and what somebody
said is a `Text`: neither is ever read back for what it means. A line of a type
that this version does not know is kept and passed on as `Unknown`; so are those
of older journals that nothing follows from: `help.rated`, `model.tried` and
`reflection.condensed`.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

from almario.domain.audiences import Hears
from almario.domain.memories import Change
from almario.domain.messages import Sentence
from almario.domain.records import Ref, Text, read, showing
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from almario.domain.soul_events import SoulBody

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
    "asked",
    "taken back",
    "set aside",
    "rejected",
    "kept",
    "cued",
    "reminded",
]
# Why a session begins anew.
Reset = Literal["daily", "idle", "ended", "cleared", "manual", "new", "compacted"]
# What was learned from turns.
# Those that are `kept` were imported, and nobody has learned from them.
Learning = Literal["extracted", "empty", "kept"]


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


class MadeShorter(NamedTuple):
    """A line of a log, by its name, and the names of the entries that it stands for."""

    line: Ref
    of: tuple[Ref, ...]


class LogCondensed(NamedTuple):
    """Entries of *file* went to the archive; these *lines* take their place."""

    file: Ref
    lines: tuple[MadeShorter, ...]


class JournalMended(NamedTuple):
    """Unreadable lines of *file* went to `journal/cut/`; *lost* are the seqs they may have had."""

    file: Ref
    lost: tuple[int, ...]


# The turns of a session that a line has learned from: those after `from`, up to `to`.
Flush = TypedDict("Flush", {"session": Ref, "from": int, "to": int, "outcome": Learning, "summary": Text})


class Cued(NamedTuple):
    """What should bring a memory to mind, in the place of what did: neither facts nor evidence.

    *model* wrote them, if the owner did not. With *once* they are situations: in the first of them the
    memory is brought up, and is done.
    """

    id: Ref
    cues: tuple[Text, ...]
    model: Ref = ""
    once: bool = False


class MemoriesChanged(NamedTuple):
    """Memories were made, changed or retired; *of* is the line that an undo takes back.

    With *flush*, they were learned from a session, which has been learned from that far. *judged* names
    the pairs of memories that were compared, and need not be again. *out* are the turns, and the lines of
    files, that go out of mind with what is forgotten. *cues* change no memory, and so are no step to undo.
    *kept* are the digests of what looked like secrets, and is none as the owner says.
    """

    verb: Verb
    changes: tuple[Change, ...]
    of: int = 0
    flush: Flush | None = None
    judged: tuple[Ref, ...] = ()
    out: tuple[Ref, ...] = ()
    cues: tuple[Cued, ...] = ()
    kept: tuple[Ref, ...] = ()


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


class OwnerVisited(NamedTuple):
    """The owner came to look at what is new, by a *door*: the next time, it is told from here on."""

    door: Ref


class OwnerKept(NamedTuple):
    """The owner said that what looked like secrets is none, by its *digests*; older journals have it."""

    digests: tuple[Ref, ...]


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


class Cause(NamedTuple):
    """Why Almario writes a soul file: a *proposal* was accepted, or a *reflection* moved goals, if named."""

    reason: Sentence
    proposal: Ref = ""
    reflection: Ref = ""


def cause_of(reason: str | Cause) -> Cause:
    """Return a cause as it is, or made of a sentence, or of somebody's own words."""
    if isinstance(reason, Cause):
        return reason
    return Cause(Sentence.of(reason))


class SoulChanged(NamedTuple):
    """Almario is about to write a soul file; *from_* and *to* are content hashes, the rest is its `Cause`."""

    file: Ref
    from_: Ref | None
    to: Ref
    reason: Sentence
    proposal: Ref = ""
    reflection: Ref = ""


class SoulEdited(NamedTuple):
    """The owner changed a soul file by hand; None is an absent file."""

    file: Ref
    from_: Ref | None
    to: Ref | None


class Filed(NamedTuple):
    """Says only that all earlier lines have reached their files."""


class Unknown(NamedTuple):
    """A line of another version; *content* is what it says."""

    type: str
    content: dict[str, Any]


# What is entered beside what it is about, and changes no file and no memory.
Occurrence = SessionQueued | SessionReset | HearingChanged | JobTried | OwnerVisited | OwnerKept
Body: TypeAlias = (
    "AgentCreated | DayLogged | LogCondensed | JournalMended | MemoriesChanged | Occurrence | SoulChanged"
    " | SoulEdited | SoulBody | PurgeBegun | PurgeDone | Filed | Unknown"
)
_OWN: Mapping[str, type[Any]] = {
    "agent.created": AgentCreated,
    "log.added": DayLogged,
    "log.condensed": LogCondensed,
    "journal.mended": JournalMended,
    "memory.changed": MemoriesChanged,
    "session.queued": SessionQueued,
    "session.reset": SessionReset,
    "hearing.changed": HearingChanged,
    "job.tried": JobTried,
    "owner.visited": OwnerVisited,
    "owner.kept": OwnerKept,
    "purge.begun": PurgeBegun,
    "purge.done": PurgeDone,
    "soul.changed": SoulChanged,
    "soul.edited": SoulEdited,
    "filed": Filed,
}
_NAMES = {body: name for name, body in _OWN.items()}


@cache
def known() -> Mapping[str, type[Any]]:
    """Return what every type of line holds; those about who the agent is are loaded for it."""
    from almario.domain.soul_events import SOUL_TYPES  # noqa: PLC0415 - 5 ms, and few commands read one

    return {**_OWN, **SOUL_TYPES}


def kind_of(name: str) -> type[Any] | None:
    """Return what a type of line holds; None if this version does not know it."""
    return _OWN.get(name) or known().get(name)


@cache
def _names_of_all() -> Mapping[type[Any], str]:
    return {body: name for name, body in known().items()}


@showing("type")
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

    @classmethod
    def from_json(cls, fields: Any) -> "Event":
        """Return a line of the journal as programs are told of it."""
        body: Any = read(kind_of(fields["type"]) or Unknown, fields["body"])
        own = {name: fields[name] for name in ("seq", "id", "host", "actor", "filed", "version")}
        filings = read(tuple[Filing, ...], fields["filings"])
        return cls(at=datetime.fromisoformat(fields["at"]), body=body, filings=filings, **own)

    @property
    def type(self) -> str:
        if isinstance(self.body, Unknown):
            return self.body.type
        kind = type(self.body)
        return _NAMES.get(kind) or _names_of_all()[kind]

    @property
    def owes(self) -> bool:
        """Whether a file still has to be written after this line."""
        return bool(self.filings) or isinstance(self.body, SoulChanged)

    @property
    def settled(self) -> int:
        """The highest number whose file writes are done by then: a line that owes none is done at once."""
        return self.seq if self.filed == self.seq - 1 and not self.owes else self.filed
