"""Passages in PostgreSQL: found by their words, their meaning and their days in one call."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from almario.domain.candidates import Search
from almario.domain.passages import PLACE_BITS, Passage, embedded_text, in_unicode, text_hash
from almario.errors import Damaged, StoreError
from almario.ports import Vector
from almario_postgres.columns import (
    as_halves,
    as_records,
    columns_of,
    halves,
    loaded,
    open_write,
    stored,
    takes_halves,
    term_key,
)
from almario_postgres.database import Bound
from almario_postgres.known_rows import KnownRows
from almario_postgres.passages_at_hand import HASH_BYTES, PassageCopy, PassagesAtHand, TextVectors
from almario_postgres.search_call import GLANCE, found, glanced

if TYPE_CHECKING:
    from psycopg import Connection

    from almario.domain.columns import Candidates

# What is in use and trusted, what is searched only on request, and what brings memories to mind.
Shelf = Literal[0, 1, 2]
LIVE: Shelf = 0
PAST: Shelf = 1
CUES: Shelf = 2
# So many passages that came together share a row of each of their terms.
_BLOCK = 256
_BATCH = 500
# Of so many texts all vectors are kept at hand, and about so many passages, without their texts.
_MOST_AT_HAND, _MOST_READ = 50_000, 1 << 16
# Under this name they are known.
_AT_HAND = "passages at hand"
# So many places a source has.
_ROOM = 1 << PLACE_BITS
_HERE = "agent = %(agent)s AND shelf = %(shelf)s"
_ENTERED = f"coalesce((SELECT value FROM totals WHERE {_HERE} AND name = 'entered'), 0)"
_KNOWN_SOURCES = f"""SELECT name, number, fingerprint FROM sources WHERE {_HERE} AND name = ANY(%(names)s)
    UNION ALL SELECT '', {_ENTERED}, ''"""
_NEW_SOURCES = """WITH given AS (
        INSERT INTO totals(agent, shelf, name, value) VALUES (%(agent)s, %(shelf)s, 'sources', %(count)s)
        ON CONFLICT (agent, shelf, name) DO UPDATE SET value = totals.value + %(count)s RETURNING value)
    INSERT INTO sources(agent, shelf, name, number, fingerprint)
    SELECT %(agent)s, %(shelf)s, name, value - %(count)s + place, %(mark)s
    FROM given, unnest(%(names)s::text[]) WITH ORDINALITY a(name, place) RETURNING name, number"""
_COLUMNS = {
    "id": "bigint",
    "text": "text",
    "path": "text",
    "line": "bigint",
    "kind": "text",
    "day": "date",
    "speaker": "text",
    "role": "text",
    "turn": "text",
    "memory": "text",
    "key": "text",
    "length": "int",
    "tells": "boolean",
    "figures": "boolean",
    "times": "text",
    "hash": "bytea",
    "block": "int",
}
# Passages with their words and days, and what they change in the totals.
_INSERT = f"""WITH entered AS (
        INSERT INTO passages(agent, shelf, {", ".join(_COLUMNS)})
        SELECT %(agent)s, %(shelf)s, * FROM json_to_recordset(%(passages)s) a({columns_of(_COLUMNS)})
    ), worded AS (
        INSERT INTO terms(agent, shelf, term, block, ids)
        SELECT %(agent)s, %(shelf)s, * FROM json_to_recordset(%(terms)s) a(term text, block int, ids bigint[])
        ON CONFLICT (agent, shelf, term, block) DO UPDATE SET ids = terms.ids || excluded.ids
    ), dated AS (
        INSERT INTO moments(agent, shelf, id, first, last)
        SELECT %(agent)s, %(shelf)s, * FROM json_to_recordset(%(moments)s) a(id bigint, first date, last date)
        ON CONFLICT DO NOTHING
    )
    INSERT INTO totals(agent, shelf, name, value)
    SELECT %(agent)s, %(shelf)s, key, value::bigint FROM json_each_text(%(totals)s)
    ON CONFLICT (agent, shelf, name) DO UPDATE SET value = totals.value + excluded.value"""
_TAKE_IDS = """UPDATE terms t SET ids = ARRAY(
        SELECT one FROM unnest(t.ids) one WHERE one NOT IN (SELECT unnest(%(id)s::bigint[])))
    FROM (SELECT DISTINCT * FROM unnest(%(term)s::text[], %(block)s::int[])) a(term, block)
    WHERE t.agent = %(agent)s AND t.shelf = %(shelf)s AND t.term = a.term AND t.block = a.block"""
_TAKE_TERMS = """DELETE FROM terms t USING unnest(%(term)s::text[], %(block)s::int[]) a(term, block)
    WHERE t.agent = %(agent)s AND t.shelf = %(shelf)s AND t.term = a.term AND t.block = a.block
        AND t.ids = '{}'"""
_TAKE_MOMENTS = """DELETE FROM moments m USING unnest(%(id)s::bigint[], %(first)s::date[]) a(id, first)
    WHERE m.agent = %(agent)s AND m.shelf = %(shelf)s AND m.first = a.first AND m.id = a.id"""
_ADD_VECTORS = """INSERT INTO vectors(agent, shelf, model, hash, vector)
    SELECT %(agent)s, %(shelf)s, %(model)s, %(hash)s, %(vector)b::halfvec
    WHERE EXISTS (SELECT FROM passages p
        WHERE p.agent = %(agent)s AND p.shelf = %(shelf)s AND p.hash = %(hash)s)
    ON CONFLICT DO NOTHING"""
_VECTORS = f"""SELECT hash, vector::real[] FROM vectors
    WHERE {_HERE} AND model = %(model)s AND hash = ANY(%(hashes)s)"""
_LISTED = f"SELECT string_agg(int8send(id) || hash, '') FROM passages WHERE {_HERE}"
_HAVING = f"SELECT string_agg(hash, '') FROM vectors WHERE {_HERE} AND model = %(model)s"
_PACKED = f"""SELECT count(*), string_agg(hash || substr(halfvec_send(vector), 5), '') FROM vectors
    WHERE {_HERE} AND model = %(model)s"""
_LACKING = f"""SELECT hash, text, key FROM passages p WHERE {_HERE} AND NOT EXISTS (SELECT FROM vectors v
        WHERE v.agent = %(agent)s AND v.shelf = %(shelf)s AND v.model = %(model)s AND v.hash = p.hash)"""
_NEWEST = "ORDER BY day DESC NULLS LAST, id DESC"
_ADD_TOTALS = """INSERT INTO totals(agent, shelf, name, value)
    SELECT %(agent)s, %(shelf)s, * FROM unnest(%(name)s::text[], %(value)s::bigint[])
    ON CONFLICT (agent, shelf, name) DO UPDATE SET value = totals.value + excluded.value"""


class PostgresIndex:
    """Keeps the passages of one agent on a shelf; *terms* gives the words under which each is found."""

    def __init__(self, bound: Bound, shelf: Shelf, terms: Callable[[Passage], Sequence[str]]) -> None:
        self._bound = bound
        self._terms = terms
        self._shelf = shelf
        self._here = {"agent": bound.agent, "shelf": shelf}
        self._known = KnownRows(bound)
        # Whether this process has searched before: what is asked once is soonest answered by the database.
        self._has_searched = False
        self._vectors: dict[str, TextVectors] = {}

    def sources(self) -> Mapping[str, str]:
        query = f"SELECT name, fingerprint FROM sources WHERE {_HERE} AND fingerprint <> '' ORDER BY number"
        return {loaded(name): loaded(mark) for name, mark in self._listed(query)}

    def put(self, source: str, fingerprint: str, passages: Iterable[Passage], *, keep: int = 0) -> None:
        self._put({source: list(passages)}, fingerprint, keep)

    def put_each(self, sources: Mapping[str, Sequence[Passage]]) -> None:
        if sources:
            self._put(sources, "", 0)

    def _put(self, sources: Mapping[str, Sequence[Passage]], fingerprint: str, keep: int) -> None:
        given = {stored(source): list(map(in_unicode, passages)) for source, passages in sources.items()}
        with open_write(self._bound) as connection:
            known, entered = self._sources(connection, given)
            if stale := [name for name, (_, mark) in known.items() if mark != stored(fingerprint)]:
                query = f"UPDATE sources SET fingerprint = %(mark)s WHERE {_HERE} AND name = ANY(%(names)s)"
                connection.execute(query, {**self._here, "mark": stored(fingerprint), "names": stale})
            # Its number is given once; one that is not to be kept, and is not there, has none.
            fresh = [name for name, new in given.items() if name not in known and (fingerprint or new)]
            numbers = {name: number for name, (number, _) in known.items()}
            numbers |= self._numbered(connection, fresh, fingerprint) if fresh else {}
            firsts = {name: number << PLACE_BITS for name, number in numbers.items()}
            starts = {
                name: self._end(connection, first, keep) if keep and name in known else first
                for name, first in firsts.items()
            }
            old = self._spanned(connection, {starts[name]: firsts[name] + _ROOM for name in known})
            new: dict[int, Passage] = {}
            for name, start in starts.items():
                if start - firsts[name] + len(given[name]) > _ROOM:
                    raise StoreError("{source} has too many passages to be indexed", source=loaded(name))
                new |= {start + n: p._replace(id=start + n, length=0) for n, p in enumerate(given[name])}
            self._exchange(connection, old, new, entered)
            empty = [name for name in known if not given[name] and starts[name] == firsts[name]]
            if empty and not fingerprint:
                query = f"DELETE FROM sources WHERE {_HERE} AND name = ANY(%(names)s)"
                connection.execute(query, {**self._here, "names": empty})

    def places(self, sources: Collection[str]) -> Mapping[str, int]:
        query = f"SELECT name, number FROM sources WHERE {_HERE} AND name = ANY(%(names)s)"
        with self._bound.reading() as connection:
            rows = connection.execute(query, {**self._here, "names": list(map(stored, sources))})
            return {loaded(name): int(number) << PLACE_BITS for name, number in rows}

    def count(self) -> tuple[int, float]:
        totals = self._totals()
        passages, words = totals.get("passages", 0), totals.get("words", 0)
        return passages, words / passages if passages else 0.0

    def candidates(self, wanted: Search) -> "Candidates":
        with self._bound.reading() as connection:
            at_hand = self._at_hand(connection, wanted)
            return found(connection, self._bound.agent, self._shelf, wanted, at_hand)

    def _at_hand(self, connection: "Connection", wanted: Search) -> PassagesAtHand | None:
        """Return what is kept here of the passages; None for the first search, in a write, or of much."""
        totals = {} if self._bound.is_writing else self._totals()
        has_searched, self._has_searched = self._has_searched, True
        if not has_searched or not 0 < totals.get("texts", 0) <= _MOST_AT_HAND:
            return None
        moment, name = self._bound.moment, (_AT_HAND, self._shelf)
        copy: PassageCopy = moment.get(name) or self._copied(connection)
        if len(copy.columns) > _MOST_READ:
            copy = copy._replace(columns=type(copy.columns)(), places={})
        if wanted.vector is not None and wanted.model not in copy.rows:
            copy = self._with_vectors(connection, copy, wanted.model, len(wanted.vector))
        moment[name] = copy
        return PassagesAtHand(copy, self._vectors, self._glanced)

    def _copied(self, connection: "Connection") -> PassageCopy:
        import numpy as np  # noqa: PLC0415 - 100 ms, and only for search

        from almario.domain.columns import Columns  # noqa: PLC0415 - the same

        row = connection.execute(_LISTED, self._here, binary=True).fetchone()
        listed = np.frombuffer((row and row[0]) or b"", dtype=[("id", ">i8"), ("hash", f"V{HASH_BYTES}")])
        listed = listed[np.argsort(listed["id"])]
        return PassageCopy(listed["id"].astype(np.int64), listed["hash"].copy(), {}, Columns(), {})

    def _with_vectors(
        self, connection: "Connection", copy: PassageCopy, model: str, width: int
    ) -> PassageCopy:
        """Return the copy with the vectors of a model, of which those that are not here yet are read."""
        import numpy as np  # noqa: PLC0415 - it is loaded

        texts = self._vectors.get(model)
        if texts is None or texts.width != width or len(texts) > 2 * len(copy.ids) + _BATCH:
            texts = self._vectors[model] = TextVectors(width)
        row = connection.execute(_HAVING, {**self._here, "model": model}, binary=True).fetchone()
        listed = bytes((row and row[0]) or b"")
        having = {listed[at : at + HASH_BYTES] for at in range(0, len(listed), HASH_BYTES)}
        if lacking := texts.lacking(having):
            # Most are read as they come, the few that are new by their names.
            some = f"{_PACKED} AND hash = ANY(%(hashes)s)" if len(texts) else _PACKED
            given = {**self._here, "model": model, "hashes": lacking}
            count, content = connection.execute(some.encode(), given, binary=True).fetchone() or (0, b"")
            if len(content or b"") != count * (HASH_BYTES + 2 * width):
                raise Damaged("{path} is damaged: {why}", path=model, why="different vector dimensions")
            rows = np.frombuffer(content or b"", dtype=[("hash", f"V{HASH_BYTES}"), ("vector", ">f2", width)])
            texts.add([each.tobytes() for each in rows["hash"]], rows["vector"].astype(np.float32))
        return copy.with_vectors(model, texts, having)

    def _glanced(self, ids: Sequence[int]) -> Mapping[int, Passage]:
        """Return those of the passages that exist, without their texts, in order."""
        query = f"SELECT id, {GLANCE} FROM passages WHERE {_HERE} AND id = ANY(%(ids)s) ORDER BY id"
        with self._bound.reading() as connection:
            rows = connection.execute(query.encode(), {**self._here, "ids": list(ids)}, binary=True)
            return {one: glanced(one, fields) for one, *fields in rows}

    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]:
        with self._bound.reading() as connection:
            query = f"SELECT id, text, {GLANCE} FROM passages WHERE {_HERE} AND id = ANY(%(ids)s) ORDER BY id"
            given = {**self._here, "ids": [int(each) for each in ids]}
            rows = connection.execute(query.encode(), given, binary=True)
            return {one: glanced(one, fields, text) for one, text, *fields in rows}

    def lacking(self, model: str, limit: int) -> Mapping[str, str]:
        texts: dict[str, str] = {}
        with self._bound.reading() as connection:
            totals = self._totals()
            # Most often there are few or none, and the search can end early.
            wanted = min(limit, totals.get("texts", 0) - totals.get(f"vectors {model}", 0))
            if wanted <= 0:
                return texts
            copy: PassageCopy | None = self._bound.moment.get((_AT_HAND, self._shelf))
            hashes = copy.lacking(model) if copy else []
            # Where it is known which they may be, the others need not be looked at.
            queries = [f"{_LACKING} AND p.hash = ANY(%(hashes)s) {_NEWEST}"] if hashes else []
            for query in (*queries, f"{_LACKING} {_NEWEST}"):
                given = {**self._here, "model": model, "hashes": hashes}
                for hash_, text, key in connection.execute(query.encode(), given):
                    texts[hash_.hex()] = embedded_text(Passage(loaded(text), "", 0, "", key=loaded(key)))
                    if len(texts) == wanted:
                        return texts
        return texts

    def add_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        if not vectors:
            return
        rows = [
            {**self._here, "model": model, "hash": _key(each), "vector": half}
            for each, half in zip(vectors, halves(list(vectors.values())), strict=True)
        ]
        with open_write(self._bound) as connection:
            takes_halves(connection)
            cursor = connection.cursor()
            cursor.executemany(_ADD_VECTORS, rows)
            self._add(connection, {f"vectors {model}": cursor.rowcount})
            copy: PassageCopy | None = self._bound.moment.get((_AT_HAND, self._shelf))
            if copy and model in copy.rows:
                texts, names = self._vectors[model], list(map(_key, vectors))
                texts.add(names, as_halves(list(vectors.values())))
                self._bound.moment[_AT_HAND, self._shelf] = copy.with_vectors(model, texts, names)

    def vectors(self, model: str, hashes: Collection[str]) -> Mapping[str, Vector]:
        keys = {"model": model, "hashes": list(map(_key, hashes))}
        with self._bound.reading() as connection:
            rows = connection.execute(_VECTORS, {**self._here, **keys}).fetchall()
        return {hash_.hex(): vector for hash_, vector in rows}

    def problems(self) -> list[str]:
        """Say where rows, totals and hashes do not agree."""
        query = f"SELECT count(*), coalesce(sum(length), 0), count(DISTINCT hash) FROM passages WHERE {_HERE}"
        with self._bound.reading() as connection:
            totals = self._totals()
            counted = connection.execute(query, self._here).fetchone() or (0, 0, 0)
            lacking = [
                f"{name}: {number} found, {totals.get(name, 0)} counted"
                for name, number in zip(("passages", "words", "texts"), counted, strict=True)
                if totals.get(name, 0) != number
            ]
            rows = connection.execute(f"SELECT id, hash, text, key FROM passages WHERE {_HERE}", self._here)
            for number, kept, text, key in rows:
                if _hash(Passage(loaded(text), "", 0, "", key=loaded(key))) != kept:
                    lacking.append(f"passage {number} is not the text that was stored")
        return lacking

    def _totals(self) -> Mapping[str, int]:
        return dict(self._listed(f"SELECT name, value FROM totals WHERE {_HERE}"))

    def _listed(self, query: str) -> list[Any]:
        return self._known.of(query, lambda each: each.execute(query.encode(), self._here).fetchall())

    def _add(self, connection: "Connection", totals: Mapping[str, int]) -> None:
        if changed := {name: value for name, value in totals.items() if value}:
            given = {"name": list(changed), "value": list(changed.values())}
            connection.execute(_ADD_TOTALS, {**self._here, **given})

    def _sources(
        self, connection: "Connection", names: Collection[str]
    ) -> tuple[dict[str, tuple[int, str]], int]:
        """Return those of the sources that are there, by name, and how many passages came before."""
        rows = connection.execute(_KNOWN_SOURCES, {**self._here, "names": list(names)}).fetchall()
        known = {name: (int(number), mark) for name, number, mark in rows}
        entered, _ = known.pop("")
        return known, entered

    def _numbered(self, connection: "Connection", names: Sequence[str], fingerprint: str) -> dict[str, int]:
        """Add sources, and return their numbers."""
        given = {**self._here, "names": list(names), "count": len(names), "mark": stored(fingerprint)}
        return dict(connection.execute(_NEW_SOURCES, given).fetchall())

    def _end(self, connection: "Connection", first: int, keep: int) -> int:
        """Return the place after those that are kept: a source has no gaps, so the last one tells."""
        query = f"SELECT max(id) FROM passages WHERE {_HERE} AND id >= %(first)s AND id < %(end)s"
        row = connection.execute(query, {**self._here, "first": first, "end": first + keep}).fetchone()
        return first if not row or row[0] is None else int(row[0]) + 1

    def _spanned(self, connection: "Connection", spans: Mapping[int, int]) -> dict[int, tuple[Passage, int]]:
        """Return the passages from some ids up to others, in order, each with the block of its terms."""
        if not spans:
            return {}
        query = (
            "SELECT p.* FROM unnest(%(first)s::bigint[], %(last)s::bigint[]) s(first, last), LATERAL ("
            f" SELECT id, block, text, {GLANCE} FROM passages"
            # without the last words, the server might read all and compare each with each
            f" WHERE {_HERE} AND id >= s.first AND id < s.last ORDER BY id OFFSET 0) p ORDER BY p.id"
        )
        given = {**self._here, "first": list(spans), "last": list(spans.values())}
        rows = connection.execute(query.encode(), given, binary=True)
        return {one: (glanced(one, fields, text), block) for one, block, text, *fields in rows}

    def _exchange(
        self,
        connection: "Connection",
        old: dict[int, tuple[Passage, int]],
        new: dict[int, Passage],
        entered: int,
    ) -> None:
        changed = [p for p in new.values() if p.id not in old or old[p.id][0][:10] != p[:10]]
        gone = [(p, block) for p, block in old.values() if p.id not in new or new[p.id][:10] != p[:10]]
        if not changed and not gone:
            return
        self._take(connection, gone)
        came, left = {_hash(p) for p in changed}, {_hash(p) for p, _ in gone}
        others = self._used(connection, came | left)
        totals = {
            "passages": -len(gone),
            "words": -sum(p.length for p, _ in gone),
            "texts": len(came - others) - len(left - others),
        }
        if unused := left - others - came:
            query = f"DELETE FROM vectors WHERE {_HERE} AND hash = ANY(%(hash)s) RETURNING model"
            for (model,) in connection.execute(query, {**self._here, "hash": list(unused)}):
                totals[f"vectors {model}"] = totals.get(f"vectors {model}", 0) - 1
        self._insert(connection, changed, entered, totals)
        if copy := self._bound.moment.get((_AT_HAND, self._shelf)):
            new_texts = {p.id: _hash(p) for p in changed}
            exchanged = copy.exchanged({p.id for p, _ in gone}, new_texts)
            self._bound.moment[_AT_HAND, self._shelf] = exchanged

    def _used(self, connection: "Connection", hashes: Collection[bytes]) -> set[bytes]:
        """Return those of the texts that some passage has."""
        if not hashes:
            return set()
        query = f"SELECT DISTINCT hash FROM passages WHERE {_HERE} AND hash = ANY(%(hash)s)"
        return {bytes(row[0]) for row in connection.execute(query, {**self._here, "hash": list(hashes)})}

    def _insert(
        self, connection: "Connection", passages: Sequence[Passage], entered: int, totals: dict[str, int]
    ) -> None:
        """Add passages after so many that came before, and to the *totals* what they and others change."""
        for start in range(0, len(passages) or 1, _BATCH):
            batch = passages[start : start + _BATCH]
            words = [self._terms(p._replace(id=0)) for p in batch]
            blocks = [(entered + start + n) // _BLOCK for n in range(len(batch))]
            rows = [_row(p, len(terms), block) for p, terms, block in zip(batch, words, blocks, strict=True)]
            moments = [(p.id, *map(date.isoformat, moment)) for p in batch for moment in p.moments]
            added = {"passages": len(batch), "words": sum(map(len, words)), "entered": len(batch)}
            totals |= {name: totals.get(name, 0) + count for name, count in added.items()}
            given = {
                "passages": as_records(_COLUMNS, rows),
                "terms": as_records(
                    ("term", "block", "ids"), _placed(zip(batch, words, blocks, strict=True))
                ),
                "moments": as_records(("id", "first", "last"), moments),
                "totals": json.dumps({name: count for name, count in totals.items() if count}),
            }
            connection.execute(_INSERT, {**self._here, **given})
            totals = {}

    def _take(self, connection: "Connection", gone: Sequence[tuple[Passage, int]]) -> None:
        """Take passages away, with their words and days."""
        if not gone:
            return
        ids = [p.id for p, _ in gone]
        placed = _placed((p, self._terms(p._replace(id=0, length=0)), block) for p, block in gone)
        given = {"term": [term for term, *_ in placed], "block": [block for _, block, _ in placed]}
        connection.execute(_TAKE_IDS, {**self._here, **given, "id": ids})
        connection.execute(_TAKE_TERMS, {**self._here, **given})
        connection.execute(
            f"DELETE FROM passages WHERE {_HERE} AND id = ANY(%(id)s)", {**self._here, "id": ids}
        )
        days = [(p.id, first) for p, _ in gone for first, _ in p.moments]
        columns = {"id": [one for one, _ in days], "first": [first for _, first in days]}
        connection.execute(_TAKE_MOMENTS, {**self._here, **columns})


def _placed(passages: Iterable[tuple[Passage, Sequence[str], int]]) -> list[tuple[str, int, list[int]]]:
    """Return each term of some passages with a block and those of them that stand there."""
    found: dict[tuple[str, int], list[int]] = {}
    for passage, terms, block in passages:
        for term in dict.fromkeys(map(term_key, terms)):
            found.setdefault((term, block), []).append(passage.id)
    return [(*place, ids) for place, ids in found.items()]


def _row(passage: Passage, length: int, block: int) -> list[Any]:
    """Return a passage as values of JSON, in the order of `_COLUMNS`."""
    fields = passage._replace(length=length)._asdict()
    fields["day"] = passage.day and passage.day.isoformat()
    fields["times"] = " ".join(f"{first.isoformat()}/{last.isoformat()}" for first, last in passage.times)
    fields |= {"hash": f"\\x{_hash(passage).hex()}", "block": block}
    return [stored(value) if isinstance(value, str) else value for value in map(fields.get, _COLUMNS)]


def _hash(passage: Passage) -> bytes:
    return bytes.fromhex(text_hash(embedded_text(passage)))


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""  # the hash of no text
