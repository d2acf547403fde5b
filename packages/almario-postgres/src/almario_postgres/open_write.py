"""An open write in PostgreSQL: one transaction, in which nobody else writes to the agent."""

import json
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from almario.domain.documents.daily import counted, with_filing
from almario.domain.documents.document import Document, digest, encoded
from almario.domain.events import Actor, Body, Cause, Event, Filing, SoulChanged, SoulEdited, cause_of
from almario.domain.journal_lines import encode, is_sealed, seal
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, soul_file
from almario.domain.turns import Turn, Utterance, turn_of
from almario.named_tuples import NamedTuple
from almario.ports import Holding, Rewrite, Tail, changed_meanwhile
from almario_postgres.agent_rows import AgentRows
from almario_postgres.document_rows import PostgresDocuments, PostgresVersions, check_name
from almario_postgres.event_rows import TAIL, PostgresJournal
from almario_postgres.turn_rows import PostgresTranscripts

Change = Callable[[str], str | None]


class RowParts(NamedTuple):
    """What one agent's rows are read as, and the time."""

    rows: AgentRows
    journal: PostgresJournal
    documents: PostgresDocuments
    versions: PostgresVersions
    transcripts: PostgresTranscripts
    now: Callable[[], datetime]


class PostgresWrite:
    """Writes one agent's rows; everything is kept when the write ends, or nothing is."""

    def __init__(self, parts: RowParts) -> None:
        self._parts = parts
        self._rows, self._documents, self._versions = parts.rows, parts.documents, parts.versions
        self._owes = self._kept_owes = parts.rows.owes

    @property
    def last(self) -> Event | None:
        return self._parts.journal.tail().last

    @property
    def seq(self) -> int:
        return self._parts.journal.tail().seq

    @property
    def filed(self) -> int:
        return self._owes - 1 if self._owes else self.seq

    def append(self, body: Body, *, actor: Actor, filings: Sequence[Filing] = ()) -> Event:
        """Enter one line, with what it owes to documents; it is acknowledged when the write ends."""
        own = counted(filings, lambda name: self._documents.read(name).content)
        seq, name = self.seq + 1, os.urandom(8).hex()
        at, host = self._parts.now().astimezone(UTC), os.uname().nodename
        event = Event(seq, name, at, host, actor, body, filings=own, filed=self.filed)
        line = seal(encoded(encode(event)))[:-1]
        statement = "INSERT INTO journal(agent, seq, type, line) VALUES (%s, %s, %s, %s)"
        self._rows.do(statement, seq, event.type, line)
        with self._rows.moment() as moment:
            moment[TAIL] = Tail(seq, event)
        self._owes = self._owes or (seq if own else 0)
        return event

    def file(self, filings: Sequence[Filing]) -> list[Sentence]:
        """Add to documents what the last line owes."""
        for filing in filings:
            self._file(filing, again=False)
        self._owes = 0
        return []

    def replace(self, document: Document, content: str | bytes | None) -> Document:
        self._need_unchanged(document)
        new = document._replace(content=None if content is None else encoded(content))
        self._documents.put(new.name, new.content)
        return new

    def change_soul(
        self,
        document: Document,
        content: str | bytes,
        *,
        actor: Actor,
        reason: str | Cause,
        owed: Filing | None = None,
    ) -> None:
        """Replace a soul file as it was read, as a change in its history."""
        name, after = soul_file(document.name), digest(encoded(content))
        self._need_unchanged(document._replace(name=name))
        filings = [owed] if owed else []
        if self._versions.enabled:
            self._versions.put(name, encoded(content))
            if after == document.hash:
                return
            change = SoulChanged(name, document.hash, after, *cause_of(reason))
            self.append(change, actor=actor, filings=filings)
        self._documents.put(name, encoded(content))
        self.file(filings)

    def keep_version(self, file: str, content: str | bytes) -> str:
        return self._versions.put(file, encoded(content))

    def move(self, name: str, to: str) -> None:
        if self._documents.read(to).content is not None:
            raise changed_meanwhile(to)
        self._documents.put(to, self._documents.read(name).content)
        self._documents.put(name, None)

    def rewrite(self, holding: Holding, change: Change, lines: Rewrite | None = None) -> bool:
        """Rewrite what is held as a whole or line by line; say whether it changed."""
        if holding.holder == "journal":
            return self._rewrite_journal(change, lines)
        if holding.holder == "transcript":
            held = self._parts.transcripts.rows(holding.name)
            if changed := _rewritten(held, change, lines):
                self._parts.transcripts.rewrite(holding.name, changed)
            return bool(changed)
        before = self._documents.read(holding.name).content
        after = _plain(before or b"", change)
        if after == before or before is None:
            return False
        if holding.holder == "version":
            _, file, name = holding.name.split("/")
            self._versions.remove(file, name)
        else:
            self._documents.put(holding.name, after)
        return True

    def append_turns(self, session: str, utterances: Sequence[Utterance], *, after: int = 0) -> list[Turn]:
        """Add to a session's transcript, with numbers above *after*."""
        first = max(after, self._parts.transcripts.last_number(session)) + 1
        now = self._parts.now()
        turns = [turn_of(each, session, n, now=now) for n, each in enumerate(utterances, first)]
        if turns:
            self._parts.transcripts.put(turns)
        return turns

    def archive_turns(self, session: str, upto: int) -> int:
        return self._parts.transcripts.archive(session, upto)

    def finish(self) -> None:
        """Add to documents what an earlier write left to be added."""
        for event in self._parts.journal.read(after=self._owes - 1) if self._owes else ():
            for filing in event.filings:
                self._file(filing, again=True)
        self._owes = 0

    def note_owed(self) -> None:
        """Leave word of what this write did not add to documents."""
        if self._owes != self._kept_owes:
            self._rows.note_owed(self._owes)

    def edit(self, name: str, content: bytes | None) -> None:
        """Change a document as its owner would by hand."""
        before = self._documents.read(name)
        if before.content == content:
            return
        if name in SOUL_FILES and self._versions.enabled:
            after = None if content is None else self._versions.put(name, content)
            self.append(SoulEdited(name, before.hash, after), actor="owner")
        self._documents.put(name, content)

    def _file(self, filing: Filing, *, again: bool) -> None:
        new = with_filing(self._documents.read(filing.path).content, filing, again=again)
        if new is not None:
            self._documents.put(filing.path, new)

    def _need_unchanged(self, document: Document) -> None:
        check_name(document.name)
        if self._documents.read(document.name).hash != document.hash:
            raise changed_meanwhile(document.name)

    def _rewrite_journal(self, change: Change, lines: Rewrite | None) -> bool:
        held = self._rows.select("SELECT seq, line FROM journal WHERE agent = %s ORDER BY seq")
        changed = _rewritten(held, change, lines)
        statement = (
            "INSERT INTO journal(agent, seq, type, line) VALUES (%s, %s, '', %s)"
            " ON CONFLICT (agent, seq) DO UPDATE SET line = excluded.line"
        )
        self._rows.do_each(statement, list(changed.items()))
        with self._rows.moment() as moment:
            moment.pop(TAIL, None)
        return bool(changed)


def _rewritten(held: Sequence[tuple[int, bytes]], change: Change, lines: Rewrite | None) -> dict[int, bytes]:
    """Return the lines that become others, by their numbers."""
    new = {n: _line(line, change, lines) for n, line in held}
    return {n: new[n] for n, line in held if new[n] != line}


def _line(line: bytes, change: Change, lines: Rewrite | None) -> bytes:
    if lines is None or not is_sealed(line):
        return _plain(line, change) or b""
    fields = json.loads(line)
    del fields["crc"]
    changed = lines(dict(fields))
    if changed == fields:
        return line
    return seal(encoded(json.dumps(changed, ensure_ascii=False, separators=(",", ":"))))[:-1]


def _plain(content: bytes, change: Change) -> bytes | None:
    after = change(content.decode("utf-8", "surrogateescape"))
    return None if after is None else after.encode("utf-8", "surrogateescape")
