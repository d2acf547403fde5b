"""What a store in memory holds, to be read: lines, contents and turns as plain values."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from almario.domain.documents.document import Document, digest, encoded
from almario.domain.events import Event
from almario.domain.journal_lines import decode, encode, seal
from almario.domain.model import Damage, Version
from almario.domain.read_models import VERSIONS, Follower, versions_of
from almario.domain.turns import ARCHIVE, Turn, decode_turn, encode_turn, session_of, transcript_name
from almario.errors import DocumentError, SoulError, StoreError
from almario.ports import Holding, Mark, Tail, Versions

_JOURNAL = "journal"
_VERSIONS = ".versions/"
_ARCHIVED = f"sessions/{ARCHIVE}/"


class MemoryJournal:
    """Lines in a list, in the order of their numbers."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def tail(self) -> Tail:
        last = self.events[-1] if self.events else None
        return Tail(last.seq if last else 0, last)

    def read(self, *, after: int = 0) -> list[Event]:
        return self.events[bisect_right(self.events, after, key=lambda event: event.seq) :]

    def select(self, prefix: str) -> Iterator[Event]:
        return (event for event in reversed(self.events) if event.type.startswith(prefix))

    def first(self) -> Event | None:
        return self.events[0] if self.events else None

    def check(self) -> list[Damage]:
        return []

    def receive(self, content: bytes | None) -> None:
        """Add the lines of another journal to these, or take these away."""
        if content is None:
            self.events.clear()
        for line in (content or b"").splitlines():
            event = decode(line)
            if seal(encoded(encode(event)))[:-1] != line:  # written by another version
                raise StoreError("line {seq} cannot be held in memory as it is", seq=event.seq)
            self.events.append(event)


class MemoryVersions(Versions):
    """Contents by file and hash; none is ever dropped, but by a purge."""

    enabled = True

    def __init__(self, follower: Follower) -> None:
        self.kept: dict[tuple[str, str], bytes] = {}
        self._follower = follower

    def put(self, file: str, content: bytes) -> str:
        """Keep a content and return its hash."""
        self.kept[file, digest(content)] = content
        return digest(content)

    def has(self, file: str, name: str) -> bool:
        return (file, name) in self.kept

    def content(self, file: str, name: str) -> bytes:
        if not self.has(file, name):
            raise SoulError("version {hash} of {file} is no longer kept", hash=name[:12], file=file)
        return self.kept[file, name]

    def check(self) -> list[Damage]:
        return []

    def history(self, file: str) -> list[Version]:
        return versions_of(self._follower.rows(VERSIONS).values(), file, self.has)


class MemoryTranscripts:
    """The turns of each session, and up to which of them they are in the archive."""

    def __init__(self) -> None:
        self.turns: dict[str, list[Turn]] = {}
        self.upto: dict[str, int] = {}
        self.changes: dict[str, int] = {}

    def sessions(self) -> list[str]:
        return sorted(self.turns)

    def marks(self) -> Mapping[str, object]:
        return dict(self.changes)

    def read(self, session: str, *, after: int = 0, last: int = 0) -> list[Turn]:
        transcript_name(session)  # refuses what can be no session's key
        found = [turn for turn in self.turns.get(session, ()) if turn.n > after]
        return found[-last:] if last else found

    def first(self, session: str) -> Turn | None:
        return next(iter(self.read(session)), None)

    def last_number(self, session: str) -> int:
        return max((turn.n for turn in self.read(session)), default=0)

    def archived(self, session: str) -> int:
        return self.upto.get(session, 0)

    def speakers(self, session: str) -> frozenset[str]:
        spoken = [turn for turn in self.read(session) if turn.role == "user" and turn.origin != "owner"]
        return frozenset(turn.speaker for turn in spoken if turn.speaker)

    def check(self) -> list[Damage]:
        return []

    def put(self, session: str, turns: Sequence[Turn]) -> None:
        """Make these the turns of a session."""
        self.turns[session] = list(turns)
        self.changes[session] = self.changes.get(session, 0) + 1

    def receive(self, name: str, content: bytes | None) -> None:
        """Add the lines of another transcript to what can be read under a name, or take that away."""
        session, is_archive = session_of(name.rpartition("/")[2]) or "", name.startswith(_ARCHIVED)
        own = self.part(name)
        rest = [turn for turn in self.turns.get(session, ()) if turn not in own]
        own = [*own, *(decode_turn(line, session) for line in content.splitlines())] if content else []
        if is_archive:
            self.upto[session] = own[-1].n if own else 0
        self.put(session, sorted([*rest, *own], key=lambda turn: turn.n))
        if not self.turns[session]:
            del self.turns[session]
        if not self.upto.get(session):
            self.upto.pop(session, None)

    def names(self) -> list[str]:
        """Return the names under which they can be read, as documents."""
        current = [s for s, turns in self.turns.items() if turns and turns[-1].n > self.archived(s)]
        return [_file(session) for session in current] + [_file(session, ARCHIVE) for session in self.upto]

    def has(self, name: str) -> bool:
        """Return whether turns can be read under a name."""
        session = session_of(name.rpartition("/")[2])
        return bool(session and self.part(name)) and name in (_file(session), _file(session, ARCHIVE))

    def part(self, name: str) -> list[Turn]:
        """Return the turns that can be read under a name."""
        session = session_of(name.rpartition("/")[2]) or ""
        turns, upto = self.turns.get(session, []), self.archived(session)
        is_archive = name.startswith(_ARCHIVED)
        return [turn for turn in turns if (turn.n <= upto) is is_archive]


@lru_cache
def _file(session: str, *folder: str) -> str:
    return "/".join(("sessions", *folder, transcript_name(session)))


class MemoryDocuments:
    """Contents by name."""

    def __init__(
        self, journal: MemoryJournal, versions: MemoryVersions, transcripts: MemoryTranscripts
    ) -> None:
        self.contents: dict[str, bytes] = {}
        self.changes: dict[str, int] = {}
        self._journal = journal
        self._versions = versions
        self._transcripts = transcripts

    def read(self, name: str, *, whole: bool = False) -> Document:
        parts = name.split("/")
        if "\0" in name or any(part in ("", ".", "..") for part in parts):
            raise DocumentError("{path} is not a file name", path=repr(name))
        if parts[0] == "sessions" and self._transcripts.has(name):
            return Document(name, b"".join(map(turn_line, self._transcripts.part(name))))
        if name == _JOURNAL:
            return Document(name, b"".join(seal(encoded(encode(event))) for event in self._journal.events))
        if name.startswith(_VERSIONS):
            return Document(name, self._versions.kept.get((parts[1], parts[-1])))
        return Document(name, self.contents.get(name))

    def names(self, folder: str) -> list[str]:
        return sorted(name for name in self.contents if name.rpartition("/")[0] == folder)

    def marks(self, known: Collection[str] = ()) -> Mapping[str, Mark]:
        notes = [name for name in self.contents if name.endswith(".md") and ".conflict-" not in name]
        marks = {name: Mark(str(self.changes[name])) for name in notes}
        for name in self._transcripts.names():
            session = session_of(name.rpartition("/")[2]) or ""
            marks[name] = Mark(str(self._transcripts.changes[session]))
        return marks

    def holdings(self) -> list[Holding]:
        own = [name for name in sorted(self.contents) if not name.startswith("costs/")]
        return [
            *(Holding(name, "document") for name in own),
            *(Holding(name, "transcript") for name in self._transcripts.names()),
            *(Holding(f"{_VERSIONS}{file}/{name}", "version") for file, name in sorted(self._versions.kept)),
            Holding(_JOURNAL, "journal"),
        ]

    def add_line(self, name: str, line: bytes) -> None:
        self.put(name, (self.read(name).content or b"") + line)

    def receive(self, holding: Holding, content: bytes | None) -> None:
        """Put what another store held in its place."""
        if holding.holder == "journal":
            self._journal.receive(content)
        elif holding.holder == "transcript":
            self._transcripts.receive(holding.name, content)
        elif holding.holder == "version":
            _, file, name = holding.name.split("/")
            self._versions.kept.pop((file, name), None)
            if content is not None:
                self._versions.kept[file, name] = content
        else:
            self.put(holding.name, content)

    def put(self, name: str, content: bytes | None) -> None:
        """Give a name a content, or take it away."""
        if content is None:
            self.contents.pop(name, None)
        else:
            self.contents[name] = content
        self.changes[name] = self.changes.get(name, 0) + 1


def turn_line(turn: Turn) -> bytes:
    """Return a turn as a sealed line."""
    return seal(encoded(encode_turn(turn)))
