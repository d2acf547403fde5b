"""A store of plain values in memory: everything that an agent keeps, for as long as a test runs."""

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, Self

from almario.domain.documents.daily import counted, with_filing
from almario.domain.documents.document import Document, encoded
from almario.domain.events import Actor, Body, Cause, Event, Filing, SoulChanged, SoulEdited, cause_of
from almario.domain.journal_lines import decode, encode, seal
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, soul_file
from almario.domain.read_models import Follower
from almario.domain.turns import Turn, Utterance, decode_turn, encode_turn, session_of, turn_of
from almario.errors import StoreBusy
from almario.ports import Clock, Holding, Job, Receive, Rewrite, Store, changed_meanwhile
from tests.held import MemoryDocuments, MemoryJournal, MemoryTranscripts, MemoryVersions, turn_line


class MemoryWrite:
    """An open write of a store in memory."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self._journal, self._documents = store.journal, store.documents
        self._versions, self._transcripts = store.versions, store.transcripts
        self.has_changed = False

    @property
    def last(self) -> Event | None:
        return self._journal.tail().last

    @property
    def seq(self) -> int:
        return self._journal.tail().seq

    @property
    def filed(self) -> int:
        return self._store.filed

    def append(self, body: Body, *, actor: Actor, filings: Sequence[Filing] = ()) -> Event:
        own = counted(filings, lambda name: self._documents.read(name).content)
        seq, at = self.seq + 1, self._store.now().astimezone(UTC)
        name = os.urandom(8).hex()
        event = Event(seq, name, at, "memory", actor, body, filings=own, filed=self.filed)
        if not own and self.filed == self.seq:
            self._store.filed = seq
        self._journal.events.append(decode(seal(encoded(encode(event)))[:-1]))
        return event

    def file(self, filings: Sequence[Filing]) -> list[Sentence]:
        for filing in filings:
            self._file(filing, again=False)
        self._store.filed = self.seq
        return []

    def replace(self, document: Document, content: str | bytes | None) -> Document:
        if self._documents.read(document.name).hash != document.hash:
            raise changed_meanwhile(document.name)
        self._put(document.name, None if content is None else encoded(content))
        return self._documents.read(document.name)

    def change_soul(
        self,
        document: Document,
        content: str | bytes,
        *,
        actor: Actor,
        reason: str | Cause,
        owed: Filing | None = None,
    ) -> None:
        name = soul_file(document.name)
        if self._documents.read(name).hash != document.hash:
            raise changed_meanwhile(name)
        after = self._versions.put(name, encoded(content))
        if after == document.hash:
            return
        filings = [owed] if owed else []
        self.append(SoulChanged(name, document.hash, after, *cause_of(reason)), actor=actor, filings=filings)
        self._put(name, encoded(content))
        self.file(filings)

    def keep_version(self, file: str, content: str | bytes) -> str:
        return self._versions.put(file, encoded(content))

    def move(self, name: str, to: str) -> None:
        if self._documents.read(to).content is not None:
            raise changed_meanwhile(to)
        self._put(to, self._documents.read(name).content)
        self._put(name, None)

    def rewrite(
        self, holding: Holding, change: Callable[[str], str | None], lines: Rewrite | None = None
    ) -> bool:
        if holding.holder == "journal":
            return self._rewrite_journal(lines or (lambda fields: fields))
        if holding.holder == "transcript":
            return self._rewrite_turns(holding.name, lines or (lambda fields: fields))
        before = self._documents.read(holding.name)
        text = change(before.raw)
        after = None if text is None else text.encode("utf-8", "surrogateescape")
        if after == before.content:
            return False
        if holding.holder == "version":
            _, file, name = holding.name.split("/")
            del self._versions.kept[file, name]
        else:
            self._put(holding.name, after)
        return True

    def append_turns(self, session: str, utterances: Sequence[Utterance], *, after: int = 0) -> list[Turn]:
        first = max(after, self._transcripts.last_number(session)) + 1
        now = self._store.now()
        turns = [turn_of(each, session, n, now=now) for n, each in enumerate(utterances, first)]
        kept = [decode_turn(turn_line(turn)[:-1], session) for turn in turns]
        self._put_turns(session, [*self._transcripts.read(session), *kept])
        return turns

    def archive_turns(self, session: str, upto: int) -> int:
        archived = self._transcripts.archived(session)
        moved = [turn for turn in self._transcripts.read(session, after=archived) if turn.n <= upto]
        if moved:
            self._transcripts.upto[session] = moved[-1].n
            self._put_turns(session, self._transcripts.read(session))
        return len(moved)

    def finish(self) -> None:
        """Do what a write that was interrupted left to do."""
        for event in self._journal.read(after=self.filed):
            for filing in event.filings:
                self._file(filing, again=True)
        self._store.filed = self.seq

    def edit(self, name: str, content: bytes | None) -> None:
        """Change a document as its owner would by hand."""
        before = self._documents.read(name)
        if name in SOUL_FILES and before.content != content:
            after = None if content is None else self._versions.put(name, content)
            self.append(SoulEdited(name, before.hash, after), actor="owner")
        self._put(name, content)

    def _file(self, filing: Filing, *, again: bool) -> None:
        new = with_filing(self._documents.read(filing.path).content, filing, again=again)
        if new is not None:
            self._put(filing.path, new)

    def _put(self, name: str, content: bytes | None) -> None:
        self._documents.put(name, content)
        self.has_changed = True

    def _put_turns(self, session: str, turns: Sequence[Turn]) -> None:
        self._transcripts.put(session, turns)
        self.has_changed = True

    def _rewrite_journal(self, lines: Rewrite) -> bool:
        events = [decode(_rewritten(encode(event), lines)) for event in self._journal.events]
        is_changed = events != self._journal.events
        self._journal.events[:] = events
        return is_changed

    def _rewrite_turns(self, name: str, lines: Rewrite) -> bool:
        part = {turn.n for turn in self._transcripts.part(name)}
        session = session_of(name.rpartition("/")[2]) or ""
        before = self._transcripts.read(session)
        after = [
            decode_turn(_rewritten(encode_turn(turn), lines), session) if turn.n in part else turn
            for turn in before
        ]
        if after != before:
            self._put_turns(session, after)
        return after != before


class MemoryWatch:
    """Tells of changes as soon as the write that made them is closed."""

    def __init__(self, watching: list["MemoryWatch"], changed: Callable[[], object]) -> None:
        self._watching = watching
        self.changed = changed

    def start(self) -> None:
        self._watching.append(self)

    def stop(self, *, wait: bool = True) -> None:
        with contextlib.suppress(ValueError):
            self._watching.remove(self)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()


class MemoryStore(Store):
    """An agent's keep in memory; whoever opens it a second time finds what the first one left."""

    journal: MemoryJournal
    documents: MemoryDocuments
    versions: MemoryVersions
    transcripts: MemoryTranscripts

    def __init__(self, clock: Clock, zone: tzinfo = UTC, *, busy_seconds: float = 10) -> None:
        self.zone = zone
        self.place = "/nowhere/in memory"
        self.journal = MemoryJournal()
        self.follower = Follower(self.journal)
        self.versions = MemoryVersions(self.follower)
        self.transcripts = MemoryTranscripts()
        self.documents = MemoryDocuments(self.journal, self.versions, self.transcripts)
        self.filed = 0
        self._clock = clock
        self._busy_seconds = busy_seconds
        self._lock = threading.Lock()
        self._leases: dict[Job, threading.Lock] = {}
        self._watching: list[MemoryWatch] = []

    def now(self) -> datetime:
        return self._clock().astimezone(self.zone)

    @contextlib.contextmanager
    def writing(self, *, since: int | None = None) -> Iterator[MemoryWrite]:
        write = MemoryWrite(self)
        try:
            with self._locked():
                write.finish()
                if since is not None:
                    self.need_nothing_erased(since)
                yield write
        finally:
            for watch in list(self._watching) if write.has_changed else ():
                watch.changed()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        if not self._lock.acquire(timeout=self._busy_seconds):
            sentence = (
                "{path} has been held by another process for {seconds:g} seconds; try again when it is done"
            )
            raise StoreBusy(sentence, path=self.place, seconds=self._busy_seconds)
        try:
            yield
        finally:
            self._lock.release()

    def settle(self, *, thoroughly: bool = False) -> list[Sentence]:
        return []

    @contextlib.contextmanager
    def receiving(self) -> Iterator[Receive]:
        with self._locked():
            yield self.documents.receive
            last = self.journal.tail().last
            self.filed = last.settled if last else 0

    @contextlib.contextmanager
    def lease(self, job: Job, *, seconds: float = 0) -> Iterator[bool]:
        lock = self._leases.setdefault(job, threading.Lock())
        is_held = lock.acquire(timeout=seconds) if seconds else lock.acquire(blocking=False)
        try:
            yield is_held
        finally:
            if is_held:
                lock.release()

    def watch(self, changed: Callable[[], object]) -> MemoryWatch:
        return MemoryWatch(self._watching, changed)

    def edit(self, name: str, text: str | None) -> None:
        """Change a document as its owner would by hand; None removes it."""
        with self.writing() as write:
            write.edit(name, None if text is None else encoded(text))


class MemoryKey:
    """The key of a home that is nowhere."""

    def __init__(self) -> None:
        self._key = b""

    def read(self) -> bytes:
        return self._key

    def made(self) -> bytes:
        self._key = self._key or os.urandom(32)
        return self._key

    def of_erased(self, *, make: bool = False) -> bytes:
        return self.made() if make else self.read()


def _rewritten(line: str, lines: Rewrite) -> bytes:
    fields: dict[str, Any] = json.loads(line)
    return seal(encoded(json.dumps(lines(fields), ensure_ascii=False, separators=(",", ":"))))[:-1]
