"""Flights: how an answer came about, and what of what was told for it mattered."""

from datetime import datetime
from typing import NamedTuple

from almario.domain.records import showing

# Sections that are not about the memory, but about the moment: what differs in them says nothing.
PASSING = ("today", "earlier")


class FlightSection(NamedTuple):
    """One section of a prompt as it was; its *text* is empty if it is kept no more."""

    name: str
    text: str
    tokens: int
    source: str = ""
    budget: int | None = None
    left_out: int = 0
    kept_out: int = 0


class Came(NamedTuple):
    """What came to mind for a message: a memory, a turn or a line, by its name, and whether it was told."""

    name: str
    kind: str
    score: float
    how: str
    told: bool


@showing("session", "tokens")
class Flight(NamedTuple):
    """How an answer came about: *asked* is the message, *others* who was present besides the owner.

    *told* are the memories that the model was told, *used* those of them that the answer drew on. *seen* are
    the first and the last turn of the session that it saw, by their numbers.
    """

    turn: str
    at: datetime
    asked: str = ""
    mode: str = ""
    others: tuple[str, ...] = ()
    sections: tuple[FlightSection, ...] = ()
    found: tuple[Came, ...] = ()
    told: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    seen: tuple[int, ...] = ()
    tools: tuple[str, ...] = ()

    @property
    def session(self) -> str:
        return self.turn.rpartition("#")[0]

    @property
    def tokens(self) -> int:
        return sum(section.tokens for section in self.sections)


class Replay(NamedTuple):
    """A flight, the sections of the prompt for the same message today, and what differs.

    *diffs* are of the sections that differ, by name; *gone* was told then and is not now, *come* the reverse.
    """

    then: Flight
    now: tuple[FlightSection, ...]
    diffs: dict[str, str]
    gone: tuple[str, ...]
    come: tuple[str, ...]


class Service(NamedTuple):
    """How often a memory was told in the answers that are kept, and drawn on."""

    memory: str
    told: int
    used: int
