"""Rows for what another store held, put into an agent that nobody uses yet."""

from almario.domain.journal_lines import decode
from almario.domain.turns import ARCHIVE, decode_turn, session_of
from almario.ports import Holding
from almario_postgres.agent_rows import AgentRows, RowSession
from almario_postgres.document_rows import PostgresDocuments, check_name
from almario_postgres.event_rows import TAIL
from almario_postgres.turn_rows import PostgresTranscripts

_ARCHIVED = f"sessions/{ARCHIVE}/"


class RowReceiver:
    """Puts things in their places, in the write that is open."""

    def __init__(
        self, rows: AgentRows, documents: PostgresDocuments, transcripts: PostgresTranscripts
    ) -> None:
        self._rows = rows
        self._documents = documents
        self._transcripts = transcripts

    def __call__(self, holding: Holding, content: bytes | None) -> None:
        """Put a content in its place, or after the lines that are there."""
        check_name(holding.name)
        if holding.holder == "journal":
            self._receive_journal(content)
        elif holding.holder == "transcript":
            self._receive_turns(holding.name, content)
        elif holding.holder == "version":
            self._receive_version(holding.name, content)
        else:
            self._documents.put(holding.name, content)

    def _receive_journal(self, content: bytes | None) -> None:
        if content is None:
            self._rows.do("DELETE FROM journal WHERE agent = %s")
        else:
            lines = content.split(b"\n")[:-1]
            events = [decode(line) for line in lines]
            statement = (
                "INSERT INTO journal(agent, seq, type, line)"
                " SELECT %s, * FROM unnest(%s::bigint[], %s::text[], %s::bytea[])"
            )
            given = [event.seq for event in events], [event.type for event in events], lines
            self._rows.do(statement, *given)
        with self._rows.moment() as moment:
            moment.pop(TAIL, None)

    def _receive_turns(self, name: str, content: bytes | None) -> None:
        last, is_archive = name.rpartition("/")[2], name.startswith(_ARCHIVED)
        session = session_of(last) or ""
        state = self._transcripts.state(session)
        if content is None:
            sign = "<=" if is_archive else ">"
            statement = f"DELETE FROM turns WHERE agent = %s AND session = %s AND n {sign} %s"
            self._rows.do(statement, last, state.archived)
            upto = 0 if is_archive else state.archived
            end = state.last if is_archive and state.last > state.archived else upto
            self._transcripts.put_state(last, RowSession(end, upto, self._rows.wrote))
            return
        lines = content.split(b"\n")[:-1]
        turns = [decode_turn(line, session) for line in lines]
        self._transcripts.put_lines(last, turns, lines)
        end = turns[-1].n
        state = RowSession(max(end, state.last), end if is_archive else state.archived, self._rows.wrote)
        self._transcripts.put_state(last, state)

    def _receive_version(self, name: str, content: bytes | None) -> None:
        _, file, hash_ = name.split("/")
        self._rows.do("DELETE FROM versions WHERE agent = %s AND file = %s AND hash = %s", file, hash_)
        if content is not None:
            statement = "INSERT INTO versions(agent, file, hash, content) VALUES (%s, %s, %s, %s)"
            self._rows.do(statement, file, hash_, content)
