"""Memories as the journal leaves them, and every change of them, in SQLite."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

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
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.memories_at_hand import HELD, chosen, is_at_hand, read, stored
from almario.adapters.sqlite.rows_held import Held
from almario.domain.events import Event, MemoriesChanged
from almario.domain.memories import Change, Column, Memory, Recorded, Wanted, applied, same_key
from almario.domain.records import written
from almario.domain.withheld import MASK

if TYPE_CHECKING:
    from apsw import Connection

_SCHEMA = (
    """CREATE TABLE memories(
        number INTEGER PRIMARY KEY, id TEXT UNIQUE, key TEXT, value TEXT, kind TEXT, source TEXT, origin TEXT,
        at TEXT, renewed TEXT, valid_from TEXT, valid_to TEXT, state TEXT, by TEXT, evidence TEXT, path TEXT,
        seq INTEGER, audience TEXT, dated TEXT, support REAL, place TEXT,
        same_key TEXT, same_value TEXT)""",
    # With the ids, so that those of a key are known without reading the memories.
    "CREATE INDEX memories_of_key ON memories(same_key, same_value, id)",
    "CREATE INDEX memories_by_kind ON memories(kind, state, origin, seq)",
    # All that pages and counts look at, so that they need not read the memories themselves.
    """CREATE INDEX memories_in_time ON memories(
        at, number, state, kind, origin, source, valid_to, renewed, valid_from, seq)""",
    f"CREATE INDEX memories_hiding ON memories(number) WHERE instr(value, '{MASK}')",
    f"CREATE INDEX memories_core ON memories({CORE_FIRST})",
    "CREATE INDEX memories_dated ON memories(dated) WHERE dated <> ''",
    "CREATE INDEX memories_marked ON memories(number) WHERE by <> ''",
    "CREATE INDEX memories_by_path ON memories(path) WHERE path <> ''",
    """CREATE TABLE changes(
        seq INTEGER, nth INTEGER, id TEXT, at TEXT, actor TEXT, verb TEXT, change TEXT, of INTEGER,
        PRIMARY KEY(seq, nth)) WITHOUT ROWID""",
    "CREATE INDEX changes_by_id ON changes(id, seq)",
    "CREATE INDEX changes_by_verb ON changes(verb, seq)",
    "CREATE TABLE evidence(turn TEXT, id TEXT, PRIMARY KEY(turn, id)) WITHOUT ROWID",
)
_INSERT = f"INSERT INTO memories({', '.join(ALL_COLUMNS)}) VALUES ({', '.join('?' * len(ALL_COLUMNS))})"
_UPDATE = f"UPDATE memories SET {', '.join(f'{name} = ?' for name in ALL_COLUMNS)} WHERE id = ?"
_EXTENTS = "extents"
_LISTED_IDS = "id IN (SELECT value FROM json_each(?))"
# SQLite takes a bounded number of parameters; a longer list of ids is asked for in parts.
_MOST_IDS = 500
_SQLITE = Dialect(
    place="?",
    among=lambda column, values: (f"{column} IN ({', '.join('?' * len(values))})", values),
    has="instr({}, ?)",
    rests="id IN (SELECT id FROM evidence WHERE {})",
    erased="EXISTS (SELECT 1 FROM meta WHERE meta.key = 'erased:' || id)",
    compared="+{}",
    stored=stored,
)


class SqliteShelf:
    """A table in a database that it shares with the indexes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.require(*_SCHEMA)
        self._held = Held(database.touched, HELD)

    def position(self) -> tuple[int, str]:
        seq, _, event_id = self.noted("position").partition(" ")
        return int(seq or 0), event_id

    def apply(self, event: Event, notes: Mapping[str, str] | None = None) -> Sequence[Memory]:
        body = event.body
        changed: dict[str, Memory] = {}
        if isinstance(body, MemoriesChanged):
            for nth, change in enumerate(body.changes):
                changed[change["id"]] = self._change(event, body, nth, change)
        for name, text in {**(notes or {}), "position": f"{event.seq} {event.id}"}.items():
            self.note(name, text)
        return list(changed.values())

    def select(self, wanted: Wanted) -> list[Memory]:
        with self._database.reading() as connection:
            state, found = self._database.state(), None
            if state and is_at_hand(wanted):
                found = chosen(connection, self._held.rows(state), wanted)
            elif state and wanted.most:
                found = read(connection, self._held.rows(state), self._core(connection, wanted))
            return self._read(connection, wanted) if found is None else found

    def _read(self, connection: "Connection", wanted: Wanted) -> list[Memory]:
        if len(wanted.ids) > _MOST_IDS:
            first, rest = wanted.ids[:_MOST_IDS], wanted.ids[_MOST_IDS:]
            return self._read(connection, wanted._replace(ids=first)) + self._read(
                connection, wanted._replace(ids=rest)
            )
        where, given = condition(wanted, _SQLITE)
        if wanted.most:
            where, given = _LISTED_IDS, [json.dumps(self._core(connection, wanted))]
        order = "+number" if wanted.dated else "number"  # the few that are dated are found and then sorted
        order = "at DESC, number DESC" if wanted.newest else order
        if wanted.limit or wanted.offset:
            part = f"ORDER BY {order} LIMIT {wanted.limit or -1} OFFSET {wanted.offset}"
            where = f"number IN (SELECT number FROM memories WHERE {where} {part})"
        query = f"SELECT {COLUMNS} FROM memories WHERE {where} ORDER BY {order}"
        return [memory_of(row) for row in connection.execute(query, given)]

    def _core(self, connection: "Connection", wanted: Wanted) -> list[str]:
        where, given = condition(wanted, _SQLITE)
        # In the order of an index, so that the rest need not be looked at.
        query = f"SELECT id FROM memories WHERE {where} ORDER BY {CORE_FIRST} LIMIT {wanted.most}"
        return [memory for (memory,) in connection.execute(query, given)]

    def extent(self, wanted: Wanted) -> tuple[int, int]:
        # Of what depends on the moment, the index in the order of time has all that counts.
        where, given = condition(wanted._replace(newest=wanted.standing is not None), _SQLITE)
        query = f"SELECT count(*), ifnull(max(seq), 0) FROM memories WHERE {where}"
        with self._database.reading() as connection:
            kept = {} if wanted.standing else self._held.rows(self._database.state())
            known: dict[Wanted, tuple[int, int]] = kept.setdefault(_EXTENTS, {})
            if wanted not in known:
                [[count, seq]] = connection.execute(query, given)
                known[wanted] = int(count), int(seq)
            return known[wanted]

    def tally(self, wanted: Wanted, *columns: Column) -> Mapping[tuple[str, ...], int]:
        where, given = condition(wanted, _SQLITE)
        selected = select_columns(columns, wanted.standing)
        places = ", ".join(str(place) for place in range(1, len(selected) + 1))
        grouped = f"GROUP BY {places} ORDER BY {places}"
        query = f"SELECT {', '.join(selected)}, count(*) FROM memories WHERE {where} {grouped}"
        return {tuple(row[:-1]): int(row[-1]) for row in self._database.rows(query, given)}

    def history(
        self, *, memory: str = "", after: int = 0, verbs: Collection[str] = (), last: int = 0
    ) -> list[Recorded]:
        only, given = (" AND id = ?", [after, memory]) if memory else ("", [after])
        if verbs:
            only += f" AND verb IN ({', '.join('?' * len(verbs))})"
        where = f"FROM changes WHERE seq > ?{only} ORDER BY seq DESC, nth DESC LIMIT {last or -1}"
        query = f"SELECT seq, at, actor, verb, change, of {where}"
        found = self._database.rows(query, [*given, *verbs])
        return [
            Recorded(seq, datetime.fromisoformat(at), actor, verb, json.loads(change), of)
            for seq, at, actor, verb, change, of in reversed(found)
        ]

    def keys(self) -> Mapping[str, int]:
        query = """SELECT key, count(*), max(number) FROM memories
                   WHERE state = 'live' AND origin <> 'untrusted' AND same_key <> ''
                   GROUP BY same_key ORDER BY same_key"""
        return {key: count for key, count, _ in self._database.rows(query)}

    def noted(self, name: str) -> str:
        return self._database.get(name) or ""

    def notes(self, prefix: str, names: Collection[str] | None = None) -> Mapping[str, str]:
        if names is not None:
            query = "SELECT substr(key, ?), value FROM meta WHERE key IN (SELECT value FROM json_each(?))"
            listed = json.dumps([stored(prefix + name) for name in names], ensure_ascii=False)
            return dict(self._database.rows(query, (len(prefix) + 1, listed)))
        query = "SELECT substr(key, ?), value FROM meta WHERE key >= ? AND key < ?"
        return dict(self._database.rows(query, (len(prefix) + 1, prefix, prefix + "\U0010ffff")))

    def note(self, name: str, text: str) -> None:
        self._database.set(name, text)

    def _change(self, event: Event, body: MemoriesChanged, nth: int, change: Change) -> Memory:
        with self._database.writing() as connection:
            found = connection.execute(
                f"SELECT {COLUMNS} FROM memories WHERE id = ?", (change["id"],)
            ).fetchone()
            memory = applied(memory_of(found) if found else None, change, seq=event.seq, at=event.at)
            row = row_of(memory)
            connection.execute(_UPDATE if found else _INSERT, (*row, memory.id) if found else row)
            turns, gone = change.get("evidence", ()), change.get("without", ())
            connection.executemany(
                "INSERT OR IGNORE INTO evidence VALUES (?, ?)", ((turn, memory.id) for turn in turns)
            )
            connection.executemany(
                "DELETE FROM evidence WHERE turn = ? AND id = ?", ((turn, memory.id) for turn in gone)
            )
            for each in (memory, *([memory_of(found)] if found else [])):
                self._database.touch((each.id, f"key:{same_key(each.key)}", f"path:{each.path}"))
            self._database.touch((_EXTENTS, *(f"turn:{turn}" for turn in (*turns, *gone))))
            encoded = json.dumps(change, ensure_ascii=False)
            recorded = (
                event.seq,
                nth,
                change["id"],
                written(event.at),
                event.actor,
                body.verb,
                encoded,
                body.of,
            )
            connection.execute("INSERT OR REPLACE INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", recorded)
        return memory
