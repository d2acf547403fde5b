"""How many requests are served at once: without room nobody waits, and no agent takes up all of it.

Most are over in a moment: of one agent a few are answered at a time, and who waits for that takes no thread.
What lasts, a talk with a model or a stream, has a room of its own, and leaves that of the others to them.
"""

import asyncio
from collections.abc import Callable
from typing import Literal
from weakref import WeakValueDictionary

from fastapi import Request

from almario.apps.daemon.bounds import Room
from almario.domain.messages import Sentence
from almario.errors import StoreBusy

# What is over in a moment; what takes a thread for as long as a model thinks; what follows, and needs none;
# what another program asks a provider; and the hooks of coding agents, which do not wait for long.
Kind = Literal["brief", "talk", "stream", "passing", "hook"]
_MOST: dict[Kind, int] = {"brief": 48, "talk": 16, "stream": 100, "passing": 64, "hook": 8}
# So many threads do what is over in a moment, so many of them for one agent, and so many seconds a turn is
# waited for.
THREADS, _AT_A_TIME, _PATIENCE = 12, 4, 0.5
TALKING = _MOST["talk"]
CROWDED = Sentence("too many requests are under way; try again in a moment")
_STREAMS = Sentence("too many streams are open; close one first")


class Rooms:
    """The rooms of one server, and whose turn it is."""

    def __init__(self) -> None:
        self.by_kind = {kind: Room(most) for kind, most in _MOST.items()}
        self._turns = WeakValueDictionary[str, asyncio.Semaphore]()

    def turns(self, whose: str) -> asyncio.Semaphore:
        """Return what is acquired for a turn."""
        return self._turns.setdefault(whose, asyncio.Semaphore(_AT_A_TIME))


class RequestPlace:
    """The room that a request takes up."""

    def __init__(self, rooms: Rooms, whose: str) -> None:
        """*whose* tells the agent that is asked, or who asks."""
        self._rooms = rooms
        self._whose = whose
        self._taken: list[Kind] = []
        self._turn: asyncio.Semaphore | None = None

    def take(self, kind: Kind) -> None:
        """Take up room; StoreBusy if there is none."""
        if not self._rooms.by_kind[kind].enter(self._whose):
            raise StoreBusy(_STREAMS if kind == "stream" else CROWDED)
        self._taken.append(kind)

    async def come_to_turn(self) -> None:
        """Wait until it is the request's turn; StoreBusy if that is not soon."""
        turns = self._rooms.turns(self._whose)
        try:
            async with asyncio.timeout(_PATIENCE):
                await turns.acquire()
        except TimeoutError:
            raise StoreBusy(CROWDED) from None
        self._turn = turns

    def last(self, kind: Kind) -> None:
        """Take up room among what lasts, and leave that of the others; StoreBusy if there is none."""
        self.take(kind)
        self.leave("brief")

    def leave(self, *kinds: Kind) -> None:
        """Leave these rooms, or all."""
        for kind in kinds or tuple(self._taken):
            if kind in self._taken:
                self._taken.remove(kind)
                self._rooms.by_kind[kind].leave(self._whose)
            if kind == "brief" and self._turn:
                self._turn.release()
                self._turn = None

    def handed_over(self) -> Callable[[], None]:
        """Leave it to whoever calls this to leave: it may last longer than the request."""
        own = RequestPlace(self._rooms, self._whose)
        own._taken, self._taken = self._taken, []
        return own.leave


def place_of(request: Request) -> RequestPlace:
    """Return the room that a request takes up."""
    found: RequestPlace = request.state.place
    return found
