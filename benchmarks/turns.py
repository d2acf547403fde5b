"""`python -m benchmarks.turns`: what of a turn's time is ours, which is all but the model's.

One long session with an agent that remembers: its window moves, older turns go
to the archive, and between the turns it is learned from. After each turn, the
least that a turn must do is done bare, as its baseline.
"""

import argparse
import json
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import almario
from almario.adapters.embedders.local import LocalEmbedder
from almario.domain.talk import Ask, Reply
from almario.ports import Hear
from benchmarks import agents
from benchmarks.chance import embedding_by_chance
from benchmarks.measuring import HEAD, milliseconds, percentile, timed
from benchmarks.plain import PlainFts
from benchmarks.systems import WORDS_ONLY
from benchmarks.texts import passages, questions

PASSAGES = 10_000
TURNS = 100
# The first turns load what every later one finds loaded.
WARMING = 5
MESSAGE_WORDS, ANSWER_WORDS = 20, 100
# So much of a message is learned, of so many in one go.
FACT_WORDS, FACTS = 12, 5
_SAID = re.compile(r"^\[(\d+)\] \S+ \S+ \S+ owner: (.+)$", re.MULTILINE)


class Instant:
    """A model that answers at once, learns a fact from every message, and knows how long it took."""

    model = "instant/model"

    def __init__(self, answers: Sequence[str]) -> None:
        self._answers = iter(answers)
        self.seconds = 0.0

    def is_available(self) -> bool:
        return True

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        if ask.schema is not None:
            return Reply(_in_form(ask.schema, ask.messages[0].text))
        begun = time.perf_counter()
        reply = Reply(next(self._answers))
        self.seconds += time.perf_counter() - begun
        return reply


def _in_form(schema: Mapping[str, Any], told: str) -> str:
    """Return what is learned from a conversation; to any other question, nothing."""
    empty: dict[str, Any] = {"array": [], "string": ""}
    answer = {name: empty[each["type"]] for name, each in schema["properties"].items()}
    if "facts" in answer:
        answer["facts"] = [
            {"turns": [int(n)], "key": f"topic {n}", "value": " ".join(said.split()[:FACT_WORDS])}
            for n, said in _SAID.findall(told)[:FACTS]
        ]
    return json.dumps(answer)


def talking(
    folder: Path, what: str, count: int, settings: Mapping[str, Any] | None = None, *, busy: bool = False
) -> None:
    """Talk, and print our part of each turn's time; *busy*, with something being learned during each."""
    texts = passages(max(count, 2))
    agents.talked(folder / "home", texts[:count], settings).close()
    llm = Instant(passages(TURNS + WARMING, seed=5, words=ANSWER_WORDS))
    soul = almario.open(folder / "home", settings=settings, llm=llm)
    with embedding_by_chance():
        soul.memory.reindex()
    least = _least(folder, texts, with_meaning=not settings)
    ours, base, computing = [], [], []
    for message in _messages(texts):
        if busy:
            soul.learning.want("cli:main")
        before, computed = llm.seconds, time.process_time()
        took = timed(partial(soul.talk, message))
        computing.append(time.process_time() - computed)
        ours.append(took - (llm.seconds - before))
        if not busy:  # nobody reads and writes in no time
            soul.learning.wait(60)
        base.append(timed(partial(least, message)))
    soul.learning.wait(60)
    soul.close()
    _show(what, ours[WARMING:], base[WARMING:])
    if not busy:
        share = milliseconds(statistics.median(computing[WARMING:]))
        print(f"| {what}, of it computing | {share} | | |", flush=True)


def _messages(texts: Sequence[str]) -> Iterator[str]:
    """Yield questions and statements in turn."""
    half = (TURNS + WARMING) // 2 + 1
    told = passages(half, seed=6, words=MESSAGE_WORDS)
    both = chain.from_iterable(zip(questions(half, texts), told, strict=True))
    return islice(both, TURNS + WARMING)


def _least(folder: Path, texts: Sequence[str], *, with_meaning: bool) -> Callable[[str], None]:
    """Return the least that a turn must do: two lines on the disk, one embedding, one search."""
    plain = PlainFts(folder / "plain.db")
    plain.add(texts)
    embedder = LocalEmbedder()

    def turn(message: str) -> None:
        for _ in range(2):
            descriptor = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.write(descriptor, b"x" * 400 + b"\n")
            os.fsync(descriptor)
            os.close(descriptor)
        if with_meaning:
            embedder.embed([message])
        plain.search(message)

    return turn


def _show(what: str, ours: Sequence[float], base: Sequence[float]) -> None:
    ratio = statistics.median(one / other for one, other in zip(ours, base, strict=True))
    our, their = (milliseconds(statistics.median(times)) for times in (ours, base))
    print(f"| {what} | {our} | the least, done bare, {their} | {ratio:.2f} × |")
    most = f"{milliseconds(percentile(ours, 0.95))} / {milliseconds(max(ours))}"
    their_most = f"{milliseconds(percentile(base, 0.95))} / {milliseconds(max(base))}"
    print(f"| {what}, 95 % within / longest | {most} | {their_most} | |", flush=True)


def turns(folder: Path) -> None:
    """With everything: words and meaning."""
    talking(folder, f"a turn, {PASSAGES:,} passages", PASSAGES)


def learning_turns(folder: Path) -> None:
    """The same, and what was said before is learned from during each turn."""
    talking(folder, f"a turn, {PASSAGES:,} passages, while it learns", PASSAGES, busy=True)


def word_turns(folder: Path) -> None:
    """Without an embedder."""
    talking(folder, f"a turn, {PASSAGES:,} passages, words only", PASSAGES, WORDS_ONLY)


def first_turns(folder: Path) -> None:
    """An agent that was never talked with."""
    talking(folder, "a turn, no passages", 0)


MEASURES = (turns, learning_turns, word_turns, first_turns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(each.__name__ for each in MEASURES))
    chosen = parser.parse_args()
    print(HEAD)
    for measure in MEASURES:
        if not chosen.names or measure.__name__ in chosen.names:
            with tempfile.TemporaryDirectory() as folder:
                measure(Path(folder))


if __name__ == "__main__":
    main()
