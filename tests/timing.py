"""Claims about time that a busy machine cannot break: the best of some runs, in the processor's seconds."""

import gc
import time
from collections.abc import Callable

# How often a claim is tried before it fails.
TRIES = 3


def seconds(do: Callable[[], object]) -> float:
    """Return the seconds of the processor that *do* takes, the collection of others' garbage left out."""
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        begun = time.process_time()
        do()
        return time.process_time() - begun
    finally:
        if was_collecting:
            gc.enable()


def is_done_within(limit: float, do: Callable[[], object]) -> bool:
    """Say whether *do* takes less than *limit* seconds, at the best of some tries."""
    return any(seconds(do) < limit for _ in range(TRIES))


def grows_with_its_size(do: Callable[[int], object], small: int, times: int = 16) -> bool:
    """Say whether *do* takes about *times* as long for *times* the size, rather than its square."""
    do(small // 4)  # what is made only once

    def is_linear() -> bool:
        base = min(seconds(lambda: do(small)) for _ in range(3))
        return seconds(lambda: do(small * times)) < times * times / 4 * base + 0.05

    return any(is_linear() for _ in range(TRIES))
