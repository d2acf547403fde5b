"""Memories as the journal leaves them, and every change of them, in PostgreSQL."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from almario.adapters.memory_rows import (
    ALL_COLUMNS,
    COLUMNS,
    CORE_FIRST,
    Dialect,
    condition,
    memory_of,
    row_of,
    select_columns,
)
from almario.domain.events import Event, MemoriesChanged
from almario.domain.memories import Column, Memory, Recorded, Wanted, applied
from almario.domain.records import written
from almario.errors import Damaged
from almario.named_tuples import NamedTuple
from almario_postgres.columns import SIGN, as_records, columns_of, loaded, open_write, stored
from almario_postgres.database import Bound
from almario_postgres.known_rows import KnownRows

if TYPE_CHECKING:
    from psycopg import Connection

# How far the journal was followed, and in which form what follows from it is kept.
_POSITION, _FORM = "position", "form"
_KINDS = dict.fromkeys(ALL_COLUMNS, "text") | {"seq": "bigint", "support": "double precision"}
_CHANGES = {
    "seq": "bigint",
    "nth": "int",
    "id": "text",
    "at": "text",
    "actor": "text",
    "verb": "text",
    "change": "text",
    "of": "bigint",
}
_PUT = f"""WITH put AS (
        INSERT INTO memories(agent, {", ".join(ALL_COLUMNS)}, number)
        SELECT %(agent)s, {", ".join(f"a.{name}" for name in ALL_COLUMNS)}, a.number + (
            SELECT coalesce(max(m.number), 0) FROM memories m WHERE m.agent = %(agent)s)
        FROM json_to_recordset(%(memories)s) a(number bigint, {columns_of(_KINDS)})
        ON CONFLICT (agent, id) DO UPDATE SET ({", ".join(ALL_COLUMNS)}) =
            ({", ".join(f"excluded.{name}" for name in ALL_COLUMNS)}) RETURNING id, number
    ), told AS (
        INSERT INTO evidence(agent, turn, id)
        SELECT %(agent)s, * FROM json_to_recordset(%(evidence)s) a(turn text, id text) ON CONFLICT DO NOTHING
    ), recorded AS (
    INSERT INTO changes(agent, {", ".join(_CHANGES)})
    SELECT %(agent)s, * FROM json_to_recordset(%(changes)s) a({columns_of(_CHANGES)})
    ON CONFLICT (agent, seq, nth) DO UPDATE SET (id, at, actor, verb, change, of) =
        (excluded.id, excluded.at, excluded.actor, excluded.verb, excluded.change, excluded.of)
    ), form AS (
        INSERT INTO notes(agent, name, value) VALUES (%(agent)s, '{_FORM}', %(form)s) ON CONFLICT DO NOTHING
    ), noted AS (
        INSERT INTO notes(agent, name, value) SELECT %(agent)s, key, value FROM json_each_text(%(notes)s)
        ON CONFLICT (agent, name) DO UPDATE SET value = excluded.value
    )
    SELECT id, number FROM put"""
_TAKE_EVIDENCE = """DELETE FROM evidence e USING json_to_recordset(%(evidence)s) a(turn text, id text)
    WHERE e.agent = %(agent)s AND e.turn = a.turn AND e.id = a.id"""
# Under this name the notes are known, if they are few; and those that were looked for, if they are many.
_NOTES = "notes"
# Under this name memories are known by their ids, with their numbers; None is none.
_MEMORIES = "memories"
# So many notes are read at once.
_FEW = 200
# So many memories are known.
_MOST = 4000
_TABLES = (
    *("sources", "passages", "terms", "moments", "vectors", "totals"),
    *("memories", "changes", "evidence", "notes"),
)


class PostgresShelf:
    """The memories of one agent; *form* changes when the same journal and files would give other rows."""

    def __init__(self, bound: Bound, form: str) -> None:
        self._bound = bound
        self._form = form
        self._known = KnownRows(bound)
        own = f"SELECT e.id FROM evidence e WHERE e.agent = {bound.agent} AND {{}}"
        self._dialect = Dialect(
            place="%s",
            among=lambda column, values: (f"{column} = ANY(?)", [list(values)]),
            has="strpos({}, ?) > 0",
            rests=f"id = ANY(ARRAY({own}))",  # read once, whatever the server guesses of it
            erased="EXISTS (SELECT FROM notes n WHERE n.agent = memories.agent AND n.name = 'erased:' || id)",
            compared="{}",
            stored=stored,
        )

    def position(self) -> tuple[int, str]:
        with self._bound.reading():  # both are of one moment
            form, position = (self._noted(name) for name in (_FORM, _POSITION))
        if (form or self._form) != self._form:
            why = f"made in the form {form}, wanted is {self._form}"
            raise Damaged("{path} is damaged: {why}", path="index", why=why)
        seq, _, event_id = position.partition(" ")
        return int(seq or 0), event_id

    def apply(self, event: Event, notes: Mapping[str, str] | None = None) -> Sequence[Memory]:
        texts = {**(notes or {}), _POSITION: f"{event.seq} {event.id}"}
        with open_write(self._bound) as connection:
            return self._take(connection, event, texts)

    def select(self, wanted: Wanted) -> list[Memory]:
        if len(wanted.ids) > 1 and wanted._replace(ids=(), kinds=(), states=(), origins=()) == Wanted():
            return self._named(wanted)
        where, given = self._condition(wanted)
        if wanted.most:
            best = f"SELECT number FROM memories WHERE {where} ORDER BY {CORE_FIRST} LIMIT {wanted.most}"
            where, given = f"agent = %s AND number IN ({best})", [self._bound.agent, *given]
        order = "at DESC, number DESC" if wanted.newest else "number"
        part = f"LIMIT {wanted.limit or 'ALL'} OFFSET {wanted.offset}"
        query = f"SELECT {COLUMNS} FROM memories WHERE {where} ORDER BY {order} {part}"
        return [_memory(row) for row in self._read(query, given)]

    def _named(self, wanted: Wanted) -> list[Memory]:
        """Return memories by their ids; those that were read before are at hand."""
        with self._bound.reading() as connection:
            known: dict[str, tuple[int, Memory] | None] = self._bound.moment.get(_MEMORIES, {})
            if unread := [stored(one) for one in wanted.ids if one not in known]:
                query = f"SELECT number, {COLUMNS} FROM memories WHERE agent = %s AND id = ANY(%s)"
                rows = connection.execute(query, (self._bound.agent, unread)).fetchall()
                found = {memory.id: (row[0], memory) for row in rows for memory in [_memory(row[1:])]}
                kept = known if len(known) < _MOST else {}
                known = {**kept, **{one: known.get(one) for one in wanted.ids}, **found}
                self._bound.moment[_MEMORIES] = known
        rows = sorted(row for one in set(wanted.ids) if (row := known.get(one)))
        return [
            memory
            for _, memory in rows
            if (not wanted.kinds or memory.kind in wanted.kinds)
            and (not wanted.states or memory.state in wanted.states)
            and (not wanted.origins or memory.origin in wanted.origins)
        ]

    def extent(self, wanted: Wanted) -> tuple[int, int]:
        where, given = self._condition(wanted)
        query = f"SELECT count(*), coalesce(max(seq), 0) FROM memories WHERE {where}"
        [[count, seq]] = self._read(query, given)
        return int(count), int(seq)

    def tally(self, wanted: Wanted, *columns: Column) -> Mapping[tuple[str, ...], int]:
        where, given = self._condition(wanted)
        places = ", ".join(str(place) for place in range(1, len(columns) + 1))
        counted = [f'{each} COLLATE "C"' for each in select_columns(columns, wanted.standing)]
        grouped = f"GROUP BY {places} ORDER BY {places}"
        query = f"SELECT {', '.join(counted)}, count(*) FROM memories WHERE {where} {grouped}"
        return {tuple(row[:-1]): int(row[-1]) for row in self._read(query, given)}

    def history(
        self, *, memory: str = "", after: int = 0, verbs: Collection[str] = (), last: int = 0
    ) -> list[Recorded]:
        where, given = "agent = %s AND seq > %s", list[Any]([self._bound.agent, after])
        if memory:
            where, given = f"{where} AND id = %s", [*given, stored(memory)]
        if verbs:
            where, given = f"{where} AND verb = ANY(%s)", [*given, list(map(stored, verbs))]
        part = f"ORDER BY seq DESC, nth DESC LIMIT {last or 'ALL'}"
        rows = self._read(f"SELECT seq, at, actor, verb, change, of FROM changes WHERE {where} {part}", given)
        return [
            Recorded(
                seq, datetime.fromisoformat(at), loaded(actor), loaded(verb), json.loads(loaded(change)), of
            )
            for seq, at, actor, verb, change, of in reversed(rows)
        ]

    def keys(self) -> Mapping[str, int]:
        query = """SELECT (array_agg(key ORDER BY number DESC))[1], count(*) FROM memories
                   WHERE agent = %s AND state = 'live' AND origin <> 'untrusted' AND same_key <> ''
                   GROUP BY same_key ORDER BY same_key"""
        return {loaded(key): count for key, count in self._read(query, [self._bound.agent])}

    def noted(self, name: str) -> str:
        return self._noted(name)

    def notes(self, prefix: str, names: Collection[str] | None = None) -> Mapping[str, str]:
        with self._bound.reading() as connection:
            known = self._known_notes(connection)
            if names is not None:
                wanted = [prefix + name for name in names]
                found = {name: known.few[name] for name in wanted if name in known.few}
                if not known.is_all and wanted:
                    query = "SELECT name, value FROM notes WHERE agent = %s AND name = ANY(%s)"
                    rows = connection.execute(query, (self._bound.agent, list(map(stored, wanted))))
                    found = {loaded(name): loaded(value) for name, value in rows}
            elif known.is_all:
                found = {name: text for name, text in known.few.items() if name.startswith(prefix)}
            elif (seen := known.begun.get(prefix)) is not None:
                return seen
            else:
                query = "SELECT name, value FROM notes WHERE agent = %s AND name >= %s AND name < %s"
                first = stored(prefix)
                rows = connection.execute(query, (self._bound.agent, first, first + "\U0010ffff"))
                found = {loaded(name): loaded(value) for name, value in rows}
                own = {name[len(prefix) :]: text for name, text in found.items()}
                if len(own) <= _FEW:
                    self._know(known._replace(begun={**known.begun, prefix: own}))
        return {name[len(prefix) :]: text for name, text in found.items()}

    def note(self, name: str, text: str) -> None:
        with open_write(self._bound) as connection:
            self._take(connection, None, {name: text})

    def _noted(self, name: str) -> str:
        with self._bound.reading() as connection:
            known = self._known_notes(connection)
            if name not in known.few and not known.is_all:
                query = "SELECT value FROM notes WHERE agent = %s AND name = %s"
                row = connection.execute(query, (self._bound.agent, stored(name))).fetchone()
                known = known._replace(few={**known.few, name: loaded(row[0]) if row else ""})
                self._know(known)
            return known.few.get(name, "")

    def _known_notes(self, connection: "Connection") -> "KnownNotes":
        """Return what is known of the notes; all of them, where they are few."""
        if _NOTES not in self._bound.moment:
            query = f"SELECT name, value FROM notes WHERE agent = %s ORDER BY name LIMIT {_FEW + 1}"
            rows = connection.execute(query, (self._bound.agent,)).fetchall()
            few = {loaded(name): loaded(value) for name, value in rows}
            self._know(KnownNotes(few, {}, len(rows) <= _FEW))
        found: KnownNotes = self._bound.moment[_NOTES]
        return found

    def _know(self, notes: "KnownNotes") -> None:
        if len(notes.few) > 2 * _FEW:
            self._bound.moment.pop(_NOTES, None)
        else:
            self._bound.moment[_NOTES] = notes

    def _condition(self, wanted: Wanted) -> tuple[str, list[Any]]:
        where, given = condition(wanted, self._dialect)
        return f"agent = %s AND {where}", [self._bound.agent, *given]

    def _read(self, query: str, given: Sequence[Any]) -> list[Any]:
        question = (query, *(tuple(each) if isinstance(each, list) else each for each in given))
        return self._known.of(question, lambda each: each.execute(query.encode(), given).fetchall())

    def _take(
        self, connection: "Connection", event: Event | None, notes: Mapping[str, str]
    ) -> Sequence[Memory]:
        """Take in all that an event changes, and notes, at once; return the memories that are others now."""
        body = event.body if event and isinstance(event.body, MemoriesChanged) else None
        ids = tuple(dict.fromkeys(change["id"] for change in body.changes)) if body else ()
        changed = {memory.id: memory for memory in self._named(Wanted(ids=ids))} if ids else {}
        known_notes = self._known_notes(connection)
        rests: dict[tuple[str, str], bool] = {}
        records = []
        for nth, change in enumerate(body.changes if event and body else ()):
            assert event
            assert body
            one = change["id"]
            changed[one] = applied(changed.get(one), change, seq=event.seq, at=event.at)
            rests |= {(turn, one): True for turn in change.get("evidence", ())}
            rests |= {(turn, one): False for turn in change.get("without", ())}
            texts = (one, written(event.at), event.actor, body.verb, json.dumps(change, ensure_ascii=False))
            records.append((event.seq, nth, *map(stored, texts), body.of))
        memories = [changed[one] for one in ids]
        rows = [(number, *row_of(memory)) for number, memory in enumerate(memories, 1)]
        turns = [(stored(turn), stored(one)) for (turn, one), is_there in rests.items() if is_there]
        given = {
            "agent": self._bound.agent,
            "memories": as_records(("number", *ALL_COLUMNS), _as_stored(rows)),
            "evidence": as_records(("turn", "id"), turns),
            "changes": as_records(_CHANGES, records),
            "form": self._form,
            "notes": json.dumps({stored(name): stored(text) for name, text in notes.items()}),
        }
        numbers = {loaded(one): number for one, number in connection.execute(_PUT, given).fetchall()}
        if gone := [(stored(turn), stored(one)) for (turn, one), is_there in rests.items() if not is_there]:
            gave = {"agent": self._bound.agent, "evidence": as_records(("turn", "id"), gone)}
            connection.execute(_TAKE_EVIDENCE, gave)
        self._know(known_notes.with_others({_FORM: known_notes.few.get(_FORM) or self._form, **notes}))
        if ids:
            others = {memory.id: (numbers[memory.id], memory) for memory in memories}
            self._bound.moment[_MEMORIES] = {**self._bound.moment.get(_MEMORIES, {}), **others}
        return memories


class KnownNotes(NamedTuple):
    """Notes by their names, and those that begin alike by the rest of theirs; *is_all*: there are no others.

    What is not there is known, too: it is nothing.
    """

    few: Mapping[str, str]
    begun: Mapping[str, Mapping[str, str]]
    is_all: bool

    def with_others(self, texts: Mapping[str, str]) -> "KnownNotes":
        """Return them with what is written under some names."""
        begun = {
            prefix: {
                **seen,
                **{name[len(prefix) :]: text for name, text in texts.items() if name.startswith(prefix)},
            }
            for prefix, seen in self.begun.items()
        }
        return KnownNotes({**self.few, **texts}, begun, self.is_all)


def throw_away(bound: Bound) -> None:
    """Delete all that is derived for an agent."""
    with open_write(bound) as connection:
        for table in _TABLES:
            connection.execute(f"DELETE FROM {table} WHERE agent = %s", (bound.agent,))
        bound.moment.clear()


def _as_stored(rows: Iterable[Sequence[Any]]) -> Iterator[list[Any]]:
    return ([stored(value) if isinstance(value, str) else value for value in row] for row in rows)


def _memory(row: Sequence[Any]) -> Memory:
    signed = any(isinstance(value, str) and SIGN in value for value in row)
    return memory_of([loaded(value) if isinstance(value, str) else value for value in row] if signed else row)
