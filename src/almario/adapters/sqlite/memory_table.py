"""Memories as the journal leaves them, and every change of them, in SQLite."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.held import Held, Rows
from almario.domain.documents.lines import folded
from almario.domain.events import Event, MemoriesChanged
from almario.domain.memories import (
    ORIGINS,
    STATES,
    Change,
    Column,
    Memory,
    Recorded,
    Standing,
    State,
    Wanted,
    applied,
    plain,
    same_key,
    same_value,
    state_at,
)
from almario.domain.records import written
from almario.errors import Damaged

if TYPE_CHECKING:
    from apsw import Connection

_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS memories(
        number INTEGER PRIMARY KEY, id TEXT UNIQUE, key TEXT, value TEXT, kind TEXT, source TEXT, origin TEXT,
        at TEXT, renewed TEXT, valid_from TEXT, valid_to TEXT, state TEXT, by TEXT, evidence TEXT, path TEXT,
        seq INTEGER, audience TEXT, dated TEXT, support REAL, same_key TEXT, same_value TEXT)""",
    "CREATE INDEX IF NOT EXISTS memories_by_key ON memories(same_key, same_value)",
    "CREATE INDEX IF NOT EXISTS memories_by_kind ON memories(kind, state, origin, seq)",
    # All that pages and counts look at, so that they need not read the memories themselves.
    """CREATE INDEX IF NOT EXISTS memories_by_time ON memories(
        at, number, state, kind, origin, source, valid_to, renewed, valid_from)""",
    "CREATE INDEX IF NOT EXISTS memories_dated ON memories(dated) WHERE dated <> ''",
    "CREATE INDEX IF NOT EXISTS memories_by_path ON memories(path) WHERE path <> ''",
    """CREATE TABLE IF NOT EXISTS changes(
        seq INTEGER, nth INTEGER, id TEXT, at TEXT, actor TEXT, verb TEXT, change TEXT, of INTEGER,
        PRIMARY KEY(seq, nth)) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS changes_by_id ON changes(id, seq)",
    "CREATE INDEX IF NOT EXISTS changes_by_verb ON changes(verb, seq)",
    "CREATE TABLE IF NOT EXISTS evidence(turn TEXT, id TEXT, PRIMARY KEY(turn, id)) WITHOUT ROWID",
)
_COLUMNS = ", ".join(Memory._fields)
_ALL_COLUMNS = (*Memory._fields, "same_key", "same_value")
_INSERT = f"INSERT INTO memories({', '.join(_ALL_COLUMNS)}) VALUES ({', '.join('?' * len(_ALL_COLUMNS))})"
_UPDATE = f"UPDATE memories SET {', '.join(f'{name} = ?' for name in _ALL_COLUMNS)} WHERE id = ?"
_CORE_FIRST = "CASE kind WHEN 'correction' THEN 0 WHEN 'profile' THEN 1 ELSE 2 END, number DESC"
# SQLite takes a bounded number of parameters; a longer list of ids is asked for in parts.
_MOST_IDS = 500
_MIDDLE_AGES = 1000
_LISTED = "(SELECT value FROM json_each(?))"
# How memories are found by what few of them have.
_SOUGHT = {
    "key": f"SELECT same_key, id FROM memories WHERE same_key IN {_LISTED}",
    "turn": f"SELECT turn, id FROM evidence WHERE turn IN {_LISTED}",
    "path": f"SELECT path, id FROM memories WHERE path <> '' AND path IN {_LISTED}",
}
# So many memories, and names of what they have, are kept in memory.
_HELD = 1 << 14


class SqliteShelf:
    """A table in a database that it shares with the indexes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.require(*_SCHEMA)
        self._held = Held(database.touched, _HELD)

    def position(self) -> tuple[int, str]:
        seq, _, event_id = self.noted("position").partition(" ")
        return int(seq or 0), event_id

    def apply(self, event: Event) -> Sequence[Memory]:
        body = event.body
        changed: dict[str, Memory] = {}
        if isinstance(body, MemoriesChanged):
            for nth, change in enumerate(body.changes):
                changed[change["id"]] = self._change(event, body, nth, change)
        self.note("position", f"{event.seq} {event.id}")
        return list(changed.values())

    def select(self, wanted: Wanted) -> list[Memory]:
        with self._database.reading() as connection:
            if (state := self._database.state()) and _is_at_hand(wanted):
                return _chosen(connection, self._held.rows(state), wanted)
            return self._read(connection, wanted)

    def _read(self, connection: "Connection", wanted: Wanted) -> list[Memory]:
        if len(wanted.ids) > _MOST_IDS:
            first, rest = wanted.ids[:_MOST_IDS], wanted.ids[_MOST_IDS:]
            return self._read(connection, wanted._replace(ids=first)) + self._read(
                connection, wanted._replace(ids=rest)
            )
        where, given = _condition(wanted)
        if wanted.most:
            best = f"SELECT number FROM memories WHERE {where} ORDER BY {_CORE_FIRST} LIMIT {wanted.most}"
            where = f"number IN ({best})"
        order = "+number" if wanted.dated else "number"  # the few that are dated are found and then sorted
        order = "at DESC, number DESC" if wanted.newest else order
        if wanted.limit or wanted.offset:
            part = f"ORDER BY {order} LIMIT {wanted.limit or -1} OFFSET {wanted.offset}"
            where = f"number IN (SELECT number FROM memories WHERE {where} {part})"
        query = f"SELECT {_COLUMNS} FROM memories WHERE {where} ORDER BY {order}"
        return [_memory(row) for row in connection.execute(query, given)]

    def extent(self, wanted: Wanted) -> tuple[int, int]:
        where, given = _condition(wanted)
        query = f"SELECT count(*), ifnull(max(seq), 0) FROM memories WHERE {where}"
        with self._database.reading() as connection:
            [[count, seq]] = connection.execute(query, given)
        return int(count), int(seq)

    def tally(self, wanted: Wanted, *columns: Column) -> Mapping[tuple[str, ...], int]:
        where, given = _condition(wanted)
        now = _state_at(wanted.standing) if wanted.standing else "state"
        known = {"state": now, "hour": "substr(at, 1, 13)", "minute": "substr(at, 1, 16)"}
        told = [known.get(column, column) for column in columns]
        places = ", ".join(str(place) for place in range(1, len(told) + 1))
        grouped = f"GROUP BY {places} ORDER BY {places}"
        query = f"SELECT {', '.join(told)}, count(*) FROM memories WHERE {where} {grouped}"
        with self._database.reading() as connection:
            return {tuple(row[:-1]): int(row[-1]) for row in connection.execute(query, given)}

    def history(
        self, *, memory: str = "", after: int = 0, verbs: Collection[str] = (), last: int = 0
    ) -> list[Recorded]:
        only, given = (" AND id = ?", [after, memory]) if memory else ("", [after])
        if verbs:
            only += f" AND verb IN ({', '.join('?' * len(verbs))})"
        where = f"FROM changes WHERE seq > ?{only} ORDER BY seq DESC, nth DESC LIMIT {last or -1}"
        query = f"SELECT seq, at, actor, verb, change, of {where}"
        with self._database.reading() as connection:
            found = [
                Recorded(seq, datetime.fromisoformat(at), actor, verb, json.loads(change), of)
                for seq, at, actor, verb, change, of in connection.execute(query, [*given, *verbs])
            ]
        return found[::-1]

    def keys(self) -> Mapping[str, int]:
        query = """SELECT key, count(*), max(number) FROM memories
                   WHERE state = 'live' AND origin <> 'untrusted' AND same_key <> ''
                   GROUP BY same_key ORDER BY same_key"""
        with self._database.reading() as connection:
            return {key: count for key, count, _ in connection.execute(query)}

    def noted(self, name: str) -> str:
        return self._database.get(name) or ""

    def notes(self, prefix: str) -> Mapping[str, str]:
        query = "SELECT substr(key, ?), value FROM meta WHERE key >= ? AND key < ?"
        with self._database.reading() as connection:
            return dict(connection.execute(query, (len(prefix) + 1, prefix, prefix + "\U0010ffff")))

    def note(self, name: str, text: str) -> None:
        self._database.set(name, text)

    def _change(self, event: Event, body: MemoriesChanged, nth: int, change: Change) -> Memory:
        with self._database.writing() as connection:
            found = connection.execute(
                f"SELECT {_COLUMNS} FROM memories WHERE id = ?", (change["id"],)
            ).fetchone()
            memory = applied(_memory(found) if found else None, change, seq=event.seq, at=event.at)
            row = (*_row(memory), same_key(memory.key), same_value(memory.value))
            connection.execute(_UPDATE if found else _INSERT, (*row, memory.id) if found else row)
            turns = change.get("evidence", ())
            connection.executemany(
                "INSERT OR IGNORE INTO evidence VALUES (?, ?)", ((turn, memory.id) for turn in turns)
            )
            for each in (memory, *([_memory(found)] if found else [])):
                self._database.touch((each.id, f"key:{same_key(each.key)}", f"path:{each.path}"))
            self._database.touch(f"turn:{turn}" for turn in turns)
            said = json.dumps(change, ensure_ascii=False)
            recorded = (
                event.seq,
                nth,
                change["id"],
                written(event.at),
                event.actor,
                body.verb,
                said,
                body.of,
            )
            connection.execute("INSERT OR REPLACE INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", recorded)
        return memory


def _is_at_hand(wanted: Wanted) -> bool:
    """Say whether few memories are wanted, by what they are kept in memory by; one id may be a beginning."""
    is_sought = len(wanted.ids) > 1 or wanted.keys or wanted.evidence or wanted.path
    known = ("ids", "keys", "evidence", "path", "kinds", "states", "origins", "standing")
    plain = wanted._replace(**{name: getattr(Wanted(), name) for name in known})
    return bool(is_sought) and len(wanted.ids) != 1 and plain == Wanted()


def _chosen(connection: "Connection", held: Rows, wanted: Wanted) -> list[Memory]:
    """Return what is wanted of what is kept in memory, and keep what is read for it there."""
    paths = (wanted.path,) if wanted.path else ()
    sought = {"key": wanted.keys, "turn": wanted.evidence, "path": paths}
    found = [_having(connection, held, what, names) for what, names in sought.items() if names]
    ids = set.intersection(*found, *([set(wanted.ids)] if wanted.ids else []))
    if unread := [each for each in ids if each not in held]:
        rows = connection.execute(
            f"SELECT number, {_COLUMNS} FROM memories WHERE id IN {_LISTED}", _list(unread)
        )
        held |= dict.fromkeys(unread) | {row[1]: (row[0], _memory(row[1:])) for row in rows}
    fits = [
        row
        for each in ids
        if (row := held[each])
        and (not wanted.kinds or row[1].kind in wanted.kinds)
        and (not wanted.states or _state_of(row[1], wanted.standing) in wanted.states)
        and (not wanted.origins or row[1].origin in wanted.origins)
    ]
    return [memory for _, memory in sorted(fits, key=itemgetter(0))]


def _state_of(memory: Memory, standing: Standing | None) -> State:
    return state_at(memory, standing.now, standing.lifetimes) if standing else memory.state


def _having(connection: "Connection", held: Rows, what: str, names: Sequence[str]) -> set[str]:
    """Return the ids of the memories that have one of some keys, turns or paths."""
    if unread := [name for name in names if f"{what}:{name}" not in held]:
        found: Rows = {f"{what}:{name}": [] for name in unread}
        for name, memory_id in connection.execute(_SOUGHT[what], _list(unread)):
            found[f"{what}:{name}"].append(memory_id)
        held |= found
    return {each for name in names for each in held[f"{what}:{name}"]}


def _list(names: Sequence[str]) -> tuple[str]:
    return (json.dumps(list(map(_stored, names)), ensure_ascii=False),)


def _stored(text: str) -> str:
    """Return a text as it can be asked for: what is not valid Unicode is stored nowhere, and fits nothing."""
    return text.encode("utf-8", "backslashreplace").decode()


def _condition(wanted: Wanted) -> tuple[str, list[str]]:
    """Return the condition of a query and what fills its places."""
    parts: list[str] = []
    given: list[str] = []
    if len(wanted.ids) == 1:  # a beginning is enough
        parts.append("(id = ? OR (id >= ? AND id < ?))")
        given += [wanted.ids[0], wanted.ids[0], wanted.ids[0] + "\U0010ffff"]
    listed = {
        "id": wanted.ids if len(wanted.ids) > 1 else (),
        "same_key": wanted.keys,
        "kind": wanted.kinds,
        "state": _written(wanted) if set(wanted.states) != set(STATES) else (),
        "origin": wanted.origins if set(wanted.origins) != set(ORIGINS) else (),
        "path": (wanted.path,) if wanted.path else (),
        "same_value": (wanted.value,) if wanted.value else (),
        "by": (wanted.by,) if wanted.by else (),
    }
    # What few memories have is looked up, and the rest compared: SQLite would guess.
    is_sought = wanted.ids or wanted.keys or wanted.value or wanted.path or wanted.evidence or wanted.dated
    for column, values in listed.items():
        if values:
            by = "+" * bool(is_sought and column in ("kind", "state", "origin"))
            parts.append(f"{by}{column} IN ({', '.join('?' * len(values))})")
            given += values
    if wanted.evidence:
        parts.append(
            f"id IN (SELECT id FROM evidence WHERE turn IN ({', '.join('?' * len(wanted.evidence))}))"
        )
        given += wanted.evidence
    if wanted.dated:
        parts.append("dated <> ''")
    instants = {"at >= ?": wanted.since, "at < ?": wanted.until}
    instants |= {"valid_from <= ? OR at <= ?": wanted.true_at, "ifnull(valid_to > ?, 1)": wanted.true_at}
    for condition, instant in instants.items():
        if instant:
            parts.append(f"({condition})")
            given += [_moment(instant)] * condition.count("?")
    if wanted.unused:
        parts.append("renewed <= at")
    if wanted.kept:
        parts.append(
            "NOT (value = 'erased' AND EXISTS (SELECT 1 FROM meta WHERE meta.key = 'erased:' || id))"
        )
    if wanted.standing and wanted.states and set(wanted.states) != set(STATES):
        told = ", ".join(f"'{state}'" for state in wanted.states)
        parts.append(f"{_state_at(wanted.standing)} IN ({told})")
    if wanted.text:
        parts.append("instr(same_key || ': ' || same_value, ?)")
        given.append(" ".join(folded(wanted.text).split()))
    return " AND ".join(parts) or "1", list(map(_stored, given))


def _moment(at: datetime) -> str:
    """Return an instant as it is compared; one that UTC has not is before or after all others."""
    try:
        return written(at)
    except OverflowError:
        return "" if at.year < _MIDDLE_AGES else "~"


def _written(wanted: Wanted) -> tuple[str, ...]:
    """Return the states as they are written: what has ended or expired is live there."""
    if not wanted.standing:
        return wanted.states
    return tuple(dict.fromkeys("live" if state in ("ended", "expired") else state for state in wanted.states))


def _state_at(standing: Standing) -> str:
    """Return what tells the state of a memory at an instant, as `domain.memories.state_at` does."""
    ends = f"WHEN valid_to IS NOT NULL THEN iif(valid_to <= '{written(standing.now)}', 'ended', 'live')"
    passed = " ".join(
        f"WHEN kind = '{kind}' AND max(renewed, valid_from) <= '{written(last)}' THEN 'expired'"
        for kind, last in standing.expired().items()
    )
    return f"CASE WHEN state <> 'live' THEN state {ends} {passed} ELSE 'live' END"


def _row(memory: Memory) -> tuple[Any, ...]:
    fields = {name: plain(value) for name, value in memory._asdict().items()}
    return tuple((fields | {"evidence": json.dumps(memory.evidence, ensure_ascii=False)}).values())


def _memory(row: Sequence[Any]) -> Memory:
    """Return a memory; what no memory can be was changed by a disk or a hand, in the log of the database."""
    fields = dict(zip(Memory._fields, row, strict=True))
    try:
        for name in ("at", "renewed", "valid_from", "valid_to"):
            if fields[name] is not None:
                fields[name] = datetime.fromisoformat(fields[name])
        return Memory(**fields | {"evidence": tuple(json.loads(fields["evidence"]))})
    except (TypeError, ValueError) as exc:
        raise Damaged("{path} is damaged: {why}", path=".index", why=str(exc)) from exc
