"""The home: all of an owner's agents, how they come and go, and the small papers that are about them all.

Nothing that uses a home knows whether there are folders. What is said to people of where an agent is kept is
its *place*.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from pathlib import Path
from typing import Any, Protocol

from almario.domain.plain_text import is_safe_id, nearest
from almario.errors import AgentMoved, AgentNotFound, SoulError
from almario.named_tuples import NamedTuple

# The paper that says where agents went.
_MOVED = "moved.json"


class ListedAgent(NamedTuple):
    """An agent's id and place; its folder, or the number that a database has given it.

    *elsewhere* says that a setting put its folder outside the home.
    """

    id: str
    place: str
    folder: Path | None = None
    elsewhere: bool = False
    number: int = 0

    @property
    def path(self) -> Path:
        """The folder it is stored in; SoulError if there is none."""
        if self.folder is None:
            raise SoulError("{id} is kept in a database and has no folder", id=self.id)
        return self.folder


class Trashed(NamedTuple):
    """A removed agent, where it is kept, and when it was removed."""

    id: str
    place: str
    at: str
    folder: Path | None = None

    @property
    def name(self) -> str:
        """What tells it from others that had the same id."""
        return f"{self.id}.{self.at}"


class OwnSettings(NamedTuple):
    """What an agent's settings file holds, None if there is none; *file* tells a person where it is."""

    file: str
    content: bytes | None


class AgentMark(NamedTuple):
    """Changes when another agent has its place (*who*; None if it is gone), or when its *settings* do."""

    who: object
    settings: object


class Papers(Protocol):
    """Small papers that nobody but Almario writes, each under its name and replaced as a whole."""

    # Whether processes on other machines have the same ones.
    is_shared: bool

    def read(self, name: str) -> bytes | None:
        """Return what a paper says; None if there is none."""

    def mark(self, name: str) -> object:
        """Return what changes when a paper does; None if there is none."""

    def write(self, name: str, content: bytes) -> None:
        """Put a content in the place of a paper; AgentNotFound if the home is gone."""

    def changing(self) -> AbstractContextManager[None]:
        """Let nobody else change what is read and written meanwhile."""


class Forwarding(NamedTuple):
    """Where an agent went, as a person is told, and its id there."""

    place: str
    id: str


class Queue(Protocol):
    """The agents of a home for which something is due, for any number of those who look after them."""

    def spent(self, day: date) -> tuple[int, float]:
        """Return the tokens and dollars of all agents on a day."""

    def notes(self, agent: str = "") -> dict[str, Mapping[str, Any]]:
        """Return what is noted of an agent, or of the first ones, by id."""

    def is_kept(self, now: datetime) -> bool:
        """Return whether anybody has been here lately."""


class Key(Protocol):
    """By which a home knows its own exports."""

    def read(self) -> bytes:
        """Return the key, or nothing if there is none yet."""

    def made(self) -> bytes:
        """Return the key, which is made if there is none."""

    def of_erased(self, *, make: bool = False) -> bytes:
        """Return the key that hides what was erased, which is in no backup; if there is none, *make* it."""


class Home(Protocol):
    """All agents of one owner."""

    place: str  # where it is, as a person is told
    papers: Papers
    queue: Queue | None = None  # where agents are too many for one process to look after

    def agents(self, *, most: int | None = None) -> list[ListedAgent]:
        """Return the agents that there are, by id, or the first of them."""

    def agent(self, wanted: str, among: Sequence[ListedAgent] | None = None) -> ListedAgent:
        """Return the agent with that id, in any case; *among* are all there are, if that is known."""

    def left_for(self, agent: str = "") -> Forwarding | None:
        """Return where an agent went that was moved away, or the last one if none is named."""
        found = _forwardings(self.papers)
        if not agent:
            return next(reversed(found.values()), None)
        by_new_id = {to.id.lower(): to for to in found.values()}
        return found.get(agent.lower()) or by_new_id.get(agent.lower())

    def note_moved(self, agent: str, to: Forwarding | None) -> None:
        """Leave word of where an agent goes; None, if it is here again."""
        with self.papers.changing():
            found = _forwardings(self.papers)
            found.pop(agent.lower(), None)
            found |= {agent.lower(): to} if to else {}
            self.papers.write(_MOVED, json.dumps(found).encode())

    def unknown(self, wanted: str, ids: Sequence[str]) -> AgentNotFound | AgentMoved:
        """Return the error for an id that no agent has, naming those that exist, or where it went."""
        if to := self.left_for(wanted):
            return moved(wanted, to)
        if close := nearest(wanted, ids):
            return AgentNotFound('there is no agent "{id}"; did you mean "{close}"?', id=wanted, close=close)
        if ids:
            return AgentNotFound('there is no agent "{id}", only {ids}', id=wanted, ids=", ".join(ids))
        return AgentNotFound('there is no agent in {home} yet; "almario init" creates one', home=self.place)

    def check_free(self, new: str) -> None:
        """Refuse an id that cannot be one, or that an agent has."""

    def create(
        self, new: str, furnish: Callable[[ListedAgent], None], *, path: str | None = None
    ) -> ListedAgent:
        """Make an agent, in the folder *path* if it is kept in one; it is listed when it is furnished."""

    def rename(self, old: str, new: str) -> ListedAgent:
        """Give an agent another id, here and in the settings."""

    def arriving(self, new: str) -> ListedAgent:
        """Return the place of an agent that comes from another home: made, or as an earlier try left it.

        It is not listed until it has arrived.
        """

    def arrived(self, agent: ListedAgent) -> ListedAgent:
        """List an agent that is here whole; SoulError if another one has taken its id meanwhile."""

    def remove(self, wanted: str, *, is_leaving: bool = False) -> ListedAgent:
        """Move an agent to the trash.

        One that *is_leaving* is in another home now: it may stay the default agent, and the caller keeps
        others from writing in it.
        """

    def trash(self) -> list[Trashed]:
        """Return the removed agents, latest first."""

    def bring_back(self, wanted: str, *, new: str | None = None) -> ListedAgent:
        """Bring the latest removed agent with that id back, perhaps under a new id."""

    def own_settings(self, agent: ListedAgent) -> OwnSettings:
        """Return an agent's own settings as they are written."""

    def mark(self, agent: ListedAgent) -> AgentMark:
        """Return what changes when an agent is another one, or its own settings are."""


def moved(agent: str, to: Forwarding) -> AgentMoved:
    """Return the error for an agent that is asked for where it was."""
    sentence = '{id} was moved to {place}; commands look where the setting "store" says'
    return AgentMoved(sentence, id=agent, place=to.place)


def _forwardings(papers: Papers) -> dict[str, Forwarding]:
    """Return where the agents went that left a home, the last one last."""
    try:
        return {
            agent: Forwarding(*map(str, to)) for agent, to in json.loads(papers.read(_MOVED) or b"{}").items()
        }
    except (ValueError, TypeError, AttributeError):  # nobody but us writes it
        return {}


def check_id(name: str) -> None:
    """Refuse a name that cannot be an agent's: it must do as a folder's name everywhere."""
    if not is_safe_id(name):
        raise SoulError(
            '"{id}" cannot be an agent\'s id; use up to 64 letters a-z, digits, "-" and "_", '
            "beginning with a letter or digit",
            id=name,
        )
