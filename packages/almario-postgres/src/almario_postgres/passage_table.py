"""Passages in PostgreSQL: found by their words, their meaning and their days in one call."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from almario.domain.candidates import Search
from almario.domain.passages import PLACE_BITS, Passage, embedded_text, in_unicode, text_hash
from almario.errors import StoreError
from almario.ports import Vector
from almario_postgres.columns import halves, loaded, open_write, stored, takes_halves, term_key
from almario_postgres.database import Bound
from almario_postgres.known_rows import KnownRows
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
_HERE = "agent = %(agent)s AND shelf = %(shelf)s"
_ENTERED = f"coalesce((SELECT value FROM totals WHERE {_HERE} AND name = 'entered'), 0)"
_KNOWN_SOURCE = f"""UPDATE sources SET fingerprint = %(mark)s WHERE {_HERE} AND name = %(name)s
    RETURNING number, {_ENTERED}"""
_NEW_SOURCE = f"""WITH given AS (
        INSERT INTO totals(agent, shelf, name, value) VALUES (%(agent)s, %(shelf)s, 'sources', 1)
        ON CONFLICT (agent, shelf, name) DO UPDATE SET value = totals.value + 1 RETURNING value)
    INSERT INTO sources(agent, shelf, name, number, fingerprint)
    SELECT %(agent)s, %(shelf)s, %(name)s, value, %(mark)s FROM given RETURNING number, {_ENTERED}"""
_INSERT = """INSERT INTO passages(agent, shelf, id, text, path, line, kind, day, speaker, role, turn, memory,
        key, length, tells, figures, times, hash, block)
    SELECT %(agent)s, %(shelf)s, * FROM unnest(%(id)s::bigint[], %(text)s::text[], %(path)s::text[],
        %(line)s::bigint[], %(kind)s::text[], %(day)s::date[], %(speaker)s::text[], %(role)s::text[],
        %(turn)s::text[], %(memory)s::text[], %(key)s::text[], %(length)s::int[], %(tells)s::boolean[],
        %(figures)s::boolean[], %(times)s::text[], %(hash)s::bytea[], %(block)s::int[])"""
_ADD_TERMS = """INSERT INTO terms(agent, shelf, term, block, ids)
    SELECT %(agent)s, %(shelf)s, term, block, array_agg(id)
    FROM unnest(%(term)s::text[], %(block)s::int[], %(id)s::bigint[]) a(term, block, id) GROUP BY term, block
    ON CONFLICT (agent, shelf, term, block) DO UPDATE SET ids = terms.ids || excluded.ids"""
_TAKE_IDS = """UPDATE terms t SET ids = ARRAY(
        SELECT one FROM unnest(t.ids) one WHERE one NOT IN (SELECT unnest(%(id)s::bigint[])))
    FROM (SELECT DISTINCT * FROM unnest(%(term)s::text[], %(block)s::int[])) a(term, block)
    WHERE t.agent = %(agent)s AND t.shelf = %(shelf)s AND t.term = a.term AND t.block = a.block"""
_TAKE_TERMS = """DELETE FROM terms t USING unnest(%(term)s::text[], %(block)s::int[]) a(term, block)
    WHERE t.agent = %(agent)s AND t.shelf = %(shelf)s AND t.term = a.term AND t.block = a.block
        AND t.ids = '{}'"""
_ADD_MOMENTS = """INSERT INTO moments(agent, shelf, id, first, last)
    SELECT %(agent)s, %(shelf)s, * FROM unnest(%(id)s::bigint[], %(first)s::date[], %(last)s::date[])
    ON CONFLICT DO NOTHING"""
_TAKE_MOMENTS = """DELETE FROM moments m USING unnest(%(id)s::bigint[], %(first)s::date[]) a(id, first)
    WHERE m.agent = %(agent)s AND m.shelf = %(shelf)s AND m.first = a.first AND m.id = a.id"""
_ADD_VECTORS = """INSERT INTO vectors(agent, shelf, model, hash, vector)
    SELECT %(agent)s, %(shelf)s, %(model)s, %(hash)s, %(vector)b::halfvec
    WHERE EXISTS (SELECT FROM passages p
        WHERE p.agent = %(agent)s AND p.shelf = %(shelf)s AND p.hash = %(hash)s)
    ON CONFLICT DO NOTHING"""
_VECTORS = f"""SELECT hash, vector::real[] FROM vectors
    WHERE {_HERE} AND model = %(model)s AND hash = ANY(%(hashes)s)"""
_LACKING = """SELECT hash, text, key FROM passages p WHERE p.agent = %(agent)s AND p.shelf = %(shelf)s
        AND NOT EXISTS (SELECT FROM vectors v WHERE v.agent = %(agent)s AND v.shelf = %(shelf)s
            AND v.model = %(model)s AND v.hash = p.hash)
    ORDER BY day DESC NULLS LAST, id DESC"""
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

    def sources(self) -> Mapping[str, str]:
        query = f"SELECT name, fingerprint FROM sources WHERE {_HERE} AND fingerprint <> '' ORDER BY number"
        return {loaded(name): loaded(mark) for name, mark in self._listed(query)}

    def put(self, source: str, fingerprint: str, passages: Iterable[Passage], *, keep: int = 0) -> None:
        with open_write(self._bound) as connection:
            new = list(map(in_unicode, passages))
            first, entered, is_new = self._begun(connection, source, fingerprint, is_kept=bool(new))
            start = first if is_new or not keep else self._end(connection, first, keep)
            if start - first + len(new) > 1 << PLACE_BITS:
                raise StoreError("{source} has too many passages to be indexed", source=source)
            span = {"first": start, "last": first + (1 << PLACE_BITS)}
            old = {} if is_new else self._stored(connection, "id >= %(first)s AND id < %(last)s", span)
            numbered = (passage._replace(id=start + n, length=0) for n, passage in enumerate(new))
            self._exchange(connection, old, {passage.id: passage for passage in numbered}, entered)
            if not fingerprint and start == first and not new and not is_new:
                query = f"DELETE FROM sources WHERE {_HERE} AND name = %(name)s"
                connection.execute(query, {**self._here, "name": stored(source)})

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
            return found(connection, self._bound.agent, self._shelf, wanted)

    def passages(self, ids: Sequence[int]) -> Mapping[int, Passage]:
        with self._bound.reading() as connection:
            rows = self._stored(connection, "id = ANY(%(ids)s)", {"ids": [int(each) for each in ids]})
        return {one: passage for one, (passage, _) in rows.items()}

    def lacking(self, model: str, limit: int) -> Mapping[str, str]:
        texts: dict[str, str] = {}
        with self._bound.reading() as connection:
            totals = self._totals()
            # Most often there are few or none, and the search can end early.
            wanted = min(limit, totals.get("texts", 0) - totals.get(f"vectors {model}", 0))
            if wanted <= 0:
                return texts
            for hash_, text, key in connection.execute(_LACKING, {**self._here, "model": model}):
                texts[hash_.hex()] = embedded_text(Passage(loaded(text), "", 0, "", key=loaded(key)))
                if len(texts) == wanted:
                    break
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

    def _begun(
        self, connection: "Connection", source: str, fingerprint: str, *, is_kept: bool
    ) -> tuple[int, int, bool]:
        """Return where the passages of a source begin, how many came before, and whether it is new.

        Its number is given once; one that is not to be kept, and is not there, has none.
        """
        given = {**self._here, "name": stored(source), "mark": stored(fingerprint)}
        row = connection.execute(_KNOWN_SOURCE, given).fetchone()
        is_new = row is None
        if is_new and (fingerprint or is_kept):
            row = connection.execute(_NEW_SOURCE, given).fetchone()
        number, entered = row or (0, 0)
        return int(number) << PLACE_BITS, int(entered), is_new

    def _end(self, connection: "Connection", first: int, keep: int) -> int:
        """Return the place after those that are kept: a source has no gaps, so the last one tells."""
        query = f"SELECT max(id) FROM passages WHERE {_HERE} AND id >= %(first)s AND id < %(end)s"
        row = connection.execute(query, {**self._here, "first": first, "end": first + keep}).fetchone()
        return first if not row or row[0] is None else int(row[0]) + 1

    def _stored(
        self, connection: "Connection", condition: str, given: Mapping[str, Any]
    ) -> dict[int, tuple[Passage, int]]:
        """Return the passages that fit, in order, each with the block of its terms."""
        query = f"SELECT id, block, text, {GLANCE} FROM passages WHERE {_HERE} AND {condition} ORDER BY id"
        rows = connection.execute(query, {**self._here, **given}, binary=True)
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
        came, left = {_hash(p) for p in changed}, {_hash(p) for p, _ in gone}
        fresh = len(came) - len(self._used(connection, came))
        self._take(connection, gone)
        words = self._insert(connection, changed, entered)
        unused = left - self._used(connection, left)
        dropped: dict[str, int] = {}
        if unused:
            query = f"DELETE FROM vectors WHERE {_HERE} AND hash = ANY(%(hash)s) RETURNING model"
            for (model,) in connection.execute(query, {**self._here, "hash": list(unused)}):
                dropped[f"vectors {model}"] = dropped.get(f"vectors {model}", 0) - 1
        added = {
            "passages": len(changed) - len(gone),
            "words": words - sum(p.length for p, _ in gone),
            "texts": fresh - len(unused),
            "entered": len(changed),
        }
        self._add(connection, {**dropped, **added})

    def _used(self, connection: "Connection", hashes: Collection[bytes]) -> set[bytes]:
        """Return those of the texts that some passage has."""
        if not hashes:
            return set()
        query = f"SELECT DISTINCT hash FROM passages WHERE {_HERE} AND hash = ANY(%(hash)s)"
        return {bytes(row[0]) for row in connection.execute(query, {**self._here, "hash": list(hashes)})}

    def _insert(self, connection: "Connection", passages: Sequence[Passage], entered: int) -> int:
        """Add passages after so many that came before, and return how many words they have."""
        total = 0
        for start in range(0, len(passages), _BATCH):
            batch = passages[start : start + _BATCH]
            words = [self._terms(p._replace(id=0)) for p in batch]
            blocks = [(entered + start + n) // _BLOCK for n in range(len(batch))]
            rows = [_row(p, len(terms), block) for p, terms, block in zip(batch, words, blocks, strict=True)]
            connection.execute(_INSERT, {**self._here, **_by_name(rows)})
            given = _placed(zip(batch, words, blocks, strict=True))
            connection.execute(_ADD_TERMS, {**self._here, **given})
            if moments := [(p.id, *moment) for p in batch for moment in p.moments]:
                columns = dict(
                    zip(("id", "first", "last"), map(list, zip(*moments, strict=True)), strict=True)
                )
                connection.execute(_ADD_MOMENTS, {**self._here, **columns})
            total += sum(map(len, words))
        return total

    def _take(self, connection: "Connection", gone: Sequence[tuple[Passage, int]]) -> None:
        """Take passages away, with their words and days."""
        if not gone:
            return
        ids = [p.id for p, _ in gone]
        given = _placed((p, self._terms(p._replace(id=0, length=0)), block) for p, block in gone)
        connection.execute(_TAKE_IDS, {**self._here, **given, "id": ids})
        connection.execute(_TAKE_TERMS, {**self._here, **given})
        connection.execute(
            f"DELETE FROM passages WHERE {_HERE} AND id = ANY(%(id)s)", {**self._here, "id": ids}
        )
        days = [(p.id, first) for p, _ in gone for first, _ in p.moments]
        columns = {"id": [one for one, _ in days], "first": [first for _, first in days]}
        connection.execute(_TAKE_MOMENTS, {**self._here, **columns})


def _placed(passages: Iterable[tuple[Passage, Sequence[str], int]]) -> dict[str, list[Any]]:
    """Return each term of each passage, in which block it stands, and the passage's id."""
    rows = [(term_key(term), block, p.id) for p, terms, block in passages for term in dict.fromkeys(terms)]
    terms, blocks, ids = zip(*rows, strict=True) if rows else ((), (), ())
    return {"term": list(terms), "block": list(blocks), "id": list(ids)}


def _row(passage: Passage, length: int, block: int) -> dict[str, Any]:
    fields = {
        name: stored(value) if isinstance(value, str) else value for name, value in passage._asdict().items()
    }
    times = " ".join(f"{first.isoformat()}/{last.isoformat()}" for first, last in passage.times)
    return fields | {"length": length, "times": times, "hash": _hash(passage), "block": block}


def _by_name(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def _hash(passage: Passage) -> bytes:
    return bytes.fromhex(text_hash(embedded_text(passage)))


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""  # the hash of no text
