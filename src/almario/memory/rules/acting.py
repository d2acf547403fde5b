"""Find what matters before a tool is used: what was said or learned of this command, this file, this text.

The call is compared field by field, as an argument of a command says more than a word of a path. What speaks
for a candidate is added up in log odds, as in `scoring`; `python -m benchmarks.fit_acts` finds the weights.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from almario.domain.acts import Call, tells_of_error
from almario.domain.candidates import Search
from almario.domain.columns import ROLES, Candidates, rarity
from almario.domain.passages import Passage
from almario.domain.plain_text import regex
from almario.domain.words import SMALL, fold, sentences_in
from almario.memory.rules.scored import Found, RankingQuery, Scored
from almario.memory.rules.scoring import Exchanges
from almario.memory.rules.sources import ACT, LESSON
from almario.named_tuples import NamedTuple
from almario.text.addressing import is_order
from almario.text.calls import commands_in
from almario.text.tongues import words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column = NDArray[np.float64]
    Places = NDArray[np.int64]

# How many passages are looked at for their words, and for their meaning; how many of them closely.
_POOL, _NEAREST, _CLOSE = 60, 30, 16
# Of few texts none stands out by less than this spread of their cosines.
_SPREAD = 0.03
_USUAL_LENGTH = 10
_WORD = regex(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_PIECE = 4


class Weighed(NamedTuple):
    """What a measure adds to the log odds of a candidate: beside cosines, and by words alone."""

    with_meaning: float
    by_words: float


BASE = Weighed(-5.19, -5.17)
MEASURES = {
    # The rarest word that a command is given, or that is written, in what was said.
    "given": Weighed(0.91, 0.88),
    "written": Weighed(1.76, 1.62),
    # The name of its sub-command, in what was said.
    "sub-command": Weighed(1.74, 1.70),
    # The two rarest words of the whole call, wherever they stand in it, in what was said or answered.
    "two words": Weighed(2.37, 2.71),
    # The pieces of names that are in what was said, as of words that belong together and no stem joins.
    "pieces": Weighed(0.97, 1.31),
    # A short remark says little that holds longer than its talk.
    "length": Weighed(0.95, 1.06),
    # What only asks, and an order for once: nothing is denied by it, and nothing new.
    "asks": Weighed(-1.23, -1.43),
    "once": Weighed(-0.86, -0.90),
    # How things are to be: something is denied, or new.
    "rules": Weighed(1.18, 1.20),
    # What failed is of a command; of a file it says little. A file that is only read is not changed yet.
    "failing, for a file": Weighed(-1.06, -0.96),
    "only read": Weighed(-1.68, -1.70),
    # How far its cosine stands out from those of the others.
    "meaning": Weighed(0.56, 0.00),
}


class CallWeights(NamedTuple):
    base: float
    of: tuple[float, ...]


WITH_MEANING, BY_WORDS = (
    CallWeights(BASE[n], tuple(weighed[n] for weighed in MEASURES.values())) for n in range(2)
)


def search(index: Found, query: RankingQuery) -> list[Scored]:
    """Return what matters for the call that a query is about, best first."""
    call = query.call
    measured = measure(index, query, call) if call else None
    if measured is None:
        return []
    of, columns = measured
    weights = _weights(columns)
    odds = weights.base + np.array(weights.of) @ columns
    scores = 1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0)))
    ranked = np.lexsort((-of.starts, -scores))[: query.limit]
    return [
        _scored(of, place, float(scores[place]), columns[:, place], weights, query)
        for place in ranked.tolist()
    ]


class Looked(NamedTuple):
    """The candidates that were looked at closely: the ids of each, where its answer begins, its texts."""

    starts: "Places"
    spans: Sequence[tuple[list[int], list[int]]]
    words: Sequence[frozenset[str]]
    texts: Mapping[int, Passage]
    tells: Sequence[bool]

    def said(self, place: int) -> str:
        return " ".join(self.texts[one].text for one in self.spans[place][0])


def measure(index: Found, query: RankingQuery, call: Call) -> "tuple[Looked, Column] | None":
    """Return the candidates for a call, and a row for each measure of them."""
    fields = {name: {word.text: word for word in words} for name, words in call.fields.items()}
    every_word = {text: word for words in fields.values() for text, word in words.items()}
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
    columns, shared = _by_columns(found, every, call, fields)
    # What was merely done is no reason for anything.
    may = rows["role"][every.starts] != ROLES.index(ACT)
    if query.filter is not None:
        may &= np.array([query.filter.fits(head) for head in found.table.at(every.starts)], dtype=bool)
    meaning = columns[_PLACE["meaning"]]
    if may.any() and meaning.any():
        columns[_PLACE["meaning"]] = (meaning - meaning[may].mean()) / (meaning[may].std() + _SPREAD)
    rough = np.where(may, np.array(_weights(columns).of) @ columns, -np.inf)
    chosen = np.argsort(-rough, kind="stable")[:_CLOSE]
    chosen = np.sort(chosen[np.isfinite(rough[chosen])])
    spans = [
        (ids[every.starts[n] : every.begins[n]].tolist(), ids[every.begins[n] : every.ends[n]].tolist())
        for n in chosen.tolist()
    ]
    texts = index.passages(sorted(one for spoken, answer in spans for one in (*spoken, *answer)))
    names = np.array([match.text for match in found.matches], dtype=object)
    words = [frozenset(names[shared[:, n] > 0].tolist()) for n in chosen.tolist()]
    of = Looked(every.starts[chosen], spans, words, texts, every.tells[chosen].tolist())
    columns = columns[:, chosen]
    _look_closely(of, columns, call, fields)
    # A lesson is of one command.
    programs = {each.program for each in call.commands if not each.only_looks}
    is_lesson = rows["role"][of.starts] == ROLES.index(LESSON)
    own = [not lesson or _is_of(of.said(n), programs) for n, lesson in enumerate(is_lesson.tolist())]
    return _some(of, own), columns[:, np.array(own, dtype=bool)]


_PLACE = {name: place for place, name in enumerate(MEASURES)}


def _weights(columns: "Column") -> CallWeights:
    return WITH_MEANING if columns[_PLACE["meaning"]].any() else BY_WORDS


def _by_columns(
    found: Candidates, every: Exchanges, call: Call, fields: Mapping[str, Collection[str]]
) -> "tuple[Column, Column]":
    """Return what is measured without reading a text, and what each word is worth in each exchange."""
    rows, most = found.table.rows, rarity(0, found.telling)
    worths = np.array([match.worths * (match.weight / most) for match in found.matches])
    worths = worths.reshape(-1, len(rows))
    answers = np.zeros(len(rows), dtype=bool)
    for begin, end in zip(every.begins.tolist(), every.ends.tolist(), strict=True):
        answers[begin:end] = True
    said = np.maximum.reduceat(np.where(answers, 0.0, worths), every.starts, axis=1)
    shared = np.maximum.reduceat(worths, every.starts, axis=1)
    lengths = np.add.reduceat(np.where(answers, 0, rows["length"]), every.starts)
    cosines = np.where(answers | np.isnan(found.cosines), 0.0, found.cosines)

    def rarest(words: Collection[str]) -> "Column":
        of_field = np.array([match.text in words for match in found.matches], dtype=bool)
        best: Column = said[of_field].max(axis=0, initial=0.0)
        return best

    columns = np.zeros((len(MEASURES), len(every.starts)))
    measured = {
        "given": rarest(fields["path"]) if call.kind == "run" else 0.0,
        "written": rarest(fields["written"]),
        "sub-command": rarest({each.sub.lower() for each in call.commands if not each.only_looks}),
        "two words": np.sort(shared, axis=0)[-2:].sum(axis=0),
        "length": np.log(np.maximum(lengths, 1) / _USUAL_LENGTH),
        "asks": ~every.tells,
        "only read": call.kind == "read",
        "meaning": np.maximum.reduceat(cosines, every.starts),
    }
    for name, column in measured.items():
        columns[_PLACE[name]] = column
    return columns, shared


def _look_closely(of: Looked, columns: "Column", call: Call, fields: Mapping[str, Collection[str]]) -> None:
    """Measure what can only be seen in the texts."""
    pieces = _pieces((*fields["command"], *fields["path"]))
    ruling = words_of("negations") | words_of("anew")
    for place in range(len(of.spans)):
        text = of.said(place)
        spoken = text.lower().replace("’", "'")
        words = set(_WORD.findall(spoken))
        own = _pieces(words - SMALL)
        rules = not words.isdisjoint(ruling) or any(word.endswith("n't") for word in words)
        measured = {
            "pieces": len(pieces & own) / np.sqrt(max(1, len(pieces)) * max(1, len(own))),
            "rules": rules,
            "once": not rules and all(map(is_order, sentences_in(text))),
            "failing, for a file": call.kind != "run" and tells_of_error(text),
        }
        for name, each in measured.items():
            columns[_PLACE[name], place] = each


def _pieces(words: Collection[str]) -> set[str]:
    folded = map(fold, words)
    return {word[n : n + _PIECE] for word in folded for n in range(len(word) - _PIECE + 1)}


def _some(of: Looked, chosen: Sequence[bool]) -> Looked:
    places = [n for n, is_one in enumerate(chosen) if is_one]
    return Looked(
        of.starts[places],
        [of.spans[n] for n in places],
        [of.words[n] for n in places],
        of.texts,
        [of.tells[n] for n in places],
    )


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
        by_meaning=bool(column[_PLACE["meaning"]]),
        parts=(("base", 1.0, weights.base), *parts) if query.explain else (),
        answer=tuple(texts[one] for one in answer),
        words=of.words[place],
    )
