"""Transcripts in PostgreSQL: each turn as it was sealed, by its session and number.

A session is known by the name that its file would have: that is plain ASCII, whatever the key is.
"""

import json
from collections.abc import Mapping, Sequence

from almario.domain.documents.document import encoded
from almario.domain.journal_lines import is_sealed, seal
from almario.domain.messages import Sentence
from almario.domain.model import Damage
from almario.domain.turns import ARCHIVE, Turn, encode_turn, readable_turn, session_of, transcript_name
from almario_postgres.agent_rows import AgentRows, RowSession

_FOLDER, _ARCHIVE = "sessions", f"sessions/{ARCHIVE}"
# Under this name all sessions are known.
_SESSIONS = "sessions"
# How many missing turns are named.
_NAMED = 9


class PostgresTranscripts:
    """Reads the sessions of one agent."""

    def __init__(self, rows: AgentRows) -> None:
        self._rows = rows

    def sessions(self) -> list[str]:
        return sorted(self.marks())

    def marks(self) -> Mapping[str, object]:
        """Return all sessions, each with the number of the write that changed it."""
        return {session_of(name) or "": found.changed for name, found in self._all().items() if found.last}

    def read(self, session: str, *, after: int = 0, last: int = 0) -> list[Turn]:
        """Return the readable turns of a session that follow its turn number *after*, in order."""
        query = "SELECT line FROM turns WHERE agent = %s AND session = %s AND n > %s ORDER BY n DESC"
        limit = f" LIMIT {int(last)}" if last else ""
        with self._rows.moment():
            if self.last_number(session) <= after:
                return []
            found = self._rows.select(query + limit, transcript_name(session), after)
        turns = [readable_turn(line, session) for (line,) in reversed(found)]
        return [turn for turn in turns if turn]

    def first(self, session: str) -> Turn | None:
        """Return the earliest turn of a session that can be read."""
        query = "SELECT line FROM turns WHERE agent = %s AND session = %s ORDER BY n LIMIT 1"
        found = [
            readable_turn(line, session) for (line,) in self._rows.select(query, transcript_name(session))
        ]
        return next(iter(self.read(session)), None) if found == [None] else next(iter(found), None)

    def last_number(self, session: str) -> int:
        """Return the highest number that was given out."""
        return self.state(session).last

    def archived(self, session: str) -> int:
        return self.state(session).archived

    def speakers(self, session: str) -> frozenset[str]:
        query = (
            "SELECT DISTINCT stranger FROM turns WHERE agent = %s AND session = %s AND stranger IS NOT NULL"
        )
        return frozenset(json.loads(name) for (name,) in self._rows.select(query, transcript_name(session)))

    def check(self) -> list[Damage]:
        found: list[Damage] = []
        query = "SELECT n, line FROM turns WHERE agent = %s AND session = %s ORDER BY n"
        for name, state in self._all().items():
            known, session = set(), session_of(name) or ""
            for n, line in self._rows.select(query, name):
                known.add(n)
                turn = readable_turn(line, session)
                if not is_sealed(line) or turn is None or turn.n != n:
                    problem = Sentence("is not a line that Almario wrote")
                    found.append(Damage(f"{_FOLDER}/{name}", n, problem))
            if missing := sorted(set(range(1, state.last + 1)) - known):
                numbers = ", ".join(str(n) for n in missing[:_NAMED])
                problem = Sentence(
                    "is missing turns that were written, including number {numbers}", numbers=numbers
                )
                found.append(Damage(f"{_FOLDER}/{name}", None, problem))
        return found

    def state(self, session: str) -> RowSession:
        """Return what is known of a session."""
        return self._all().get(transcript_name(session), RowSession())

    def names(self) -> dict[str, int]:
        """Return the names under which turns can be read, each with the write that changed its session."""
        every = self._all().items()
        current = {f"{_FOLDER}/{name}": each.changed for name, each in every if each.last > each.archived}
        return current | {f"{_ARCHIVE}/{name}": each.changed for name, each in every if each.archived}

    def lines(self, name: str) -> list[bytes] | None:
        """Return the sealed turns that can be read under a name; None if none can."""
        return [line for _, line in rows] if (rows := self.rows(name)) else None

    def rows(self, name: str) -> list[tuple[int, bytes]]:
        """Return the same with their numbers."""
        folder, _, last = name.rpartition("/")
        if folder not in (_FOLDER, _ARCHIVE) or session_of(last) is None:
            return []
        with self._rows.moment():
            upto = self._all().get(last, RowSession()).archived
            sign = ">" if folder == _FOLDER else "<="
            query = f"SELECT n, line FROM turns WHERE agent = %s AND session = %s AND n {sign} %s ORDER BY n"
            return self._rows.select(query, last, upto)

    def put(self, turns: Sequence[Turn]) -> None:
        """Add turns to their session, in the write that is open."""
        name = transcript_name(turns[0].session)
        state = self._all().get(name, RowSession())._replace(last=turns[-1].n, changed=self._rows.wrote)
        lines = [seal(encoded(encode_turn(turn)))[:-1] for turn in turns]
        with self._rows.at_once():
            self.put_lines(name, turns, lines)
            self.put_state(name, state)

    def put_lines(self, name: str, turns: Sequence[Turn], lines: Sequence[bytes]) -> None:
        """Add turns to a session as their sealed *lines*."""
        statement = (
            "INSERT INTO turns(agent, session, n, line, stranger)"
            " SELECT %s, %s, * FROM unnest(%s::bigint[], %s::bytea[], %s::text[])"
        )
        numbers, strangers = [turn.n for turn in turns], [stranger_in(turn) for turn in turns]
        self._rows.do(statement, name, numbers, list(lines), strangers)

    def archive(self, session: str, upto: int) -> int:
        """Say that the turns up to number *upto* are in the archive; return how many came there."""
        name, state = transcript_name(session), self.state(session)
        query = "SELECT count(*), max(n) FROM turns WHERE agent = %s AND session = %s AND n > %s AND n <= %s"
        [(count, last)] = self._rows.select(query, name, state.archived, upto)
        if count:
            self.put_state(name, state._replace(archived=last, changed=self._rows.wrote))
        return int(count)

    def rewrite(self, name: str, lines: Mapping[int, bytes]) -> None:
        """Put other lines in the place of some turns."""
        last = name.rpartition("/")[2]
        session = session_of(last) or ""
        changed = [(last, n, line, stranger_in(readable_turn(line, session))) for n, line in lines.items()]
        self._rows.do_each(
            "INSERT INTO turns(agent, session, n, line, stranger) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (agent, session, n) DO UPDATE"
            " SET line = excluded.line, stranger = excluded.stranger",
            changed,
        )
        self.put_state(last, self._all()[last]._replace(changed=self._rows.wrote))

    def put_state(self, name: str, state: RowSession) -> None:
        """Keep how far a session is."""
        self._rows.do(
            "INSERT INTO sessions(agent, session, last, archived, changed) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (agent, session) DO UPDATE"
            " SET last = excluded.last, archived = excluded.archived, changed = excluded.changed",
            name,
            *state,
        )
        self._rows.changed()
        with self._rows.moment() as moment:
            moment[_SESSIONS] = {**self._all(), name: state}

    def _all(self) -> dict[str, RowSession]:
        with self._rows.moment() as moment:
            if _SESSIONS not in moment:
                query = "SELECT session, last, archived, changed FROM sessions WHERE agent = %s"
                moment[_SESSIONS] = {name: RowSession(*rest) for name, *rest in self._rows.select(query)}
            found: dict[str, RowSession] = moment[_SESSIONS]
            return found


def stranger_in(turn: Turn | None) -> str | None:
    """Return who spoke in a turn, as JSON, if that was somebody else than the owner."""
    is_one = turn and turn.role == "user" and turn.origin != "owner" and turn.speaker
    return json.dumps(turn.speaker) if turn and is_one else None
