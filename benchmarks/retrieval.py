"""`python -m benchmarks.retrieval`: how much of the evidence recall finds, against its bars.

The data sets and the reference systems are not part of this project; they lie
beside it, and without them there is nothing to measure.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
HARNESS = ROOT.parent / "shared" / "bench"
WORDS = "benchmarks.systems:words_only"
DEFAULT = "benchmarks.systems:default"
# Two threads of BLAS fight over a small model: on a busy machine that costs ten times.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
NAMES = {WORDS: "**Almario, words only**", DEFAULT: "**Almario**"}


class Measure(NamedTuple):
    """One column: a metric of one data set, and what our two systems must reach."""

    dataset: str
    title: str
    level: str
    category: str
    metric: str
    bars: Mapping[str, float]


MEASURES = (
    Measure("locomo", "LoCoMo recall@10", "turn", "ALL", "recall@10", {WORDS: 77, DEFAULT: 80}),
    Measure("longmemeval", "LongMemEval-S hit@5", "session", "ALL", "hit@5", {WORDS: 98, DEFAULT: 98}),
    Measure("longmemeval", "LongMemEval-S all@5", "session", "ALL", "all@5", {WORDS: 90, DEFAULT: 90}),
    Measure("xquad_es", "XQuAD es→es recall@10", "turn", "es->es", "recall@10", {DEFAULT: 99}),
    Measure("xquad_es", "XQuAD en→es recall@10", "turn", "en->es", "recall@10", {DEFAULT: 95}),
)
BASELINES = {
    "locomo": ("fts5-or", "fts5-or-porter-stop", "hybrid-.7/.3-minmax-spk", "tuned-lexical", "tuned-use"),
    "longmemeval": ("fts5-or", "fts5-or-porter-stop", "fts5-session", "fts5-tuned"),
    "xquad_es": ("fts5-or", "bm25-es", "dense-use", "hybrid-.7/.3-minmax-spk", "tuned-use"),
}

# A result of the harness, by data set and system.
Results = dict[tuple[str, str], dict[str, Any]]


def measure(
    harness: Path, dataset: str, systems: Sequence[str], options: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Run systems over a data set, each in a process of its own; yield what the harness found."""
    places = [os.environ.get("PYTHONPATH", ""), str(ROOT), str(ROOT / "src")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, places)),
        "PYTHONDONTWRITEBYTECODE": "1",
        **ONE_THREAD,
    }
    for system in systems:
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            command = [sys.executable, "-m", "harness", dataset, system, "--out", out.name, *options]
            subprocess.run(command, cwd=harness, env=environment, stdout=subprocess.DEVNULL, check=True)
            yield from json.loads(Path(out.name).read_text())


def table(results: Results, systems: Sequence[str]) -> Iterator[str]:
    """Yield the lines of one table of all measures, and our bars below."""
    yield "| system | " + " | ".join(each.title for each in MEASURES) + " | search p50 / p95, LoCoMo |"
    yield "|---|" + "--:|" * (len(MEASURES) + 1)
    for system in systems:
        cells = [_cell(results.get((each.dataset, system)), each) for each in MEASURES]
        found = results.get(("locomo", system))
        speed = f"{found['search_ms_p50']:.0f} / {found['search_ms_p95']:.0f} ms" if found else ""
        yield f"| {NAMES.get(system, system)} | {' | '.join(cells)} | {speed} |"
    for system in (WORDS, DEFAULT):
        bars = [f"≥ {each.bars[system]:g}" if system in each.bars else "" for each in MEASURES]
        yield f"| *bar: {NAMES[system].strip('*')}* | {' | '.join(bars)} | |"


def _cell(result: Mapping[str, Any] | None, measure: Measure) -> str:
    if result is None:
        return ""
    value = 100 * result["levels"][measure.level][measure.category][measure.metric]
    bar = measure.bars.get(result["name"])
    return f"{value:.1f}" + (" ✗" if bar is not None and value < bar else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("datasets", nargs="*", help=f"{', '.join(BASELINES)}; all by default")
    parser.add_argument(
        "--harness", type=Path, default=HARNESS, help="the folder of the harness and its data"
    )
    parser.add_argument("--ours", action="store_true", help="leave the reference systems out")
    parser.add_argument("--words", action="store_true", help="leave out what embeds")
    parser.add_argument("--per-type", help="LongMemEval: so many questions of each type")
    chosen = parser.parse_args()
    if not (chosen.harness / "harness").is_dir():
        print(f"The retrieval harness is not in {chosen.harness}, so recall is not measured; see --harness.")
        return
    results: Results = {}
    systems: dict[str, None] = {}
    for dataset in chosen.datasets or BASELINES:
        names = [*(() if chosen.ours else BASELINES[dataset]), WORDS, *(() if chosen.words else (DEFAULT,))]
        names = [name for name in names if not (chosen.words and name.endswith(("use", "-spk")))]
        per_type = ["--per-type", chosen.per_type] if chosen.per_type and dataset == "longmemeval" else []
        for found in measure(chosen.harness, dataset, names, per_type):
            results[dataset, found["name"]] = found
        systems |= dict.fromkeys(names)
    ordered = [*(name for name in systems if name not in NAMES), *(name for name in NAMES if name in systems)]
    print("\n".join(table(results, ordered)))


if __name__ == "__main__":
    main()
