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
from almario.adapters.sqlite.rows_held import Held, Rows
from almario.adapters.sqlite.vectors import Vectors, add_to, totals_of, vector_schema
from almario.adapters.sqlite.word_table import joined, listed, word_schema
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


def _schema(shelf: str) -> Sequence[str]:
    return (
        f"CREATE TABLE {shelf}sources(number INTEGER PRIMARY KEY AUTOINCREMENT,"
        " name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL)",
        # One fact is one source, and has no fingerprint.
        f"CREATE INDEX {shelf}sources_of_files ON {shelf}sources(number) WHERE fingerprint <> ''",
        f"CREATE TABLE {shelf}passages(id INTEGER PRIMARY KEY, text TEXT, path TEXT,"
        " line INTEGER, kind TEXT, day TEXT, speaker TEXT, role TEXT, turn TEXT, memory TEXT, key TEXT,"
        " length INTEGER, tells INTEGER, figures INTEGER, times TEXT, hash BLOB NOT NULL)",
        f"CREATE INDEX {shelf}passages_hash ON {shelf}passages(hash)",
        f"CREATE INDEX {shelf}passages_day ON {shelf}passages(day)",
        f"CREATE INDEX {shelf}passages_asking ON {shelf}passages(id, length) WHERE NOT tells",
        f"CREATE TABLE {shelf}moments(id INTEGER NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL)",
        f"CREATE INDEX {shelf}moments_id ON {shelf}moments(id)",
        f"CREATE INDEX {shelf}moments_first ON {shelf}moments(first)",
        f"CREATE TABLE {shelf}totals(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
        *word_schema(shelf),
        *vector_schema(shelf),
    )


class SqliteIndex:
    """Keeps passages in a database, as `Lists` too; *terms* gives the words under which each is found.

    They stand on a *shelf* of their own: the names of its tables begin with that.
    """

    def __init__(
        self,
        database: Database,
        terms: Callable[[Passage], Sequence[str]],
        *,
        shelf: str = "",
        many: int = _MANY,
    ) -> None:
        """Of more vectors than *many*, those whose signs are nearest are compared, and no others."""
        database.require(*_schema(shelf))
        self._database = database
        self._terms = terms
        self._shelf = shelf
        self._vectors = Vectors(database, shelf, many)
        self._held = Held(database.touched)
        # By id, the place of what was read among the columns.
        self._glanced = Held(database.touched)

    def sources(self) -> Mapping[str, str]:
        with self._database.reading() as connection:
            held = self._held.rows(self._database.state())
            if _SOURCES not in held:
                held[_SOURCES] = dict(
                    connection.execute(
                        f"SELECT name, fingerprint FROM {self._shelf}sources"
                        " WHERE fingerprint <> '' ORDER BY number"
                    )
                )
            return held[_SOURCES]  # type: ignore[no-any-return]

    def put(self, source: str, fingerprint: str, passages: Iterable[Passage], *, keep: int = 0) -> None:
        """Make these the passages of a source after its first *keep*; none at all removes the source."""
        with self._database.writing() as connection:
            new = list(map(in_unicode, passages))
            query = f"SELECT number, fingerprint FROM {self._shelf}sources WHERE name = ?"
            known = connection.execute(query, (source,)).fetchone()
            if known is None and not fingerprint and not new:
                return
            number, before = known or (self._new_source(connection, source), "")
            if fingerprint != before:
                self._database.touch((_SOURCES,))
                query = f"UPDATE {self._shelf}sources SET fingerprint = ? WHERE number = ?"
                connection.execute(query, (fingerprint, number))
            first = number << PLACE_BITS
            start, end = self._end(connection, first, keep) if keep else first, first + (1 << PLACE_BITS)
            if start + len(new) > end:
                raise StoreError("{source} has too many passages to be indexed", source=source)
            old = self._stored(connection, "id >= ? AND id < ?", (start, end)) if known else {}
            numbered = (passage._replace(id=start + n, length=0) for n, passage in enumerate(new))
            self._exchange(connection, old, {passage.id: passage for passage in numbered})
            if not fingerprint and start == first and not new:
                connection.execute(f"DELETE FROM {self._shelf}sources WHERE number = ?", (number,))

    def put_each(self, sources: Mapping[str, Sequence[Passage]]) -> None:
        for source, passages in sources.items():
            self.put(source, "", passages)

    def places(self, sources: Collection[str]) -> Mapping[str, int]:
        named = "name IN (SELECT value FROM json_each(?))"
        query = f"SELECT name, number FROM {self._shelf}sources WHERE {named}"
        rows = self._database.rows(query, (json.dumps(list(sources)),))
        return {name: number << PLACE_BITS for name, number in rows}

    def count(self) -> tuple[int, float]:
        with self._database.reading() as connection:
            totals = totals_of(connection, self._database, self._shelf)
        passages, words = totals.get("passages", 0), totals.get("words", 0)
        return passages, words / passages if passages else 0.0

    def candidates(self, wanted: Search) -> "Candidates":
        """Return what is found by words, by meaning and by time in one moment of the file."""
        from almario.domain.columns import gathered  # noqa: PLC0415 - numpy takes 100 ms

        with self._database.reading():
            return gathered(self, wanted)

    def having(self, term: str) -> Sequence[int]:
        with self._database.reading() as connection:
            return listed(connection, self._shelf, term)

    def asking(self) -> Asking:
        with self._database.reading() as connection:
            held = self._held.rows(self._database.state())
            if _ASKING not in held:
                query = f"SELECT id, length FROM {self._shelf}passages WHERE NOT tells ORDER BY id"
                lengths = dict(connection.execute(query))
                held[_ASKING] = Asking(array("q", lengths), sum(lengths.values()))
            return held[_ASKING]  # type: ignore[no-any-return]

    def during(self, first: date, last: date, limit: int) -> Sequence[int]:
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT DISTINCT id FROM {self._shelf}moments"
                " WHERE first <= ? AND last >= ? ORDER BY first DESC LIMIT ?",
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
                found = self._stored(connection, _LISTED, (_as_list(unread),), text=False)
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
                return _disagreements(connection, self._shelf)
        except Damaged as exc:
            return [str(exc)]

    def _stored(
        self, connection: "Connection", condition: str, values: Sequence[Any], *, text: bool = True
    ) -> dict[int, Passage]:
        columns = f"{_COLUMNS}, hash" if text else _COLUMNS.replace("text", "''", 1)
        query = f"SELECT {columns} FROM {self._shelf}passages WHERE {condition} ORDER BY id"
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

    def _new_source(self, connection: "Connection", source: str) -> int:
        connection.execute(f"INSERT INTO {self._shelf}sources(name, fingerprint) VALUES (?, '')", (source,))
        return connection.last_insert_rowid()

    def _end(self, connection: "Connection", first: int, keep: int) -> int:
        """Return the place after those that are kept: a source has no gaps, so the last one tells."""
        query = f"SELECT max(id) FROM {self._shelf}passages WHERE id >= ? AND id < ?"
        last = connection.execute(query, (first, first + keep)).get
        return first if last is None else int(last) + 1

    def _exchange(self, connection: "Connection", old: dict[int, Passage], new: dict[int, Passage]) -> None:
        changed = [p for p in new.values() if p.id not in old or old[p.id][:10] != p[:10]]
        gone = [p for p in old.values() if p.id not in new or new[p.id][:10] != p[:10]]
        if not changed and not gone:
            return
        shelf, came, left = self._shelf, set(map(_hash, changed)), set(map(_hash, gone))
        self._database.touch(p.id for p in (*changed, *gone))
        if not all(p.tells for p in (*changed, *gone)):
            self._database.touch((_ASKING,))
        self._vectors.touch(connection, came | left)
        fresh = sum(not self._is_used(connection, each) for each in came)
        if gone:
            self._erase_words(connection, gone)
            connection.executemany(f"DELETE FROM {shelf}passages WHERE id = ?", ((p.id,) for p in gone))
            connection.executemany(f"DELETE FROM {shelf}moments WHERE id = ?", ((p.id,) for p in gone))
        words = self._insert(connection, changed)
        unused = [each for each in left if not self._is_used(connection, each)]
        self._vectors.drop(connection, unused)
        added = {
            "passages": len(changed) - len(gone),
            "words": words - sum(p.length for p in gone),
            "texts": fresh - len(unused),
        }
        add_to(connection, shelf, added)

    def _insert(self, connection: "Connection", passages: Sequence[Passage]) -> int:
        shelf, total = self._shelf, 0
        waiting = iter(passages)
        while batch := list(islice(waiting, 500)):
            words = [self._terms(p._replace(id=0)) for p in batch]
            connection.executemany(
                f"INSERT INTO {shelf}words(rowid, terms) VALUES (?, ?)",
                ((p.id, joined(terms)) for p, terms in zip(batch, words, strict=True)),
            )
            connection.executemany(
                f"INSERT INTO {shelf}passages({_COLUMNS}, hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (_row(p, len(terms)) for p, terms in zip(batch, words, strict=True)),
            )
            connection.executemany(
                f"INSERT INTO {shelf}moments VALUES (?,?,?)",
                ((p.id, first.isoformat(), last.isoformat()) for p in batch for first, last in p.moments),
            )
            total += sum(map(len, words))
        return total

    def _is_used(self, connection: "Connection", text: bytes) -> bool:
        found = connection.execute(f"SELECT 1 FROM {self._shelf}passages WHERE hash = ? LIMIT 1", (text,))
        return found.fetchone() is not None

    def _erase_words(self, connection: "Connection", passages: Sequence[Passage]) -> None:
        """Take the words of passages out of the index, and out of the file's bytes."""
        table, total = f"{self._shelf}words", self.count()[0]
        many = len(passages) > max(_FEW, total / _ERASED_LIKE_WRITTEN)
        if many:
            connection.execute(f"INSERT INTO {table}({table}, rank) VALUES ('secure-delete', 0)")
        words = [self._terms(p._replace(id=0, length=0)) for p in passages]
        connection.executemany(
            f"INSERT INTO {table}({table}, rowid, terms) VALUES ('delete', ?, ?)",
            ((p.id, joined(terms)) for p, terms in zip(passages, words, strict=True)),
        )
        if many:
            connection.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")
            connection.execute(f"INSERT INTO {table}({table}, rank) VALUES ('secure-delete', 1)")


def _as_list(ids: Iterable[int]) -> str:
    return json.dumps([int(each) for each in ids])


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


def _disagreements(connection: "Connection", shelf: str) -> list[str]:
    problems = []
    totals = dict(connection.execute(f"SELECT name, value FROM {shelf}totals"))
    for name, query in (
        ("passages", f"SELECT count(*) FROM {shelf}passages"),
        ("words", f"SELECT ifnull(sum(length), 0) FROM {shelf}passages"),
        ("texts", f"SELECT count(DISTINCT hash) FROM {shelf}passages"),
    ):
        [[found]] = connection.execute(query)
        if totals.get(name, 0) != found:
            problems.append(f"{name}: {found} found, {totals.get(name, 0)} counted")
    rows = connection.execute(f"SELECT id, hash, text, key FROM {shelf}passages")
    for number, stored, text, key in rows:
        passage = Passage(text, "", 0, "", key=key)
        if _hash(passage) != stored:
            problems.append(f"passage {number} is not the text that was stored")
    return problems
