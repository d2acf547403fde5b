"""Find what matters before a tool is used: what was said or learned of this command, this file, this text.

The call is compared field by field, as the name of a program or a file says more than a word that is
written. What speaks for a candidate is added up in log odds, as in `scoring`; `python -m benchmarks.fit_acts`
finds the weights.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from almario.domain.acts import Call
from almario.domain.candidates import Search
from almario.domain.columns import ROLES, rarity
from almario.domain.passages import Passage
from almario.domain.plain_text import regex
from almario.domain.words import sentences_in
from almario.memory.rules.scored import Found, RankingQuery, Scored
from almario.memory.rules.scoring import Exchanges
from almario.memory.rules.sources import ACT, LESSON
from almario.named_tuples import NamedTuple
from almario.text.addressing import is_order
from almario.text.calls import commands_in, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How many passages are looked at for their words, and for their meaning; how many of them closely.
_POOL, _NEAREST, _CLOSE = 60, 30, 16
_WORD = regex(r"[^\W\d_]+(?:'[^\W\d_]+)?")
FIELDS = ("command", "path", "purpose", "written")
# What is measured of a candidate, and what it adds to the log odds: with its cosines, and by words alone.
MEASURES = (
    *(f"{field} said" for field in FIELDS),
    *(f"{field} answered" for field in FIELDS),
    "second word",
    "all words",
    "covered",
    "meaning",
    "meaning of the answer",
    "asks",
    "orders",
    "lesson",
    "standing",
    "failing",
)


class CallWeights(NamedTuple):
    base: float
    of: tuple[float, ...]


WITH_MEANING = CallWeights(
    -4.5, (2.4, 2.1, 1.1, 1.1, 0.0, 0.0, 0.8, 0.0, 0.2, 1.0, 0.0, 2.1, 0.6, -2.0, -1.3, 2.0, 1.0, 1.0)
)
BY_WORDS = CallWeights(
    -4.0, (2.4, 2.1, 1.1, 1.1, 0.0, 0.0, 0.8, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, -2.0, -1.3, 2.0, 1.0, 1.0)
)


def search(index: Found, query: RankingQuery) -> list[Scored]:
    """Return what matters for the call that a query is about, best first."""
    call = query.call
    if call is None:
        return []
    measured = measure(index, query, call)
    if measured is None:
        return []
    of, columns = measured
    has_cosines = bool(
        columns[MEASURES.index("meaning")].any() or columns[MEASURES.index("meaning of the answer")].any()
    )
    weights = WITH_MEANING if has_cosines else BY_WORDS
    odds = weights.base + np.array(weights.of) @ columns
    scores = 1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0)))
    ranked = np.lexsort((-of.starts, -scores))[: query.limit]
    return [
        _scored(of, place, float(scores[place]), columns[:, place], weights, query)
        for place in ranked.tolist()
    ]


class Looked(NamedTuple):
    """The candidates that were looked at closely: the ids of each, where its answer begins, its texts."""

    starts: "NDArray[np.int64]"
    spans: Sequence[tuple[list[int], list[int]]]
    words: Sequence[frozenset[str]]
    texts: Mapping[int, Passage]
    tells: Sequence[bool]


def measure(index: Found, query: RankingQuery, call: Call) -> "tuple[Looked, NDArray[np.float64]] | None":
    """Return the candidates for a call, and a row for each measure of them."""
    fields = call.fields
    every_word = {word.text: word for name in FIELDS for word in fields[name]}
    found = index.candidates(
        Search(
            tuple(every_word.values()),
            _POOL,
            query.vector,
            query.model,
            by_meaning=_NEAREST,
            beside=(1, 1),
            hidden=query.hidden,
            filter=query.filter,
            least=_CLOSE,
        )
    )
    rows, ids = found.table.rows, found.table.ids
    if not len(rows):
        return None
    every = Exchanges(rows)
    most = rarity(0, found.telling)
    worths = np.array([match.worths * (match.weight / most) for match in found.matches]).reshape(
        -1, len(rows)
    )
    answers = np.zeros(len(rows), dtype=bool)
    for begin, end in zip(every.begins.tolist(), every.ends.tolist(), strict=True):
        answers[begin:end] = True
    said = np.maximum.reduceat(np.where(answers, 0.0, worths), every.starts, axis=1)
    answered = np.maximum.reduceat(np.where(answers, worths, 0.0), every.starts, axis=1)
    names = [match.text for match in found.matches]
    are_of = [
        np.array([name in {word.text for word in fields[field]} for name in names], dtype=bool)
        for field in FIELDS
    ]

    def best_of(table: "NDArray[np.float64]") -> "list[NDArray[np.float64]]":
        return [table[mask].max(axis=0, initial=0.0) for mask in are_of]

    both = np.maximum(said, answered)
    second = np.sort(both, axis=0)[-2] if len(names) > 1 else np.zeros(len(every.starts))
    # How much of what was said is of the call, as it were: a short rule is soon covered.
    lengths = np.add.reduceat(np.where(answers, 0, rows["length"]), every.starts)
    cosines = np.where(np.isnan(found.cosines), 0.0, found.cosines)
    columns = np.array(
        [
            *best_of(said),
            *best_of(answered),
            second,
            both.sum(axis=0),
            (said > 0).sum(axis=0) / np.maximum(lengths, 3),
            np.maximum.reduceat(np.where(answers, 0.0, cosines), every.starts),
            np.maximum.reduceat(np.where(answers, cosines, 0.0), every.starts),
            ~every.tells * 1.0,
            np.zeros(len(every.starts)),
            (rows["role"][every.starts] == ROLES.index(LESSON)) * 1.0,
            np.zeros(len(every.starts)),
            np.zeros(len(every.starts)),
        ]
    )
    filter_ = query.filter
    if filter_ is not None:
        heads = found.table.at(every.starts)
        may = np.array([filter_.fits(head) for head in heads], dtype=bool)
    else:
        may = np.ones(len(every.starts), dtype=bool)
    # What was merely done is no reason for anything.
    may &= rows["role"][every.starts] != ROLES.index(ACT)
    first = WITH_MEANING if cosines.any() else BY_WORDS
    rough = np.where(may, np.array(first.of) @ columns, -np.inf)
    chosen = np.argsort(-rough, kind="stable")[:_CLOSE]
    chosen = np.sort(chosen[np.isfinite(rough[chosen])])
    spans = [
        (ids[every.starts[n] : every.begins[n]].tolist(), ids[every.begins[n] : every.ends[n]].tolist())
        for n in chosen.tolist()
    ]
    texts = index.passages(sorted(one for spoken, answer in spans for one in (*spoken, *answer)))
    columns = columns[:, chosen]
    said_there = [" ".join(texts[one].text for one in spoken if one in texts) for spoken, _ in spans]
    columns[MEASURES.index("orders")] = [float(all(map(is_order, sentences_in(each)))) for each in said_there]
    says = table()["says"]
    for name in ("standing", "failing"):
        columns[MEASURES.index(name)] = [
            float(not says[name].isdisjoint(_WORD.findall(each.lower().replace("’", "'"))))
            for each in said_there
        ]
    # A lesson is of one command.
    programs = {each.program for each in call.commands if not each.only_looks}
    strange = columns[MEASURES.index("lesson")] > 0
    strange &= ~np.array([_is_of(each, programs) for each in said_there], dtype=bool)
    columns, chosen = columns[:, ~strange], chosen[~strange]
    spans = [span for span, out in zip(spans, strange.tolist(), strict=True) if not out]
    words = [
        frozenset(np.array(names)[both[:, n] > 0].tolist()) if names else frozenset() for n in chosen.tolist()
    ]
    return Looked(every.starts[chosen], spans, words, texts, every.tells[chosen].tolist()), columns


def _is_of(lesson: str, programs: Collection[str]) -> bool:
    """Say whether what failed, which a lesson begins with, runs one of these programs."""
    failed = lesson.partition("`")[2].partition("`")[0]
    return any(each.program in programs for each in commands_in(failed))


def _scored(
    of: Looked,
    place: int,
    score: float,
    column: "NDArray[np.float64]",
    weights: CallWeights,
    query: RankingQuery,
) -> Scored:
    spoken, answer = of.spans[place]
    texts = of.texts
    first = texts[spoken[0]]
    passage = first if len(spoken) == 1 else first._replace(text="\n".join(texts[one].text for one in spoken))
    parts = [
        (name, float(each), float(each) * weight)
        for name, each, weight in zip(MEASURES, column, weights.of, strict=True)
        if each
    ]
    return Scored(
        passage._replace(tells=of.tells[place]),
        score,
        by_word=bool(of.words[place]),
        by_meaning=bool(column[MEASURES.index("meaning")]),
        parts=(("base", 1.0, weights.base), *parts) if query.explain else (),
        answer=tuple(texts[one] for one in answer),
        words=of.words[place],
    )
