"""Memories as the journal leaves them, and every change of them, in PostgreSQL."""

import json
from collections.abc import Collection, Mapping, Sequence
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
from almario.domain.memories import Change, Column, Memory, Recorded, Wanted, applied
from almario.domain.records import written
from almario.errors import Damaged
from almario_postgres.columns import SIGN, loaded, open_write, stored
from almario_postgres.database import Bound
from almario_postgres.known_rows import KnownRows

if TYPE_CHECKING:
    from psycopg import Connection

_POSTGRES = Dialect(
    place="%s",
    among=lambda column, values: (f"{column} = ANY(?)", [list(values)]),
    has="strpos({}, ?) > 0",
    rests="EXISTS (SELECT FROM evidence e WHERE e.agent = memories.agent AND e.id = memories.id AND {})",
    erased="EXISTS (SELECT FROM notes n WHERE n.agent = memories.agent AND n.name = 'erased:' || id)",
    compared="{}",
    stored=stored,
)
_PLACES = ", ".join(["%s"] * len(ALL_COLUMNS))
_PUT = (
    f"INSERT INTO memories(agent, {', '.join(ALL_COLUMNS)}, number)"
    f" SELECT %s, {_PLACES}, coalesce(max(number), 0) + 1 FROM memories WHERE agent = %s"
    f" ON CONFLICT (agent, id) DO UPDATE SET ({', '.join(ALL_COLUMNS)}) ="
    f" ({', '.join(f'excluded.{name}' for name in ALL_COLUMNS)})"
)
_RECORD = (
    "INSERT INTO changes(agent, seq, nth, id, at, actor, verb, change, of)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (agent, seq, nth) DO UPDATE SET"
    " (id, at, actor, verb, change, of) ="
    " (excluded.id, excluded.at, excluded.actor, excluded.verb, excluded.change, excluded.of)"
)
# How far the journal was followed, and in which form what follows from it is kept.
_POSITION, _FORM = "position", "form"
_NOTE = (
    f"WITH form AS (INSERT INTO notes(agent, name, value) VALUES (%s, '{_FORM}', %s) ON CONFLICT DO NOTHING)"
    " INSERT INTO notes(agent, name, value) VALUES (%s, %s, %s)"
    " ON CONFLICT (agent, name) DO UPDATE SET value = excluded.value"
)
# So many notes are read at once.
_FEW = 200
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

    def position(self) -> tuple[int, str]:
        found = self._few_notes()
        if found is None:
            query = "SELECT name, value FROM notes WHERE agent = %s AND name = ANY(%s)"
            found = dict(self._read(query, [self._bound.agent, [_POSITION, _FORM]]))
        if (form := found.get(_FORM, self._form)) != self._form:
            why = f"made in the form {form}, wanted is {self._form}"
            raise Damaged("{path} is damaged: {why}", path="index", why=why)
        seq, _, event_id = found.get(_POSITION, "").partition(" ")
        return int(seq or 0), event_id

    def apply(self, event: Event) -> Sequence[Memory]:
        body = event.body
        changed: dict[str, Memory] = {}
        with open_write(self._bound) as connection:
            if isinstance(body, MemoriesChanged):
                for nth, change in enumerate(body.changes):
                    changed[change["id"]] = self._change(connection, event, body, nth, change)
            self.note(_POSITION, f"{event.seq} {event.id}")
        return list(changed.values())

    def select(self, wanted: Wanted) -> list[Memory]:
        where, given = self._condition(wanted)
        if wanted.most:
            best = f"SELECT number FROM memories WHERE {where} ORDER BY {CORE_FIRST} LIMIT {wanted.most}"
            where, given = f"agent = %s AND number IN ({best})", [self._bound.agent, *given]
        order = "at DESC, number DESC" if wanted.newest else "number"
        part = f"LIMIT {wanted.limit or 'ALL'} OFFSET {wanted.offset}"
        query = f"SELECT {COLUMNS} FROM memories WHERE {where} ORDER BY {order} {part}"
        return [_memory(row) for row in self._read(query, given)]

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
        if (few := self._few_notes()) is not None:
            return few.get(name, "")
        query = "SELECT value FROM notes WHERE agent = %s AND name = %s"
        found = self._read(query, [self._bound.agent, stored(name)])
        return loaded(found[0][0]) if found else ""

    def notes(self, prefix: str) -> Mapping[str, str]:
        if (few := self._few_notes()) is not None:
            return {name[len(prefix) :]: text for name, text in few.items() if name.startswith(prefix)}
        first = stored(prefix)
        query = "SELECT name, value FROM notes WHERE agent = %s AND name >= %s AND name < %s ORDER BY name"
        rows = self._read(query, [self._bound.agent, first, first + "\U0010ffff"])
        return {loaded(name)[len(prefix) :]: loaded(value) for name, value in rows}

    def _few_notes(self) -> Mapping[str, str] | None:
        """Return all notes, which are then asked for once; None if they are many, or a write is open."""
        if self._bound.is_writing:
            return None
        query = f"SELECT name, value FROM notes WHERE agent = %s ORDER BY name LIMIT {_FEW + 1}"
        rows = self._read(query, [self._bound.agent])
        return {loaded(name): loaded(value) for name, value in rows} if len(rows) <= _FEW else None

    def note(self, name: str, text: str) -> None:
        with open_write(self._bound) as connection:
            agent = self._bound.agent
            connection.execute(_NOTE, (agent, self._form, agent, stored(name), stored(text)))

    def _condition(self, wanted: Wanted) -> tuple[str, list[Any]]:
        where, given = condition(wanted, _POSTGRES)
        return f"agent = %s AND {where}", [self._bound.agent, *given]

    def _read(self, query: str, given: Sequence[Any]) -> list[Any]:
        question = (query, *(tuple(each) if isinstance(each, list) else each for each in given))
        return self._known.of(question, lambda each: each.execute(query.encode(), given).fetchall())

    def _change(
        self, connection: "Connection", event: Event, body: MemoriesChanged, nth: int, change: Change
    ) -> Memory:
        agent = self._bound.agent
        query = f"SELECT {COLUMNS} FROM memories WHERE agent = %s AND id = %s"
        found = connection.execute(query, (agent, stored(change["id"]))).fetchone()
        memory = applied(_memory(found) if found else None, change, seq=event.seq, at=event.at)
        row = [stored(value) if isinstance(value, str) else value for value in row_of(memory)]
        connection.execute(_PUT, (agent, *row, agent))
        if turns := change.get("evidence", ()):
            connection.execute(
                "INSERT INTO evidence(agent, turn, id) SELECT %s, unnest(%s::text[]), %s"
                " ON CONFLICT DO NOTHING",
                (agent, [stored(turn) for turn in turns], stored(memory.id)),
            )
        if gone := change.get("without", ()):
            query = "DELETE FROM evidence WHERE agent = %s AND turn = ANY(%s) AND id = %s"
            connection.execute(query, (agent, [stored(turn) for turn in gone], stored(memory.id)))
        encoded = json.dumps(change, ensure_ascii=False)
        texts = (change["id"], written(event.at), event.actor, body.verb, encoded)
        connection.execute(_RECORD, (agent, event.seq, nth, *map(stored, texts), body.of))
        return memory


def throw_away(bound: Bound) -> None:
    """Delete all that is derived for an agent."""
    with open_write(bound) as connection:
        for table in _TABLES:
            connection.execute(f"DELETE FROM {table} WHERE agent = %s", (bound.agent,))


def _memory(row: Sequence[Any]) -> Memory:
    signed = any(isinstance(value, str) and SIGN in value for value in row)
    return memory_of([loaded(value) if isinstance(value, str) else value for value in row] if signed else row)
