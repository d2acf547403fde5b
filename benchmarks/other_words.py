"""`python -m benchmarks.other_words [FILE …]`: whether questions in other words find what was told.

Each line of `other_words.jsonl` has a fact, a question that it answers in quite other words, or both; a
question alone asks for what nobody told. All facts of a language are remembered, then each question is
recalled. `--failures` prints what was not found, and what came as likely though nothing is known.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import almario
from almario.domain.model import LIKELY
from almario.named_tuples import NamedTuple

FILE = Path(__file__).with_name("other_words.jsonl")
FIRST = 3


class Asked(NamedTuple):
    """A question, the fact that answers it if any, and the first hits with their scores."""

    question: str
    fact: str
    hits: Sequence[tuple[str, float]]

    @property
    def is_right(self) -> bool:
        """Whether the fact was found, or nothing came as likely where there is none."""
        if not self.fact:
            return not any(score >= LIKELY for _, score in self.hits)
        return self.fact in [text for text, _ in self.hits]


def by_language(paths: Sequence[Path]) -> dict[str, list[dict[str, str]]]:
    """Return the lines of files by their language."""
    found: dict[str, list[dict[str, str]]] = {}
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            found.setdefault(row["lang"], []).append(row)
    return found


def knowing(rows: Sequence[dict[str, str]], folder: Path, settings: Mapping[str, Any]) -> almario.Soul:
    """Make an agent that remembers all facts of some lines."""
    soul = almario.create(folder / "home", settings={"llm.model": "none", **settings})
    for row in rows:
        if "fact" in row:
            soul.remember(row["fact"])
    soul.memory.prepare()
    return soul


def asked(rows: Sequence[dict[str, str]], folder: Path) -> Iterator[Asked]:
    """Ask all questions."""
    with knowing(rows, folder, {}) as soul:
        for row in rows:
            if "question" in row:
                hits = [(hit.text, hit.score) for hit in soul.recall(row["question"], limit=FIRST)]
                yield Asked(row["question"], row.get("fact", ""), hits)


def report(every: Sequence[Asked]) -> str:
    known, unknown = [each for each in every if each.fact], [each for each in every if not each.fact]
    first = sum(each.fact in [text for text, _ in each.hits[:1]] for each in known)
    found, noise = sum(each.is_right for each in known), sum(not each.is_right for each in unknown)
    return (
        f"first {first}, among {FIRST} {found} of {len(known)};"
        f" of {len(unknown)} that nobody knows, {noise} came as likely"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[FILE])
    parser.add_argument("--failures", action="store_true")
    chosen = parser.parse_args()
    for language, rows in by_language(chosen.files).items():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            every = list(asked(rows, Path(folder)))
        print(f"{language}: {report(every)}")
        for each in every if chosen.failures else ():
            if not each.is_right:
                hits = "; ".join(f"{text} {score:.2f}" for text, score in each.hits)
                print(f"  {each.question} ← {each.fact or 'nothing'}\n    hits: {hits}")


if __name__ == "__main__":
    main()
