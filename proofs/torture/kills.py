"""`kill -9` at random points under three concurrent writers."""

import os
import random
import select
import signal
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from proofs.torture.writing import plant, problems_after, write_forever

WRITERS = 3


@dataclass
class Writer:
    pid: int
    pipe: int
    acknowledged: list[str] = field(default_factory=list)
    rest: bytes = b""

    def drain(self) -> int:
        """Read what it has acknowledged so far; return how many tokens came."""
        before = len(self.acknowledged)
        while select.select([self.pipe], [], [], 0)[0]:
            content = os.read(self.pipe, 1 << 16)
            if not content:
                break
            *whole, self.rest = (self.rest + content).split(b"\n")
            self.acknowledged += [token.decode() for token in whole]
        return len(self.acknowledged) - before


def start(root: Path) -> Writer:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            write_forever(root, writing)
        finally:
            os._exit(1)
    os.close(writing)
    return Writer(pid, reading)


def kill(writer: Writer) -> list[str]:
    """Kill a writer and return all that it had acknowledged."""
    os.kill(writer.pid, signal.SIGKILL)
    os.waitpid(writer.pid, 0)
    writer.drain()
    os.close(writer.pipe)
    return writer.acknowledged


def run(kills: int, fault: str = "none") -> list[str]:
    """Return what went wrong in *kills* kills."""
    plant(fault)
    dice = random.Random()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        writers = [start(root) for _ in range(WRITERS)]
        acknowledged: list[str] = []
        for _ in range(kills):
            wait_for(writers, dice.randint(1, 12))
            until = time.perf_counter() + dice.random() * 0.004
            while time.perf_counter() < until:
                pass
            victim = dice.randrange(WRITERS)
            acknowledged += kill(writers[victim])
            writers[victim] = start(root)
        for writer in writers:
            acknowledged += kill(writer)
        cut = len(list((root / "journal" / "cut").glob("*"))) if (root / "journal" / "cut").is_dir() else 0
        print(f"{kills} kills, {len(acknowledged)} writes acknowledged, {cut} torn tails cut")
        return problems_after(root, acknowledged)


def wait_for(writers: list[Writer], tokens: int, *, seconds: float = 20) -> None:
    """Return when the writers together have acknowledged that many more tokens."""
    deadline = time.monotonic() + seconds
    while tokens > 0 and time.monotonic() < deadline:
        ready, _, _ = select.select([writer.pipe for writer in writers], [], [], 1)
        came = sum(writer.drain() for writer in writers if writer.pipe in ready)
        if ready and not came:  # a writer has ended by itself
            return
        tokens -= came
