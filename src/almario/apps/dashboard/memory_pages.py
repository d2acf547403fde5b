"""What is remembered: the list, with search as you type; one memory, its evidence and its life; its end."""

from collections import Counter
from collections.abc import Sequence
from datetime import MAXYEAR, MINYEAR, date, datetime, time, timedelta
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.web.memory_routes import etag_of
from almario.domain.memories import (
    KINDS,
    ORIGINS,
    SHARED,
    STATES,
    TRUSTED,
    Kind,
    Origin,
    State,
    Wanted,
)
from almario.domain.messages import Sentence
from almario.domain.model import KEPT_OUT, Hit, Scope
from almario.domain.turns import Turn
from almario.domain.vocabulary import FOUND_BY
from almario.errors import SoulError

router = APIRouter(prefix="/a/{agent}/memory", include_in_schema=False)
PAGE = 40
# So many are found by a search: best first, and then those that have the same letters in them.
_MOST_FOUND, _MOST_MATCHES = 20, 10
# Of so many answers it is said that a memory was told for them, among the latest of the latest sessions.
_MOST_TOLD, _SESSIONS, _LATEST = 5, 20, 60
# A search is of so many letters at least.
_LEAST = 2
_INCLUDED = ("expired", "superseded", "retired", "untrusted")
_OUT: tuple[State, ...] = ("superseded", "retired", "ended", "expired")
# The states that one word of the filter stands for; without one, the store's own choice.
_STATES: dict[str, tuple[State, ...]] = {"": (), "out": _OUT, "all": STATES}
_STATES |= {each: (each,) for each in STATES}
# What is longer is no question.
_LONGEST = 2000


class Filters(NamedTuple):
    """What the list is asked for; what is empty does not matter."""

    q: str = ""
    kind: Kind | Literal[""] = ""
    key: str = ""
    origin: Origin | Literal[""] = ""
    state: str = ""
    since: date | None = None
    until: date | None = None
    as_of: date | None = None

    @property
    def are_more(self) -> bool:
        """Whether anything is asked for but words."""
        return any(self[1:])

    @property
    def states(self) -> tuple[State, ...]:
        return STATES if self.origin == "untrusted" and not self.state else _STATES[self.state]

    def wanted(self, visit: PageVisit) -> Wanted:
        """Return what the store is asked for."""
        return Wanted(
            keys=(self.key,) if self.key else (),
            kinds=(self.kind,) if self.kind else (),
            states=self.states,
            origins=(self.origin,) if self.origin else TRUSTED,
            since=_start(visit, self.since),
            until=_end(visit, self.until),
            true_at=_end(visit, self.as_of),
        )

    def scope(self) -> Scope:
        """Return where a search looks."""
        included = _INCLUDED if self.state else ("untrusted",) if self.origin == "untrusted" else ()
        return Scope(
            kinds=("log" if self.kind == "episode" else self.kind,) if self.kind else (),
            keys=(self.key,) if self.key else (),
            since=self.since,
            until=self.until,
            include=included,
        )


class FoundMemories(NamedTuple):
    """What a search found: what it says, why it was found, and where it leads."""

    hit: Hit
    link: str
    reasons: tuple[Sentence, ...]


def filters_in(request: Request) -> Filters:
    """Return the filters that an address names; what is none of ours does not count, but for a day."""
    given = request.query_params
    kind, origin, state = given.get("kind"), given.get("origin"), given.get("state", "")
    return Filters(
        given.get("q", "").strip()[:_LONGEST],
        next((each for each in KINDS if each == kind), ""),
        given.get("key", "").strip()[:_LONGEST],
        next((each for each in ORIGINS if each == origin), ""),
        state if state in _STATES else "",
        *(_day(given.get(name, "")) for name in ("since", "until", "as_of")),
    )


Filtered = Annotated[Filters, Depends(filters_in)]


@router.get("")
def memories(visit: Visits, filters: Filtered, offset: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
    """Show what is remembered, newest first, or what a search finds."""

    return visit.shown(
        "memories.html",
        filters=filters,
        listing=lambda: _listing(visit, filters, offset),
        found=lambda: _searched(visit, filters),
        counts=lambda: _counts(visit),
    )


def _listing(visit: PageVisit, filters: Filters, offset: int) -> dict[str, Any]:
    memory, wanted = visit.soul.memory, filters.wanted(visit)
    total = memory.count(wanted)
    offset = min(offset, max(total - 1, 0) // PAGE * PAGE)
    found = memory.list(wanted._replace(newest=True, offset=offset, limit=PAGE))
    zone = visit.soul.zone
    days = [(day, list(of)) for day, of in groupby(found, lambda each: each.at.astimezone(zone).date())]
    return {"days": days, "total": total, "offset": offset, "limit": PAGE}


def _searched(visit: PageVisit, filters: Filters) -> dict[str, Any]:
    """Return what a search finds: what comes to mind, and what has the same letters in it."""
    if len(filters.q) < _LEAST:
        return {"hits": [], "matches": [], "told": (), "left_out": Counter()}
    recalled = visit.soul.recall(filters.q, limit=_MOST_FOUND, scope=filters.scope(), explain=True)
    hits = [found_by(visit, hit) for hit in recalled]
    known = {name for hit in recalled for name in (hit.memory, *hit.evidence)} - {""}
    wanted = filters.wanted(visit)._replace(text=filters.q, newest=True, limit=_MOST_MATCHES + len(known))
    texts = {hit.text for hit in recalled}
    matches = [
        each for each in visit.soul.memory.list(wanted) if each.id not in known and each.value not in texts
    ]
    left_out = Counter({KEPT_OUT: recalled.kept_out}) + Counter(each.why for each in recalled.left_out)
    shown = {"hits": hits, "matches": matches[:_MOST_MATCHES]}
    return {**shown, "told": recalled.told, "left_out": left_out}


def found_by(visit: PageVisit, hit: Hit) -> FoundMemories:
    """Return a hit with where it leads, and why it was found."""
    link = visit.memory_link(hit.memory) if hit.memory else visit.turn_link(hit.turn) if hit.turn else ""
    adding = sorted((each for each in hit.reasons if each[2] > 0), key=lambda each: -each[2])
    reasons = dict.fromkeys(FOUND_BY[name] for name, _, _ in adding if name in FOUND_BY)
    return FoundMemories(hit, link, tuple(reasons)[:3])


def _counts(visit: PageVisit) -> dict[str, int]:
    memory = visit.soul.memory
    live = memory.count()
    return {
        "live": live,
        "out": memory.count(Wanted(states=STATES)) - live,
        "untrusted": memory.count(Wanted(states=STATES, origins=("untrusted",))),
    }


@router.get("/{memory_id}")
def memory(visit: Visits, memory_id: str) -> Response:
    """Show one memory: what it rests on, its life, and what can be done with it."""
    store = visit.soul.memory
    found = visit.soul.memory.get(memory_id)
    why = store.why(found.id)
    return visit.shown(
        "memory.html",
        memory=found,
        version=etag_of(found),
        state=why.state,
        why=why,
        told_in=lambda: _told_in(visit, found.id),
        is_shared=found.audience == SHARED,
    )


def listed(turn: Turn, field: str) -> Sequence[Any]:
    """Return a field of an answer that is a list; others may have written it otherwise."""
    given = turn.more.get(field) if turn.role == "assistant" and not turn.more.get("calls") else ()
    return given if isinstance(given, list | tuple) else ()


def _told_in(visit: PageVisit, memory: str) -> list[tuple[Turn, bool]]:
    """Return the latest answers for which a model was told a memory, and whether they drew on it."""
    found = []
    for view in visit.soul.sessions.list()[:_SESSIONS]:
        for turn in visit.soul.sessions.turns(view.session, last=_LATEST):
            came = [each[0] for each in listed(turn, "came") if isinstance(each, list | tuple) and each]
            is_used = memory in listed(turn, "used")
            if is_used or memory in listed(turn, "told") or memory in came:
                found.append((turn, is_used))
    return sorted(found, key=lambda each: each[0].at, reverse=True)[:_MOST_TOLD]


@router.get("/{memory_id}/erase")
def erase(visit: Visits, memory_id: str) -> Response:
    """Show what would be erased for good with a memory, before anything is."""
    visit.grant.need("admin")
    found = visit.soul.memory.get(memory_id)
    plan = visit.soul.memory.plan_purge(found.id)
    return visit.shown("erase.html", memory=found, plan=plan)


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as exc:
        raise SoulError('"{date}" is not a day; write it as 2026-11-14', date=text) from exc
    return day if MINYEAR < day.year < MAXYEAR else None  # its midnight is in the calendar of every zone


def _start(visit: PageVisit, day: date | None) -> datetime | None:
    return datetime.combine(day, time(), visit.soul.zone) if day else None


def _end(visit: PageVisit, day: date | None) -> datetime | None:
    return _start(visit, day + timedelta(days=1)) if day else None
