"""The verbs of `Soul` for looking back: news, days, ratings, undo, and how answers came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from almario.client.calls import Call, Steps, done, named, one
from almario.client.from_json import read
from almario.client.verbs import Face, Part, verb
from almario.domain.memories import Memory
from almario.domain.model import soul_file
from almario.domain.turns import Turn

# What a value is of is loaded when it is first given.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from almario.becoming.days import Day, WholeDay
    from almario.becoming.looking_back import News, TakenBack
    from almario.domain.flight import Flight, Replay, Service
    from almario.domain.soul_models import Rating

    # A class with a verb called `list` cannot name the type by that word.
    Found = list[Flight]

# At most so many are on a page.
_PAGE = 1000


class RemoteLooking(Part[Face]):
    """What is new about an agent that is elsewhere, and the way back."""

    @property
    def days(self) -> RemoteDays[Face]:
        return RemoteDays(self._face)

    @property
    def flights(self) -> RemoteFlights[Face]:
        return RemoteFlights(self._face)

    @verb
    def visit(self) -> Steps[None]:
        """Note that the owner is here: the next time, what is new is told from now on."""
        return done(Call("POST", "/visit"))

    @verb
    def news(self, *, line: int | None = None, limit: int = 20) -> Steps[News]:
        """Return what is new since the owner's visit before this one, or since a *line* of the journal."""
        from almario.becoming.looking_back import News

        said = yield Call("GET", "/news", query={"line": line, "limit": limit})
        return read(News, said | {"gone": said["gone"][::-1]})

    @verb
    def rate(self, thing: str, turn: str, *, helped: bool | None) -> Steps[None]:
        """Keep whether something helped that came to mind for an answer; None takes back what was said."""
        return done(Call("POST", "/ratings", {"thing": thing, "turn": turn, "helped": helped}))

    @verb
    def ratings(self) -> Steps[list[Rating]]:
        """Return what the owner said of what came to mind, the latest word on each."""
        from almario.domain.soul_models import Rating

        return one(list[Rating], Call("GET", "/ratings"))

    @verb
    def undo(self, line: int = 0) -> Steps[TakenBack]:
        """Take back what a line of the journal did, if nothing followed it; 0: the latest of memories."""
        from almario.becoming.looking_back import TakenBack
        from almario.domain.proposal import Proposal

        said = yield Call("POST", "/undo", {"line": line})
        changed, left = (read(tuple[Memory, ...], said[name]) for name in ("memories", "left"))
        proposal = (yield Call("GET", f"/proposals/{named(said['proposal'])}")) if said["proposal"] else None
        return TakenBack(changed, left, said["file"], read(Proposal, proposal) if proposal else None)

    @verb
    def line_of(self, name: str) -> Steps[int]:
        """Return the latest line of the journal that changed a soul file or answered a proposal; 0: none."""
        path = f"/files/{soul_file(name)}" if name.endswith(".md") else f"/proposals/{named(name)}"
        return one(int, Call("GET", path), at="line")


class RemoteDays(Part[Face]):
    """The days of an agent that is elsewhere."""

    @verb
    def between(self, first: date, last: date) -> Steps[list[Day]]:
        """Return the days of a span that left anything, oldest first."""
        from almario.becoming.days import Day

        span = {"first": first.isoformat(), "last": last.isoformat()}
        return one(list[Day], Call("GET", "/days", query=span))

    @verb
    def get(self, day: date) -> Steps[WholeDay]:
        """Return all that a day left."""
        from almario.becoming.days import WholeDay

        return one(WholeDay, Call("GET", f"/days/{day.isoformat()}"))


class RemoteFlights(Part[Face]):
    """How the answers of an agent came about that is elsewhere."""

    @verb
    def list(self, session: str = "", *, limit: int = 50, offset: int = 0) -> Steps[Found]:
        """Return how answers came about, the latest first, without the texts; of a session or of all."""
        return _flights(session=session, limit=limit, offset=offset)

    @verb
    def get(self, turn: str) -> Steps[Flight]:
        """Return how the answer in a turn came about, with the texts of its prompt."""
        return (yield from _whole(turn))[0]

    @verb
    def turns(self, flight: Flight) -> Steps[Sequence[Turn]]:
        """Return the message and the answer of a flight, as far as they are there."""
        found = []
        for name in filter(None, (flight.asked, flight.turn)):
            session, _, number = name.rpartition("#")
            place = {"session": session, "after": int(number) - 1, "limit": 1}
            said = yield Call("GET", "/turns", query=place)
            found += [turn for turn in read(list[Turn], said["items"]) if turn.id == name]
        return found

    @verb
    def texts(self, flight: Flight) -> Steps[dict[str, str]]:
        """Return what says today what came to mind for an answer, by its name; nothing, if it is gone."""
        return (yield from _whole(flight.turn))[1]

    @verb
    def replay(self, turn: str) -> Steps[Replay]:
        """Build the prompt for the same message as the memory is today, and say what would differ."""
        from almario.domain.flight import Replay, Section

        said = yield Call("GET", "/flight/replay", query={"turn": turn})
        then, _ = yield from _whole(turn)
        now, gone, come = read(tuple[Section, ...], said["sections"]), said["gone"], said["come"]
        return Replay(then, now, said["diffs"], tuple(gone), tuple(come))

    @verb
    def heard(self, memory: str) -> Steps[Found]:
        """Return the answers for which a memory was told, the latest first: where, when, who was there."""
        found: Found = []
        while True:
            page = yield from _flights(memory=memory, limit=_PAGE, offset=len(found))
            found += page
            if len(page) < _PAGE:
                return found

    @verb
    def service(self) -> Steps[Sequence[Service]]:
        """Return how often each memory was told and drawn on, the one told most first."""
        return _service()

    @verb
    def unhelpful(self, *, least: int = 3) -> Steps[Sequence[Service]]:
        """Return what was told at least so often and never drawn on, the one told most first."""
        return [each for each in (yield from _service()) if each.told >= least and not each.used]


def _flights(**query: Any) -> Steps[Found]:
    from almario.domain.flight import Flight

    return one(list[Flight], Call("GET", "/flights", query=query))


def _whole(turn: str) -> Steps[tuple[Flight, dict[str, str]]]:
    from almario.domain.flight import Flight

    said = yield Call("GET", "/flight", query={"turn": turn})
    own = said["flight"]
    return read(Flight, own), {each["name"]: each["text"] for each in own["found"]}


def _service() -> Steps[list[Service]]:
    from almario.domain.flight import Service

    return one(list[Service], Call("GET", "/memories/service"))
