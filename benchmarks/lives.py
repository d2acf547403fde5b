"""`python -m benchmarks.lives`: what of a life comes to mind, beside the three best by plain rankings.

The lives and their harness are not part of this project; they lie beside it, and without them there is
nothing to measure. `life_family.jsonl` is ours: three people who talk to one agent; half of its probes,
marked unseen, were not looked at while anything was mended. A plain ranking gets every act that was told so
far, and puts its three best in the prompt whatever their score; all else is as it is for everyone.
"""

import argparse
import json
import math
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import almario
from almario.adapters.embedders.local import LocalEmbedder
from benchmarks.retrieval import HARNESS
from benchmarks.systems import WORDS_ONLY

CLASSES = (
    *("direct", "paraphrase", "cross", "temporal", "updated", "multi", "remark", "self"),
    *("negative", "smalltalk"),
)
TOLD = 3
# What the classic formula counts a word's repetition and a text's length.
_K1, _B = 1.2, 0.75
# What is no word in a setting.
_PLAIN = re.compile(r"-?[\d.]+|true|false")

# Gives each of the texts a score for a question.
Ranking = Callable[[str, Sequence[str]], Sequence[float]]
# By the id of an act, what should bring it to mind.
Cues = Mapping[str, Sequence[str]]


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def bm25(question: str, texts: Sequence[str]) -> Sequence[float]:
    """Return the classic score by words."""
    counts = [Counter(words_of(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    average = sum(lengths) / len(lengths)
    scores = [0.0] * len(texts)
    for word in set(words_of(question)):
        having = sum(word in count for count in counts)
        weight = math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
        for place, count in enumerate(counts):
            if word in count:
                burden = _K1 * (1 - _B + _B * lengths[place] / average)
                scores[place] += weight * count[word] * (_K1 + 1) / (count[word] + burden)
    return scores


class Cosine:
    """Ranks by the default embedder alone; each text is embedded once."""

    def __init__(self) -> None:
        self._embedder = LocalEmbedder()
        self._known: dict[str, Sequence[float]] = {}

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        new = [text for text in dict.fromkeys((question, *texts)) if text not in self._known]
        self._known |= dict(zip(new, self._embedder.embed(new), strict=True)) if new else {}
        rows = np.array([self._known[text] for text in texts])
        scores: list[float] = (rows @ np.array(self._known[question])).tolist()
        return scores


def fusion(meaning: Ranking) -> Ranking:
    """Return the usual blend: seven tenths meaning, three tenths words."""

    def ranked(question: str, texts: Sequence[str]) -> Sequence[float]:
        cosines, words = meaning(question, texts), bm25(question, texts)
        most = max(words) or 1.0
        return [0.7 * cosine + 0.3 * word / most for cosine, word in zip(cosines, words, strict=True)]

    return ranked


class Plain:
    """A soul that recalls by a plain ranking of all that it was told."""

    def __init__(self, soul: almario.Soul, hits: Sequence[almario.Hit]) -> None:
        self._soul, self._hits = soul, hits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._soul, name)

    def recall(self, question: str, limit: int) -> Sequence[almario.Hit]:
        return self._hits[:limit]

    def prompt(self, message: str, session: str) -> Any:
        told = [hit._replace(score=1.0) for hit in self._hits[:TOLD]]
        return self._soul.prompt(message, session=session, recalled=told)


def lived(
    life: Any, rows: Sequence[Any], ranking: Ranking | None, settings: Any, cues: Cues | None = None
) -> list[Any]:
    """Live a life, and return what came of its probes; without a ranking, by our own.

    *cues* are given to each memory as it is made, by the id of its act; a line of a log has none.
    """

    class Told(life.Life):  # type: ignore[misc]
        def __init__(self, *given: Any, **named: Any) -> None:
            self.told: list[almario.Hit] = []
            super().__init__(*given, **named)

        def _say(self, row: Any) -> None:
            super()._say(row)
            self._tell("turn", row["text"])

        def _remember(self, row: Any) -> None:
            super()._remember(row)
            self._tell("fact", row["text"])

        def _learn(self, row: Any) -> None:
            super()._learn(row)
            self._tell("fact", row["value"], row["key"])

        def _keep(self, row: Any, receipt: almario.Receipt) -> None:
            super()._keep(row, receipt)
            if receipt.memory and cues and row["id"] in cues:
                self.soul.memory.change(receipt.memory.id, cues=cues[row["id"]])

        def _log(self, row: Any) -> None:
            super()._log(row)
            self._tell("log", row["text"])

        def _tell(self, kind: str, text: str, key: str = "") -> None:
            self.told.append(almario.Hit(kind, text, self.clock.now.date(), 0.0, key=key))

        def _measured(self, soul: almario.Soul, row: Any) -> Any:
            if ranking is None:
                return super()._measured(soul, row)
            scores = ranking(row["message"], [f"{hit.key} {hit.text}" for hit in self.told])
            ranked = sorted(zip(scores, self.told, strict=True), key=lambda pair: -pair[0])
            hits = [hit._replace(score=max(0.0, score)) for score, hit in ranked]
            return super()._measured(Plain(soul, hits), row)

    with tempfile.TemporaryDirectory() as folder:
        return list(Told(rows, Path(folder) / "home", settings=settings or {}).run())


def figures(life: Any, results: Sequence[Any]) -> Iterator[str]:
    """Yield one row of the table."""
    kept = [each for each in results if each.category in CLASSES]
    empty = [each for each in kept if each.category in life.NOTHING_SHOULD_COME]
    gold = [each for each in kept if each.answerable]
    lines = sum(each.lines for each in gold)
    yield f"{np.mean([each.mind for each in kept]):.2f}"
    yield f"{np.mean([each.lines > 0 for each in empty]):.2f}"
    yield f"{sum(each.gold_lines for each in gold) / lines:.2f}" if lines else ""
    for name in ("paraphrase", "cross", "temporal", "updated"):
        yield f"{np.mean([each.within(5) for each in kept if each.category == name]):.2f}"
    yield f"{np.mean([each.within(1) for each in kept if each.category == 'self']):.2f}"
    tops = [[each.top for each in kept if chosen(each)] for chosen in (_has_answer, _has_none)]
    yield f"{life.auc(*tops):.2f}"


def _has_answer(result: Any) -> bool:
    return bool(result.answerable)


def _has_none(result: Any) -> bool:
    return bool(result.category == "negative")


def rows_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def cues_in(path: Path | None) -> dict[str, dict[str, Sequence[str]]]:
    """Return the cues in a file, by life and by act."""
    found: dict[str, dict[str, Sequence[str]]] = {}
    for row in json.loads(path.read_text(encoding="utf-8")) if path else ():
        found.setdefault(row["life"], {})[row["id"]] = row["cues"]
    return found


HEADS = (
    *("mind", "noise", "gold lines", "r@5 paraphrase", "r@5 cross", "r@5 temporal", "r@5 updated"),
    *("r@1 self", "AUC"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lives", nargs="*", type=Path, help="life_*.jsonl; the development ones by default")
    parser.add_argument("--ours", action="store_true", help="leave the plain rankings out")
    parser.add_argument(
        "--cues", type=Path, help="JSON: a list of life (the file's stem), id of an act, cues"
    )
    parser.add_argument(
        "--table", action="store_true", help="one row for each class of our own, as the harness"
    )
    parser.add_argument("--words", action="store_true", help="with --table: by words alone")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the agent"
    )
    parser.add_argument(
        "--harness", type=Path, default=HARNESS, help="the folder of the harness and its data"
    )
    chosen = parser.parse_args()
    paths = chosen.lives or sorted((chosen.harness / "data").glob("life_*.jsonl"))
    if not paths:
        print(f"There are no lives in {chosen.harness}, so what comes to mind is not measured.")
        return
    sys.path.insert(0, str(chosen.harness))
    from harness import life  # noqa: PLC0415 - it lies beside the project

    cues = cues_in(chosen.cues)
    given = {name: value for name, _, value in (each.partition("=") for each in chosen.set)}
    own = {name: json.loads(value) if _PLAIN.fullmatch(value) else value for name, value in given.items()}
    if chosen.table:
        settings = {**(WORDS_ONLY if chosen.words else {}), **own}
        results = [
            each for path in paths for each in lived(life, rows_of(path), None, settings, cues.get(path.stem))
        ]
        life.show(life.table(results))
        print(f"\nmind {np.mean([each.mind for each in results]):.3f}")
        return
    cosine = Cosine()
    systems: dict[str, tuple[Ranking | None, Any]] = {
        "**Almario**": (None, None),
        "**Almario, words only**": (None, WORDS_ONLY),
    }
    if not chosen.ours:
        systems |= {
            "top 3 by BM25": (bm25, None),
            "top 3 by cosine": (cosine, None),
            "top 3 by 0.7/0.3": (fusion(cosine), None),
        }
    print(f"| | {' | '.join(HEADS)} |\n|---|{'--:|' * len(HEADS)}")
    for name, (ranking, settings) in systems.items():
        results = []
        for path in paths:
            all_set = {**(settings or {}), **own}
            results += lived(life, rows_of(path), ranking, all_set, cues.get(path.stem))
        print(f"| {name} | {' | '.join(figures(life, results))} |", flush=True)


if __name__ == "__main__":
    main()
