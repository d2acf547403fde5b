"""Flights: how an answer came about."""

from datetime import datetime
from typing import NamedTuple

from almario.domain.records import showing
from almario.domain.turn_ids import turn_id


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

    *told* are the memories that the model was told, *used* those of them that the answer drew on.
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

    @property
    def session(self) -> str:
        return turn_id(self.turn).session

    @property
    def tokens(self) -> int:
        return sum(section.tokens for section in self.sections)
