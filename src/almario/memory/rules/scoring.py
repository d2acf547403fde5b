"""How likely a passage is to help: a few measures of it, each with its weight, and one curve.

The weights are fitted by `python -m benchmarks.fit`. A score is a probability: of all hits scored
0.7, about seven in ten help. What speaks for a passage is added up in log odds, so that each measure's
part can be told.
"""

import math
from typing import NamedTuple


class Measures(NamedTuple):
    """What is known of a passage with respect to a question; most run from 0 to 1."""

    # The question's words in the passage, and in it or around it: shares by their rarity.
    own: float = 0.0
    near: float = 0.0
    # How much of rare words it has, whatever else the question says.
    mass: float = 0.0
    # How far its cosine stands out from this agent's others, and its neighbours' cosines.
    meaning: float = 0.0
    beside: float = 0.0
    # Said by whom the question names.
    speaker: float = 0.0
    # Of the time that the question names; and that names nothing else.
    time: float = 0.0
    when: float = 0.0
    # It has a figure where the question asks for one: 1 is yes, -1 no.
    amount: float = 0.0
    # Only an assistant's word; a question that was answered.
    assistant: float = 0.0
    asked: float = 0.0


class Weights(NamedTuple):
    """What each measure adds to the log odds, and where they begin."""

    base: float
    measures: Measures


# What was said is known by what stands around it; what was noted stands alone.
SAID = Weights(
    -6.14,
    Measures(
        near=3.58, mass=1.38, meaning=0.21, beside=1.57, speaker=1.02, time=0.66, when=5.00, amount=0.81,
        assistant=0.22, asked=-0.48,
    ),
)  # fmt: skip
NOTED = Weights(-5.30, Measures(own=1.42, mass=1.66, meaning=1.04, time=2.18, when=2.62, amount=0.50))
# The same where there are no cosines.
SAID_WORDS = Weights(
    -5.83,
    Measures(
        near=4.10, mass=1.81, speaker=0.79, time=0.67, when=4.63, amount=0.85, assistant=-0.60, asked=-0.52
    ),
)
NOTED_WORDS = Weights(-4.50, Measures(own=2.78, mass=4.70, time=1.73, when=2.28, amount=0.27))


def parts_of(measures: Measures, weights: Weights) -> list[tuple[str, float, float]]:
    """Return each measure by its name, how much there is of it, and what that adds to the log odds."""
    named = zip(Measures._fields, measures, weights.measures, strict=True)
    parts = [(name, each, each * weight) for name, each, weight in named if each]
    return [("base", 1.0, weights.base), *parts]


def probability(measures: Measures, weights: Weights) -> float:
    """Return how likely a passage is to help."""
    odds = weights.base
    for value, weight in zip(measures, weights.measures, strict=True):
        odds += value * weight
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
