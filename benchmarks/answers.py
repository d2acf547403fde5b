"""`python -m benchmarks.answers FILE`: every recall of the lives, so that two versions can be compared.

The lives are lived, and at each probe the same is asked in many ways; what came goes to FILE. If FILE is
there already, it is compared with it instead: each hit must be the same, in the same order, and each score
within a billionth, or `--within` what rounding may change. The lives and their harness are not part of this
project; they lie beside it.
"""

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import almario
from almario.apps.web.shapes import shown
from almario.domain.model import Recalled, Scope
from benchmarks.retrieval import HARNESS

WITHIN = 1e-9
# These are other ones in each life.
_NAMES = ("memory", "evidence")


def ways(soul: almario.Soul, row: Any, today: Any) -> Iterator[dict[str, Any]]:
    """Yield how each probe is asked."""
    yield {}
    yield {"limit": 10, "explain": True}
    yield {"limit": 20, "min_score": 0.0}
    yield {"limit": 10, "mode": "words", "explain": True}
    yield {"limit": 10, "scope": Scope(include=("superseded", "retired", "untrusted"))}
    yield {"limit": 10, "scope": Scope(sources=("session",)), "neighbours": 2}
    yield {"limit": 10, "scope": Scope(since=today - timedelta(days=30))}
    yield {"session": row["session"], "explain": True}
    yield {"audience": soul.audience(row["session"])._replace(is_open=True), "explain": True}


def told(found: Recalled) -> Any:
    """Return what came, without the names that differ from life to life."""
    hits = [{name: value for name, value in shown(hit).items() if name not in _NAMES} for hit in found]
    also = [len(hit.evidence) for hit in found]
    return {"hits": hits, "also": also, "told": shown(found.told), "kept_out": found.kept_out}


def lived(life: Any, path: Path, settings: Any) -> list[Any]:
    """Live a life, and return all that came of its probes."""
    answers: list[Any] = []

    class Asked(life.Life):  # type: ignore[misc]
        def _asked(self, row: Any) -> None:
            asked = ways(self.soul, row, self.clock.now.date())
            answers.extend(told(self.soul.recall(row["message"], **way)) for way in asked)

    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        Asked(rows, Path(folder) / "home", settings=settings).run()
    return answers


def are_same(one: Any, other: Any, within: float) -> bool:
    """Return whether two answers are the same; numbers may differ by next to nothing."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= within
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(partial(are_same, within=within), one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(are_same(one[name], other[name], within) for name in one)
    return bool(one == other)


def compare(before: Sequence[Any], after: Sequence[Any], within: float) -> int:
    """Print where two versions differ; return how often they do."""
    pairs = enumerate(zip(before, after, strict=True))
    differing = [n for n, (old, new) in pairs if not are_same(old, new, within)]
    for number in differing[:3]:
        print(f"recall {number}:\n  before {json.dumps(before[number], ensure_ascii=False)}")
        print(f"  after  {json.dumps(after[number], ensure_ascii=False)}")
    print(f"{len(after)} recalls, {len(differing)} of them not the same")
    return len(differing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where the answers are, or are to be kept")
    parser.add_argument("lives", nargs="*", type=Path, help="life_*.jsonl; the development ones by default")
    parser.add_argument("--harness", type=Path, default=HARNESS, help="the folder of the harness")
    parser.add_argument("--words", action="store_true", help="search by words alone, without an embedder")
    parser.add_argument("--within", type=float, default=WITHIN, help="how far numbers may differ")
    chosen = parser.parse_args()
    sys.path.insert(0, str(chosen.harness))
    from harness import life  # noqa: PLC0415 - it lies beside the project

    settings = {"embedder.name": "none"} if chosen.words else {}
    paths = chosen.lives or sorted((chosen.harness / "data").glob("life_*.jsonl"))
    answers = [each for path in paths for each in lived(life, path, settings)]
    if chosen.file.exists():
        before = json.loads(gzip.decompress(chosen.file.read_bytes()))
        sys.exit(bool(compare(before, answers, chosen.within)))
    chosen.file.write_bytes(gzip.compress(json.dumps(answers, ensure_ascii=False).encode()))
    print(f"{len(answers)} recalls are kept in {chosen.file}")


if __name__ == "__main__":
    main()
