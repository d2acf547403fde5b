"""`kill -9` at random points of a purge: the next opening finishes it, and no byte of the text is left."""

import json
import os
import random
import signal
import tempfile
import time
from datetime import timedelta
from pathlib import Path

import almario
from almario.domain.memories import Wanted
from almario.soul import Soul
from almario.store import replacing
from almario.testing import ScriptedLLM

FAULTS = ("no-resume",)
CANARY = "el nombre de la canaria número siete es perla-{number:05d}"
SETTINGS = {"embedder.name": "none"}


def run(rounds: int, fault: str = "none", *, seed: int = 0) -> list[str]:
    """Return what went wrong in *rounds* purges that were killed."""
    chance = random.Random(seed)
    found: list[str] = []
    killed = 0
    longest = 0.2
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            soul = _furnished(Path(folder), number)
            began = time.monotonic()
            pid = os.fork()
            if pid == 0:
                if fault != "none":
                    _die_at_the_first_file()
                _purge(soul)
            if fault == "none":
                time.sleep(chance.random() * longest)
                os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            if os.WIFEXITED(status):
                longest = max(0.02, 0.9 * (time.monotonic() - began))
            else:
                killed += 1
            found += [f"purge {number}: {problem}" for problem in _problems(Path(folder), number, fault)]
    print(f"{killed} of {rounds} purges were killed before they ended")
    return found


def _furnished(home: Path, number: int) -> Soul:
    soul = almario.create(home, settings=SETTINGS)
    canary = CANARY.format(number=number)
    for n in range(30):
        soul.remember("cosa", f"una cosa cualquiera, la número {n}")
    soul.remember("secreto", canary)
    soul.log(f"hoy se habló de esto: {canary}, y de más")
    soul.memory.append("cli:main", [almario.Utterance("user", f"te digo {canary}", "owner")])
    _condense(soul, canary)
    soul.snapshot()
    soul.close()
    return soul


def _condense(soul: Soul, canary: str) -> None:
    """Let it stand in the archive, too, and in the line that stands for it there."""
    day = soul.today - timedelta(days=1)
    others = "".join(f"- [09:{n:02}] una visita más, y un té\n" for n in range(15))
    (soul.path / f"memory/{day}.md").write_text(f"# Memory Log: {day}\n\n- [08:00] {canary}\n{others}")
    reply = json.dumps({"lines": [{"of": [1, 2], "text": canary}]})
    if not soul.memory.condense(ScriptedLLM(reply)).paths:
        raise SystemExit("the log was not condensed")


def _die_at_the_first_file() -> None:
    """Be killed surely within the purge, so that what it leaves must be noticed."""

    def dying(path: Path, content: bytes, *, expected: str | None) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    replacing.replace = dying


def _purge(soul: Soul) -> None:
    try:
        soul.memory.purge(soul.memory.plan_purge("secreto"))
    finally:
        os._exit(0)


def _problems(home: Path, number: int, fault: str) -> list[str]:
    """Open the agent as the next command would, and look for what a purge leaves."""
    canary = CANARY.format(number=number)
    begun = any(b'"purge.begun"' in path.read_bytes() for path in home.rglob("journal/*.jsonl"))
    if fault == "none":
        soul = almario.open(home, settings=SETTINGS)
        damage = soul.memory.verify()
        kept = len(soul.memory.list(Wanted(keys=("cosa",))))
        if damage or kept != 30:
            return [f"{len(damage)} places are damaged, {kept} of 30 other memories are there"]
    if not begun:
        return []
    forms = (canary.encode(), canary.encode("utf-16-le"), json.dumps(canary)[1:-1].encode())
    held = [path for path in home.rglob("*") if path.is_file() and any(f in path.read_bytes() for f in forms)]
    return [
        f"{path.name} still holds it" for path in held if not replacing.is_copy(path.name) or fault == "none"
    ]
