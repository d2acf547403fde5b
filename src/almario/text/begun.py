"""Whether what somebody tells of a past day is so since then: they moved, and did not merely go there.

A guess by the meaning of the words without their day; in doubt it is so, as a home that ended does more harm
than a dinner that goes on. `python -m benchmarks.begun` makes the weights.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from almario.text.reader import DIMENSIONS

WEIGHTS = Path(__file__).with_name("begun.weights")
# From these odds on it is so since then.
LEAST = -0.85


def has_begun(vector: Sequence[float]) -> bool:
    """Return whether it is so since then; *vector* has length 1 and is of the bundled encoder."""
    return len(vector) != DIMENSIONS or float(_weights()[:-1] @ vector + _weights()[-1]) >= LEAST


@cache
def _weights() -> Any:
    import numpy as np  # noqa: PLC0415 - who has vectors has it loaded

    return np.frombuffer(WEIGHTS.read_bytes(), "<f4").astype(np.float64)
