"""Whether what somebody tells of a past day is so since then: they moved, and did not merely go there.

A guess by the letters and the meaning of the words without their day; in doubt it is so, as a home that ended
does more harm than a dinner that goes on. `python -m benchmarks.begun` makes the weights.
"""

from collections.abc import Sequence
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

from almario.text.outdated import letters
from almario.text.reader import DIMENSIONS, FEW_PLACES

WEIGHTS = Path(__file__).with_name("begun.weights")
# From these odds on it is so since then.
LEAST = -0.3


def has_begun(text: str, vector: Sequence[float]) -> bool:
    """Return whether it is so since then; *vector* has length 1 and is of the bundled encoder."""
    if len(vector) != DIMENSIONS:
        return True
    places, every = sorted(letters(text)), _weights()
    by_letters = every[places].sum() / sqrt(len(places) or 1)
    return bool(by_letters + every[FEW_PLACES:-1] @ vector + every[-1] >= LEAST)


@cache
def _weights() -> Any:
    """Return the weights of places of letters and words, of the numbers of a vector, and the base."""
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    return np.frombuffer(WEIGHTS.read_bytes(), "<f2").astype(np.float64)
