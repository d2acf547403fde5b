"""`kill -9` at every step of writing of a conversation: talk, tool, flush, archive, merge, clear."""

import random
import shutil
from pathlib import Path

import almario
from almario.testing import ScriptedLLM
from proofs.torture.fuses import killed_at
from proofs.torture.lapses import plant
from proofs.torture.mirror import own_folder
from proofs.torture.said import problems_after, read_acknowledged
from proofs.torture.talking import CHANGED, SETTINGS, SHARED, Acknowledgement, Model

_BEFORE = ("Basket Kone holds ropes", "Basket Ktwo holds stamps", "Basket Kthree holds candles")
_THEN = ("Somebody filled basket Kone with ropes", "Remember: Basket Kfour holds walnuts")


def run(rounds: int = 0, fault: str = "none", *, seed: int = 0) -> list[str]:
    """Return what went wrong at the first step where something did; *rounds* is how many are tried, 0 all."""
    plant(fault)
    with own_folder() as folder:
        template, home = folder / "template", folder / "home"
        almario.create(template, settings=SETTINGS).close()
        with almario.open(template, settings=SETTINGS, llm=_model()) as soul:
            soul.learning.close()
            for message in _BEFORE * 2:
                soul.talk(message)
            soul.flush()
        steps = _killed_at(0, template, folder / "whole")
        stride = max(1, steps // rounds) if rounds else 1
        chosen = range(random.Random(seed).randint(1, stride), steps + 1, stride)
        for step in chosen:
            _killed_at(step, template, home)
            if found := problems_after(home, read_acknowledged(home / "said"), apart=False):
                return [f"killed at step {step} of {steps}: {problem}" for problem in found]
            shutil.rmtree(home)
        print(f"{len(chosen)} kills, each at another of {steps} steps of writing")
    return []


def _killed_at(step: int, template: Path, home: Path) -> int:
    """Talk in a copy of an agent up to a step of writing, or to the end (0); return how many were taken."""
    shutil.copytree(template, home)
    (home / "said").touch()
    return killed_at(step, lambda: _converse(home))


def _converse(home: Path) -> None:
    acknowledged = Acknowledgement(home / "said")
    with almario.open(home, settings=SETTINGS, llm=_model()) as soul:
        soul.learning.close()  # its steps would come in another order each time
        for message in _THEN:
            acknowledged.turns(soul.talk(message).turns)
        acknowledged.turns([soul.append(SHARED, "user", f"{CHANGED} basket Ktwo holds tickets")])
        acknowledged.receipts(receipt for done in soul.flush() for receipt in done.receipts)
        soul.sessions.compact(SHARED)
        soul.tidying.consolidate()
        soul.end_session(clear=True)


def _model() -> ScriptedLLM:
    return ScriptedLLM(Model(random.Random(0), is_sound=True))
