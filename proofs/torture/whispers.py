"""`kill -9` at every step of a session with things said off the record: no byte of them is on the disk.

What is off the record from the beginning is never written, so it is looked for before anything is opened
again; what was taken back is looked for once its erasing was begun, after the next opening. When all steps
are tried and power can be cut, the raw disk is looked through, too.
"""

import random
import shutil
from pathlib import Path

import almario
from almario.domain.talk import Reply, ToolCall
from almario.testing import ScriptedLLM
from proofs.torture import power
from proofs.torture.fuses import killed_at
from proofs.torture.mirror import own_folder

FAULTS = ("written-down",)
SETTINGS = {"embedder.name": "none", "timezone": "UTC"}
# Said off the record, by the owner, by the agent and in a call of a tool; and what the owner takes back.
WHISPERS = (b"perlagris", b"nacarada", b"ostrafina")
TAKEN_BACK = (b"coralrojo", b"abanicoazul")
_CUTS = 6


def run(rounds: int = 0, fault: str = "none", *, seed: int = 0) -> list[str]:
    """Return what went wrong at the first step where something did; *rounds* is how many are tried, 0 all."""
    plant(fault)
    with own_folder() as folder:
        template, home = folder / "template", folder / "home"
        almario.create(template, settings=SETTINGS).close()
        steps = _killed_at(0, template, folder / "whole")
        if found := _left(folder / "whole", reopen=True):
            return found
        stride = max(1, steps // rounds) if rounds else 1
        chosen = range(random.Random(seed).randint(1, stride), steps + 1, stride)
        for step in chosen:
            _killed_at(step, template, home)
            if found := _left(home, reopen=False) or _left(home, reopen=True):
                return [f"killed at step {step} of {steps}: {problem}" for problem in found]
            shutil.rmtree(home)
        print(f"{len(chosen)} kills, each at another of {steps} steps of a session with whispers in it")
        return [] if rounds or power.why_not() else _cut(template, steps, _CUTS, seed)


def plant(fault: str) -> None:
    """Take the safeguard out: what is said off the record is written down like all else."""
    if fault == "written-down":
        from almario.memory import writer

        setattr(writer, "without_words", lambda said, salt: said._replace(more={"off": True}, off=False))  # noqa: B010


def _cut(template: Path, steps: int, cuts: int, seed: int) -> list[str]:
    """Cut the power at some of the steps, and look through the raw disk."""
    dice = random.Random(seed)
    with power.disk() as mounted:
        for number in range(cuts):
            with mounted() as point:
                home = point / f"home{number}"
                _killed_at(dice.randint(1, steps), template, home)
                power.cut_power(point)
            with mounted():
                pass
            raw = mounted.image.read_bytes()
            if found := [word for word in WHISPERS if word in raw]:
                return [f"the disk holds {found} after a power cut"]
    print(f"{cuts} power cuts")
    return []


def _killed_at(step: int, template: Path, home: Path) -> int:
    shutil.copytree(template, home)
    return killed_at(step, lambda: _converse(home))


def _converse(home: Path) -> None:
    search = Reply("", (ToolCall("c1", "memory_search", {"query": "ostrafina"}),))
    lines: list[str | Reply] = [
        "Hola.",
        search,
        "La nacarada queda aquí.",
        "Bien.",
        "El abanicoazul, ya.",
        "Borrado.",
        "Adiós.",
    ]
    with almario.open(home, settings=SETTINGS, llm=ScriptedLLM(*lines)) as soul:
        soul.learning.close()  # its steps would come in another order each time
        soul.talk("Hola, ¿cómo va?")
        soul.talk("Entre nosotros, no lo anotes: la perlagris está en casa.")
        soul.talk("El concierto es el martes.")
        soul.talk("Vi el coralrojo en la playa de siempre.")
        soul.talk("Lo que te acabo de decir, olvídalo.")
        soul.end_session("cli:main", clear=True)
        soul.memory.settle()


def _left(home: Path, *, reopen: bool) -> list[str]:
    """Return what is left that should not be: at once, or after the next opening."""
    wanted: tuple[bytes, ...] = WHISPERS
    if reopen:
        with almario.open(home, settings=SETTINGS) as soul:
            soul.memory.settle()
            if damage := soul.memory.verify():
                return [f"{len(damage)} places are damaged: {damage[0]}"]
        begun = any(b'"purge.begun"' in path.read_bytes() for path in home.rglob("journal/*.jsonl"))
        wanted += TAKEN_BACK if begun else ()
    held = [path for path in home.rglob("*") if path.is_file()]
    return [f"{path.name} holds {word!r}" for path in held for word in wanted if word in path.read_bytes()]
