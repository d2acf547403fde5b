"""The store: all that one agent keeps, behind one face.

It has a journal of what happened, documents under their names, the earlier
contents of the soul files, and a transcript for each session. Names have `/`
in them as paths do, and a person who keeps a folder finds the same names
there; but nothing that uses a store knows whether there is a folder.

There is one unit of work, `Store.writing()`. A change is acknowledged when its
journal line is entered; what the line owes to documents is done then, or
finished by whoever opens the store next.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, Literal, Protocol, Self

from almario.domain.documents.daily import log_filing, log_path
from almario.domain.documents.document import Document
from almario.domain.events import VERSION, Actor, Body, Cause, DayLogged, Event, Filing, PurgeBegun
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, Damage, Version, soul_file
from almario.domain.read_models import Follower, replaced, version_named
from almario.domain.turn_ids import turn_id
from almario.domain.turns import Turn, Utterance
from almario.errors import EditConflict, SchemaTooNew, SoulError
from almario.named_tuples import NamedTuple

# Work that one process at a time does for an agent, in the background.
Job = Literal["flush", "consolidation", "cues", "pages", "reflect", "move"]
# What a store holds text in; `foreign` is what other programs keep of a document: theirs to erase.
Holder = Literal["document", "transcript", "version", "journal", "foreign"]
# Takes the fields of a line that was kept and returns them as they shall be.
Rewrite = Callable[[dict[str, Any]], Any]


class Tail(NamedTuple):
    """Where a journal ends: the last number given out, and the last line that can be read."""

    seq: int
    last: Event | None

    @property
    def filed(self) -> int:
        """The line up to which all that was owed is in its document."""
        return self.last.settled if self.last else 0

    def check(self, place: str) -> None:
        """Refuse to write after a line of a newer version; *place* is where the journal is."""
        if self.last and self.last.version > VERSION:
            raise SchemaTooNew(
                "the journal in {folder} was written by a newer Almario; "
                "it can be read but not written: upgrade",
                folder=place,
            )


def changed_meanwhile(path: object) -> EditConflict:
    """Return the refusal to write over what somebody else wrote."""
    return EditConflict("{path} was changed by someone else meanwhile; nothing was written", path=str(path))


class Mark(NamedTuple):
    """Changes when a document does; while it is not *sure*, only the content tells."""

    text: str
    is_sure: bool = True


class Holding(NamedTuple):
    """Something that holds text: a document, a transcript, an earlier content, a part of the journal."""

    name: str
    holder: Holder


# Puts what another store held under a name here, byte by byte, in the place of what is here; None is nothing.
# Lines of a journal or a transcript follow those that are here; the archive of a session comes first.
Receive = Callable[[Holding, bytes | None], None]


class Journal(Protocol):
    """What happened, one line each, in the order of their numbers."""

    def tail(self) -> Tail:
        """Find the end, without reading the rest."""

    def read(self, *, after: int = 0) -> list[Event]:
        """Return the readable events that follow number *after*, in order."""

    def select(self, prefix: str) -> Iterator[Event]:
        """Yield the events whose type begins with *prefix*, newest first."""

    def first(self) -> Event | None:
        """Return the earliest event that can be read."""

    def check(self) -> list[Damage]:
        """Read every line and return each place that is not as it was written."""


class Documents(Protocol):
    """Texts under their names. Transcripts can be read here too, one turn a line."""

    def read(self, name: str, *, whole: bool = False) -> Document:
        """Read a document; DocumentError if that name can be none.

        *whole*: EditConflict if somebody is in the middle of writing it.
        """

    def names(self, folder: str) -> list[str]:
        """Return the names of the documents right below a folder's name, in order."""

    def marks(self, known: Collection[str] = ()) -> Mapping[str, Mark]:
        """Return every document and transcript that can be found by what it says, with a mark.

        A name that is *known* to be such a one is not looked at again.
        """

    def holdings(self) -> list[Holding]:
        """Return everything that holds text, but for what is derived and what has only numbers."""

    def add_line(self, name: str, line: bytes) -> None:
        """Add a line to a document that only grows, at any time and without opening a write."""


class Versions(Protocol):
    """Every content that a soul file has had, by its hash, and its history."""

    # Whether earlier contents are kept at all.
    enabled: bool

    def has(self, file: str, name: str) -> bool:
        """Return whether a content is still kept."""

    def content(self, file: str, name: str) -> bytes:
        """Return a kept content; SoulError if it is kept no more, Damaged if it is not what it was."""

    def text(self, file: str, name: str) -> str:
        """Return a kept content as text, whatever its bytes are."""
        return self.content(file, name).decode("utf-8", "replace")

    def history(self, file: str) -> list[Version]:
        """Return all the versions that *file* has had, oldest first."""

    def check(self) -> list[Damage]:
        """Return each place that does not hold the content it was given."""

    def find(self, file: str, wanted: str) -> Version:
        """Return the version with that number or that beginning of a hash."""
        return version_named(self.history(file), file, wanted)


class Transcripts(Protocol):
    """What was said in each session; older turns may have gone to an archive, which readers do not notice."""

    def sessions(self) -> list[str]:
        """Return the keys of all sessions."""

    def marks(self) -> Mapping[str, object]:
        """Return all sessions, each with a mark that changes when something is said there."""

    def read(self, session: str, *, after: int = 0, last: int = 0) -> list[Turn]:
        """Return the turns of a session that follow number *after*; with *last*, only so many, the latest."""

    def first(self, session: str) -> Turn | None:
        """Return the earliest turn of a session."""

    def last_number(self, session: str) -> int:
        """Return the highest number that may have been given out."""

    def archived(self, session: str) -> int:
        """Return the number of the latest turn that is in the archive; 0 if none is."""

    def speakers(self, session: str) -> frozenset[str]:
        """Return the names of those who have spoken in a session, other than the owner."""

    def check(self) -> list[Damage]:
        """Read every line of every session and return each place that is not as it was written."""


class OpenWrite(Protocol):
    """An open write: nobody else writes, and everything earlier is finished and entered."""

    @property
    def last(self) -> Event | None:
        """The last line that can be read."""

    @property
    def seq(self) -> int:
        """The last number given out."""

    @property
    def filed(self) -> int:
        """The line up to which all that was owed is in its document."""

    def append(self, body: Body, *, actor: Actor, filings: Sequence[Filing] = ()) -> Event:
        """Enter one line, with what it owes to documents. When this returns, it survives a power cut."""

    def file(self, filings: Sequence[Filing]) -> list[Sentence]:
        """Add to documents what the last line owes; return what is worth telling of one that resists."""

    def replace(self, document: Document, content: str | bytes | None) -> Document:
        """Replace a document as it was read, or remove it; EditConflict if it has changed."""

    def change_soul(
        self,
        document: Document,
        content: str | bytes,
        *,
        actor: Actor,
        reason: str | Cause,
        owed: Filing | None = None,
    ) -> None:
        """Replace a soul file as it was read, as a change in its history; EditConflict if it has changed."""

    def keep_version(self, file: str, content: str | bytes) -> str:
        """Keep a content that a soul file may have one day; return its hash."""

    def move(self, name: str, to: str) -> None:
        """Give a document a name that is free."""

    def rewrite(
        self, holding: Holding, change: Callable[[str], str | None], lines: Rewrite | None = None
    ) -> bool:
        """Put *change* of its text in the place of what is held, None in the place of all; say if it changed.

        With *lines*, that is done for each line that was kept as fields, and *change* to the others.
        """

    def append_turns(self, session: str, utterances: Sequence[Utterance], *, after: int = 0) -> list[Turn]:
        """Add to a session's transcript, with numbers above *after*; then it survives a power cut."""

    def archive_turns(self, session: str, upto: int) -> int:
        """Move a session's turns up to number *upto* to the archive; return how many."""


class Watching(Protocol):
    """Tells somebody of changes while it runs."""

    def start(self) -> None:
        """Begin; every change made after this returns is told."""

    def stop(self, *, wait: bool = True) -> None:
        """End; with *wait*, when a call under way has returned."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class Store(Protocol):
    """One agent's keep. Whoever makes another one inherits what is written out here."""

    zone: tzinfo
    place: str  # where it is kept, as a person is told
    folder: Path | None = None  # where there is one
    lingering: tuple[Sentence, ...] = ()  # where words that were erased may stay for a while
    journal: Journal
    documents: Documents
    versions: Versions
    transcripts: Transcripts
    follower: Follower

    def now(self) -> datetime:
        """Return the present in the owner's time zone."""

    def writing(self, *, since: int | None = None) -> AbstractContextManager[OpenWrite]:
        """Open a write; StoreBusy if another one stays open for too long.

        What is written may rest on what was read when the journal ended with line *since*: EditConflict if
        a purge began after it.
        """

    def settle(self, *, thoroughly: bool = False) -> list[Sentence]:
        """Finish what was interrupted and enter the owner's edits; return what is worth telling.

        *thoroughly*: in every transcript, too, which is otherwise left to the next write there.
        """

    def leaving(self) -> AbstractContextManager[OpenWrite]:
        """Open the last write: after it nobody can write here (in a folder, when that is in the trash)."""
        return self.writing()

    def receiving(self) -> AbstractContextManager[Receive]:
        """Open a store that nobody uses yet to what another held; nothing is finished or entered first."""

    def lease(self, job: Job, *, seconds: float = 0) -> AbstractContextManager[bool]:
        """Have a job to oneself, waiting for *seconds* if another process has it; say whether one has it."""

    def watch(self, changed: Callable[[], object]) -> Watching:
        """Return what calls *changed* a little after anyone changed a document."""

    def read(self, name: str) -> Document:
        """Read a document by its name."""
        return self.documents.read(name)

    def turn(self, name: str) -> Turn | None:
        """Return the turn with that id; None if there is none."""
        return next(iter(self.turns([name])), None)

    def turns(self, names: Sequence[str]) -> list[Turn]:
        """Return those of some turns that are there, by their ids; each session is read once."""
        places: dict[str, list[int]] = {}
        found: dict[str, Turn] = {}
        for name in names:
            session, n = turn_id(name)
            if session:
                places.setdefault(session, []).append(n)
        for session, numbers in places.items():
            with suppress(SoulError):  # no session can have such a name
                found |= {turn.id: turn for turn in self.transcripts.read(session, after=min(numbers) - 1)}
        return [found[name] for name in names if name in found]

    def log_of(self, day: date) -> Document:
        """Read a day's log."""
        return self.read(log_path(day))

    def record(self, body: Body, *, actor: Actor) -> Event:
        """Enter in the journal something that owes nothing to a document."""
        with self.writing() as write:
            return write.append(body, actor=actor)

    def need_nothing_erased(self, since: int) -> None:
        """Raise EditConflict if a purge began after line *since*: what was read by then may tell of it."""
        events = self.journal.read(after=since) if self.journal.tail().seq > since else ()
        if any(isinstance(event.body, PurgeBegun) for event in events):
            raise EditConflict("something was erased in the meantime; try again")

    def append_turns(self, session: str, utterances: Sequence[Utterance], *, after: int = 0) -> list[Turn]:
        """Add to a session's transcript, with numbers above *after*; then it survives a power cut."""
        with self.writing() as write:
            return write.append_turns(session, utterances, after=after)

    def archive_turns(self, session: str, upto: int) -> int:
        """Move a session's turns up to number *upto* to the archive; return how many."""
        with self.writing() as write:
            return write.archive_turns(session, upto)

    def write_soul(
        self,
        document: Document,
        text: str,
        *,
        actor: Actor,
        reason: str | Cause,
        owed: Filing | None = None,
        line: int | None = None,
    ) -> None:
        """Replace a soul file as it was read, with what is *owed* to another document.

        EditConflict if it changed, or if a purge began after a *line* of the journal.
        """
        with self.writing(since=line) as write:
            write.change_soul(document, text, actor=actor, reason=reason, owed=owed)

    def restore(self, name: str, wanted: str, *, actor: Actor) -> Version:
        """Put an earlier version of a soul file back; what stands there now stays in the history."""
        document = self.read(soul_file(name))
        version = self.versions.find(document.name, wanted)
        if version.hash is None:
            sentence = "version {number} of {file} is its deletion"
            raise SoulError(sentence, number=version.number, file=document.name)
        with self.writing() as write:
            content = self.versions.content(document.name, version.hash)  # a purge may have taken it away
            reason = Sentence("version restored: {number}", number=version.number)
            write.change_soul(document, content, actor=actor, reason=reason)
        return version

    def prune(self, *, keep: int = 0, days: int = 0) -> int:
        """Let go of earlier contents of soul files; return how many.

        That is all but the latest *keep* of each, and what was replaced more than *days* ago; 0 sets no
        limit. What stands in a file stays, and what a proposal wants that waits for an answer.
        """
        from almario.domain.soul_models import PROPOSALS  # noqa: PLC0415 - once a night

        with self.writing() as write:
            rows = self.follower.rows(PROPOSALS).values()
            wanted = {(each.body.file, each.body.to) for each in rows if not each.answers}
            before = self.now() - timedelta(days=days) if days else None
            gone = {
                (file, name)
                for file in SOUL_FILES
                for name in replaced(self.versions.history(file), keep=keep, before=before)
            } - wanted
            kept = [each for each in self.documents.holdings() if each.holder == "version"] if gone else []
            old = [each for each in kept if (each.name.split("/")[-2], self.read(each.name).hash) in gone]
            return sum(write.rewrite(each, lambda _: None) for each in old)

    def add_to_log(self, text: str, *, actor: Actor) -> list[Sentence]:
        """Enter a line in today's daily log; return what is worth telling.

        The line is safe once the journal has it: a log that cannot be
        written now gets it later.
        """
        if not text.strip():
            raise SoulError("the log needs words; the text is empty")
        now = self.now()
        filing = log_filing(now.date(), now.time(), text)
        with self.writing() as write:
            body = DayLogged(now.date().isoformat(), str(self.zone))
            write.append(body, actor=actor, filings=[filing])
            return write.file([filing])
