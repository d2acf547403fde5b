"""`kill -9` at random points of chat, flush and consolidation, in several processes on one agent."""

import itertools
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import almario
from almario.domain.memories import OWN_PASSAGE, Wanted
from proofs.torture.lapses import plant
from proofs.torture.mirror import own_folder
from proofs.torture.said import Acknowledged, problems_after, read_acknowledged
from proofs.torture.talking import SETTINGS, work_forever

WORKERS = 3
# After so many kills all are killed at once, and what is left is looked at.
_STAGE = 50
# So long at most is waited for the next one, by an idle machine.
_SECONDS = 1.6


def run(kills: int, fault: str = "none", *, seed: int = 0, workers: int = WORKERS) -> list[str]:
    """Return what went wrong in *kills* kills of the workers, each of which is started again."""
    plant(fault)
    with own_folder() as folder:
        home, said = folder / "home", folder / "acknowledged"
        said.mkdir()
        almario.create(home, settings=SETTINGS).close()
        killing = Killing(home, said, random.Random(seed), workers)
        while killing.kills < kills:
            killing.go_on(min(_STAGE, kills - killing.kills))
            if found := problems_after(home, read_acknowledged(said)):
                return [f"after {killing.kills} kills: {problem}" for problem in found]
        print(f"{killing.kills} kills of {workers} processes, {killing.burnt} of them at a step of writing")
        print(_told(home, read_acknowledged(said)))
    return []


class Killing:
    """Workers that are killed and started again."""

    def __init__(
        self,
        home: Path,
        said: Path,
        dice: random.Random,
        workers: int,
        work: Callable[[Path, int, str, Path], None] = work_forever,
    ) -> None:
        self.kills = 0
        self.burnt = 0
        self._home = home
        self._said = said
        self._dice = dice
        self._workers = workers
        self._work = work
        self._lives = itertools.count()
        self._running: dict[int, int] = {}

    def go_on(self, kills: int) -> None:
        """Kill so many more times, at the end all that run at one moment."""
        end = self.kills + kills
        self._start()
        while self.kills < end - self._workers:
            until = time.monotonic() + self._dice.random() ** 2 * _SECONDS * _busy()
            while time.monotonic() < until and self.kills < end - self._workers:
                time.sleep(0.003)
                self._bury()
                self._start()
            self._kill(self._dice.choice(sorted(self._running)))
            self._start()
        time.sleep(self._dice.random() * _SECONDS * _busy())
        self._bury()
        for pid in sorted(self._running):
            self._kill(pid)

    def _start(self) -> None:
        for number in set(range(self._workers)) - set(self._running.values()):
            name = f"{number}x{next(self._lives)}"
            pid = os.fork()
            if pid == 0:
                try:
                    self._work(self._home, number, name, self._said / name)
                finally:
                    os._exit(1)
            self._running[pid] = number

    def _bury(self) -> None:
        """Notice who has ended by a step of its own."""
        for pid in sorted(self._running):
            if os.waitpid(pid, os.WNOHANG)[0]:
                del self._running[pid]
                self.kills += 1
                self.burnt += 1

    def _kill(self, pid: int) -> None:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        del self._running[pid]
        self.kills += 1


def _busy() -> float:
    """Return by how much longer than alone a process takes now: killed too soon, workers would do nothing."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _told(home: Path, acknowledged: Acknowledged) -> str:
    with almario.open(home, settings=SETTINGS) as soul:
        archived = sum(view.archived for view in soul.sessions.all())
        resets = sum(view.resets for view in soul.sessions.all())
        merged = len(soul.memory.list(Wanted(states=("superseded",), kinds=OWN_PASSAGE)))
        torn = len(list(soul.path.rglob("cut/*")))
        return (
            f"{len(acknowledged.turns)} turns and {len(set(acknowledged.memories))} memories acknowledged, "
            f"{archived} turns archived, {merged} memories merged, {resets} resets, {torn} torn tails cut"
        )
