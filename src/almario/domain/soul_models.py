"""Read models: of the soul its versions, proposals and reflections; the owner's visits."""

from collections.abc import MutableMapping
from datetime import datetime
from typing import Any, Literal

from almario.domain.events import (
    Event,
    OwnerVisited,
)
from almario.domain.read_models import VERSIONS, ReadModel
from almario.domain.soul_events import (
    Maker,
    ProposalAnswered,
    ProposalMade,
    ReflectionApplied,
    ReflectionBegun,
    ReflectionDesigned,
    ReflectionEnded,
    ReflectionExplored,
    ReflectionGathered,
)
from almario.named_tuples import NamedTuple


class Made(NamedTuple):
    """A proposal and its answers; the owner's wording may have taken the place of what was *first* made."""

    body: ProposalMade
    at: datetime
    first_by: Maker
    first_at: datetime
    answers: tuple[ProposalAnswered, ...] = ()


def _follow_proposals(rows: MutableMapping[str, Made], event: Event) -> None:
    body = event.body
    if isinstance(body, ProposalMade):
        known = rows.get(body.id)
        first = (known.first_by, known.first_at) if known else (body.by, event.at)
        rows[body.id] = Made(body, event.at, *first)
    elif isinstance(body, ProposalAnswered) and (known := rows.get(body.id)):
        answers = () if body.answer == "open" else (*known.answers, body)
        rows[body.id] = known._replace(answers=answers)


PROPOSALS = ReadModel("proposal", Made, ("proposal.",), _follow_proposals)


class Run(NamedTuple):
    """One reflection: the line that began it and when, its outcome, and what its phases brought.

    Of one that is over, only what it gathered is kept. Line 0: the one that began it was lost.
    """

    begun: ReflectionBegun
    line: int
    at: datetime
    outcome: Literal["", "done", "abandoned"] = ""
    gathered: ReflectionGathered | None = None
    explored: ReflectionExplored | None = None
    designed: ReflectionDesigned | None = None
    applied: ReflectionApplied | None = None


# The phase of each line that a reflection keeps.
STEPS: dict[type[object], str] = {
    ReflectionGathered: "gathered",
    ReflectionExplored: "explored",
    ReflectionDesigned: "designed",
    ReflectionApplied: "applied",
}


def _lost(name: str, event: Event) -> Run:
    return Run(ReflectionBegun(name, "", "", "owner", "", ""), 0, event.at)


def _follow_reflections(rows: MutableMapping[str, Run], event: Event) -> None:
    body = event.body
    if isinstance(body, ReflectionBegun):
        rows[body.id] = Run(body, event.seq, event.at)
    elif isinstance(body, ReflectionEnded):
        run = rows.get(body.id) or _lost(body.id, event)
        rows[body.id] = Run(run.begun, run.line, run.at, body.outcome, run.gathered)
    elif phase := STEPS.get(type(body)):
        name: str = getattr(body, "id")  # noqa: B009 - each of them has one
        run = rows.get(name) or _lost(name, event)
        found: dict[str, Any] = {phase: body}
        rows[name] = run._replace(**found)


REFLECTIONS = ReadModel("reflection", Run, ("reflection.",), _follow_reflections)


class Visit(NamedTuple):
    """When the owner came to look, and the journal's line of then."""

    line: int
    at: datetime
    door: str


def _follow_visits(rows: MutableMapping[str, Visit], event: Event) -> None:
    if isinstance(event.body, OwnerVisited):
        if last := rows.get("last"):
            rows["before"] = last
        rows["last"] = Visit(event.seq, event.at, event.body.door)


# The `last` visit, and the one `before` it.
VISITS = ReadModel("visit", Visit, ("owner.visited",), _follow_visits)


# All that the index keeps beside the memories.
MODELS: tuple[ReadModel[Any], ...] = (VERSIONS, PROPOSALS, REFLECTIONS, VISITS)
