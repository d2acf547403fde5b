"""How a figure is taken: next to its baseline, in turn, and shown as a row of a table."""

import itertools
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

RUNS = 20
HEAD = "| what | Almario | baseline of the same run | ratio |\n|---|--:|--:|--:|"

T = TypeVar("T")


def now() -> datetime:
    return datetime.now(UTC)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def computed(work: Callable[[], object]) -> float:
    """Return for how long all threads of this process compute to do something."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(
    what: str,
    ours: Callable[[], object],
    base: Callable[[], object],
    *,
    named: str,
    runs: int = RUNS,
    count: int = 0,
) -> float:
    """Run both in turn; print the medians (with *count*, how many a second) and the median ratio of times.

    Return our median in seconds.
    """
    pairs = [(timed(ours), timed(base)) for _ in range(runs)]
    our, their = statistics.median(one for one, _ in pairs), statistics.median(other for _, other in pairs)
    ratio = statistics.median(one / other for one, other in pairs)
    shown = [f"{count / each:,.0f}/s" if count else milliseconds(each) for each in (our, their)]
    print(f"| {what} | {shown[0]} | {named} {shown[1]} | {ratio:.2f} × |", flush=True)
    return our


def asking(questions: Sequence[str], search: Callable[[str], object]) -> Callable[[], object]:
    """Return work that asks the next question each time it is done."""
    rest: Iterator[str] = itertools.cycle(questions)
    return lambda: search(next(rest))


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.{0 if seconds >= 0.05 else 1}f} ms"


def percentile(times: Sequence[float], share: float) -> float:
    """Return the time that *share* of the times stay within."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def program(name: str) -> str:
    """Return a command that is installed beside this Python."""
    return str(Path(sys.executable).parent / name)


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a program as a user would run it: with its modules compiled beforehand."""
    return {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | more


def size_of(folder: Path) -> int:
    """Return the bytes of all the files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def batched(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
