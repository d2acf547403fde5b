"""Vectors in SQLite, searched in memory: each process has its own copy, which follows the file."""

import json
import threading
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import compress, repeat
from typing import TYPE_CHECKING

from almario.adapters.blas import one_thread
from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.opening import damaged
from almario.adapters.sqlite.rows_held import Held, Rows
from almario.adapters.sqlite.vector_copies import (
    ComparedVectors,
    FileState,
    Matrix,
    Signs,
    VectorCopy,
    numpy,
    packed,
)
from almario.domain.candidates import Near
from almario.domain.passages import Passage, embedded_text
from almario.ports import Vector

if TYPE_CHECKING:
    from apsw import Connection
    from numpy import float64, int64
    from numpy.typing import NDArray

# Of so many times *many* vectors nothing but the signs is kept in memory.
_KEPT = 3
# Of so many passages it is kept in memory which vector they have.
_HELD = 1 << 16


def vector_schema(shelf: str) -> Sequence[str]:
    """Return what makes the tables of a shelf."""
    return (
        f"CREATE TABLE {shelf}vectors(number INTEGER PRIMARY KEY AUTOINCREMENT,"
        " model TEXT NOT NULL, hash BLOB NOT NULL, vector BLOB NOT NULL, signs BLOB NOT NULL)",
        # So that the signs are read without the vectors.
        f"CREATE INDEX {shelf}vectors_signs ON {shelf}vectors(model, number, signs)",
        f"CREATE UNIQUE INDEX {shelf}vectors_hash ON {shelf}vectors(hash, model)",
        # Tells a file from the one that was rebuilt in its place, whose numbers mean other texts.
        f"INSERT INTO {shelf}totals VALUES ('birth', random())",
    )


class Vectors:
    """The vectors of all texts, by model."""

    def __init__(self, database: Database, shelf: str, many: int) -> None:
        """Of more than *many*, those whose signs are nearest are compared, and no others."""
        self._database = database
        self._shelf = shelf
        self._lock = threading.Lock()
        self._copies: dict[str, VectorCopy] = {}
        self._many = many
        # By model: the number of each passage's vector, and the passages with each vector.
        self._held: defaultdict[str, Held] = defaultdict(lambda: Held(database.touched, _HELD))

    def nearest(self, vector: Vector, model: str, limit: int) -> Near:
        """Return the nearest passages, best first."""
        limit = max(limit, 0)
        with self._database.reading() as connection, one_thread():
            product = self._compared(connection, vector, model)
            best, background = product.best(limit)
            having = self._having(connection, model, best)
            near = [
                (-cosine, one)
                for number, cosine in zip(best, product.cosines(best).tolist(), strict=True)
                for one in having[-number]
            ]
            return Near([one for _, one in sorted(near)[:limit]], *background, product.many)

    def cosines(self, vector: Vector, model: str, ids: Sequence[int]) -> "NDArray[float64]":
        """Return the cosine of each of the passages; NaN if it has no vector."""
        np = numpy()
        with self._database.reading() as connection, one_thread():
            product = self._compared(connection, vector, model)
            numbers = self._numbers_of(connection, model, ids)
            found = np.full(len(ids), np.nan)
            found[numbers > 0] = product.cosines(numbers[numbers > 0])
            return found  # type: ignore[no-any-return]

    def _compared(self, connection: "Connection", vector: Vector, model: str) -> ComparedVectors:
        """Compare a vector with all others; what is asked of it in one moment is compared once."""
        moment = self._database.moment
        known = moment.get((self._shelf, model))
        if known and known[0] is vector:
            return known[1]  # type: ignore[no-any-return]
        np = numpy()
        query = np.asarray(vector, dtype=np.float32)
        with self._lock:
            product = self._followed(connection, model, len(vector)).compared(query, connection)
        moment[self._shelf, model] = vector, product
        return product

    def _having(self, connection: "Connection", model: str, numbers: Sequence[int]) -> Rows:
        # A cross join is read from left to right: SQLite would guess.
        held = self._held[model].rows(self._database.state())
        if unread := [number for number in numbers if -number not in held]:
            rows = connection.execute(
                f"SELECT p.id, v.number FROM {self._shelf}vectors v CROSS JOIN {self._shelf}passages p"
                " ON p.hash = v.hash WHERE v.number IN (SELECT value FROM json_each(?))",
                (json.dumps(unread),),
            )
            found: Rows = {-number: [] for number in unread}
            for one, number in rows:
                found[-number].append(one)
            held |= found
        return held

    def _numbers_of(self, connection: "Connection", model: str, ids: Sequence[int]) -> "NDArray[int64]":
        """Return the number of the vector of each of the passages; 0 if it has none."""
        np = numpy()
        held = self._held[model].rows(self._database.state())
        known = np.fromiter(map(held.get, ids, repeat(0)), np.int64, len(ids))
        if not known.all():
            unread = list(compress(ids, known == 0))
            held |= connection.execute(  # one that has none may get one
                f"SELECT p.id, v.number FROM {self._shelf}passages p CROSS JOIN {self._shelf}vectors v"
                " ON v.hash = p.hash AND v.model = ?1 WHERE p.id IN (SELECT value FROM json_each(?2))",
                (model, json.dumps(unread)),
            )
            known = np.fromiter(map(held.get, ids, repeat(0)), np.int64, len(ids))
        return known  # type: ignore[no-any-return]

    def lacking(self, model: str, limit: int) -> dict[str, str]:
        """Return texts without a vector of that model, by their hash, newest first."""
        found: dict[str, str] = {}
        with self._database.reading() as connection:
            totals = totals_of(connection, self._database, self._shelf)
            # Most often there are few or none, and the search can end early.
            wanted = min(limit, totals.get("texts", 0) - totals.get(f"vectors {model}", 0))
            if wanted <= 0:
                return found
            rows = connection.execute(
                f"SELECT hash, text, key FROM {self._shelf}passages AS p INDEXED BY {self._shelf}passages_day"
                f" WHERE NOT EXISTS (SELECT 1 FROM {self._shelf}vectors v"
                " WHERE v.hash = p.hash AND v.model = ?) ORDER BY day DESC, id DESC",
                (model,),
            )
            for key, text, about in rows:
                found[key.hex()] = embedded_text(Passage(text, "", 0, "", key=about))
                if len(found) == wanted:
                    break
            rows.close()
        return found

    def add(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors of texts that some passage has, unless they are there."""
        if not vectors:
            return
        np = numpy()
        values = np.asarray(list(vectors.values()), dtype=np.float32)
        halves = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0).astype("<f2")
        with self._database.writing() as connection:
            before = connection.total_changes()
            connection.executemany(
                f"INSERT INTO {self._shelf}vectors(model, hash, vector, signs) SELECT ?1, ?2, ?3, ?4"
                f" WHERE EXISTS (SELECT 1 FROM {self._shelf}passages WHERE hash = ?2) ON CONFLICT DO NOTHING",
                (
                    (model, _key(key), half.tobytes(), signs.tobytes())
                    for key, half, signs in zip(vectors, halves, packed(halves), strict=True)
                ),
            )
            add_to(connection, self._shelf, {f"vectors {model}": connection.total_changes() - before})

    def of(self, model: str, hashes: Collection[str]) -> dict[str, Vector]:
        """Return the vectors of some texts, by their hash."""
        query = f"SELECT vector FROM {self._shelf}vectors WHERE hash = ? AND model = ?"
        np = numpy()
        with self._database.reading() as connection:
            rows = ((each, connection.execute(query, (_key(each), model)).fetchone()) for each in hashes)
            return {each: np.frombuffer(row[0], dtype="<f2").astype(float) for each, row in rows if row}

    def touch(self, connection: "Connection", texts: Iterable[bytes]) -> None:
        """Say that passages with these texts come or go."""
        for text in texts:
            numbers = connection.execute(f"SELECT number FROM {self._shelf}vectors WHERE hash = ?", (text,))
            self._database.touch(-number for (number,) in numbers)

    def drop(self, connection: "Connection", texts: Iterable[bytes]) -> None:
        """Forget the vectors of these texts."""
        query = f"DELETE FROM {self._shelf}vectors WHERE hash = ? RETURNING model"
        gone = Counter(model for text in texts for (model,) in connection.execute(query, (text,)).fetchall())
        lost = {f"vectors {model}": -count for model, count in gone.items()}
        add_to(connection, self._shelf, {**lost, "dropped": gone.total()})

    def _followed(self, connection: "Connection", model: str, width: int) -> VectorCopy:
        import apsw  # noqa: PLC0415 - already loaded

        table, totals = f"{self._shelf}vectors", totals_of(connection, self._database, self._shelf)
        found = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        now = FileState(table, totals.get("birth", 0), totals.get("dropped", 0), found[0] if found else 0)
        count = totals.get(f"vectors {model}", 0)
        copy = self._copies.pop(model, None)
        is_many, is_kept = count > self._many, count <= _KEPT * self._many
        is_fit = is_many and copy.is_kept == is_kept if isinstance(copy, Signs) else not is_many
        if copy is None or not is_fit or not copy.can_follow(now, width):
            copy = None  # its memory is free before the next one is filled
            begun = now._replace(last=0)
            copy = Signs(width, begun, kept=is_kept) if is_many else Matrix(width, begun, count)
        if not copy.follow(connection, model, now):
            raise damaged(str(self._database), f"vectors of {model} are not {width} numbers long")
        # What is not committed may be rolled back, and its numbers given to other texts.
        if connection.txn_state() != apsw.SQLITE_TXN_WRITE:
            self._copies[model] = copy
        return copy


def add_to(connection: "Connection", shelf: str, counts: Mapping[str, int]) -> None:
    """Keep running totals."""
    if added := {name: count for name, count in counts.items() if count}:
        rows = ", ".join(["(?, ?)"] * len(added))
        query = f"INSERT INTO {shelf}totals VALUES {rows}"
        given = [each for pair in added.items() for each in pair]
        connection.execute(f"{query} ON CONFLICT DO UPDATE SET value = value + excluded.value", given)


def totals_of(connection: "Connection", database: Database, shelf: str) -> Mapping[str, int]:
    """Return the running totals, which are read once in a moment."""
    moment = database.moment
    if (shelf, "totals") not in moment:
        moment[shelf, "totals"] = dict(connection.execute(f"SELECT name, value FROM {shelf}totals"))
    return moment[shelf, "totals"]  # type: ignore[no-any-return]


def _key(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""  # the hash of no text
