"""Candidates for a question: passages found by words, meaning and dates at once, and their neighbours.

An index answers with these in one call. How it finds them is its own; `gathered` is for one that has lists
of ids by word. What is measured of hundreds of passages is kept as columns, so that it is computed at once.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from operator import itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from almario.domain.candidates import SHORTEST_PREFIX, Asking, Filter, Near, Search
from almario.domain.model import SOUL_FILES
from almario.domain.passages import Passage
from almario.domain.words import Word
from almario.named_tuples import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

# What a word is worth that the index knows only as the beginning of others.
_PREFIX = 0.5
_MOST_WORDS = 32
# A small store says little about which words are rare: as if there were this many passages more.
_UNSEEN = 50
_ROOM = 1024
# The place of a passage that does not exist, and of one that was not looked for yet.
NOWHERE, UNREAD = -1, -2
# Roles, by their number in a row. Other words are numbered as they come; 0 is none, for days, too.
ROLES = ("", "user", "assistant", "stranger", "act", "lesson")
# A passage without its text, its words as numbers; and whether it stands in a file of the soul.
_ROW = np.dtype(
    [
        ("path", np.int32),
        ("line", np.int32),
        ("kind", np.int32),
        ("day", np.int32),
        ("speaker", np.int32),
        ("role", np.int32),
        ("turn", np.int32),
        ("memory", np.int32),
        ("key", np.int32),
        ("id", np.int64),
        ("length", np.int32),
        ("tells", np.bool_),
        ("figures", np.bool_),
        ("times", np.int32),
        ("of_soul", np.bool_),
    ]
)
_parted = itemgetter(slice(4), slice(4, 9), slice(9, 13), 13)


class Table(NamedTuple):
    """Passages in the order of their ids, without their texts; the numbers of *rows* stand for *words*."""

    words: Sequence[Any]
    rows: "NDArray[Any]"

    @property
    def ids(self) -> "Ids":
        return np.ascontiguousarray(self.rows["id"])

    @property
    def passages(self) -> list[Passage]:
        return self.at(np.s_[:])

    def at(self, chosen: Any) -> list[Passage]:
        """Return some of the passages, by their places or a mask."""
        word = self.words.__getitem__
        return [
            Passage._make(
                (
                    "",
                    word(path),
                    line,
                    word(kind),
                    date.fromordinal(day) if day else None,
                    *map(word, said),
                    *counted,
                    word(times),
                )
            )
            for (path, line, kind, day), said, counted, times in map(_parted, self.rows[chosen].tolist())
        ]

    def all_of(self, what: str) -> set[Any]:
        """Return the words that some passage has in a column."""
        return {self.words[number] for number in np.unique(self.rows[what]).tolist()}


class Columns:
    """Passages that were read, to take tables from; rows are added and never change, so threads share it.

    They are kept as numbers, which take a quarter of the memory that their tuples would.
    """

    def __init__(self) -> None:
        self._count = 0
        self._rows: NDArray[Any] = np.empty(_ROOM, _ROW)
        self._words: list[Any] = list(ROLES)
        self._numbers: dict[Any, int] = {role: number for number, role in enumerate(ROLES)}
        self._lock = Lock()

    def __len__(self) -> int:
        return self._count

    def add(self, passages: Sequence[Passage]) -> range:
        """Add passages; return their places."""
        with self._lock:
            first, end = len(self), len(self) + len(passages)
            if end > len(self._rows):
                grown = np.empty(2 * end, _ROW)
                grown[:first] = self._rows[:first]
                self._rows = grown
            number = self._number
            self._rows[first:end] = [
                (
                    number(of.path),
                    of.line,
                    number(of.kind),
                    of.day.toordinal() if of.day else 0,
                    number(of.speaker),
                    number(of.role),
                    number(of.turn),
                    number(of.memory),
                    number(of.key),
                    of.id,
                    of.length,
                    of.tells,
                    of.figures,
                    number(of.times),
                    not of.turn and of.path in SOUL_FILES,
                )
                for of in passages
            ]
            self._count = end
            return range(first, end)

    def _number(self, word: Any) -> int:
        number = self._numbers.setdefault(word, len(self._words))
        if number == len(self._words):
            self._words.append(word)
        return number

    def take(self, places: "Ids") -> Table:
        """Return the passages at these places, which are in the order of their ids, but for those nowhere."""
        return Table(self._words, self._rows.take(places[places > NOWHERE]))


def table_of(passages: Mapping[int, Passage]) -> Table:
    """Return a table of passages, given by their ids."""
    columns = Columns()
    return columns.take(np.asarray(columns.add([passages[one] for one in sorted(passages)]), dtype=np.int64))


class Match(NamedTuple):
    """A word of the question: how much it weighs, and what it is worth in each candidate; 0 is nothing.

    *having* is how many of the passages that tell something have it.
    """

    text: str
    weight: float
    worths: "Floats"
    having: int


class Candidates(NamedTuple):
    """Passages, and how they were found.

    *words*, *near* and *time* name those that were found so, best first. *cosines* are those of the table,
    in its order; what has no vector has none (NaN). *average* is how many words a passage has, *telling*
    how many passages tell something; *has_more* says that more have some of the words.
    """

    table: Table
    matches: tuple[Match, ...]
    words: tuple[int, ...]
    time: tuple[int, ...]
    near: Near
    cosines: "Floats"
    average: float
    telling: int
    has_more: bool


class Lists(Protocol):
    """An index that has lists of ids."""

    def count(self) -> tuple[int, float]:
        """Return how many passages there are, and how many words they have on average."""

    def having(self, term: str) -> Sequence[int]:
        """Return the ids of the passages with a term, in order; a term that ends in `*` is a beginning."""

    def asking(self) -> Asking:
        """Return the passages that only ask."""

    def during(self, first: date, last: date, limit: int) -> Sequence[int]:
        """Return the latest passages that speak of those days, or of some of them, in order."""

    def table(self, ids: Sequence[int]) -> Table:
        """Return those of the passages that exist; the ids are in order."""

    def nearest(self, vector: Sequence[float], model: str, limit: int) -> Near:
        """Return the passages nearest to a vector."""

    def cosines(self, vector: Sequence[float], model: str, ids: Sequence[int]) -> "Sequence[float] | Floats":
        """Return the cosine of each of the passages; NaN if it has no vector."""


def gathered(lists: Lists, wanted: Search) -> Candidates:
    """Find the candidates by lists of ids, without reading a text."""
    matches = _matched(lists, wanted.words)
    words, read = _fitting(lists, matches, wanted)
    vector, model = wanted.vector, wanted.model
    near = Near() if vector is None else lists.nearest(vector, model, wanted.by_meaning)
    dated = [one for first, last in wanted.times for one in lists.during(first, last, wanted.by_time)]
    table = _with_neighbours(lists, wanted, read, [*near.ids, *dated, *wanted.also])
    ids = table.ids
    cosines = np.full(len(ids), np.nan) if vector is None else lists.cosines(vector, model, ids.tolist())
    near = _without_hidden(near, lists, wanted, table)
    return Candidates(
        table,
        tuple(Match(match.text, match.weight, match.worths(ids), match.having) for match in matches),
        tuple(words.tolist()),
        tuple(dated),
        near,
        np.asarray(cosines, dtype=float),
        *_average(lists),
        has_more=0 < wanted.by_words <= len(words),
    )


def _without_hidden(near: Near, lists: Lists, wanted: Search, table: Table) -> Near:
    """Return what is nearest with the statistics of the rest.

    A message that has its vector before it is answered is nearest to itself, and nothing would stand out.
    """
    unseen = sorted({*near.ids} - {*table.ids.tolist()}) if wanted.hidden else []
    if not unseen or wanted.vector is None:
        return near
    # The same text has one vector.
    gone = np.unique(lists.cosines(wanted.vector, wanted.model, unseen))
    gone = gone[~np.isnan(gone)]
    left = near.texts - len(gone)
    if left <= 0:
        return Near(near.ids)
    mean = (near.texts * near.mean - gone.sum()) / left
    square = (near.texts * (near.spread**2 + near.mean**2) - (gone**2).sum()) / left
    return Near(near.ids, float(mean), math.sqrt(max(square - mean**2, 0.0)), left)


def _average(lists: Lists) -> tuple[float, int]:
    (passages, words), asking = lists.count(), lists.asking()
    telling = passages - len(asking.ids)
    return (passages * words - asking.words) / telling if telling else 0.0, telling


def _fitting(lists: Lists, matches: Sequence["_Listed"], wanted: Search) -> "tuple[Ids, Table]":
    pool = wanted.by_words
    while True:
        ids = _best_by_words(matches, pool)
        read = lists.table(np.sort(ids).tolist())
        if len(ids) < pool or not pool or _count_fitting(read, wanted.filter) >= wanted.least:
            return ids, read
        pool *= 8


def _count_fitting(read: Table, wanted: Filter | None) -> int:
    if wanted is None or wanted.is_plain:
        return len(read.rows) - (int(np.count_nonzero(read.rows["of_soul"])) if wanted else 0)
    return sum(map(wanted.fits, read.passages))


def _with_neighbours(lists: Lists, wanted: Search, read: Table, others: Sequence[int]) -> Table:
    """Return the passages, those that were read and the others, and the neighbours of what was said."""
    other = lists.table(sorted(set(others)))
    around = [read.ids, other.ids]
    for some, reach in zip((read, other), wanted.beside, strict=True):
        spoken = some.ids[some.rows["turn"] > 0]
        around += [spoken + step for step in range(-reach, reach + 1) if step]
    table = lists.table(united(*around).tolist())
    if not (hidden := set(wanted.hidden)):
        return table
    seen = np.array([table.words[turn] not in hidden for turn in table.rows["turn"].tolist()], dtype=bool)
    return table._replace(rows=table.rows[seen])


class _Listed(NamedTuple):
    """Where a word of the question occurs: ids by falling worth, and how much the word weighs."""

    text: str
    lists: "tuple[tuple[float, Ids], ...]"
    weight: float
    having: int

    @property
    def ids(self) -> "Ids":
        every = [ids for _, ids in self.lists]
        return united(*every) if len(every) > 1 else every[0]

    def worths(self, ids: "Ids") -> "Floats":
        """Return what the word is worth in each of the passages."""
        found = np.zeros(len(ids))
        for worth, having in reversed(self.lists):
            found[are_among(ids, having)] = worth
        return found


def united(*lists: "Ids") -> "Ids":
    """Return the ids of some lists in order, each once; on so few this is quicker than `np.unique`."""
    ids = np.sort(np.concatenate(lists))
    is_new = np.ones(len(ids), dtype=bool)
    is_new[1:] = ids[1:] != ids[:-1]
    return ids[is_new]


def are_among(ids: "Ids", others: "Ids") -> "Mask":
    """Say of each of some ids whether it is one of the others; both are in order."""
    found = np.zeros(len(ids), dtype=bool)
    few, many = (ids, others) if len(ids) < len(others) else (others, ids)
    if len(few):
        places = np.minimum(np.searchsorted(many, few), len(many) - 1)
        are_there = many[places] == few
        found[np.arange(len(ids))[are_there] if few is ids else places[are_there]] = True
    return found


def _matched(index: Lists, words: Iterable[Word]) -> list[_Listed]:
    """Look each word up; a word that is nowhere weighs too, because the answer should have had it."""
    asking = np.asarray(index.asking().ids, dtype=np.int64)
    total = index.count()[0] - len(asking)

    def telling(ids: "Ids") -> int:
        return len(ids) - int(np.count_nonzero(are_among(ids, asking)))

    matches = []
    for word in words:
        listed = [(worth, np.asarray(index.having(term), dtype=np.int64)) for term, worth in word.terms]
        lists = [(worth, ids) for worth, ids in listed if len(ids)]
        if not lists and word.whole:
            continue
        most = max((telling(ids) for _, ids in lists), default=0)
        if not (most or word.whole) and len(word.text) >= SHORTEST_PREFIX:
            beginning = np.asarray(index.having(word.text + "*"), dtype=np.int64)
            if len(beginning):
                lists.append((_PREFIX, beginning))
                most = telling(beginning)
        matches.append(_Listed(word.text, tuple(lists), rarity(most, total), most))
    # A page pasted as a question has many words: the rarest say most, and cost least.
    return (
        sorted(matches, key=lambda match: -match.weight)[:_MOST_WORDS]
        if len(matches) > _MOST_WORDS
        else matches
    )


def rarity(having: int, total: int) -> float:
    """Return what a word weighs that so many of the passages have."""
    total = max(total, having) + _UNSEEN
    return math.log(1 + (total - having + 0.5) / (having + 0.5))


def _best_by_words(matches: Iterable[_Listed], limit: int) -> "Ids":
    heaviest = sorted((match for match in matches if match.lists), key=lambda match: -match.weight)
    left = sum(match.weight for match in heaviest)
    ids, weights = np.empty(0, dtype=np.int64), np.empty(0)
    for match in heaviest:
        having = match.ids
        # When the words still to come cannot lift a new passage among the best, only the known ones matter.
        if 0 < limit < len(ids) and _least_of(weights, limit) >= left:
            weights[are_among(ids, having)] += match.weight
        else:
            known, ids = ids, united(ids, having)
            weights, before = np.zeros(len(ids)), weights
            weights[np.searchsorted(ids, known)] = before
            weights[np.searchsorted(ids, having)] += match.weight
        left -= match.weight
    if len(ids) <= limit:
        return ids
    are_high = weights >= _least_of(weights, limit) if limit else np.zeros(len(ids), dtype=bool)
    ids, weights = ids[are_high], weights[are_high]
    best: Ids = ids[np.lexsort((-ids, -weights))[:limit]]
    return best


def _least_of(weights: "Floats", limit: int) -> float:
    return float(np.partition(weights, len(weights) - limit)[len(weights) - limit])
