"""A soul's way from its baseline, as the journal tells it."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from almario.domain.events import (
    DriftMeasured,
    Event,
    ProposalAnswered,
    ProposalMade,
    SoulChanged,
    SoulEdited,
    SoulPinned,
)
from almario.domain.soul_drift import FILES, Drift, drift_in

EDITED, PINNED = "edited by hand", "pinned"


class Step(NamedTuple):
    """A change of a soul *file* and its reason; without a file, another soul was pinned."""

    file: str
    reason: str


class Point(NamedTuple):
    """How far the soul had come at an instant, and what had changed since the point before.

    *files* are the hashes of the soul files that are known to have been measured.
    """

    at: datetime
    drift: Drift
    what: tuple[Step, ...]
    files: Mapping[str, str]


def timeline(events: Iterable[Event]) -> list[Point]:
    """Return the points of a soul's way, oldest first: what was measured, and what was accepted."""
    points: list[Point] = []
    wanted: dict[str, ProposalMade] = {}
    steps: list[Step] = []
    for event in sorted(events, key=lambda event: event.seq):
        body = event.body
        if step := _step(event):
            steps.append(step)
        elif isinstance(body, ProposalMade):
            wanted[body.id] = body
        elif found := _point(event, wanted, tuple(steps)):
            if not steps and points and isinstance(body, DriftMeasured):
                found = found._replace(what=points.pop().what)  # measured again, as it is
            points.append(found)
            steps = []
    return points


def _step(event: Event) -> Step | None:
    body = event.body
    if isinstance(body, SoulPinned):
        return Step("", PINNED)
    if isinstance(body, SoulChanged | SoulEdited) and body.file in FILES:
        return Step(body.file, body.reason if isinstance(body, SoulChanged) else EDITED)
    return None


def _point(event: Event, wanted: Mapping[str, ProposalMade], what: tuple[Step, ...]) -> Point | None:
    body = event.body
    if isinstance(body, DriftMeasured) and (drift := drift_in(body.drift)):
        return Point(event.at, drift, what, body.files)
    if isinstance(body, ProposalAnswered) and body.answer == "accepted":
        made = wanted.get(body.id)
        if made and (drift := drift_in(made.drift)):
            return Point(event.at, drift, what, {made.file: made.to})
    return None
