"""`python -m benchmarks.speed`: how fast remembering and recalling are.

Each figure stands beside a baseline of the same run; `--large` adds the
search in 100,000 and 300,000 passages, and names choose single measurements.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path

import almario
from benchmarks import agents
from benchmarks.chance import embedding_by_chance
from benchmarks.large import grown
from benchmarks.measuring import (
    HEAD,
    asking,
    compare,
    computed,
    environment,
    milliseconds,
    percentile,
    program,
    timed,
)
from benchmarks.plain import PlainFts
from benchmarks.systems import WORDS_ONLY
from benchmarks.texts import passages, questions, stop_words

QUESTIONS = 60
COLD_RUNS = 10
PASSAGES = 10_000
MEMORIES = 10_000
REMEMBERED = 200
INDEXED = 20_000
LIMIT = 10
WITHOUT_EMBEDDER = {"ALMARIO_EMBEDDER_NAME": "none"}
# What a process cannot do without, if it is to search by words, or by meaning too.
WORDS_FLOOR = "import click, apsw"
MEANING_FLOOR = "import click, apsw, numpy"


def searching(folder: Path, count: int = 100_000) -> None:
    """Search in a warm process, the question's embedding apart, against a plain FTS5 query."""
    texts = passages(count)
    asked = questions(QUESTIONS, texts)
    plain = PlainFts(folder / "plain.db")
    plain.add(texts)
    lean = PlainFts(folder / "plain.db", stop_words())
    words = agents.talked(folder / "home", texts, WORDS_ONLY)
    words.memory.reindex()
    ours = asking(asked, lambda question: words.recall(question, limit=LIMIT))
    ours()
    named = "FTS5, any word of it,"
    compare(
        f"search by words, {count:,} passages", ours, asking(asked, plain.search), named=named, runs=QUESTIONS
    )
    named = "FTS5, any word of it but stop words,"
    compare(
        f"search by words, {count:,} passages", ours, asking(asked, lean.search), named=named, runs=QUESTIONS
    )
    words.close()
    with embedding_by_chance():
        soul = almario.open(folder / "home")
        soul.memory.reindex()
        both = asking(asked, lambda question: soul.recall(question, limit=LIMIT))
        both()
        what = f"search by words and meaning, {count:,} passages"
        compare(what, both, asking(asked, plain.search), named="FTS5, any word of it,", runs=QUESTIONS)
        soul.close()


def computing(folder: Path, count: int = PASSAGES) -> None:
    """Print for how long a warm process computes for a question that is new, its embedding included."""
    home = folder / "home"
    grown(home, count // 2, count // 2)
    rest = iter(questions(3 * QUESTIONS, passages(count // 2)))
    with almario.open(home) as soul:
        for what, work in (
            ("recall", lambda question: soul.recall(question, limit=LIMIT)),
            ("prompt with a message", lambda question: soul.prompt(question, session="new")),
        ):
            for question in islice(rest, QUESTIONS // 3):  # what is loaded once is loaded
                work(question)
            took = [computed(partial(work, question)) for question in islice(rest, QUESTIONS)]
            print(f"| {what}, {count:,} passages, computing | {milliseconds(statistics.median(took))} | | |")


def computing_more(folder: Path) -> None:
    """The same in ten times as many passages."""
    computing(folder, 100_000)


def searching_more(folder: Path) -> None:
    """The same in three times as many passages, to see how it grows."""
    searching(folder, 300_000)


def commands(folder: Path) -> None:
    """Run `almario recall` as a whole process, against the least that such a process must load."""
    asked = questions(QUESTIONS, _furnished(folder / "home"))

    def recalling(**settings: str) -> Callable[[], object]:
        at_home = environment(ALMARIO_HOME=str(folder / "home"), **settings)
        return asking(asked, lambda question: _run([program("almario"), "recall", question], at_home))

    for what, ours, floor in (
        ("with meaning", recalling(), MEANING_FLOOR),
        ("words only", recalling(**WITHOUT_EMBEDDER), WORDS_FLOOR),
    ):
        base = _starting(floor)
        ours()
        base()
        compare(f"`almario recall`, {what}, {PASSAGES:,} passages", ours, base, named=floor, runs=COLD_RUNS)


def memory(folder: Path) -> None:
    """Print the most memory that a fresh process holds to answer one question, and its model alone."""
    home = folder / "home"
    [asked] = questions(1, _furnished(home))
    opened = f"import almario; almario.open().recall({asked!r}, limit={LIMIT})"
    alone = f"from almario.adapters.embedders.local import LocalEmbedder as L; L().embed([{asked!r}])"
    ours, base = (_megabytes(code, environment(ALMARIO_HOME=str(home))) for code in (opened, alone))
    what = f"peak memory after one recall, {PASSAGES:,} passages"
    print(
        f"| {what} | {ours:.0f} MB | its model alone {base:.0f} MB | {ours / base:.2f} × |",
        flush=True,
    )


def _furnished(home: Path) -> list[str]:
    """Make an agent with passages and a vector for each; return their texts."""
    texts = passages(PASSAGES)
    soul = agents.talked(home, texts)
    with embedding_by_chance():
        soul.memory.reindex()
    soul.close()
    return texts


def _megabytes(code: str, at_home: Mapping[str, str]) -> float:
    # What resource.getrusage says begins with the memory of the parent, which may be large.
    said = "print([line.split()[1] for line in open('/proc/self/status') if 'VmHWM' in line][0])"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; {said}"], env=at_home, capture_output=True, check=True, text=True
    )
    return int(done.stdout.split()[-1]) / 1024


def remembering(folder: Path) -> None:
    """Remember one more thing in a warm process, against a bare append and fsync."""
    soul = agents.remembering(folder / "home", MEMORIES)
    more = agents.facts(REMEMBERED + 1, seed=4)
    soul.remember(next(more))
    took = []

    def ours() -> None:
        took.append(timed(lambda: soul.remember(next(more))))

    def bare() -> None:
        descriptor = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(descriptor, b"x" * 400 + b"\n")
        os.fsync(descriptor)
        os.close(descriptor)

    what = f"`remember`, {MEMORIES:,} memories"
    compare(what, ours, bare, named="bare append + fsync", runs=REMEMBERED)
    print(f"| {what}, 95 % within | {milliseconds(percentile(took, 0.95))} | | |")
    soul.close()


def indexing(folder: Path) -> None:
    """Index transcripts without embeddings, against putting the same texts into plain FTS5."""
    texts = passages(INDEXED)
    soul = agents.talked(folder / "home", texts, WORDS_ONLY)
    files = iter(range(100))
    base = "plain FTS5"
    compare(
        f"indexing {INDEXED:,} passages",
        soul.memory.reindex,
        lambda: PlainFts(folder / f"plain{next(files)}.db").add(texts),
        named=base,
        runs=3,
        count=INDEXED,
    )
    soul.close()


def _run(command: list[str], variables: Mapping[str, str]) -> None:
    subprocess.run(command, env=variables, capture_output=True, check=True)


def _starting(code: str) -> Callable[[], object]:
    return lambda: _run([sys.executable, "-c", code], environment())


MEASURES = (searching, computing, commands, memory, remembering, indexing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(each.__name__ for each in MEASURES))
    parser.add_argument("--large", action="store_true", help="search in 300,000 passages too")
    chosen = parser.parse_args()
    measures = [each for each in MEASURES if not chosen.names or each.__name__ in chosen.names]
    print(HEAD)
    for measure in [*measures, *([searching_more, computing_more] if chosen.large else [])]:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))


if __name__ == "__main__":
    main()
