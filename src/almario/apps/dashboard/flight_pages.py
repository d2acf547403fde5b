"""The flight recorder: how each answer came about, again with the memory of today; what is never used."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.comparing import ComparedRow as Line
from almario.apps.dashboard.comparing import compared
from almario.apps.dashboard.frame import Looks, PageVisit
from almario.apps.dashboard.navigation import FLIGHTS
from almario.apps.web.problems import NoSuchThing
from almario.domain.documents.daily import log_day
from almario.domain.flight import PASSING, Came, Flight, FlightSection, Replay
from almario.domain.memories import EVERY, Memory, Wanted
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import certainty
from almario.errors import AlmarioError, SoulError

router = APIRouter(prefix="/a/{agent}/flights", include_in_schema=False)
PAGE = 20
# So many conversations are offered to choose from.
_MOST_SESSIONS = 50
_UNUSED = Wanted(unused=True)
Offset = Annotated[int, Query(ge=0, le=10**9)]


class FlightRow(NamedTuple):
    """An answer in the list: the message, and what was said to it."""

    flight: Flight
    asked: str
    answered: str


class FlightThing(NamedTuple):
    """A memory, a message or a line that came to mind: what it says today, and where it is."""

    name: str
    text: str
    link: str


class Mind(NamedTuple):
    """What came to mind: how, whether it was told, drawn on, and what the owner said of it.

    *rated* is what was said of it for this very answer.
    """

    came: Came
    thing: FlightThing
    is_used: bool
    helped: bool | None
    rated: bool | None


class Differs(NamedTuple):
    """A section of the prompt that would be another today; *is_kept*, its words of then are still there."""

    name: str
    then: int
    now: int
    is_kept: bool
    lines: list[Line]


class Again(NamedTuple):
    """What would be told today, and what not any more; *problem* says why that cannot be known."""

    tokens: int = 0
    gone: Sequence[FlightThing] = ()
    come: Sequence[FlightThing] = ()
    sections: Sequence[Differs] = ()
    same: Sequence[str] = ()
    problem: Sentence | str = ""


@router.get("")
def flights(
    visit: Looks, session: Annotated[str, Query(max_length=150)] = "", offset: Offset = 0
) -> Response:
    """List the answers, the latest first."""
    return visit.shown(
        "flights.html",
        FLIGHTS,
        view="answers",
        session=session,
        sessions=lambda: _sessions(visit, session),
        listing=lambda: _listing(visit, session, offset),
    )


def _sessions(visit: PageVisit, session: str) -> list[str]:
    """Return the conversations that can be chosen: the latest, and the one that is."""
    latest = [view.session for view in visit.soul.sessions.all()[:_MOST_SESSIONS]]
    return list(dict.fromkeys([*latest, *([session] if session else [])]))


def _listing(visit: PageVisit, session: str, offset: int) -> dict[str, Any]:
    soul = visit.soul
    found = soul.flights.list(session, limit=PAGE + 1, offset=offset)
    rows = []
    for each in found[:PAGE]:
        said = {turn.id: turn.text for turn in soul.flights.turns(each)}
        rows.append(FlightRow(each, said.get(each.asked, ""), said.get(each.turn, "")))
    end = (len(found) > PAGE) * (offset + PAGE)
    return {"rows": rows, **_links(visit, "/flights", offset, end, session=session)}


@router.get("/never")
def never(visit: Looks, offset: Offset = 0) -> Response:
    """List what nothing has confirmed or drawn on since it was learned, the oldest first."""

    def listing() -> dict[str, Any]:
        found, end = _unused(visit, offset)
        is_more = end < visit.soul.memory.count(_UNUSED)
        return {
            "memories": [(each, 0) for each in found],
            **_links(visit, "/flights/never", offset, is_more * end),
        }

    return visit.shown("served.html", FLIGHTS, view="unused", listing=listing)


def _unused(visit: PageVisit, offset: int) -> tuple[list[Memory], int]:
    """Return a page of what was never used, and where the next one begins.

    What an answer drew on counts as used in the index only when its conversation is learned from.
    """
    used = {each.memory for each in visit.soul.flights.service() if each.used}
    found: list[Memory] = []
    while len(found) < PAGE:
        chunk = visit.soul.memory.list(_UNUSED._replace(limit=PAGE - len(found), offset=offset))
        found += [each for each in chunk if each.id not in used]
        offset += len(chunk)
        if not chunk:
            break
    return found, offset


@router.get("/unhelpful")
def unhelpful(visit: Looks, offset: Offset = 0) -> Response:
    """List what was told often and never helped, the one told most first."""

    def listing() -> dict[str, Any]:
        served, end = visit.soul.flights.unhelpful(), offset + PAGE
        told = {each.memory: each.told for each in served[offset:end]}
        found = {memory.id: memory for memory in _memories(visit, tuple(told))}
        shown = [(found[name], count) for name, count in told.items() if name in found]
        return {"memories": shown, **_links(visit, "/flights/unhelpful", offset, (len(served) > end) * end)}

    return visit.shown("served.html", FLIGHTS, view="unhelpful", listing=listing)


def _links(visit: PageVisit, path: str, offset: int, end: int, **asked: str) -> dict[str, str]:
    """Return where the pages before and after are; *end* is where the next one begins, if there is one."""
    return {
        "newer": visit.link(path, **asked, offset=max(offset - PAGE, 0) or "") if offset else "",
        "older": visit.link(path, **asked, offset=end) if end else "",
    }


@router.get("/answer")
def flight(
    visit: Looks, turn: Annotated[str, Query(max_length=200)], replay: Annotated[bool, Query()] = False
) -> Response:
    """Show how an answer came about; with *replay*, also what would be told today."""
    soul = visit.soul
    try:
        found = soul.flights.get(turn)
    except SoulError as exc:
        raise NoSuchThing(exc.message, **exc.facts) from exc
    said = {each.id: each for each in soul.flights.turns(found)}
    return visit.shown(
        "flight.html",
        FLIGHTS,
        flight=found,
        asked=said.get(found.asked),
        answer=said.get(found.turn),
        certainty=certainty,
        minds=lambda: _minds(visit, found),
        told=lambda: _told(visit, found),
        with_replay=replay,
        again=lambda: _again(visit, found),
    )


def _minds(visit: PageVisit, found: Flight) -> list[Mind]:
    """Return what came to mind, the best first."""
    said = {(each.thing, each.turn): each.helped for each in visit.soul.ratings()}
    texts = visit.soul.flights.texts(found)
    minds = []
    for each in found.found:
        rated = said.get((each.name, found.turn))
        helped = said.get((each.name, "")) if rated is None else rated
        thing = _thing(visit, each.name, texts[each.name])
        minds.append(Mind(each, thing, each.name in found.used, helped, rated))
    return minds


def _told(visit: PageVisit, found: Flight) -> list[tuple[Memory, bool]]:
    """Return the memories that were told besides what came to mind, and whether the answer drew on them."""
    known = {each.name for each in found.found}
    own = {memory.id: memory for memory in _memories(visit, found.told)}
    every = [(own[name], name in found.used) for name in found.told if name in own and name not in known]
    return sorted(every, key=lambda each: not each[1])


def _again(visit: PageVisit, found: Flight) -> Again:
    try:
        done = visit.soul.flights.replay(found.turn)
    except AlmarioError as exc:
        return Again(problem=sentence_of(exc))
    tokens = sum(section.tokens for section in done.now)
    differing = [_differs(done, name) for name in done.diffs]
    same = [section.name for section in done.now if section.name not in (*done.diffs, *PASSING)]
    return Again(tokens, _things(visit, done.gone), _things(visit, done.come), differing, same)


def _differs(done: Replay, name: str) -> Differs:
    """Return what differs in a section of the prompt, line beside line."""
    nothing = FlightSection(name, "", 0)
    then, now = (
        next((each for each in sections if each.name == name), nothing)
        for sections in (done.then.sections, done.now)
    )
    is_kept = bool(then.text or not then.tokens)
    lines = compared(then.text, now.text) if is_kept else []
    return Differs(name, then.tokens, now.tokens, is_kept, lines)


def _things(visit: PageVisit, names: Sequence[str]) -> list[FlightThing]:
    known = {memory.id: memory.text for memory in _memories(visit, tuple(names))}
    return [_thing(visit, name, known.get(name, "")) for name in names]


def _thing(visit: PageVisit, name: str, text: str) -> FlightThing:
    """Return where something is that has such a name: `3f9a2c1b`, `cli:main#2`, `memory/2026-11-14.md#5`."""
    path, _, number = name.rpartition("#")
    if not path:
        return FlightThing(name, text, visit.memory_link(name) if text else "")
    if day := log_day(path):
        return FlightThing(name, text, visit.link(f"/days/{day}"))
    return FlightThing(name, text, visit.turn_link(name) if ":" in path and number.isdecimal() else "")


def _memories(visit: PageVisit, names: tuple[str, ...]) -> Sequence[Memory]:
    return visit.soul.memory.list(EVERY._replace(ids=(*names, ""))) if names else ()
