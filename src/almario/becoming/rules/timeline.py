"""A soul's way from its baseline, as the journal tells it."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from almario.domain.messages import Sentence
from almario.domain.soul_drift import Drift
from almario.domain.soul_models import Mark

PINNED = Sentence("a baseline was pinned")


class Step(NamedTuple):
    """A change of a soul *file* and its reason; without a file, another soul was pinned."""

    file: str
    reason: Sentence


class Point(NamedTuple):
    """How far the soul had come at an instant, and what had changed since the point before.

    *files* are the hashes of the soul files that are known to have been measured.
    """

    at: datetime
    drift: Drift
    what: tuple[Step, ...]
    files: Mapping[str, str]


def timeline(marks: Iterable[Mark]) -> list[Point]:
    """Return the points of a soul's way, oldest first: what was measured, and what was accepted."""
    points: list[Point] = []
    steps: list[Step] = []
    for mark in marks:
        if mark.kind == "pinned":
            steps.append(Step("", PINNED))
        elif mark.kind == "changed":
            steps.append(Step(mark.file, mark.reason))
        elif mark.drift and mark.kind != "waiting":
            # One that was only measured again, as it is, takes the place of the one before.
            again = not steps and points and mark.kind == "measured"
            what = points.pop().what if again else tuple(steps)
            points.append(Point(mark.at, mark.drift, what, mark.files))
            steps = []
    return points
