"""MEMORY.md edited by its owner while two processes write: nothing lost, retired in silence or revived.

An interleaving is a handful of acts on a fresh agent: a process remembers,
forgets, restores or undoes; the owner opens, edits and saves buffers that may
be old, in the manner of his editors. Some are run by two processes at once.
"""

import contextlib
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import almario
from almario.testing import FixedClock
from proofs.torture.interleaving import Run
from proofs.torture.meddling import plant
from proofs.torture.working import Here, Process, Worker

# How often the acts are chosen.
_ACTS = {
    Run.act: 10,
    Run.open: 3,
    Run.edit: 8,
    Run.save: 6,
    Run.save_again: 3,
    Run.save_half: 2,
    Run.save_in_vims_gap: 1,
    Run.save_at_exchange: 2,
    Run.crash: 2,
    Run.delete: 1,
    Run.check: 5,
}


def interleaving(template: Path, home: Path, dice: random.Random, *, at_once: bool) -> Run:
    """Run one interleaving in a fresh copy of an agent, and return it with its problems."""
    shutil.copytree(template, home)
    start = Worker if at_once else Here
    processes: list[Process] = [start(home) for _ in range(2)]
    run = Run(home, dice, processes)
    try:
        for _ in range(dice.choice((0, 2, 5, 12))):
            run.act("remember")
        run.check()
        for _ in range(dice.randint(4, 10)):
            act = run.burst if at_once else dice.choices(list(_ACTS), list(_ACTS.values()))[0].__get__(run)
            act()
            if run.problems:
                break
        if not run.problems:
            run.check()
    finally:
        for process in processes:
            process.end()
        shutil.rmtree(home)
    return run


def run(rounds: int, fault: str = "none", *, seed: int = 0, at_once: int | None = None) -> list[str]:
    """Return what went wrong in *rounds* interleavings, of which *at_once* are with two processes at work."""
    plant(fault)
    at_once = rounds // 20 if at_once is None else at_once
    with own_folder() as folder:
        template = folder / "template"
        almario.create(template, clock=FixedClock())
        for number in range(rounds):
            dice = random.Random(f"{seed}-{number}")
            done = interleaving(template, folder / "home", dice, at_once=number < at_once)
            if done.problems:
                story = "\n".join(f"    {line}" for line in done.log)
                return [f"interleaving {number} of seed {seed}: {done.problems}\n{story}"]
    print(f"{rounds} interleavings, {at_once} of them with both processes at work at once")
    return []


@contextlib.contextmanager
def own_folder() -> Iterator[Path]:
    """A folder, in memory if it can be; no settings but the defaults, and no model."""
    memory, before = Path("/dev/shm"), dict(os.environ)
    for name in [name for name in os.environ if name.startswith("ALMARIO_")]:
        del os.environ[name]
    os.environ["ALMARIO_EMBEDDER_NAME"] = "none"
    where = memory if os.access(memory, os.W_OK) else None
    try:
        with tempfile.TemporaryDirectory(prefix="torture-", dir=where, ignore_cleanup_errors=True) as folder:
            yield Path(folder)
    finally:
        os.environ.clear()
        os.environ.update(before)
