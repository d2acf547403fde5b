"""Claims about time that a busy machine cannot break: in the processor's seconds, the least of some runs.

What others do on the machine can only add to a run, so the least is nearest to what the code itself needs.
"""

import gc
import time
from collections.abc import Callable

# How often it is measured.
RUNS = 3


def seconds(do: Callable[[], object]) -> float:
    """Return the seconds that the processor is at *do* in this thread, without the collection of garbage."""
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        begun = time.thread_time()
        do()
        return time.thread_time() - begun
    finally:
        if was_collecting:
            gc.enable()


def is_done_within(limit: float, do: Callable[[], object]) -> bool:
    """Return whether *do* takes less than *limit* seconds; once it has, it is measured no more."""
    return any(seconds(do) < limit for _ in range(RUNS))


def grows_with_its_size(do: Callable[[int], object], small: int, times: int = 16) -> bool:
    """Return whether *do* takes about *times* as long for *times* the size, rather than its square."""
    do(small // 4)  # what is made only once
    base = min(seconds(lambda: do(small)) for _ in range(RUNS))
    return is_done_within(times * times / 4 * base + 0.05, lambda: do(small * times))
