"""A memory's life as a list: said, confirmed, changed, ended, each step with the line that can be undone."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, NamedTuple

from almario.domain.events import Verb
from almario.domain.memories import Memory, Recorded

# What a change did to one memory: what its line did, or what that means for this one.
LifeVerb = Verb | Literal["superseded", "doubted", "removed", "ended"]


class LifeStep(NamedTuple):
    """What happened to a memory: *text* is what it says since, *said* a wording that means the same.

    *turns* are those that came to support it, *by* the memory that took its place. *is_latest*: nothing
    followed, so that the line can be undone.
    """

    deed: LifeVerb
    at: datetime
    line: int
    actor: str
    text: str = ""
    said: str = ""
    turns: tuple[str, ...] = ()
    by: str = ""
    undoes: int = 0
    is_latest: bool = False


class LearnedOn(NamedTuple):
    """How many memories were learned on a day where the owner is, by kind."""

    day: date
    kinds: dict[str, int]


def verb_of(recorded: Recorded) -> LifeVerb:
    """Say what a change did to its memory."""
    verb: Verb = recorded.verb  # type: ignore[assignment]  # as the journal has it
    fields = recorded.change.get("set", {})
    if verb == "undone":
        return verb
    if fields.get("state") == "superseded":
        return "superseded"
    if set(fields) == {"by"}:
        return "doubted"
    if verb == "edited" and fields.get("state") == "retired":
        return "removed"
    if verb in ("learned", "imported") and "value" not in fields:  # it was known before
        return "linked" if recorded.change.get("said") else "renewed"
    # What has got another day ahead has not ended.
    end = fields.get("valid_to") if verb == "amended" and "value" not in fields else None
    return "ended" if end and datetime.fromisoformat(end) <= recorded.at else verb


def life_of(memory: Memory, history: Sequence[Recorded]) -> tuple[LifeStep, ...]:
    """Return a memory's history, oldest first."""
    return tuple(
        LifeStep(
            verb_of(each),
            each.at,
            each.seq,
            each.actor,
            each.change.get("set", {}).get("value", ""),
            each.change.get("said", ""),
            tuple(each.change.get("evidence", ())),
            each.change.get("set", {}).get("by", ""),
            each.of,
            each.seq == memory.seq,
        )
        for each in history
    )
