"""The journal's lines, as typed values.

A line is one JSON object: `seq id at host actor type v`, the fields of its
body, `filings` if it owes text to files, `filed`, `crc`. A line of a type
this version does not know is kept and passed on as `Unknown`.
"""

import json
from datetime import datetime
from typing import Any, NamedTuple, TypedDict
from zlib import crc32

from almario.domain.memories import Change, written

VERSION = 1
# Every line ends in this many bytes: `,"crc":"` + eight hex digits + `"}`.
_SEAL_LENGTH = 18
_SAID = object()
_ENVELOPE = ("seq", "id", "at", "host", "actor", "type", "v", "filings", "filed", "crc")


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


class LayoutMigrated(NamedTuple):
    """An older layout was brought up to date; *done* says how."""

    done: tuple[str, ...]


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
    the pairs of memories that were compared, and need not be again.
    """

    verb: str
    changes: tuple[Change, ...]
    of: int = 0
    flush: Flush | None = None
    judged: tuple[str, ...] = ()


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


class JobTried(NamedTuple):
    """Background work was tried and waits, and *why*; without a reason, it waits no more."""

    job: str
    why: str


class ProposalMade(NamedTuple):
    """A change waits for consent: to a soul *file*, or to memories (*changes*).

    *from_* and *to* are content hashes of the file; the contents are kept as versions. *judged* names the
    pairs of memories whose comparison led to the changes.
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


class ProposalAnswered(NamedTuple):
    """A proposal was `accepted`, `rejected`, or is `stale`: the file has changed since."""

    id: str
    answer: str
    why: str


class PurgeBegun(NamedTuple):
    """What is being erased, by id; *hashes* (salted) keep it from being learned again."""

    ids: tuple[str, ...]
    turns: tuple[str, ...]
    salt: str
    hashes: tuple[str, ...]


class PurgeDone(NamedTuple):
    """The purge that line *of* began has erased everything it names."""

    of: int


class Filed(NamedTuple):
    """Says only that all earlier lines have reached their files."""


class Unknown(NamedTuple):
    """A line of another version; *content* is what it says."""

    type: str
    content: dict[str, Any]


Body = (
    AgentCreated
    | SoulChanged
    | SoulEdited
    | DayLogged
    | LayoutMigrated
    | JournalMended
    | MemoriesChanged
    | SessionQueued
    | SessionReset
    | JobTried
    | ProposalMade
    | ProposalAnswered
    | PurgeBegun
    | PurgeDone
    | Filed
    | Unknown
)
_KNOWN: dict[str, type[Any]] = {
    "agent.created": AgentCreated,
    "soul.changed": SoulChanged,
    "soul.edited": SoulEdited,
    "log.added": DayLogged,
    "layout.migrated": LayoutMigrated,
    "journal.mended": JournalMended,
    "memory.changed": MemoriesChanged,
    "session.queued": SessionQueued,
    "session.reset": SessionReset,
    "job.tried": JobTried,
    "proposal.made": ProposalMade,
    "proposal.answered": ProposalAnswered,
    "purge.begun": PurgeBegun,
    "purge.done": PurgeDone,
    "filed": Filed,
}
_TYPES = {body: name for name, body in _KNOWN.items()}


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


def encode(event: Event) -> str:
    """Return the event as a line of JSON, not yet sealed."""
    line: dict[str, Any] = {
        "seq": event.seq,
        "id": event.id,
        "at": written(event.at),
        "host": event.host,
        "actor": event.actor,
        "type": event.type,
        "v": event.version,
    }
    if isinstance(event.body, Unknown):
        line.update(event.body.content)
    else:
        defaults = type(event.body)._field_defaults
        said = event.body._asdict().items()
        # `of` has been there from the first line on.
        line.update(
            {name.rstrip("_"): v for name, v in said if name == "of" or v != defaults.get(name, _SAID)}
        )
    if event.filings:
        line["filings"] = [filing._asdict() for filing in event.filings]
    line["filed"] = event.filed
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def seal(line: bytes) -> bytes:
    """Close a JSON object with its checksum and a newline."""
    return b'%b,"crc":"%08x"}\n' % (line[:-1], crc32(line[:-1]))


def is_sealed(line: bytes) -> bool:
    """Say whether a line (without its newline) carries its own checksum."""
    body, sealed = line[:-_SEAL_LENGTH], line[-_SEAL_LENGTH:]
    return sealed == b',"crc":"%08x"}' % crc32(body)


def decode(line: bytes) -> Event:
    """Read a sealed line; ValueError says why it is not one."""
    if not is_sealed(line):
        raise ValueError("its checksum does not fit")
    content = json.loads(line)
    try:
        return Event(
            seq=int(content["seq"]),
            id=str(content["id"]),
            at=datetime.fromisoformat(content["at"]),
            host=str(content["host"]),
            actor=str(content["actor"]),
            body=_body(content),
            filings=tuple(_filing(filing) for filing in content.get("filings", ())),
            filed=int(content["filed"]),
            version=int(content["v"]),
        )
    except (KeyError, TypeError, ValueError) as exc:
        raise ValueError("a field is missing or has another type") from exc


def _filing(content: dict[str, Any]) -> Filing:
    """Read a filing, passing over what a later version may have added."""
    return Filing(**{name: content[name] for name in Filing._fields if name in content})


def _body(content: dict[str, Any]) -> Body:
    kind = _KNOWN.get(content["type"])
    if kind is None or content["v"] > VERSION:
        return Unknown(content["type"], {key: content[key] for key in content if key not in _ENVELOPE})
    there = [name for name in kind._fields if name.rstrip("_") in content or name not in kind._field_defaults]
    found = {name: content[name.rstrip("_")] for name in there}
    lists = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    body: Body = kind(**(found | lists))
    return body
