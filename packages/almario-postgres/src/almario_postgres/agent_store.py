"""One agent's keep in PostgreSQL, for whoever opens it, on whatever machine.

A write is one transaction under a lock on the agent's row: what it enters in the journal, what that owes to
documents and all that is derived are kept together when it ends, or not at all.
"""

import contextlib
from collections.abc import Callable, Iterator
from datetime import datetime, tzinfo

from almario.domain.documents.document import encoded
from almario.domain.messages import CommandLine, Sentence
from almario.domain.read_models import Follower
from almario.ports import Clock, Job, Receive, Store
from almario_postgres.agent_rows import AgentRows
from almario_postgres.database import Bound
from almario_postgres.document_rows import PostgresDocuments, PostgresVersions
from almario_postgres.event_rows import PostgresJournal
from almario_postgres.leases import LASTS, Leases
from almario_postgres.open_write import PostgresWrite, RowParts
from almario_postgres.turn_rows import PostgresTranscripts
from almario_postgres.watching import PostgresWatch, listener_of

_LINGERING = Sentence(
    "The files of the database still have the words, until {statements} was run there and {command} after it;"
    " its log, its standbys and its backups have them for as long as they are kept.",
    statements='"VACUUM; REINDEX TABLE CONCURRENTLY almario.terms"',
    command=CommandLine("almario memory reindex"),
)


class PostgresStore(Store):
    """Keeps an agent in the rows that a connection bound to it sees."""

    journal: PostgresJournal
    documents: PostgresDocuments
    versions: PostgresVersions
    transcripts: PostgresTranscripts
    lingering = (_LINGERING,)

    def __init__(
        self,
        bound: Bound,
        clock: Clock,
        zone: tzinfo,
        *,
        place: str = "",
        keeps_versions: bool = True,
        lease_seconds: float = LASTS,
    ) -> None:
        self.zone = zone
        self.place = place or f"{bound.server.place} #{bound.agent}"
        self._bound = bound
        self._clock = clock
        self._rows = AgentRows(bound)
        self.journal = PostgresJournal(self._rows)
        self.follower = Follower(self.journal)
        self.versions = PostgresVersions(self._rows, self.follower, enabled=keeps_versions)
        self.transcripts = PostgresTranscripts(self._rows)
        self.documents = PostgresDocuments(self._rows, self.transcripts)
        self._leases = Leases(bound, lasts=lease_seconds)
        self._parts = RowParts(
            self._rows, self.journal, self.documents, self.versions, self.transcripts, self.now
        )

    @property
    def bound(self) -> Bound:
        """The agent's door, through which what is derived of it goes, too: one write is one transaction."""
        return self._bound

    def now(self) -> datetime:
        return self._clock().astimezone(self.zone)

    @contextlib.contextmanager
    def writing(self, *, since: int | None = None) -> Iterator[PostgresWrite]:
        """Open a transaction with the agent's lock; inside another write of this thread, a part of it."""
        with self._bound.writing():
            self._check()
            write = PostgresWrite(self._parts)
            write.finish()
            if since is not None:
                self.need_nothing_erased(since)
            yield write
            write.note_owed()

    @contextlib.contextmanager
    def leaving(self) -> Iterator[PostgresWrite]:
        with self.writing() as write:
            self._rows.select("SELECT agent FROM standings WHERE agent = %s FOR UPDATE")  # see `add_line`
            yield write
            self._rows.do("UPDATE standings SET is_gone = true WHERE agent = %s")

    @contextlib.contextmanager
    def receiving(self) -> Iterator[Receive]:
        from almario_postgres.received_rows import RowReceiver  # noqa: PLC0415 - only for a move

        with self._bound.writing():
            self._check()
            yield RowReceiver(self._rows, self.documents, self.transcripts)

    def settle(self, *, thoroughly: bool = False) -> list[Sentence]:
        """Add to documents what an earlier write left to be added; nothing else can be unfinished."""
        with self._rows.moment():
            owes = self._rows.owes
        if owes:
            with self.writing():
                pass
        return []

    def lease(self, job: Job, *, seconds: float = 0) -> contextlib.AbstractContextManager[bool]:
        return self._leases.held(job, seconds=seconds)

    def watch(self, changed: Callable[[], object]) -> PostgresWatch:
        server = self._bound.server
        return PostgresWatch(
            listener_of(server), server.word_for(self._bound.agent), self.documents.changes, changed
        )

    def edit(self, name: str, text: str | None) -> None:
        """Change a document as its owner would by hand; None removes it."""
        with self.writing() as write:
            write.edit(name, None if text is None else encoded(text))

    def _check(self) -> None:
        """Refuse to write where a newer version did, and what another process has been doing since."""
        self.journal.tail().check(self.place)
        with self._bound.reading() as connection:
            self._leases.check(connection)
