"""`kill -9` at random points under three concurrent writers."""

import random
import tempfile
import time
from pathlib import Path

from proofs.torture.forked import Forked, heard_of
from proofs.torture.writing import plant, problems_after, write_forever

WRITERS = 3
_SECONDS = 20


def writer(root: Path) -> Forked:
    """Start one that tells each token that was taken in."""
    return Forked(lambda told: write_forever(root, told))


def tokens_of(writers: list[Forked], count: int) -> list[str]:
    """Return so many tokens more that were taken in, or a few more."""
    return heard_of(writers, lambda heard: len(heard) >= count, _SECONDS)


def run(kills: int, fault: str = "none") -> list[str]:
    """Return what went wrong in *kills* kills."""
    plant(fault)
    dice = random.Random()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        writers = [writer(root) for _ in range(WRITERS)]
        acknowledged: list[str] = []
        for _ in range(kills):
            acknowledged += tokens_of(writers, dice.randint(1, 12))
            until = time.perf_counter() + dice.random() * 0.004
            while time.perf_counter() < until:
                pass
            victim = dice.randrange(WRITERS)
            acknowledged += writers[victim].kill()
            writers[victim] = writer(root)
        for each in writers:
            acknowledged += each.kill()
        cut = len(list((root / "journal" / "cut").glob("*"))) if (root / "journal" / "cut").is_dir() else 0
        print(f"{kills} kills, {len(acknowledged)} writes acknowledged, {cut} torn tails cut")
        return problems_after(root, acknowledged)
