"""Whether what somebody tells of a past day is so since then: they moved, and did not merely go there.

A guess by the letters and the meaning of the words without their day; in doubt it is so, as a home that ended
does more harm than a dinner that goes on. `python -m benchmarks.begun` makes the weights.
"""

from collections.abc import Sequence
from pathlib import Path

from almario.text.fitted import DIMENSIONS, Bank, letters

BEGUN = Bank(Path(__file__).with_name("begun.weights"), 1)
# From these odds on it is so since then.
LEAST = -0.3


def has_begun(text: str, vector: Sequence[float]) -> bool:
    """Return whether it is so since then; *vector* has length 1 and is of the bundled encoder."""
    return len(vector) != DIMENSIONS or bool(BEGUN.odds(sorted(letters(text)), vector)[0] >= LEAST)
