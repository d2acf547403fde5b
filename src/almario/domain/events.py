"""The journal's lines, as typed values.

A line is one JSON object: `seq id at host actor type v`, the fields of its
body, `filings` if it owes text to files, `filed`, `crc`. A line of a type
this version does not know is kept and passed on as `Unknown`.
"""

import json
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, ClassVar
from zlib import crc32

VERSION = 1
# Every line ends in this many bytes: `,"crc":"` + eight hex digits + `"}`.
_SEAL_LENGTH = 18
_ENVELOPE = ("seq", "id", "at", "host", "actor", "type", "v", "filings", "filed", "crc")


@dataclass(frozen=True, slots=True)
class Filing:
    """Text that a line owes to a file; *title* begins the file if it is new."""

    path: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class AgentCreated:
    type: ClassVar[str] = "agent.created"
    name: str
    language: str


@dataclass(frozen=True, slots=True)
class SoulChanged:
    """Almario is about to write a soul file; *from_* and *to* are content hashes."""

    type: ClassVar[str] = "soul.changed"
    file: str
    from_: str | None
    to: str
    reason: str


@dataclass(frozen=True, slots=True)
class SoulEdited:
    """The owner changed a soul file by hand; None is an absent file."""

    type: ClassVar[str] = "soul.edited"
    file: str
    from_: str | None
    to: str | None


@dataclass(frozen=True, slots=True)
class DayLogged:
    """An entry for the daily log of *day*, which *zone* decided."""

    type: ClassVar[str] = "log.added"
    day: str
    zone: str


@dataclass(frozen=True, slots=True)
class LayoutMigrated:
    type: ClassVar[str] = "layout.migrated"
    done: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JournalMended:
    """Unreadable lines of *file* went to `journal/cut/`; *lost* are their seqs."""

    type: ClassVar[str] = "journal.mended"
    file: str
    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Filed:
    """Says only that all earlier lines have reached their files."""

    type: ClassVar[str] = "filed"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line of another version; *content* is what it says."""

    type: str
    content: dict[str, Any]


Body = AgentCreated | SoulChanged | SoulEdited | DayLogged | LayoutMigrated | JournalMended | Filed | Unknown
_KNOWN: dict[str, type[Any]] = {
    body.type: body
    for body in (AgentCreated, SoulChanged, SoulEdited, DayLogged, LayoutMigrated, JournalMended, Filed)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of the journal. Order is by *seq* alone; *at* only informs."""

    seq: int
    id: str
    at: datetime
    host: str
    actor: str
    body: Body
    filings: tuple[Filing, ...] = ()
    filed: int
    version: int = VERSION

    @property
    def owes(self) -> bool:
        """Whether a file still has to be written after this line."""
        return bool(self.filings) or isinstance(self.body, SoulChanged)


def encode(event: Event) -> str:
    """Return the event as a line of JSON, not yet sealed."""
    line: dict[str, Any] = {
        "seq": event.seq,
        "id": event.id,
        "at": event.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "host": event.host,
        "actor": event.actor,
        "type": event.body.type,
        "v": event.version,
    }
    if isinstance(event.body, Unknown):
        line.update(event.body.content)
    else:
        line.update({f.name.rstrip("_"): getattr(event.body, f.name) for f in fields(event.body)})
    if event.filings:
        line["filings"] = [{"path": f.path, "text": f.text, "title": f.title} for f in event.filings]
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
            filings=tuple(Filing(**filing) for filing in content.get("filings", ())),
            filed=int(content["filed"]),
            version=int(content["v"]),
        )
    except (KeyError, TypeError, ValueError) as exc:
        raise ValueError("a field is missing or has another type") from exc


def _body(content: dict[str, Any]) -> Body:
    kind = _KNOWN.get(content["type"])
    if kind is None or content["v"] > VERSION:
        return Unknown(content["type"], {key: content[key] for key in content if key not in _ENVELOPE})
    found = {f.name: content[f.name.rstrip("_")] for f in fields(kind)}
    lists = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    body: Body = kind(**(found | lists))
    return body
