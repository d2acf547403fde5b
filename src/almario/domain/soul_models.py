"""Read models: of the soul its versions, proposals and reflections; the owner's visits."""

from collections.abc import MutableMapping
from datetime import datetime
from typing import Any, Literal

from almario.domain.events import Event, OwnerVisited, Unknown
from almario.domain.read_models import VERSIONS, ReadModel
from almario.domain.soul_events import (
    Maker,
    ProposalAnswered,
    ProposalMade,
    ReflectionBegun,
    ReflectionEnded,
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
    """One reflection: what began it, up to which line it looked, and its outcome.

    Line 0: the one that began it was lost.
    """

    begun: ReflectionBegun
    line: int
    outcome: Literal["", "done", "abandoned"] = ""


def _follow_reflections(rows: MutableMapping[str, Run], event: Event) -> None:
    body = event.body
    if isinstance(body, ReflectionBegun):
        rows[body.id] = Run(body, body.line or event.seq)
    elif isinstance(body, ReflectionEnded):
        run = rows.get(body.id) or Run(ReflectionBegun(body.id, "", "", "owner", "", ""), 0)
        rows[body.id] = run._replace(outcome=body.outcome)
    elif isinstance(body, Unknown) and (known := rows.get(body.content.get("ref", ""))):
        # Earlier versions entered in a line of its own what had been seen.
        seen = body.content.get("seen", known.begun.seen)
        rows[known.begun.id] = known._replace(begun=known.begun._replace(seen=seen))


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
