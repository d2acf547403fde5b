"""Passages in SQLite: found by their words, by their id, and through `vectors` by their meaning."""

import json
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import compress, islice, repeat
from typing import TYPE_CHECKING, Any

from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.opening import damaged
from almario.adapters.sqlite.rows_held import Held, Rows, is_worth_all
from almario.adapters.sqlite.vectors import VECTOR_SCHEMA, Vectors, add_to, totals_of
from almario.adapters.sqlite.word_table import WORD_SCHEMA, joined, listed
from almario.domain.candidates import Asking, Near, Search
from almario.domain.passages import PLACE_BITS, Passage, embedded_text, in_unicode, text_hash
from almario.errors import Damaged, StoreError
from almario.ports import Vector

if TYPE_CHECKING:
    from apsw import Connection
    from numpy import float64
    from numpy.typing import NDArray

    from almario.domain.columns import Candidates, Table

_COLUMNS = "text, path, line, kind, day, speaker, role, turn, memory, key, id, length, tells, figures, times"
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS sources(number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL)",
    # One fact is one source, and has no fingerprint.
    "CREATE INDEX IF NOT EXISTS sources_of_files ON sources(number) WHERE fingerprint <> ''",
    "CREATE TABLE IF NOT EXISTS passages(id INTEGER PRIMARY KEY, text TEXT, path TEXT, line INTEGER,"
    " kind TEXT, day TEXT, speaker TEXT, role TEXT, turn TEXT, memory TEXT, key TEXT, length INTEGER,"
    " tells INTEGER, figures INTEGER, times TEXT, hash BLOB NOT NULL)",
    "CREATE INDEX IF NOT EXISTS passages_hash ON passages(hash)",
    "CREATE INDEX IF NOT EXISTS passages_day ON passages(day)",
    "CREATE INDEX IF NOT EXISTS passages_asking ON passages(id, length) WHERE NOT tells",
    "CREATE TABLE IF NOT EXISTS moments(id INTEGER NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS moments_id ON moments(id)",
    "CREATE INDEX IF NOT EXISTS moments_first ON moments(first)",
    "CREATE TABLE IF NOT EXISTS totals(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    *WORD_SCHEMA,
    *VECTOR_SCHEMA,
)
# Erasing the words of one passage takes as long as writing again those of so many, a few at a time apart.
_ERASED_LIKE_WRITTEN = 800
_FEW = 10
_MANY = 100_000

_SOURCES, _ASKING, _READ = "sources", "asking", "read"
_LISTED = "id IN (SELECT value FROM json_each(?))"
# About so many passages are kept in memory, without their texts.
_HELD = 1 << 15
# Thousands of passages are read for one question, and share a few hundred days.
_day = lru_cache(4096)(date.fromisoformat)


class SqliteIndex:
    """Keeps passages in a database, as `Lists` too; *terms* gives the words under which each is found."""

    def __init__(
        self, database: Database, terms: Callable[[Passage], Sequence[str]], *, many: int = _MANY
    ) -> None:
        """Of more vectors than *many*, those whose signs are nearest are compared, and no others."""
        database.require(*_SCHEMA)
        self._database = database
        self._terms = terms
        self._vectors = Vectors(database, many)
        self._held = Held(database.touched)
        # By id, the place of what was read among the columns.
        self._glanced = Held(database.touched)

    def sources(self) -> Mapping[str, str]:
        with self._database.reading() as connection:
            held = self._held.rows(self._database.state())
            if _SOURCES not in held:
                held[_SOURCES] = dict(
                    connection.execute(
                        "SELECT name, fingerprint FROM sources WHERE fingerprint <> '' ORDER BY number"
                    )
                )
            return held[_SOURCES]  # type: ignore[no-any-return]

    def put(self, source: str, fingerprint: str, passages: Iterable[Passage], *, keep: int = 0) -> None:
        """Make these the passages of a source after its first *keep*; none at all removes the source."""
        with self._database.writing() as connection:
            number, before = _number_of(connection, source, fingerprint)
            if fingerprint or before:
                self._database.touch((_SOURCES,))
            first = number << PLACE_BITS
            end = first + (1 << PLACE_BITS)
            # The places of a source have no gaps, so the last one tells how many there are.
            [[last]] = connection.execute(
                "SELECT ifnull(max(id), ?1 - 1) FROM passages WHERE id >= ?1 AND id < ?2",
                (first, first + keep),
            )
            kept = int(last) + 1 - first
            old = self._stored(connection, "id >= ? AND id < ?", (first + kept, end))
            new = [
                passage._replace(id=first + kept + n, length=0)
                for n, passage in enumerate(map(in_unicode, passages))
            ]
            if kept + len(new) > 1 << PLACE_BITS:
                raise StoreError("{source} has too many passages to be indexed", source=source)
            self._exchange(connection, old, {passage.id: passage for passage in new})
            if not fingerprint and not kept and not new:
                connection.execute("DELETE FROM sources WHERE name = ?", (source,))

    def places(self, sources: Collection[str]) -> Mapping[str, int]:
        query = "SELECT name, number FROM sources WHERE name IN (SELECT value FROM json_each(?))"
        with self._database.reading() as connection:
            rows = connection.execute(query, (json.dumps(list(sources)),))
            return {name: number << PLACE_BITS for name, number in rows}

    def count(self) -> tuple[int, float]:
        with self._database.reading() as connection:
            totals = totals_of(connection, self._database)
        passages, words = totals.get("passages", 0), totals.get("words", 0)
        return passages, words / passages if passages else 0.0

    def candidates(self, wanted: Search) -> "Candidates":
        """Return what is found by words, by meaning and by time in one moment of the file."""
        from almario.domain.columns import gathered  # noqa: PLC0415 - numpy takes 100 ms

        with self._database.reading():
            return gathered(self, wanted)

    def having(self, term: str) -> Sequence[int]:
        with self._database.reading() as connection:
            return listed(connection, term)

    def asking(self) -> Asking:
        with self._database.reading() as connection:
            held = self._held.rows(self._database.state())
            if _ASKING not in held:
                query = "SELECT id, length FROM passages WHERE NOT tells ORDER BY id"
                lengths = dict(connection.execute(query))
                held[_ASKING] = Asking(array("q", lengths), sum(lengths.values()))
            return held[_ASKING]  # type: ignore[no-any-return]

    def during(self, first: date, last: date, limit: int) -> Sequence[int]:
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT id FROM moments WHERE first <= ? AND last >= ? ORDER BY first DESC LIMIT ?",
                (last.isoformat(), first.isoformat(), limit),
            )
            return sorted(row[0] for row in rows)

    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]:
        with self._database.reading() as connection:
            return self._stored(connection, _LISTED, (_as_list(ids),))

    def table(self, ids: Sequence[int]) -> "Table":
        """Return those of the passages that exist; what was read before is at hand."""
        import numpy as np  # noqa: PLC0415 - numpy takes 100 ms

        from almario.domain.columns import NOWHERE, UNREAD, Columns  # noqa: PLC0415 - as above

        with self._database.reading() as connection:
            if len(self._glanced.rows(self._database.state()).get(_READ, ())) > 2 * _HELD:
                self._glanced = Held(self._database.touched)
            places = self._glanced.rows(self._database.state())
            columns: Columns = places.get(_READ) or places.setdefault(_READ, Columns())
            known = np.fromiter(map(places.get, ids, repeat(UNREAD)), np.int64, len(ids))
            if UNREAD in known:
                unread = list(compress(ids, known == UNREAD))
                is_all = is_worth_all(places, self.count()[0])
                wanted = ("true", ()) if is_all else (_LISTED, (_as_list(unread),))
                found = self._stored(connection, *wanted, text=False)
                new = zip(found, columns.add(list(found.values())), strict=True)
                places |= Rows(dict.fromkeys(unread, NOWHERE)) | Rows(new)
                known = np.fromiter(map(places.__getitem__, ids), np.int64, len(ids))
            return columns.take(known)

    def nearest(self, vector: Vector, model: str, limit: int) -> Near:
        return self._vectors.nearest(vector, model, limit)

    def cosines(self, vector: Vector, model: str, ids: Sequence[int]) -> "NDArray[float64]":
        return self._vectors.cosines(vector, model, ids)

    def lacking(self, model: str, limit: int) -> Mapping[str, str]:
        return self._vectors.lacking(model, limit)

    def add_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors by their text's hash; one that is there already stays as it is."""
        self._vectors.add(model, vectors)

    def vectors(self, model: str, hashes: Collection[str]) -> Mapping[str, Vector]:
        return self._vectors.of(model, hashes)

    def problems(self) -> list[str]:
        """Say where rows, totals and hashes do not agree; `Database.problems` looks at the pages."""
        try:
            with self._database.reading() as connection:
                return _disagreements(connection)
        except Damaged as exc:
            return [str(exc)]

    def _stored(
        self, connection: "Connection", condition: str, values: Sequence[Any], *, text: bool = True
    ) -> dict[int, Passage]:
        columns = f"{_COLUMNS}, hash" if text else _COLUMNS.replace("text", "''", 1)
        query = f"SELECT {columns} FROM passages WHERE {condition} ORDER BY id"
        rows: Iterable[Any] = connection.execute(query, tuple(values))
        found = {}
        try:
            for row in rows:
                day = row[4] and _day(row[4])
                passage = found[row[10]] = Passage._make(
                    (
                        *row[:4],
                        day,
                        *row[5:12],
                        bool(row[12]),
                        bool(row[13]),
                        _times(row[14]) if row[14] else (),
                    )
                )
                # A page of zeros has the checksum it should have, so it is by its hash that it is known.
                if "\0" in passage.text and row[15] != _hash(passage):
                    raise ValueError(f"passage {passage.id} is not what was stored")
        except (TypeError, ValueError) as exc:
            raise damaged(str(self._database), exc) from exc
        return found

    def _exchange(self, connection: "Connection", old: dict[int, Passage], new: dict[int, Passage]) -> None:
        changed = [p for p in new.values() if p.id not in old or old[p.id][:10] != p[:10]]
        gone = [p for p in old.values() if p.id not in new or new[p.id][:10] != p[:10]]
        if not changed and not gone:
            return
        came, left = set(map(_hash, changed)), set(map(_hash, gone))
        self._database.touch(p.id for p in (*changed, *gone))
        if not all(p.tells for p in (*changed, *gone)):
            self._database.touch((_ASKING,))
        self._vectors.touch(connection, came | left)
        fresh = sum(not _is_used(connection, each) for each in came)
        if gone:
            self._erase_words(connection, gone)
            connection.executemany("DELETE FROM passages WHERE id = ?", ((p.id,) for p in gone))
            connection.executemany("DELETE FROM moments WHERE id = ?", ((p.id,) for p in gone))
        words = self._insert(connection, changed)
        unused = [each for each in left if not _is_used(connection, each)]
        self._vectors.drop(connection, unused)
        add_to(connection, "passages", len(changed) - len(gone))
        add_to(connection, "words", words - sum(p.length for p in gone))
        add_to(connection, "texts", fresh - len(unused))

    def _insert(self, connection: "Connection", passages: Sequence[Passage]) -> int:
        total = 0
        waiting = iter(passages)
        while batch := list(islice(waiting, 500)):
            words = [self._terms(p._replace(id=0)) for p in batch]
            connection.executemany(
                "INSERT INTO words(rowid, terms) VALUES (?, ?)",
                ((p.id, joined(terms)) for p, terms in zip(batch, words, strict=True)),
            )
            connection.executemany(
                f"INSERT INTO passages({_COLUMNS}, hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (_row(p, len(terms)) for p, terms in zip(batch, words, strict=True)),
            )
            connection.executemany(
                "INSERT INTO moments VALUES (?,?,?)",
                ((p.id, first.isoformat(), last.isoformat()) for p in batch for first, last in p.moments),
            )
            total += sum(map(len, words))
        return total

    def _erase_words(self, connection: "Connection", passages: Sequence[Passage]) -> None:
        """Take the words of passages out of the index, and out of the file's bytes."""
        [[total]] = connection.execute("SELECT ifnull(sum(value), 0) FROM totals WHERE name = 'passages'")
        many = len(passages) > max(_FEW, total / _ERASED_LIKE_WRITTEN)
        if many:
            connection.execute("INSERT INTO words(words, rank) VALUES ('secure-delete', 0)")
        words = [self._terms(p._replace(id=0, length=0)) for p in passages]
        connection.executemany(
            "INSERT INTO words(words, rowid, terms) VALUES ('delete', ?, ?)",
            ((p.id, joined(terms)) for p, terms in zip(passages, words, strict=True)),
        )
        if many:
            connection.execute("INSERT INTO words(words) VALUES ('optimize')")
            connection.execute("INSERT INTO words(words, rank) VALUES ('secure-delete', 1)")


def _number_of(connection: "Connection", source: str, fingerprint: str) -> tuple[int, str]:
    found = connection.execute("SELECT number, fingerprint FROM sources WHERE name = ?", (source,)).fetchone()
    if found is None:
        connection.execute("INSERT INTO sources(name, fingerprint) VALUES (?, ?)", (source, fingerprint))
        return connection.last_insert_rowid(), ""
    connection.execute("UPDATE sources SET fingerprint = ? WHERE name = ?", (fingerprint, source))
    return int(found[0]), str(found[1])


def _as_list(ids: Iterable[int]) -> str:
    return json.dumps([int(each) for each in ids])


def _is_used(connection: "Connection", text: bytes) -> bool:
    found = connection.execute("SELECT 1 FROM passages WHERE hash = ? LIMIT 1", (text,))
    return found.fetchone() is not None


def _row(passage: Passage, length: int) -> tuple[Any, ...]:
    day = passage.day.isoformat() if passage.day else None
    times = " ".join(f"{first.isoformat()}/{last.isoformat()}" for first, last in passage.times)
    return (*passage[:4], day, *passage[5:11], length, passage.tells, passage.figures, times, _hash(passage))


@lru_cache(4096)
def _times(written: str) -> tuple[tuple[date, date], ...]:
    spans = (each.partition("/") for each in written.split())
    return tuple((_day(first), _day(last)) for first, _, last in spans)


def _hash(passage: Passage) -> bytes:
    return bytes.fromhex(text_hash(embedded_text(passage)))


def _disagreements(connection: "Connection") -> list[str]:
    problems = []
    totals = dict(connection.execute("SELECT name, value FROM totals"))
    for name, query in (
        ("passages", "SELECT count(*) FROM passages"),
        ("words", "SELECT ifnull(sum(length), 0) FROM passages"),
        ("texts", "SELECT count(DISTINCT hash) FROM passages"),
    ):
        [[found]] = connection.execute(query)
        if totals.get(name, 0) != found:
            problems.append(f"{name}: {found} found, {totals.get(name, 0)} counted")
    rows = connection.execute("SELECT id, hash, text, key FROM passages")
    for number, stored, text, key in rows:
        passage = Passage(text, "", 0, "", key=key)
        if _hash(passage) != stored:
            problems.append(f"passage {number} is not the text that was stored")
    return problems
