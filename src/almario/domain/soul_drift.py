"""Drift: how far a soul has come from the one it is measured against."""

from collections.abc import Mapping
from typing import NamedTuple

# The files that say who the agent is: their drift is measured, and a model only proposes to change them.
FILES = ("SOUL.md", "IDENTITY.md", "MOTIVATIONS.md")

# What each part of a drift weighs.
WEIGHTS = {"meaning": 0.4, "stated": 0.4, "lines": 0.2, "probes": 0.4}
# A soul that has lost half of what it was is not half itself any more: so much steeper is the beginning.
STEEPNESS = 3.0


class Drift(NamedTuple):
    """A distance from 0 (the same) to 1, and what it is made of; None was not measured.

    *meaning* is that of the sections by their embeddings, *stated* that of traits and
    boundaries, *lines* the share of lines that differ, *probes* that of the answers.
    So many *boundaries* are gone, weakened or turned round, which no score tells.
    """

    score: float
    meaning: float | None = None
    stated: float = 0.0
    lines: float = 0.0
    probes: float | None = None
    boundaries: int = 0

    def warns(self, threshold: float) -> bool:
        """Say whether the owner should be warned: past the threshold, or of a broken boundary."""
        return self.score > threshold or self.boundaries > 0

    @property
    def unprobed(self) -> float:
        """The score without the probes, which can be compared with that of any other time."""
        if self.probes is None:
            return self.score
        parts = {"meaning": self.meaning, "stated": self.stated, "lines": self.lines}
        return score_of({name: value for name, value in parts.items() if value is not None})


def score_of(parts: Mapping[str, float]) -> float:
    """Return the score that the parts make which were measured."""
    whole = sum(WEIGHTS[name] for name in parts)
    mean = sum(WEIGHTS[name] * value for name, value in parts.items()) / whole
    score: float = round(1 - (1 - mean) ** STEEPNESS, 4)
    return score
