"""`make bench-systems`: Almario and other stores, on the same machine and texts.

Recall is measured on LoCoMo by the retrieval harness, if it lies beside the
project; the rest on made-up passages, each system in a process of its own.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import asking, environment, percentile, size_of, timed
from benchmarks.retrieval import HARNESS, ONE_THREAD, measure
from benchmarks.texts import passages, questions

PASSAGES = 10_000
QUESTIONS = 100
COLD_RUNS = 5
LIMIT = 10
TITLES = {
    "almario": "**Almario**",
    "almario-words": "**Almario, words only**",
    "sqlite-vec": "sqlite-vec + FTS5, 0.7/0.3",
    "chroma": "chroma",
    "tfidf": "naive TF-IDF",
}
HEAD = (
    "| system | LoCoMo recall@10 | search p50 / p95 | cold start | disk | peak memory |\n"
    "|---|--:|--:|--:|--:|--:|"
)


class Told:
    """A rival as a system for the harness: each turn a text, with its speaker in front."""

    def __init__(self, name: str) -> None:
        from benchmarks.rivals import RIVALS  # noqa: PLC0415 - Almario's cold start must not pay for it

        self._folder = tempfile.TemporaryDirectory()
        self._rival = RIVALS[name](Path(self._folder.name))
        self._ids: list[str] = []

    def ingest(self, sessions: Sequence[Any]) -> None:
        turns = [turn for session in sessions for turn in session.turns]
        self._ids = [turn.id for turn in turns]
        self._rival.add([f"{turn.speaker}: {turn.text}" for turn in turns])

    def search(self, query: str, k: int, now: str | None = None) -> list[str]:
        return [self._ids[number] for number in self._rival.search(query, k)]

    def close(self) -> None:
        self._rival.close()
        self._folder.cleanup()


def sqlite_vec() -> Told:
    return Told("sqlite-vec")


def chroma() -> Told:
    return Told("chroma")


def tfidf() -> Told:
    return Told("tfidf")


SYSTEMS = {
    "almario": "benchmarks.systems:default",
    "almario-words": "benchmarks.systems:words_only",
    "sqlite-vec": "benchmarks.side_by_side:sqlite_vec",
    "chroma": "benchmarks.side_by_side:chroma",
    "tfidf": "benchmarks.side_by_side:tfidf",
}


def opened(name: str, folder: Path) -> Callable[[str], object]:
    """Open what was built in a folder; return its search."""
    if name.startswith("almario"):
        import almario  # noqa: PLC0415 - only who uses it pays for it
        from benchmarks.systems import WORDS_ONLY  # noqa: PLC0415 - as above

        soul = almario.open(folder, settings=WORDS_ONLY if name == "almario-words" else None)
        return lambda question: soul.recall(question, limit=LIMIT)
    from benchmarks.rivals import RIVALS  # noqa: PLC0415 - as above

    rival = RIVALS[name](folder)
    return lambda question: rival.search(question, LIMIT)


def build(name: str, folder: Path, texts: Sequence[str]) -> None:
    """Put the texts in, with vectors made by chance: here the time counts and not what is found."""
    from benchmarks.agents import talked  # noqa: PLC0415 - as above
    from benchmarks.chance import embedding_by_chance, vectors  # noqa: PLC0415 - as above
    from benchmarks.rivals import ENCODER, RIVALS  # noqa: PLC0415 - as above
    from benchmarks.systems import WORDS_ONLY  # noqa: PLC0415 - as above

    if name.startswith("almario"):
        soul = talked(folder, texts, WORDS_ONLY if name == "almario-words" else None)
        with embedding_by_chance():
            soul.memory.reindex()
        soul.close()
        return
    ENCODER.known = dict(zip(texts, vectors(texts), strict=True))
    rival = RIVALS[name](folder)
    rival.add(texts)
    rival.close()


def ask(name: str, folder: Path, asked: Sequence[str]) -> dict[str, float]:
    """Answer questions in this process; return the times and the most memory it held."""
    search = opened(name, folder)
    next_question = asking(asked, search)
    first = timed(next_question)
    took = [timed(next_question) for _ in asked[1:]] or [first]
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"p50": statistics.median(took), "p95": percentile(took, 0.95), "peak": kilobytes / 1024}


def alone(*arguments: str) -> tuple[str, float]:
    """Run one step in a fresh process; return what it printed and how long all of it took."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.side_by_side", *arguments]
    done = subprocess.run(
        command, env=environment(**ONE_THREAD), stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout, time.perf_counter() - start


def row(name: str, folder: Path, asked: Sequence[str], recall: Mapping[str, float]) -> str:
    """Measure one system on the made-up passages."""
    place = folder / name
    place.mkdir()
    alone("build", name, str(place))
    output, _ = alone("ask", name, str(place), *asked)
    found = json.loads(output)
    cold = statistics.median(alone("ask", name, str(place), asked[0])[1] for _ in range(COLD_RUNS))
    found_in = f"{recall[name]:.1f}" if name in recall else ""
    speed = f"{found['p50'] * 1000:.1f} / {found['p95'] * 1000:.1f} ms"
    size = size_of(place) / 1e6
    return (
        f"| {TITLES[name]} | {found_in} | {speed} | {cold:.2f} s | {size:.0f} MB | {found['peak']:.0f} MB |"
    )


def main() -> None:
    if sys.argv[1:2] == ["build"]:
        build(sys.argv[2], Path(sys.argv[3]), passages(PASSAGES))
        return
    if sys.argv[1:2] == ["ask"]:
        print(json.dumps(ask(sys.argv[2], Path(sys.argv[3]), sys.argv[4:])))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(SYSTEMS))
    parser.add_argument(
        "--harness", type=Path, default=HARNESS, help="the folder of the harness and its data"
    )
    chosen = parser.parse_args()
    names = chosen.names or list(SYSTEMS)
    recall = {}
    if (chosen.harness / "harness").is_dir():
        systems = {SYSTEMS[name]: name for name in names}
        for found in measure(chosen.harness, "locomo", list(systems)):
            recall[systems[found["name"]]] = 100 * found["levels"]["turn"]["ALL"]["recall@10"]
    asked = questions(QUESTIONS, passages(PASSAGES))
    print(HEAD)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            print(row(name, Path(folder), asked, recall), flush=True)


if __name__ == "__main__":
    main()
