"""What one call of the database brings for a search, as the lists that the rules of a search work on."""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from almario.domain.candidates import SHORTEST_PREFIX, Asking, Near, Search
from almario.domain.passages import Passage
from almario.errors import Damaged
from almario_postgres.columns import SIGN, beginning, halved, loaded, takes_halves, term_key

if TYPE_CHECKING:
    from psycopg import Connection

    from almario.domain.columns import Candidates, Table
    from almario_postgres.passages_at_hand import PassagesAtHand

_CALL = (
    "SELECT * FROM candidates(%s::bigint, %s::smallint, %s::int[], %s::text[], %s::text[], %s::int[],"
    " %s::text[], %s::text[], %s::int, %s::text, %b::halfvec, %b::halfvec, %s::int, %s::date[], %s::date[],"
    " %s::int, %s::int[], %s::bigint[])"
)
_HERE = "agent = %(agent)s AND shelf = %(shelf)s"
# Whatever the server knows of its tables, it reads each term's rows alone (`OFFSET 0`).
_LISTS = f"""
    SELECT 'n', name, '', ARRAY[value] FROM totals WHERE {_HERE} AND name IN ('passages', 'words')
    UNION ALL
    SELECT 'q', '', coalesce(sum(length), 0)::text, array_agg(id) FROM passages WHERE {_HERE} AND NOT tells
    UNION ALL
    SELECT 't', a.first, a.last, l.ids
    FROM unnest(%(term)s::text[], %(till)s::text[]) a(first, last), LATERAL (
        SELECT ids FROM terms WHERE {_HERE} AND term >= a.first AND term <= a.last OFFSET 0) l
    UNION ALL
    SELECT 'd', a.nth::text, '', (SELECT array_agg(d.id) FROM (
        SELECT id FROM moments WHERE {_HERE} AND first <= a.until AND last >= a.since
        GROUP BY id ORDER BY max(first) DESC, id DESC LIMIT %(by_time)s) d)
    FROM unnest(%(since)s::date[], %(until)s::date[]) WITH ORDINALITY a(since, until, nth)"""
_BEGINNING = f"SELECT ids FROM terms WHERE {_HERE} AND term >= %(first)s AND term <= %(last)s"
# What is told of a passage (`glanced` reads it).
GLANCE = "path, line, kind, day, speaker, role, turn, memory, key, length, tells, figures, times"
# Thousands of passages are read for one question, and share a few hundred days.
_day = lru_cache(4096)(date.fromisoformat)
# From which term up to which.
_Span = tuple[str, str]


def found(
    connection: "Connection", agent: int, shelf: int, wanted: Search, at_hand: "PassagesAtHand | None" = None
) -> "Candidates":
    """Return what is found by words, by meaning and by time in one call.

    The database guesses which passages have the weightiest words; where the rules choose others, it is asked
    once more. Of passages that are at hand it is asked for the lists alone.
    """
    from almario.domain.columns import gathered  # noqa: PLC0415 - numpy takes 100 ms

    if at_hand:
        return gathered(_ListsBeside(connection, agent, shelf, wanted, at_hand), wanted)
    lists = _Brought(_searched(connection, agent, shelf, wanted))
    candidates = gathered(lists, wanted)
    if lists.worded.issuperset(candidates.words) and set(wanted.also).issubset(candidates.table.ids.tolist()):
        return candidates
    return gathered(_Brought(_searched(connection, agent, shelf, wanted, sorted(lists.sought))), wanted)


def _searched(
    connection: "Connection", agent: int, shelf: int, wanted: Search, worded: Sequence[int] | None = None
) -> Iterable[Any]:
    from psycopg.errors import DataException  # noqa: PLC0415 - connected, it is loaded

    pool = wanted.by_words
    while 0 < pool < wanted.least:
        pool *= 8  # as the rules would
    query, rest = (None, None) if wanted.vector is None else halved(wanted.vector)
    given = (
        *(agent, shelf, *_columns(_terms(wanted), 3), *_columns(_spare(wanted), 3), pool, wanted.model),
        *(query, rest, max(wanted.by_meaning, 0), *_columns(wanted.times, 2), wanted.by_time),
        *(list(wanted.beside), worded),
    )
    takes_halves(connection)
    try:
        return connection.execute(_CALL, given, binary=True).fetchall()
    except DataException as exc:  # vectors of another length
        raise Damaged("{path} is damaged: {why}", path=wanted.model, why=str(exc)) from exc


def _terms(wanted: Search) -> Iterator[tuple[int, str, str]]:
    """Yield the terms of each word, by its number, from the first to the last that each stands for."""
    for number, word in enumerate(wanted.words):
        for term, _ in word.terms:
            if (span := span_of(term))[0]:
                yield (number, *span)


def _spare(wanted: Search) -> Iterator[tuple[int, str, str]]:
    for number, word in enumerate(wanted.words):
        if not word.whole and len(word.text) >= SHORTEST_PREFIX:
            yield (number, *beginning(word.text))


def span_of(term: str) -> _Span:
    """Return from which term to which one stands that may be a beginning; of nothing, to nothing."""
    if term.endswith("*"):
        return beginning(term[:-1]) if term[:-1] else ("", "")
    return term_key(term), term_key(term)


def _columns(rows: Iterable[Sequence[Any]], count: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(count)]


class _Brought:
    """The lists of one search; *sought* are the passages that were asked for."""

    def __init__(self, rows: Iterable[Any]) -> None:
        self.sought: set[int] = set()
        self.worded: set[int] = set()
        self._count = (0, 0.0)
        self._asking = Asking((), 0)
        self._lists: dict[_Span, list[int]] = {}
        self._near: Sequence[int] = ()
        self._background = (0.0, 0.0, 0)
        self._times: list[list[int]] = []
        self._passages: dict[int, Passage] = {}
        self._cosines: dict[int, float] = {}
        for part, *row in rows:
            getattr(self, f"_take_{part}")(*row)

    def _take_n(self, passages: int, words: float, *_: object) -> None:
        self._count = passages, words / passages if passages else 0.0

    def _take_q(self, _: object, words: float, __: None, ids: list[int], *___: None) -> None:
        self._asking = Asking(sorted(ids), int(words))

    def _take_t(self, _: object, __: object, ___: None, ids: list[int], first: str, *rest: str) -> None:
        self._lists.setdefault((first, rest[7]), []).extend(ids)

    def _take_w(self, _: object, __: object, ___: None, ids: list[int], *____: None) -> None:
        self.worded.update(ids)

    def _take_v(self, count: int, mean: float | None, spread: float | None, ids: list[int], *_: None) -> None:
        self._near = ids
        self._background = mean or 0.0, spread or 0.0, count

    def _take_d(self, _: object, __: object, ___: object, ids: list[int], *____: None) -> None:
        self._times.append(sorted(ids))

    def _take_p(self, one: int, cosine: float | None, _: None, __: None, *fields: Any) -> None:
        self._passages[one] = glanced(one, fields)
        if cosine is not None:
            self._cosines[one] = min(1.0, max(-1.0, cosine))

    def count(self) -> tuple[int, float]:
        return self._count

    def having(self, term: str) -> Sequence[int]:
        return sorted(self._lists.get(span_of(term), ()))  # what was written again stands last

    def asking(self) -> Asking:
        return self._asking

    def during(self, first: date, last: date, limit: int) -> Sequence[int]:
        return self._times.pop(0)  # they are asked for in their order

    def table(self, ids: Sequence[int]) -> "Table":
        from almario.domain.columns import table_of  # noqa: PLC0415 - numpy takes 100 ms

        self.sought.update(ids)
        return table_of({one: self._passages[one] for one in ids if one in self._passages})

    def nearest(self, vector: Sequence[float], model: str, limit: int) -> Near:
        return Near([one for one in self._near[:limit] if one in self._cosines], *self._background)

    def cosines(self, vector: Sequence[float], model: str, ids: Sequence[int]) -> Sequence[float]:
        return [self._cosines.get(one, math.nan) for one in ids]


class _ListsBeside:
    """The lists of one search, read in one statement, beside passages that are at hand."""

    def __init__(
        self, connection: "Connection", agent: int, shelf: int, wanted: Search, at_hand: "PassagesAtHand"
    ) -> None:
        self._connection = connection
        self._here = {"agent": agent, "shelf": shelf, "by_time": wanted.by_time}
        self._at_hand = at_hand
        self._lists: dict[_Span, list[int]] = {}
        self._times: dict[str, list[int]] = {}
        spans = dict.fromkeys((first, last) for _, first, last in _terms(wanted))
        firsts, lasts = _columns(spans, 2)
        since, until = _columns(wanted.times, 2)
        given = {**self._here, "term": firsts, "till": lasts, "since": since, "until": until}
        totals: dict[str, int] = {}
        self._asking = Asking((), 0)
        self._lists = {span: [] for span in spans}
        for part, first, last, ids in connection.execute(_LISTS, given, binary=True):
            if part == "t":
                self._lists[first, last] += ids
            elif part == "d":
                self._times[first] = sorted(ids or ())
            elif part == "n":
                totals[first] = ids[0]
            elif part == "q":
                self._asking = Asking(sorted(ids or ()), int(last))
        passages, words = totals.get("passages", 0), totals.get("words", 0)
        self._count = passages, words / passages if passages else 0.0
        self._asked = 0

    def count(self) -> tuple[int, float]:
        return self._count

    def having(self, term: str) -> Sequence[int]:
        if (span := span_of(term)) not in self._lists:  # the beginning of a word that nothing has as it is
            given = {**self._here, "first": span[0], "last": span[1]}
            rows = self._connection.execute(_BEGINNING, given, binary=True)
            self._lists[span] = [one for (ids,) in rows for one in ids] if span[0] else []
        return sorted({*self._lists[span]})

    def asking(self) -> Asking:
        return self._asking

    def during(self, first: date, last: date, limit: int) -> Sequence[int]:
        self._asked += 1  # they are asked for in their order
        return self._times.get(str(self._asked), [])

    def table(self, ids: Sequence[int]) -> "Table":
        return self._at_hand.table(ids)

    def nearest(self, vector: Sequence[float], model: str, limit: int) -> Near:
        return self._at_hand.nearest(vector, model, limit)

    def cosines(self, vector: Sequence[float], model: str, ids: Sequence[int]) -> Any:
        return self._at_hand.cosines(vector, model, ids)


def glanced(one: int, fields: Sequence[Any], text: str = "") -> Passage:
    """Return a passage of what the database says of it."""
    path, line, kind, day, speaker, role, turn, memory, key, length, tells, figures, times = fields
    texts = [text, path, kind, speaker, role, turn, memory, key]
    if SIGN in "".join(texts):
        text, path, kind, speaker, role, turn, memory, key = map(loaded, texts)
    moments = times_of(times) if times else ()
    place = (text, path, line, kind, day, speaker, role, turn, memory, key, one)
    return Passage._make((*place, length, tells, figures, moments))


@lru_cache(4096)
def times_of(written: str) -> tuple[tuple[date, date], ...]:
    """Return the days that a passage speaks of, as they are written in its row."""
    spans = (each.partition("/") for each in written.split())
    return tuple((_day(first), _day(last)) for first, _, last in spans)
