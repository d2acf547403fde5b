"""`python -m benchmarks.fit`: find the weights of `memory/rules/scoring.py` on the development data.

Every question of every set is recalled through the public face, with nothing held back; a hit helps if it
is one of the question's gold answers. What each measure says of it is fitted by a logistic regression:
what was said on all sets, what was noted on the lives, each with and without cosines. Of what was said it
counts, too, that what helps stands above the rest of its question. With `--cues`, the
weights of cues are fitted beside the others, which stay as they are. To see whether a change is more than
luck, `--half 0` and `--half 1` fit on one half of the questions and measure on the other.
"""

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import almario
from almario.memory.rules.scoring import BASE, MEASURES, REMARKED
from almario.text.questions import read_question
from benchmarks.lives import CLASSES, cues_in, rows_of
from benchmarks.other_words import FILE, by_language, knowing
from benchmarks.retrieval import HARNESS
from benchmarks.systems import CONVERSATIONS, WORDS_ONLY, Conversations

# So many of the best are looked at for each question.
DEPTH = 40
SHOWN = 5
# How much a set counts, whatever its number of questions: the lives are what it is for, and in XQuAD
# encyclopaedia paragraphs stand where turns should be.
COUNTS = {"lives": 2.0, "other_words": 0.5, "locomo": 3.0, "longmemeval": 1.0, "xquad": 0.03, "remarks": 0.8}
# How much it counts that what helps stands above the other hits of its question, beside whether the odds of
# each hit hold; and by how much odds are stretched for that.
RANKED, SHARPLY = 3.0, 2.0
# How much it counts that weights are small.
RIDGE = 0.1
NAMES = tuple(MEASURES)
# What says something of what was said, and of what was noted.
SAID = tuple(name for name in MEASURES if name != "own")
NOTED = ("own", "mass", "meaning", "time", "when", "amount")
BY_MEANING = ("meaning", "beside")
CUES = ("cue", "cue_words")

Floats = NDArray[np.float64]


class Row(NamedTuple):
    """One hit of a question: whether it was said, what was measured, whether it helps."""

    question: int
    said: bool
    measures: tuple[float, ...]
    helps: bool


class Asked(NamedTuple):
    """A question: its class, how many golden things it needs, whether it asks at all, and in which life."""

    kind: str
    need: int
    asks: bool
    life: str = ""


class Gathered(NamedTuple):
    """The hits of one set, and its questions."""

    name: str
    rows: list[Row]
    questions: list[Asked]

    def of(self, keep: Callable[[Asked, int], bool]) -> "Gathered":
        """Return it with the hits of some questions only."""
        return self._replace(
            rows=[row for row in self.rows if keep(self.questions[row.question], row.question)]
        )


def recalled(soul: almario.Soul, question: str, **how: Any) -> list[almario.Hit]:
    return soul.recall(question, limit=DEPTH, min_score=0.0, explain=True, **how)


def asks(text: str) -> bool:
    return not read_question(text, date.min).is_remark


def row_of(question: int, hit: almario.Hit, helps: bool) -> Row:
    measured = {name: value for name, value, _ in hit.reasons}
    return Row(question, bool(hit.turn), tuple(measured.get(name, 0.0) for name in MEASURES), helps)


def conversations(name: str, harness: Any, settings: Mapping[str, Any] | None) -> Gathered:
    """Gather from a set of conversations."""
    found = Gathered(name, [], [])
    for conversation in _loaded(name, harness):
        system = Conversations(settings)
        system.ingest(conversation.sessions)
        for query in conversation.queries:
            system.today(query.now)
            number = len(found.questions)
            found.questions.append(Asked(query.category, len(query.gold), asks(query.text)))
            for hit in recalled(system.soul, query.text, scope=CONVERSATIONS):
                ids = {system.turns.get(turn) for turn in (hit.turn, *hit.evidence)}
                found.rows.append(row_of(number, hit, not query.gold.isdisjoint(ids)))
        system.close()
    return found


def _loaded(name: str, harness: Any) -> Iterator[Any]:
    if name == "locomo":
        for conversation in harness.locomo.load():
            conversation.queries[:] = [query for query in conversation.queries if query.headline]
            yield conversation
    elif name == "longmemeval":
        yield from harness.longmemeval.load(per_type=6)
    else:
        for conversation in harness.xquad_es.load():
            conversation.queries[:] = conversation.queries[::3]  # a third of them says as much
            yield conversation


def lives(
    harness: Any, settings: Mapping[str, Any] | None, paths: Sequence[Path], cues: Path | None
) -> Gathered:
    """Gather from the lives; what is private, forgotten or a stranger's is no question of likelihood."""
    found, life, known = Gathered("lives", [], []), harness.life, cues_in(cues)

    class Watched(life.Life):  # type: ignore[misc,name-defined]
        def __init__(self, path: Path, home: Path) -> None:
            self.of, self.cues = path.stem, known.get(path.stem, {})
            super().__init__(rows_of(path), home, settings=settings or {})

        def _keep(self, row: Any, receipt: almario.Receipt) -> None:
            super()._keep(row, receipt)
            if receipt.memory and row["id"] in self.cues:
                self.soul.memory.change(receipt.memory.id, cues=self.cues[row["id"]])

        def _measured(self, soul: almario.Soul, row: Any) -> None:
            if row["category"] not in CLASSES or row["who"] != "owner":
                return
            groups = life.groups_of(row["gold"])
            flat = [each for group in groups for each in group]
            number, need = len(found.questions), row.get("need", 1) if groups else 0
            found.questions.append(Asked(row["category"], need, asks(row["message"]), self.of))
            for hit in recalled(soul, row["message"]):
                helps = bool(flat) and self._tells([life._told(hit)], flat)
                found.rows.append(row_of(number, hit, helps))

    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            Watched(path, Path(folder) / "home").run()
    return found


def remarks(harness: Any, settings: Mapping[str, Any] | None, path: Path) -> Gathered:
    """Gather from the remarks: a hit helps if it tells one of the things that belong to one."""
    found, tells = Gathered("remarks", [], []), harness.remarks.tells
    with gzip.open(path, "rt") as file:
        domains = json.load(file)["domains"].values()
    for domain in domains:
        with tempfile.TemporaryDirectory() as folder:
            soul, texts = harness.remarks.live(domain, Path(folder) / "home", settings or {})
            soul.memory.reindex()
            for remark in domain["remarks"][::2]:  # half of them say as much
                things = [
                    each
                    for each in remark["concepts"]
                    if tells(" ".join(texts), each) and not tells(remark["text"], each)
                ]
                number = len(found.questions)
                found.questions.append(Asked("remark", len(things), asks(remark["text"])))
                for hit in recalled(soul, remark["text"]):
                    found.rows.append(row_of(number, hit, any(tells(hit.text, each) for each in things)))
            soul.close()
    return found


def in_other_words(settings: Mapping[str, Any] | None) -> Gathered:
    """Gather from questions that share hardly a word with their answers, or have none."""
    found = Gathered("other_words", [], [])
    for rows in by_language([FILE]).values():
        with tempfile.TemporaryDirectory() as folder, knowing(rows, Path(folder), settings or {}) as soul:
            for row in rows:
                if "question" in row:
                    fact, number = row.get("fact", ""), len(found.questions)
                    kind, need = ("other_words", 1) if fact else ("negative", 0)
                    found.questions.append(Asked(kind, need, asks=True, life=f"told_{row['lang']}"))
                    hits = recalled(soul, row["question"])
                    found.rows.extend(row_of(number, hit, hit.text == fact) for hit in hits)
    return found


class Lists:
    """Hits parted by their questions, so that what helps is compared with what it stands beside."""

    def __init__(self, questions: Sequence[int], helps: Floats, counts: Floats) -> None:
        self._starts = np.flatnonzero(np.diff(questions, prepend=-1))
        self._sizes = np.diff(np.append(self._starts, len(questions)))
        helping = np.add.reduceat(helps, self._starts)
        self._lists = RANKED * counts[self._starts] * (helping > 0)
        self._counts = self._to_each(self._lists)
        self._wanted = helps / np.maximum(1.0, self._to_each(helping))

    def _to_each(self, values: Floats) -> Floats:
        return np.repeat(values, self._sizes)

    def _shares(self, odds: Floats) -> Floats:
        """Return how much of its list each hit takes."""
        highest = self._to_each(np.maximum.reduceat(odds, self._starts))
        taken = np.exp(SHARPLY * (odds - highest))
        return np.asarray(taken / self._to_each(np.add.reduceat(taken, self._starts)))

    def loss(self, odds: Floats) -> float:
        return float(-(self._counts * self._wanted * np.log(self._shares(odds) + 1e-300)).sum())

    def slope_and_bend(self, rows: Floats, odds: Floats) -> tuple[Floats, Floats]:
        """Return the first and second derivatives of the loss by the weights."""
        shares = self._shares(odds)
        means = np.add.reduceat(rows * shares[:, None], self._starts, axis=0)
        bend = (rows * (self._counts * shares)[:, None]).T @ rows - (means * self._lists[:, None]).T @ means
        return SHARPLY * rows.T @ (self._counts * (shares - self._wanted)), SHARPLY**2 * bend


def fitted(measures: Floats, helps: Floats, counts: Floats, lists: Lists | None = None) -> Floats:
    """Return the weights, the first of them the base, that make the hits' outcomes likeliest."""
    rows = np.hstack([np.ones((len(measures), 1)), measures])
    held = RIDGE * np.eye(rows.shape[1])
    held[0, 0] = 1e-6
    return _likeliest(rows, np.zeros(len(rows)), helps, counts, held, lists)


def _likeliest(
    rows: Floats, known: Floats, helps: Floats, counts: Floats, held: Floats, lists: Lists | None = None
) -> Floats:
    """Return the weights that, beside the log odds *known*, make outcomes likeliest."""
    weights = np.zeros(rows.shape[1])

    def loss(tried: Floats) -> float:
        odds = known + rows @ tried
        ranked = lists.loss(odds) if lists else 0.0
        return (
            float((counts * (np.logaddexp(0, odds) - helps * odds)).sum() + 0.5 * tried @ held @ tried)
            + ranked
        )

    for _ in range(100):
        odds = known + rows @ weights
        chance = _chance(odds)
        slope = rows.T @ (counts * (chance - helps)) + held @ weights
        bend = (rows * (counts * chance * (1 - chance))[:, None]).T @ rows + held
        if lists:
            more, bent = lists.slope_and_bend(rows, odds)
            slope, bend = slope + more, bend + bent
        step = np.linalg.solve(bend, slope)
        size = next((2.0**-n for n in range(30) if loss(weights - 2.0**-n * step) < loss(weights)), 0.0)
        weights = weights - size * step
        if size * np.abs(step).max() < 1e-6:
            break
    return weights


def _chance(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))))


class Fit(NamedTuple):
    """The weights of what was said and of what was noted, for all measures in their order.

    *remark* is by how much the log odds of a remark are raised and stretched.
    """

    said: Floats
    noted: Floats
    remark: tuple[float, float] = (0.0, 1.0)

    def odds(self, row: Row) -> float:
        weights = self.said if row.said else self.noted
        return float(weights[0] + np.dot(row.measures, weights[1:]))

    def score(self, row: Row, asks: bool) -> float:
        raised, stretched = (0.0, 1.0) if asks else self.remark
        return float(_chance(np.asarray(raised + stretched * self.odds(row))))


def fit(sets: Sequence[Gathered], *, words: bool) -> Fit:
    """Fit the two kinds apart on what asks, then the curve of remarks.

    First so that what helps stands above what does not; then all of it is raised and stretched alike, so
    that the probabilities hold for what is shown.
    """
    asking = [each.of(lambda asked, _: asked.asks) for each in sets]
    columns = {
        said: [NAMES.index(name) for name in names if not (words and name in BY_MEANING)]
        for said, names in ((True, SAID), (False, NOTED))
    }
    found = Fit(_weights(asking, True, columns[True]), _weights(asking, False, columns[False]))
    shown = [each._replace(rows=_best(each, found)) for each in asking]
    found = Fit(_settled(shown, True, found), _settled(shown, False, found))
    others = [each.of(lambda asked, _: not asked.asks) for each in sets]
    rows = [(row, _count(each)) for each in others for row in _best(each, found)]
    if not rows:
        return found
    raised, stretched = _fitted(np.array([[found.odds(row)] for row, _ in rows]), rows)
    return found._replace(remark=(float(raised), float(stretched)))


def in_use(*, words: bool) -> Fit:
    """Return the weights of the table."""
    kinds = (2, 3) if words else (0, 1)
    said, noted = (
        np.array([BASE[kind], *(each.weights[kind] for each in MEASURES.values())]) for kind in kinds
    )
    raised, stretched = REMARKED[words]
    return Fit(said, noted, (raised, stretched))


def with_cues(sets: Sequence[Gathered], *, words: bool) -> Fit:
    """Fit the weights of cues beside those of the table: of what is noted, on what asks."""
    found = in_use(words=words)
    columns = [NAMES.index(name) for name in CUES if not (words and name == "cue")]
    found.noted[[column + 1 for column in columns]] = 0.0
    rows = [
        (row, _count(each))
        for each in sets
        for row in each.of(lambda asked, _: asked.asks).rows
        if not row.said
    ]
    known = np.array([found.odds(row) for row, _ in rows])
    measures = np.array([[row.measures[column] for column in columns] for row, _ in rows])
    helps = np.array([float(row.helps) for row, _ in rows])
    counts = np.array([count for _, count in rows])
    held = RIDGE * np.eye(len(columns))
    found.noted[[column + 1 for column in columns]] = _likeliest(measures, known, helps, counts, held)
    return found


def _weights(sets: Sequence[Gathered], said: bool, columns: Sequence[int]) -> Floats:
    parts = [(each, [row for row in each.rows if row.said == said]) for each in sets]
    rows = [(row, _count(each)) for each, hits in parts for row in hits]
    whole = np.zeros(len(NAMES) + 1)
    if rows:
        measures = np.array([[row.measures[column] for column in columns] for row, _ in rows])
        starts = np.cumsum([0, *(len(each.questions) for each in sets)])
        questions = [
            start + row.question for start, (_, hits) in zip(starts, parts, strict=False) for row in hits
        ]
        whole[[0, *(column + 1 for column in columns)]] = _fitted(measures, rows, questions if said else ())
    return whole


def _settled(sets: Sequence[Gathered], said: bool, found: Fit) -> Floats:
    rows = [(row, _count(each)) for each in sets for row in each.rows if row.said == said]
    weights = found.said if said else found.noted
    if not rows:
        return weights
    odds = np.array([[weights[0] + np.dot(row.measures, weights[1:])] for row, _ in rows])
    raised, stretched = _fitted(odds, rows)
    return np.array([raised + stretched * weights[0], *(stretched * weights[1:])])


def _fitted(measures: Floats, rows: Sequence[tuple[Row, float]], questions: Sequence[int] = ()) -> Floats:
    helps = np.array([float(row.helps) for row, _ in rows])
    counts = np.array([count for _, count in rows])
    return fitted(measures, helps, counts, Lists(questions, helps, counts) if questions else None)


def _count(each: Gathered) -> float:
    return COUNTS[each.name] * 300 / len(each.questions)


def _best(each: Gathered, fit: Fit) -> list[Row]:
    """Return the rows of each question that would be shown, and as many more."""
    ranked: dict[int, list[tuple[float, Row]]] = {}
    for row in each.rows:
        ranked.setdefault(row.question, []).append((fit.odds(row), row))
    best = [sorted(hits, key=lambda pair: -pair[0])[: 2 * SHOWN] for hits in ranked.values()]
    return [row for hits in best for _, row in hits]


def told(fit: Fit, suffix: str) -> Iterator[str]:
    """Yield the weights of the base and of each measure, as `memory/rules/scoring.py` has them."""
    for place, name in enumerate(("base", *NAMES)):
        weights = (("said", fit.said[place]), ("noted", fit.noted[place]))
        parts = [f"{kind}{suffix}={value:.2f}" for kind, value in weights if abs(value) >= 0.005]
        yield f"{name}: {', '.join(parts)}"
    yield f"remarks{suffix}: raised {fit.remark[0]:.2f}, stretched {fit.remark[1]:.2f}"


def report(found: Gathered, fit: Fit) -> Iterator[str]:
    """Yield what the fit finds in a set, and how far its probabilities are from what they say."""
    ranked: dict[int, list[tuple[float, Row]]] = {}
    for row in found.rows:
        asks = found.questions[row.question].asks
        ranked.setdefault(row.question, []).append((fit.score(row, asks), row))
    classes: dict[str, list[tuple[float, float, float]]] = {}
    tops: dict[bool, list[float]] = {True: [], False: []}
    for number, hits in ranked.items():
        hits.sort(key=lambda pair: -pair[0])
        asked = found.questions[number]
        if asked.need:
            helping = [row.helps for _, row in hits]
            shares = [min(asked.need, sum(helping[:depth])) / asked.need for depth in (1, 5, 10)]
            classes.setdefault(asked.kind, []).append((shares[0], shares[1], shares[2]))
        if asked.need or asked.kind == "negative":
            tops[bool(asked.need)].append(hits[0][0])
    every = [each for part in classes.values() for each in part]
    for kind, part in {**classes, "all": every}.items():
        yield f"{found.name} {kind}: " + " / ".join(f"{value:.3f}" for value in np.mean(part, axis=0))
    if tops[False]:
        pairs = [(a > b) + 0.5 * (a == b) for a in tops[True] for b in tops[False]]
        yield f"{found.name} AUC {np.mean(pairs):.3f}"


def shown_by(found: Gathered, fit: Fit, *, asks: bool) -> list[tuple[float, bool]]:
    """Return the scores of the hits that questions, or remarks, would show, and whether each helps."""
    ranked: dict[int, list[Row]] = {}
    for row in _best(found.of(lambda asked, _: asked.asks == asks), fit):
        ranked.setdefault(row.question, []).append(row)
    return [(fit.score(row, asks), row.helps) for hits in ranked.values() for row in hits[:SHOWN]]


def calibration(shown: Sequence[tuple[float, bool]]) -> float:
    """Return how far the scores told are from how often they help, over ten bins."""
    scores, helps = np.array([score for score, _ in shown]), np.array([float(each) for _, each in shown])
    bins = np.minimum(9, (scores * 10).astype(int))
    parts = [(bins == n) for n in range(10) if (bins == n).any()]
    return float(sum(part.mean() * abs(scores[part].mean() - helps[part].mean()) for part in parts))


def gathered(chosen: argparse.Namespace) -> list[Gathered]:
    """Gather from the sets, or take what was gathered before."""
    sys.path.insert(0, str(chosen.harness))
    import harness.life  # noqa: PLC0415 - it lies beside the project
    import harness.locomo  # noqa: PLC0415
    import harness.longmemeval  # noqa: PLC0415
    import harness.remarks  # noqa: PLC0415
    import harness.xquad_es  # noqa: PLC0415

    settings = WORDS_ONLY if chosen.words else None
    paths = [*sorted((chosen.harness / "data").glob("life_*.jsonl")), *chosen.lives]
    sets = []
    for name in chosen.sets:
        kept = chosen.cache / f"{name}{'-words' if chosen.words else ''}.json" if chosen.cache else None
        if kept and kept.exists():
            raw = json.loads(kept.read_text())
            rows = [Row(row[0], row[1], tuple(row[2]), row[3]) for row in raw["rows"]]
            sets.append(Gathered(name, rows, [Asked(*each) for each in raw["questions"]]))
            continue
        if name == "lives":
            found = lives(harness, settings, paths, chosen.cues)
        elif name == "other_words":
            found = in_other_words(settings)
        elif name == "remarks":
            found = remarks(harness, settings, chosen.harness / "data" / "remarks_dev.json.gz")
        else:
            found = conversations(name, harness, settings)
        if kept:
            kept.write_text(json.dumps({"rows": found.rows, "questions": found.questions}))
        sets.append(found)
    return sets


def told_of(parts: Sequence[tuple[Gathered, Fit]]) -> Iterator[str]:
    """Yield how far the scores of questions, and of remarks, are from how often they help, in all sets."""
    for name, asks in (("questions", True), ("remarks", False)):
        shown = [pair for each, by in parts for pair in shown_by(each, by, asks=asks)]
        yield f"{name}: calibration error {calibration(shown):.3f}" if shown else f"{name}: none"


def _lives_in(sets: Sequence[Gathered]) -> list[str]:
    return sorted({asked.life for each in sets for asked in each.questions if asked.life})


def _apart(sets: Sequence[Gathered], life: str, fit: Callable[..., Fit]) -> list[tuple[Gathered, Fit]]:
    """Return what was gathered of one life, with what the others give."""
    rest = fit([each.of(lambda asked, _: asked.life != life) for each in sets])
    own = [
        each.of(lambda asked, _: asked.life == life) for each in sets if each.name in ("lives", "other_words")
    ]
    return [(each._replace(name=life), rest) for each in own]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(COUNTS), help=", ".join(COUNTS))
    parser.add_argument("--words", action="store_true", help="without an embedder")
    parser.add_argument("--lives", nargs="*", type=Path, default=[], help="more lives than the shared ones")
    parser.add_argument("--cues", type=Path, help="cues of the lives, as benchmarks.lives takes them")
    parser.add_argument("--half", type=int, choices=(0, 1), help="fit on one half, measure on the other")
    parser.add_argument("--table", action="store_true", help="measure the weights in use, and fit nothing")
    parser.add_argument("--apart", action="store_true", help="measure each life by what the others give")
    parser.add_argument(
        "--harness", type=Path, default=HARNESS, help="the folder of the harness and its data"
    )
    parser.add_argument("--cache", type=Path, help="a folder for what was gathered")
    chosen = parser.parse_args()
    sets = gathered(chosen)

    def fits(_: Asked, number: int) -> bool:
        return chosen.half is None or number % 2 == chosen.half

    fitting = partial(with_cues if chosen.cues else fit, words=chosen.words)
    found = in_use(words=chosen.words) if chosen.table else fitting([each.of(fits) for each in sets])
    print("\n".join(told(found, "_words" if chosen.words else "")))
    if chosen.apart:
        measured = [part for name in _lives_in(sets) for part in _apart(sets, name, fitting)]
    else:
        rest = sets if chosen.half is None else [each.of(lambda *one: not fits(*one)) for each in sets]
        measured = [(each, found) for each in rest]
    for each, by in measured:
        print("\n".join(report(each, by)))
    print("\n".join(told_of(measured)))


if __name__ == "__main__":
    main()
