"""The journal in PostgreSQL: each line as it was sealed, by its number."""

from collections.abc import Iterator

from almario.domain.events import Event, JournalMended
from almario.domain.journal_lines import readable
from almario.domain.messages import Sentence
from almario.domain.model import Damage
from almario.ports import Tail
from almario_postgres.agent_rows import AgentRows

NAME = "journal"
# Under this name its end is known.
TAIL = "journal's tail"
# So many lines are asked for at once where few of them are needed.
_PAGE = 200


class PostgresJournal:
    """Reads one agent's journal."""

    def __init__(self, rows: AgentRows) -> None:
        self._rows = rows

    def tail(self) -> Tail:
        """Find the end, without reading the rest, and only if it may be another."""
        with self._rows.moment() as moment:
            if TAIL not in moment:
                moment[TAIL] = self._read_tail()
            found: Tail = moment[TAIL]
            return found

    def read(self, *, after: int = 0) -> list[Event]:
        """Return the readable events that follow seq *after*, in order."""
        with self._rows.moment():
            seq, last = self.tail()
            if after >= seq:
                return []
            if last and after + 1 == last.seq == seq:
                return [last]
            query = "SELECT line FROM journal WHERE agent = %s AND seq > %s ORDER BY seq"
            events = [readable(line) for (line,) in self._rows.select(query, after)]
        return [event for event in events if event]

    def select(self, prefix: str) -> Iterator[Event]:
        query = (
            "SELECT seq, line FROM journal WHERE agent = %s AND type ~>=~ %s AND type ~<~ %s AND seq < %s"
            f" ORDER BY seq DESC LIMIT {_PAGE}"
        )
        before = (1 << 63) - 1
        while found := self._rows.select(query, prefix, f"{prefix}\U0010ffff", before):
            before = found[-1][0]
            yield from filter(None, (readable(line) for _, line in found))

    def first(self) -> Event | None:
        query = "SELECT line FROM journal WHERE agent = %s ORDER BY seq LIMIT 1"
        found = [readable(line) for (line,) in self._rows.select(query)]
        return next(iter(self.read()), None) if found == [None] else next(iter(found), None)

    def check(self) -> list[Damage]:
        found: list[Damage] = []
        gaps: list[range] = []
        mended: set[int] = set()
        known = 0
        for seq, line in self._rows.select("SELECT seq, line FROM journal WHERE agent = %s ORDER BY seq"):
            event = readable(line)
            if event is None or event.seq != seq:
                found.append(Damage(NAME, seq, Sentence("is not a line that Almario wrote")))
            elif isinstance(event.body, JournalMended):
                mended.update(event.body.lost)
            gaps += [range(known + 1, seq)] if seq > known + 1 else []
            known = seq
        problem = "comes after a gap: seq {first} to {last} are missing"
        lost = [gap for gap in gaps if not mended.issuperset(gap)]
        return found + [Damage(NAME, g.stop, Sentence(problem, first=g[0], last=g[-1])) for g in lost]

    def _read_tail(self) -> Tail:
        query = f"SELECT seq, line FROM journal WHERE agent = %s AND seq < %s ORDER BY seq DESC LIMIT {_PAGE}"
        seq, before = 0, (1 << 63) - 1
        one = "SELECT seq, line FROM journal WHERE agent = %s ORDER BY seq DESC LIMIT 1"
        found = self._rows.select(one)
        while found:
            seq, before = seq or found[0][0], found[-1][0]
            if last := next(filter(None, (readable(line) for _, line in found)), None):
                return Tail(seq, last)
            found = self._rows.select(query, before)
        return Tail(seq, None)
